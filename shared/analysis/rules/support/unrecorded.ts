/**
 * Waits that gloo does not record: a transfer from one rank to another leaves no entry, so a rank that is behind in its collectives may wait
 * in one.
 *
 *   replica 0: rank 0 ─ all_reduce #17 waits for 1        rank 1: newest call ended (stopped? or in a receive from rank 3?)
 *   replica 1: rank 2 ─ all_reduce #17 waits for ?        rank 3: no dump
 */
import { rankSet, without } from '../../../lib/rank-set.ts';
import type { CollectivesFact } from '../../../model/facts.ts';
import type { RankReport } from './ranks.ts';
import type { Root } from './root-standing.ts';

export interface Beginnings {
  /** The roots and whoever may hold them up; sorted. */
  readonly ranks: readonly number[];
  /** False if the job may have ranks that nothing tells of. */
  readonly complete: boolean;
}

/**
 * All ranks of which one at least is where the waiting begins, if the roots may wait unseen for each other or for somebody else; undefined if
 * there is but one root and nobody whom it may wait for.
 *
 * Only in groups of gloo, and only for roots that are behind. Two ranks seldom stall at once by themselves: several roots wait for one another, or
 * all for one. And where nobody waits for the root in a group of all ranks, the job has other groups, maybe for transfers alone: whoever
 * is not seen to wait, in a record or by its own report, may be the one that the root waits for.
 */
export function possibleBeginnings(
  roots: readonly Root[],
  { groups, waits, dumpsPresent, dumpsExpected }: CollectivesFact,
  reports: ReadonlyMap<number, RankReport>,
): Beginnings | undefined {
  const gloo = new Map(groups.flatMap((group) => (group.backend === 'gloo' ? [[group.id, group] as const] : [])));
  const behind = roots.filter((root) => root.hasDump && root.how === 'behind').map((root) => root.rank);
  const awaitedIn = waits.flatMap((wait) =>
    wait.for.some((rank) => behind.includes(rank)) ? (gloo.get(wait.group) ?? []) : [],
  );
  if (awaitedIn.length === 0) return undefined;
  const ranks = rankSet(roots.map((root) => root.rank));
  const job = dumpsExpected ?? dumpsPresent;
  if (awaitedIn.some((group) => group.ranks.length >= job.length))
    return ranks.length === 1 ? undefined : { ranks, complete: true };
  const open = groups.flatMap((group) => group.members.flatMap((one) => (one.waitsIn === undefined ? [] : one.rank)));
  const unheard = without(job, [...waits.map((wait) => wait.rank), ...open, ...reports.keys()]);
  const all = rankSet([...ranks, ...unheard]);
  const complete = dumpsExpected !== undefined;
  return all.length === 1 && complete ? undefined : { ranks: all, complete };
}
