import { isAscii, isUtf8 } from 'node:buffer';
import type { TextBlock } from '../store/case-writer.ts';

/** 64 KiB read four times less for a random line than 256 KiB and cost 5 % more space (measured). */
export const BLOCK_BYTES = 64 * 1024;

const LF = 10;

/** Blocks of finished entries: thousands of small files take turns with one. */
const spareBlocks: Buffer[] = [];

export interface LineBlockSinks {
  /** `bytes` is only valid during the call. */
  readonly onBlock: (block: TextBlock) => void;
  /**
   * One line without its line feed; a carriage return stays. Lines beyond BLOCK_BYTES come with their beginning only. Returns the
   * line's time in ms since 1970, or NaN.
   */
  readonly onLine?: (text: string, line: number, byte: number, length: number) => number;
}

/**
 * Cuts a stream of bytes into lines and into blocks that end at a line feed. Memory is one block, whatever comes.
 *
 * A line longer than a block is continued in the next blocks: it keeps one number, its rest is stored but not parsed. Bytes are
 * kept as they are; text is decoded as UTF-8 with replacement. The result is the same for any split into chunks.
 */
export class LineBlocks {
  /** Lines begun so far. */
  lines = 0;
  /** Lines with bytes that are not UTF-8. */
  undecodableLines = 0;
  longLines = 0;
  nulBytes = false;
  readonly #sinks: LineBlockSinks;
  readonly #held = spareBlocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #length = 0;
  #byte = 0;
  #insideLongLine = false;

  constructor(sinks: LineBlockSinks) {
    this.#sinks = sinks;
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
    spareBlocks.push(this.#held);
  }

  #flush(last: boolean): void {
    const cut = last ? this.#length : this.#cutAt();
    const bytes = this.#held.subarray(0, cut);
    const endsLine = last || bytes[cut - 1] === LF;
    const skip = this.#insideLongLine ? bytes.indexOf(LF) + 1 || cut : 0;
    const firstLine = this.lines + 1;
    const span = this.#scan(bytes, skip);
    if (!endsLine && skip < cut) this.longLines += 1;
    this.#insideLongLine = !endsLine;
    this.#sinks.onBlock({ bytes, byte: this.#byte, firstLine, lines: this.lines + 1 - firstLine, skip, ...span });
    this.#held.copyWithin(0, cut, this.#length);
    this.#length -= cut;
    this.#byte += cut;
  }

  /** After the last line feed; without one the whole block, but never inside a UTF-8 sequence. */
  #cutAt(): number {
    const afterFeed = this.#held.lastIndexOf(LF, this.#length - 1) + 1;
    if (afterFeed > 0) return afterFeed;
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
    const ascii = isAscii(bytes);
    const valid = ascii || isUtf8(bytes);
    if (!this.nulBytes && bytes.includes(0)) this.nulBytes = true;
    let t0 = Number.POSITIVE_INFINITY;
    let t1 = Number.NEGATIVE_INFINITY;
    for (let at = from; at < bytes.length; ) {
      const feed = bytes.indexOf(LF, at);
      const end = feed === -1 ? bytes.length : feed;
      this.lines += 1;
      if (!valid && !isUtf8(bytes.subarray(at, end))) this.undecodableLines += 1;
      if (this.#sinks.onLine !== undefined) {
        // Each line is a string of its own: a slice of the block's text would keep the whole block alive in every event.
        const text = bytes.toString(ascii ? 'latin1' : 'utf8', at, end);
        const ms = this.#sinks.onLine(text, this.lines, this.#byte + at, end - at);
        if (ms < t0) t0 = ms;
        if (ms > t1) t1 = ms;
      }
      at = end + 1;
    }
    return t0 <= t1 ? { t0, t1 } : { t0: undefined, t1: undefined };
  }
}
