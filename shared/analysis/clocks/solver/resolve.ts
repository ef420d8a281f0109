/**
 * Contradictions: who is to blame, and what still holds without it.
 *
 * Inequalities that exclude each other are never made to fit by larger tolerances. One after another:
 *   1. an assumption on the cycle (a usual delay, a line's lateness) is given up: it was only likely;
 *   2. an argument about how the program is written (that it waits for its calls) is given up, and after a few times all that
 *      rests on it. It never makes a clock guilty: one call that did not wait would look like a step;
 *   3. a clock whose removal makes the rest hold is split in two at some operation: it was set. What lies before the step
 *      is left out, so that the bounds are those at the incident;
 *   4. else the clock cannot be reconciled and takes no part any more.
 */
import { boundsFrom, type System } from './bounds.ts';
import { type Cycle, findCycle } from './cycle.ts';
import { roughCorrections, timeOfRow } from './starting-values.ts';

export interface Step {
  readonly domain: number;
  /** Clocks that could have jumped instead; empty if only this one explains it. */
  readonly others: readonly number[];
  /** How far the clock jumped forwards, ns; negative = was set back. NaN if it cannot be said. */
  readonly sizeNs: number;
  /** On that clock: last row surely before, first row surely after the step. */
  readonly afterNs: number;
  readonly beforeNs: number;
  readonly cycle: Cycle;
}

export interface Resolution {
  readonly steps: readonly Step[];
  /** Clocks that no step explains. */
  readonly unreconciled: readonly {
    readonly domain: number;
    readonly others: readonly number[];
    readonly cycle: Cycle;
  }[];
  /** Operations that were given up, with the cycle that they stood on. */
  readonly rejected: readonly { readonly operations: readonly number[]; readonly cycle: Cycle }[];
}

export interface Blame {
  /** Clocks that are never blamed. */
  readonly trusted: ReadonlySet<number>;
  /** `assumed` = given up at once; `argued` = too, and after a few times with all operations of its label. */
  readonly strength: (label: number) => 'hard' | 'argued' | 'assumed';
}

/** Operations of one clock on each side of a step; with fewer nothing is called a step. */
const MIN_SIDE = 3;
/** Single operations of one argument that may be wrong before none of it is believed. */
const MAX_GIVEN_UP = 3;
/** Rounds of giving up; beyond it everything that was only assumed is dropped. */
const MAX_ROUNDS = 400;

/** Leaves rows out of `likely` and `guaranteed` (sets them to ∓∞) until the likely system holds. */
export function resolveContradictions(likely: System, guaranteed: System, blame: Blame): Resolution {
  const steps: Step[] = [];
  const unreconciled: Resolution['unreconciled'][number][] = [];
  const rejected: Resolution['rejected'][number][] = [];
  const drop = (operations: readonly number[], cycle: Cycle) => {
    for (const k of operations) for (const system of [likely, guaranteed]) leaveOut(system, k);
    rejected.push({ operations, cycle });
  };
  const givenUp = new Map<number, number>();
  for (let round = 0; ; round++) {
    const cycle = findCycle(likely);
    if (cycle === undefined) return { steps, unreconciled, rejected };
    const labels = cycle.operations.map((k) => likely.operations.label[k] ?? 0);
    const assumed = cycle.operations.filter((_, i) => blame.strength(labels[i] ?? 0) === 'assumed');
    if (assumed.length > 0) {
      drop(round < MAX_ROUNDS ? assumed : allOf(likely, (label) => blame.strength(label) === 'assumed'), cycle);
      continue;
    }
    const argued = cycle.operations.filter((_, i) => blame.strength(labels[i] ?? 0) === 'argued');
    if (argued.length > 0) {
      drop(withLabelsGivenUp(likely, argued, givenUp), cycle);
      continue;
    }
    if (new Set(cycle.domains).size === 1) {
      drop(cycle.operations, cycle);
      continue;
    }
    const found = round < MAX_ROUNDS ? explain(likely, cycle, blame) : undefined;
    if (found?.kind === 'step') {
      for (const cut of found.cuts) for (const system of [likely, guaranteed]) leaveOutRows(system, cut.rows);
      steps.push(found.step);
      continue;
    }
    const accused = found?.accused ?? cycle.domains.filter((d) => !blame.trusted.has(d));
    const [first, ...others] = accused;
    if (first === undefined) {
      drop(cycle.operations, cycle);
      continue;
    }
    unreconciled.push({ domain: first, others, cycle });
    // With two clocks only, either may be wrong: neither is believed.
    for (const d of accused) for (const system of [likely, guaranteed]) leaveOutRows(system, rowsOf(system, d));
  }
}

/** The operations, and all of those labels that had to be given up too often. Counts in `givenUp`. */
function withLabelsGivenUp(system: System, operations: readonly number[], givenUp: Map<number, number>): number[] {
  const spent = new Set<number>();
  for (const k of operations) {
    const label = system.operations.label[k] ?? 0;
    const times = (givenUp.get(label) ?? 0) + 1;
    givenUp.set(label, times);
    if (times > MAX_GIVEN_UP) spent.add(label);
  }
  return [...new Set([...operations, ...(spent.size > 0 ? allOf(system, (label) => spent.has(label)) : [])])];
}

interface Cut {
  readonly rows: readonly number[];
}
type Explanation =
  | { readonly kind: 'step'; readonly step: Step; readonly cuts: readonly Cut[] }
  | { readonly kind: 'none'; readonly accused: readonly number[] };

function explain(system: System, cycle: Cycle, blame: Blame): Explanation {
  const suspects = [...new Set(cycle.domains)].filter((d) => !blame.trusted.has(d)).sort((a, b) => a - b);
  const freeing = suspects.filter((d) => findCycle(system, new Set([d])) === undefined);
  const accused = freeing.length > 0 ? freeing : suspects;
  const rough = roughCorrections(system.operations);
  const splits = accused.flatMap((d) => {
    const split = splitOf(system, d, rough, freeing.length > 0);
    return split === undefined ? [] : [split];
  });
  const [best, ...rest] = splits.sort((a, b) => Math.abs(b.sizeNs) - Math.abs(a.sizeNs) || a.domain - b.domain);
  if (best === undefined)
    return { kind: 'none', accused: bySpread(system, accused, rough).slice(0, freeing.length > 1 ? 2 : 1) };
  const others = freeing.length > 1 ? rest.map(({ domain }) => domain) : [];
  return {
    kind: 'step',
    step: { domain: best.domain, others, sizeNs: best.sizeNs, afterNs: best.afterNs, beforeNs: best.beforeNs, cycle },
    cuts: others.length > 0 ? splits : [best],
  };
}

interface Split extends Cut {
  readonly domain: number;
  readonly sizeNs: number;
  readonly afterNs: number;
  readonly beforeNs: number;
}

/**
 * The place among a clock's operations where it was set: everything before it holds with the others, and everything behind
 * it. Operations are put in order by the other clocks. Undefined if there is no such place.
 */
function splitOf(system: System, domain: number, rough: Float64Array, whole: boolean): Split | undefined {
  const rows = inOrder(system, domain, rough);
  if (rows.length < 2 * MIN_SIDE) return undefined;
  const holds = (from: number, to: number): boolean => {
    const trial = copyOf(system);
    leaveOutRows(trial, [...rows.slice(0, from), ...rows.slice(to)]);
    const cycle = findCycle(trial);
    return cycle === undefined || (!whole && !cycle.domains.includes(domain));
  };
  const prefix = lastTrue(0, rows.length, (to) => holds(0, to));
  const suffix = rows.length - lastTrue(0, rows.length, (length) => holds(rows.length - length, rows.length));
  if (suffix > prefix || suffix < MIN_SIDE || prefix > rows.length - MIN_SIDE) return undefined;
  const at = (index: number): number => timeOfRow(system.operations, rows[index] ?? 0);
  return {
    domain,
    rows: rows.slice(0, prefix),
    sizeNs: jump(system, domain, rows, suffix, prefix),
    afterNs: at(Math.max(0, suffix - 1)),
    beforeNs: at(prefix),
  };
}

/** Offset behind the step minus offset before it, each against a clock that shares most operations. */
function jump(system: System, domain: number, rows: readonly number[], suffix: number, prefix: number): number {
  const middle = (kept: readonly number[]): { upper: Float64Array; lower: Float64Array } => {
    const keep = new Set(kept);
    const trial = copyOf(system);
    leaveOutRows(
      trial,
      rows.filter((row) => !keep.has(row)),
    );
    return boundsFrom(trial, domain);
  };
  const before = middle(rows.slice(0, suffix));
  const after = middle(rows.slice(prefix));
  let best = Number.NaN;
  let width = Infinity;
  for (let d = 0; d < before.upper.length; d++) {
    if (d === domain) continue;
    const wide = (before.upper[d] ?? 0) - (before.lower[d] ?? 0) + (after.upper[d] ?? 0) - (after.lower[d] ?? 0);
    if (!(wide < width)) continue;
    width = wide;
    // Bounds from the clock itself: correction of d minus its own, so its own offset grows with them.
    best = ((after.upper[d] ?? 0) + (after.lower[d] ?? 0)) / 2 - ((before.upper[d] ?? 0) + (before.lower[d] ?? 0)) / 2;
  }
  return best;
}

/** Rows of a clock by the time that the other clocks give their operations. */
function inOrder(system: System, domain: number, rough: Float64Array): number[] {
  const { operations } = system;
  const found: { row: number; at: number }[] = [];
  for (let k = 0; k < operations.count; k++) {
    let own = -1;
    const times: number[] = [];
    for (let row = operations.start[k] ?? 0; row < (operations.start[k + 1] ?? 0); row++) {
      const d = operations.domain[row] ?? 0;
      if (d === domain) own = row;
      else times.push(timeOfRow(operations, row) + (rough[d] ?? 0));
    }
    if (own < 0 || times.length === 0 || !isUsed(system, own)) continue;
    times.sort((a, b) => a - b);
    found.push({ row: own, at: times[times.length >> 1] ?? 0 });
  }
  return found.sort((a, b) => a.at - b.at || a.row - b.row).map(({ row }) => row);
}

const isUsed = ({ low, high }: System, row: number): boolean => low[row] !== -Infinity || high[row] !== Infinity;

/** Largest n in [from, to] for which `holds` is true, which it is up to some n and not beyond; `from` is taken as true. */
function lastTrue(from: number, to: number, holds: (n: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Suspects, those that stray most from the median of their operations first. */
function bySpread(system: System, suspects: readonly number[], rough: Float64Array): readonly number[] {
  const { operations } = system;
  const spread = new Map<number, number>(suspects.map((d) => [d, 0]));
  for (let k = 0; k < operations.count; k++) {
    const times: number[] = [];
    const from = operations.start[k] ?? 0;
    const to = operations.start[k + 1] ?? 0;
    for (let row = from; row < to; row++)
      times.push(timeOfRow(operations, row) + (rough[operations.domain[row] ?? 0] ?? 0));
    const sorted = [...times].sort((a, b) => a - b);
    const middle = sorted[sorted.length >> 1] ?? 0;
    for (let row = from; row < to; row++) {
      const d = operations.domain[row] ?? 0;
      const known = spread.get(d);
      const off = Math.abs((times[row - from] ?? middle) - middle);
      if (known !== undefined && off > known) spread.set(d, off);
    }
  }
  return [...suspects].sort((a, b) => (spread.get(b) ?? 0) - (spread.get(a) ?? 0) || a - b);
}

const copyOf = ({ operations, low, high }: System): System => ({ operations, low: low.slice(), high: high.slice() });

function leaveOutRows({ low, high }: System, rows: readonly number[]): void {
  for (const row of rows) {
    low[row] = -Infinity;
    high[row] = Infinity;
  }
}

function leaveOut(system: System, operation: number): void {
  const { start } = system.operations;
  for (let row = start[operation] ?? 0; row < (start[operation + 1] ?? 0); row++) leaveOutRows(system, [row]);
}

function rowsOf({ operations }: System, domain: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < operations.domain.length; row++) if (operations.domain[row] === domain) rows.push(row);
  return rows;
}

function allOf({ operations }: System, fits: (label: number) => boolean): number[] {
  const found: number[] = [];
  for (let k = 0; k < operations.count; k++) if (fits(operations.label[k] ?? 0)) found.push(k);
  return found;
}
