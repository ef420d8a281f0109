/**
 * Members out of the recorder's calls: how many a second a rank makes, and which share of the time it has a call open. Who enters last waits
 * least: a slow rank is the one whose time in calls is low.
 *
 * Each value looks back over one second (less where recorders hold only a few), or over its column where that is wider. A rank is known from the oldest record that its recorder
 * holds (plus that) to its last one; an open call lasts to where the rank was last seen. Other ranks, and what was overwritten, have
 * no value. O(calls in the span + columns) a rank.
 */
import { shiftOf } from '../clock-correction.ts';
import { spanIndex, visitSpan } from '../span-index.ts';
import type { Lane, LanesView } from '../types.ts';
import type { Member, MetricRequest } from './types.ts';

/** Longest first. */
const LOOK_BACKS_NS = [1e9, 1e8, 1e7] as const;
/** Looks back that fit into the longest recording: with fewer the curve would begin at its end. */
const FITTING = 5;

/** Lanes whose calls were recorded. */
const recorded = (lane: Lane): boolean =>
  lane.rank !== null && (lane.dump === 'present' || lane.dump === 'truncated') && lane.callFrom < lane.callTo;

export const recordedLanes = (view: LanesView): readonly number[] =>
  view.lanes.flatMap((lane, i) => (recorded(lane) ? [i] : []));

/** The same for all ranks of a case, so that they can be compared. By when calls begin: one that hangs may last for long. */
export function lookBackOf(view: LanesView): number {
  const { startNs } = view.calls;
  const longest = recordedLanes(view).reduce((most, at) => {
    const { callFrom = 0, callTo = 0 } = view.lanes[at] ?? {};
    return Math.max(most, (startNs[callTo - 1] ?? 0) - (startNs[callFrom] ?? 0));
  }, 0);
  return LOOK_BACKS_NS.find((ns) => ns * FITTING <= longest) ?? LOOK_BACKS_NS[2];
}

/** `backNs`: see lookBackOf. */
export const callRateMember = (view: LanesView, lane: number, backNs: number): Member =>
  member(view, lane, backNs, addStarts, (sum, ns) => (sum / ns) * 1e9);
export const timeInCallsMember = (view: LanesView, lane: number, backNs: number): Member =>
  member(view, lane, backNs, addOpenTime, (sum, ns) => Math.min(100, (sum / ns) * 100));

/** Columns of a lane, raw, with as many in front as one looks back. */
interface Grid {
  readonly from: number;
  readonly to: number;
  readonly columnNs: number;
  readonly sums: Float64Array;
}

type Add = (view: LanesView, lane: number, grid: Grid) => void;

function member(
  view: LanesView,
  at: number,
  backNs: number,
  add: Add,
  toValue: (sum: number, ns: number) => number,
): Member {
  const lane = view.lanes[at];
  return {
    rank: lane?.rank ?? null,
    fill({ values }, { basis, from, to, columns }: Omit<MetricRequest, 'ranks'>) {
      if (lane === undefined) return false;
      const known = knownSpan(view, lane);
      const shift = shiftOf(view, lane.clock, basis);
      const columnNs = (to - from) / columns;
      const back = Math.max(1, Math.ceil(backNs / columnNs));
      const start = from + shift - (back - 1) * columnNs;
      if (to + shift <= known.from || start >= known.to) return false;
      const grid = { from: start, to: to + shift, columnNs, sums: new Float64Array(columns + back - 1) };
      add(view, at, grid);
      let sum = 0;
      let found = false;
      for (let i = 0; i < grid.sums.length; i++) {
        sum += (grid.sums[i] ?? 0) - (i >= back ? (grid.sums[i - back] ?? 0) : 0);
        const end = start + (i + 1) * columnNs;
        if (i < back - 1 || end - back * columnNs < known.from || end > known.to) continue;
        // Sums that come and go leave crumbs behind.
        values[i - back + 1] = toValue(Math.max(0, sum), back * columnNs);
        found = true;
      }
      return found;
    },
  };
}

function knownSpan(view: LanesView, lane: Lane): { readonly from: number; readonly to: number } {
  const { startNs, record } = view.calls;
  const { drawnEndNs } = spanIndex(view);
  const first = startNs[lane.callFrom] ?? 0;
  let to = Number.NEGATIVE_INFINITY;
  for (let i = lane.callFrom; i < lane.callTo; i++) {
    // What the rank never enqueued is none of its records.
    if ((record[i] ?? -1) < 0) continue;
    const end = drawnEndNs[i] ?? 0;
    to = Math.max(to, Number.isFinite(end) ? end : (startNs[i] ?? 0));
  }
  return { from: Math.max(first, lane.heldFromNs ?? first), to };
}

function addStarts(view: LanesView, lane: number, { from, to, columnNs, sums }: Grid): void {
  const { startNs, record } = view.calls;
  eachCall(view, lane, from, to, (call) => {
    const start = startNs[call] ?? 0;
    if ((record[call] ?? -1) < 0 || start < from || start >= to) return;
    const column = Math.min(sums.length - 1, Math.floor((start - from) / columnNs));
    sums[column] = (sums[column] ?? 0) + 1;
  });
}

/** Calls that overlap count once. */
function addOpenTime(view: LanesView, lane: number, { from, to, columnNs, sums }: Grid): void {
  const { startNs, record } = view.calls;
  const { drawnEndNs } = spanIndex(view);
  let reached = from;
  eachCall(view, lane, from, to, (call) => {
    if ((record[call] ?? -1) < 0) return;
    const start = Math.max(reached, startNs[call] ?? 0);
    const end = Math.min(to, drawnEndNs[call] ?? 0);
    if (end <= start) return;
    reached = end;
    const last = Math.min(sums.length - 1, Math.floor((end - from) / columnNs));
    for (let column = Math.floor((start - from) / columnNs); column <= last; column++) {
      const left = from + column * columnNs;
      sums[column] = (sums[column] ?? 0) + Math.max(0, Math.min(end, left + columnNs) - Math.max(start, left));
    }
  });
}

function eachCall(view: LanesView, lane: number, from: number, to: number, see: (call: number) => void): void {
  visitSpan(
    spanIndex(view),
    lane,
    { from, to, pixelNs: -1 },
    {
      block: () => undefined,
      calls: (first, end) => {
        for (let call = first; call < end; call++) see(call);
      },
    },
  );
}
