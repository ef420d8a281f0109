/**
 * Offset of each node's clock against the API server's, out of pairs of stamps that one write carries.
 *
 *   offset = node clock − API clock
 *
 *   written before stored    node stamp n, API stamp m of the write:      offset ≥ n − (m + 1 s)
 *     Lease: renewTime, managedFields of the kubelet's write
 *     Pod: any stamp of the kubelet's status, managedFields of that status
 *     Node: heartbeat, managedFields of the status · Event of the kubelet: first stamp, creation
 *   stored before acted on   API stamp m, node stamp n of what followed:  offset ≤ (n + resolution) − m
 *     Pod: created, bound → start by the kubelet
 *
 * Stored stamps are floored to seconds, hence the second. These bounds hold whatever the delays were. How long a write
 * takes is not bounded, so what it says about the other side (a Lease is stored within 0.2 s, a Pod status within 2 s)
 * is only likely. Every bound is widened by the largest drift times its distance from the moment that is asked for.
 *
 * Source: Kubernetes 1.32 (kubelet, API machinery): who stamps which field. Not used: stamps of the scheduler and of
 * controllers, whose hosts are other clocks; mirror Pods, which the kubelet itself schedules.
 */
import type { KubeEvent, LeaseObject, NodeObject, PodObject } from '../../model/kubernetes.ts';

/** Largest rate at which a clock may move against another: 100 ppm of the crystal and 500 ppm of slewing. */
const MAX_DRIFT = 600e-6;
const SECOND = 1_000_000_000n;
/** Usual longest time from a stamp to its storing, ms: chosen from what is known of the writers, not measured. */
const LEASE_DELAY_MS = 200;
const STATUS_DELAY_MS = 2_000;

/** One side of an interval, with what it was taken from. */
interface Bound {
  readonly ms: number;
  readonly why: string;
}

export interface OffsetEvidence {
  /** Guaranteed: the true offset is not below, not above. */
  readonly low: Bound | undefined;
  readonly high: Bound | undefined;
  /** Likely upper end. */
  readonly likelyHigh: Bound | undefined;
  /** Pairs that were used. */
  readonly pairs: number;
}

export interface OffsetInput {
  readonly pods: readonly PodObject[];
  readonly leases: readonly LeaseObject[];
  readonly nodes: readonly NodeObject[];
  readonly kubeEvents: readonly KubeEvent[];
}

/** Evidence per node name. `momentOf` gives the moment of interest on a node's clock, undefined = that of the evidence. */
export function nodeOffsets(
  input: OffsetInput,
  momentOf: (node: string) => bigint | undefined,
): ReadonlyMap<string, OffsetEvidence> {
  const collectors = new Map<string, Collector>();
  const of = (node: string): Collector => {
    const found = collectors.get(node);
    if (found !== undefined) return found;
    const made = new Collector(momentOf(node));
    collectors.set(node, made);
    return made;
  };
  for (const lease of input.leases) seeLease(of(lease.node), lease);
  for (const pod of input.pods)
    if (pod.node !== undefined && pod.from === 'object' && !isMirror(pod)) seePod(of(pod.node), pod);
  for (const node of input.nodes) seeNode(of(node.name), node);
  for (const event of input.kubeEvents) {
    if (event.component === 'kubelet' && event.host !== undefined) seeEvent(of(event.host), event);
  }
  return new Map([...collectors].map(([node, collector]) => [node, collector.evidence()]));
}

class Collector {
  private readonly moment: bigint | undefined;
  private low: Bound | undefined;
  private high: Bound | undefined;
  private likelyHigh: Bound | undefined;
  private pairs = 0;

  constructor(moment: bigint | undefined) {
    this.moment = moment;
  }

  /** `node` was stamped before the write that the API server stamped `api`. */
  storedAfter(node: bigint, api: bigint, why: string): void {
    this.pairs += 1;
    const ms = toMs(node - api - SECOND) - this.drift(node);
    if (this.low === undefined || ms > this.low.ms) this.low = { ms, why };
  }

  /** The same pair from its other side: the write is stored within `delayMs` as a rule. */
  storedSoon(node: bigint, api: bigint, resolution: bigint, delayMs: number, why: string): void {
    const ms = toMs(node + resolution - api) + delayMs + this.drift(node);
    if (this.likelyHigh === undefined || ms < this.likelyHigh.ms) this.likelyHigh = { ms, why };
  }

  /** `api` was stamped before `node` could be, which is a whole second. */
  actedAfter(api: bigint, node: bigint, why: string): void {
    this.pairs += 1;
    const ms = toMs(node + SECOND - api) + this.drift(node);
    if (this.high === undefined || ms < this.high.ms) this.high = { ms, why };
  }

  evidence(): OffsetEvidence {
    return { low: this.low, high: this.high, likelyHigh: this.likelyHigh, pairs: this.pairs };
  }

  private drift(at: bigint): number {
    if (this.moment === undefined) return 0;
    return Math.abs(toMs(this.moment - at)) * MAX_DRIFT;
  }
}

const toMs = (ns: bigint): number => Number(ns) / 1e6;

function seeLease(collector: Collector, { node, renewTime, managedAt }: LeaseObject): void {
  if (renewTime === undefined || managedAt === undefined) return;
  const why = `the Lease of ${node}: renewed by the node's clock, stored by the API server's`;
  collector.storedAfter(renewTime, managedAt, why);
  collector.storedSoon(renewTime, managedAt, 1000n, LEASE_DELAY_MS, why);
}

/** The kubelet schedules mirrors of its own files itself: their PodScheduled is the node's stamp. */
const isMirror = (pod: PodObject): boolean => pod.annotations['kubernetes.io/config.mirror'] !== undefined;

/** Conditions that others than the kubelet write. */
const NOT_KUBELETS = new Set(['PodScheduled', 'DisruptionTarget']);

function seePod(collector: Collector, pod: PodObject): void {
  const stored = newest(
    pod.managedFields
      .filter(({ manager, subresource }) => manager === 'kubelet' && subresource !== '')
      .map(({ at }) => at),
  );
  const stamps = kubeletStamps(pod);
  const last = newest(stamps);
  if (stored !== undefined && last !== undefined) {
    const why = `the status of Pod ${pod.name}: stamped by the node's clock, stored by the API server's`;
    collector.storedAfter(last, stored, why);
    collector.storedSoon(last, stored, SECOND, STATUS_DELAY_MS, why);
  }
  if (pod.startTime === undefined) return;
  const bound = pod.conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'True')?.at;
  if (bound !== undefined)
    collector.actedAfter(bound, pod.startTime, `Pod ${pod.name} was bound before its node took it up`);
  if (pod.created !== undefined)
    collector.actedAfter(pod.created, pod.startTime, `Pod ${pod.name} was created before its node took it up`);
}

function kubeletStamps(pod: PodObject): readonly (bigint | undefined)[] {
  return [
    pod.startTime,
    ...pod.conditions.filter(({ type }) => !NOT_KUBELETS.has(type)).map(({ at }) => at),
    ...pod.containers.flatMap((state) => [
      state.runningSince,
      state.terminated?.startedAt,
      state.terminated?.finishedAt,
      state.lastTerminated?.startedAt,
      state.lastTerminated?.finishedAt,
    ]),
  ];
}

/** Kinds of conditions that the kubelet posts; problem detectors write others, with writes of their own. */
const KUBELET_CONDITIONS = new Set(['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']);

function seeNode(collector: Collector, node: NodeObject): void {
  const heartbeat = newest(
    node.conditions
      .filter(({ type, status }) => KUBELET_CONDITIONS.has(type) && status !== 'Unknown')
      .map((condition) => condition.heartbeat),
  );
  if (heartbeat === undefined || node.statusManagedAt === undefined) return;
  collector.storedAfter(
    heartbeat,
    node.statusManagedAt,
    `the heartbeat of ${node.name}: stamped by the node's clock, stored by the API server's`,
  );
}

function seeEvent(collector: Collector, event: KubeEvent): void {
  if (event.first === undefined || event.created === undefined) return;
  collector.storedAfter(
    event.first,
    event.created,
    `an Event of the kubelet (${event.reason}): stamped by the node's clock, created by the API server's`,
  );
}

function newest(stamps: readonly (bigint | undefined)[]): bigint | undefined {
  let last: bigint | undefined;
  for (const stamp of stamps) if (stamp !== undefined && (last === undefined || stamp > last)) last = stamp;
  return last;
}
