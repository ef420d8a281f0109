/**
 * Ranks could not get the communicator's id, which another rank should have put into the store.
 *
 *   [3] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: wait timeout after 600000ms
 */
import { nameRanks, nameRanksAtStart, rankSet } from '../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, citeSource, type Draft, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { commonPlace, consequenceReports, lifeOf } from './support/ranks.ts';
import { stallChecks, stallOf } from './support/stall.ts';

const TIMED_OUT = /time ?out/i;

export default defineRule({
  id: 'waited-for-rank',
  title: 'Ranks waited for the communicator id of another rank',
  needs: ['events', 'rankMap', 'lifeLines'],
  explain: `
The first rank of a group creates the communicator's id and puts it into the store; the others fetch it. Whoever reports that it could not fetch it is a witness, the rank in "retrieving ncclUniqueId from [0]" is the one that was waited for. A *time-out*
means that it was late or never got there; a broken connection means that the store's process was gone, which may be another one. If all witnesses tell of time-outs, and the accused rank's log is there, holds no error and does not say that it finished, it is named as late. If its log is missing, or not all were time-outs, this
only says where to look; if it reported a lost peer or a time-out itself, or the witnesses accuse several, nothing is said. The number is the rank inside the group; for the first communicator that is the global rank.

How sure: *supported* where its log is there and it reported nothing, else a *hypothesis*. When it can be wrong: a store that lost the key, or a communicator of a sub-group, whose ranks are not those of the job.`,
  remedy:
    'Read the log of the rank that was waited for from its start: data preparation, downloads, compilation before the first collective; raise the time limit or move that work behind a barrier with a longer one.',
  run: ({ events, rankMap, lifeLines }) => {
    const failed = eventsOf(events, 'unique-id-failed');
    return attemptsOf(failed).flatMap((attempt) =>
      accusedIn(inAttempt(failed, attempt), attempt, events, rankMap, lifeLines),
    );
  },
});

function accusedIn(
  failed: readonly PlacedOf<'unique-id-failed'>[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
): Draft[] {
  const accused = rankSet(failed.map((placed) => placed.event.body.waitedFor));
  const [rank] = accused;
  const witnesses = rankSet(failed.flatMap((placed) => placed.rank ?? []));
  const reports = consequenceReports(events, attempt);
  if (rank === undefined || accused.length > 1 || witnesses.includes(rank) || reports.has(rank)) return [];
  const late = failed.every((placed) => TIMED_OUT.test(placed.event.body.error));
  const life = lifeOf(lifeLines, rank, attempt);
  const heard = life !== undefined && life.log !== 'none' && life.errors.length === 0 && life.finished === undefined;
  const named = late && heard;
  const stall = stallOf(rank, attempt, events, lifeLines, rankMap);
  return [
    draft({
      outcome: named ? 'named' : 'cannot-tell',
      status: named ? 'supported' : 'hypothesis',
      stage: 'straggler',
      cause: named ? stall.cause : 'none',
      strength: 'witness',
      firstRanks: named ? [rank] : [],
      candidates: named
        ? []
        : [
            {
              ranks: [rank],
              why: `${nameRanks(witnesses)} could not get the communicator id from it; ${heard ? 'the connection broke' : 'its own log is not here'}`,
            },
          ],
      symptomRanks: witnesses,
      ...commonPlace(rankMap, [rank], attempt),
      attempt,
      summary: `${nameRanksAtStart(witnesses)} waited for rank ${rank}, which should have created the communicator${named ? `; it ${stall.words}` : ''}.`,
      because: [
        ...failed
          .slice(0, 3)
          .map((placed) =>
            cite(
              placed,
              `${placed.rank === undefined ? 'A rank' : `Rank ${placed.rank}`} as witness: ${quote(placed.event.text, 200)}`,
            ),
          ),
        ...(life?.lastSeen
          ? [citeSource(life.lastSeen.source, `Last line of rank ${rank}: ${quote(life.lastSeen.text, 120)}`, rank)]
          : []),
        ...stall.because,
      ],
      wouldChange: [`the log of rank ${rank} for that time`],
      nextChecks: stallChecks(stall.cause, `rank ${rank}`),
    }),
  ];
}
