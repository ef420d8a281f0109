/**
 * A rank began something long (checkpoint, data, compilation, evaluation), never said that it ended, and was silent while its peers timed out.
 *
 *   rank0: 10:28:25 Saving latest checkpoint model trained for 3 complete epochs …
 *   rank1: 10:48:25 Watchdog caught collective operation timeout: WorkNCCL(…) ran for 1200027 milliseconds
 */
import { formatRanks, nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { CollectivesFact, LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { precedes } from './support/order.ts';
import { commonPlace, consequenceReports, timedOut } from './support/ranks.ts';
import { silenceOf } from './support/silence.ts';
import { stallChecks, stallOf } from './support/stall.ts';

export default defineRule({
  id: 'operation-never-ended',
  title: 'A long operation of one rank never ended while the others waited',
  needs: ['events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
Programs announce long work ("saving …", "compiling …") and its end. A rank whose last such line is a start without its end, which reported nothing itself, while other ranks waited until their time
limit, is where they wait. The start must be the rank's last step: a rank that went on training afterwards is not in that operation any more. A rank that itself waited in a collective, by its dump
or by its own time-out, is **never** named: in a sharded checkpoint all ranks are "saving", and the one that announces it may be the one that waits.

A rank that was ended within a moment of the first time-out may have had no time to report one, and where the file with its lines ends inside a line the end of the operation may stand in the missing part: then it is only a lead.

Weak points: a program that never announces ends would leave every operation open; whether an earlier start of the same kind had its end is shown as evidence. Whether the operation was slow or stuck is not decided.

How sure: *supported* for one rank, unless it was ended within half a second of the first time-out on its node; else, and for several ranks, a *hypothesis*. When it can be wrong: as told among the weak points, and where the end of the operation was printed and lost with the buffer.`,
  remedy:
    'Check the storage, the data source or the compiler cache that the operation used, at that time and from that node. Take a stack of the rank when it happens again.',
  run: ({ events, rankMap, lifeLines, collectives }) =>
    [...new Set(lifeLines.map((life) => life.attempt))]
      .sort((a, b) => a - b)
      .flatMap((attempt) => openIn(attempt, events, rankMap, lifeLines, collectives)),
});

function openIn(
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
  collectives: CollectivesFact,
): Draft[] {
  const reports = consequenceReports(events, attempt);
  const waiting = new Set(collectives.waits.map((wait) => wait.rank));
  const open = lifeLines.filter(
    (life) =>
      life.attempt === attempt &&
      life.openOperations.length > 0 &&
      !reports.has(life.rank) &&
      !waiting.has(life.rank) &&
      life.finished === undefined &&
      !wentOn(life),
  );
  const ranks = rankSet(open.map((life) => life.rank));
  const waited = without(rankSet([...timedOut(reports), ...waiting]), ranks);
  if (ranks.length === 0 || waited.length === 0) return [];
  const stall = stallOf(ranks[0] ?? -1, attempt, events, lifeLines, rankMap, collectives.groups);
  const context = { attempt, events, rankMap, lifeLines, reports };
  const cutShort = open.some(
    (life) => life.endsInsideALine === true && silenceOf(life.rank, context).kind !== 'covered',
  );
  const endedTooSoon = cutShort || ranks.some((rank) => silenceOf(rank, context).kind === 'short');
  const start = open[0]?.openOperations[0];
  const witness = waited.map((rank) => reports.get(rank)?.placed).find((placed) => placed !== undefined);
  return [
    draft({
      outcome: ranks.length === 1 ? 'named' : 'group',
      status: ranks.length === 1 && !endedTooSoon ? 'supported' : 'hypothesis',
      stage: 'straggler',
      cause: stall.cause,
      strength: 'absence',
      firstRanks: ranks,
      symptomRanks: without([...waited, ...reports.keys()], ranks),
      ...commonPlace(rankMap, ranks, attempt),
      attempt,
      at: momentOf(start),
      summary: `${nameRanksAtStart(ranks)} ${ranks.length === 1 ? stall.words : 'began an operation and never ended it'}, while ${nameRanks(waited)} waited until the time limit.`,
      because: [
        ...stall.because,
        ...(witness
          ? [
              cite(
                witness,
                `Ranks that waited: ${formatRanks(waited)}; the first report: ${quote(witness.event.text, 140)}`,
              ),
            ]
          : []),
      ],
      wouldChange: [`a line of ${nameRanks(ranks)} after the start, or its Flight Recorder dump`],
      nextChecks: stallChecks(stall.cause, nameRanks(ranks)),
    }),
  ];
}

/** A step of training after the start shows that the operation did not hold the rank. */
function wentOn(life: LifeLine): boolean {
  const [start] = life.openOperations;
  return start !== undefined && life.lastProgress !== undefined && precedes(start, life.lastProgress);
}
