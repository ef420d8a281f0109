/** The clocks of a bundle: the API server's, one for each node, and streams of Pods and files whose node is not known. */

import type { ClockDomain, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { byText } from '../rank-map/order.ts';
import { API } from './evidence/kubernetes.ts';

export type ClockKind = ClockDomain['kind'];

const ORDER: readonly ClockKind[] = ['api', 'node', 'stream'];

/** Sorted by kind, then name. */
export function clockKinds(
  input: IncidentInput,
  rankMap: RankMapFact,
  events: readonly PlacedEvent[],
): ReadonlyMap<string, ClockKind> {
  const kinds = new Map<string, ClockKind>();
  for (const node of nodesOf(input, rankMap)) kinds.set(node, 'node');
  for (const { node } of events) if (node !== undefined) kinds.set(node, 'node');
  for (const { pod, node } of rankMap.pods) if (node === undefined) kinds.set(pod, 'stream');
  for (const { clock } of events) {
    if (clock !== undefined && clock !== API && !kinds.has(clock)) kinds.set(clock, 'stream');
  }
  if (hasApiStamps(input)) kinds.set(API, 'api');
  return new Map(
    [...kinds].sort(([a, kindA], [b, kindB]) => ORDER.indexOf(kindA) - ORDER.indexOf(kindB) || byText(a, b)),
  );
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
