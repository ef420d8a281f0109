/** The stored view `lanes` around the first fault → the figure of the report: a few lanes, in corrected time. Pure. */
import { formatRanks } from '#shared/lib/rank-set.ts';
import { epochNs, formatEpochNs } from '#shared/model/time.ts';
import type { BarState, Figure, FigureBar, FigureLane } from '#shared/report/sections/index.ts';
import { boundText } from '#shared/text/clock-text.ts';
import { formatCount } from '#shared/text/format.ts';
import {
  boundHalfNs,
  type Lane,
  type LaneClock,
  type LanesView,
  reduceSlices,
  SLICE_STATES,
  type SliceState,
  STATE,
  shiftOf,
} from '#shared/views/lanes/index.ts';

/** As many as a reader compares at a glance. */
const MAX_LANES = 8;
const MAX_SLICES = 4000;
/** One bar is not narrower than this part of the width; 640 units wide on paper. */
const COLUMNS = 320;
const S = 1e9;

/** Null if the case has no lanes, or nothing that could be called the moment of the fault. */
export function faultFigure(view: LanesView | undefined): Figure | null {
  if (view === undefined) return null;
  const moment = momentOf(view);
  if (moment === undefined) return null;
  const chosen = chooseLanes(view, moment.lane);
  if (chosen.length === 0) return null;
  const span = chooseSpan(view, chosen, moment.at);
  const slices = reduceSlices(view, {
    basis: 'corrected',
    ...span,
    columns: COLUMNS,
    lanes: chosen,
    maxSlices: MAX_SLICES,
  });
  if (slices === undefined) return null;
  const bars = chosen.map((): FigureBar[] => []);
  const part = (ns: number): number => Math.min(1, Math.max(0, (ns - span.from) / (span.to - span.from)));
  for (let i = 0; i < slices.length; i++) {
    const state = barState(SLICE_STATES[slices.state[i] ?? 0] ?? 'none');
    if (state === undefined) continue;
    const [from, to] = [part(slices.startNs[i] ?? 0), part(Math.min(slices.endNs[i] ?? 0, span.to))];
    bars[slices.lane[i] ?? 0]?.push({ from, to, state, label: callLabel(view, slices.call[i] ?? -1) });
  }
  return {
    lanes: chosen.map((index, i) => figureLane(view.lanes[index], bars[i] ?? [])),
    ticks: ticks(view, span),
    fault: moment.isFault
      ? { at: part(moment.at), half: moment.half === null ? 0 : moment.half / (span.to - span.from) }
      : null,
    caption: caption(view, { span, chosen, moment }),
  };
}

interface Moment {
  /** Corrected, ns relative to the origin. */
  readonly at: number;
  /** Half of the guaranteed bound, ns; null = not bounded. */
  readonly half: number | null;
  readonly clock: LaneClock | undefined;
  readonly lane: number;
  /** False: no fault has a time, and the figure stands where the first rank began to wait. */
  readonly isFault: boolean;
}

function momentOf(view: LanesView): Moment | undefined {
  const mark = view.marks.find(({ kind }) => kind === 'fault');
  if (mark !== undefined) {
    const clock = view.clocks[mark.clock];
    const at = mark.atNs - shiftOf(view, mark.clock, 'corrected');
    return { at, half: boundHalfNs(clock, mark.atNs), clock, lane: mark.lane, isFault: true };
  }
  let first: Moment | undefined;
  view.lanes.forEach((lane, index) => {
    for (let call = lane.callFrom; call < lane.callTo; call++) {
      if (view.calls.state[call] !== STATE.waiting) continue;
      const raw = view.calls.startNs[call] ?? 0;
      const at = raw - shiftOf(view, lane.clock, 'corrected');
      if (first !== undefined && first.at <= at) continue;
      const clock = view.clocks[lane.clock];
      first = { at, half: boundHalfNs(clock, raw), clock, lane: index, isFault: false };
    }
  });
  return first;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** First ranks, then some of those that wait, then others for comparison. In the order of the view. */
function chooseLanes(view: LanesView, faultLane: number): number[] {
  const order = { first: 0, victim: 1, unknown: 2, bystander: 3 } as const;
  const ranks = view.lanes.flatMap((lane, i) => (lane.kind === 'rank' ? [{ lane, i }] : []));
  const weight = ({ lane, i }: (typeof ranks)[number]): number => (i === faultLane ? -1 : order[lane.role]);
  const recorded = ({ lane }: (typeof ranks)[number]): number => (lane.callTo > lane.callFrom ? 0 : 1);
  const sorted = [...ranks].sort((a, b) => weight(a) - weight(b) || recorded(a) - recorded(b) || a.i - b.i);
  return sorted
    .slice(0, MAX_LANES)
    .map(({ i }) => i)
    .sort((a, b) => a - b);
}

/** From some calls before the fault to as long after it, so that both are seen; 2 s to 5 min. */
function chooseSpan(view: LanesView, lanes: readonly number[], faultAt: number): Span {
  const before: number[] = [];
  for (const index of lanes) {
    const lane = view.lanes[index];
    if (lane === undefined) continue;
    const shift = shiftOf(view, lane.clock, 'corrected');
    const starts: number[] = [];
    for (let call = lane.callTo - 1; call >= lane.callFrom && starts.length < 4; call--) {
      const at = (view.calls.startNs[call] ?? 0) - shift;
      if (at < faultAt) starts.push(faultAt - at);
    }
    if (starts.length > 0) before.push(Math.max(...starts));
  }
  before.sort((a, b) => a - b);
  const back = Math.min(150 * S, Math.max(1 * S, (before[before.length >> 1] ?? 5 * S) * 1.2));
  return { from: faultAt - back, to: faultAt + back * 0.8 };
}

function barState(state: SliceState): BarState | undefined {
  return state === 'none' || state === 'missing' ? undefined : state;
}

function callLabel(view: LanesView, call: number): string {
  if (call < 0) return '';
  const seq = view.calls.seq[call] ?? -1;
  const op = view.strings[view.calls.op[call] ?? -1] ?? '';
  return seq < 0 ? op : `${op} #${seq}`;
}

function figureLane(lane: Lane | undefined, bars: readonly FigureBar[]): FigureLane {
  const label = lane?.rank == null ? (lane?.node ?? '') : `rank ${lane.rank}`;
  const why =
    bars.length > 0 || lane === undefined
      ? null
      : lane.dump === 'present'
        ? 'no call in this span'
        : `recorder dump: ${lane.dump}`;
  return { label, first: lane?.role === 'first', bars, missing: why };
}

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300].map((seconds) => seconds * S);

function ticks(view: LanesView, span: Span): Figure['ticks'] {
  const step = STEPS.find((one) => (span.to - span.from) / one <= 6) ?? 600 * S;
  const origin = BigInt(view.originNs);
  const zero = Number(origin % BigInt(step));
  const out: { at: number; label: string }[] = [];
  for (let at = Math.ceil((span.from + zero) / step) * step - zero; at < span.to; at += step) {
    const iso = formatEpochNs(epochNs(origin + BigInt(Math.round(at))), 3);
    out.push({ at: (at - span.from) / (span.to - span.from), label: iso.slice(11, step < S ? 23 : 19) });
  }
  return out;
}

function caption(
  view: LanesView,
  { span, chosen, moment }: { readonly span: Span; readonly chosen: readonly number[]; readonly moment: Moment },
): string {
  const iso = (ns: number): string => formatEpochNs(epochNs(BigInt(view.originNs) + BigInt(Math.round(ns))), 3);
  const ranks = view.lanes.filter(({ kind }) => kind === 'rank').length;
  const raw = chosen.flatMap((i) => {
    const lane = view.lanes[i];
    const known = lane !== undefined && (view.clocks[lane.clock]?.offsetNs ?? null) !== null;
    return lane === undefined || lane.rank === null || known ? [] : [lane.rank];
  });
  const known = moment.clock?.offsetNs != null;
  const what = moment.isFault ? 'the moment of the fault' : 'the first wait';
  const bound = moment.half === null ? 'not bounded' : boundText(moment.half / 1e6);
  const basis = known ? `corrected, ${what} ${bound}` : 'raw stamps of each clock';
  const rawWords = known && raw.length > 0 ? `; raw: ranks ${formatRanks(raw)}` : '';
  const line = moment.isFault
    ? 'Red line: first fault.'
    : 'No fault has a time: shown where the first rank began to wait.';
  return `${iso(span.from).slice(0, 10)} ${iso(span.from).slice(11, 23)} to ${iso(span.to).slice(11, 23)} UTC, ${basis}${rawWords}. ${formatCount(chosen.length)} of ${formatCount(ranks)} ranks; filter: none. ${line} Hatched amber: waits. Solid grey: completed. Dashed: never enqueued. Grey hatch: not recorded.`;
}
