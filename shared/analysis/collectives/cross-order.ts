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
 * who contradict each other and of their peers without a dump, who might have. Members of other groups of the same kind (`kin.ts`) have a voice where
 * their calls came in the same order so far; other ranks that share no second group with them (another stage of a pipeline) have none. A member without a dump is
 * placed by its time-out line: in the call itself, or in one of the other group, where it says nothing of the first. That is weaker, and listed as such.
 * O(entries of the groups).
 */
import { formatRanks, nameRanks } from '../../lib/rank-set.ts';
import type { CallView, Divergence } from '../../model/facts.ts';
import { callText, callView } from './calls.ts';
import { hasHabit, type Lines, type Mark, markByLine, markOf, type Pair, rowOf } from './cross-marks.ts';
import { Sides } from './cross-sides.ts';
import { kinOf } from './kin.ts';
import type { GroupPositions } from './positions.ts';

interface Conflict {
  /** The group that both have in common beside the first. */
  readonly other: GroupPositions;
  /** Went on in the other group before (or instead of) the call. */
  readonly ahead: Mark;
  readonly behind: Mark;
}

export interface CrossOrder {
  readonly where: GroupPositions;
  readonly divergence: Divergence;
}

/** Time-out lines of the members of a group, by rank. */
export type LinesOf = (where: GroupPositions) => Lines;

/** The first such contradiction, looked for from the largest group on; undefined if there is none. */
export function findCrossOrder(groups: readonly GroupPositions[], linesOf: LinesOf): CrossOrder | undefined {
  const ordered = [...groups].sort(
    (a, b) => b.group.ranks.length - a.group.ranks.length || (a.group.id < b.group.id ? -1 : 1),
  );
  for (const where of ordered) {
    const open = where.positions.flatMap((at) => at.open?.seq ?? []);
    if (open.length < 2 || where.mixed) continue;
    const seq = Math.min(...open);
    const divergence = compareAt(where, seq, ordered, linesOf);
    if (divergence !== undefined) return { where, divergence };
  }
  return undefined;
}

function compareAt(
  where: GroupPositions,
  seq: number,
  groups: readonly GroupPositions[],
  linesOf: LinesOf,
): Divergence | undefined {
  const conflicts: Conflict[] = [];
  const agree = new Sides();
  const looked = new Set<GroupPositions>();
  for (const other of groups) {
    if (other === where || other.mixed || looked.has(other)) continue;
    const { kind, pairs } = comparable(where, other, groups, seq);
    if (pairs.length === 0) continue;
    for (const one of kind) looked.add(one);
    const marks = pairs.flatMap((pair) => markOf(pair, seq) ?? []);
    const told = kind.flatMap((one) => marksByLine(where, one, linesOf));
    const found = conflictsOf([...marks, ...told], where, seq);
    conflicts.push(...found);
    for (const [i, mark] of marks.entries())
      for (const peer of marks.slice(i + 1))
        if (mark.exact && peer.exact && mark.count === peer.count) agree.join(mark.rank, peer.rank);
    for (const { other: shared, behind } of found)
      for (const rank of stoppedHere(where, shared, seq, linesOf)) agree.join(rank, behind.rank);
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

/** Members of both groups, together with those of the other groups of its kind where all have one habit; none where the habit is not shown. */
function comparable(
  where: GroupPositions,
  other: GroupPositions,
  groups: readonly GroupPositions[],
  seq: number,
): { readonly kind: readonly GroupPositions[]; readonly pairs: readonly Pair[] } {
  const kind = [other, ...kinOf(other, groups)].filter((one) => one !== where && !one.mixed);
  for (const together of kind.length > 1 ? [kind, [other]] : [[other]]) {
    const pairs = together.flatMap((one) => pairsOf(where, one));
    if (pairs.length >= 2 && hasHabit(pairs, seq)) return { kind: together, pairs };
  }
  return { kind: [other], pairs: [] };
}

const pairsOf = (where: GroupPositions, other: GroupPositions): Pair[] =>
  where.positions.flatMap((at) => {
    const beside = other.byRank.get(at.rank);
    return beside === undefined ? [] : [{ other, at, beside }];
  });

/** Members of both groups that left no dump. */
const unseenIn = (where: GroupPositions, other: GroupPositions): number[] =>
  other.group.ranks.filter((rank) => where.group.ranks.includes(rank) && !where.byRank.has(rank));

const marksByLine = (where: GroupPositions, other: GroupPositions, linesOf: LinesOf): Mark[] =>
  unseenIn(where, other).flatMap((rank) => markByLine(rank, other, linesOf(where), linesOf(other)) ?? []);

/** Members without a dump that timed out in the call itself, and say nothing of the other group. */
const stoppedHere = (where: GroupPositions, other: GroupPositions, seq: number, linesOf: LinesOf): number[] =>
  unseenIn(where, other).filter((rank) => linesOf(where).get(rank)?.seq === seq && !linesOf(other).has(rank));

function conflictsOf(marks: readonly Mark[], where: GroupPositions, seq: number): Conflict[] {
  const found: Conflict[] = [];
  for (const ahead of marks) {
    for (const behind of marks) {
      if (ahead.other !== behind.other || !behind.exact || ahead.count <= behind.count) continue;
      // Harm only where both calls are unfinished: else the order did not matter.
      const ours = where.byRank.get(behind.rank)?.open?.seq;
      if (ahead.open !== undefined && ahead.open <= behind.count + 1 && ours !== undefined && ours <= seq)
        found.push({ other: ahead.other, ahead, behind });
    }
  }
  return found;
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
  const voices = [...heard].filter((rank) => !where.byRank.has(rank)).sort((a, b) => a - b);
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
    ...(voices.length === 0 ? {} : { voices }),
    why: `the order of records across two groups: ${nameRanks(waits)} issued #${behind.count + 1} of ${label} before #${seq} of ${nameOf(where)} and ${waits.length === 1 ? 'waits' : 'wait'} in it; ${nameRanks(stands)} issued #${seq} first and ${stands.length === 1 ? 'waits' : 'wait'} there: neither can go on. ${majority === undefined ? `No side has a majority (${sides.map((side) => formatRanks(side)).join(' against ')})` : `All earlier calls came in one order on all of them, and ${nameRanks(majority)} still agree`}${lacks ? `: on ${nameRanks(ranks.length === 0 ? [ahead.rank] : ranks)} a call of ${nameOf(where)} is missing before it` : ''}${voices.length === 0 ? '' : ` (${nameRanks(voices)} by time-out lines alone)`}`,
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
    return at === undefined || beside === undefined ? undefined : markOf({ other, at, beside }, seq - 1)?.count;
  };
  const [own, usual] = [before(ahead.rank), before(behind.rank)];
  if (own === undefined || usual === undefined || own !== usual) return false;
  const round = behind.count - usual;
  return round > 0 && (ahead.count - own) % round === 0;
}
