/**
 * Difference of any two clocks. Solved from one of them on first use and kept: the difference of two intervals against
 * the reference would be wider. For facts that were not made in this process the intervals against the reference serve.
 */
import type { ClockDomain, ClocksFact } from '../../model/facts.ts';
import type { EvidenceTable } from './evidence/evidence-table.ts';
import type { Aligned } from './solver/align.ts';
import { type Bounds, boundsFrom } from './solver/bounds.ts';

/** Of (clock a − clock b), ms; ∓Infinity = open. */
export interface OffsetBounds {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  readonly likelyLow: number;
  readonly likelyHigh: number;
}

export interface Remembered {
  readonly names: readonly string[];
  readonly table: EvidenceTable;
  readonly moments: Float64Array;
  readonly aligned: Aligned;
}

interface Entry extends Remembered {
  readonly index: ReadonlyMap<string, number>;
  readonly solved: Map<number, { readonly guaranteed: Bounds; readonly likely: Bounds }>;
}

/** Derived from the fact alone, so the same for equal facts: a cache and nothing else. */
const ENTRIES = new WeakMap<ClocksFact, Entry>();
/** Sources kept for one fact. */
const MAX_SOLVED = 256;

export function rememberAlignment(fact: ClocksFact, remembered: Remembered): void {
  const index = new Map(remembered.names.map((name, i) => [name, i]));
  ENTRIES.set(fact, { ...remembered, index, solved: new Map() });
}

/** What a fact was computed from; undefined if that was in another process. */
export const alignmentOf = (fact: ClocksFact): Remembered | undefined => ENTRIES.get(fact);

/** Undefined if nothing relates the two. A clock has no difference to itself. */
export function offsetBetween(clocks: ClocksFact, a: string, b: string): OffsetBounds | undefined {
  if (a === b) return { estimate: 0, low: 0, high: 0, likelyLow: 0, likelyHigh: 0 };
  const left = clocks.domains.find(({ id }) => id === a);
  const right = clocks.domains.find(({ id }) => id === b);
  if (left?.offset === undefined || right?.offset === undefined || left.component !== right.component) return undefined;
  const wide = againstReference(left.offset, right.offset);
  const entry = ENTRIES.get(clocks);
  const [i, j] = [entry?.index.get(a), entry?.index.get(b)];
  if (entry === undefined || i === undefined || j === undefined) return wide;
  // Always from the clock that is named first, so that (a, b) mirrors (b, a).
  const [source, target, sign] = i < j ? [i, j, 1] : [j, i, -1];
  const { guaranteed, likely } = solve(entry, source);
  // From the source: correction of the target minus its own = source clock − target clock.
  const side = (bounds: Bounds): readonly [number, number] => {
    const low = (bounds.lower[target] ?? -Infinity) / 1e6;
    const high = (bounds.upper[target] ?? Infinity) / 1e6;
    return sign === 1 ? [low, high] : [-high, -low];
  };
  const [low, high] = side(guaranteed);
  const [likelyLow, likelyHigh] = side(likely);
  const estimate = Math.min(Math.max(wide.estimate, likelyLow), likelyHigh);
  return { estimate, low, high, likelyLow, likelyHigh };
}

type Offset = NonNullable<ClockDomain['offset']>;

function againstReference(a: Offset, b: Offset): OffsetBounds {
  const less = (x: number | undefined, y: number | undefined, open: number): number =>
    x === undefined || y === undefined ? open : x - y;
  return {
    estimate: a.estimate - b.estimate,
    low: less(a.low, b.high, -Infinity),
    high: less(a.high, b.low, Infinity),
    likelyLow: less(a.likelyLow, b.likelyHigh, -Infinity),
    likelyHigh: less(a.likelyHigh, b.likelyLow, Infinity),
  };
}

function solve(entry: Entry, source: number): { readonly guaranteed: Bounds; readonly likely: Bounds } {
  const known = entry.solved.get(source);
  if (known !== undefined) return known;
  const { guaranteed, likely } = entry.aligned.systems;
  const made = { guaranteed: boundsFrom(guaranteed, source), likely: boundsFrom(likely, source) };
  if (entry.solved.size >= MAX_SOLVED) entry.solved.clear();
  entry.solved.set(source, made);
  return made;
}
