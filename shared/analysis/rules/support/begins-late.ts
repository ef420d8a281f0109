/** Ranks whose log lacks its beginning, as far as the other logs of the job show it. */
import { rankSet, without } from '../../../lib/rank-set.ts';
import type { LifeLine } from '../../../model/facts.ts';

/** Ranks of an attempt that never announced themselves, where most of those that left a log did: one program announces all or few. Sorted. */
export function ranksWithoutBeginning(lifeLines: readonly LifeLine[], attempt: number): readonly number[] {
  const here = lifeLines.filter((life) => life.attempt === attempt && life.log !== 'none');
  const announced = here.filter((life) => life.started !== undefined || life.ready !== undefined);
  if (announced.length * 2 < here.length || announced.length === 0) return [];
  return without(rankSet(here.map((life) => life.rank)), rankSet(announced.map((life) => life.rank)));
}
