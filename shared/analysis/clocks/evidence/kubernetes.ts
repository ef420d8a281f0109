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
 * is only likely. Drift is the solver's part.
 *
 * Source: Kubernetes 1.32 (kubelet, API machinery): who stamps which field. Not used: stamps of the scheduler and of
 * controllers, whose hosts are other clocks; mirror Pods, which the kubelet itself schedules.
 */
import type { KubeEvent, LeaseObject, NodeObject, PodObject } from '../../../model/kubernetes.ts';
import type { EvidenceTable, Label } from './evidence-table.ts';

const SECOND = 1_000_000_000n;
const MS = 1_000_000n;
/** Usual longest time from a stamp to its storing, ms: chosen from what is known of the writers, not measured. */
const LEASE_DELAY_MS = 200;
const STATUS_DELAY_MS = 2_000;

export interface KubernetesEvidence {
  readonly pods: readonly PodObject[];
  readonly leases: readonly LeaseObject[];
  readonly nodes: readonly NodeObject[];
  readonly kubeEvents: readonly KubeEvent[];
}

/** Id of the API server's clock. */
export const API = 'api';

/** Adds all pairs to the table. Nodes that are not in it are passed over. */
export function addKubernetes(table: EvidenceTable, input: KubernetesEvidence): void {
  const of = (node: string): Collector => new Collector(table, node);
  for (const lease of input.leases) seeLease(of(lease.node), lease);
  for (const pod of input.pods)
    if (pod.node !== undefined && pod.from === 'object' && !isMirror(pod)) seePod(of(pod.node), pod);
  for (const node of input.nodes) seeNode(of(node.name), node);
  for (const event of input.kubeEvents) {
    if (event.component === 'kubelet' && event.host !== undefined) seeEvent(of(event.host), event);
  }
}

/** A sentence and the place where it can be read. */
type Why = Pick<Label, 'why' | 'source'>;

/** What is not known of a stamp's instant is put on the API server's side: its clock is the one that does not drift. */
class Collector {
  private readonly table: EvidenceTable;
  private readonly node: string;

  constructor(table: EvidenceTable, node: string) {
    this.table = table;
    this.node = node;
  }

  /** `node` was stamped before the write that the API server stamped `api`, which is a whole second. */
  storedAfter(node: bigint, api: bigint, why: Why): void {
    const [before, after] = [
      { clock: this.node, ns: node },
      { clock: API, ns: api + SECOND },
    ];
    this.table.pair(before, after, 'guaranteed', { kind: 'kubernetes', ...why });
  }

  /** The same pair from its other side: the write is stored within `delayMs` as a rule. */
  storedSoon(node: bigint, api: bigint, resolution: bigint, delayMs: number, why: Why): void {
    const [before, after] = [
      { clock: API, ns: api - resolution - BigInt(delayMs) * MS },
      { clock: this.node, ns: node },
    ];
    this.table.pair(before, after, 'likely', { kind: 'usual-delay', ...why });
  }

  /** `api` was stamped before `node` could be, which is a whole second. */
  actedAfter(api: bigint, node: bigint, why: Why): void {
    const [before, after] = [
      { clock: API, ns: api - SECOND },
      { clock: this.node, ns: node },
    ];
    this.table.pair(before, after, 'guaranteed', { kind: 'kubernetes', ...why });
  }
}

function seeLease(collector: Collector, { node, renewTime, managedAt, source }: LeaseObject): void {
  if (renewTime === undefined || managedAt === undefined) return;
  const why = { why: `the Lease of ${node}: renewed by the node's clock, stored by the API server's`, source };
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
    const why = {
      why: `the status of Pod ${pod.name}: stamped by the node's clock, stored by the API server's`,
      source: pod.source,
    };
    collector.storedAfter(last, stored, why);
    collector.storedSoon(last, stored, SECOND, STATUS_DELAY_MS, why);
  }
  if (pod.startTime === undefined) return;
  const bound = pod.conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'True')?.at;
  if (bound !== undefined)
    collector.actedAfter(bound, pod.startTime, {
      why: `Pod ${pod.name} was bound before its node took it up`,
      source: pod.source,
    });
  if (pod.created !== undefined)
    collector.actedAfter(pod.created, pod.startTime, {
      why: `Pod ${pod.name} was created before its node took it up`,
      source: pod.source,
    });
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
  collector.storedAfter(heartbeat, node.statusManagedAt, {
    why: `the heartbeat of ${node.name}: stamped by the node's clock, stored by the API server's`,
    source: node.source,
  });
}

function seeEvent(collector: Collector, event: KubeEvent): void {
  if (event.first === undefined || event.created === undefined) return;
  collector.storedAfter(event.first, event.created, {
    why: `an Event of the kubelet (${event.reason}): stamped by the node's clock, created by the API server's`,
    source: event.source,
  });
}

function newest(stamps: readonly (bigint | undefined)[]): bigint | undefined {
  let last: bigint | undefined;
  for (const stamp of stamps) if (stamp !== undefined && (last === undefined || stamp > last)) last = stamp;
  return last;
}
