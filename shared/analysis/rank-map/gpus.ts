/**
 * The GPU of ranks whose own lines do not name it. CUDA device n of a Pod that has all GPUs of its node is GPU n of the
 * node, and the worker with local rank n uses device n unless something speaks against it:
 *
 * - `node-list`    nvidia-smi on the node gives index and address
 * - `other-nodes`  NCCL gives device and address on other nodes of the job, all alike: nodes of one kind most often are
 *
 * Nothing is derived if a rank of the job is seen on another device than its local rank, or sees a part of the GPUs only
 * (`CUDA_VISIBLE_DEVICES`), or if Pods share nodes.
 */
import type { PlacedEvent, RankPlace } from '../../model/facts.ts';
import type { NodeObject } from '../../model/kubernetes.ts';
import { busIdText } from './evidence.ts';
import type { JobSpec } from './job-spec.ts';
import { envValue } from './launcher-options.ts';

export interface GpuContext {
  readonly events: readonly PlacedEvent[];
  readonly job: JobSpec;
  readonly nodes: readonly NodeObject[];
}

/** Address of each device index; an index with two addresses has none. */
class Order {
  private readonly byIndex = new Map<number, string | undefined>();

  add(index: number, pci: string): void {
    const known = this.byIndex.get(index);
    this.byIndex.set(index, this.byIndex.has(index) && known !== pci ? undefined : pci);
  }

  pciOf(index: number): string | undefined {
    return this.byIndex.get(index);
  }
}

/** The same places, with GPUs where they follow from the node's or the other nodes' order. */
export function withGpus(places: readonly RankPlace[], context: GpuContext): readonly RankPlace[] {
  if (!devicesFollowLocalRanks(places)) return places;
  const whole = podsWithWholeNodes(context);
  const { nodes, common } = orders(context.events);
  return places.map((place) => {
    if (place.gpu !== undefined || place.localRank === undefined || place.pod === undefined || !whole.has(place.pod))
      return place;
    const own = place.node === undefined ? undefined : nodes.get(place.node)?.pciOf(place.localRank);
    const pci = own ?? common.pciOf(place.localRank);
    if (pci === undefined) return place;
    return {
      ...place,
      gpu: `${place.localRank} (${pci})`,
      gpuBasis: own === undefined ? ('other-nodes' as const) : ('node-list' as const),
    };
  });
}

/** True if no rank is seen on a device that is not its local rank. */
function devicesFollowLocalRanks(places: readonly RankPlace[]): boolean {
  return places.every(({ gpu, localRank }) => {
    const device = /^\d+(?= \(|$)/.exec(gpu ?? '')?.[0];
    return device === undefined || localRank === undefined || Number(device) === localRank;
  });
}

function podsWithWholeNodes({ job, nodes }: GpuContext): ReadonlySet<string> {
  const capacity = new Map(nodes.map((node) => [node.name, node.gpuCapacity]));
  const onNode = new Map<string, number>();
  for (const { record } of job.pods.values())
    if (record?.node !== undefined) onNode.set(record.node, (onNode.get(record.node) ?? 0) + 1);
  const whole = new Set<string>();
  for (const [pod, { record, spec }] of job.pods) {
    const object = record?.object;
    if (object?.gpus === undefined || record?.node === undefined || spec?.nproc !== object.gpus) continue;
    const all = capacity.get(record.node);
    const isWhole = all === undefined ? object.gpus >= 8 : all === object.gpus;
    const isSeen = envValue(object.env, 'CUDA_VISIBLE_DEVICES') === undefined;
    if (isWhole && isSeen && onNode.get(record.node) === 1) whole.add(pod);
  }
  return whole;
}

function orders(events: readonly PlacedEvent[]): {
  readonly nodes: ReadonlyMap<string, Order>;
  readonly common: Order;
} {
  const nodes = new Map<string, Order>();
  const common = new Order();
  for (const { event, node } of events) {
    const { body } = event;
    let index: number | undefined;
    let pci: string | undefined;
    if (body.kind === 'nccl-init') {
      index = body.cudaDev;
      pci = body.busId === undefined ? undefined : busIdText(body.busId);
      if (index !== undefined && pci !== undefined) common.add(index, pci);
    } else if (body.kind === 'gpu-state') ({ index, pci } = body);
    if (index === undefined || pci === undefined || node === undefined) continue;
    const order = nodes.get(node) ?? new Order();
    order.add(index, pci);
    nodes.set(node, order);
  }
  return { nodes, common };
}
