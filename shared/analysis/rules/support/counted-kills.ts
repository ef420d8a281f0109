/** OOM kills that a cgroup's own counter tells of, and which workers of the Pod they can have been. */
import type { LifeLine, PlacedEvent, PodPlace, RankMapFact } from '../../../model/facts.ts';
import { eventsOf } from './events.ts';
import { type Reading, readingsOf } from './host-readings.ts';
import { exitSignal, ranksOfPod } from './ranks.ts';

const SIGKILL = 9;
/** 128 + SIGKILL, as the state of a container gives it. */
const KILLED_CODE = 137;

export interface CountedKills {
  readonly pod: PodPlace;
  /** The reading with the most kills. */
  readonly reading: Reading;
  /** The reading is of the one container that can hold the workers, not of the Pod as a whole or of a container unknown. */
  readonly ofContainer: boolean;
  /** Workers of the Pod that ended by a SIGKILL which their launcher did not send, of all attempts. */
  readonly killed: readonly LifeLine[];
  /** Another rank of the Pod lost a data loader's process: the kill that was counted may have been that one. */
  readonly lostElsewhere: boolean;
  /** The container's first process ended by SIGKILL. */
  readonly containerKilled: boolean;
}

/** By Pod, in the order of the rank map. */
export function countedKills(
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
): CountedKills[] {
  const counted = readingsOf(events, 'oom-kills').filter(({ event: { body } }) => body.value > 0);
  return rankMap.pods.flatMap((pod) => {
    const own = counted.filter((reading) => reading.pod === pod.pod);
    const inContainer = own.filter((reading) => isOfContainer(reading, pod, rankMap));
    const [reading] = (inContainer.length > 0 ? inContainer : own).toSorted(
      (a, b) => b.event.body.value - a.event.body.value,
    );
    if (reading === undefined) return [];
    const ranks = ranksOfPod(rankMap, pod.pod);
    const killed = lifeLines.filter(
      (life) =>
        ranks.includes(life.rank) &&
        exitSignal(life) === SIGKILL &&
        life.exit?.by === 'agent' &&
        !life.exit.terminatedByAgent &&
        // A container that is started anew has a new cgroup, whose counter begins at 0.
        life.attempt > (pod.containerAttempts?.previous ?? -1),
    );
    const lostElsewhere = eventsOf(events, 'data-loader-killed').some(
      (placed) => placed.pod === pod.pod && !killed.some((life) => life.rank === placed.rank),
    );
    const ofContainer = inContainer.length > 0;
    return [{ pod, reading, ofContainer, killed, lostElsewhere, containerKilled: isKilled(pod) }];
  });
}

/**
 * The Pod has one container only, or the reading names the one in which ranks ran. A cgroup of the Pod counts for all its containers, and
 * without the Pod's object nobody knows how many there are.
 */
function isOfContainer({ event }: Reading, { pod, object }: PodPlace, { places }: RankMapFact): boolean {
  const containers = object?.containers.filter((container) => !container.init) ?? [];
  const { containerId } = event.body;
  const name =
    event.container ??
    containers.find((state) => containerId !== undefined && state.containerId?.endsWith(containerId) === true)?.name;
  if (containers.length === 1) return name === undefined || name === containers[0]?.name;
  return name !== undefined && places.some((place) => place.pod === pod && place.container === name);
}

const isKilled = ({ object }: PodPlace): boolean =>
  object?.containers.some(
    ({ init, terminated, lastTerminated }) =>
      !init && (terminated?.exitCode === KILLED_CODE || lastTerminated?.exitCode === KILLED_CODE),
  ) ?? false;
