/** Counts over all lanes in columns of time. */
import { shiftOf } from './clock-correction.ts';
import type { Span } from './queries.ts';
import { spanIndex } from './span-index.ts';
import { type LanesView, SEVERITIES } from './types.ts';

export interface Columns extends Span {
  readonly columns: number;
}

/** Ranks that wait, or that the others wait for, at the start of each column. A rank counts once however many calls it waits in. */
export function countWaiting(view: LanesView, { basis, from, to, columns }: Columns): Float64Array {
  const index = spanIndex(view);
  const { startNs } = view.calls;
  const step = new Float64Array(columns + 1);
  const spans = new Map<number, [number, number][]>();
  for (const { lane, call } of index.blocking) {
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

/** Instants of lanes in a span; those of one lane that fall into one pixel become one, the worst. */
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
      if (last !== undefined && Math.abs(at - last.at) < pixelNs * 3) {
        last.count += 1;
        if ((instants.severity[row] ?? 0) > (instants.severity[last.row] ?? 0)) last.row = row;
      } else own.push({ lane: i, at, row, count: 1 });
    }
    kept.push(...own);
    if (kept.length > request.maxInstants) break;
  }
  return kept.slice(0, request.maxInstants);
}
