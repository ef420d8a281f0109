/** Words of the timeline: what tooltip, inspector line, table and screen reader say of lanes, calls and instants. */
import type { TimelineCall, TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { formatCount, formatDurationMs, plural } from '#shared/text/format.ts';
import {
  boundHalfNs,
  type FaultOrder,
  type Lane,
  type LaneBasis,
  type LaneMark,
  orderToFault,
  SLICE_STATES,
  type SliceState,
  shiftOf,
} from '#shared/views/lanes/index.ts';
import { escapeText } from '../escape-text.ts';
import { formatBound } from '../times.ts';

export const STATE_WORDS: Readonly<Record<SliceState, string>> = {
  none: 'nothing recorded',
  completed: 'completed',
  ended: 'ended, result unknown',
  enqueued: 'enqueued',
  missing: 'not recorded',
  waiting: 'waiting',
  differs: 'differs from its peers',
  failed: 'failed',
  'never-enqueued': 'never enqueued',
  first: 'first',
};

export const stateOf = (index: number): SliceState => SLICE_STATES[index] ?? 'none';

export const ROLE_WORDS = { first: 'first', victim: 'waits', bystander: '', unknown: '' } as const;

/** `rank 12`, `kernel and host`, `cluster events`. */
export function laneTitle(lane: Lane): string {
  switch (lane.kind) {
    case 'rank':
      return `rank ${lane.rank}`;
    case 'node':
      return 'node log';
    case 'cluster':
      return 'Cluster events';
    case 'other':
      return 'Without a rank';
  }
}

/** The word beside the name: part it plays, else what of its dump is missing. */
export function laneWord(lane: Lane, anyDump: boolean): string {
  if (lane.kind !== 'rank') return '';
  if (lane.role === 'first') return 'first';
  const missing = missingWord(lane);
  if (anyDump && missing !== null) return missing;
  return ROLE_WORDS[lane.role];
}

function missingWord(lane: Lane): string | null {
  switch (lane.dump) {
    case 'present':
    case 'truncated':
      return null;
    case 'absent':
      return 'no dump';
    case 'empty':
      return 'dump empty';
    case 'failed':
      return 'dump unread';
    case 'refused':
      return 'dump refused';
    case 'no-times':
      return 'no times';
  }
}

/** Why nothing is drawn on a rank's lane; null if its records are there. */
export function missingReason(
  lane: Lane,
): { readonly pattern: 'no-file' | 'no-records'; readonly text: string } | null {
  if (lane.kind !== 'rank') return null;
  switch (lane.dump) {
    case 'present':
    case 'truncated':
      return null;
    case 'absent':
      return { pattern: 'no-file', text: `no recorder file of rank ${lane.rank}` };
    case 'empty':
      return { pattern: 'no-records', text: 'file present, no records (0 bytes)' };
    case 'failed':
      return { pattern: 'no-records', text: 'file present, not readable' };
    case 'refused':
      return { pattern: 'no-records', text: 'file refused, nothing of it was read' };
    case 'no-times':
      return { pattern: 'no-records', text: 'file present, its records carry no time' };
  }
}

/** Nothing of the rank is there to draw: no call, no event, no line of its own. */
export const isBare = (lane: Lane): boolean =>
  lane.callFrom === lane.callTo && lane.instantFrom === lane.instantTo && lane.logFromNs === null;

/** `GPU 3` out of `3 (0000:9d:00.0)`. */
export function gpuWord(lane: Lane): string {
  if (lane.gpu === null) return '';
  const index = /^\d+/.exec(lane.gpu)?.[0];
  return index === undefined ? '' : `GPU ${index}`;
}

/** `allreduce #4812`, `stops`, `gloo recv`. */
export function callTitle(call: Pick<TimelineCall, 'op' | 'seq'>): string {
  const op = escapeText(call.op === '' ? 'call' : call.op);
  return call.seq < 0 ? op : `${op} #${call.seq}`;
}

/** What can be said of a call's end: `took 1.204 s`, `no end is recorded`, `not ended when last seen`. */
export function callEnd(call: TimelineCall): string {
  const state = stateOf(call.state);
  if (call.endNs !== null) return `took ${spanWords(call.endNs - call.startNs)}`;
  if (state === 'completed' || state === 'ended') return 'its end is not recorded';
  return 'not ended when last seen';
}

export function spanWords(ns: number): string {
  const ms = Math.abs(ns) / 1e6;
  if (ms < 1) return `${Number((ms * 1000).toFixed(ms < 0.01 ? 1 : 0))} µs`;
  if (ms < 1000) return `${Number(ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0))} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(3)} s` : formatDurationMs(ms);
}

/** `±38 ms`, `raw, clock of gpu-a17`, `raw, clock unknown`: never a bare time. */
export function boundWords(index: TimelineIndex, clock: number, atNs: number, basis: LaneBasis): string {
  const known = index.clocks[clock];
  if (known === undefined) return 'raw, clock unknown';
  const name = escapeText(known.id);
  if (basis === 'raw') return `raw, ${name}`;
  if (known.offsetNs === null) return `raw, ${name} is related to no other clock`;
  const half = boundHalfNs(known, atNs + shiftOf(index, clock, basis));
  return half === null ? 'corrected, bound open' : half === 0 ? `${name}, the reference` : formatBound(half / 1e6);
}

export const faultOf = (index: TimelineIndex): LaneMark | undefined =>
  index.marks.find((mark) => mark.kind === 'fault');

/** Order of a moment on a lane's clock to the first fault; undefined where nothing can be said at all. */
export function orderOfMoment(
  index: TimelineIndex,
  clock: number,
  atNs: number,
  basis: LaneBasis,
): FaultOrder | undefined {
  const fault = faultOf(index);
  if (fault === undefined) return undefined;
  return orderToFault(index.clocks[clock], atNs + shiftOf(index, clock, basis), {
    atNs: fault.atNs,
    clock: index.clocks[fault.clock],
  });
}

/** `41 ms before the first fault`, `likely after …`, `order to the first fault not determined (gap 4 ms, bound 38 ms)`. */
export function orderWords(order: FaultOrder | undefined): string {
  if (order === undefined) return 'order to the first fault not determined';
  const gap = spanWords(order.gapNs);
  const side = order.side < 0 ? 'before' : 'after';
  if (order.order === 'certain') return order.side === 0 ? 'at the first fault' : `${gap} ${side} the first fault`;
  if (order.order === 'likely') return `likely ${side} the first fault, by ${gap}`;
  const half = order.low === null || order.high === null ? 'open' : spanWords((order.high - order.low) / 2);
  return `order to the first fault not determined (gap ${gap}, bound ${half})`;
}

/** What a screen reader hears when a call is selected. */
export function spokenCall(index: TimelineIndex, call: TimelineCall, time: string, basis: LaneBasis): string {
  const lane = index.lanes[call.lane];
  const clock = lane?.clock ?? -1;
  const bound = boundWords(index, clock, call.startNs, basis).replace('±', 'plus or minus ');
  const order = faultOf(index) === undefined ? '' : `, ${orderWords(orderOfMoment(index, clock, call.startNs, basis))}`;
  return `${lane === undefined ? '' : laneTitle(lane)}, ${callTitle(call)}, ${STATE_WORDS[stateOf(call.state)]}, ${time}, ${bound}${order}`;
}

/** `7 wait, 1 first, 1 without dump` of a section. */
export function sectionWords(lanes: readonly Lane[], anyDump: boolean): string {
  const ranks = lanes.filter((lane) => lane.kind === 'rank');
  const count = (keep: (lane: Lane) => boolean): number => ranks.filter(keep).length;
  const parts = [
    [count((lane) => lane.role === 'first'), 'first'],
    [count((lane) => lane.role === 'victim'), 'wait'],
    [anyDump ? count((lane) => lane.dump !== 'present' && lane.dump !== 'truncated') : 0, 'without records'],
  ] as const;
  const told = parts.filter(([n]) => n > 0).map(([n, word]) => `${formatCount(n)} ${word}`);
  const total = `${formatCount(ranks.length)} ${ranks.length === 1 ? 'rank' : 'ranks'}`;
  return told.length === 0 ? total : `${total}: ${told.join(', ')}`;
}

/** `pod trainer-0, clock +55 ms ±38 ms`. */
export function sectionClock(index: TimelineIndex, clock: number, basis: LaneBasis): string {
  const known = index.clocks[clock];
  if (known === undefined) return 'clock unknown, raw times';
  if (basis === 'raw') return 'raw clock';
  if (known.reference) return 'reference clock';
  if (known.offsetNs === null) return 'clock not related, raw times';
  const sign = known.offsetNs.estimate < 0 ? '−' : '+';
  const half = boundHalfNs(known, known.momentNs ?? 0);
  return `clock ${sign}${spanWords(known.offsetNs.estimate)} ${half === null ? 'bound open' : formatBound(half / 1e6)}`;
}

export const MARK_WORDS: Readonly<Record<LaneMark['kind'], string>> = {
  fault: 'First fault',
  watchdog: 'Watchdog',
  restart: 'Restart',
  'out-of-memory': 'Out of memory',
  evicted: 'Evicted',
  'gpu-error': 'GPU error',
  'node-lost': 'Node lost',
  exit: 'Exit',
};

/** `4.2 s, 3 lanes`; no lanes = it was dragged over all of them. */
export const areaWords = (ns: number, lanes: number): string =>
  lanes === 0 ? spanWords(ns) : `${spanWords(ns)}, ${plural(lanes, 'lane')}`;
