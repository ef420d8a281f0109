/** Which ranks may be behind, or may explain a hang, for a reason that the dumps do not show. */
import { isRooted } from './calls.ts';
import type { Comparison } from './compare.ts';
import { opAt } from './dump-view.ts';
import type { Position } from './positions.ts';
import type { Suspicion } from './roots.ts';

/**
 * Ranks that may be behind for a reason the recorder does not show: gloo point-to-point operations leave no entry, and a gloo
 * call that retired may have failed because of a member whose dump is missing.
 */
export function unsureRanks(compared: Comparison): ReadonlySet<number> {
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

/**
 * How well a rank WITH a dump could explain the hang as an alternative to one without.
 * - `strong`  it waits for nothing and has not just left the call that the others wait in, or it is not known what it called
 * - `weak`    it is behind another member, though it waits for someone whose place is not known
 */
export function suspicionOf(compared: Comparison): Suspicion {
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
