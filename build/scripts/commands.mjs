/** The npm scripts by name. Each is loaded only when asked for, so that `analyze` starts quickly. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuild } from './ensure-build.mjs';
import { BUNDLES, userFolder } from './lib/paths.mjs';
import { say, UserError } from './lib/say.mjs';

/** @typedef {(args: readonly string[]) => Promise<number | undefined>} Command returns the exit status; undefined leaves it alone */

/**
 * Runs the terminal program inside this process: no second Node to start, and signals reach it directly.
 * @param {readonly string[]} args
 */
async function analyze(args) {
  await ensureBuild('terminal');
  process.chdir(userFolder());
  const program = path.join(BUNDLES, 'build', 'cli.cjs');
  process.argv = [process.execPath, program, 'analyze', ...args];
  await import(pathToFileURL(program).href);
  return undefined;
}

/** @type {Readonly<Record<string, Command>>} */
const COMMANDS = {
  analyze,
  build: async () => {
    await ensureBuild('all');
    return 0;
  },
};

/** @param {readonly string[]} argv command name, then its arguments */
export async function run(argv) {
  const [name = '', ...args] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (command === undefined) {
      throw new UserError(`unknown command "${name}"; there are: ${Object.keys(COMMANDS).join(', ')}.`);
    }
    const status = await command(args);
    if (status !== undefined) process.exitCode = status;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
