/**
 * Rank 0 waited in a monitored barrier and says who did not come.
 *
 *   [Rank 0]: Rank 5 failed to pass monitoredBarrier in 15000 ms
 *   [Rank 0]: Ranks 5, 6 failed to pass monitoredBarrier in 15000 ms          (wait_all_ranks=True)
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { commonPlace, consequenceReports, jobRanks } from './support/ranks.ts';
import { stallChecks, stallOf } from './support/stall.ts';

export default defineRule({
  id: 'monitored-barrier',
  title: 'A monitored barrier names who did not arrive',
  needs: ['events', 'rankMap', 'lifeLines'],
  explain: `
In a monitored barrier every rank reports to rank 0, which prints who did not. Rank 0 is the witness, the ranks in the message are the accused; "Rank 3 successfully reached monitoredBarrier" is a
statement of innocence. With \`wait_all_ranks\` all late ranks are named. Without it the barrier stops at the **first** missing rank in rank order: ranks behind it may have been late too, unless they say that they reached it.
That the rank did not arrive is certain; why is another question. It is *established* when every other rank says that it reached the barrier.
It can be wrong if the connection between rank 0 and the named rank failed while that rank did arrive.`,
  remedy:
    'Look at what the named rank was doing: its log up to that time, its stack, open checkpoint or data operations.',
  run: ({ events, rankMap, lifeLines }) => {
    const failed = eventsOf(events, 'monitored-barrier-failed').filter((placed) => placed.event.body.ranks.length > 0);
    return attemptsOf(failed).map((attempt) => {
      const here = inAttempt(failed, attempt);
      const all = here.filter((placed) => placed.event.body.allNamed);
      const ranks = rankSet((all.length > 0 ? all : here).flatMap((placed) => placed.event.body.ranks));
      const reached = inAttempt(eventsOf(events, 'monitored-barrier-reached'), attempt);
      const reachedRanks = rankSet([
        ...reached.map((placed) => placed.event.body.rank),
        ...here.flatMap((placed) => placed.rank ?? []),
      ]);
      const open = without(without(jobRanks(rankMap), ranks), reachedRanks);
      const stall = stallOf(ranks[0] ?? -1, attempt, events, lifeLines, rankMap);
      const [first] = here;
      return draft({
        outcome: ranks.length === 1 ? 'named' : 'group',
        status: open.length === 0 && rankMap.worldSize !== undefined ? 'established' : 'supported',
        stage: 'straggler',
        cause: stall.cause,
        strength: 'witness',
        firstRanks: ranks,
        symptomRanks: without([...reachedRanks, ...consequenceReports(events, attempt).keys()], ranks),
        ...commonPlace(rankMap, ranks, attempt),
        attempt,
        at: undefined,
        summary: `${nameRanksAtStart(ranks)} did not arrive at a monitored barrier; ${ranks.length === 1 ? 'it' : 'the first of them'} ${stall.words}.`,
        because: [
          ...(first ? [cite(first, `Rank 0 as witness: ${quote(first.event.text, 160)}`)] : []),
          ...(reached[0] ? [cite(reached[0], `${nameRanksAtStart(reachedRanks)} reached that barrier`)] : []),
          ...stall.because,
        ],
        wouldChange: open.length === 0 ? [] : [`whether ${nameRanks(open)} reached the barrier: they do not say so`],
        nextChecks: stallChecks(stall.cause, nameRanks(ranks)),
      });
    });
  },
});
