/**
 * NCCL's RAS status: how many operations each rank of a communicator has launched.
 *
 *   Communicator ranks have different AllGather operation counts
 *   Rank 0 has launched up to operation 288685 -- GPU 0 managed by process 7733 on node 10.20.7.11
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { commonPlace, consequenceReports, timedOut } from './support/ranks.ts';
import { stallChecks, stallOf } from './support/stall.ts';

export default defineRule({
  id: 'ras-counts',
  title: 'RAS counts show ranks that launched fewer operations',
  needs: ['events', 'rankMap', 'lifeLines'],
  explain: `
RAS asks every process how many operations it has launched in a communicator. A rank with a lower count than its peers has not issued the operation in which they wait. One snapshot of a running
communicator with a difference of one is normal, so the counts are more than a hint only together with a time-out of a peer. RAS lists the **minority** by name, which may be the ranks that are *ahead*:
the counts decide, not the list. If more ranks are behind than ahead, or if one of those behind timed out itself, nobody is named. RAS numbers ranks inside a communicator; they are global only if the communicator spans the job.

How sure: *supported* where a peer timed out, else a *hypothesis*. When it can be wrong: a snapshot taken while the job still moved, or a communicator that does not span the job.`,
  remedy:
    'Ask RAS again after some seconds (ncclras -v, or nc localhost 28028 and "verbose status"): counts that do not move are a hang. Then the stack of the rank with the lower count (py-spy dump --native --pid PID), and its log against that of a peer at the same step.',
  run: ({ events, rankMap, lifeLines }) => {
    const counts = eventsOf(events, 'ras-count');
    return attemptsOf(counts).flatMap((attempt) =>
      byCounts(inAttempt(counts, attempt), attempt, events, rankMap, lifeLines),
    );
  },
});

function byCounts(
  counts: readonly PlacedOf<'ras-count'>[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
): Draft[] {
  const behind = rankSet(
    counts.filter((placed) => placed.event.body.behind).flatMap((placed) => placed.event.body.ranks),
  );
  const ahead = rankSet(
    counts.filter((placed) => !placed.event.body.behind).flatMap((placed) => placed.event.body.ranks),
  );
  const others = Math.max(ahead.length, ...counts.map((placed) => placed.event.body.others ?? 0));
  if (behind.length === 0 || behind.length > Math.max(1, others)) return [];
  const reports = consequenceReports(events, attempt);
  const waited = without(timedOut(reports), behind);
  if (behind.some((rank) => reports.get(rank)?.how === 'timeout')) return [];
  const stall = stallOf(behind[0] ?? -1, attempt, events, lifeLines, rankMap);
  const shown = counts.filter((placed) => placed.event.body.behind).slice(0, 3);
  return [
    draft({
      outcome: behind.length === 1 ? 'named' : 'group',
      status: waited.length > 0 ? 'supported' : 'hypothesis',
      stage: 'straggler',
      cause: stall.cause,
      strength: 'witness',
      firstRanks: behind,
      symptomRanks: without([...ahead, ...reports.keys()], behind),
      ...commonPlace(rankMap, behind, attempt),
      attempt,
      summary: `${nameRanksAtStart(behind)} launched fewer operations than ${behind.length === 1 ? 'its' : 'their'} peers by the RAS report; ${behind.length === 1 ? 'it' : 'the first of them'} ${stall.words}.`,
      because: [
        ...shown.map((placed) => cite(placed, quote(placed.event.text, 160))),
        ...waited.slice(0, 2).flatMap((rank) => {
          const report = reports.get(rank);
          return report ? [cite(report.placed, `Rank ${rank} waited until the time limit`)] : [];
        }),
        ...stall.because,
      ],
      against:
        waited.length > 0
          ? []
          : shown
              .slice(0, 1)
              .map((placed) =>
                cite(placed, 'One snapshot of a running communicator; a small difference can be normal'),
              ),
      wouldChange: ['Flight Recorder dumps of both sides'],
      nextChecks: stallChecks(stall.cause, nameRanks(behind)),
    }),
  ];
}
