/**
 * Calls of two groups that ranks issued in another order: each waits in the call that the other has not come to.
 *
 *              group 1 (ranks 0 2 4 6)   group 0 (all)
 *   rank 0     … #26                     #18 ·               ← #18 right after #26, like ranks 2 and 4
 *   rank 6     … #26  #27 ·  #28 ·       #18 ·               ← went on in group 1 first: its #27 waits for 0, 2 and 4
 *
 * Inside each group the sequences agree, so nothing shows there; the order of the records of one dump is the order in which the program
 * issued them, through all groups. Two members of both groups are compared at the oldest unfinished call of one of them; they
 * contradict each other if the one issued a call of the other group before it that the second one has not issued before it, and that call
 * has not ended. Only where all earlier calls came in one and the same order: a program may interleave its groups as it likes, rank by rank.
 *
 * Ranks that agree, each with some other one, form a side; the largest side is what the program meant if it holds more than half of those
 * who contradict each other and of their peers without a dump, who might have. Ranks that share no second group with them (another stage of a pipeline) have no voice in it.
 * O(entries of the groups).
 */
import { formatRanks, nameRanks } from '../../lib/rank-set.ts';
import type { CallView, Divergence } from '../../model/facts.ts';
import { callText, callView } from './calls.ts';
import type { GroupPositions, Position } from './positions.ts';

/** Earlier calls that must have come in one order on all who are compared. Chosen, not measured. */
const MIN_HISTORY = 3;

/** What a member had issued in the other group when it issued the call. `exact` false: it has not issued the call so far. */
interface Mark {
  readonly rank: number;
  readonly count: number;
  readonly exact: boolean;
}

interface Conflict {
  readonly other: GroupPositions;
  /** Went on in the other group before (or instead of) the call. */
  readonly ahead: Mark;
  readonly behind: Mark;
}

export interface CrossOrder {
  readonly where: GroupPositions;
  readonly divergence: Divergence;
}

/** The first such contradiction, looked for from the largest group on; undefined if there is none. */
export function findCrossOrder(groups: readonly GroupPositions[]): CrossOrder | undefined {
  const ordered = [...groups].sort(
    (a, b) => b.group.ranks.length - a.group.ranks.length || (a.group.id < b.group.id ? -1 : 1),
  );
  for (const where of ordered) {
    const open = where.positions.flatMap((at) => at.open?.seq ?? []);
    if (open.length < 2 || where.mixed) continue;
    const seq = Math.min(...open);
    const divergence = compareAt(where, seq, ordered);
    if (divergence !== undefined) return { where, divergence };
  }
  return undefined;
}

function compareAt(where: GroupPositions, seq: number, groups: readonly GroupPositions[]): Divergence | undefined {
  const conflicts: Conflict[] = [];
  const agree = new Sides();
  for (const other of groups) {
    if (other === where || other.mixed) continue;
    const pairs = where.positions.flatMap((at) => {
      const beside = other.byRank.get(at.rank);
      return beside === undefined ? [] : [{ at, beside }];
    });
    if (pairs.length < 2 || !hasHabit(pairs, seq)) continue;
    const marks = pairs.flatMap(({ at, beside }) => markOf(at, beside, seq) ?? []);
    conflicts.push(...conflictsOf(other, marks, where, seq));
    for (const [i, mark] of marks.entries())
      for (const peer of marks.slice(i + 1))
        if (mark.exact && peer.exact && mark.count === peer.count) agree.join(mark.rank, peer.rank);
  }
  if (conflicts.length === 0) return undefined;
  for (const { ahead, behind } of conflicts) {
    agree.add(ahead.rank);
    agree.add(behind.rank);
    if (agree.same(ahead.rank, behind.rank)) return undefined;
  }
  const sides = agree
    .lists()
    .filter((side) => conflicts.some(({ ahead, behind }) => side.includes(ahead.rank) || side.includes(behind.rank)));
  return describe(where, seq, conflicts, sides);
}

interface Pair {
  readonly at: Position;
  readonly beside: Position;
}

/** Newest call of the other group before the row `before`; undefined if the ring has lost it. */
function newestBefore(beside: Position, before: number): number | undefined {
  const { local } = beside.member;
  if (local === undefined) return undefined;
  let found: number | undefined;
  for (let i = 0; i < local.rows.length; i++) {
    if ((local.rows[i] ?? 0) >= before) break;
    found = local.seqs[i];
  }
  return found === undefined || found < 0 ? undefined : found;
}

function rowOf(at: Position, seq: number): number | undefined {
  const i = at.member.local?.seqs.indexOf(seq) ?? -1;
  return i < 0 ? undefined : at.member.local?.rows[i];
}

function markOf(at: Position, beside: Position, seq: number): Mark | undefined {
  const row = rowOf(at, seq);
  if (row !== undefined) {
    const count = newestBefore(beside, row);
    return count === undefined ? undefined : { rank: at.rank, count, exact: true };
  }
  // Not issued so far is only sure where the counters or a whole ring say it.
  if (at.enqueued === undefined || at.enqueued >= seq) return undefined;
  const count = newestBefore(beside, Number.MAX_SAFE_INTEGER);
  return count === undefined ? undefined : { rank: at.rank, count, exact: false };
}

/** True if enough earlier calls came after the same call of the other group on all who can be compared, and none did not. */
function hasHabit(pairs: readonly Pair[], seq: number): boolean {
  const seen = new Map<number, { count: number; holders: number; same: boolean }>();
  for (const { at, beside } of pairs) {
    const { local } = at.member;
    for (let i = 0; i < (local?.rows.length ?? 0); i++) {
      const earlier = local?.seqs[i] ?? -1;
      if (earlier < 0 || earlier >= seq) continue;
      const count = newestBefore(beside, local?.rows[i] ?? 0);
      if (count === undefined) continue;
      const known = seen.get(earlier);
      if (known === undefined) seen.set(earlier, { count, holders: 1, same: true });
      else {
        known.holders++;
        known.same &&= known.count === count;
      }
    }
  }
  const shared = [...seen.values()].filter((one) => one.holders >= 2);
  return shared.length >= MIN_HISTORY && shared.every((one) => one.same);
}

function conflictsOf(other: GroupPositions, marks: readonly Mark[], where: GroupPositions, seq: number): Conflict[] {
  const found: Conflict[] = [];
  for (const ahead of marks) {
    for (const behind of marks) {
      if (!behind.exact || ahead.count <= behind.count) continue;
      // Harm only where both calls are unfinished: else the order did not matter.
      const theirs = other.byRank.get(ahead.rank)?.open?.seq;
      const ours = where.byRank.get(behind.rank)?.open?.seq;
      if (theirs !== undefined && theirs <= behind.count + 1 && ours !== undefined && ours <= seq)
        found.push({ other, ahead, behind });
    }
  }
  return found;
}

/** Ranks joined into sides. */
class Sides {
  private readonly parent = new Map<number, number>();

  add(rank: number): void {
    if (!this.parent.has(rank)) this.parent.set(rank, rank);
  }

  join(a: number, b: number): void {
    this.add(a);
    this.add(b);
    const [low, high] = [this.top(a), this.top(b)].sort((x, y) => x - y);
    if (low !== undefined && high !== undefined && low !== high) this.parent.set(high, low);
  }

  same(a: number, b: number): boolean {
    return this.top(a) === this.top(b);
  }

  /** Largest first, each sorted. */
  lists(): number[][] {
    const sides = new Map<number, number[]>();
    for (const rank of [...this.parent.keys()].sort((a, b) => a - b)) {
      const top = this.top(rank);
      sides.set(top, [...(sides.get(top) ?? []), rank]);
    }
    return [...sides.values()].sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
  }

  private top(rank: number): number {
    let at = rank;
    for (let up = this.parent.get(at); up !== undefined && up !== at; up = this.parent.get(at)) at = up;
    return at;
  }
}

function describe(
  where: GroupPositions,
  seq: number,
  conflicts: readonly Conflict[],
  sides: readonly (readonly number[])[],
): Divergence | undefined {
  const total = sides.reduce((sum, side) => sum + side.length, 0);
  const [largest] = sides;
  if (largest === undefined || sides.length < 2) return undefined;
  const heard = new Set(sides.flat());
  const unheard = new Set(
    conflicts.flatMap(({ other }) =>
      other.group.ranks.filter(
        (rank) => !heard.has(rank) && where.group.ranks.includes(rank) && !other.byRank.has(rank),
      ),
    ),
  );
  const majority = largest.length >= 2 && largest.length * 2 > total + unheard.size ? largest : undefined;
  const deviants = majority === undefined ? [] : sides.flatMap((side) => (side === majority ? [] : side));
  const ranks = [...deviants].sort((a, b) => a - b);
  // Shown is the contradiction in the largest other group, that of a deviant where there is one.
  const shown = [...conflicts]
    .filter(({ ahead, behind }) => ranks.length === 0 || ranks.includes(ahead.rank) || ranks.includes(behind.rank))
    .sort(
      (a, b) =>
        b.other.group.ranks.length - a.other.group.ranks.length ||
        (a.other.group.id < b.other.group.id ? -1 : 1) ||
        a.ahead.rank - b.ahead.rank ||
        a.behind.rank - b.behind.rank,
    )[0];
  if (shown === undefined) return undefined;
  const { ahead, behind, other } = shown;
  const call = viewAt(where, behind.rank, seq);
  const name = call === undefined ? 'the call' : callText(call);
  const label = nameOf(other);
  const usual = `${name} right after #${behind.count} of ${label}`;
  const unlike = ahead.exact
    ? `${name} only after #${ahead.count} of ${label}`
    : `#${ahead.count} of ${label} and no such call so far`;
  const deviantAhead = ranks.length === 0 || ranks.includes(ahead.rank);
  const lacks = deviantAhead && (!ahead.exact || isMultiple(where, other, seq, shown));
  const peers = conflicts.filter((one) => one.other === other);
  const waits = [...new Set(peers.map((one) => one.ahead.rank))].sort((a, b) => a - b);
  const stands = [...new Set(peers.map((one) => one.behind.rank))].sort((a, b) => a - b);
  return {
    group: where.group.id,
    seq,
    kind: 'order',
    ranks,
    sides: majority === undefined ? sides : [],
    agreeing: majority ?? [],
    expected: deviantAhead ? usual : unlike,
    actual: deviantAhead ? unlike : usual,
    calls: [viewAt(where, ahead.rank, seq), viewAt(other, ahead.rank, behind.count + 1), call].flatMap(
      (one) => one ?? [],
    ),
    basis: 'dump',
    why: `the order of records across two groups: ${nameRanks(waits)} issued #${behind.count + 1} of ${label} before #${seq} of ${nameOf(where)} and ${waits.length === 1 ? 'waits' : 'wait'} in it; ${nameRanks(stands)} issued #${seq} first and ${stands.length === 1 ? 'waits' : 'wait'} there: neither can go on. ${majority === undefined ? `No side has a majority (${sides.map((side) => formatRanks(side)).join(' against ')})` : `All earlier calls came in one order on all of them, and ${nameRanks(majority)} still agree`}${lacks ? `: on ${nameRanks(ranks.length === 0 ? [ahead.rank] : ranks)} a call of ${nameOf(where)} is missing before it` : ''}`,
  };
}

function viewAt(where: GroupPositions, rank: number, seq: number): CallView | undefined {
  const at = where.byRank.get(rank);
  const row = at === undefined ? undefined : rowOf(at, seq);
  return at === undefined || row === undefined
    ? undefined
    : callView(at.member.view, row, seq, where.endsOnly, at.open?.seq);
}

/** `0` is what c10d calls the group of all ranks; many groups share one description. */
function nameOf({ group }: GroupPositions): string {
  if (group.isDefault) return 'the default group';
  return group.desc === '' || group.desc === group.id ? `group ${group.id}` : `group ${group.id} (${group.desc})`;
}

/**
 * The one who is ahead made so many calls of the other group since its own call before, as the others make in two or more rounds: as if a
 * call of this group had been left out in between.
 */
function isMultiple(where: GroupPositions, other: GroupPositions, seq: number, { ahead, behind }: Conflict): boolean {
  const before = (rank: number): number | undefined => {
    const at = where.byRank.get(rank);
    const beside = other.byRank.get(rank);
    return at === undefined || beside === undefined ? undefined : markOf(at, beside, seq - 1)?.count;
  };
  const [own, usual] = [before(ahead.rank), before(behind.rank)];
  if (own === undefined || usual === undefined || own !== usual) return false;
  const round = behind.count - usual;
  return round > 0 && (ahead.count - own) % round === 0;
}
