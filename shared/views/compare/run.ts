/**
 * What the stored views of one case tell of its run over time, for laying two runs over each other: the sets of ranks that stand alike, the
 * steps that lines print, and the moment of any call. Pure; times are ns relative to the case's origin.
 */
import { type LanesView, STATE, shiftOf } from '../lanes/index.ts';
import {
  type BothBases,
  momentOf,
  type RanksIndex,
  type RanksLink,
  STANDINGS,
  type Standing,
  type StoredRanks,
  waitingCurve,
} from '../ranks/index.ts';
import { rankLanes } from '../ranks/table.ts';

/** Ranks that stand alike where most wait; the lane of one of them stands for all. */
export interface LaneSet {
  /** Index into the lanes of the case, and the rank of that lane. */
  readonly lane: number;
  readonly rank: number;
  /** Its calls are recorded; else its log is all there is. */
  readonly recorded: boolean;
  /** Ascending. */
  readonly ranks: readonly number[];
  readonly standing: Standing;
  /** For whom it waits, where it waits in a group that is known. */
  readonly link: RanksLink | null;
  /** The call that decides: group, operation, number; null = none. As the bundle wrote it. */
  readonly call: { readonly group: string; readonly op: string; readonly seq: number | null } | null;
}

export interface LaneSets {
  /** Worst standing first, then the larger set. */
  readonly sets: readonly LaneSet[];
  /** When they stand so, corrected. */
  readonly at: number;
}

/** Over the whole case: enough to find the moment at which most wait. */
const COLUMNS = 240;

/** Null: the case has no rank with a time. Cost: one curve and one moment of the map of ranks. */
export function laneSets(view: LanesView, stored: StoredRanks | undefined, { time }: RanksIndex): LaneSets | null {
  if (time === null || time.ranks.length === 0) return null;
  const at = momentOfSets(view, stored, time);
  const moment = momentOf(view, stored, { basis: 'corrected', at, colour: 'state', group: null });
  const lanes = rankLanes(view);
  const sets = new Map<string, { readonly standing: Standing; readonly link: number; readonly members: number[] }>();
  lanes.forEach((_, i) => {
    const standing = STANDINGS[moment.standing[i] ?? 0] ?? 'between';
    const group = time.groups[moment.group[i] ?? -1];
    const link = standing === 'waiting' ? (group?.link ?? -1) : -1;
    const key = `${standing} ${link} ${standing === 'waiting' && link < 0 ? (group?.kind ?? '') : ''}`;
    const known = sets.get(key) ?? { standing, link, members: [] };
    sets.set(key, known);
    known.members.push(i);
  });
  const made = [...sets.values()].map(({ standing, link, members }): LaneSet => {
    const drawn = members.find((i) => hasCalls(view, lanes[i])) ?? mostLines(view, lanes, members);
    const group = time.groups[moment.group[drawn] ?? -1];
    const seq = moment.seq[drawn] ?? -1;
    return {
      lane: lanes[drawn] ?? 0,
      rank: time.ranks[drawn] ?? 0,
      recorded: hasCalls(view, lanes[drawn]),
      ranks: members.map((i) => time.ranks[i] ?? 0),
      standing,
      link: time.links[link] ?? null,
      call:
        group === undefined
          ? null
          : {
              group: group.desc || group.name,
              op: moment.texts[moment.op[drawn] ?? -1] ?? '',
              seq: seq < 0 ? null : seq,
            },
    };
  });
  const order = (one: LaneSet): number => STANDINGS.indexOf(one.standing);
  made.sort((a, b) => order(a) - order(b) || b.ranks.length - a.ranks.length || (a.ranks[0] ?? 0) - (b.ranks[0] ?? 0));
  return { sets: made, at };
}

const hasCalls = (view: LanesView, lane: number | undefined): boolean => {
  const row = view.lanes[lane ?? -1];
  return row !== undefined && row.callTo > row.callFrom;
};

/** Without a recorded call the lane with most lines shows most; the lowest rank of equal ones. */
function mostLines(view: LanesView, lanes: readonly number[], members: readonly number[]): number {
  const lines = (i: number): number => {
    const row = view.lanes[lanes[i] ?? -1];
    return row === undefined ? 0 : row.instantTo - row.instantFrom;
  };
  return members.reduce((best, i) => (lines(i) > lines(best) ? i : best), members[0] ?? 0);
}

/** The first moment at which most wait; where nobody does, the fault, else the middle: at its end a run that went well is over. */
function momentOfSets(
  view: LanesView,
  stored: StoredRanks | undefined,
  { spans, fault }: NonNullable<RanksIndex['time']>,
): number {
  const { from, to } = spans.corrected;
  if (view.calls.length > 0 && to > from) {
    const curve = waitingCurve(view, stored, { basis: 'corrected', from, to, columns: COLUMNS });
    const most = curve.reduce((a, b) => Math.max(a, b), 0);
    if (most > 0) return from + (curve.indexOf(most) / COLUMNS) * (to - from);
  }
  return fault?.at.corrected ?? (from + to) / 2;
}

/** Calls of a lane that its pace is taken from: the last ones before it stands still. */
const PACE_CALLS = 60;

/** Usual time from one call to the next of the recorded lane that made most, before its last call; ns. Null: no lane has three calls. */
export function callPaceNs(view: LanesView): number | null {
  let best: { readonly from: number; readonly to: number } | null = null;
  for (const at of rankLanes(view)) {
    const lane = view.lanes[at];
    if (lane === undefined || lane.callTo - lane.callFrom <= (best === null ? 2 : best.to - best.from)) continue;
    best = { from: lane.callFrom, to: lane.callTo };
  }
  if (best === null) return null;
  const last = best.to - 2;
  const first = Math.max(best.from, last - PACE_CALLS);
  const { startNs } = view.calls;
  return last > first ? ((startNs[last] ?? 0) - (startNs[first] ?? 0)) / (last - first) : null;
}

/** A line that prints a step. */
export interface StepLine {
  readonly entry: number;
  readonly rank: number | null;
  readonly step: number;
  /** ns from the origin of the lanes. */
  readonly rawNs: number;
}

export interface RunSteps {
  /** When a rank first printed each step. */
  readonly at: ReadonlyMap<number, BothBases>;
  /** The farthest one; null = no line prints a step. */
  readonly last: number | null;
  /** Usual time a step, ns, on the clock of one file; null = not known. */
  readonly usualNs: number | null;
}

/** Lines in any order. Lines of files whose clock is unknown keep their raw time. */
export function runSteps(view: LanesView, lines: readonly StepLine[]): RunSteps {
  const clocks = new Map(view.files.map(({ entry, clock }) => [entry, clock]));
  const at = new Map<number, BothBases>();
  const byFile = new Map<number, StepLine[]>();
  for (const line of lines) {
    const corrected = line.rawNs - shiftOf(view, clocks.get(line.entry) ?? -1, 'corrected');
    const known = at.get(line.step);
    if (known === undefined || corrected < known.corrected) at.set(line.step, { raw: line.rawNs, corrected });
    const file = byFile.get(line.entry) ?? [];
    byFile.set(line.entry, file);
    file.push(line);
  }
  const last = [...at.keys()].reduce((a, b) => Math.max(a, b), -1);
  return { at, last: last < 0 ? null : last, usualNs: usualStep([...byFile.values()]) };
}

/** The median over the file that prints most; ties by its first stamp. */
function usualStep(files: readonly (readonly StepLine[])[]): number | null {
  const [lines] = [...files].sort((a, b) => b.length - a.length || (a[0]?.rawNs ?? 0) - (b[0]?.rawNs ?? 0));
  const ordered = [...(lines ?? [])].sort((a, b) => a.rawNs - b.rawNs || a.step - b.step);
  const times: number[] = [];
  for (let i = 1; i < ordered.length; i++) {
    const [before, here] = [ordered[i - 1], ordered[i]];
    const steps = (here?.step ?? 0) - (before?.step ?? 0);
    // Backwards: the job was started again.
    if (steps > 0) times.push(((here?.rawNs ?? 0) - (before?.rawNs ?? 0)) / steps);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1] ?? null;
}

/** The farthest step that both print; null = there is none. */
export function sharedStep(a: RunSteps, b: RunSteps): number | null {
  const both = [...a.at.keys()].filter((step) => b.at.has(step));
  return both.length === 0 ? null : both.reduce((x, y) => Math.max(x, y));
}

/** Calls of one group as one rank recorded them: what two runs of one program have alike. */
export interface CallStream {
  readonly group: string;
  readonly size: number;
  /** Operation by number, without the library's prefix. */
  readonly ops: ReadonlyMap<number, string>;
  /** When any rank first enqueued it. */
  readonly at: ReadonlyMap<number, BothBases>;
}

const PREFIX = /^\w+:/;

/** The largest groups of the case, at most `most`, by the rank that holds most of each. Cost: one pass over all calls. */
export function callStreams(view: LanesView, most: number): readonly CallStream[] {
  const names = new Set<string>();
  const chosen = view.groups
    .map((group, i) => ({ group, i }))
    .sort((a, b) => b.group.size - a.group.size || a.i - b.i)
    // Of groups that are called alike the first stands for all.
    .filter(({ group }) => !names.has(group.desc || group.name) && names.add(group.desc || group.name))
    .slice(0, most);
  const wanted = new Set(chosen.map(({ i }) => i));
  const counts = new Map<number, { lane: number; count: number }>();
  const at = new Map<number, Map<number, BothBases>>();
  const { calls } = view;
  for (const laneAt of rankLanes(view)) {
    const lane = view.lanes[laneAt];
    if (lane === undefined) continue;
    const shift = shiftOf(view, lane.clock, 'corrected');
    const own = new Map<number, number>();
    for (let call = lane.callFrom; call < lane.callTo; call++) {
      const group = calls.group[call] ?? -1;
      const seq = calls.seq[call] ?? -1;
      if (seq < 0 || !wanted.has(group) || isNotMade(calls.state[call] ?? 0, view.strings[calls.op[call] ?? -1]))
        continue;
      own.set(group, (own.get(group) ?? 0) + 1);
      const moments = at.get(group) ?? new Map<number, BothBases>();
      at.set(group, moments);
      const raw = calls.startNs[call] ?? 0;
      const known = moments.get(seq);
      if (known === undefined || raw - shift < known.corrected) moments.set(seq, { raw, corrected: raw - shift });
    }
    for (const [group, count] of own)
      if (count > (counts.get(group)?.count ?? 0)) counts.set(group, { lane: laneAt, count });
  }
  return chosen.flatMap(({ group, i }): CallStream[] => {
    const lane = view.lanes[counts.get(i)?.lane ?? -1];
    if (lane === undefined) return [];
    const ops = new Map<number, string>();
    for (let call = lane.callFrom; call < lane.callTo; call++) {
      const op = view.strings[calls.op[call] ?? -1] ?? '';
      if (calls.group[call] === i && (calls.seq[call] ?? -1) >= 0 && !isNotMade(calls.state[call] ?? 0, op))
        ops.set(calls.seq[call] ?? 0, op.replace(PREFIX, ''));
    }
    return [{ group: group.desc || group.name, size: group.size, ops, at: at.get(i) ?? new Map() }];
  });
}

/** What a rank never called stands in its lane as well; that of the first rank has another state. */
const isNotMade = (state: number, op: string | undefined): boolean =>
  state === STATE.neverEnqueued || op?.startsWith('never enqueued ') === true;

export interface SharedCall {
  readonly group: string;
  readonly seq: number;
  readonly a: BothBases;
  readonly b: BothBases;
}

/** The call asked for if both hold it, else the last one that both hold, in the largest group of one name; null = none. */
export function sharedCall(
  a: readonly CallStream[],
  b: readonly CallStream[],
  wanted: { readonly group: string; readonly seq: number } | null,
): SharedCall | null {
  const pairs = pairStreams(a, b);
  for (const [x, y] of pairs) {
    if (x.group !== wanted?.group) continue;
    const [one, two] = [x.at.get(wanted.seq), y.at.get(wanted.seq)];
    if (one !== undefined && two !== undefined) return { ...wanted, a: one, b: two };
  }
  for (const [x, y] of pairs) {
    const seq = [...x.at.keys()].reduce((best, known) => (y.at.has(known) ? Math.max(best, known) : best), -1);
    const [one, two] = [x.at.get(seq), y.at.get(seq)];
    if (one !== undefined && two !== undefined) return { group: x.group, seq, a: one, b: two };
  }
  return null;
}

/** Groups of one name; sizes may differ, since a job may have been run at another scale. In the order of `a`. */
export function pairStreams(
  a: readonly CallStream[],
  b: readonly CallStream[],
): readonly (readonly [CallStream, CallStream])[] {
  return a.flatMap((x) => {
    const y = b.find((one) => one.group === x.group);
    return y === undefined ? [] : [[x, y] as const];
  });
}
