/**
 * A worker ended by itself with an error code and printed no error, and every other rank only lost it.
 *
 *   failed (exitcode: 3) local_rank: 1 (pid: 2113)          nothing but progress in the log of that rank
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { EventBody } from '../../model/events.ts';
import type { LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule, type Facts } from '../../model/finding.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { citeSource, type Draft, draft, quote } from './support/draft.ts';
import { consequenceOf, eventsOf, isPrimaryClass } from './support/events.ts';
import {
  commonPlace,
  consequenceReports,
  exitSignal,
  jobRanks,
  placeOf,
  type RankReport,
  signalName,
} from './support/ranks.ts';
import { stopsOf } from './support/stops.ts';

const SIGABRT = 6;

/** A line of a traceback before its last: the heading, a frame, its source, or marks below that. */
const INSIDE_TRACEBACK = /^(?:\[rank\d{1,6}\]: ?)?(?:Traceback \(most recent|\s{2}File\b|\s{4}|\s*$)/;

export default defineRule({
  id: 'ended-without-a-word',
  title: 'A worker ended by itself and said nothing',
  needs: ['input', 'events', 'rankMap', 'lifeLines'],
  explain: `
A launcher tells with which code a worker ended, and by its list of those that failed also who ended with success before (neither in that list nor told to stop). One that left with success while its peers went on and lost it, and that never said it had finished, ended too early: the peers trained with it until then. A code above zero is the program's own: it called exit, or something in it did; so is SIGABRT, where nothing says what aborted it. Victims say why they end: a time-out, a lost peer. A worker that ended by itself, had not been told to stop, and whose log is there and holds neither an error nor a time-out nor a lost peer, has not been
driven out by anybody. If every other rank reported that it waited or lost a peer, or was ended by its launcher, or if all others finished, it is where that began. An error without a mark in the log of its Pod may be its own: then it is not mute.

Two things show that it was not mute, or not the first. A last line inside a traceback: the error was printed, and the log was cut before it. And a gloo time-out of anybody: the connections of a process that ends are closed at once, so whoever waited
until the limit waited for one that was there still. Only where each of the others spoke, one of them of a closed connection, and the mute one left with success or with a code above 1, which no uncaught exception gives, may that have been for a victim that was slow to end.

How sure: *supported*, for exactly one such worker. One that ended by SIGABRT is only a lead where its lines stand among others': victims abort as well, and the line that says so carries no mark of a rank. Where the launcher kept its stderr in a file of its own, that line would stand there: whatever aborts a victim (an uncaught C++
exception, a watchdog, the allocator) writes to that file first, unbuffered. The reason is not told: \`os._exit\`, \`sys.exit\` after a check, native code that exits. When it can be wrong: output that was buffered and lost with the process, which is why the codes of uncaught exceptions (1) count only if other lines of that rank were not buffered: it must have printed something
after it was announced.`,
  remedy:
    'Search the program and its libraries for exits without a message (os._exit, sys.exit, abort handlers); set PYTHONUNBUFFERED=1 and PYTHONFAULTHANDLER=1 and run again.',
  run: (facts) =>
    facts.rankMap.worldSize === undefined
      ? []
      : [...new Set(facts.lifeLines.map((life) => life.attempt))]
          .sort((a, b) => a - b)
          .flatMap((attempt) => muteIn(attempt, facts)),
});

type Given = Pick<Facts, 'input' | 'events' | 'rankMap' | 'lifeLines'>;

function muteIn(attempt: number, { input, events, rankMap, lifeLines }: Given): Draft[] {
  const reports = consequenceReports(events, attempt);
  const stops = stopsOf(events, rankMap);
  const failed = eventsOf(events, 'exception').some(
    ({ event: { body }, attempt: other }) => other === attempt && !body.handled && isPrimaryClass(body.class),
  );
  if (failed) return [];
  const timedOut = events.some((placed) => placed.attempt === attempt && isGlooTimeout(placed.event.body));
  const here = lifeLines.filter((life) => life.attempt === attempt);
  const unsigned = podsWithUnsignedErrors(events, attempt);
  const mute = here.filter(
    (life) =>
      endedByItself(life) &&
      saidNothing(life) &&
      !reports.has(life.rank) &&
      !unsigned.has(placeOf(rankMap, life.rank, attempt)?.pod) &&
      stops.toldToStop(life.rank, attempt) === undefined,
  );
  const [one] = mute;
  if (one?.exit === undefined || mute.length !== 1) return [];
  const ended = here.filter((life) => life.exit?.terminatedByAgent === true).map((life) => life.rank);
  const done = here.filter((life) => life.finished !== undefined && endedWell(life)).map((life) => life.rank);
  const unheard = without(jobRanks(rankMap), [one.rank, ...reports.keys(), ...ended, ...done]);
  const others = without(jobRanks(rankMap), [one.rank]);
  if (unheard.length > 0 || (reports.size === 0 && done.length === 0)) return [];
  const { exit } = one;
  if (timedOut && !isNoVictim(one, others, reports)) return [];
  // A good end closes connections as well as a bad one does: without a peer that lost it, it may simply have been done.
  if (exit.code === 0 && ![...reports.values()].some(({ how }) => how === 'closed')) return [];
  const byAbort = exitSignal(one) !== undefined;
  const aborted = byAbort && !hasOwnStderr(one.rank, attempt, rankMap, input);
  const how = byAbort ? `by ${signalName(SIGABRT)}` : `with code ${exit.code}`;
  const well = exit.code === 0;
  return [
    draft({
      outcome: aborted ? 'cannot-tell' : 'named',
      status: aborted ? 'hypothesis' : 'supported',
      stage: aborted ? 'unknown' : 'exited-rank',
      cause: aborted ? 'none' : byAbort ? 'killed' : 'python-exception',
      strength: 'witness',
      firstRanks: aborted ? [] : [one.rank],
      candidates: aborted ? [{ ranks: [one.rank], why: 'it aborted, and no line says what made it abort' }] : [],
      symptomRanks: rankSet([...reports.keys(), ...ended]),
      ...commonPlace(rankMap, [one.rank], attempt),
      attempt,
      summary: `${nameRanksAtStart([one.rank])} ended by itself ${how} and printed no error; ${nameRanks(others)} only ${reports.size === 0 ? 'finished or were ended by their launcher' : 'lost it'}. Why it ended is not shown.`,
      because: [
        citeSource(
          exit.source,
          well
            ? `The launcher lists all its workers that failed: rank ${one.rank} is not among them and was not told to stop, so it had ended before, with success`
            : `The launcher reports rank ${one.rank} ended ${how}`,
          one.rank,
        ),
        ...(one.lastSeen === undefined
          ? []
          : [
              citeSource(
                one.lastSeen.source,
                `Last line of rank ${one.rank}: ${quote(one.lastSeen.text, 140)}`,
                one.rank,
              ),
            ]),
      ],
      wouldChange: ['output of that process that was buffered and lost', 'a Flight Recorder dump of that rank'],
      nextChecks: [
        'Exits without a message in the program and its libraries (os._exit, sys.exit)',
        'The same run with PYTHONUNBUFFERED=1 and PYTHONFAULTHANDLER=1',
      ],
    }),
  ];
}

/** By the code of the program, or by abort: what aborts a victim (an uncaught C++ exception, a watchdog) says why. */
const endedByItself = (life: LifeLine): boolean =>
  life.exit?.by === 'agent' &&
  !life.exit.terminatedByAgent &&
  ((life.exit.code ?? 0) > 0 || leftEarly(life) || exitSignal(life) === SIGABRT);

/** What the launcher keeps of one worker's stderr: `…/attempt_0/1/stderr.log`. */
const OWN_STDERR = /(?:^|\/)attempt_\d{1,6}\/\d{1,6}\/stderr\.log$/;

function hasOwnStderr(rank: number, attempt: number, { places }: RankMapFact, { entries }: IncidentInput): boolean {
  const own = places.find((place) => place.rank === rank && place.attempt === attempt)?.entries ?? [];
  return entries.some(({ id, path, status }) => own.includes(id) && status === 'read' && OWN_STDERR.test(path));
}

/** With success, and without saying that it had finished: what all ranks do at the end is no early end. */
const leftEarly = (life: LifeLine): boolean => life.exit?.code === 0 && life.finished === undefined;

/** The state of a container is that of its launcher, which fails with any of its workers. */
const endedWell = (life: LifeLine): boolean => life.exit?.by !== 'agent' || life.exit.code === 0;

/** Code of Python for an exception that nobody caught; a higher one was given to an exit call. */
const UNCAUGHT = 1;

/** Its log is there, with more than the first line or a code that no lost traceback explains, and holds no error. */
const saidNothing = (life: LifeLine): boolean =>
  life.log !== 'none' &&
  (life.log !== 'own' || life.endsInsideALine !== true) &&
  life.errors.length === 0 &&
  ((life.lastProgress ?? life.ready) !== undefined || (life.exit?.code ?? 0) > UNCAUGHT) &&
  !INSIDE_TRACEBACK.test(life.lastSeen?.text ?? '');

/** Pods in which somebody printed an error without a mark: it may have been the one that seems mute. */
function podsWithUnsignedErrors(events: readonly PlacedEvent[], attempt: number): ReadonlySet<string | undefined> {
  // What C++ prints has no mark (`terminate called …`, NCCL's warnings), but where torch marks the lines of one process it marks those of
  // all: the mute one's watchdog would have spoken under its mark.
  const marked = new Set(
    events.flatMap(({ event, attempt: other, pod }) =>
      other === attempt && event.rankBasis === 'rank-prefix' && consequenceOf(event.body) !== undefined ? [pod] : [],
    ),
  );
  return new Set(
    events.flatMap(({ event: { body }, rank, attempt: other, pod }) =>
      rank === undefined &&
      other === attempt &&
      (body.kind === 'exception'
        ? body.class !== 'wrapper' && !body.handled
        : body.kind === 'gloo-size-mismatch' || (!marked.has(pod) && consequenceOf(body) !== undefined))
        ? [pod]
        : [],
    ),
  );
}

/**
 * Though somebody waited until the limit. That may have been for a victim that took its time to end; but no victim leaves with success or with a code of the
 * program's choice, unless it says nothing of its loss, and then the one that it lost would be silent as well: each of the others spoke.
 */
function isNoVictim({ exit }: LifeLine, others: readonly number[], reports: ReadonlyMap<number, RankReport>): boolean {
  if (exit?.code === undefined || exit.code === UNCAUGHT || others.some((rank) => !reports.has(rank))) return false;
  return [...reports.values()].some(({ how }) => how === 'closed');
}

function isGlooTimeout(body: EventBody): boolean {
  return body.kind === 'gloo-timeout' || (body.kind === 'gloo-closed' && body.how === 'timeout-closure');
}
