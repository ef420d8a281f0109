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

function eachOfShape(message: string, visit: (code: number) => void): void {
  const end = Math.min(message.length, MAX_SHAPE);
  for (let at = 0; at < end; at += 1) {
    const code = message.charCodeAt(at);
    if (!isDigit(code)) {
      visit(code);
      continue;
    }
    visit(HASH);
    while (at + 1 < end && goesOn(message.charCodeAt(at + 1))) at += 1;
  }
}

export function shapeOf(message: string): string {
  let shape = '';
  eachOfShape(message, (code) => {
    shape += String.fromCharCode(code);
  });
  return shape;
}

/** FNV-1a of the shape, 32 bits. */
export function shapeHash(message: string): number {
  let hash = 0x811c9dc5;
  eachOfShape(message, (code) => {
    hash = Math.imul(hash ^ code, 0x01000193);
  });
  return hash >>> 0;
}
