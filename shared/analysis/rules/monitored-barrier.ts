/**
 * Rank 0 waited in a monitored barrier and says who did not come.
 *
 *   [Rank 0]: Rank 5 failed to pass monitoredBarrier in 15000 ms
 *   [Rank 0]: Ranks 5, 6 failed to pass monitoredBarrier in 15000 ms          (wait_all_ranks=True)
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { commonPlace, consequenceReports, jobRanks, lifeOf } from './support/ranks.ts';
import { stallChecks, stallOf } from './support/stall.ts';

export default defineRule({
  id: 'monitored-barrier',
  title: 'A monitored barrier names who did not arrive',
  needs: ['events', 'rankMap', 'lifeLines'],
  explain: `
In a monitored barrier every rank reports to rank 0, which prints who did not. Rank 0 is the witness, the ranks in the message are the accused; "Rank 3 successfully reached monitoredBarrier" is a
statement of innocence. With \`wait_all_ranks\` all late ranks are named. Without it the barrier stops at the **first** missing rank in rank order: ranks behind it may have been late too, unless they say that they reached it.
That the rank did not arrive is certain; why is another question.
If all others say that they reached it, rank 0 itself was the late one: whom it blames when it arrives had only given up on it. That counts only where rank 0's log is here and, if it blames nobody, holds neither an error nor a lost peer.

How sure: *established* where rank 0 names who is missing and every other rank says that it came; else *supported*, as for rank 0 itself. When it can be wrong: if the connection between rank 0 and the named rank failed while that rank did arrive.`,
  remedy:
    'What the named rank was doing: its log up to that time, open checkpoint or data operations, its stack (py-spy dump --native --pid PID) if it still hangs. If it is late by design (rank 0 saves), raise timeout= of monitored_barrier; use wait_all_ranks=True to see all who are late.',
  run: ({ events, rankMap, lifeLines }) => {
    const failed = eventsOf(events, 'monitored-barrier-failed').filter((placed) => placed.event.body.ranks.length > 0);
    const reached = eventsOf(events, 'monitored-barrier-reached');
    return attemptsOf([...failed, ...reached]).flatMap((attempt) =>
      judge(inAttempt(failed, attempt), inAttempt(reached, attempt), { attempt, events, rankMap, lifeLines }),
    );
  },
});

type Failed = PlacedOf<'monitored-barrier-failed'>;
type Reached = PlacedOf<'monitored-barrier-reached'>;

interface Context {
  readonly attempt: number;
  readonly events: readonly PlacedEvent[];
  readonly rankMap: RankMapFact;
  readonly lifeLines: readonly LifeLine[];
}

function judge(failed: readonly Failed[], reached: readonly Reached[], context: Context): Draft[] {
  const innocent = rankSet(reached.map((placed) => placed.event.body.rank));
  const all = failed.filter((placed) => placed.event.body.allNamed);
  const accused = without(
    (all.length > 0 ? all : failed).flatMap((placed) => placed.event.body.ranks),
    innocent,
  );
  if (accused.length > 0) return [lateRanks(accused, innocent, failed, reached, context)];
  return isRootLate(innocent, failed, context) ? [lateRanks([0], innocent, failed, reached, context)] : [];
}

/**
 * Everybody else says that it reached the barrier and then lost rank 0: rank 0 itself came late, and whom it blames then had only given up on
 * it. Counts only if rank 0's own log is there, without an error before, and nobody else is unaccounted for.
 */
function isRootLate(
  innocent: readonly number[],
  failed: readonly Failed[],
  { attempt, events, rankMap, lifeLines }: Context,
): boolean {
  if (
    rankMap.worldSize === undefined ||
    without(jobRanks(rankMap), [0, ...innocent]).length > 0 ||
    innocent.length === 0
  )
    return false;
  const life = lifeOf(lifeLines, 0, attempt);
  if (life === undefined || life.log === 'none') return false;
  if (failed.length > 0) return true;
  return (
    !consequenceReports(events, attempt).has(0) &&
    !eventsOf(events, 'exception').some((placed) => placed.rank === 0 && !placed.event.body.handled)
  );
}

function lateRanks(
  ranks: readonly number[],
  innocent: readonly number[],
  failed: readonly Failed[],
  reached: readonly Reached[],
  { attempt, events, rankMap, lifeLines }: Context,
): Draft {
  const heard = rankSet([...innocent, ...failed.flatMap((placed) => placed.rank ?? [])]);
  const open = without(without(jobRanks(rankMap), ranks), heard);
  const stall = stallOf(ranks[0] ?? -1, attempt, events, lifeLines, rankMap);
  const [first] = failed;
  const [witness] = reached;
  const byRoot = !ranks.includes(0) && first !== undefined;
  return draft({
    outcome: ranks.length === 1 ? 'named' : 'group',
    status: byRoot && open.length === 0 && rankMap.worldSize !== undefined ? 'established' : 'supported',
    stage: 'straggler',
    cause: stall.cause,
    strength: 'witness',
    firstRanks: ranks,
    symptomRanks: without([...heard, ...consequenceReports(events, attempt).keys()], ranks),
    ...commonPlace(rankMap, ranks, attempt),
    attempt,
    summary: `${nameRanksAtStart(ranks)} did not arrive at a monitored barrier${byRoot ? '' : ' in time, by the word of all others'}; ${ranks.length === 1 ? 'it' : 'the first of them'} ${stall.words}.`,
    because: [
      ...(first
        ? [
            cite(
              first,
              `${byRoot ? 'Rank 0 as witness' : 'Rank 0, when the others had given up on it'}: ${quote(first.event.text, 160)}`,
            ),
          ]
        : []),
      ...(witness ? [cite(witness, `${nameRanksAtStart(heard)} reached that barrier`)] : []),
      ...stall.because,
    ],
    wouldChange: open.length === 0 ? [] : [`whether ${nameRanks(open)} reached the barrier: they do not say so`],
    nextChecks: stallChecks(stall.cause, nameRanks(ranks)),
  });
}
