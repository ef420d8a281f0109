/** State of a Pod as its object and events tell it. */
import type { PodPlace, RankMapFact } from '../../../model/facts.ts';
import type { IncidentInput } from '../../../model/incident.ts';
import type { KubeEvent } from '../../../model/kubernetes.ts';
import { podByName } from './ranks.ts';

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
