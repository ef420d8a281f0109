/** When Kubernetes did what, in true time; the stories of the processes begin at `startedNs`. */
import { SECOND } from './clock.ts';
import type { Random } from './random.ts';
import type { IncidentSpec } from './spec.ts';
import { range, worldSizeOf } from './topology.ts';

export interface Timeline {
  /** The API server stored the Pods. */
  readonly createdNs: number;
  readonly boundNs: number;
  /** Container start, by node index. */
  readonly startedNs: (node: number) => number;
  /** First moment of the training program, by rank. */
  readonly programNs: readonly number[];
  /** When the bundle was collected. */
  readonly snapshotNs: number;
}

export function planStart(spec: IncidentSpec, random: Random): Omit<Timeline, 'snapshotNs'> {
  const starts = range(spec.nodes).map((node) => (4 + random.fork(`start-${node}`).between(0, 3)) * SECOND);
  const allUp = Math.max(...starts) + random.between(6, 9) * SECOND;
  return {
    createdNs: 0.4 * SECOND,
    boundNs: 1.1 * SECOND,
    startedNs: (node) => starts[node] ?? 0,
    programNs: range(worldSizeOf(spec)).map((rank) =>
      Math.round(allUp + random.fork(`up-${rank}`).between(0, 0.3) * SECOND),
    ),
  };
}
