/** Questions about single calls and spans; pure, over the stored view. Times go out in the asked basis. */
import { type LaneBasis, shiftOf } from './clock-correction.ts';
import { spanIndex, visitSpan } from './span-index.ts';
import { type LanesView, SEVERITIES, STATE } from './types.ts';

export interface Span {
  readonly basis: LaneBasis;
  readonly from: number;
  readonly to: number;
}

/** One call with everything that is said about it. */
export interface CallAnswer {
  readonly lane: number;
  /** Index of the call among all; stable for a case. */
  readonly call: number;
  readonly startNs: number;
  /** Null: no end is recorded. */
  readonly endNs: number | null;
  /** Where its drawing ends; null = with the case. */
  readonly drawnEndNs: number | null;
  /** Index into SLICE_STATES. */
  readonly state: number;
  /** Index into the groups of the view; -1 = none. */
  readonly group: number;
  readonly seq: number;
  readonly op: string;
  readonly entry: number | null;
  readonly record: number | null;
  readonly line: number | null;
}

export function describeCall(view: LanesView, lane: number, call: number, basis: LaneBasis): CallAnswer {
  const { calls, strings, sources } = view;
  const row = view.lanes[lane];
  const shift = shiftOf(view, row?.clock ?? -1, basis);
  const end = calls.endNs[call] ?? Number.NaN;
  const drawn = spanIndex(view).drawnEndNs[call] ?? Number.POSITIVE_INFINITY;
  const record = calls.record[call] ?? -1;
  const source = record < -1 ? sources[-2 - record] : undefined;
  return {
    lane,
    call,
    startNs: (calls.startNs[call] ?? 0) - shift,
    endNs: Number.isNaN(end) ? null : end - shift,
    drawnEndNs: Number.isFinite(drawn) ? drawn - shift : null,
    state: calls.state[call] ?? 0,
    group: calls.group[call] ?? -1,
    seq: calls.seq[call] ?? -1,
    op: strings[calls.op[call] ?? -1] ?? '',
    entry: record >= 0 ? (row?.dumpEntry ?? null) : (source?.entry ?? null),
    record: record >= 0 ? record : null,
    line: source?.line ?? null,
  };
}

/** The worst call of the lanes in the span, and how many lanes have which worst state. */
export function pickCall(view: LanesView, lanes: readonly number[], { basis, from, to }: Span) {
  const index = spanIndex(view);
  const { startNs, state } = view.calls;
  const states = new Array<number>(STATE.first + 1).fill(0);
  let best: { lane: number; call: number; state: number } | undefined;
  for (const lane of lanes) {
    const shift = shiftOf(view, view.lanes[lane]?.clock ?? -1, basis);
    let worst = 0;
    visitSpan(
      index,
      lane,
      { from: from + shift, to: to + shift, pixelNs: -1 },
      {
        block: () => undefined,
        calls: (first, end) => {
          for (let call = first; call < end; call++) {
            const one = state[call] ?? 0;
            if ((index.drawnEndNs[call] ?? 0) < from + shift || (startNs[call] ?? 0) >= to + shift) continue;
            worst = Math.max(worst, one);
            if (best === undefined || one > best.state) best = { lane, call, state: one };
          }
        },
      },
    );
    states[worst] = (states[worst] ?? 0) + 1;
  }
  return { call: best === undefined ? null : describeCall(view, best.lane, best.call, basis), states };
}

/** Next (1) or previous (-1) call by start, from a call of the lane or from a moment. */
export function stepCall(
  view: LanesView,
  lane: number,
  from: { readonly call: number | null; readonly at: number; readonly basis: LaneBasis; readonly by: 1 | -1 },
): CallAnswer | null {
  const row = view.lanes[lane];
  if (row === undefined) return null;
  const { callFrom, callTo, clock } = row;
  const known = from.call !== null && from.call >= callFrom && from.call < callTo ? from.call : undefined;
  const after = firstAfter(view.calls.startNs, from.at + shiftOf(view, clock, from.basis), callFrom, callTo);
  const call = known !== undefined ? known + from.by : from.by === 1 ? after : after - 1;
  return call >= callFrom && call < callTo ? describeCall(view, lane, call, from.basis) : null;
}

/** First index in [from, to) whose value is greater than `at`; `to` if none is. The values ascend. */
export function firstAfter(values: Float64Array, at: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function findCall(
  view: LanesView,
  rank: number,
  group: string,
  seq: number,
  basis: LaneBasis,
): CallAnswer | null {
  const lane = view.lanes.findIndex((one) => one.rank === rank);
  const row = view.lanes[lane];
  const wanted = view.groups.findIndex((one) => one.id === group);
  if (row === undefined) return null;
  for (let call = row.callTo - 1; call >= row.callFrom; call--)
    if (view.calls.seq[call] === seq && view.calls.group[call] === wanted) return describeCall(view, lane, call, basis);
  return null;
}

export function summariseLanes(view: LanesView, lanes: readonly number[], { basis, from, to }: Span) {
  const { calls, instants } = view;
  const warn = SEVERITIES.indexOf('error');
  return lanes.flatMap((lane) => {
    const row = view.lanes[lane];
    if (row === undefined) return [];
    const shift = shiftOf(view, row.clock, basis);
    const first = firstAfter(calls.startNs, from + shift, row.callFrom, row.callTo);
    const end = firstAfter(calls.startNs, to + shift, row.callFrom, row.callTo);
    const eventFrom = firstAfter(instants.atNs, from + shift, row.instantFrom, row.instantTo);
    const eventTo = firstAfter(instants.atNs, to + shift, row.instantFrom, row.instantTo);
    let errors = 0;
    for (let i = eventFrom; i < eventTo; i++) if ((instants.severity[i] ?? 0) >= warn) errors += 1;
    const { states } = pickCall(view, [lane], { basis, from, to });
    return [
      {
        lane,
        calls: end - first,
        events: eventTo - eventFrom,
        errors,
        worst: states.indexOf(1),
        last: end > row.callFrom ? describeCall(view, lane, end - 1, basis) : null,
      },
    ];
  });
}
