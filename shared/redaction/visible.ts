/** The text as it is scanned: nothing may hide a name from the scan, or show again what the scan did not see. */

/** Terminal colours, then characters that take no room. Both can stand in the middle of a name. */
const COLOURS = /\u001b\[[0-9;:?]{0,32}[ -/]{0,4}[@-~]/g;
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code points, listed one by one
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;
/** Taken out, so that a name they split is whole again. */
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;
/** Breaks of a line other than the line feed. */
const BREAKS = /[\u000b-\u000d\u0085\u2028\u2029]/g;
const LONE = /\p{Surrogate}/gu;

/** Wide and mathematical forms of ASCII read like ASCII, and hide a name from every expression. */
const LOOKALIKES = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/gu;

/** Line feeds and tabs stay. Lone surrogates become U+FFFD. */
export const visible = (text: string): string =>
  text
    .replace(COLOURS, '')
    .replace(HIDDEN, '')
    .replace(CONTROLS, '')
    .replace(BREAKS, ' ')
    .replace(LOOKALIKES, (one) => one.normalize('NFKC'))
    .replace(LONE, '\ufffd');

/** Longest text that is scanned as one, in characters. */
const MAX_SCANNED = 1024 * 1024;

/** Why a text cannot be scanned: bytes that were no text when it was read, or far too much of it. */
export function unscannable(text: string): 'not-text' | 'too-long' | undefined {
  if (text.length > MAX_SCANNED) return 'too-long';
  return text.includes('\ufffd') || text.includes('\u0000') ? 'not-text' : undefined;
}
