/** Lines by time, in as many buckets as a view has pixels: of the matches from what the scan counted, of all lines from seconds. */
import { type Basis, type CaseIndex, shiftOf } from './case-index.ts';
import type { SearchRun } from './search-run.ts';

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

export function densityOf(run: SearchRun, wish: DensityWish): Density {
  const { index } = run;
  const result: Density = {
    errors: new Uint32Array(wish.buckets),
    warnings: new Uint32Array(wish.buckets),
    others: new Uint32Array(wish.buckets),
    all: new Uint32Array(wish.buckets),
  };
  const place = (ns: number): number =>
    ns < wish.fromNs || ns >= wish.toNs
      ? -1
      : Math.floor(((ns - wish.fromNs) / (wish.toNs - wish.fromNs)) * wish.buckets);
  const { span } = index.blocks;
  if (span !== null) {
    const { buckets, offsetsNs } = index.density;
    const width = Math.max(1, span.toNs - span.fromNs) / buckets;
    const columns = [result.errors, result.warnings, result.others];
    const tables = offsetsNs.map((offsetNs) => {
      const shift = wish.basis === 'raw' ? 0 : offsetNs;
      return Int32Array.from({ length: buckets }, (_, bucket) => place(span.fromNs + (bucket + 0.5) * width - shift));
    });
    for (const [key, count] of run.tally.density) {
      const column = columns[key % 3];
      const cell = Math.floor(key / 3);
      const at = tables[Math.floor(cell / buckets)]?.[cell % buckets] ?? -1;
      if (column !== undefined && at >= 0) column[at] = (column[at] ?? 0) + count;
    }
  }
  for (const file of index.files) addSeconds(index, file.index, place, wish.basis, result.all);
  return result;
}

type SecondCounts = ReturnType<CaseIndex['store']['secondCounts']>;

/** Of each case that is open, by slot: 8 bytes a second of a file, asked for at every step of a zoom. */
const kept = new WeakMap<CaseIndex, Map<number, SecondCounts>>();

function secondsOf(index: CaseIndex, slot: number): SecondCounts {
  const known = kept.get(index) ?? new Map<number, SecondCounts>();
  kept.set(index, known);
  if (!known.has(slot)) known.set(slot, index.store.secondCounts(slot));
  return known.get(slot);
}

function addSeconds(
  index: CaseIndex,
  fileIndex: number,
  place: (ns: number) => number,
  basis: Basis,
  all: Uint32Array,
): void {
  const file = index.files[fileIndex];
  const counts = file === undefined ? undefined : secondsOf(index, file.record.slot);
  if (counts === undefined) return;
  // Seconds are counted as they were written.
  const shift = shiftOf(file, basis) + (file?.zoneNs ?? 0);
  for (let i = 0; i + 1 < counts.pairs.length; i += 2) {
    const second = (counts.pairs[i] ?? 0) * counts.widthS + counts.widthS / 2;
    const at = place((second - index.origin.seconds) * 1e9 - index.origin.nanos - shift);
    if (at >= 0) all[at] = (all[at] ?? 0) + (counts.pairs[i + 1] ?? 0);
  }
}
