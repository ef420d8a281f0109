/**
 * Text of a stranger on the way to a terminal: escape sequences could move the cursor, change the title or rewrite what was printed,
 * and direction marks could reorder a line. All of them become visible and harmless.
 */
// C0 and C1 controls, DEL, soft hyphen, zero-width and direction marks, line separators, byte order mark, interlinear marks, tags.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

/** One line of printable text: every unsafe character as `\xNN` or `\u{NNNN}`. */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}
