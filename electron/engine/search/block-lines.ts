/** The lines of one block: where they are, their text, and the facts of each in their order. */
import { isAscii, isUtf8 } from 'node:buffer';
import { type LineFacts, LineFactsReader, type Origin } from '#shared/search/line-facts.ts';
import { decodeText, feedBytes, findFeed, TEXT_ENCODINGS, type TextEncoding } from '../store/text-encoding.ts';
import type { CaseIndex } from './case-index.ts';
import type { LogFile } from './log-files.ts';

export class BlockLines {
  readonly bytes: Buffer;
  readonly count: number;
  readonly encoding: TextEncoding;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #ascii: boolean;
  readonly #firstOfFile: boolean;

  constructor(bytes: Buffer, index: CaseIndex, block: number) {
    const { blocks } = index;
    this.bytes = bytes;
    this.count = blocks.lines[block] ?? 0;
    this.encoding = TEXT_ENCODINGS[blocks.encoding[block] ?? 0] ?? 'utf-8';
    this.#firstOfFile = blocks.firstLine[block] === 1;
    this.#ascii = this.encoding === 'utf-8' && isAscii(bytes);
    this.#starts = new Int32Array(this.count);
    this.#ends = new Int32Array(this.count);
    const feed = feedBytes(this.encoding);
    let at = blocks.skip[block] ?? 0;
    for (let line = 0; line < this.count; line += 1) {
      const found = this.encoding === 'utf-8' ? bytes.indexOf(10, at) : findFeed(bytes, at, this.encoding);
      const end = found === -1 ? bytes.length : found;
      this.#starts[line] = at;
      this.#ends[line] = end;
      at = end + feed;
    }
  }

  start(line: number): number {
    return this.#starts[line] ?? 0;
  }

  end(line: number): number {
    return this.#ends[line] ?? 0;
  }

  /** Index of the line that holds the byte at `at`, from `from` on. */
  lineAt(at: number, from: number): number {
    let line = from;
    while (line < this.count - 1 && at > this.end(line)) line += 1;
    return line;
  }

  /** A line as text, without the byte order mark; bytes that are none become lone surrogates U+DC80 to U+DCFF. */
  text(line: number, maxBytes = Number.POSITIVE_INFINITY): string {
    const start = this.start(line);
    const end = Math.min(this.end(line), start + maxBytes);
    if (this.#ascii) return this.bytes.toString('latin1', start, end);
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

/** Characters of a line that facts are read from. */
const MAX_FACT_BYTES = 16_384;

/** The facts of a line and its place. */
export interface KeyedFacts {
  readonly facts: LineFacts;
  /** ns from the origin, raw; never falls inside a file. */
  readonly keyNs: number;
}

/** Reads the lines of a block one after the other. */
export class BlockFacts {
  readonly lines: BlockLines;
  readonly #reader: LineFactsReader;
  readonly #hi: number;
  #key: number;
  #next = 0;

  constructor(index: CaseIndex, block: number, lines: BlockLines) {
    const file = index.files[index.blocks.file[block] ?? 0];
    const lo = index.blocks.lo[block] ?? 0;
    this.lines = lines;
    this.#key = lo;
    this.#hi = index.blocks.hi[block] ?? lo;
    this.#reader = new LineFactsReader({
      kind: file?.kind ?? 'text',
      origin: originOf(index, file),
      nearSeconds: file === undefined ? Number.NaN : nearOf(index, lo, file.nearSeconds),
    });
  }

  /** Text of the line that `next` read last. */
  text = '';

  /** The next line; they come in their order. */
  next(): KeyedFacts {
    this.text = this.lines.text(this.#next, MAX_FACT_BYTES);
    this.#next += 1;
    const facts = this.#reader.read(this.text);
    // A record stays where its first line is.
    if (!facts.continues && facts.timeNs > this.#key) this.#key = Math.min(facts.timeNs, this.#hi);
    return { facts, keyNs: this.#key };
  }
}

/** Where a file's zone is proven its lines are read against the origin as it would have been written there. */
function originOf({ origin }: CaseIndex, file: LogFile | undefined): Origin {
  const zoneNs = file?.zoneNs ?? 0;
  return zoneNs === 0 ? origin : { ...origin, seconds: origin.seconds + zoneNs / 1e9 };
}

/** Lines without a year are near the block's own time, else near the file's first dated one. */
function nearOf(index: CaseIndex, lo: number, fileSeconds: number): number {
  const { span } = index.blocks;
  return span !== null && lo <= span.toNs ? index.origin.seconds + lo / 1e9 : fileSeconds;
}
