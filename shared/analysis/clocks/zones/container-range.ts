/** Zones that put all lines of a stream between the start and the end of its container; both are on the clock of its node. */
import type { ContainerState, PodObject } from '../../../model/kubernetes.ts';
import type { SourceRef } from '../../../model/source-ref.ts';
import { lacksZone, type Part } from './parts.ts';

export interface ZoneRange {
  /** Least and largest value of zone, ns; undefined = open. */
  readonly leastNs: bigint | undefined;
  readonly mostNs: bigint | undefined;
  readonly container: string;
  readonly source: SourceRef;
}

/** Kubernetes cuts its stamps to seconds. */
const SECOND_NS = 1_000_000_000n;

/**
 * Undefined if the container is not known. Files that programs write (a launcher's folder) may outlive a container; only the
 * output of the container itself is bounded by it.
 */
export function containerRange(part: Part, pods: readonly PodObject[]): ZoneRange | undefined {
  const [stream, ...more] = part.streams;
  if (stream === undefined || more.length > 0 || stream.pod === undefined) return undefined;
  if (stream.attempt !== undefined || stream.localRank !== undefined) return undefined;
  const matching = pods.filter(
    ({ name, namespace, uid, from }) =>
      from === 'object' &&
      name === stream.pod &&
      (stream.namespace === undefined || namespace === undefined || namespace === stream.namespace) &&
      (stream.podUid === undefined || uid === undefined || uid === stream.podUid),
  );
  const [pod] = matching;
  // Two generations of one name, or two snapshots that may differ: not decided here.
  if (pod === undefined || new Set(matching.map(({ uid }) => uid)).size > 1) return undefined;
  const name = stream.container ?? pod.trainingContainer;
  const container = pod.containers.find((one) => one.name === name);
  if (container === undefined) return undefined;
  const life = lifeOf(container, stream.previous, stream.restart);
  const span = spanOf(part);
  if (life === undefined || span === undefined) return undefined;
  return {
    leastNs: life.to === undefined ? undefined : span.last - life.to - SECOND_NS,
    mostNs: life.from === undefined ? undefined : span.first + span.resolution - life.from,
    container: `${pod.name}/${container.name}`,
    source: pod.source,
  };
}

interface Life {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

function lifeOf(container: ContainerState, previous: boolean, restart: number | undefined): Life | undefined {
  const { restartCount, terminated, lastTerminated, runningSince } = container;
  const before = lastTerminated && { from: lastTerminated.startedAt, to: lastTerminated.finishedAt };
  if (previous || (restart !== undefined && restart + 1 === restartCount)) return before;
  if (restart !== undefined && restart !== restartCount) return undefined;
  if (terminated !== undefined) return { from: terminated.startedAt, to: terminated.finishedAt };
  return runningSince === undefined ? undefined : { from: runningSince, to: undefined };
}

function spanOf({ streams, events }: Part): { first: bigint; last: bigint; resolution: bigint } | undefined {
  let first: bigint | undefined;
  let last: bigint | undefined;
  let resolution = 1n;
  const stamps = [
    ...streams.flatMap((stream) => [stream.first?.stamp, stream.last?.stamp]),
    ...events.map((e) => e.stamp),
  ];
  for (const stamp of stamps) {
    if (!lacksZone(stamp)) continue;
    if (first === undefined || stamp.ns < first) {
      first = stamp.ns;
      resolution = BigInt(Math.ceil(stamp.resolutionNs));
    }
    if (last === undefined || stamp.ns > last) last = stamp.ns;
  }
  return first === undefined || last === undefined ? undefined : { first, last, resolution };
}
