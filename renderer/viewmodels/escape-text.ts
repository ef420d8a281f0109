/**
 * Text of a bundle, made visible: control and bidirectional characters become escapes, so that nothing can reorder,
 * hide or colour a line. The window only ever inserts the result as text nodes.
 */
export interface TextPiece {
  readonly text: string;
  /** True for a character that was replaced: `\x1b`, `\u202e`. */
  readonly escape: boolean;
}

/**
 * C0 and C1 controls (tab included), soft hyphen, zero-width and bidi controls, line and paragraph separators, variation
 * selectors, tags, the byte order mark, and lone surrogates.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code points, listed one by one
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

/** Pieces that join to the visible form of `text`; empty text gives no pieces. O(n). */
export function escapePieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), escape: false });
    pieces.push({ text: escapeOf(match[0]), escape: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), escape: false });
  return pieces;
}

/** The visible form as one string, for names, titles and tooltips. */
export function escapeText(text: string): string {
  return text.replace(HIDDEN, (character) => escapeOf(character));
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x09) return '\\t';
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
