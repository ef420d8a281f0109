/**
 * What the bundle covers: whether a failure could hide in what is not there. "Established" is only possible where every rank of the
 * job left a log or a dump, no earlier attempt is known to be lost, and no log of the job was cut or could not be read.
 */
import { rankSet, without } from '../../lib/rank-set.ts';
import type { LogStream } from '../../model/events.ts';
import type { PlacedEvent } from '../../model/facts.ts';
import type { Facts } from '../../model/finding.ts';
import type { IssueCode } from '../../model/issue.ts';
import type { ContainerState } from '../../model/kubernetes.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import { ranksWithoutBeginning } from '../rules/support/begins-late.ts';

export interface LostAttempt {
  readonly pod: string;
  readonly why: string;
  /** The attempts that are seen bear their own numbers, so that 0 is the first; else what is called 0 may be a later one. */
  readonly numbered: boolean;
  readonly source: SourceRef | undefined;
}

export interface Coverage {
  readonly worldKnown: boolean;
  /** Ranks of the job that left neither a line nor a dump, sorted. */
  readonly silentRanks: readonly number[];
  /** Ranks whose log lacks its beginning, sorted. */
  readonly beginningLost: readonly number[];
  readonly lostAttempts: readonly LostAttempt[];
  /** Paths of logs that were cut off, failed or refused, sorted. */
  readonly damagedLogs: readonly string[];
}

const MOST_RANKS = 65_536;

/** Entries that hold no evidence of their own: refusing them loses nothing. */
const WITHOUT_CONTENT: ReadonlySet<IssueCode> = new Set(['entry-is-link', 'entry-is-device']);

export function coverageOf(facts: Facts): Coverage {
  const { rankMap, lifeLines, collectives, input } = facts;
  const heard = new Set<number>(collectives.dumpsPresent);
  for (const life of lifeLines)
    if (life.log !== 'none' || life.started !== undefined || life.errors.length > 0) heard.add(life.rank);
  for (const placed of facts.events)
    if (placed.rank !== undefined && placed.event.rank !== undefined) heard.add(placed.rank);
  const size = rankMap.worldSize;
  const all = size === undefined || size > MOST_RANKS ? [] : Array.from({ length: size }, (_, rank) => rank);
  const silentRanks = without(all, heard);
  const attempts = rankSet(lifeLines.map((life) => life.attempt));
  const beginningLost = rankSet(attempts.flatMap((attempt) => ranksWithoutBeginning(lifeLines, attempt)));
  const lostAttempts = lostAttemptsOf(facts);
  const logEntries = new Set(facts.events.map((placed) => placed.event.source.entry));
  const noContent = new Set(
    input.issues.flatMap((issue) => (WITHOUT_CONTENT.has(issue.code) ? [issue.entry ?? issue.path ?? ''] : [])),
  );
  const damagedLogs = input.entries
    .filter(
      (entry) =>
        (entry.status === 'refused' && !noContent.has(entry.id) && !noContent.has(entry.path)) ||
        entry.status === 'failed' ||
        (entry.status === 'truncated' && logEntries.has(entry.id)),
    )
    .map((entry) => entry.path)
    .sort();
  return { worldKnown: size !== undefined, silentRanks, beginningLost, lostAttempts, damagedLogs };
}

/** Attempts of which the bundle shows that they ran, but not what they printed. Sorted by Pod. */
function lostAttemptsOf({ input, rankMap, lifeLines, events }: Facts): LostAttempt[] {
  const streams = workerStreams(input.streams, events);
  const lost = new Map<string, LostAttempt>();
  const ofJob = new Set(rankMap.pods.map((place) => place.pod));
  for (const pod of input.pods) {
    if (!ofJob.has(pod.name)) continue;
    // What runs beside the container that trains may restart as it likes.
    const container = pod.containers.find(
      ({ init, name, restartCount }) =>
        !init && (restartCount ?? 0) > 0 && (pod.trainingContainer === undefined || name === pod.trainingContainer),
    );
    if (container === undefined || hasFirst(streams, pod.name, container)) continue;
    const times = container.restartCount === 1 ? 'once' : `${container.restartCount} times`;
    lost.set(pod.name, {
      pod: pod.name,
      why: `container ${container.name} was restarted ${times} and the log before the first restart is not in the bundle`,
      numbered: true,
      source: pod.source,
    });
  }
  const firstAttempts = new Map<string, number>();
  for (const stream of input.streams) {
    const pod = stream.pod ?? '';
    const attempt = stream.attempt ?? (stream.restart !== undefined && stream.restart > 0 ? stream.restart : undefined);
    if (attempt !== undefined) firstAttempts.set(pod, Math.min(firstAttempts.get(pod) ?? attempt, attempt));
  }
  const complete = new Set(
    streams.flatMap(({ attempt, restart, pod = '' }) => ((attempt ?? 0) === 0 && (restart ?? 0) === 0 ? [pod] : [])),
  );
  for (const [pod, attempt] of firstAttempts) {
    if (attempt > 0 && !complete.has(pod) && !lost.has(pod))
      lost.set(pod, { pod, why: `the earliest log is of attempt ${attempt}`, numbered: true, source: undefined });
  }
  const restarted = events.find(
    (placed) => placed.event.body.kind === 'rendezvous-result' && (placed.event.body.restartCount ?? 0) > 0,
  );
  const attempts = rankSet([...rankMap.places.map((place) => place.attempt), ...lifeLines.map((life) => life.attempt)]);
  if (
    restarted !== undefined &&
    attempts.length === 1 &&
    !events.some((placed) => placed.event.body.kind === 'worker-restart')
  ) {
    const pod = restarted.pod ?? '';
    if (!lost.has(pod))
      lost.set(pod, {
        pod,
        why: 'the launcher had restarted its workers before this log begins',
        numbered: false,
        source: restarted.event.source,
      });
  }
  return [...lost.values()].sort((a, b) => (a.pod < b.pod ? -1 : a.pod > b.pod ? 1 : 0));
}

/** Where workers write into numbered folders, the Pod's log is the launcher's: it holds an attempt only if a worker speaks in it. */
function workerStreams(streams: readonly LogStream[], events: readonly PlacedEvent[]): readonly LogStream[] {
  const numbered = new Set(streams.flatMap(({ attempt, pod }) => (attempt === undefined ? [] : [pod ?? ''])));
  if (numbered.size === 0) return streams;
  const spoken = new Set(events.flatMap(({ event }) => (event.rank === undefined ? [] : [event.source.entry])));
  return streams.filter(({ attempt, pod, first, lastLine }) => {
    const entry = (first ?? lastLine)?.source.entry;
    return attempt !== undefined || !numbered.has(pod ?? '') || (entry !== undefined && spoken.has(entry));
  });
}

/** `--previous` is the run before the present one only. */
function hasFirst(streams: readonly LogStream[], pod: string, container: ContainerState): boolean {
  return streams.some(
    (stream) => stream.pod === pod && (stream.restart === 0 || (stream.previous && container.restartCount === 1)),
  );
}
