/**
 * How an entry's bytes are text. Bytes are stored as they came and offsets count them; only what is parsed or shown is decoded.
 *
 * UTF-16 is what PowerShell's `>` and Notepad write; it is recognised by its byte order mark alone.
 */
export const TEXT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be'] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

const LF = 10;
const LF_OF = { 'utf-16le': Buffer.from([LF, 0]), 'utf-16be': Buffer.from([0, LF]) } as const;

/** Bytes of a line feed. */
export const feedBytes = (encoding: TextEncoding): number => (encoding === 'utf-8' ? 1 : 2);

/** Index of the first line feed at or after `from`, -1 if there is none. `bytes` begins at a character. */
export function findFeed(bytes: Buffer, from: number, encoding: TextEncoding): number {
  if (encoding === 'utf-8') return bytes.indexOf(LF, from);
  let at = bytes.indexOf(LF_OF[encoding], from);
  // At an odd place the two bytes belong to two characters.
  while (at % 2 === 1) at = bytes.indexOf(LF_OF[encoding], at + 1);
  return at;
}

/** Index behind the last line feed of the first `length` bytes, 0 if there is none. */
export function afterLastFeed(bytes: Buffer, length: number, encoding: TextEncoding): number {
  if (encoding === 'utf-8') return bytes.lastIndexOf(LF, length - 1) + 1;
  let at = bytes.lastIndexOf(LF_OF[encoding], length - 2);
  while (at > 0 && at % 2 === 1) at = bytes.lastIndexOf(LF_OF[encoding], at - 1);
  return at < 0 || at % 2 === 1 ? 0 : at + 2;
}

/** Bytes [from, to) as text, with replacement characters for what is none. A half character at the end is left out. */
export function decodeText(bytes: Buffer, from: number, to: number, encoding: TextEncoding): string {
  switch (encoding) {
    case 'utf-8':
      return bytes.toString('utf8', from, to);
    case 'utf-16le':
      return bytes.toString('utf16le', from, to);
    case 'utf-16be': {
      const even = from + (to - from - ((to - from) % 2));
      return Buffer.from(bytes.subarray(from, even)).swap16().toString('utf16le');
    }
  }
}

const MARKS: readonly { readonly encoding: TextEncoding; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** Half of the characters, so that a line of many languages still counts. Chosen. */
const MIN_ZERO_SHARE = 0.5;

/** UTF-16 without a mark (a tail of a redirect, an editor's export): every second byte is zero, never the others, and it reads as text. */
function unmarkedUtf16(head: Buffer): TextEncoding | undefined {
  const pairs = Math.floor(head.length / 2);
  if (pairs < 2) return undefined;
  const zeros = [0, 0];
  for (let i = 0; i < pairs * 2; i += 1) if (head[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [first = 0, second = 0] = zeros;
  const encoding = first === 0 && second >= pairs * MIN_ZERO_SHARE ? 'utf-16le' : second === 0 ? 'utf-16be' : undefined;
  if (encoding === undefined || Math.max(first, second) < pairs * MIN_ZERO_SHARE) return undefined;
  return looksLikeUtf16(decodeText(head, 0, pairs * 2, encoding)) ? encoding : undefined;
}

/** The encoding by the mark at the beginning, and the mark's length; without one UTF-8, or UTF-16 by its zeros, and 0. */
export function detectEncoding(head: Buffer): { readonly encoding: TextEncoding; readonly markBytes: number } {
  for (const { encoding, bytes } of MARKS) {
    if (!bytes.every((byte, i) => head[i] === byte)) continue;
    if (encoding !== 'utf-8' && !looksLikeUtf16(decodeText(head, bytes.length, head.length, encoding))) continue;
    return { encoding, markBytes: bytes.length };
  }
  return { encoding: unmarkedUtf16(head) ?? 'utf-8', markBytes: 0 };
}

/** Two bytes are a weak mark: a tenth of the text must be ASCII (digits, spaces, line feeds), and nothing a control character. */
function looksLikeUtf16(text: string): boolean {
  let ascii = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 9) return false;
    if (code < 128) ascii += 1;
  }
  return ascii * 10 >= text.length;
}
