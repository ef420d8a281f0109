/** Counts over all lanes in columns of time. */
import { type LaneBasis, shiftOf } from './clock-correction.ts';
import type { Span } from './queries.ts';
import { spanIndex } from './span-index.ts';
import { type LanesView, SEVERITIES, STATE } from './types.ts';

export interface Columns extends Span {
  readonly columns: number;
}

/** Ranks that wait at the start of each column. A rank counts once however many calls it waits in. */
export function countWaiting(view: LanesView, { basis, from, to, columns }: Columns): Float64Array {
  const index = spanIndex(view);
  const { startNs, state } = view.calls;
  const step = new Float64Array(columns + 1);
  const spans = new Map<number, [number, number][]>();
  for (const { lane, call } of index.blocking) {
    if (state[call] !== STATE.waiting) continue;
    const shift = shiftOf(view, view.lanes[lane]?.clock ?? -1, basis);
    const list = spans.get(lane) ?? [];
    spans.set(lane, list);
    list.push([(startNs[call] ?? 0) - shift, (index.drawnEndNs[call] ?? 0) - shift]);
  }
  const x = (ns: number): number => Math.max(0, Math.min(columns, Math.ceil(((ns - from) / (to - from)) * columns)));
  for (const list of spans.values()) {
    let reached = Number.NEGATIVE_INFINITY;
    for (const [start, end] of list.sort((a, b) => a[0] - b[0])) {
      if (end <= reached) continue;
      const begin = Math.max(start, reached);
      reached = end;
      const [a, b] = [x(begin), x(end)];
      step[a] = (step[a] ?? 0) + 1;
      step[b] = (step[b] ?? 0) - 1;
    }
  }
  let sum = 0;
  return step.slice(0, columns).map((change) => {
    sum += change;
    return sum;
  });
}

/** Events a column: warnings, and errors with fatal ones. */
export function countEvents(view: LanesView, { basis, from, to, columns }: Columns) {
  const warnings = new Float64Array(columns);
  const errors = new Float64Array(columns);
  const { instants } = view;
  const shifts = [-1, ...view.clocks.keys()].map((clock) => shiftOf(view, clock, basis));
  const warn = SEVERITIES.indexOf('warn');
  for (let i = 0; i < instants.length; i++) {
    const severity = instants.severity[i] ?? 0;
    if (severity < warn) continue;
    const at = (instants.atNs[i] ?? 0) - (shifts[(instants.clock[i] ?? -1) + 1] ?? 0);
    if (at < from || at >= to) continue;
    const column = Math.min(columns - 1, Math.floor(((at - from) / (to - from)) * columns));
    const into = severity > warn ? errors : warnings;
    into[column] = (into[column] ?? 0) + 1;
  }
  return { warnings, errors };
}

/** Nearer ones would lie over each other. */
const GLYPH_PX = 9;

/** Instants of lanes in a span; those of one lane that would lie over each other become one, the worst. */
export function reduceInstants(
  view: LanesView,
  request: Columns & { readonly lanes: readonly number[]; readonly maxInstants: number },
) {
  const { instants } = view;
  const pixelNs = (request.to - request.from) / request.columns;
  const kept: { lane: number; at: number; row: number; count: number }[] = [];
  for (let i = 0; i < request.lanes.length; i++) {
    const lane = view.lanes[request.lanes[i] ?? -1];
    if (lane === undefined) continue;
    const own: { lane: number; at: number; row: number; count: number }[] = [];
    for (let row = lane.instantFrom; row < lane.instantTo; row++) {
      const at = (instants.atNs[row] ?? 0) - shiftOf(view, instants.clock[row] ?? -1, request.basis);
      if (at < request.from || at >= request.to) continue;
      const last = own.at(-1);
      if (last !== undefined && Math.abs(at - last.at) < pixelNs * GLYPH_PX) {
        last.count += 1;
        if ((instants.severity[row] ?? 0) > (instants.severity[last.row] ?? 0)) last.row = row;
      } else own.push({ lane: i, at, row, count: 1 });
    }
    kept.push(...own);
    if (kept.length > request.maxInstants) break;
  }
  return kept.slice(0, request.maxInstants);
}

export interface BasisSpan {
  readonly from: number;
  readonly to: number;
}

/** First and last moment of the case in a basis: correction moves clocks by minutes, so it is not that of the raw stamps. */
export function caseSpan(view: LanesView, basis: LaneBasis): BasisSpan {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const see = (at: number): void => {
    if (at < from) from = at;
    if (at > to) to = at;
  };
  const { startNs, endNs } = view.calls;
  for (const lane of view.lanes) {
    const shift = shiftOf(view, lane.clock, basis);
    if (lane.callFrom < lane.callTo) see((startNs[lane.callFrom] ?? 0) - shift);
    for (let i = lane.callFrom; i < lane.callTo; i++) {
      const end = endNs[i] ?? Number.NaN;
      see((Number.isNaN(end) ? (startNs[i] ?? 0) : end) - shift);
    }
    for (const at of [lane.logFromNs, lane.logToNs, lane.openUntilNs]) if (at !== null) see(at - shift);
  }
  const { instants } = view;
  const shifts = [0, ...view.clocks.map((_, clock) => shiftOf(view, clock, basis))];
  for (let i = 0; i < instants.length; i++) see((instants.atNs[i] ?? 0) - (shifts[(instants.clock[i] ?? -1) + 1] ?? 0));
  for (const mark of view.marks) see(mark.atNs - shiftOf(view, mark.clock, basis));
  return from <= to ? { from, to } : { from: 0, to: view.endNs };
}
