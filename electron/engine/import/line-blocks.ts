import { isAscii, isUtf8 } from 'node:buffer';
import type { LineRun, LineScanner } from '#shared/model/format.ts';
import type { TextBlock } from '../store/case-writer.ts';
import { afterLastFeed, decodeText, feedBytes, findFeed, type TextEncoding } from '../store/text-encoding.ts';
import { giveBackBlock, type HeldBlock, takeBlock } from './prefilter/scanned-blocks.ts';

/** 64 KiB read four times less for a random line than 256 KiB and cost 5 % more space (measured). */
export const BLOCK_BYTES = 64 * 1024;

export interface LineBlockSinks {
  /** `bytes` is only valid during the call. */
  readonly onBlock: (block: TextBlock) => void;
  /**
   * One line without its line feed; a carriage return stays. Lines beyond BLOCK_BYTES come with their beginning only. Returns the
   * line's time in ms since 1970, or NaN.
   */
  readonly onLine?: (text: string, line: number, byte: number, length: number) => number;
  /** A reader that takes lines as bytes (see LineReader.skim): asked before each line and at the end of a block. UTF-8 only. */
  readonly skim?: (run: LineRun) => void;
  /** The time of lines that were skimmed, in ms since 1970; all in one second. */
  readonly onTime?: (ms: number, lines: number) => void;
}

/**
 * Cuts a stream of bytes into lines and into blocks that end at a line feed. Memory is one block, whatever comes.
 *
 * A line longer than a block is continued in the next blocks: it keeps one number, its rest is stored but not parsed. Bytes are
 * kept as they are; text is decoded with replacement and without the byte order mark of the first line. The result is the same for any split into chunks.
 */
export class LineBlocks {
  /** Lines begun so far. */
  lines = 0;
  /** Lines with bytes that are not text in the encoding. */
  undecodableLines = 0;
  longLines = 0;
  nulBytes = false;
  readonly #sinks: LineBlockSinks;
  readonly #encoding: TextEncoding;
  readonly #feedBytes: number;
  readonly #block: HeldBlock;
  readonly #held: Buffer;
  #length = 0;
  #byte = 0;
  #insideLongLine = false;

  /** `machineCode` false: readers that skim do without the scanner, for tests. */
  constructor(sinks: LineBlockSinks, encoding: TextEncoding = 'utf-8', machineCode = true) {
    this.#block = takeBlock(BLOCK_BYTES, machineCode);
    this.#held = this.#block.bytes;
    this.#sinks = sinks;
    this.#encoding = encoding;
    this.#feedBytes = feedBytes(encoding);
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(this.#held, this.#length, at);
      at += copied;
      this.#length += copied;
      if (this.#length === BLOCK_BYTES) this.#flush(false);
    }
  }

  /** The last line may lack its line feed. Nothing may be pushed afterwards. */
  end(): void {
    if (this.#length > 0) this.#flush(true);
    giveBackBlock(this.#block);
  }

  #flush(last: boolean): void {
    const cut = last ? this.#length : this.#cutAt();
    const bytes = this.#held.subarray(0, cut);
    const encoding = this.#encoding;
    const endsLine = last || afterLastFeed(bytes, cut, encoding) === cut;
    const skip = this.#insideLongLine ? this.#afterFirstFeed(bytes) : 0;
    const firstLine = this.lines + 1;
    const span = this.#scan(bytes, skip);
    if (!endsLine && skip < cut) this.longLines += 1;
    this.#insideLongLine = !endsLine;
    this.#sinks.onBlock({
      bytes,
      byte: this.#byte,
      firstLine,
      lines: this.lines + 1 - firstLine,
      skip,
      encoding,
      ...span,
    });
    this.#held.copyWithin(0, cut, this.#length);
    this.#length -= cut;
    this.#byte += cut;
  }

  #afterFirstFeed(bytes: Buffer): number {
    const feed = findFeed(bytes, 0, this.#encoding);
    return feed === -1 ? bytes.length : feed + this.#feedBytes;
  }

  /** After the last line feed; without one the whole block, but never inside a UTF-8 sequence. */
  #cutAt(): number {
    const afterFeed = afterLastFeed(this.#held, this.#length, this.#encoding);
    if (afterFeed > 0 || this.#encoding !== 'utf-8') return afterFeed || this.#length;
    for (let back = 1; back <= 3; back += 1) {
      const byte = this.#held[this.#length - back] ?? 0;
      if (byte < 0x80) break;
      if (byte < 0xc0) continue;
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? this.#length - back : this.#length;
    }
    return this.#length;
  }

  #scan(bytes: Buffer, from: number): { readonly t0: number | undefined; readonly t1: number | undefined } {
    if (this.#encoding !== 'utf-8') return this.#scanWide(bytes, from);
    const ascii = isAscii(bytes);
    const valid = ascii || isUtf8(bytes);
    if (!this.nulBytes && bytes.includes(0)) this.nulBytes = true;
    const span = new TimeSpan();
    const { onLine, skim } = this.#sinks;
    const onTime = (ms: number, lines: number) => {
      span.add(ms);
      this.#sinks.onTime?.(ms, lines);
    };
    const place = { ascii, byte: this.#byte, line: this.lines + 1, onTime };
    const run = skim && new BlockRun(bytes, from, { ...place, scanner: this.#block.scannerTo?.(bytes.length) });
    for (let at = from; at < bytes.length; ) {
      if (run !== undefined) {
        run.at = at;
        run.line = this.lines + 1;
        skim?.(run);
        at = run.at;
        this.lines = run.line - 1;
        if (at >= bytes.length) break;
      }
      const feed = bytes.indexOf(10, at);
      const end = feed === -1 ? bytes.length : feed;
      this.lines += 1;
      if (!valid && !isUtf8(bytes.subarray(at, end))) this.undecodableLines += 1;
      if (onLine !== undefined) {
        // Each line is a string of its own: a slice of the block's text would keep the whole block alive in every event.
        let text = bytes.toString(ascii ? 'latin1' : 'utf8', at, end);
        if (this.lines === 1 && text.charCodeAt(0) === MARK) text = text.slice(1);
        span.add(onLine(text, this.lines, this.#byte + at, end - at));
      }
      at = end + 1;
    }
    if (run !== undefined) {
      run.at = run.to;
      skim?.(run);
    }
    return span.ends();
  }

  /** UTF-16: every line is decoded, since nothing else tells whether it is text. */
  #scanWide(bytes: Buffer, from: number): { readonly t0: number | undefined; readonly t1: number | undefined } {
    const span = new TimeSpan();
    for (let at = from; at < bytes.length; ) {
      const feed = findFeed(bytes, at, this.#encoding);
      const end = feed === -1 ? bytes.length : feed;
      this.lines += 1;
      const decoded = decodeText(bytes, at, end, this.#encoding);
      const text = this.lines === 1 && decoded.charCodeAt(0) === MARK ? decoded.slice(1) : decoded;
      if (LONE_SURROGATE.test(text) || (end - at) % 2 === 1) this.undecodableLines += 1;
      if (!this.nulBytes && text.includes('\0')) this.nulBytes = true;
      const ms = this.#sinks.onLine?.(text, this.lines, this.#byte + at, end - at) ?? Number.NaN;
      span.add(ms);
      at = end + this.#feedBytes;
    }
    return span.ends();
  }
}

/** Earliest and latest of some times in ms; NaN is none. */
class TimeSpan {
  #t0 = Number.POSITIVE_INFINITY;
  #t1 = Number.NEGATIVE_INFINITY;

  add(ms: number): void {
    if (ms < this.#t0) this.#t0 = ms;
    if (ms > this.#t1) this.#t1 = ms;
  }

  ends(): { readonly t0: number | undefined; readonly t1: number | undefined } {
    return this.#t0 <= this.#t1 ? { t0: this.#t0, t1: this.#t1 } : { t0: undefined, t1: undefined };
  }
}

/** Numbers blocks of all entries: a reader keeps what it knows of a block by it. */
let blockSerial = 0;

/** A block on its way past a reader that takes lines as bytes. */
class BlockRun implements LineRun {
  readonly serial = ++blockSerial;
  readonly bytes: Buffer;
  readonly to: number;
  readonly ascii: boolean;
  readonly byte: number;
  readonly scanner: LineScanner | undefined;
  at: number;
  line: number;
  readonly onTime: (ms: number, lines: number) => void;

  constructor(bytes: Buffer, at: number, place: Pick<LineRun, 'ascii' | 'byte' | 'line' | 'onTime' | 'scanner'>) {
    this.bytes = bytes;
    this.to = bytes.length;
    this.at = at;
    this.ascii = place.ascii;
    this.byte = place.byte;
    this.scanner = place.scanner;
    this.line = place.line;
    this.onTime = place.onTime;
  }

  find(value: number, from: number): number {
    return this.bytes.indexOf(value, from);
  }

  text(from: number, to: number): string {
    return this.bytes.toString('latin1', from, to);
  }
}

/** Byte order mark, as a character. */
const MARK = 0xfeff;
/** With `u`, a pair is one character and does not match. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;
