/**
 * Compares what the ranks of a job called, group by group, and finds the call at which they parted and the ranks that the
 * others wait for. Start here; the steps stand in files of their own:
 *
 *   dumps ─ dump-view ─ groups ─ positions ─┬─ mismatch, operation-counts      different calls
 *                                           └─ waits ─ roots                   who waits for whom
 *   log lines ─ from-logs ─ log-divergence                                     where dumps do not tell
 *
 * What a result may claim: a rank is named only if it deviates from a majority, or if others wait for it while it waits for nobody.
 * Ranks without a dump are never compared; they appear as roots (`hasDump` false) only if nothing else explains the hang.
 * The order of dumps and events does not matter. Cost: linear in entries and listed members.
 */
import type { CollectivesFact, Divergence, WaitEdge } from '../../model/facts.ts';
import type { Issue } from '../../model/issue.ts';
import { isRooted } from './calls.ts';
import { type CrossOrder, findCrossOrder } from './cross-order.ts';
import { divergenceTable } from './divergence-table.ts';
import { cycleDivergence, missingDivergence, stateDivergence } from './divergences.ts';
import type { DumpRankConflict } from './dump-ranks.ts';
import { type DumpView, STATE_COMPLETED, splitOp, viewDumps } from './dump-view.ts';
import { chooseFirst } from './first.ts';
import { DEFAULT_KEY, type LoggedTimeout, type LogReading, readLogs } from './from-logs.ts';
import { groupFacts } from './group-facts.ts';
import { mergeGroups, worldSizeOf } from './groups.ts';
import type { CollectivesInput } from './input.ts';
import { findByLogs } from './log-roots.ts';
import { CallKeys, findMismatch } from './mismatch.ts';
import { compareOperationCounts, type OperationCounts } from './operation-counts.ts';
import { findP2pMismatch } from './p2p.ts';
import { computePositions, type GroupPositions, type Position } from './positions.ts';
import { describeRoots } from './root-facts.ts';
import { findMissing, findRoots, type Roots, type Suspicion } from './roots.ts';
import { findTotalsMismatch } from './totals.ts';
import { computeWaits, type Waits } from './waits.ts';

export { type DumpRankConflict, type DumpRanks, resolveDumpRanks } from './dump-ranks.ts';
export type { CollectivesInput, RankedDump } from './input.ts';

/** Everything the dumps were turned into; shared by the steps below. */
export interface Comparison {
  readonly views: readonly DumpView[];
  readonly groups: readonly GroupPositions[];
  readonly mismatches: ReadonlyMap<GroupPositions, Divergence>;
  readonly counts: ReadonlyMap<GroupPositions, OperationCounts>;
  readonly waits: Waits;
  readonly logs: LogReading;
  /** Ranks of the job; undefined if neither the dumps nor anything else tells. */
  readonly expected: readonly number[] | undefined;
  /** Ranks that must exist and left no dump that says anything. */
  readonly withoutDump: readonly number[];
  /** Some dump belongs to a rank that nothing tells: it may be that of any rank which seems to have left none. */
  readonly unplaced: boolean;
}

export function computeCollectives(input: CollectivesInput): CollectivesFact {
  const compared = compare(input);
  const { waits, groups } = compared;
  const deviants = [...compared.mismatches.values()].flatMap((one) => one.ranks);
  const given = { waits, deviants, unsure: unsureRanks(compared) };
  const direct = findRoots({ ...given, orderDeviants: orderDeviants(compared) });
  // Only where nothing inside a single group tells: that is the stronger evidence.
  const cross = direct.roots.length === 0 && compared.mismatches.size === 0 ? findCrossOrder(groups) : undefined;
  const roots =
    cross === undefined || cross.divergence.ranks.length === 0
      ? direct
      : findRoots({ ...given, orderDeviants: cross.divergence.ranks });
  const missing =
    roots.roots.length > 0 || roots.cycle.length > 0 || compared.mismatches.size > 0 || cross !== undefined
      ? []
      : findMissing(waits.standing, waits.edges, suspicionOf(compared));
  const divergences = divergencesOf(compared, roots, cross);
  const first = chooseFirst(compared, roots, divergences);
  const byLogs = roots.roots.length === 0 && first === undefined ? findByLogs(compared, missing) : undefined;
  const rootFacts = describeRoots(compared, roots, missing, divergences);
  const allJoined =
    roots.roots.length === 0 &&
    roots.cycle.length === 0 &&
    missing.length === 0 &&
    first === undefined &&
    byLogs === undefined
      ? joinedCall(compared)
      : undefined;
  const shown = groupFacts(compared, divergences, byLogs);
  const table = divergenceTable(groups, shown, first ?? byLogs?.first);
  return {
    groups: shown,
    waits: withMissing(waits, missing),
    roots: byLogs === undefined ? rootFacts : byLogs.roots,
    cycle: roots.cycle,
    first: first ?? byLogs?.first,
    dumpsPresent: compared.views.filter((view) => !view.blank).map((view) => view.rank),
    dumpsExpected: compared.expected,
    onlyActive: isOnlyActive(compared.views, groups),
    allJoined,
    ...(table === undefined ? {} : { table }),
    ...(input.conflicts === undefined || input.conflicts.length === 0 ? {} : { issues: issuesOf(input.conflicts) }),
  };
}

function compare(input: CollectivesInput): Comparison {
  const views = viewDumps(input.dumps);
  const known = input.worldSize ?? worldSizeOf(views.map((view) => view.dump));
  const top = views.reduce((most, view) => Math.max(most, view.rank + 1), 0);
  const present = new Set(views.filter((view) => !view.blank).map((view) => view.rank));
  const all = Array.from({ length: Math.max(known ?? 0, top) }, (_, rank) => rank);
  const withoutDump = all.filter((rank) => !present.has(rank));
  const groups = computePositions(mergeGroups(views, known === undefined ? undefined : all.length), views);
  const logs = readLogs(
    input.events,
    groups.some(({ group }) => !group.isDefault) ? 'others' : groups.length > 0 ? 'default' : 'none',
  );
  const keys = new CallKeys();
  const byRank = new Map<number, Map<string, number>>();
  const rowsOf = (rank: number): Map<string, number> => {
    const rows = byRank.get(rank) ?? new Map<string, number>();
    byRank.set(rank, rows);
    return rows;
  };
  const mismatches = new Map<GroupPositions, Divergence>();
  const counts = new Map<GroupPositions, OperationCounts>();
  for (const where of groups) {
    const mismatch = findMismatch(where, keys, rowsOf, timeoutsOf(logs, where.group));
    if (mismatch !== undefined) mismatches.set(where, mismatch);
    counts.set(where, compareOperationCounts(where));
  }
  const deviants = new Map(
    [...mismatches].flatMap(([where, one]) =>
      one.ranks.length > 0 ? [[where, { seq: one.seq, ranks: one.ranks }] as const] : [],
    ),
  );
  const waits = computeWaits({
    groups,
    timedOut: logs.timedOut,
    deviants,
    byLog: logPlaces(logs),
    possible: withoutDump,
  });
  return {
    views,
    groups,
    mismatches,
    counts,
    waits,
    logs,
    expected: known === undefined ? undefined : all,
    withoutDump,
    unplaced: input.dumps.some((one) => one.rank === undefined),
  };
}

function issuesOf(conflicts: readonly DumpRankConflict[]): Issue[] {
  return conflicts.map(({ code, source, detail }) => ({
    code,
    severity: 'warning',
    entry: source.entry,
    path: undefined,
    source: undefined,
    count: 1,
    detail,
  }));
}

function logPlaces(logs: LogReading): (name: string, isDefault: boolean, rank: number) => number | undefined {
  return (name, isDefault, rank) => {
    const group = logs.groups.get(isDefault ? 'default' : name);
    const member = group?.members.get(rank);
    if (group === undefined || member === undefined) return undefined;
    const counted = group.p2p ? undefined : member.counters?.lastEnqueued;
    const waiting = member.timeout?.seq;
    return counted === undefined ? waiting : Math.max(counted, waiting ?? counted);
  };
}

/** By rank, the call of a group in which it timed out by its own words. Lines that name no group are not counted as this one's. */
function timeoutsOf(
  { groups }: LogReading,
  { isDefault, name }: { readonly isDefault: boolean; readonly name: string },
): ReadonlyMap<number, LoggedTimeout> {
  const group = groups.get(isDefault ? DEFAULT_KEY : name);
  return new Map(
    [...(group?.members.values() ?? [])].flatMap(({ rank, timeout }) =>
      timeout === undefined ? [] : [[rank, timeout] as const],
    ),
  );
}

const orderDeviants = (compared: Comparison): number[] =>
  [...compared.counts.values()].flatMap((one) => (one.kind === 'differs' ? one.deviants : []));

/**
 * Ranks that may be behind for a reason the recorder does not show: gloo point-to-point operations leave no entry, and a gloo
 * call that retired may have failed because of a member whose dump is missing.
 */
function unsureRanks(compared: Comparison): ReadonlySet<number> {
  const unsure = new Set<number>();
  // A cut file may have lost the very call that its rank waits in. Its counters show that there is none, but only if
  // they are whole themselves: they stand before the entries, so one entry after them proves it.
  for (const { rank, dump } of compared.views) {
    if (dump.truncatedAt !== undefined && (dump.status.length === 0 || dump.columns.length === 0)) unsure.add(rank);
  }
  for (const where of compared.groups) {
    if (!where.endsOnly) continue;
    const count = compared.counts.get(where)?.kind;
    const incomplete =
      where.group.ranks.length > where.positions.length ||
      (!where.group.membersKnown && compared.withoutDump.length > 0);
    for (const at of where.positions) {
      if (count === 'unknown' || count === 'differs' || (count === 'equal' && incomplete)) unsure.add(at.rank);
      else if (
        incomplete &&
        at.newestRow !== undefined &&
        at.open === undefined &&
        isRooted(opAt(at.member.view, at.newestRow))
      )
        unsure.add(at.rank);
    }
  }
  return unsure;
}

const opAt = (view: DumpView, row: number): string =>
  splitOp(view.dump.strings[view.dump.columns.op[row] ?? -1] ?? '').op;

/**
 * How well a rank WITH a dump could explain the hang as an alternative to one without.
 * - `strong`  it waits for nothing and has not just left the call that the others wait in, or it is not known what it called
 * - `weak`    it is behind another member, though it waits for someone whose place is not known
 */
function suspicionOf(compared: Comparison): Suspicion {
  const { waits } = compared;
  if (compared.unplaced || waits.blocked.size === 0) return 'strong';
  const left = new Set<number>();
  const silent = new Set(compared.withoutDump);
  for (const { where, seq, unknown } of waits.standing) {
    // A dump whose place in the call is lost could be the one as well.
    if (unknown.some((rank) => !silent.has(rank))) return 'strong';
    if (compared.counts.get(where)?.kind === 'unknown') return 'strong';
    if (where.positions.some((at) => (at.enqueued ?? -1) >= seq && !holds(at, seq))) return 'strong';
    for (const at of where.positions) {
      if (where.endsOnly && at.open === undefined && at.newest === seq) left.add(at.rank);
    }
  }
  if (compared.views.some((view) => !view.blank && !waits.blocked.has(view.rank) && !left.has(view.rank)))
    return 'strong';
  const led = new Set(waits.edges.map((edge) => edge.rank));
  const behind = compared.groups.some((where) => {
    if (where.endsOnly) return false;
    const top = where.positions.reduce((most, at) => Math.max(most, at.enqueued ?? -1), -1);
    return where.positions.some((at) => (at.enqueued ?? top) < top && !led.has(at.rank));
  });
  return behind ? 'weak' : 'none';
}

/** True if the dump still holds the call itself, or is of a kind that keeps only unfinished ones. */
function holds(at: Position, seq: number): boolean {
  const { local, view } = at.member;
  return view.dump.truncatedAt === undefined || (local?.seqs.includes(seq) ?? false);
}

function divergencesOf(
  compared: Comparison,
  roots: Roots,
  cross: CrossOrder | undefined,
): ReadonlyMap<GroupPositions, readonly Divergence[]> {
  const found = new Map<GroupPositions, readonly Divergence[]>();
  const stuck = compared.waits.selfStuck;
  for (const where of compared.groups) {
    const mismatch = compared.mismatches.get(where);
    const count = compared.counts.get(where);
    const list: Divergence[] = [];
    if (mismatch !== undefined) list.push(mismatch);
    if (count?.kind === 'differs') list.push(count.divergence);
    for (const unfit of [findP2pMismatch(where), findTotalsMismatch(where)]) if (unfit !== undefined) list.push(unfit);
    const state = stuck.length === 0 ? undefined : stateDivergence(where, stuck);
    if (state !== undefined) list.push(state);
    // Everybody waits for the deviants of a mismatch: no second divergence.
    const missing =
      mismatch !== undefined && mismatch.ranks.length > 0 ? undefined : missingDivergence(where, compared.waits.edges);
    if (missing !== undefined) list.push(missing);
    if (list.length > 0) found.set(where, list);
  }
  // A ring without a majority is told as the ring that it is.
  if (cross !== undefined && (cross.divergence.ranks.length > 0 || roots.cycle.length === 0))
    found.set(cross.where, [cross.divergence, ...(found.get(cross.where) ?? [])]);
  const cycle =
    roots.cycle.length > 0 ? cycleDivergence(compared.groups, compared.waits.edges, roots.cycle) : undefined;
  const where = cycle === undefined ? undefined : compared.groups.find((one) => one.group.id === cycle.group);
  if (cycle !== undefined && where !== undefined) found.set(where, [cycle, ...(found.get(where) ?? [])]);
  return found;
}

/** Edges to ranks without a dump are added only where those are the answer. */
function withMissing(waits: Waits, missing: readonly number[]): readonly WaitEdge[] {
  if (missing.length === 0) return waits.edges;
  const wanted = new Set(missing);
  const more = waits.standing.flatMap((one): WaitEdge[] => {
    const ranks = one.unknown.filter((rank) => wanted.has(rank));
    return ranks.length === 0 ? [] : [{ rank: one.rank, group: one.where.group.id, seq: one.seq, for: ranks }];
  });
  return [...waits.edges, ...more].sort((a, b) => a.rank - b.rank);
}

/** The largest call in which every member of its group stands while it has not ended: nobody is missing. */
function joinedCall(compared: Comparison): CollectivesFact['allJoined'] {
  const { standing, edges } = compared.waits;
  // An edge leads to a member that is behind: then not everybody has joined.
  if (edges.length > 0 || standing.length === 0 || standing.some((one) => one.unknown.length > 0)) return undefined;
  const ordered = [...standing].sort(
    (a, b) =>
      b.where.group.ranks.length - a.where.group.ranks.length ||
      (a.where.group.id < b.where.group.id ? -1 : a.where.group.id > b.where.group.id ? 1 : a.seq - b.seq),
  );
  const [largest] = ordered;
  if (largest === undefined || largest.where.group.ranks.length < 2) return undefined;
  const at = largest.where.byRank.get(largest.rank);
  if (at?.open?.row === undefined || at.open.seq !== largest.seq) return undefined;
  return {
    group: largest.where.group.id,
    seq: largest.seq,
    op: opAt(at.member.view, at.open.row),
    ranks: [...largest.where.group.ranks].sort((a, b) => a - b),
  };
}

/** True if no dump holds a completed (gloo: ended) entry although some counter shows that calls had completed. */
function isOnlyActive(views: readonly DumpView[], groups: readonly GroupPositions[]): boolean {
  const endsOnly = new Set(
    groups.filter((where) => where.endsOnly).flatMap((where) => where.group.members.map((member) => member.view)),
  );
  let counted = false;
  for (const view of views) {
    const c = view.dump.columns;
    for (let row = 0; row < c.length; row++) {
      const ended = endsOnly.has(view)
        ? c.retired[row] === 1
        : c.state[row] === STATE_COMPLETED || (c.completedNs[row] ?? 0n) > 0n;
      if (ended) return false;
    }
    if (view.dump.status.some((one) => one.lastCompleted > 0)) counted = true;
  }
  return counted;
}
