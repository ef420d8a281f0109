/**
 * Where every rank stands at one moment, and how many wait over time. Both read the same spans, so that the legend of a moment and the curve
 * agree.
 *
 *   rank 3   ▬ ▬▬ ▬ ├──── waiting ────► exit         blocking calls: few, looked through
 *            completed: found by its start, since only the ones that overlap the moment matter
 *
 * A moment costs O(ranks · log calls): below 16 ms for 4,096 ranks of 2,000 calls each.
 */
import {
  boundHalfNs,
  firstAfter,
  isLaneMissing,
  type Lane,
  type LaneBasis,
  type LanesView,
  SEVERITIES,
  STATE,
  shiftOf,
  spanIndex,
} from '../lanes/index.ts';
import { rankLanes } from './table.ts';
import { type Moment, type MomentColour, STANDING, type StoredRanks } from './types.ts';

export interface MomentQuestion {
  readonly basis: LaneBasis;
  readonly at: number;
  readonly colour: MomentColour;
  /** Index into the groups: whose newest call is asked for; null = any. */
  readonly group: number | null;
}

const BLOCK = 64;

interface MomentIndex {
  /** Indices of lanes, by rank. */
  readonly lanes: readonly number[];
  /** Blocking calls of each of them, by start. */
  readonly blocking: readonly Int32Array[];
  /** Greatest end of all calls of a lane up to and with a block; first block of each lane of `lanes`. */
  readonly firstBlock: Int32Array;
  readonly endUpTo: Float64Array;
  readonly anyDump: boolean;
  /** Raw ns at which the lane's node was lost; +Infinity = never. On the clock of the API server. */
  readonly lostAt: Float64Array;
  readonly api: number;
  /** The call that makes a lane's rank the first one, the earliest; -1 = none. */
  readonly firstCall: Int32Array;
}

const INDEXES = new WeakMap<LanesView, MomentIndex>();

/** A cache over the views alone; `stored` belongs to the same case. */
function momentIndex(view: LanesView, stored: StoredRanks | undefined): MomentIndex {
  const known = INDEXES.get(view);
  if (known !== undefined) return known;
  const made = buildIndex(view, stored);
  INDEXES.set(view, made);
  return made;
}

function buildIndex(view: LanesView, stored: StoredRanks | undefined): MomentIndex {
  const lanes = rankLanes(view);
  const spans = spanIndex(view);
  const byLane = new Map<number, number[]>();
  for (const { lane, call } of spans.blocking) {
    const list = byLane.get(lane) ?? [];
    byLane.set(lane, list);
    list.push(call);
  }
  const firstBlock = new Int32Array(lanes.length + 1);
  lanes.forEach((lane, i) => {
    const row = view.lanes[lane];
    firstBlock[i + 1] = (firstBlock[i] ?? 0) + Math.ceil(((row?.callTo ?? 0) - (row?.callFrom ?? 0)) / BLOCK);
  });
  const endUpTo = new Float64Array(firstBlock[lanes.length] ?? 0);
  lanes.forEach((lane, i) => {
    const row = view.lanes[lane];
    let most = Number.NEGATIVE_INFINITY;
    for (let call = row?.callFrom ?? 0; call < (row?.callTo ?? 0); call++) {
      most = Math.max(most, spans.drawnEndNs[call] ?? 0);
      endUpTo[(firstBlock[i] ?? 0) + Math.floor((call - (row?.callFrom ?? 0)) / BLOCK)] = most;
    }
  });
  const lost = new Map(stored?.lost.map(({ node, atNs }) => [node, atNs]));
  return {
    lanes,
    blocking: lanes.map((lane) => Int32Array.from(byLane.get(lane) ?? [])),
    firstBlock,
    endUpTo,
    anyDump: lanes.some((lane) => view.lanes[lane]?.dump !== 'absent'),
    lostAt: Float64Array.from(lanes, (lane) => lost.get(view.lanes[lane]?.node ?? '') ?? Number.POSITIVE_INFINITY),
    api: view.clocks.findIndex((clock) => clock.kind === 'api'),
    firstCall: Int32Array.from(lanes, (lane) =>
      (byLane.get(lane) ?? []).reduce(
        (best, call) =>
          view.calls.state[call] === STATE.first &&
          (best < 0 || (view.calls.startNs[call] ?? 0) < (view.calls.startNs[best] ?? 0))
            ? call
            : best,
        -1,
      ),
    ),
  };
}

/** The call that decides a standing, and since when (raw, on the lane's clock; NaN = not known). */
interface Found {
  call: number;
  since: number;
}

export function momentOf(view: LanesView, stored: StoredRanks | undefined, question: MomentQuestion): Moment {
  const { basis, at } = question;
  const index = momentIndex(view, stored);
  const count = index.lanes.length;
  const answer = {
    standing: new Uint8Array(count),
    group: new Int32Array(count).fill(-1),
    seq: new Int32Array(count).fill(-1),
    op: new Int32Array(count).fill(-1),
    sinceNs: new Float64Array(count).fill(Number.NaN),
    boundNs: new Float64Array(count).fill(Number.NaN),
  };
  const values = question.colour === 'state' ? null : new Float64Array(count).fill(Number.NaN);
  const texts: string[] = [];
  const textOf = new Map<number, number>();
  const fault = view.marks.find((mark) => mark.kind === 'fault');
  const faultAt = fault === undefined ? undefined : fault.atNs - shiftOf(view, fault.clock, basis);
  const found: Found = { call: -1, since: Number.NaN };
  for (let i = 0; i < count; i++) {
    const lane = view.lanes[index.lanes[i] ?? -1];
    if (lane === undefined) continue;
    const shift = shiftOf(view, lane.clock, basis);
    const lostAt = (index.lostAt[i] ?? 0) - shiftOf(view, index.api, basis) + shift;
    answer.standing[i] = standingOf(
      { view, index, i, lane, at: at + shift, lostAt, faultAt: faultAt === undefined ? undefined : faultAt + shift },
      found,
    );
    answer.sinceNs[i] = found.since - shift;
    answer.boundNs[i] =
      boundHalfNs(view.clocks[lane.clock], Number.isNaN(found.since) ? at + shift : found.since) ?? Number.NaN;
    if (found.call >= 0) {
      answer.group[i] = view.calls.group[found.call] ?? -1;
      answer.seq[i] = view.calls.seq[found.call] ?? -1;
      const op = view.calls.op[found.call] ?? -1;
      const known = textOf.get(op) ?? texts.push(view.strings[op] ?? '') - 1;
      textOf.set(op, known);
      answer.op[i] = known;
    }
    if (values !== null)
      values[i] =
        question.colour === 'errors'
          ? errorsUpTo(view, lane, at, basis)
          : newestSeq(view, lane, at + shift, question.group);
  }
  return { at, ...answer, values, texts };
}

interface LaneMoment {
  readonly view: LanesView;
  readonly index: MomentIndex;
  readonly i: number;
  readonly lane: Lane;
  /** Raw, on the lane's clock, as are the two below. */
  readonly at: number;
  readonly lostAt: number;
  readonly faultAt: number | undefined;
}

/** The standing; `out` gets the call that decides and since when. */
function standingOf(moment: LaneMoment, out: Found): number {
  const { view, index, i, lane, at, lostAt, faultAt } = moment;
  const { startNs, state } = view.calls;
  const { drawnEndNs } = spanIndex(view);
  const set: Setter = (standing, call, since) => {
    out.call = call;
    out.since = since;
    return standing;
  };
  const last = firstAfter(startNs, at, lane.callFrom, lane.callTo) - 1;
  const newest = last >= lane.callFrom ? last : -1;
  // What stands between the others: the worst call that does not end.
  let [worst, worstCall] = [0, -1];
  for (const call of index.blocking[i] ?? []) {
    if ((startNs[call] ?? 0) > at) continue;
    const what = state[call] ?? 0;
    if ((drawnEndNs[call] ?? 0) > at && what > worst) [worst, worstCall] = [what, call];
  }
  if (lane.role === 'first') {
    const own = index.firstCall[i] ?? -1;
    const from = Math.min(
      own < 0 ? Number.POSITIVE_INFINITY : (startNs[own] ?? 0),
      faultAt ?? Number.POSITIVE_INFINITY,
    );
    const call = own >= 0 ? own : worstCall >= 0 ? worstCall : newest;
    // A fault without a moment stands at every moment.
    if (from === Number.POSITIVE_INFINITY) return set(STANDING.first, call, Number.NaN);
    if (at >= from) return set(STANDING.first, call, from);
  }
  if (at >= lostAt) return set(STANDING.lost, newest, lostAt);
  const exit = lane.exit?.atNs ?? null;
  if (exit !== null && at >= exit) return set(STANDING.exited, newest, exit);
  if (worstCall >= 0) return set(BLOCKING[worst] ?? STANDING.waiting, worstCall, startNs[worstCall] ?? Number.NaN);
  if (isLaneMissing(lane)) return missing(moment, set);
  if (lane.heldFromNs !== null && at < lane.heldFromNs) return set(STANDING.overwritten, -1, Number.NaN);
  if (newest < 0) return set(STANDING.before, -1, Number.NaN);
  const open = openAt(moment, newest);
  if (open >= 0) return set(STANDING['in-call'], open, startNs[open] ?? Number.NaN);
  const block = (index.firstBlock[i] ?? 0) + Math.floor((newest - lane.callFrom) / BLOCK);
  const endsInBlock = newest === lane.callTo - 1;
  const sign = Math.max(index.endUpTo[block] ?? 0, lane.openUntilNs ?? 0, lane.logToNs ?? 0);
  if (endsInBlock && at > sign) return set(STANDING.silent, newest, sign);
  return set(STANDING.between, newest, Number.NaN);
}

type Setter = (standing: number, call: number, since: number) => number;

const BLOCKING: readonly number[] = Object.assign(new Array<number>(STATE.first + 1).fill(STANDING.waiting), {
  [STATE.differs]: STANDING.differs,
  [STATE.failed]: STANDING.failed,
  [STATE.neverEnqueued]: STANDING.absent,
  [STATE.first]: STANDING.absent,
});

function missing({ index, lane, at }: LaneMoment, set: Setter): number {
  const { logFromNs: from, logToNs: to } = lane;
  // Where others have recorders, the missing one is what matters; where nobody has, the log is all there is.
  if (!index.anyDump && from !== null && to !== null) {
    if (at < from) return set(STANDING.before, -1, Number.NaN);
    return at <= to ? set(STANDING.logging, -1, Number.NaN) : set(STANDING.silent, -1, to);
  }
  return set(lane.dump === 'absent' ? STANDING['no-file'] : STANDING['no-records'], -1, Number.NaN);
}

/** A call that began before and ends later; -1 = none. */
function openAt({ view, index, i, lane, at }: LaneMoment, newest: number): number {
  const { drawnEndNs } = spanIndex(view);
  const first = index.firstBlock[i] ?? 0;
  let call = newest;
  for (let block = Math.floor((newest - lane.callFrom) / BLOCK); block >= 0; block--) {
    // Nothing up to here reaches the moment.
    if ((index.endUpTo[first + block] ?? 0) < at) return -1;
    const start = lane.callFrom + block * BLOCK;
    for (; call >= start; call--) if ((drawnEndNs[call] ?? 0) >= at) return call;
  }
  return -1;
}

function errorsUpTo(view: LanesView, lane: Lane, at: number, basis: LaneBasis): number {
  const least = SEVERITIES.indexOf('error');
  const { severity, atNs, clock } = view.instants;
  let count = 0;
  for (let k = lane.instantFrom; k < lane.instantTo; k++)
    if ((severity[k] ?? 0) >= least && (atNs[k] ?? 0) - shiftOf(view, clock[k] ?? -1, basis) <= at) count += 1;
  return count;
}

/** Newest call of a group that was enqueued up to `at` (raw); NaN = none is recorded. */
function newestSeq(view: LanesView, lane: Lane, at: number, group: number | null): number {
  const { startNs, seq, group: of } = view.calls;
  for (let call = firstAfter(startNs, at, lane.callFrom, lane.callTo) - 1; call >= lane.callFrom; call--)
    if ((seq[call] ?? -1) >= 0 && (group === null || of[call] === group) && (view.calls.record[call] ?? -1) !== -1)
      return seq[call] ?? Number.NaN;
  return Number.NaN;
}

export interface CurveQuestion {
  readonly basis: LaneBasis;
  readonly from: number;
  readonly to: number;
  readonly columns: number;
}

/** Ranks that wait at the start of each column, as `momentOf` counts them. O(ranks · blocking calls), whatever the columns. */
export function waitingCurve(
  view: LanesView,
  stored: StoredRanks | undefined,
  { basis, from, to, columns }: CurveQuestion,
): Float64Array {
  const change = new Float64Array(columns + 1);
  const index = momentIndex(view, stored);
  const { drawnEndNs } = spanIndex(view);
  const found: Found = { call: -1, since: Number.NaN };
  const fault = view.marks.find((mark) => mark.kind === 'fault');
  const faultAt = fault === undefined ? undefined : fault.atNs - shiftOf(view, fault.clock, basis);
  const column = (at: number): number =>
    Math.max(0, Math.min(columns, Math.ceil(((at - from) / (to - from)) * columns)));
  for (const [i, at] of index.lanes.entries()) {
    const lane = view.lanes[at];
    const blocking = index.blocking[i];
    if (lane === undefined || blocking === undefined || blocking.length === 0) continue;
    const shift = shiftOf(view, lane.clock, basis);
    const lostAt = (index.lostAt[i] ?? 0) - shiftOf(view, index.api, basis) + shift;
    const faultHere = faultAt === undefined ? undefined : faultAt + shift;
    // Between these moments nothing changes for this rank.
    const edges = [lostAt, lane.exit?.atNs ?? Number.NaN, faultHere ?? Number.NaN];
    for (const call of blocking) edges.push(view.calls.startNs[call] ?? 0, drawnEndNs[call] ?? 0);
    const known = edges.filter((edge) => !Number.isNaN(edge)).sort((a, b) => a - b);
    for (const [k, edge] of known.entries()) {
      const [a, b] = [column(edge - shift), column((known[k + 1] ?? Number.POSITIVE_INFINITY) - shift)];
      if (a >= b) continue;
      const moment = {
        view,
        index,
        i,
        lane,
        at: from + (a / columns) * (to - from) + shift,
        lostAt,
        faultAt: faultHere,
      };
      if (standingOf(moment, found) !== STANDING.waiting) continue;
      change[a] = (change[a] ?? 0) + 1;
      change[b] = (change[b] ?? 0) - 1;
    }
  }
  let sum = 0;
  return change.slice(0, columns).map((by) => {
    sum += by;
    return sum;
  });
}
