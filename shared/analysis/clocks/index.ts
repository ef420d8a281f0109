/**
 * Which clocks wrote the stamps of a bundle. Offsets are not known here: unknown is undefined, never 0, and each
 * clock is alone in its component, so that nothing can be compared across two of them.
 */
import type { ClockDomain, ClocksFact, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { byText } from '../rank-map/order.ts';

export { type Clocked, canCompare, clockOf } from './order.ts';

/**
 * Clocks by kind (API server, nodes, streams), then name. `events` are the placed ones: their clocks are the streams of
 * Pods and files whose node is not known; without them only Pods of the job are listed so.
 */
export function computeClocks(
  input: IncidentInput,
  rankMap: RankMapFact,
  events: readonly Pick<PlacedEvent, 'clock'>[] = [],
): ClocksFact {
  const kinds = new Map<string, ClockDomain['kind']>();
  for (const node of nodesOf(input, rankMap)) kinds.set(node, 'node');
  for (const { pod, node } of rankMap.pods) if (node === undefined) kinds.set(pod, 'stream');
  for (const { clock } of events)
    if (clock !== undefined && clock !== 'api' && !kinds.has(clock)) kinds.set(clock, 'stream');
  if (hasApiStamps(input)) kinds.set('api', 'api');
  const order = ['api', 'node', 'stream'];
  const sorted = [...kinds].sort(
    ([a, kindA], [b, kindB]) => order.indexOf(kindA) - order.indexOf(kindB) || byText(a, b),
  );
  return {
    reference: undefined,
    domains: sorted.map(([id, kind], component) => ({
      id,
      kind,
      offset: undefined,
      driftPpm: undefined,
      quality: 'none',
      anchors: 0,
      basis: [],
      component,
    })),
  };
}

function nodesOf(input: IncidentInput, rankMap: RankMapFact): ReadonlySet<string> {
  const nodes = new Set<string>();
  const see = (node: string | undefined) => {
    if (node !== undefined) nodes.add(node);
  };
  for (const pod of rankMap.pods) see(pod.node);
  for (const place of rankMap.places) see(place.node);
  for (const lease of input.leases) see(lease.node);
  return nodes;
}

const hasApiStamps = (input: IncidentInput): boolean =>
  input.pods.some((pod) => pod.created !== undefined) ||
  input.kubeEvents.some((event) => event.created !== undefined) ||
  input.leases.some((lease) => lease.managedAt !== undefined);
