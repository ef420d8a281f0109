/**
 * A few ranks say that training is finished, and the rest still waited in collectives.
 *
 *   rank 1: training finished after 12 steps          the others: Connection closed by peer, or a time-out
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, isPrimaryClass } from './support/events.ts';
import { commonPlace, consequenceReports, jobRanks, ranksOfPod } from './support/ranks.ts';

export default defineRule({
  id: 'finished-before-others',
  title: 'A rank finished while the others still trained',
  needs: ['events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
Ranks that train together end together: the last collective needs all of them. A rank that says it has finished, while every other rank loses a peer or waits until its limit and never finishes, has left the loop earlier: it had fewer batches, another number of steps, or a condition that only it met.
Its own line is the act; the others' lost connections are what follows from it.

A line without a rank is of the one worker of its Pod that its launcher saw end with success.

It fires only for less than half of the ranks of a job whose size is known, only if each of the others reported that it waited or lost a peer, waits by its dump, or was ended by its launcher before it could, and left a log without that line (or a dump in which it waits for one of those that finished), with at least one that reported it, and not if any rank raised an error of its own: then that explains the rest.

How sure: *supported*. When it can be wrong: a rank that has nothing more to do by design (an evaluator, a parameter server), and a line
that only says that a part of the work is finished.`,
  remedy:
    'Compare the number of batches a rank (drop_last, DistributedSampler, streaming shards), or use the Join context manager; look for a break or return in the loop that depends on the rank.',
  run: ({ events, rankMap, lifeLines, collectives }) =>
    attemptsOf(eventsOf(events, 'finished')).flatMap((attempt) => {
      const here = lifeLines.filter((life) => life.attempt === attempt);
      const finished = inAttempt(eventsOf(events, 'finished'), attempt).flatMap((placed) => {
        const rank = placed.rank ?? successOfPod(placed, here, rankMap);
        return rank === undefined ? [] : [{ ...placed, rank }];
      });
      const ranks = rankSet(finished.map((placed) => placed.rank));
      const all = jobRanks(rankMap);
      if (rankMap.worldSize === undefined || ranks.length === 0 || ranks.length * 2 >= all.length) return [];
      const failed = inAttempt(eventsOf(events, 'exception'), attempt).some(
        ({ event: { body } }) => !body.handled && isPrimaryClass(body.class),
      );
      const reports = consequenceReports(events, attempt);
      const others = without(all, ranks);
      // Without its log, or with one that was cut short, a rank may have said that it had finished as well, unless it waits for one of those who did.
      const heard = new Set(
        here
          .filter(({ log, endsInsideALine }) => log === 'mixed' || (log === 'own' && endsInsideALine !== true))
          .map((life) => life.rank),
      );
      const recorded = new Set(
        collectives.waits.flatMap((wait) =>
          heard.has(wait.rank) || wait.for.some((rank) => ranks.includes(rank)) ? wait.rank : [],
        ),
      );
      const waiting = others.filter((rank) => {
        const how = reports.get(rank)?.how;
        return how === 'closed' || how === 'timeout' || (how === undefined && recorded.has(rank));
      });
      const ended = here.flatMap(({ rank, exit }) => (exit?.terminatedByAgent === true && heard.has(rank) ? rank : []));
      if (failed || !waiting.some((rank) => reports.has(rank)) || without(others, [...waiting, ...ended]).length > 0)
        return [];
      const report = waiting.map((rank) => reports.get(rank)?.placed).find((placed) => placed !== undefined);
      return [
        draft({
          outcome: ranks.length === 1 ? 'named' : 'group',
          status: 'supported',
          stage: 'mismatched-collective',
          cause: 'uneven-inputs',
          strength: 'witness',
          firstRanks: ranks,
          symptomRanks: others,
          ...commonPlace(rankMap, ranks, attempt),
          attempt,
          at: momentOf(finished[0]),
          summary: `${nameRanksAtStart(ranks)} finished while ${nameRanks(others)} still trained and lost ${ranks.length === 1 ? 'it' : 'them'} as ${ranks.length === 1 ? 'a peer' : 'peers'}.`,
          because: [
            ...finished
              .slice(0, 4)
              .map((placed) => cite(placed, `Rank ${placed.rank}: ${quote(placed.event.text, 160)}`)),
            ...(report === undefined
              ? []
              : [cite(report, `Rank ${report.rank} did not finish: ${quote(report.event.text, 140)}`)]),
          ],
          wouldChange: [`the number of steps that ${nameRanks(ranks)} and a peer were meant to make`],
          nextChecks: [
            `Number of batches of ${nameRanks(ranks)} against its peers (use Join or drop_last)`,
            'Conditions that leave the loop on some ranks only',
          ],
        }),
      ];
    }),
});

/** The only worker of the line's Pod that ended with success, by its launcher. */
function successOfPod(placed: PlacedEvent, lives: readonly LifeLine[], rankMap: RankMapFact): number | undefined {
  if (placed.pod === undefined) return undefined;
  const own = new Set(ranksOfPod(rankMap, placed.pod));
  const well = lives.filter((life) => own.has(life.rank) && life.exit?.by === 'agent' && life.exit.code === 0);
  return well.length === 1 ? well[0]?.rank : undefined;
}
