/**
 * Who waits for whom.
 *
 *   rank 4 waits in 55 #26 for 8 ──► rank 8 waits in 72 #45265 for 9 and 14 ──► 9 and 14 wait for nobody: roots
 *
 * For each rank its unfinished calls are looked at from the oldest on. The first one that tells something decides:
 * - another member has not got there (not enqueued, or stuck in an earlier call): the rank waits for it;
 * - other members have finished the very call, and not only just now: the rank is stuck by itself;
 * - all known members are there: nothing is said, the next one may tell.
 * Point-to-point operations count only where no collective tells anything: in a pipeline they are consequences far more
 * often than causes. Members whose place is not known (no dump, cut dump) are kept apart and never accused here.
 * O(open groups × members).
 */
import type { WaitEdge } from '../../model/facts.ts';
import { isSynchronising } from './calls.ts';
import { newestNs } from './dump-ranks.ts';
import { opAt, STATE_COMPLETED } from './dump-view.ts';
import { p2pWaits } from './p2p-waits.ts';
import type { GroupPositions, Position } from './positions.ts';
import { edgeOf, type Standing } from './wait-edge.ts';

/** A call that is still open this long after it was enqueued, on the clock of its own rank, is no matter of the dump's moment. */
const STUCK_NS = 5_000_000_000n;

/** A call that peers have finished and this rank has not. */
export interface SelfStuck {
  readonly rank: number;
  readonly where: GroupPositions;
  readonly seq: number;
  readonly row: number | undefined;
  readonly finished: readonly number[];
}

export interface Waits {
  readonly edges: readonly WaitEdge[];
  readonly selfStuck: readonly SelfStuck[];
  /** Oldest unfinished call of ranks that wait for nobody who is known. */
  readonly standing: readonly Standing[];
  /** Ranks that have an unfinished call, point-to-point ones included. */
  readonly blocked: ReadonlySet<number>;
}

export interface WaitContext {
  readonly groups: readonly GroupPositions[];
  /** True if something outside the dumps shows that they were written after a time-out. */
  readonly timedOut: boolean;
  /** Deviating ranks by group: everybody else in that call waits for them, and they for nobody. */
  readonly deviants: ReadonlyMap<GroupPositions, { readonly seq: number; readonly ranks: readonly number[] }>;
  /** Where a rank without a dump stands by its log: the newest call it is known to have enqueued in a group. */
  readonly byLog: (groupName: string, isDefault: boolean, rank: number) => number | undefined;
  /** Members of a group that the dumps do not list but that must exist: ranks without a dump, where members are not known. */
  readonly possible: readonly number[];
}

export function computeWaits(context: WaitContext): Waits {
  const stale = findStale(context.groups);
  const perRank = new Map<number, { where: GroupPositions; at: Position }[]>();
  for (const where of context.groups) {
    for (const at of where.positions) {
      if (at.open === undefined) continue;
      const list = perRank.get(at.rank);
      if (list === undefined) perRank.set(at.rank, [{ where, at }]);
      else list.push({ where, at });
    }
  }
  const edges: WaitEdge[] = [];
  const selfStuck: SelfStuck[] = [];
  const standing: Standing[] = [];
  const places = new Places(context, stale);
  const deviating = new Set([...context.deviants.values()].flatMap((one) => one.ranks));
  const silent: number[] = [];
  for (const [rank, open] of perRank) {
    if (deviating.has(rank)) continue;
    open.sort((a, b) => rowOf(a.at) - rowOf(b.at));
    const found = firstTelling(rank, open, context, places);
    if (found?.kind === 'edge') edges.push(found.edge);
    else if (found?.kind === 'stuck') selfStuck.push(found.stuck);
    else {
      silent.push(rank);
      if (found?.kind === 'standing') standing.push(found.standing);
    }
  }
  const blocked = new Set([...perRank.keys(), ...unfinishedByCounters(context.groups)]);
  const oldestRows = new Map(
    [...perRank].map(([rank, open]) => [rank, open[0] === undefined ? Number.MAX_SAFE_INTEGER : rowOf(open[0].at)]),
  );
  const quiet = new Set(silent);
  const told = new Set([...deviating, ...[...perRank.keys()].filter((rank) => !quiet.has(rank))]);
  const p2p = p2pWaits(context.groups, blocked, told, oldestRows);
  edges.push(...p2p.edges);
  const led = new Set(p2p.edges.map((edge) => edge.rank));
  const alone = standing.filter(
    (one) => !led.has(one.rank) && !(one.unknown.length === 0 && p2p.standing.some((other) => other.rank === one.rank)),
  );
  const stands = [...alone, ...p2p.standing.filter((one) => !alone.some((other) => other.rank === one.rank))];
  const byRank = (a: { rank: number }, b: { rank: number }): number => a.rank - b.rank;
  return { edges: edges.sort(byRank), selfStuck: selfStuck.sort(byRank), standing: stands.sort(byRank), blocked };
}

/** Ranks whose own counters show a call that has not ended, in any group: its entry may be lost, the rank waits all the same. */
function unfinishedByCounters(groups: readonly GroupPositions[]): number[] {
  const views = new Set(groups.flatMap((where) => where.group.members.map((member) => member.view)));
  return [...views]
    .filter((view) => view.dump.status.some((one) => one.lastCompleted < one.lastEnqueued))
    .map((view) => view.rank);
}

const rowOf = (at: Position): number => at.open?.row ?? Number.MAX_SAFE_INTEGER;

type Found =
  | { readonly kind: 'edge'; readonly edge: WaitEdge }
  | { readonly kind: 'stuck'; readonly stuck: SelfStuck }
  | { readonly kind: 'standing'; readonly standing: Standing };

function firstTelling(
  rank: number,
  open: readonly { where: GroupPositions; at: Position }[],
  context: WaitContext,
  places: Places,
): Found | undefined {
  let standing: Standing | undefined;
  for (const { where, at } of open) {
    const seq = at.open?.seq ?? 0;
    const deviants = context.deviants.get(where);
    if (deviants !== undefined && seq >= deviants.seq)
      return { kind: 'edge', edge: edgeOf(rank, where, deviants.seq, deviants.ranks) };
    const others = places.at(where, at, seq);
    if (others.behind.length > 0) return { kind: 'edge', edge: edgeOf(rank, where, seq, others.behind) };
    if (others.finished.length > 0 && !where.endsOnly && isLate(where, at, seq, others.finished, context)) {
      return { kind: 'stuck', stuck: { rank, where, seq, row: at.open?.row, finished: others.finished } };
    }
    if (standing === undefined || (standing.unknown.length === 0 && others.unknown.length > 0)) {
      standing = { rank, where, seq, unknown: others.unknown };
    }
  }
  return standing === undefined ? undefined : { kind: 'standing', standing };
}

interface Others {
  readonly behind: number[];
  readonly finished: number[];
  readonly unknown: number[];
}

/** Where the members of a group stand seen from a call: the same for all ranks that wait in it, so worked out once. */
class Places {
  private readonly context: WaitContext;
  private readonly stale: ReadonlySet<number>;
  private readonly known = new Map<GroupPositions, Map<number, Others>>();

  constructor(context: WaitContext, stale: ReadonlySet<number>) {
    this.context = context;
    this.stale = stale;
  }

  /** `at`: one rank whose oldest unfinished call in the group is `seq`. All lists are sorted. */
  at(where: GroupPositions, at: Position, seq: number): Others {
    const bySeq = this.known.get(where) ?? new Map<number, Others>();
    this.known.set(where, bySeq);
    let others = bySeq.get(seq);
    if (others === undefined) {
      others = this.look(where, at, seq);
      bySeq.set(seq, others);
    }
    return others;
  }

  private look(where: GroupPositions, at: Position, seq: number): Others {
    const { context, stale } = this;
    const others: Others = { behind: [], finished: [], unknown: [] };
    const { group } = where;
    const members = [...(group.membersKnown ? group.ranks : new Set([...group.ranks, ...context.possible]))].sort(
      (a, b) => a - b,
    );
    for (const rank of members) {
      if (rank === at.rank) continue;
      const other = where.byRank.get(rank);
      if (other === undefined || other.enqueued === undefined || stale.has(rank)) {
        const logged = other === undefined ? context.byLog(group.name, group.isDefault, rank) : undefined;
        if (logged === undefined) others.unknown.push(rank);
        else if (logged < seq) others.behind.push(rank);
      } else if (other.enqueued < seq) others.behind.push(rank);
      else if (
        !where.endsOnly &&
        other.open !== undefined &&
        other.open.seq < seq &&
        isLate(where, other, other.open.seq, [at.rank], context)
      ) {
        others.behind.push(rank);
      } else if (!where.endsOnly && (other.done ?? -1) >= seq) others.finished.push(rank);
    }
    return others;
  }
}

/**
 * True if an unfinished call that `finished` have completed is no matter of the dump's moment: dumps are written one after
 * the other, and a call that ends in between is done in one and open in the next.
 */
function isLate(
  where: GroupPositions,
  at: Position,
  seq: number,
  finished: readonly number[],
  context: WaitContext,
): boolean {
  const row = at.open?.row;
  const op = row === undefined ? undefined : opOf(at, row);
  // A rank may leave a rooted operation while others are still inside.
  if (op !== undefined && !isSynchronising(op)) return false;
  if (context.timedOut) return true;
  const { dump } = at.member.view;
  if (row !== undefined && dump.columns.retired[row] === 1 && dump.columns.state[row] !== STATE_COMPLETED) return true;
  // Two completed calls ahead: the second cannot have begun everywhere before the first had ended everywhere.
  if (finished.some((rank) => (where.byRank.get(rank)?.done ?? -1) > seq)) return true;
  const created = row === undefined ? 0n : (dump.columns.createdNs[row] ?? 0n);
  return created > 0n && newestNs(dump) - created >= STUCK_NS;
}

const opOf = (at: Position, row: number): string => opAt(at.member.view, row);

/**
 * Ranks whose dump was plainly written earlier than a peer's: the peer had completed a call that needs everybody, and here it was not even
 * enqueued. Such a dump says nothing about the end.
 */
function findStale(groups: readonly GroupPositions[]): ReadonlySet<number> {
  const stale = new Set<number>();
  for (const where of groups) {
    if (where.endsOnly) continue;
    let top = -1;
    for (const at of where.positions) top = Math.max(top, newestCompletedByAll(at));
    for (const at of where.positions) if (at.enqueued !== undefined && at.enqueued < top) stale.add(at.rank);
  }
  return stale;
}

/** Newest synchronising call that the entries show as completed; -1 if none. */
function newestCompletedByAll(at: Position): number {
  const { local, view } = at.member;
  if (local === undefined) return -1;
  for (let i = local.rows.length - 1; i >= 0; i--) {
    const row = local.rows[i] ?? 0;
    if (view.dump.columns.state[row] === STATE_COMPLETED && isSynchronising(opOf(at, row))) return local.seqs[i] ?? -1;
  }
  return -1;
}
