/** State of a Pod as its object and events tell it. */
import type { PodPlace, RankMapFact } from '../../../model/facts.ts';
import type { IncidentInput } from '../../../model/incident.ts';
import type { ContainerState, KubeEvent, PodObject } from '../../../model/kubernetes.ts';
import { jobRanks, podByName } from './ranks.ts';

/** Ranks that a Pod should hold and that nobody else is seen to hold. */
export function ranksMissingWith(place: PodPlace, rankMap: RankMapFact): number[] {
  const elsewhere = new Set(
    rankMap.places.filter((other) => other.pod !== undefined && other.pod !== place.pod).map((other) => other.rank),
  );
  const own = place.ranks.length > 0 ? place.ranks : place.expectedRanks;
  return own.filter((rank) => !elsewhere.has(rank));
}

/** True if the Pod's container never ran: pending, unscheduled, image or mount trouble. */
export function neverRan(place: PodPlace): string | undefined {
  const pod = place.object;
  if (pod === undefined) return undefined;
  const ran = pod.containers.some(
    (container) =>
      !container.init &&
      (container.runningSince !== undefined ||
        container.terminated !== undefined ||
        container.lastTerminated !== undefined),
  );
  if (ran) return undefined;
  const scheduled = pod.conditions.find((condition) => condition.type === 'PodScheduled');
  if (scheduled?.status === 'False')
    return `not scheduled: ${scheduled.message ?? scheduled.reason ?? 'no reason given'}`;
  const waiting = pod.containers.find((container) => container.waiting?.reason !== undefined)?.waiting;
  if (waiting?.reason !== undefined)
    return `${waiting.reason}${waiting.message === undefined ? '' : `: ${waiting.message}`}`;
  if (pod.phase === 'Pending' || pod.tableStatus === 'Pending' || pod.tableStatus === 'ContainerCreating')
    return `phase ${pod.tableStatus ?? pod.phase}`;
  return undefined;
}

/**
 * True if the Pod is told to have ended with exit code 0: its phase, or its training container; where none is told to train, all but the
 * init containers. False as well where its state is not in the bundle.
 */
export function endedWithSuccess(pod: PodObject | undefined): boolean {
  if (pod === undefined) return false;
  if (pod.phase === 'Succeeded') return true;
  const training = trainingContainers(pod);
  return training.length > 0 && training.every(({ terminated }) => terminated?.exitCode === 0);
}

/** Exit code other than 0 with which a training container ended before it was started again, as far as the object tells. */
export function failedBeforeRestart(pod: PodObject | undefined): number | undefined {
  const codes = pod === undefined ? [] : trainingContainers(pod).map(({ lastTerminated }) => lastTerminated?.exitCode);
  return codes.find((code) => (code ?? 0) !== 0);
}

const trainingContainers = (pod: PodObject): readonly ContainerState[] =>
  pod.containers.filter(
    ({ init, name }) => !init && (pod.trainingContainer === undefined || name === pod.trainingContainer),
  );

/**
 * True if no rank of the job can be in a Pod that the bundle does not show: the Pods are as many as the launchers were told, and have room
 * for as many ranks as lines, dumps and specs tell. A Pod has room for the ranks seen in it, those its spec gives it, or its processes. Where
 * nothing tells the size of the job, a file of objects that was cut or damaged may have held more Pods.
 */
export function podsHoldAllRanks(rankMap: RankMapFact, input: Pick<IncidentInput, 'issues' | 'entries'>): boolean {
  const { pods, nnodes, nprocPerNode, specWorldSize, worldSize } = rankMap;
  const isSizeTold = worldSize !== undefined || specWorldSize !== undefined || nnodes !== undefined;
  if (!isSizeTold && hasDamagedObjects(input)) return false;
  if (nnodes !== undefined && pods.length < nnodes) return false;
  const room = pods.reduce(
    (sum, place) => sum + Math.max(place.ranks.length, place.expectedRanks.length, nprocPerNode ?? 0),
    0,
  );
  return room >= Math.max(jobRanks(rankMap).length, specWorldSize ?? 0);
}

function hasDamagedObjects({ issues, entries }: Pick<IncidentInput, 'issues' | 'entries'>): boolean {
  const damaged = new Set(
    issues.flatMap(({ code, entry }) => (code === 'json-invalid' || code === 'yaml-invalid' ? (entry ?? []) : [])),
  );
  return entries.some(({ id, format }) => damaged.has(id) && (format === 'objects-json' || format === 'objects-yaml'));
}

const UNPLACED = new Set(['FailedScheduling', 'NotTriggerScaleUp']);

/**
 * Why a Pod of which only Events are known never ran: all they say is that no node was found for it. Only for Pods whose siblings (the
 * same name but for its number) are seen to run: Events of a namespace tell of other jobs as well.
 */
export function neverPlaced(place: PodPlace, input: IncidentInput, ran: ReadonlySet<string>): string | undefined {
  if (place.object !== undefined || ran.has(place.pod)) return undefined;
  const own = eventsOfPod(input, place.pod);
  const last = own.find((event) => UNPLACED.has(event.reason));
  if (last === undefined || own.some((event) => !UNPLACED.has(event.reason))) return undefined;
  const stem = stemOf(place.pod);
  return [...ran].some((other) => stemOf(other) === stem) ? `not scheduled: ${last.message}` : undefined;
}

/** `ranker-worker-1` and `ranker-master-0` are of `ranker`, `vit-workers-0-1-bmk47` of `vit-workers-0`, `llm-3` of `llm`. */
const stemOf = (pod: string): string =>
  pod.replace(/-(?:master|launcher|worker)-\d{1,6}$/, '').replace(/-\d{1,6}(?:-[a-z0-9]{5})?$/, '');

export function eventsOfPod(input: IncidentInput, pod: string): readonly KubeEvent[] {
  return input.kubeEvents.filter((event) => event.object.kind === 'Pod' && event.object.name === pod);
}

/** Node of a Pod by its place, else by its object. */
export function nodeOfPod(rankMap: RankMapFact, pod: string | undefined): string | undefined {
  const place = podByName(rankMap, pod);
  return place?.node ?? place?.object?.node;
}
