/**
 * Lines a second, of all files that share a clock together: thousands of files of one node would otherwise be gone through, and held, one by one for
 * every step of a zoom. As they were written; a question takes off what its basis does.
 */
import { type Basis, type CaseIndex, shiftOf } from './case-index.ts';

/** Seconds since 1970 at the middle of what was counted, rising, and the lines in each. */
interface SecondColumns {
  readonly seconds: Float64Array;
  readonly lines: Uint32Array;
}

interface Group {
  readonly widthS: number;
  /** What each basis takes off, ns. */
  readonly shiftNs: Readonly<Record<Basis, number>>;
  /** Of each file: bucket and count by turns. */
  readonly pairs: Uint32Array[];
}

/** Buckets that are added up in place; where they are spread wider they are sorted. */
const MAX_SPREAD = 2 ** 20;

export class SecondCounts {
  readonly #index: CaseIndex;
  readonly #groups = new Map<string, Group>();
  #next = 0;
  #columns: readonly (SecondColumns & Pick<Group, 'shiftNs'>)[] | undefined;

  constructor(index: CaseIndex) {
    this.#index = index;
  }

  /** Reads some files ahead of the first question. False when nothing is left to read. */
  readSome(files: number): boolean {
    const index = this.#index;
    for (const end = Math.min(index.files.length, this.#next + files); this.#next < end; this.#next += 1) {
      const file = index.files[this.#next];
      const counts = file && index.store.secondCounts(file.record.slot);
      if (file === undefined || counts === undefined) continue;
      const zoneNs = file.zoneNs ?? 0;
      const shiftNs = { raw: shiftOf(file, 'raw') + zoneNs, corrected: shiftOf(file, 'corrected') + zoneNs };
      const key = `${shiftNs.raw} ${shiftNs.corrected} ${counts.widthS}`;
      const group = this.#groups.get(key) ?? { widthS: counts.widthS, shiftNs, pairs: [] };
      this.#groups.set(key, group);
      group.pairs.push(counts.pairs);
    }
    return this.#next < index.files.length;
  }

  /** Adds the lines of [fromNs, toNs), ns from the origin on the basis, to as many equal parts as `all` has. */
  addTo(all: Uint32Array, basis: Basis, fromNs: number, toNs: number): void {
    this.readSome(this.#index.files.length);
    this.#columns ??= [...this.#groups.values()].map((group) => ({ ...columnsOf(group), shiftNs: group.shiftNs }));
    this.#groups.clear();
    const { origin } = this.#index;
    const parts = all.length;
    for (const { seconds, lines, shiftNs } of this.#columns) {
      const shift = shiftNs[basis];
      const nsOf = (at: number): number => ((seconds[at] ?? 0) - origin.seconds) * 1e9 - origin.nanos - shift;
      let low = 0;
      for (let high = seconds.length; low < high; ) {
        const middle = (low + high) >> 1;
        if (nsOf(middle) < fromNs) low = middle + 1;
        else high = middle;
      }
      for (let at = low; at < seconds.length; at += 1) {
        const ns = nsOf(at);
        if (ns >= toNs) break;
        const part = Math.floor(((ns - fromNs) / (toNs - fromNs)) * parts);
        all[part] = (all[part] ?? 0) + (lines[at] ?? 0);
      }
    }
  }
}

function columnsOf({ widthS, pairs }: Group): SecondColumns {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const own of pairs)
    for (let i = 0; i + 1 < own.length; i += 2) {
      const bucket = own[i] ?? 0;
      if (bucket < least) least = bucket;
      if (bucket > most) most = bucket;
    }
  const sums = most - least < MAX_SPREAD ? addUp(pairs, least, most) : sortOut(pairs);
  return {
    seconds: Float64Array.from(sums.buckets, (bucket) => bucket * widthS + widthS / 2),
    lines: sums.lines,
  };
}

interface Sums {
  readonly buckets: readonly number[];
  readonly lines: Uint32Array;
}

function addUp(pairs: readonly Uint32Array[], least: number, most: number): Sums {
  const sums = new Uint32Array(Math.max(0, most - least + 1));
  for (const own of pairs)
    for (let i = 0; i + 1 < own.length; i += 2) {
      const at = (own[i] ?? 0) - least;
      sums[at] = (sums[at] ?? 0) + (own[i + 1] ?? 0);
    }
  const buckets: number[] = [];
  for (let at = 0; at < sums.length; at += 1) if ((sums[at] ?? 0) > 0) buckets.push(least + at);
  return { buckets, lines: sums.filter((count) => count > 0) };
}

function sortOut(pairs: readonly Uint32Array[]): Sums {
  const counts = new Map<number, number>();
  for (const own of pairs)
    for (let i = 0; i + 1 < own.length; i += 2) {
      const bucket = own[i] ?? 0;
      counts.set(bucket, (counts.get(bucket) ?? 0) + (own[i + 1] ?? 0));
    }
  const buckets = [...counts.keys()].sort((a, b) => a - b);
  return { buckets, lines: Uint32Array.from(buckets, (bucket) => counts.get(bucket) ?? 0) };
}
