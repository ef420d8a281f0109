/**
 * The others waited in vain for the address that a rank publishes when it enters the process group.
 *
 *   torch.distributed.DistStoreError: wait timeout after 12000ms, keys: /default_pg/0//cpu//0/3
 */
import { nameRanks, rankSet, without } from '../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { type Cause, defineRule, type Evidence, type Stage } from '../../model/finding.ts';
import { cite, citeSource, type Draft, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { commonPlace, jobRanks, lifeOf } from './support/ranks.ts';
import { stallChecks, stallOf } from './support/stall.ts';
import { tellerOf } from './support/teller.ts';

/** Key of a rank's address in the default group of gloo; the last part is the rank. */
const ADDRESS_KEY =
  /[Ww]ait timeout after \d{1,12} ?ms, keys: \/default_pg\/\d{1,6}\/\/cpu\/\/\d{1,6}\/(\d{1,6})(?!\d)/;

export default defineRule({
  id: 'address-never-published',
  title: 'A rank never published its address for the process group',
  needs: ['events', 'rankMap', 'lifeLines'],
  explain: `
To build a gloo group each rank puts its address under its own number into the store and then fetches those of the others, from rank 0 upwards. A time-out that names the key of rank N is a witness: N had not entered the group by then. In the
default group that number is the global rank.

Only the lowest missing number is named, so others may be missing as well. The rank is named only where every other rank is accounted for: it told of that wait itself, or its launcher ended it (lines without a mark of a rank stand for one rank each). Else it is a lead. Why it did not come is told by its own log, if at all; if its
launcher says that it ended by itself with an error code, that came first. Where the waits name different ranks, or the named one waited itself, they contradict each other and nothing is said; so it is where the size of the job is not known.

How sure: *supported* where every other rank is accounted for, else a lead. When it can be wrong: a store that lost keys, or a rank that could not reach the store and says so in a log that is not here.`,
  remedy:
    'Read the log of that rank from its start: imports, downloads, data preparation, an early exit before init_process_group. If it is still there, take its stack (py-spy dump --pid PID). Raise timeout= of init_process_group only if that work is meant to take so long.',
  run: ({ events, rankMap, lifeLines }) => {
    const exceptions = eventsOf(events, 'exception').filter(({ event }) => ADDRESS_KEY.test(event.body.message));
    return attemptsOf(exceptions).flatMap((attempt) =>
      accusedIn(inAttempt(exceptions, attempt), attempt, events, rankMap, lifeLines),
    );
  },
});

function accusedIn(
  waited: readonly PlacedOf<'exception'>[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
): Draft[] {
  const accused = rankSet(waited.map(({ event }) => Number(ADDRESS_KEY.exec(event.body.message)?.[1])));
  const [rank] = accused;
  const witnesses = rankSet(waited.flatMap((placed) => placed.rank ?? []));
  const world = rankMap.worldSize;
  if (rank === undefined || accused.length > 1 || witnesses.includes(rank) || world === undefined || rank >= world)
    return [];
  const others = without(jobRanks(rankMap), [rank]);
  const ended = others.filter((other) => lifeOf(lifeLines, other, attempt)?.exit?.terminatedByAgent === true);
  // A process tells of it once. Without a mark its line is of one of the others, of which as many must be left.
  const unmarked = waited.filter((placed) => placed.rank === undefined).length;
  const named = without(others, [...witnesses, ...ended]).length <= unmarked;
  const { stage, cause, words, because } = whyNot(rank, attempt, events, rankMap, lifeLines);
  const life = lifeOf(lifeLines, rank, attempt);
  return [
    draft({
      outcome: named ? 'named' : 'cannot-tell',
      status: named ? 'supported' : 'hypothesis',
      stage: named ? stage : 'unknown',
      cause: named ? cause : 'none',
      strength: 'witness',
      firstRanks: named ? [rank] : [],
      candidates: named ? [] : [{ ranks: [rank], why: 'the others waited for its address; more may be missing' }],
      symptomRanks: named ? without(others, ended) : witnesses,
      ...commonPlace(rankMap, [rank], attempt),
      attempt,
      summary: `Rank ${rank} never published its address for the process group; ${named ? `${nameRanks(without(others, ended))} waited for it until the time limit. It ${words}.` : 'those that waited for it do not show whether others were missing as well.'}`,
      because: [
        ...waited
          .slice(0, 3)
          .map((placed) =>
            cite(
              placed,
              `${placed.rank === undefined ? 'A rank' : `Rank ${placed.rank}`} as witness: ${quote(placed.event.text, 160)}`,
            ),
          ),
        ...because,
        ...(life?.lastSeen
          ? [citeSource(life.lastSeen.source, `Last line of rank ${rank}: ${quote(life.lastSeen.text, 120)}`, rank)]
          : []),
      ],
      wouldChange: [`the log of rank ${rank} for that time`],
      nextChecks: stallChecks(cause, `rank ${rank}`),
    }),
  ];
}

interface Why {
  readonly stage: Stage;
  readonly cause: Cause;
  /** Completes "it …". */
  readonly words: string;
  readonly because: readonly Evidence[];
}

function whyNot(
  rank: number,
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
): Why {
  const exit = lifeOf(lifeLines, rank, attempt)?.exit;
  if (exit?.by === 'agent' && !exit.terminatedByAgent && (exit.code ?? 0) > 0)
    return {
      stage: 'exited-rank',
      cause: 'python-exception',
      words: `ended by itself with code ${exit.code}`,
      because: [citeSource(exit.source, `${tellerOf(exit)} that rank ${rank} ended with code ${exit.code}`, rank)],
    };
  return { stage: 'straggler', ...stallOf(rank, attempt, events, lifeLines, rankMap) };
}
