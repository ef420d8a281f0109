/**
 * All ranks but one reported that they waited; that one lived on, could have reported, and did not.
 *
 *   rank 5, 18:39:23.265  Timed out waiting 15000ms for send operation to complete
 *   agent,  18:39:26.152  Sending process 7341 closing signal SIGTERM          (rank 4: no line since "process group ready")
 */
import { formatRanks, nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { CollectivesFact, LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, citeSource, type Draft, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, isPrimaryClass } from './support/events.ts';
import { commonPlace, consequenceReports, jobRanks, lifeOf, type RankReport, timedOut } from './support/ranks.ts';
import { silenceOf } from './support/silence.ts';
import { stallChecks, stallOf } from './support/stall.ts';

export default defineRule({
  id: 'silent-rank',
  title: 'One rank said nothing while all its peers reported that they waited',
  needs: ['events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
Every rank that waits in a collective says so when its limit is reached. If all members of a job but one say so, the one that does not was not waiting: it is where they wait. Silence counts only where it is covered:
the silent rank's lines are in the bundle, it printed no error, and it was still alive clearly (half a second) after its neighbours **on the same node** had timed out (its launcher sent it a signal later, on the same
clock), or its Pod still ran when every other Pod of the job was over. Without stamps the order of lines or of cause and effect must show it, and all others must have waited until their limit or written a dump on their own. A rank that was ended within a moment of the first report may have had no time to report: it remains possible, and nobody is named alone. A rank without a log, or whose log lacks its beginning, proves nothing by its silence. Where any rank raised an error of its own, where the size of the job is not known, or where more than half of it is silent, this rule says nothing.

It can be wrong if the rank waited with a longer limit than the others (another group), or if its output was buffered and lost. Flight Recorder dumps are better evidence and overrule this.

How sure: *supported* for one rank alone, else a *hypothesis*.`,
  remedy:
    'If it still hangs: stack of the silent rank (py-spy dump --native --pid PID) and its Flight Recorder dump. Else look at the last line of its log and at CPU, disk and GPU use of its node at that time, and set TORCH_FR_BUFFER_SIZE, TORCH_NCCL_DUMP_ON_TIMEOUT=1 for the next run.',
  run: ({ events, rankMap, lifeLines, collectives }) =>
    attemptsOf(events).flatMap((attempt) => silentIn(attempt, events, rankMap, lifeLines, collectives)),
});

function silentIn(
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
  collectives: CollectivesFact,
): Draft[] {
  const reports = consequenceReports(events, attempt);
  const waited = timedOut(reports);
  const all = jobRanks(rankMap);
  if (rankMap.worldSize === undefined || waited.length === 0 || all.length < 2) return [];
  if (hasOwnFailure(events, attempt)) return [];
  const waiting = rankSet(collectives.waits.map((wait) => wait.rank));
  const silent = without(all, [...reports.keys(), ...waiting, ...finished(lifeLines, attempt)]);
  if (silent.length === 0 || silent.length * 2 >= all.length + 1) return [];
  const context = { attempt, events, rankMap, lifeLines, reports };
  const covered = silent.filter((rank) => silenceOf(rank, context).kind === 'covered');
  if (covered.length === 0) return [];
  return [silentDraft(silent, covered, waited, attempt, events, rankMap, lifeLines, reports)];
}

function hasOwnFailure(events: readonly PlacedEvent[], attempt: number): boolean {
  return inAttempt(eventsOf(events, 'exception'), attempt).some(
    (placed) => !placed.event.body.handled && isPrimaryClass(placed.event.body.class),
  );
}

function finished(lifeLines: readonly LifeLine[], attempt: number): number[] {
  return lifeLines.filter((life) => life.attempt === attempt && life.finished !== undefined).map((life) => life.rank);
}

function silentDraft(
  silent: readonly number[],
  covered: readonly number[],
  waited: readonly number[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
  reports: ReadonlyMap<number, RankReport>,
): Draft {
  const alone = silent.length === 1;
  const rank = covered[0] ?? -1;
  const stall = stallOf(rank, attempt, events, lifeLines, rankMap);
  const silence = silenceOf(rank, { attempt, events, rankMap, lifeLines, reports });
  const stop = silence.kind === 'covered' ? silence.stop : undefined;
  const running = silence.kind === 'covered' && silence.stop === undefined ? silence.running : undefined;
  const life = lifeOf(lifeLines, rank, attempt);
  const firstReport = reports.get(waited[0] ?? -1)?.placed;
  const ranks = alone ? [rank] : silent;
  return draft({
    outcome: alone ? 'named' : 'cannot-tell',
    status: alone ? 'supported' : 'hypothesis',
    stage: 'straggler',
    cause: stall.cause,
    strength: 'absence',
    firstRanks: alone ? ranks : [],
    candidates: alone
      ? []
      : silent.map((one) => ({
          ranks: [one],
          why: covered.includes(one)
            ? 'silent although it lived on after its neighbours had reported'
            : 'silent, but ended too soon or without a log: it may have been waiting too',
        })),
    symptomRanks: without(reports.keys(), ranks),
    ...commonPlace(rankMap, ranks, attempt),
    attempt,
    summary: alone
      ? `Rank ${rank} is the only one that did not report a time-out although it lived on; it ${stall.words}.`
      : `${nameRanksAtStart(silent)} reported nothing while ${waited.length} ranks timed out; which of them held the others up cannot be told.`,
    because: [
      ...(firstReport
        ? [
            cite(
              firstReport,
              `${reports.size} of ${jobRanks(rankMap).length} ranks reported that they waited or lost a peer (${formatRanks(reports.keys())})`,
            ),
          ]
        : []),
      ...(stop
        ? [
            cite(
              stop,
              `Rank ${rank} was still alive when its launcher told it to stop, after its neighbours had timed out`,
            ),
          ]
        : []),
      ...(running
        ? [
            citeSource(
              running.source,
              `The Pod of rank ${rank} still ran when all other Pods had ended: it neither reached a time limit nor lost its peers`,
              rank,
            ),
          ]
        : []),
      ...(life?.lastSeen
        ? [citeSource(life.lastSeen.source, `Last line of rank ${rank}: ${quote(life.lastSeen.text, 120)}`, rank)]
        : []),
      ...stall.because,
    ],
    wouldChange: [
      `the Flight Recorder dump of ${nameRanks(silent)}`,
      'a longer time limit of that rank in another process group',
    ],
    nextChecks: stallChecks(stall.cause, nameRanks(ranks)),
  });
}
