/**
 * About when a row of the merged list was written, as if the rows of each block were spread evenly over its time: where to look first. Nothing is
 * read; a question is one search in a sorted list.
 */
import { type Basis, type CaseIndex, shiftOf } from './case-index.ts';

/** Begins and ends of the spans of all blocks, by time. */
interface SpanEnds {
  readonly times: Float64Array;
  /** Block, or −1 − block where it ends. */
  readonly blocks: Int32Array;
}

/** Of each case that is open: sorting is most of the work, and the same for all searches. */
const known = new WeakMap<CaseIndex, Map<Basis, SpanEnds>>();

function spanEnds(index: CaseIndex, basis: Basis): SpanEnds {
  const bases = known.get(index) ?? new Map<Basis, SpanEnds>();
  known.set(index, bases);
  const held = bases.get(basis);
  if (held !== undefined) return held;
  const { blocks } = index;
  const times = new Float64Array(blocks.count * 2);
  for (let block = 0; block < blocks.count; block += 1) {
    const shift = shiftOf(index.files[blocks.file[block] ?? 0], basis);
    const lo = (blocks.lo[block] ?? 0) - shift;
    times[block * 2] = lo;
    times[block * 2 + 1] = Math.max(lo + LEAST_NS, (blocks.hi[block] ?? 0) - shift);
  }
  const order = Uint32Array.from(times.keys()).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
  const ends = {
    times: Float64Array.from(order, (at) => times[at] ?? 0),
    blocks: Int32Array.from(order, (at) => (at % 2 === 0 ? at >> 1 : -1 - (at >> 1))),
  };
  bases.set(basis, ends);
  return ends;
}

/** Blocks of one moment are given this much of time. */
const LEAST_NS = 1000;

export class MomentGuess {
  readonly #times: Float64Array;
  /** Rows in front of each of the times. */
  readonly #rows: Float64Array;

  /** `countOf`: rows of a block. */
  constructor(index: CaseIndex, basis: Basis, countOf: (block: number) => number) {
    const { times, blocks } = spanEnds(index, basis);
    this.#times = times;
    this.#rows = new Float64Array(times.length);
    const rate = new Float64Array(index.blocks.count);
    for (let block = 0; block < rate.length; block += 1) {
      const span = Math.max(LEAST_NS, (index.blocks.hi[block] ?? 0) - (index.blocks.lo[block] ?? 0));
      rate[block] = countOf(block) / span;
    }
    let slope = 0;
    let rows = 0;
    for (const [i, signed] of blocks.entries()) {
      if (i > 0) rows += Math.max(0, slope) * ((times[i] ?? 0) - (times[i - 1] ?? 0));
      this.#rows[i] = rows;
      slope += signed >= 0 ? (rate[signed] ?? 0) : -(rate[-1 - signed] ?? 0);
    }
  }

  /** A moment with about so many rows in front of it. */
  momentOf(rows: number): number {
    const found = this.#rows;
    let low = 0;
    let high = found.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((found[middle] ?? 0) < rows) low = middle + 1;
      else high = middle;
    }
    const to = this.#times[low] ?? 0;
    if (low === 0) return to;
    const from = this.#times[low - 1] ?? to;
    const [less = 0, more = 0] = [found[low - 1], found[low]];
    return more > less ? from + ((rows - less) / (more - less)) * (to - from) : to;
  }
}
