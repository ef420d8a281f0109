/** Exceptions of which nothing in the bundle tells whether they were caught: the job may have gone on past them. */
import { nameRanks, nameRanksAtStart } from '../../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent, PodPlace, RankMapFact } from '../../../model/facts.ts';
import { cite, citeSource, type Draft, draft, quote } from './draft.ts';
import { eventsOf } from './events.ts';
import { consequenceReports, podByName, ranksOfPod } from './ranks.ts';
import type { Raised } from './reaction.ts';

const LAUNCHER_TELLS = ['worker-failed', 'failure-summary', 'agent-signal', 'closing-signal'] as const;

/**
 * True for what lacks torch's mark of an uncaught exception, while its container still ran and was never restarted, no other Pod of the job
 * has ended, and no rank, launcher or error file tells that anybody ended, waited or lost a peer.
 */
export function mayHaveBeenCaught(
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
): (placed: Raised) => boolean {
  const isQuiet =
    consequenceReports(events, attempt).size === 0 &&
    !LAUNCHER_TELLS.some((kind) => eventsOf(events, kind).some((placed) => placed.attempt === attempt)) &&
    !lifeLines.some((life) => life.attempt === attempt && life.exit !== undefined) &&
    !rankMap.pods.some((place) => hasEnded(place));
  return ({ pod, event }) =>
    isQuiet && event.rankBasis !== 'rank-prefix' && isRunning(podByName(rankMap, pod)) && attempt === 0;
}

const training = ({ object }: PodPlace) =>
  object?.containers.filter(
    ({ init, name }) => !init && (object.trainingContainer === undefined || name === object.trainingContainer),
  ) ?? [];

const hasEnded = (place: PodPlace): boolean =>
  place.object?.phase === 'Failed' ||
  place.object?.phase === 'Succeeded' ||
  training(place).some(({ terminated, lastTerminated }) => terminated !== undefined || lastTerminated !== undefined);

const isRunning = (place: PodPlace | undefined): boolean =>
  place?.object?.phase === 'Running' && training(place).every(({ restartCount }) => (restartCount ?? 0) === 0);

/** A lead: who printed it, and that nobody is seen to have ended of it. */
export function uncertainEnd(placed: Raised, attempt: number, rankMap: RankMapFact): Draft {
  const { rank, pod, event } = placed;
  const object = podByName(rankMap, pod)?.object;
  const ranks = rank !== undefined ? [rank] : pod === undefined ? [] : ranksOfPod(rankMap, pod);
  const text = quote(`${event.body.type}: ${event.body.message}`);
  const who =
    ranks.length === 0 ? 'A process' : ranks.length === 1 ? nameRanksAtStart(ranks) : `One of ${nameRanks(ranks)}`;
  return draft({
    outcome: 'cannot-tell',
    status: 'hypothesis',
    stage: 'unknown',
    cause: 'none',
    strength: 'context',
    candidates: [{ ranks, why: `printed ${text}; whether it was caught is not told` }],
    pod,
    node: placed.node,
    attempt,
    summary: `${who} printed ${text}, and nothing tells that it ended of it: its Pod was still running, and no launcher, peer or exit code tells of an end. It may have been caught.`,
    because: [
      cite(
        placed,
        `Printed without torch's mark of an uncaught exception: ${quote(`${event.body.type}: ${event.body.message}`, 240)}`,
      ),
      ...(object === undefined ? [] : [citeSource(object.source, `Pod ${pod} was still running, without a restart`)]),
    ],
    wouldChange: [
      'a later log: whether the job went on past it',
      'the exit codes of the Pods, or what their launchers say',
    ],
    nextChecks: [
      'Read what stands before and behind the cited traceback: a record of a logger that goes on ("trying again") was caught',
      'Does the job still make progress? Take the logs again with --timestamps and compare the last step',
    ],
  });
}
