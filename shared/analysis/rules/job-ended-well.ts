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
import { jobRanks } from './support/ranks.ts';

export default defineRule({
  id: 'job-ended-well',
  title: 'The job ended well',
  needs: ['events', 'rankMap', 'lifeLines'],
  explain: `
"No failure" needs positive evidence, not just the absence of errors: every rank of the job says that it finished, or every Pod of the job ended with exit code 0. Lines that do not tell their rank count if as many alike as ranks are there. Every Pod must be in the bundle with its state: one whose object is missing leaves it open. Warnings about the store or about process groups that were not destroyed come
after the end and count for nothing. Exit code 0 of a launcher says that its workers ended with 0. If the workers' own lines and the exit codes agree for all ranks, it is *established*; if only one of the two is there,
*supported*.

If every rank says that it finished while every Pod of the job is still running, the end itself is not shown: a process that hangs at its exit, or a launcher that does not end, looks like the last moments of a good job. Then it cannot be told.

Any time-out, lost peer or exception before the end speaks against it, and so does a container with another exit code, or a job with fewer ranks than its Pods ask for: then this rule stays silent.

How sure: *established* where lines and exit codes agree, else *supported*. When it can be wrong: a program that catches everything and ends with 0, and says that it finished when it did not.`,
  remedy:
    'Nothing failed in what this bundle covers. If there was an incident, it is in another job, attempt or time: ask for that one.',
  run: ({ events, rankMap, lifeLines }) => {
    if (events.some((placed) => speaksAgainstHealth(placed, lifeLines))) return [];
    const finished = lifeLines.filter((life) => life.finished !== undefined);
    const all = jobRanks(rankMap);
    const unfinished = without(
      all,
      finished.map((life) => life.rank),
    );
    const pods = rankMap.pods.filter((place) => place.object !== undefined);
    if (pods.some((place) => endedBadly(place)) || ranShort(rankMap, all.length)) return [];
    const ended = pods.filter(
      (place) =>
        place.object?.phase === 'Succeeded' ||
        place.object?.containers.some((container) => !container.init && container.terminated?.exitCode === 0),
    );
    const byRanks = all.length > 0 && finished.length > 0 && unfinished.length === 0 && rankMap.worldSize !== undefined;
    const byAnnouncement = finishedInFile(events, rankMap);
    const byPods = pods.length > 0 && ended.length === rankMap.pods.length;
    const running = pods.filter((place) => place.object?.phase === 'Running');
    if ((byRanks || byAnnouncement) && running.length === rankMap.pods.length && running.length > 0)
      return [notEnded(finished, running, events)];
    if (byRanks || byPods || byAnnouncement)
      return [
        endedWell(
          finished,
          byRanks || byAnnouncement,
          byPods,
          ended.flatMap((place) =>
            place.object ? [citeSource(place.object.source, `Pod ${place.pod} ended with exit code 0`)] : [],
          ),
          events,
        ),
      ];
    return [];
  },
});

/** All said that they finished, and no Pod has ended: in its last moments a job looks so, and a job that hangs in them. */
function notEnded(finished: readonly LifeLine[], running: readonly PodPlace[], events: readonly PlacedEvent[]): Draft {
  const all = finished.length > 0 ? nameRanksAtStart(finished.map((life) => life.rank)) : 'All ranks';
  return draft({
    outcome: 'cannot-tell',
    status: 'not-determinable',
    stage: 'unknown',
    cause: 'none',
    strength: 'context',
    summary: `${all} said that they finished, and no error, time-out or lost peer is told; but ${running.length === 1 ? 'the Pod was' : `all ${running.length} Pods were`} still running when their state was read. Either the bundle was taken in those moments, or the processes or their launcher do not end.`,
    because: [
      ...running
        .slice(0, 4)
        .flatMap((place) => (place.object ? [citeSource(place.object.source, `Pod ${place.pod} is running`)] : [])),
      ...eventsOf(events, 'finished').slice(0, 4).map(finishedLine),
    ],
    wouldChange: ['the state of the Pods some minutes later: exit codes, or still running'],
    nextChecks: [
      'Have the Pods ended since? kubectl get pods -o wide, and their exit codes',
      'If not: which processes are left in them (ps -ef), and their stacks (py-spy dump --native --pid PID): a rank in destroy_process_group or at its exit, or the launcher',
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
  byPods: boolean,
  podEvidence: readonly Evidence[],
  events: readonly PlacedEvent[],
) {
  const last = eventsOf(events, 'finished');
  return draft({
    outcome: 'no-failure',
    status: byRanks && byPods ? 'established' : 'supported',
    stage: 'unknown',
    cause: 'none',
    strength: 'direct',
    attempt: finished[0]?.attempt,
    summary: `The job ended well: ${[byRanks ? `${finished.length > 0 ? nameRanks(finished.map((life) => life.rank)) : 'all ranks'} finished` : '', byPods ? 'every Pod ended with exit code 0' : ''].filter((text) => text !== '').join(' and ')}. No error, time-out or lost peer comes before the end.`,
    because: [...podEvidence.slice(0, 4), ...last.slice(0, 4).map(finishedLine)],
    wouldChange: byPods ? [] : ['exit codes of the Pods'],
    nextChecks: ['If there was an incident: ask for the bundle of that job, attempt and time'],
  });
}
