/**
 * torchrun's failure block quotes the exception that a worker wrote into its error file, and the worker's own output is not here.
 *
 *   rank      : 0 (local_rank: 0)   exitcode : 1   error_file: …/attempt_0/0/error.json
 *   traceback : Traceback (most recent call last): … OSError: [Errno 5] Input/output error: '/data/tokens-000-00011.bin'
 */
import { nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { WorkerFailure } from '../../model/events.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, momentOfStamp, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, isPrimaryClass, type PlacedOf } from './support/events.ts';
import { quotedCause } from './support/quoted-cause.ts';
import { commonPlace, consequenceReports, eventsOfRank } from './support/ranks.ts';

/** Errors about others: waiting, sockets, stores, groups. They name nobody. */
const OF_OTHERS =
  /gloo|NCCL|nccl[A-Z]|Connection (?:closed|reset|refused)|Broken pipe|[Tt]imed? ?out|TCPStore|c10d|\bstore\b|Watchdog|Dist(?:Backend|Network|Store)?Error|Rendezvous|SignalException|ChildFailedError|monitoredBarrier|CheckpointException|Detected mismatch|got 0 bytes/;

export default defineRule({
  id: 'launcher-quotes-exception',
  title: 'The launcher quotes the exception of a worker',
  needs: ['events', 'rankMap'],
  explain: `
With \`@record\` a worker writes its exception into an error file and torchrun repeats it in its failure block, with the global rank and the moment of the exception. An exception about the program is as good there as in the worker's own
output: it is the same text. So this is direct evidence where the worker's log is missing. As with any exception, those about time-outs, sockets, stores and groups name nobody, and an exit by a signal is not looked at.
What was raised while handling one of those (clean-up that fails) is none either. Where the worker's own output holds its error, that is told instead.
The block knows only one node's workers; where of another Pod neither a block nor a line of any worker is here, an earlier failure may stand there.

How sure: *established* where of every Pod something is told, else *supported*. When it can be wrong: an error file left over from an earlier attempt at the same place.`,
  remedy: "Read the quoted traceback; ask for that worker's own log (torchrun --log-dir) if the quotation is cut.",
  run: ({ events, rankMap }) => {
    const summaries = eventsOf(events, 'failure-summary');
    return attemptsOf(summaries).flatMap((attempt) =>
      quotedIn(inAttempt(summaries, attempt), attempt, events, rankMap),
    );
  },
});

interface Quoted {
  readonly failure: WorkerFailure;
  readonly line: string;
  readonly placed: PlacedOf<'failure-summary'>;
}

function quotedIn(
  summaries: readonly PlacedOf<'failure-summary'>[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft[] {
  const quoted = new Map<number, Quoted>();
  for (const placed of summaries) {
    for (const failure of placed.event.body.failures) {
      const line = lastError(failure.message);
      if (
        line === undefined ||
        failure.exitCode < 0 ||
        OF_OTHERS.test(line) ||
        cameOutOfOthers(failure.message ?? '') ||
        quoted.has(failure.rank) ||
        toldItself(failure.rank, attempt, events)
      )
        continue;
      quoted.set(failure.rank, { failure, line, placed });
    }
  }
  const groups = new Map<string, Quoted[]>();
  for (const one of quoted.values()) {
    const key = one.line.replace(/\d+/g, '#');
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => quotedDraft(group, attempt, events, rankMap));
}

/** The final `Type: text` line of a quoted traceback. */
function lastError(message: string | undefined): string | undefined {
  const lines = (message ?? '')
    .slice(0, 20_000)
    .split('\n')
    .map((line) => line.trim());
  return lines.findLast(
    (line) =>
      /^[A-Za-z_][\w.]{1,120}(?:Error|Exception|Exit|Interrupt|Iteration|Warning)?: \S/.test(line) &&
      !line.startsWith('Traceback'),
  );
}

/** A chained traceback that began with somebody else's failure: what was raised while dealing with it began nothing. */
function cameOutOfOthers(message: string): boolean {
  const [beginning] = message
    .slice(0, 20_000)
    .split(/^.{0,40}(?:During handling of the above|The above exception was)/m);
  return beginning !== undefined && beginning.length < message.length && OF_OTHERS.test(lastError(beginning) ?? '');
}

function toldItself(rank: number, attempt: number, events: readonly PlacedEvent[]): boolean {
  return inAttempt(eventsOf(eventsOfRank(events, rank), 'exception'), attempt).some(
    (placed) => isPrimaryClass(placed.event.body.class) && !placed.event.body.handled,
  );
}

/** Of every Pod of the job something is told, by its launcher's block or by its workers: an earlier failure could stand nowhere else. */
function isWhole(attempt: number, events: readonly PlacedEvent[], { pods }: RankMapFact): boolean {
  const told = new Set(
    inAttempt(events, attempt).flatMap(({ pod, rank, event }) =>
      rank !== undefined || event.body.kind === 'failure-summary' ? [pod] : [],
    ),
  );
  return pods.length <= 1 || pods.every(({ pod }) => told.has(pod));
}

function quotedDraft(
  group: readonly Quoted[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const ranks = rankSet(group.map((one) => one.failure.rank));
  const [first] = group;
  const line = first?.line ?? '';
  return draft({
    outcome: ranks.length === 1 ? 'named' : 'group',
    status: isWhole(attempt, events, rankMap) ? 'established' : 'supported',
    stage: 'exited-rank',
    cause: quotedCause(line),
    strength: 'direct',
    firstRanks: ranks,
    symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
    ...commonPlace(rankMap, ranks, attempt),
    attempt,
    at:
      first?.failure.time !== undefined && first.placed.clock !== undefined
        ? momentOfStamp(first.failure.time, first.placed.clock)
        : momentOf(first?.placed),
    summary: `${nameRanksAtStart(ranks)} ended with ${quote(line)}, as quoted by the launcher.`,
    because: group
      .slice(0, 4)
      .map((one) => cite(one.placed, `The launcher quotes rank ${one.failure.rank}: ${quote(one.line, 220)}`)),
    wouldChange: ['the own logs of the workers, and the failure blocks of the other nodes'],
    nextChecks: ['Read the quoted traceback', `Own log of ${nameRanksAtStart(ranks).toLowerCase()}`],
  });
}
