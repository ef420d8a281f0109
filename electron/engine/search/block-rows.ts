/**
 * The matches of one block in time: from its outline, where there is one, else from the lines themselves. Keys of lines are taken from the block
 * as far as a question needs them and stay when the block itself is let go: 3 KB in place of 150.
 */
import type { BlockCache } from './block-cache.ts';
import type { BlockOutlines } from './block-outline.ts';
import { type Basis, type CaseIndex, shiftOf } from './case-index.ts';
import { hasBit } from './scan-block.ts';
import type { RunHits } from './search-run.ts';

export interface RowRef {
  readonly block: number;
  /** Index in the block. */
  readonly line: number;
  /** On the basis. */
  readonly keyNs: number;
}

/** A row whose key lies in [low, high], both inside and on the basis; they are the same where it is known. */
export interface RowPlace {
  readonly block: number;
  readonly line: number;
  readonly low: number;
  readonly high: number;
}

/** Where matches of one block are, without reading it but for lines that lie too close to a moment to tell. */
export class OutlinedRows {
  readonly #outlines: BlockOutlines;
  readonly #cache: BlockCache;

  constructor(outlines: BlockOutlines, cache: BlockCache) {
    this.#outlines = outlines;
    this.#cache = cache;
  }

  /** Matches from `line` on with keys up to `last`, on a basis that takes off `shift`, in order; perhaps a few behind, too. */
  from(block: number, line: number, hit: RunHits, shift: number, last: number): RowPlace[] {
    const places: RowPlace[] = [];
    const outlines = this.#outlines;
    const lines = outlines.of(block)?.ticks.length ?? 0;
    for (let at = line; at < lines; at += 1) {
      const low = outlines.low(block, at) - shift;
      if (low > last) break;
      if (hasBit(hit.bits, at)) places.push({ block, line: at, low, high: outlines.high(block, at) - shift });
    }
    return places;
  }

  /** First line that is not in front of a moment, but for lines that are no matches. */
  lineAt(block: number, { bits }: RunHits, shift: number, t: number): number {
    const outlines = this.#outlines;
    const sure = outlines.sure(block, shift, t);
    for (let line = outlines.first(block, shift, t); line < sure; line += 1) {
      if (!hasBit(bits, line)) continue;
      const keyNs = this.#cache.read(block)?.facts.keyNs(line) ?? outlines.low(block, line);
      if (keyNs - shift >= t) return line;
    }
    return sure;
  }
}

export class BlockRows {
  readonly #block: number;
  readonly #cache: BlockCache;
  readonly #hit: RunHits;
  readonly #shift: number;
  /** Of a block that cannot be read. */
  readonly #lo: number;
  /** Of all lines, on the basis. */
  readonly #keys: Float64Array;
  #known = 0;

  constructor(index: CaseIndex, cache: BlockCache, basis: Basis, block: number, hit: RunHits) {
    this.#block = block;
    this.#cache = cache;
    this.#hit = hit;
    this.#shift = shiftOf(index.files[index.blocks.file[block] ?? 0], basis);
    this.#lo = index.blocks.lo[block] ?? 0;
    this.#keys = new Float64Array(index.blocks.lines[block] ?? 0);
  }

  /** Lines of the block, that is, keys that are held. */
  get lines(): number {
    return this.#keys.length;
  }

  /** Matches from `line` on with keys up to `last`, in order. */
  from(line: number, last: number): RowPlace[] {
    const places: RowPlace[] = [];
    const { bits } = this.#hit;
    for (let at = line; at < this.#keys.length; at += 1) {
      if (!hasBit(bits, at)) continue;
      const key = this.#keyNs(at);
      if (key > last) break;
      places.push({ block: this.#block, line: at, low: key, high: key });
    }
    return places;
  }

  /** First line that is not in front of a moment; one behind the last if there is none. */
  lineAt(t: number): number {
    const known = this.#known;
    if (known > 0 && (this.#keys[known - 1] ?? 0) >= t) return lowerBound(this.#keys, 0, known, t);
    let line = known;
    while (line < this.#keys.length && this.#keyNs(line) < t) line += 1;
    return line;
  }

  /** Keys never fall inside a block. */
  #keyNs(line: number): number {
    if (line >= this.#known) {
      const facts = this.#cache.read(this.#block)?.facts;
      // Enough at once that a block is not asked for at every line.
      const to = Math.min(this.#keys.length, line + KEYS_AT_ONCE);
      for (let at = this.#known; at < to; at += 1) this.#keys[at] = (facts?.keyNs(at) ?? this.#lo) - this.#shift;
      this.#known = to;
    }
    return this.#keys[line] ?? 0;
  }
}

const KEYS_AT_ONCE = 16;

/** Set bits in each byte. */
const BITS_OF = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest > 0; rest >>= 1) count += rest & 1;
  return count;
});

/** Set bits in front of the bit `to`; null = all are set. */
export function countBits(bits: Uint8Array | null, to: number): number {
  if (bits === null) return to;
  let count = 0;
  const whole = to >> 3;
  for (let at = 0; at < whole; at += 1) count += BITS_OF[bits[at] ?? 0] ?? 0;
  return count + (BITS_OF[(bits[whole] ?? 0) & ((1 << (to & 7)) - 1)] ?? 0);
}

/** First index in [start, end) whose value is not below `t`; `end` if there is none. Values rise. */
export function lowerBound(values: Float64Array, start: number, end: number, t: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < t) low = middle + 1;
    else high = middle;
  }
  return low;
}
