/**
 * The matches of one block in time. Keys are taken from the block as far as a question needs them and stay when the block itself is let go:
 * 3 KB in place of 150.
 */
import type { BlockCache } from './block-cache.ts';
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

  /** Matches in front of a moment. */
  before(t: number): number {
    const { bits } = this.#hit;
    const line = this.#lineAt(t);
    return bits === null ? line : countBits(bits, line);
  }

  /** Matches with keys in [first, last], both inside, in order. */
  between(first: number, last: number): RowRef[] {
    const refs: RowRef[] = [];
    const { bits } = this.#hit;
    for (let line = this.#lineAt(first); line < this.#keys.length; line += 1) {
      if (!hasBit(bits, line)) continue;
      const keyNs = this.#keyNs(line);
      if (keyNs > last) break;
      refs.push({ block: this.#block, line, keyNs });
    }
    return refs;
  }

  /** First line that is not in front of a moment; one behind the last if there is none. */
  #lineAt(t: number): number {
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

/** Set bits in front of the bit `to`. */
function countBits(bits: Uint8Array, to: number): number {
  let count = 0;
  for (let line = 0; line < to; line += 1) if (hasBit(bits, line)) count += 1;
  return count;
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
