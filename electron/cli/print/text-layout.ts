/** Widths and line breaks for a terminal. Works on plain text; colour is added afterwards, a line at a time. */

/** Columns that one code point takes: 2 for East Asian wide and emoji, 0 for combining marks. Approximate, good enough for alignment. */
function columnsOf(code: number): number {
  if (code >= 0x300 && code <= 0x36f) return 0;
  const wide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}

export function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += columnsOf(char.codePointAt(0) ?? 0);
  return width;
}

/** Fills up with spaces; longer text stays as it is. */
export const padTo = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)));

/** Cut at `width` columns, with an ellipsis in the last one if anything was cut. */
export function cutTo(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let out = '';
  let used = 0;
  for (const char of text) {
    const columns = columnsOf(char.codePointAt(0) ?? 0);
    if (used + columns > width - 1) break;
    out += char;
    used += columns;
  }
  return `${out}…`;
}

/**
 * Breaks at spaces into lines of at most `width` columns. Words that are longer (paths, hashes) stay whole, so that they can be copied
 * and clicked. Empty text gives no lines.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((part) => part !== '')) {
    if (line === '') line = word;
    else if (textWidth(line) + 1 + textWidth(word) <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Wrapped text with `first` before its first line and as many spaces before the others. */
export function hangText(first: string, text: string, width: number): string[] {
  const indent = textWidth(first);
  const lines = wrapText(text, Math.max(20, width - indent));
  return lines.length === 0 ? [first.trimEnd()] : lines.map((line, i) => (i === 0 ? first : ' '.repeat(indent)) + line);
}
