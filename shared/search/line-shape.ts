/**
 * What a line looks like without its numbers: lines of one shape fold into one. Whatever begins with a digit, to the end of its word,
 * is one `#`: counts, times, addresses, hashes. Two lines that differ in other words never share a shape.
 */

/** Beyond this, lines that begin alike count as alike. Chosen: longer than any watchdog's sentence. */
const MAX_SHAPE = 300;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
/** Digits, letters, and what stands inside of numbers: `.` `,` `:`. */
const goesOn = (code: number): boolean =>
  isDigit(code) ||
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 46 ||
  code === 44 ||
  code === 58;

const HASH = 35;

/** Behind the word that begins at the digit at `at`. */
function wordEnd(text: string, at: number, end: number): number {
  let next = at + 1;
  while (next < end && goesOn(text.charCodeAt(next))) next += 1;
  return next;
}

export function shapeOf(message: string): string {
  let shape = '';
  const end = Math.min(message.length, MAX_SHAPE);
  for (let at = 0; at < end; ) {
    const digit = isDigit(message.charCodeAt(at));
    shape += digit ? '#' : message.charAt(at);
    at = digit ? wordEnd(message, at, end) : at + 1;
  }
  return shape;
}

/** FNV-1a of the shape of text [from, to), 32 bits. */
export function shapeHash(text: string, from = 0, to = text.length): number {
  let hash = 0x811c9dc5;
  const end = Math.min(to, from + MAX_SHAPE);
  for (let at = from; at < end; ) {
    const code = text.charCodeAt(at);
    const digit = isDigit(code);
    hash = Math.imul(hash ^ (digit ? HASH : code), 0x01000193);
    at = digit ? wordEnd(text, at, end) : at + 1;
  }
  return hash >>> 0;
}
