/**
 * The job ended well.
 *
 *   INFO train: finished after 30 steps      (all ranks)           containerStatuses: exitCode 0, Completed
 */
import { nameRanks, nameRanksAtStart, without } from '../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent, PodPlace, RankMapFact } from '../../model/facts.ts';
import { defineRule, type Evidence } from '../../model/finding.ts';
import { cite, citeSource, type Draft, draft, quote } from './support/draft.ts';
import { eventsOf } from './support/events.ts';
import { speaksAgainstHealth } from './support/health.ts';
import { endedWithSuccess, failedBeforeRestart, podsHoldAllRanks } from './support/pods.ts';
import { jobRanks } from './support/ranks.ts';

export default defineRule({
  id: 'job-ended-well',
  title: 'The job ended well',
  needs: ['input', 'events', 'rankMap', 'lifeLines'],
  explain: `
"No failure" needs positive evidence, not just the absence of errors: every Pod of the job ended with exit code 0, and these Pods hold all the ranks that the job should have, by the workers' own lines, the dumps and the specs. Every Pod must be in the bundle with its state: where an object is missing, or was cut off, the end of that Pod is not told, and so neither is that of the job. If nothing tells how many ranks there are, a damaged file of objects leaves it open as well. Of a Pod with more than one container the one that trains counts. Exit code 0 of a launcher says that its workers ended with 0. If every rank says as well that it finished, it is *established*; if not, *supported*. Lines that do not tell their rank count if as many alike as ranks are there. Warnings about the store or about process groups that were not destroyed come after the end and count for nothing.

Lines alone prove no end. A program writes that it finished before its process ends: one that hangs at its exit, and a launcher that was killed or stands still, leave the same lines. So if every rank says that it finished, while Pods are still running or their state is not in the bundle, it cannot be told.

Any time-out, lost peer or exception before the end speaks against it, and so does a container with another exit code, or a job with fewer ranks than its Pods ask for: then this rule stays silent. A container that ended with another exit code before it was started again had a failure, whatever came of the job later: that it ended well then does not tell how that began.

How sure: *established* where lines and exit codes agree, else *supported*. When it can be wrong: a program that catches everything and ends with 0.`,
  remedy:
    'Nothing failed in what this bundle covers. If there was an incident, it is in another job, attempt or time: ask for that one.',
  run: ({ input, events, rankMap, lifeLines }) => {
    if (events.some((placed) => speaksAgainstHealth(placed, lifeLines))) return [];
    const finished = lifeLines.filter((life) => life.finished !== undefined);
    const all = jobRanks(rankMap);
    const unfinished = without(
      all,
      finished.map((life) => life.rank),
    );
    if (rankMap.pods.some((place) => endedBadly(place)) || ranShort(rankMap, all.length)) return [];
    const ended = rankMap.pods.filter((place) => endedWithSuccess(place.object));
    const byRanks =
      (all.length > 0 && finished.length > 0 && unfinished.length === 0 && rankMap.worldSize !== undefined) ||
      finishedInFile(events, rankMap);
    const everyRankHasPod =
      podsHoldAllRanks(rankMap, input) ||
      (byRanks && eventsOf(events, 'finished').every(({ pod }) => pod !== undefined));
    const everyPodEnded = ended.length > 0 && ended.length === rankMap.pods.length && everyRankHasPod;
    const before = rankMap.pods.filter(({ object }) => failedBeforeRestart(object) !== undefined);
    if (before.length > 0) return everyPodEnded ? [endedWellAfter(before, ended.length)] : [];
    if (everyPodEnded) return [endedWell(finished, byRanks, ended, events)];
    return byRanks ? [notEnded(finished, rankMap, events)] : [];
  },
});

/**
 * All said that they finished, and not all are seen to have ended: in its last moments a job looks so, one that hangs in them, and one whose
 * launcher was killed or stopped.
 */
function notEnded(finished: readonly LifeLine[], { pods }: RankMapFact, events: readonly PlacedEvent[]): Draft {
  const all = finished.length > 0 ? nameRanksAtStart(finished.map((life) => life.rank)) : 'All ranks';
  const running = pods.filter((place) => place.object?.phase === 'Running');
  const everyRuns = running.length > 0 && running.length === pods.length;
  return draft({
    outcome: 'cannot-tell',
    status: 'not-determinable',
    stage: 'unknown',
    cause: 'none',
    strength: 'context',
    summary: `${all} said that they finished, and no error, time-out or lost peer is told; but ${everyRuns ? stillRunning(pods.length) : notTold(pods)}`,
    because: [
      ...running
        .slice(0, 4)
        .flatMap((place) => (place.object ? [citeSource(place.object.source, `Pod ${place.pod} is running`)] : [])),
      ...eventsOf(events, 'finished').slice(0, 4).map(finishedLine),
    ],
    wouldChange: [
      everyRuns
        ? 'the state of the Pods some minutes later: exit codes, or still running'
        : 'the state of every Pod: its exit code, or that it is still running (kubectl get pods -o yaml)',
    ],
    nextChecks: [
      everyRuns
        ? 'Have the Pods ended since? kubectl get pods -o wide, and their exit codes'
        : 'Did the processes and their launchers end, and with which exit codes? In a cluster: kubectl get pods -o yaml',
      'If not: which processes are left in them (ps -ef), and their stacks (py-spy dump --native --pid PID): a rank in destroy_process_group or at its exit, or the launcher',
    ],
  });
}

const stillRunning = (count: number): string =>
  `${count === 1 ? 'the Pod was' : `all ${count} Pods were`} still running when their state was read. Either the bundle was taken in those moments, or the processes or their launcher do not end.`;

/** Completes "but …": whose end the bundle does not tell. */
function notTold(pods: readonly PodPlace[]): string {
  const open = pods.filter((place) => !endedWithSuccess(place.object));
  const [only] = open;
  const whose =
    pods.length === 0 || open.length === 0
      ? 'of every process'
      : only !== undefined && open.length === 1
        ? `of Pod ${only.pod}`
        : `of ${open.length} of ${pods.length} Pods`;
  return `the bundle does not show the end ${whose}. These lines are written before a process ends: one that hangs at its exit, or a launcher that was killed or stopped, looks the same.`;
}

/** Well in the end, and started again before: of the run that failed the Pod keeps no more than its exit code. */
function endedWellAfter(before: readonly PodPlace[], pods: number): Draft {
  return draft({
    outcome: 'cannot-tell',
    status: 'not-determinable',
    stage: 'unknown',
    cause: 'none',
    strength: 'context',
    summary: `${pods === 1 ? 'The Pod' : `All ${pods} Pods`} ended with exit code 0, but ${before.length === 1 ? `the container of Pod ${before[0]?.pod}` : `the containers of ${before.length} Pods`} had ended with another code and had been started again. What began that failure is not in the bundle.`,
    because: before.slice(0, 4).flatMap((place) => {
      const code = failedBeforeRestart(place.object);
      return place.object
        ? [
            citeSource(
              place.object.source,
              `Pod ${place.pod}: its container before this one ended with exit code ${code}`,
            ),
          ]
        : [];
    }),
    wouldChange: ['the logs before the restart (kubectl logs --previous)'],
    nextChecks: [
      'The logs before the restart: kubectl logs --previous for each restarted Pod, or where the cluster keeps old logs',
    ],
  });
}

const finishedLine = (placed: PlacedEvent): Evidence =>
  cite(
    placed,
    `${placed.rank === undefined ? 'A rank' : nameRanksAtStart([placed.rank])}: ${quote(placed.event.text, 100)}`,
  );

function endedBadly(place: PodPlace): boolean {
  const codes =
    place.object?.containers
      .filter((container) => !container.init)
      .map((container) => container.terminated?.exitCode ?? 0) ?? [];
  return place.object?.phase === 'Failed' || codes.some((code) => code !== 0);
}

/** Fewer ranks than the Pods ask for is no good end, whatever the exit codes say. */
function ranShort(rankMap: RankMapFact, ranks: number): boolean {
  return rankMap.specWorldSize !== undefined && ranks < rankMap.specWorldSize;
}

/**
 * "Finished" lines that carry no rank: as many alike as ranks, since each process says it once. Those that carry one count once a rank: a
 * rank may say it of its training and of its evaluation.
 */
function finishedInFile(events: readonly PlacedEvent[], { worldSize, attempts }: RankMapFact): boolean {
  const last = eventsOf(events, 'finished').filter((placed) => placed.attempt === attempts - 1);
  const ranks = new Set(last.flatMap((placed) => placed.rank ?? []));
  const alike = new Map<string, number>();
  for (const { rank, event } of last) {
    const words = event.text.replace(/\d+/g, '#').slice(0, 200);
    if (rank === undefined) alike.set(words, (alike.get(words) ?? 0) + 1);
  }
  return worldSize !== undefined && ranks.size + Math.max(0, ...alike.values()) >= worldSize;
}

function endedWell(
  finished: readonly LifeLine[],
  byRanks: boolean,
  ended: readonly PodPlace[],
  events: readonly PlacedEvent[],
): Draft {
  const exits = ended.flatMap((place) =>
    place.object ? [citeSource(place.object.source, `Pod ${place.pod} ended with exit code 0`)] : [],
  );
  const who = finished.length > 0 ? nameRanks(finished.map((life) => life.rank)) : 'all ranks';
  return draft({
    outcome: 'no-failure',
    status: byRanks ? 'established' : 'supported',
    stage: 'unknown',
    cause: 'none',
    strength: 'direct',
    attempt: finished[0]?.attempt,
    summary: `The job ended well: ${byRanks ? `${who} finished and ` : ''}every Pod ended with exit code 0. No error, time-out or lost peer comes before the end.`,
    because: [...exits.slice(0, 4), ...eventsOf(events, 'finished').slice(0, 4).map(finishedLine)],
    nextChecks: ['If there was an incident: ask for the bundle of that job, attempt and time'],
  });
}
