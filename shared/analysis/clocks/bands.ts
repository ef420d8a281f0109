/**
 * Offsets over time: what may be said of each clock at moments along the incident, and which evidence says it. For drawing; the
 * fact itself gives one moment. Solved anew for each moment, since bounds widen with the distance from their evidence.
 *
 * Undefined for facts that were not computed in this process. Cost: (moments × 3) passes over the evidence, bounded by a budget of rows.
 */
import type { ClockAnchor, ClocksFact } from '../../model/facts.ts';
import { anchorOf, cycleTexts } from './describe.ts';
import { UTC } from './evidence/evidence-table.ts';
import { API } from './evidence/kubernetes.ts';
import { alignmentOf, type Remembered } from './pair-bounds.ts';
import { MAX_RATE } from './solver/align.ts';
import { type Bounds, boundsFrom, type System, widen } from './solver/bounds.ts';
import type { Cycle } from './solver/cycle.ts';
import type { Operations } from './solver/operations.ts';

export interface ClockBand {
  readonly clock: string;
  /** Offset at each moment, ms; ∓Infinity = open. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly likelyLow: Float64Array;
  readonly likelyHigh: Float64Array;
  readonly estimate: Float64Array;
  /** The tightest evidence around each moment, by time. */
  readonly anchors: readonly BandAnchor[];
  /** Evidence that contradicts the rest, where it would have put the clock. */
  readonly rejected: readonly BandAnchor[];
}

export interface BandAnchor {
  readonly side: 'lower' | 'upper';
  /** Of the corrected time, epoch ns. */
  readonly atNs: bigint;
  /** The offset is at least or at most this, ms. */
  readonly valueMs: number;
  readonly certainty: 'guaranteed' | 'likely';
  readonly anchor: ClockAnchor;
  /** Of what was left out: the evidence that it cannot hold together with. */
  readonly against?: readonly string[];
}

export interface ClockBands {
  /** Corrected time of each moment, epoch ns. */
  readonly moments: readonly bigint[];
  /** Clocks that are related to the reference, in the order of the fact. Other components have references of their own and are not drawn with it. */
  readonly bands: readonly ClockBand[];
}

export interface BandSpan {
  /** Epoch ns, both inside. */
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** Rows that all moments together may look at. */
const ROW_BUDGET = 24e6;
const MOST_MOMENTS = 61;
const LEAST_MOMENTS = 9;
const MAX_REJECTED = 8;

export function computeBands(clocks: ClocksFact, span: BandSpan): ClockBands | undefined {
  const known = alignmentOf(clocks);
  if (known === undefined) return undefined;
  const main = known.aligned.component[known.names.indexOf(clocks.reference ?? '')] ?? -1;
  const shown = known.names.flatMap((name, d) =>
    name !== UTC &&
    main >= 0 &&
    known.aligned.component[d] === main &&
    clocks.domains.some(({ id, offset }) => id === name && offset)
      ? [d]
      : [],
  );
  if (shown.length < 2) return undefined;
  const times = timesOf(known, span);
  const drafts = new Map(shown.map((d) => [d, newDraft(known, d, times)]));
  const solver = new MomentSolver(known);
  for (const [i, at] of times.entries()) {
    const { guaranteed, likely } = solver.solve(at);
    for (const [d, draft] of drafts)
      setBand(draft, i, { guaranteed, likely, own: known.aligned.component[d] ?? -1, d });
    for (const certainty of ['guaranteed', 'likely'] as const)
      seeAnchors(solver, { certainty, times, i, drafts, bounds: certainty === 'guaranteed' ? guaranteed : likely });
  }
  seeRejected(solver, drafts);
  const epoch = (relative: number): bigint => known.table.baseNs + BigInt(Math.round(relative));
  return {
    moments: times.map(epoch),
    bands: shown.map((d) => finishBand(known, drafts.get(d), known.names[d] ?? '', epoch)),
  };
}

function timesOf({ aligned, table }: Remembered, { fromNs, toNs }: BandSpan): number[] {
  const rows = aligned.systems.likely.operations.domain.length;
  const count = Math.max(LEAST_MOMENTS, Math.min(MOST_MOMENTS, Math.floor(ROW_BUDGET / (1 + 6 * rows))));
  const [from, to] = [Number(fromNs - table.baseNs), Number(toNs - table.baseNs)];
  return Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
}

interface Candidate {
  readonly at: number;
  readonly value: number;
  readonly operation: number;
  readonly before: number;
  readonly after: number;
}

interface Draft {
  readonly d: number;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly likelyLow: Float64Array;
  readonly likelyHigh: Float64Array;
  readonly estimate: Float64Array;
  /** By certainty, side and moment: the tightest. */
  readonly best: Map<string, Candidate>;
  readonly rejected: { readonly side: 'lower' | 'upper'; readonly one: Candidate; readonly cycle: Cycle }[];
}

function newDraft({ aligned, moments }: Remembered, d: number, times: readonly number[]): Draft {
  const slope = Number.isFinite(aligned.driftPpm[d]) ? (aligned.driftPpm[d] ?? 0) * 1e-6 : 0;
  const offset = aligned.estimate[d] ?? 0;
  const moment = (moments[d] ?? 0) - offset;
  const column = () => new Float64Array(times.length);
  return {
    d,
    low: column(),
    high: column(),
    likelyLow: column(),
    likelyHigh: column(),
    estimate: Float64Array.from(times, (at) => (offset + slope * (at - moment)) / 1e6),
    best: new Map(),
    rejected: [],
  };
}

/** Bounds from each component's reference at one moment of the common time. */
class MomentSolver {
  readonly known: Remembered;
  readonly operations: Operations;
  private readonly rates: Float64Array;
  private readonly likelyRates: Float64Array;
  private readonly offsets: Float64Array;

  constructor(known: Remembered) {
    this.known = known;
    this.operations = known.aligned.systems.likely.operations;
    this.rates = Float64Array.from(known.names, (name) => (name === API || name === UTC ? 0 : MAX_RATE));
    this.likelyRates = this.rates.map((rate) => Math.min(rate, known.aligned.likelyRate));
    this.offsets = known.aligned.estimate.map((ns) => (Number.isFinite(ns) ? ns : 0));
  }

  solve(at: number): { readonly guaranteed: Solved; readonly likely: Solved } {
    const moments = this.offsets.map((offset) => at + offset);
    return { guaranteed: this.solveOne('guaranteed', moments), likely: this.solveOne('likely', moments) };
  }

  private solveOne(which: 'guaranteed' | 'likely', moments: Float64Array): Solved {
    const kept = this.known.aligned.systems[which];
    const rates = which === 'likely' ? this.likelyRates : this.rates;
    const system = widen(this.operations, which, { moments, rates });
    for (let row = 0; row < system.low.length; row++) {
      if (kept.low[row] === -Infinity) system.low[row] = -Infinity;
      if (kept.high[row] === Infinity) system.high[row] = Infinity;
    }
    return { system, bounds: this.known.aligned.references.map((reference) => boundsFrom(system, reference)) };
  }

  /** Common time of a stamp of clock d. */
  commonTime(d: number, stamp: number): number {
    return stamp - (this.offsets[d] ?? 0);
  }
}

interface Solved {
  readonly system: System;
  /** By component. */
  readonly bounds: readonly Bounds[];
}

function setBand(
  draft: Draft,
  i: number,
  { guaranteed, likely, own, d }: { guaranteed: Solved; likely: Solved; own: number; d: number },
): void {
  const [sure, usual] = [guaranteed.bounds[own], likely.bounds[own]];
  draft.low[i] = -(sure?.upper[d] ?? Infinity) / 1e6;
  draft.high[i] = -(sure?.lower[d] ?? -Infinity) / 1e6;
  draft.likelyLow[i] = -(usual?.upper[d] ?? Infinity) / 1e6;
  draft.likelyHigh[i] = -(usual?.lower[d] ?? -Infinity) / 1e6;
  // A line through the estimate may leave the bounds far from its moment; the bounds hold.
  draft.estimate[i] = Math.min(Math.max(draft.estimate[i] ?? 0, draft.likelyLow[i] ?? 0), draft.likelyHigh[i] ?? 0);
}

interface Look {
  readonly certainty: 'guaranteed' | 'likely';
  readonly times: readonly number[];
  readonly i: number;
  readonly drafts: ReadonlyMap<number, Draft>;
  readonly bounds: Solved;
}

/** For each row near this moment: where its operation puts its clock, given the bounds of the others. */
function seeAnchors(solver: MomentSolver, { certainty, times, i, drafts, bounds: { system, bounds } }: Look): void {
  const { operations } = solver;
  const [start, step] = [times[0] ?? 0, (times[1] ?? 0) - (times[0] ?? 0)];
  // What lies beside the span (a time service asked hours later) counts at its nearer end: it is what the bound there rests on.
  const near = (d: number, stamp: number): boolean =>
    Math.min(times.length - 1, Math.max(0, Math.round((solver.commonTime(d, stamp) - start) / step))) === i;
  const raw =
    certainty === 'guaranteed'
      ? { low: operations.low, high: operations.high }
      : { low: operations.likelyLow, high: operations.likelyHigh };
  for (let k = 0; k < operations.count; k++) {
    const [from, to] = [operations.start[k] ?? 0, operations.start[k + 1] ?? 0];
    for (let row = from; row < to; row++) {
      const d = operations.domain[row] ?? 0;
      const draft = drafts.get(d);
      const own = bounds[solver.known.aligned.component[d] ?? -1];
      if (draft === undefined || own === undefined || isReference(solver, d)) continue;
      const [low, high] = [raw.low[row] ?? -Infinity, raw.high[row] ?? Infinity];
      if (Number.isFinite(system.low[row]) && Number.isFinite(low) && near(d, low)) {
        const { ns, row: after } = earliestEnd(system, own, from, to, row);
        const value = -(ns - (system.low[row] ?? 0));
        keep(draft, `${certainty} lower ${i}`, { at: low, value, operation: k, before: row, after }, (a, b) => a > b);
      }
      if (Number.isFinite(system.high[row]) && Number.isFinite(high) && near(d, high)) {
        const { ns, row: before } = latestBeginning(system, own, from, to, row);
        const value = -(ns - (system.high[row] ?? 0));
        keep(draft, `${certainty} upper ${i}`, { at: high, value, operation: k, before, after: row }, (a, b) => a < b);
      }
    }
  }
}

const isReference = ({ known }: MomentSolver, d: number): boolean =>
  known.aligned.references[known.aligned.component[d] ?? -1] === d;

function keep(draft: Draft, key: string, one: Candidate, better: (a: number, b: number) => boolean): void {
  if (!Number.isFinite(one.value)) return;
  const found = draft.best.get(key);
  if (found === undefined || better(one.value, found.value)) draft.best.set(key, one);
}

function earliestEnd({ operations, high }: System, { upper }: Bounds, from: number, to: number, own: number) {
  let [ns, row] = [Infinity, own];
  for (let other = from; other < to; other++) {
    if (other === own) continue;
    const reach = (upper[operations.domain[other] ?? 0] ?? Infinity) + (high[other] ?? Infinity);
    if (reach < ns) [ns, row] = [reach, other];
  }
  return { ns, row };
}

function latestBeginning({ operations, low }: System, { lower }: Bounds, from: number, to: number, own: number) {
  let [ns, row] = [-Infinity, own];
  for (let other = from; other < to; other++) {
    if (other === own) continue;
    const reach = (lower[operations.domain[other] ?? 0] ?? -Infinity) + (low[other] ?? -Infinity);
    if (reach > ns) [ns, row] = [reach, other];
  }
  return { ns, row };
}

/** What was left out, as it would have been: its rows come back for this look only. */
function seeRejected(solver: MomentSolver, drafts: ReadonlyMap<number, Draft>): void {
  const { known, operations } = solver;
  const { likely } = known.aligned.systems;
  const raw: System = { operations, low: operations.likelyLow, high: operations.likelyHigh };
  const bounds = known.aligned.references.map((reference) => boundsFrom(likely, reference));
  const left = known.aligned.resolution.rejected.flatMap(({ operations: own, cycle }) =>
    own.map((k) => ({ k, cycle })),
  );
  for (const { k, cycle } of left) {
    const [from, to] = [operations.start[k] ?? 0, operations.start[k + 1] ?? 0];
    for (let row = from; row < to; row++) {
      const d = operations.domain[row] ?? 0;
      const draft = drafts.get(d);
      const own = bounds[known.aligned.component[d] ?? -1];
      if (draft === undefined || own === undefined || isReference(solver, d) || draft.rejected.length >= MAX_REJECTED)
        continue;
      const [low, high] = [raw.low[row] ?? -Infinity, raw.high[row] ?? Infinity];
      const end = earliestEnd(raw, own, from, to, row);
      const begin = latestBeginning(raw, own, from, to, row);
      const lower = { at: low, value: low - end.ns, operation: k, before: row, after: end.row };
      const upper = { at: high, value: high - begin.ns, operation: k, before: begin.row, after: row };
      if (Number.isFinite(lower.value)) draft.rejected.push({ side: 'lower', one: lower, cycle });
      if (Number.isFinite(upper.value)) draft.rejected.push({ side: 'upper', one: upper, cycle });
    }
  }
}

function finishBand(
  known: Remembered,
  draft: Draft | undefined,
  clock: string,
  epoch: (relative: number) => bigint,
): ClockBand {
  if (draft === undefined) throw new Error('every clock that is shown has a draft');
  const { names, table, aligned } = known;
  const offset = aligned.estimate[draft.d] ?? 0;
  const evidence = { table, operations: aligned.systems.likely.operations };
  const made = (side: 'lower' | 'upper', certainty: 'guaranteed' | 'likely', one: Candidate): BandAnchor => ({
    side,
    certainty,
    atNs: epoch(one.at - (Number.isFinite(offset) ? offset : 0)),
    valueMs: one.value / 1e6,
    anchor: anchorOf({ names, evidence }, one),
  });
  const all = [...draft.best].map(([key, one]) => {
    const [certainty, side] = key.split(' ');
    return made(side === 'lower' ? 'lower' : 'upper', certainty === 'likely' ? 'likely' : 'guaranteed', one);
  });
  // What is likely only is told where nothing is guaranteed on that side.
  const anchors = (['lower', 'upper'] as const).flatMap((side) => {
    const ofSide = all.filter((one) => one.side === side);
    const sure = ofSide.filter(({ certainty }) => certainty === 'guaranteed');
    return sure.length > 0 ? sure : ofSide;
  });
  const byTime = (a: BandAnchor, b: BandAnchor): number =>
    a.atNs < b.atNs ? -1 : a.atNs > b.atNs ? 1 : a.valueMs - b.valueMs;
  return {
    clock,
    low: draft.low,
    high: draft.high,
    likelyLow: draft.likelyLow,
    likelyHigh: draft.likelyHigh,
    estimate: draft.estimate,
    anchors: anchors.sort(byTime),
    rejected: draft.rejected
      .map(({ side, one, cycle }): BandAnchor => {
        const anchor = made(side, 'likely', one);
        const against = cycleTexts({ evidence }, cycle).filter((text) => text !== anchor.anchor.text);
        return { ...anchor, against };
      })
      .sort(byTime),
  };
}
