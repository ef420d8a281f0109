/** Lines of the build for the user. Standard output belongs to the program that is started, so these go to standard error. */

/** @param {string} line */
export function say(line) {
  process.stderr.write(`firstfault: ${line}\n`);
}

/** Progress that only a person needs: nothing when standard error is captured. @param {string} line */
export function sayToPerson(line) {
  if (process.stderr.isTTY) say(line);
}

/** An expected failure: its message is for the user as it stands, without a stack. */
export class UserError extends Error {}

/** @param {number} sinceMs from `performance.now()` @returns {string} such as `4.2 s` */
export function elapsed(sinceMs) {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}
