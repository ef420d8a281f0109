/** The lines of one block: where they are, and their text. */
import { isAscii, isUtf8 } from 'node:buffer';
import type { BlockText } from '#shared/search/quick-line.ts';
import { decodeText, feedBytes, findFeed, TEXT_ENCODINGS, type TextEncoding } from '../store/text-encoding.ts';
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
  /** Of the first `#known` lines: the others' are looked for when they are asked for. */
  readonly #ends: Int32Array;
  #known = 0;
  readonly #firstOfFile: boolean;

  /**
   * `whole`: the bytes as text, where all of it will be looked at; kept as long as this is. Without it text is made of the lines that are
   * asked for: many blocks that are held would fill the heap with it.
   */
  constructor(bytes: Buffer, index: BlockPlace, block: number, whole?: string) {
    const { blocks } = index;
    this.bytes = bytes;
    this.#latin1 = whole;
    this.slices = whole ?? { slice: (from, to) => bytes.toString('latin1', from, to) };
    this.count = blocks.lines[block] ?? 0;
    this.encoding = TEXT_ENCODINGS[blocks.encoding[block] ?? 0] ?? 'utf-8';
    this.#firstOfFile = blocks.firstLine[block] === 1;
    this.ascii = this.encoding === 'utf-8' && isAscii(bytes);
    this.plain = this.ascii && !SPECIAL.some((code) => bytes.includes(code));
    this.#skip = blocks.skip[block] ?? 0;
    this.#feed = feedBytes(this.encoding);
    this.#ends = new Int32Array(this.count);
    if (whole !== undefined) this.#readTo(this.count - 1);
  }

  /** All of it as text, one character a byte; made anew where it is not kept. */
  get latin1(): string {
    return this.#latin1 ?? this.bytes.toString('latin1');
  }

  start(line: number): number {
    return line === 0 ? this.#skip : this.end(line - 1) + this.#feed;
  }

  end(line: number): number {
    if (line >= this.#known) this.#readTo(line);
    return this.#ends[line] ?? 0;
  }

  #readTo(line: number): void {
    const ends = this.#ends;
    const last = Math.min(line, this.count - 1);
    let at = this.start(this.#known);
    for (let next = this.#known; next <= last; next += 1) {
      const found = this.#feedFrom(at);
      const end = found === -1 ? this.bytes.length : found;
      ends[next] = end;
      at = end + this.#feed;
    }
    this.#known = Math.max(this.#known, last + 1);
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
