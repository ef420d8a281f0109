/** Lines by time, in as many buckets as a view has pixels: of the matches from what the scan counted, of all lines from seconds. */
import type { Basis, CaseIndex, DensityCells } from './case-index.ts';
import type { SearchRun } from './search-run.ts';
import { SecondCounts } from './second-counts.ts';
import type { TallySnapshot } from './tally.ts';

export interface Density {
  readonly errors: Uint32Array;
  readonly warnings: Uint32Array;
  readonly others: Uint32Array;
  readonly all: Uint32Array;
}

export interface DensityWish {
  readonly basis: Basis;
  readonly fromNs: number;
  /** Outside. */
  readonly toNs: number;
  readonly buckets: number;
}

const KINDS = 3;

/** Matches of a search in time: columns of the rows of `DensityCells` that have any. */
export class DensityCounts {
  readonly #buckets: number;
  /** By row: bucket × 3 + kind. */
  readonly rows = new Map<number, Uint32Array>();

  constructor({ buckets }: DensityCells) {
    this.#buckets = buckets;
  }

  add(density: TallySnapshot['density']): void {
    const width = this.#buckets * KINDS;
    for (const [key, count] of density) {
      const row = Math.floor(key / width);
      let counts = this.rows.get(row);
      if (counts === undefined) {
        counts = new Uint32Array(width);
        this.rows.set(row, counts);
      }
      const at = key - row * width;
      counts[at] = (counts[at] ?? 0) + count;
    }
  }
}

export function densityOf(run: SearchRun, wish: DensityWish): Density {
  const { index } = run;
  const result: Density = {
    errors: new Uint32Array(wish.buckets),
    warnings: new Uint32Array(wish.buckets),
    others: new Uint32Array(wish.buckets),
    all: new Uint32Array(wish.buckets),
  };
  for (const [row, counts] of run.density.rows) {
    const shift = wish.basis === 'raw' ? 0 : (index.density.offsetsNs[row] ?? 0);
    addRow(counts, index, shift, wish, result);
  }
  secondsOf(index).addTo(result.all, wish.basis, wish.fromNs, wish.toNs);
  return result;
}

function addRow(
  counts: Uint32Array,
  { blocks: { span }, density: { buckets } }: CaseIndex,
  shift: number,
  { fromNs, toNs, buckets: parts }: DensityWish,
  { errors, warnings, others }: Density,
): void {
  if (span === null) return;
  const width = Math.max(1, span.toNs - span.fromNs) / buckets;
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const error = counts[bucket * KINDS] ?? 0;
    const warning = counts[bucket * KINDS + 1] ?? 0;
    const other = counts[bucket * KINDS + 2] ?? 0;
    if (error + warning + other === 0) continue;
    const ns = span.fromNs + (bucket + 0.5) * width - shift;
    if (ns < fromNs || ns >= toNs) continue;
    const at = Math.floor(((ns - fromNs) / (toNs - fromNs)) * parts);
    errors[at] = (errors[at] ?? 0) + error;
    warnings[at] = (warnings[at] ?? 0) + warning;
    others[at] = (others[at] ?? 0) + other;
  }
}

/** Of each case that is open. */
const kept = new WeakMap<CaseIndex, SecondCounts>();

export function secondsOf(index: CaseIndex): SecondCounts {
  const known = kept.get(index) ?? new SecondCounts(index);
  kept.set(index, known);
  return known;
}
