/** Ranks that the others wait for, by the recorders or, where these tell nothing, by being the only ones that reported nothing. */
import { rankSet, without } from '../../../lib/rank-set.ts';
import type { CollectivesFact, PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import { consequenceReports, jobRanks, timedOut } from './ranks.ts';

/** More than this many are a state of the job, not somebody who is late. Chosen, not measured. */
const MOST_LATE = 3;

/** Sorted; empty if nobody waits, or if it is not known for whom. */
export function lateRanks(
  events: readonly PlacedEvent[],
  attempt: number,
  rankMap: RankMapFact,
  collectives: CollectivesFact,
): number[] {
  const reports = consequenceReports(events, attempt);
  const waited = timedOut(reports);
  const roots = rankSet(collectives.roots.map((root) => root.rank)).filter((rank) => !waited.includes(rank));
  if (roots.length > 0) return roots.length <= MOST_LATE ? roots : [];
  if (rankMap.worldSize === undefined || waited.length === 0) return [];
  const silent = without(jobRanks(rankMap), [...reports.keys(), ...collectives.waits.map((wait) => wait.rank)]);
  return silent.length <= MOST_LATE && silent.length * 2 < jobRanks(rankMap).length ? silent : [];
}
