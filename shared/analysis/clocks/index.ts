/**
 * Which clocks wrote the stamps of a bundle, and what is known of their differences.
 *
 * Node clocks are related to the API server's through stamps that one write carries (`node-offsets.ts`): guaranteed and
 * likely bounds, and an estimate in the middle of the likely ones. A clock without evidence on both sides has no offset
 * (undefined, never 0) and a component of its own: nothing may be compared across components.
 */
import type { ClockDomain, ClocksFact, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { byText } from '../rank-map/order.ts';
import { nodeOffsets, type OffsetEvidence } from './node-offsets.ts';

export { type Clocked, canCompare, clockOf } from './order.ts';

/** A guaranteed interval at most this wide is a good one (report contract). */
const GOOD_WIDTH_MS = 100;

/**
 * Clocks by kind (API server, nodes, streams), then name. `events` are the placed ones: their clocks are the streams of
 * Pods and files whose node is not known, and their newest stamp is the moment that offsets are given for; without them
 * only Pods of the job are listed as streams.
 */
export function computeClocks(
  input: IncidentInput,
  rankMap: RankMapFact,
  events: readonly PlacedEvent[] = [],
): ClocksFact {
  const kinds = clockKinds(input, rankMap, events);
  const moments = newestStamps(events);
  const evidence = nodeOffsets(input, (node) => moments.get(node));
  const order = ['api', 'node', 'stream'];
  const sorted = [...kinds].sort(
    ([a, kindA], [b, kindB]) => order.indexOf(kindA) - order.indexOf(kindB) || byText(a, b),
  );
  const domains = sorted.map(([id, kind]) => domain(id, kind, kind === 'node' ? evidence.get(id) : undefined));
  const linked = domains.some(({ offset }) => offset !== undefined);
  let alone = linked ? 0 : -1;
  return {
    reference: linked ? API : undefined,
    domains: domains.map((item) => {
      if (linked && item.id === API) return { ...item, ...REFERENCE, component: 0 };
      if (item.offset !== undefined) return { ...item, component: 0 };
      alone += 1;
      return { ...item, component: alone };
    }),
  };
}

const API = 'api';
const REFERENCE = {
  offset: { estimate: 0, low: 0, high: 0, likelyLow: 0, likelyHigh: 0 },
  quality: 'good',
  basis: ['the reference: all offsets are against it'],
} as const;

function clockKinds(
  input: IncidentInput,
  rankMap: RankMapFact,
  events: readonly PlacedEvent[],
): ReadonlyMap<string, ClockDomain['kind']> {
  const kinds = new Map<string, ClockDomain['kind']>();
  for (const node of nodesOf(input, rankMap)) kinds.set(node, 'node');
  for (const { node } of events) if (node !== undefined) kinds.set(node, 'node');
  for (const { pod, node } of rankMap.pods) if (node === undefined) kinds.set(pod, 'stream');
  for (const { clock } of events) {
    if (clock !== undefined && clock !== API && !kinds.has(clock)) kinds.set(clock, 'stream');
  }
  if (hasApiStamps(input)) kinds.set(API, 'api');
  return kinds;
}

/** Newest stamp with a zone on each clock. */
function newestStamps(events: readonly PlacedEvent[]): ReadonlyMap<string, bigint> {
  const newest = new Map<string, bigint>();
  for (const { clock, event } of events) {
    if (clock === undefined || event.stamp === undefined || event.stamp.zoneAssumed) continue;
    const before = newest.get(clock);
    if (before === undefined || event.stamp.ns > before) newest.set(clock, event.stamp.ns);
  }
  return newest;
}

function domain(id: string, kind: ClockDomain['kind'], evidence: OffsetEvidence | undefined): ClockDomain {
  const bare = { id, kind, offset: undefined, driftPpm: undefined, anchors: evidence?.pairs ?? 0, component: 0 };
  const { low, high, likelyHigh } = evidence ?? {};
  const top = lesser(high, likelyHigh);
  if (low === undefined || top === undefined)
    return { ...bare, quality: 'none', basis: low === undefined ? [] : [low.why] };
  const basis = [...new Set([low.why, top.why, ...(high === undefined ? [] : [high.why])])];
  if (high !== undefined && low.ms > high.ms) return { ...bare, quality: 'contradictory', basis };
  // A likely end below the guaranteed start: the write took longer than usual.
  const likelyTop = Math.max(low.ms, top.ms);
  const offset = {
    estimate: round((low.ms + likelyTop) / 2),
    low: floor(low.ms),
    high: high === undefined ? undefined : ceil(high.ms),
    likelyLow: floor(low.ms),
    likelyHigh: ceil(likelyTop),
  };
  return { ...bare, offset, quality: qualityOf(offset.low, offset.high), basis };
}

interface Ms {
  readonly ms: number;
  readonly why: string;
}
const lesser = (a: Ms | undefined, b: Ms | undefined): Ms | undefined =>
  a === undefined || (b !== undefined && b.ms < a.ms) ? b : a;

const qualityOf = (low: number, high: number | undefined): ClockDomain['quality'] =>
  high === undefined ? 'incomplete' : high - low <= GOOD_WIDTH_MS ? 'good' : 'loose';

/** To microseconds, outwards: no bound becomes tighter by rounding. */
const floor = (ms: number): number => Math.floor(ms * 1000) / 1000;
const ceil = (ms: number): number => Math.ceil(ms * 1000) / 1000;
const round = (ms: number): number => Math.round(ms * 1000) / 1000;

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
