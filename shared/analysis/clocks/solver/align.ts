/**
 * From the table of operations to what may be said about each clock: contradictions first, then components, then an
 * estimate for each clock, a reference by the median, and bounds from there.
 *
 * Corrections are turned into offsets here: offset = clock − reference = correction of the reference − its own.
 */
import { type Bounds, boundsFrom, type System, widen } from './bounds.ts';
import { componentsOf } from './components.ts';
import { estimate } from './estimate.ts';
import { median } from './median.ts';
import type { Operations } from './operations.ts';
import { type Blame, type Resolution, resolveContradictions } from './resolve.ts';
import { roughCorrections } from './starting-values.ts';

/** Largest rate at which a clock may move against the common time: 100 ppm of the crystal and 500 ppm of slewing. */
export const MAX_RATE = 600e-6;

/** What a label's operations are good for. */
export type Precision = 'ends' | 'beginnings' | 'coarse';

export interface AlignInput {
  readonly operations: Operations;
  /** Moment of interest on each clock, ns since the base. */
  readonly moments: Float64Array;
  /** Clocks that count as common time: they do not drift and are never blamed. */
  readonly trusted: ReadonlySet<number>;
  /** Clocks that cannot be a reference. */
  readonly hidden: ReadonlySet<number>;
  /** The clock to prefer as reference of its component where no clocks of ranks are linked directly. */
  readonly preferred: number | undefined;
  readonly strength: Blame['strength'];
  readonly precision: (label: number) => Precision;
}

export interface Aligned {
  /** -1 = alone. */
  readonly component: Int32Array;
  /** Reference of each component. */
  readonly references: readonly number[];
  /** Offset of each clock against its component's reference, ns; NaN for clocks that are alone. */
  readonly estimate: Float64Array;
  /** Slope of the offset in parts per million; NaN if the data do not tell. */
  readonly driftPpm: Float64Array;
  readonly guaranteed: Interval;
  readonly likely: Interval;
  readonly resolution: Resolution;
  readonly systems: { readonly guaranteed: System; readonly likely: System };
  /** Rate by which the likely bounds were widened. */
  readonly likelyRate: number;
}

/** Of the offset against the reference, ns; ∓∞ = open. */
export interface Interval {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Of likely bounds: half of a slew at the usual limit, over the seconds that their evidence lies from the incident. Chosen by simulation. */
const LIKELY_RATE = 250e-6;
/** A crystal's drift with its correction, as clocks of servers have it: chosen, used for estimates only. */
const USUAL_RATE = 50e-6;
const MAX_USUAL_ROWS = 1e6;
/** Rows that a clock needs before it may be given a slope. */
const ROWS_FOR_SLOPE = 30;

export function align(input: AlignInput): Aligned {
  const { operations, moments, trusted } = input;
  const rates = Float64Array.from({ length: operations.domains }, (_, d) => (trusted.has(d) ? 0 : MAX_RATE));
  const held = widen(operations, 'likely', { moments, rates });
  const guaranteed = widen(operations, 'guaranteed', { moments, rates });
  // Contradictions are judged by what a clock may do, not by what it does as a rule: a slewing clock is no fault.
  const resolution = resolveContradictions(held, guaranteed, { trusted, strength: input.strength });
  const component = componentsOf(held);
  const counts = rowCounts(held);
  const { system: likely, sources, bounds: fromSources } = steadier(held, { moments, trusted, component, counts });
  const size = operations.domains;
  const out = {
    estimate: new Float64Array(size).fill(Number.NaN),
    driftPpm: new Float64Array(size).fill(Number.NaN),
    guaranteed: { low: new Float64Array(size).fill(-Infinity), high: new Float64Array(size).fill(Infinity) },
    likely: { low: new Float64Array(size).fill(-Infinity), high: new Float64Array(size).fill(Infinity) },
  };
  const fine = clusters(input, likely);
  const usual = operations.domain.length > MAX_USUAL_ROWS ? undefined : rewiden(held, USUAL_RATE, { moments, trusted });
  const references: number[] = [];
  for (let c = 0; component.includes(c); c++) {
    const members = indicesOf(component, c);
    const source = sources[c] ?? 0;
    const bounds = fromSources[c] ?? boundsFrom(likely, source);
    const values = middles(usual === undefined ? bounds : (narrower(usual, source) ?? bounds), source);
    for (const cluster of fine) place(cluster, values, members);
    const reference = referenceOf(input, { members, values, counts, fine });
    references.push(reference);
    const [sure, probable] = [boundsFrom(guaranteed, reference), boundsFrom(likely, reference)];
    for (const d of members) {
      out.guaranteed.low[d] = -(sure.upper[d] ?? Infinity);
      out.guaranteed.high[d] = -(sure.lower[d] ?? -Infinity);
      out.likely.low[d] = -(probable.upper[d] ?? Infinity);
      out.likely.high[d] = -(probable.lower[d] ?? -Infinity);
      const raw = (values[reference] ?? 0) - (values[d] ?? 0);
      out.estimate[d] = Math.min(Math.max(raw, out.likely.low[d] ?? raw), out.likely.high[d] ?? raw);
    }
    for (const { slope, members: inside } of fine) {
      if (slope === undefined) continue;
      const base = inside.includes(reference) ? (slope[reference] ?? 0) : 0;
      for (const d of inside) if (component[d] === c) out.driftPpm[d] = (base - (slope[d] ?? 0)) * 1e6;
    }
  }
  const likelyRate = likely === held ? MAX_RATE : LIKELY_RATE;
  return { component, references, ...out, resolution, systems: { guaranteed, likely }, likelyRate };
}

interface Rewidening {
  readonly moments: Float64Array;
  readonly trusted: ReadonlySet<number>;
}

interface Likely {
  readonly system: System;
  /** By component: the clock with the most evidence, and the bounds from it. */
  readonly sources: readonly number[];
  readonly bounds: readonly Bounds[];
}

/** By a smaller drift if the data allow it in every component, else as it is: a clock that slews over a long ring excludes it. */
function steadier(
  held: System,
  given: Rewidening & { readonly component: Int32Array; readonly counts: Int32Array },
): Likely {
  const sources: number[] = [];
  for (let c = 0; given.component.includes(c); c++)
    sources.push(bestOf(indicesOf(given.component, c), given.counts, given.moments));
  const steady = rewiden(held, LIKELY_RATE, given);
  const bounds = sources.map((source) => boundsFrom(steady, source));
  return bounds.every(({ feasible }) => feasible)
    ? { system: steady, sources, bounds }
    : { system: held, sources, bounds: sources.map((source) => boundsFrom(held, source)) };
}

/** The same evidence, without what was left out of it, widened by another rate. */
function rewiden(likely: System, rate: number, { moments, trusted }: Rewidening): System {
  const { operations } = likely;
  const rates = Float64Array.from({ length: operations.domains }, (_, d) => (trusted.has(d) ? 0 : rate));
  const system = widen(operations, 'likely', { moments, rates });
  for (let row = 0; row < system.low.length; row++) {
    if (likely.low[row] === -Infinity) system.low[row] = -Infinity;
    if (likely.high[row] === Infinity) system.high[row] = Infinity;
  }
  return system;
}

function narrower(usual: System, source: number): Bounds | undefined {
  const bounds = boundsFrom(usual, source);
  return bounds.feasible ? bounds : undefined;
}

function indicesOf(component: Int32Array, wanted: number): number[] {
  const found: number[] = [];
  for (const [d, c] of component.entries()) if (c === wanted) found.push(d);
  return found;
}

/** Ties go to the clock whose moment is later as written: names must not decide. */
const bestOf = (members: readonly number[], counts: Int32Array, moments: Float64Array): number =>
  [...members].sort(
    (a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || (moments[b] ?? 0) - (moments[a] ?? 0) || a - b,
  )[0] ?? 0;

function rowCounts({ operations, low, high }: System): Int32Array {
  const counts = new Int32Array(operations.domains);
  for (let row = 0; row < operations.domain.length; row++) {
    if (low[row] === -Infinity && high[row] === Infinity) continue;
    const d = operations.domain[row] ?? 0;
    counts[d] = (counts[d] ?? 0) + 1;
  }
  return counts;
}

/** Corrections in the middle of their bounds; an open side counts as the other one. */
function middles({ upper, lower }: Bounds, source: number): Float64Array {
  return upper.map((high, d) => {
    const low = lower[d] ?? -Infinity;
    if (d === source) return 0;
    if (Number.isFinite(high) && Number.isFinite(low)) return (high + low) / 2;
    return Number.isFinite(high) ? high : Number.isFinite(low) ? low : 0;
  });
}

/** Clocks whose differences are known finely, by calls of ranks. */
interface Cluster {
  readonly members: readonly number[];
  readonly correction: Float64Array;
  readonly slope: Float64Array | undefined;
}

/** Ends of calls first; beginnings only for clocks that have no ends. */
function clusters(input: AlignInput, likely: System): readonly Cluster[] {
  const byEnds = only(input, likely, 'ends');
  const found: Cluster[] = [];
  const covered = new Set<number>();
  const componentByEnds = componentsOf(byEnds);
  const counts = rowCounts(byEnds);
  for (let c = 0; componentByEnds.includes(c); c++) {
    const members = indicesOf(componentByEnds, c);
    for (const d of members) covered.add(d);
    const source = bestOf(members, counts, input.moments);
    const start = middles(boundsFrom(byEnds, source), source);
    const fitted = estimate({ tight: byEnds, moments: input.moments, source, members, start });
    const enough = members.every((d) => (counts[d] ?? 0) >= ROWS_FOR_SLOPE);
    found.push({ members, correction: fitted.correction, slope: enough ? fitted.slope : undefined });
  }
  const byBeginnings = only(input, likely, 'beginnings');
  const componentByBeginnings = componentsOf(byBeginnings);
  for (let c = 0; componentByBeginnings.includes(c); c++) {
    const members = indicesOf(componentByBeginnings, c);
    if (members.some((d) => covered.has(d))) continue;
    found.push({ members, correction: roughCorrections(byBeginnings.operations), slope: undefined });
  }
  return found;
}

/** The operations of one precision, as they were before drift widened them, without rows that were left out since. */
function only(input: AlignInput, likely: System, precision: Precision): System {
  const { operations } = input;
  const builder: { start: number[]; label: number[]; detail: number[] } = { start: [0], label: [], detail: [] };
  let rows = 0;
  const kept = new Uint8Array(operations.count);
  for (let k = 0; k < operations.count; k++) {
    if (input.precision(operations.label[k] ?? 0) !== precision) continue;
    kept[k] = 1;
    rows += (operations.start[k + 1] ?? 0) - (operations.start[k] ?? 0);
  }
  const domain = new Int32Array(rows);
  const low = new Float64Array(rows);
  const high = new Float64Array(rows);
  let at = 0;
  for (let k = 0; k < operations.count; k++) {
    if (kept[k] === 0) continue;
    for (let row = operations.start[k] ?? 0; row < (operations.start[k + 1] ?? 0); row++) {
      if (likely.low[row] === -Infinity && likely.high[row] === Infinity) continue;
      domain[at] = operations.domain[row] ?? 0;
      low[at] = operations.likelyLow[row] ?? -Infinity;
      high[at] = operations.likelyHigh[row] ?? Infinity;
      at += 1;
    }
    builder.start.push(at);
    builder.label.push(operations.label[k] ?? 0);
    builder.detail.push(operations.detail[k] ?? 0);
  }
  const table: Operations = {
    domains: operations.domains,
    count: builder.label.length,
    start: Int32Array.from(builder.start),
    domain: domain.subarray(0, at),
    low: low.subarray(0, at),
    high: high.subarray(0, at),
    likelyLow: low.subarray(0, at),
    likelyHigh: high.subarray(0, at),
    label: Int32Array.from(builder.label),
    detail: Float64Array.from(builder.detail),
  };
  return { operations: table, low: table.low, high: table.high };
}

/** Keeps the differences inside the cluster and moves it as a whole to where the coarse values have it. */
function place(cluster: Cluster, values: Float64Array, members: readonly number[]): void {
  const inside = cluster.members.filter((d) => members.includes(d));
  const shift = median(inside.map((d) => (values[d] ?? 0) - (cluster.correction[d] ?? 0)));
  if (inside.length < 2 || !Number.isFinite(shift)) return;
  for (const d of inside) values[d] = (cluster.correction[d] ?? 0) + shift;
}

/** Differences of rounding are none. */
const differs = (a: number, b: number): number => (Math.abs(a - b) < 10 ? 0 : a - b);

interface Choice {
  readonly members: readonly number[];
  readonly values: Float64Array;
  readonly counts: Int32Array;
  readonly fine: readonly Cluster[];
}

/**
 * The median keeps the corrections of a healthy fleet near zero. Clocks that calls of ranks link closely come first: what
 * is known finely should be told finely. Without such links the preferred clock, to which each of the others was compared.
 */
function referenceOf(input: AlignInput, { members, values, counts, fine }: Choice): number {
  const close = fine.map((cluster) => cluster.members.filter((d) => members.includes(d) && !input.hidden.has(d)));
  const largest = close.reduce((best, one) => (one.length > best.length ? one : best), [] as readonly number[]);
  if (largest.length < 2 && input.preferred !== undefined && members.includes(input.preferred)) return input.preferred;
  const shown = members.filter((d) => !input.hidden.has(d));
  const most = Math.max(...shown.map((d) => counts[d] ?? 0));
  // Without close links: the clock that most evidence is about, since the others were compared with it.
  const candidates = largest.length >= 2 ? largest : shown.filter((d) => counts[d] === most);
  const pool = candidates.length > 0 ? candidates : members;
  const middle = median(pool.map((d) => values[d] ?? 0));
  return (
    [...pool].sort(
      (a, b) =>
        differs(Math.abs((values[a] ?? 0) - middle), Math.abs((values[b] ?? 0) - middle)) ||
        (counts[b] ?? 0) - (counts[a] ?? 0) ||
        (input.moments[b] ?? 0) - (input.moments[a] ?? 0) ||
        a - b,
    )[0] ?? 0
  );
}
