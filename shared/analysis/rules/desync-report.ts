/**
 * The desync debug report of ProcessGroupNCCL: start and end of every collective, kept per rank in the store.
 *
 *   - To our best knowledge, ranks [3] are the lagging ranks that caused this timeout. They never joined any collectives
 *   - [3] finished collective #41, but didn't join collective #42 (count from 1)
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { commonPlace, consequenceReports, jobRanks } from './support/ranks.ts';
import { stallChecks, stallOf } from './support/stall.ts';

export default defineRule({
  id: 'desync-report',
  title: 'The desync report names lagging ranks',
  needs: ['events', 'rankMap', 'lifeLines'],
  explain: `
With NCCL_DESYNC_DEBUG (TORCH_NCCL_DESYNC_DEBUG since 2.2) every rank writes start and end of its collectives into the store; the rank that times out reads them all and prints who is behind. The printer is the witness, the listed ranks are the accused; a listed rank that printed the report itself, and so was waiting, is not accused.
The report counts collectives of one group. It is as good as the store: a rank whose last write did not arrive looks late, and in a job with several groups a listed rank may itself wait elsewhere. A list
of more than half of the job accuses nobody: then the others are ahead, and nothing is named. Where the size of the job is not told, all ranks count that the report or its snapshot lists. With exactly half (two ranks) the one that is behind is named, since the report tells who did not come, and not who disagrees.

How sure: *supported*, as the word of a witness. When it can be wrong: in jobs with several groups, where a listed rank waits in another one; and where the ranks ahead made one call too many.`,
  remedy:
    'Read the log and the stack of the listed rank at that time (py-spy dump --native --pid PID while it hangs); check in its Flight Recorder dump whether it waits in another process group.',
  run: ({ events, rankMap, lifeLines }) => {
    const lines = eventsOf(events, 'desync');
    const reports = lines.filter((placed) => placed.event.body.lagging.length > 0);
    return attemptsOf(reports).flatMap((attempt) => {
      const here = inAttempt(reports, attempt);
      const ranks = rankSet(here.flatMap((placed) => placed.event.body.lagging));
      const waited = rankSet(consequenceReports(events, attempt).keys());
      const accused = without(
        ranks,
        waited.filter((rank) => here.some((placed) => placed.rank === rank)),
      );
      const job = rankSet([
        ...jobRanks(rankMap),
        ...ranks,
        ...waited,
        ...inAttempt(lines, attempt).flatMap((placed) => placed.event.body.seen ?? []),
      ]);
      if (accused.length === 0 || accused.length * 2 > job.length) return [];
      const stall = stallOf(accused[0] ?? -1, attempt, events, lifeLines, rankMap);
      return [
        draft({
          outcome: accused.length === 1 ? 'named' : 'group',
          status: 'supported',
          stage: 'straggler',
          cause: stall.cause,
          strength: 'witness',
          firstRanks: accused,
          symptomRanks: without(waited, accused),
          ...commonPlace(rankMap, accused, attempt),
          attempt,
          summary: `${nameRanksAtStart(accused)} lagged behind in the collectives, by the desync report; ${accused.length === 1 ? 'it' : 'the first of them'} ${stall.words}.`,
          because: [
            ...here
              .slice(0, 3)
              .map((placed) =>
                cite(
                  placed,
                  `Desync report printed by ${placed.rank === undefined ? 'a rank' : `rank ${placed.rank}`}: ${quote(placed.event.text, 160)}`,
                ),
              ),
            ...stall.because,
          ],
          wouldChange: ['Flight Recorder dumps, which show whether the listed rank waits in another group'],
          nextChecks: stallChecks(stall.cause, nameRanks(accused)),
        }),
      ];
    });
  },
});
