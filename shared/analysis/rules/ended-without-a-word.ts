/**
 * A worker ended by itself with an error code and printed no error, and every other rank only lost it.
 *
 *   failed (exitcode: 3) local_rank: 1 (pid: 2113)          nothing but progress in the log of that rank
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { EventBody } from '../../model/events.ts';
import { defineRule } from '../../model/finding.ts';
import { citeSource, draft, quote } from './support/draft.ts';
import { dumpAttempt } from './support/dump-attempt.ts';
import { eventsOf, isPrimaryClass } from './support/events.ts';
import { commonPlace, consequenceReports, jobRanks } from './support/ranks.ts';
import { stopsOf } from './support/stops.ts';

/** A line of a traceback before its last: the heading, a frame, its source, or marks below that. */
const INSIDE_TRACEBACK = /^(?:\[rank\d{1,6}\]: ?)?(?:Traceback \(most recent|\s{2}File\b|\s{4}|\s*$)/;

export default defineRule({
  id: 'ended-without-a-word',
  title: 'A worker ended by itself and said nothing',
  needs: ['events', 'rankMap', 'lifeLines'],
  explain: `
A launcher tells with which code a worker ended. A code above zero is the program's own: it called exit, or something in it did. Victims say why they end: a time-out, a lost peer. A worker that ended by itself, had not been told to stop, and whose log is there and holds neither an error nor a time-out nor a lost peer, has not been
driven out by anybody. If every other rank reported that it waited or lost a peer, or was ended by its launcher, it is where that began.

Two things show that it was not mute, or not the first. A last line inside a traceback: the error was printed, and the log was cut before it. And a gloo time-out of anybody: the connections of a process that ends are closed at once, so whoever waited
until the limit waited for one that was there still.

How sure: *supported*, for exactly one such worker. The reason is not told: \`os._exit\`, \`sys.exit\` after a check, native code that exits. When it can be wrong: output that was buffered and lost with the process, which is why the codes of uncaught exceptions (1) count only if other lines of that rank were not buffered: it must have printed something
after it was announced.`,
  remedy:
    'Search the program and its libraries for exits without a message (os._exit, sys.exit, abort handlers); set PYTHONUNBUFFERED=1 and PYTHONFAULTHANDLER=1 and run again.',
  run: ({ events, rankMap, lifeLines }) => {
    if (rankMap.worldSize === undefined) return [];
    const attempt = dumpAttempt(events, lifeLines);
    const reports = consequenceReports(events, attempt);
    const stops = stopsOf(events, rankMap);
    const failed = eventsOf(events, 'exception').some(
      ({ event: { body }, attempt: other }) => other === attempt && !body.handled && isPrimaryClass(body.class),
    );
    if (failed || events.some((placed) => placed.attempt === attempt && isGlooTimeout(placed.event.body))) return [];
    const here = lifeLines.filter((life) => life.attempt === attempt);
    const mute = here.filter(
      (life) =>
        life.exit?.by === 'agent' &&
        (life.exit.code ?? 0) > 0 &&
        !life.exit.terminatedByAgent &&
        life.log !== 'none' &&
        life.errors.length === 0 &&
        life.lastProgress !== undefined &&
        !reports.has(life.rank) &&
        !INSIDE_TRACEBACK.test(life.lastSeen?.text ?? '') &&
        stops.toldToStop(life.rank, attempt) === undefined,
    );
    const [one] = mute;
    if (one?.exit === undefined || mute.length !== 1) return [];
    const ended = here.filter((life) => life.exit?.terminatedByAgent === true).map((life) => life.rank);
    const unheard = without(jobRanks(rankMap), [one.rank, ...reports.keys(), ...ended]);
    if (unheard.length > 0 || reports.size === 0) return [];
    const { exit } = one;
    return [
      draft({
        outcome: 'named',
        status: 'supported',
        stage: 'exited-rank',
        cause: 'python-exception',
        strength: 'witness',
        firstRanks: [one.rank],
        symptomRanks: rankSet([...reports.keys(), ...ended]),
        ...commonPlace(rankMap, [one.rank], attempt),
        attempt,
        summary: `${nameRanksAtStart([one.rank])} ended by itself with code ${exit.code} and printed no error; ${nameRanks(without(jobRanks(rankMap), [one.rank]))} only lost it. Why it ended is not shown.`,
        because: [
          citeSource(exit.source, `The launcher reports rank ${one.rank} ended with code ${exit.code}`, one.rank),
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
  },
});

function isGlooTimeout(body: EventBody): boolean {
  return body.kind === 'gloo-timeout' || (body.kind === 'gloo-closed' && body.how === 'timeout-closure');
}
