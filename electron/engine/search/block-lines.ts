/** The lines of one block: where they are, and their text. */
import { isAscii, isUtf8 } from 'node:buffer';
import type { BlockText } from '#shared/search/quick-line.ts';
import { decodeText, feedBytes, findFeed, TEXT_ENCODINGS, type TextEncoding } from '../store/text-encoding.ts';
import { type BlockOutline, SAMPLE } from './block-outline.ts';
import type { BlockPlace } from './case-index.ts';

export class BlockLines {
  readonly bytes: Buffer;
  readonly count: number;
  readonly encoding: TextEncoding;
  /** The bytes as text, one character a byte: positions are the same in both. */
  readonly slices: BlockText;
  /** Every byte is below 128, and the encoding is UTF-8. */
  readonly ascii: boolean;
  /** ASCII without CR, ESC and NUL: no line of it needs decoding or cleaning. */
  readonly plain: boolean;
  readonly #latin1: string | undefined;
  readonly #skip: number;
  readonly #feed: number;
  /** One more than the end of each line that was looked for; 0 = not yet. */
  readonly #ends: Int32Array;
  readonly #firstOfFile: boolean;
  readonly #outline: BlockOutline | undefined;

  /**
   * `whole`: the bytes as text, where all of it will be looked at; kept as long as this is. Without it text is made of the lines that are
   * asked for: many blocks that are held would fill the heap with it. `outline`: of this block, where it is known.
   */
  constructor(bytes: Buffer, index: BlockPlace, block: number, whole?: string, outline?: BlockOutline) {
    const { blocks } = index;
    this.bytes = bytes;
    this.#latin1 = whole;
    this.slices = whole ?? { slice: (from, to) => bytes.toString('latin1', from, to) };
    this.count = blocks.lines[block] ?? 0;
    this.encoding = TEXT_ENCODINGS[blocks.encoding[block] ?? 0] ?? 'utf-8';
    this.#firstOfFile = blocks.firstLine[block] === 1;
    this.#outline = outline;
    this.ascii = outline?.ascii ?? (this.encoding === 'utf-8' && isAscii(bytes));
    this.plain = outline?.plain ?? (this.ascii && !SPECIAL.some((code) => bytes.includes(code)));
    this.#skip = blocks.skip[block] ?? 0;
    this.#feed = feedBytes(this.encoding);
    this.#ends = new Int32Array(this.count);
    if (whole !== undefined) this.#readFrom(0, this.count - 1);
  }

  /** All of it as text, one character a byte; made anew where it is not kept. */
  get latin1(): string {
    return this.#latin1 ?? this.bytes.toString('latin1');
  }

  start(line: number): number {
    if (line === 0) return this.#skip;
    if (this.#outline !== undefined && line % SAMPLE === 0 && line < this.count) return this.#sampleOf(line);
    return this.end(line - 1) + this.#feed;
  }

  end(line: number): number {
    const known = this.#ends[line] ?? 1;
    if (known > 0) return known - 1;
    let first = line;
    while (first > 0 && (this.#outline === undefined || first % SAMPLE > 0) && this.#ends[first - 1] === 0) first -= 1;
    this.#readFrom(first, line);
    return (this.#ends[line] ?? 1) - 1;
  }

  /** `first`: the line before it is known, or it is one whose start the outline knows. */
  #readFrom(first: number, last: number): void {
    const ends = this.#ends;
    const before = first === 0 ? 0 : (ends[first - 1] ?? 0);
    let at = first === 0 ? this.#skip : before > 0 ? before - 1 + this.#feed : this.#sampleOf(first);
    for (let line = first; line <= last; line += 1) {
      const found = this.#feedFrom(at);
      const end = found === -1 ? this.bytes.length : found;
      ends[line] = end + 1;
      at = end + this.#feed;
    }
  }

  #sampleOf(line: number): number {
    return this.#outline?.starts[line / SAMPLE] ?? 0;
  }

  #feedFrom(at: number): number {
    if (this.encoding !== 'utf-8') return findFeed(this.bytes, at, this.encoding);
    return this.#latin1 === undefined ? this.bytes.indexOf(FEED, at) : this.#latin1.indexOf('\n', at);
  }

  /** Index of the line that holds the byte at `at`, from `from` on. */
  lineAt(at: number, from: number): number {
    let line = from;
    while (line < this.count - 1 && at > this.end(line)) line += 1;
    return line;
  }

  /**
   * End of a line that is ASCII without CR, ESC and NUL, the CR of its line end apart; -1 for others. `maxBytes`: longer lines are
   * others.
   */
  plainEnd(line: number, maxBytes: number): number {
    const start = this.start(line);
    const end = this.end(line);
    if (end - start > maxBytes) return -1;
    if (this.plain) return end;
    if (this.encoding !== 'utf-8') return -1;
    const { bytes } = this;
    const last = end > start && bytes[end - 1] === 13 ? end - 1 : end;
    for (let at = start; at < last; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte >= 128 || byte === 13 || byte === 27 || byte === 0) return -1;
    }
    return last;
  }

  /** A line as text, without the byte order mark; bytes that are none become lone surrogates U+DC80 to U+DCFF. */
  text(line: number, maxBytes = Number.POSITIVE_INFINITY): string {
    const start = this.start(line);
    const end = Math.min(this.end(line), start + maxBytes);
    if (this.ascii) return this.slices.slice(start, end);
    const part = this.bytes.subarray(start, end);
    const text =
      this.encoding !== 'utf-8'
        ? decodeText(this.bytes, start, end, this.encoding)
        : isUtf8(part)
          ? this.bytes.toString('utf8', start, end)
          : decodeBroken(part);
    return line === 0 && this.#firstOfFile && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}

const FEED = 10;
/** CR, ESC and NUL: text that is changed before it is read. */
const SPECIAL = [13, 27, 0];
const BAD_BYTE = 0xdc00;

/** UTF-8 with each byte that does not belong to a character kept as U+DC00 plus the byte. O(n). */
export function decodeBroken(bytes: Buffer): string {
  let text = '';
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const length = byte < 0x80 ? 1 : byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
    if (length > 0 && at + length <= bytes.length && (length === 1 || isUtf8(bytes.subarray(at, at + length)))) {
      at += length;
      continue;
    }
    text += bytes.toString('utf8', from, at) + String.fromCharCode(BAD_BYTE + byte);
    at += 1;
    from = at;
  }
  return text + bytes.toString('utf8', from);
}
