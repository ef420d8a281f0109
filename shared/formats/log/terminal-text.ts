/** Terminal output in messages: colours, carriage returns, NULs. */

const ESCAPE = '\u001b';

// CSI ESC [ … final; OSC ESC ] … BEL or ESC \; other two-character sequences. Bounded, so that a lone ESC ends soon.
const SEQUENCE =
  /\u001b(?:\[[0-9;:?<=>!]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,400}(?:\u0007|\u001b\\)|[@-Z\\^_=>c])/g;

/**
 * The first `max` characters, as a string of its own: a plain slice of a long line would keep the whole line in memory
 * for as long as the slice lives.
 */
export const clip = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, max).split('').join('');

/** The text without the CR of a CR LF line end. */
export const withoutCr = (text: string): string => (text.charCodeAt(text.length - 1) === 13 ? text.slice(0, -1) : text);

/** Text without escape sequences, NULs and the CR of its line end. Returns the same string if there are none. */
export function plainText(text: string): string {
  let plain = withoutCr(text);
  if (plain.includes(ESCAPE)) plain = plain.replace(SEQUENCE, '');
  if (plain.includes('\0')) plain = plain.replaceAll('\0', '');
  return plain;
}

/**
 * Parts of a message between carriage returns that have something in them. A terminal would show the last one; each
 * may tell progress. At most `max`, the newest ones, since a bar can rewrite itself for hours within one record.
 */
export function segments(text: string, max = 200): readonly string[] {
  return text
    .split('\r')
    .filter((part) => part.trim() !== '')
    .slice(-max);
}
