/**
 * Lines of time services: how far they found their node's clock off, and when they moved it.
 *
 * An offset without the service's own bound is likely only. A step is a fact: a service tells what it did. What a clock wrote on the
 * other side of it says nothing of the clock that the incident was written by, and a state that was read after it is that of another
 * clock, so bounds from there are left out, guaranteed ones too.
 *
 *   moved forward by S   stamps t < at − S before │ none │ t ≥ at after
 *   set back by S        stamps t < at before │ [at, at + S] twice, used for neither side │ t > at + S after
 */
import type { PlacedEvent } from '../../../model/facts.ts';
import type { SourceRef } from '../../../model/source-ref.ts';
import { MAX_RATE } from '../solver/align.ts';
import type { Operations } from '../solver/operations.ts';
import { type EvidenceTable, UTC } from './evidence-table.ts';

/** A step that a time service tells of. Times in ns since the base, on the clock itself. */
export interface ToldStep {
  readonly domain: number;
  readonly tool: string;
  /** Forwards; negative = was set back; undefined = not told. */
  readonly sizeNs: number | undefined;
  /** Where stamps surely before it end, and stamps surely after it begin. */
  readonly beforeNs: number;
  readonly afterNs: number;
  readonly source: SourceRef;
  /** Records of the job lie on both sides, or evidence was left out because of it. */
  readonly matters: boolean;
}

/** Smaller ones are lost in what lines are late by, ns. */
const LEAST_STEP_NS = 2e6;
/** Two tellers of one step, ns. */
const SAME_STEP_NS = 10e9;

interface ToldOffset {
  readonly domain: number;
  readonly tool: string;
  /** Clock minus its source. */
  readonly offsetNs: number;
  readonly boundNs: number;
  readonly atNs: number;
  readonly resolutionNs: number;
  readonly source: SourceRef;
  /** Steps told before it, in the order of the lines. */
  readonly stepsBefore: number;
}

/** Adds what the lines say of offsets; the steps are the result, to be cut at when the table is whole. Events by path, then position. */
export function addClockNotes(table: EvidenceTable, events: readonly PlacedEvent[]): readonly ToldStep[] {
  const steps: ToldStep[] = [];
  const offsets: ToldOffset[] = [];
  for (const { clock, event } of events) {
    const { body, stamp, source } = event;
    const domain = table.indexOf(clock);
    if (body.kind !== 'clock-note' || domain === undefined) continue;
    if (stamp === undefined || stamp.zoneAssumed || stamp.kind === 'boot' || stamp.kind === 'api') continue;
    const at = table.relative(stamp.ns);
    if (at === undefined) continue;
    const { tool, ms } = body;
    const base = { domain, tool, source };
    if (body.what === 'offset' && ms !== undefined && body.boundMs !== undefined) {
      const [offsetNs, boundNs] = [ms * 1e6, body.boundMs * 1e6];
      const stepsBefore = steps.length;
      offsets.push({ ...base, offsetNs, boundNs, atNs: at, resolutionNs: stamp.resolutionNs, stepsBefore });
    }
    if (body.what !== 'step') continue;
    const sizeNs = ms === undefined ? undefined : ms * 1e6;
    if (sizeNs !== undefined && Math.abs(sizeNs) < LEAST_STEP_NS) continue;
    const shown = at - (sizeNs ?? 0);
    const [beforeNs, afterNs] = sizeNs === undefined ? [at, at] : [Math.min(at, shown), Math.max(at, shown)];
    steps.push({ ...base, sizeNs, beforeNs, afterNs, matters: false });
  }
  for (const offset of offsets) addOffset(table, offset, steps);
  return withoutEchoes(steps);
}

/**
 * The moment lies a little further from a step than it was told, on the side that the order of the lines gives: stamps alone cannot
 * tell "wrong by" from what follows the step that it announces. The bound grows by what the clock may have drifted over that.
 */
function addOffset(table: EvidenceTable, told: ToldOffset, steps: readonly ToldStep[]): void {
  const { domain, tool, offsetNs, boundNs, atNs, resolutionNs, source, stepsBefore } = told;
  const utc = table.indexOf(UTC);
  if (utc === undefined) return;
  let moved = 0;
  for (const [i, step] of steps.entries()) {
    // Lines of two files have no order of their own.
    if (step.domain !== domain || step.source.entry !== source.entry) continue;
    if (i < stepsBefore) moved = Math.max(moved, step.afterNs - (atNs - 2 * boundNs));
    else moved = Math.min(moved, step.beforeNs - (atNs + resolutionNs + 2 * boundNs));
  }
  const bound = boundNs + MAX_RATE * Math.abs(moved);
  const at = atNs + moved;
  const way = `${Math.abs(offsetNs / 1e6).toFixed(1)} ms ${offsetNs < 0 ? 'behind' : 'ahead'}`;
  table.builder.begin(table.label({ kind: 'clock-note', why: `${tool} found its clock ${way}`, source }));
  table.builder.row(utc, at - offsetNs, at - offsetNs);
  table.builder.row(domain, -Infinity, Infinity, at - bound, at + resolutionNs + bound);
}

/** Who only noticed that the clock was moved repeats who moved it. */
function withoutEchoes(steps: readonly ToldStep[]): readonly ToldStep[] {
  const sized = steps.filter(({ sizeNs }) => sizeNs !== undefined);
  const near = (a: ToldStep, b: ToldStep): boolean =>
    a.domain === b.domain && Math.abs(a.afterNs - b.afterNs) <= SAME_STEP_NS + Math.abs(b.sizeNs ?? 0);
  const bare = steps.filter((one) => one.sizeNs === undefined && !sized.some((other) => near(one, other)));
  return [...sized, ...bare.filter((one, i) => !bare.slice(0, i).some((other) => near(one, other)))];
}

/**
 * Leaves out bounds (sets them to ∓∞) that lie on the other side of a step than the moment of interest. Where the moment itself may lie on
 * either side nothing is left out. Returns the steps with what they mattered for. `stampsOf`: stamps of the job's own records on a clock.
 */
export function cutAtSteps(
  operations: Operations,
  steps: readonly ToldStep[],
  moments: Float64Array,
  stampsOf: (domain: number) => readonly number[],
): readonly ToldStep[] {
  const byDomain = new Map<number, ToldStep[]>();
  for (const step of steps) byDomain.set(step.domain, [...(byDomain.get(step.domain) ?? []), step]);
  if (byDomain.size === 0) return [];
  const cut = new Set<ToldStep>();
  const leaveOut = (own: readonly ToldStep[], moment: number, stamp: number): boolean => {
    if (!Number.isFinite(stamp)) return false;
    const crossed = own.filter((step) => sideOf(step, moment) !== 0 && sideOf(step, stamp) !== sideOf(step, moment));
    for (const step of crossed) cut.add(step);
    return crossed.length > 0;
  };
  for (let row = 0; row < operations.domain.length; row++) {
    const d = operations.domain[row] ?? 0;
    const own = byDomain.get(d);
    if (own === undefined) continue;
    const moment = moments[d] ?? Number.NaN;
    for (const column of [operations.low, operations.likelyLow])
      if (leaveOut(own, moment, column[row] ?? -Infinity)) column[row] = -Infinity;
    for (const column of [operations.high, operations.likelyHigh])
      if (leaveOut(own, moment, column[row] ?? Infinity)) column[row] = Infinity;
  }
  return steps.map((step) => {
    const sides = new Set(stampsOf(step.domain).map((stamp) => sideOf(step, stamp)));
    return { ...step, matters: cut.has(step) || (sides.has(-1) && sides.has(1)) };
  });
}

/** −1 surely before, 1 surely after, 0 = may be either, or no moment. */
const sideOf = ({ beforeNs, afterNs }: ToldStep, stamp: number): -1 | 0 | 1 =>
  stamp < beforeNs ? -1 : stamp >= afterNs ? 1 : 0;
