/** What the screen shows where its place does not say it. */
import type { JobAnswer } from '#shared/views/collectives/answers.ts';
import type { CollectivesTarget } from '../../stores/targets/collectives.ts';

/** Above so many ranks the whole job is shown first. */
const MANY_RANKS = 64;

/** The group to show; null = the whole job. */
export function shownGroup(target: CollectivesTarget, answer: JobAnswer): string | null {
  if (target.group !== null && answer.groups.some((group) => group.id === target.group)) return target.group;
  if (target.whole === true) return null;
  const involved = new Set(answer.story.chain.flatMap((link) => link.groups)).size;
  if (answer.ranks > MANY_RANKS || involved > 1 || (involved === 0 && answer.groupsTotal > 1)) return null;
  return answer.story.first?.group ?? answer.groups[0]?.id ?? null;
}
