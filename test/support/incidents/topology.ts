/**
 * Who runs where: nodes, Pods, agents, ranks, process groups, and the names Kubernetes gives them.
 *
 *     node ── Pod ── container ── torchrun agent ── worker process = rank
 *
 * One Pod a node. Node rank = position of the Pod in the job, as with a static rendezvous; with a dynamic one (JobSet
 * here) torch sorts the nodes by host name, which is the same only up to ten Pods.
 */

import { MS, type NodeClock, SECOND } from './clock.ts';
import type { Random } from './random.ts';
import type { ClockSpec, IncidentSpec, Workload } from './spec.ts';

export interface NodePlace {
  /** Position of the Pod in the job, from 0. */
  readonly index: number;
  /** Node rank of its agent. */
  readonly groupRank: number;
  readonly node: string;
  readonly clock: NodeClock;
  readonly hostIp: string;
  readonly pod: string;
  readonly podIp: string;
  readonly uid: string;
  readonly containerId: string;
  readonly agentPid: number;
  /** Global ranks, ascending. */
  readonly ranks: readonly number[];
}

export interface RankPlace {
  readonly rank: number;
  readonly localRank: number;
  readonly place: NodePlace;
  readonly pid: number;
}

export interface Group {
  /** Process-group name, as the recorder writes it. */
  readonly name: string;
  readonly desc: string;
  readonly ranks: readonly number[];
  readonly timeoutMs: number;
  /** A group over gloo in a job that trains over NCCL. */
  readonly gloo?: true;
}

export interface Topology {
  readonly job: string;
  readonly namespace: string;
  readonly container: string;
  readonly worldSize: number;
  readonly nodes: readonly NodePlace[];
  readonly ranks: readonly RankPlace[];
  readonly world: Group;
  /** Groups by rank: the world first, then the rank's own groups in creation order (the local `pg_id`s). */
  readonly groupsOf: readonly (readonly Group[])[];
  /** Undefined where the job does not split that way. */
  readonly tensorOf: (rank: number) => Group | undefined;
  readonly pipelineOf: (rank: number) => Group | undefined;
  readonly dataOf: (rank: number) => Group;
  /** Ranks that share experts; undefined in a job without. */
  readonly expertOf: (rank: number) => Group | undefined;
  /** Ranks that hold the same experts. */
  readonly expertDataOf: (rank: number) => Group | undefined;
  /** All ranks over gloo, beside NCCL; no NCCL recorder knows it. */
  readonly side: Group | undefined;
}

const JOBS = ['bert-small', 'vit-tiny', 'ranker', 'speech-ctc', 'llm-7b', 'diffusion-xl'] as const;
const NAMESPACES = ['ml', 'training', 'team-a'] as const;
/** Kubeflow looks for a container called `pytorch`; Polyaxon's own kinds call theirs `polyaxon-main`. */
const CONTAINERS: Record<Workload, readonly [string, ...string[]]> = {
  pytorchjob: ['pytorch'],
  jobset: ['trainer'],
  statefulset: ['trainer'],
  polyaxon: ['pytorch', 'polyaxon-main'],
};

export function buildTopology(spec: IncidentSpec, random: Random): Topology {
  const words = random.fork('names');
  const picked = words.pick(JOBS);
  const job = spec.workload === 'polyaxon' ? `plx-operation-${random.fork('run').hex(32)}` : picked;
  const names = range(spec.nodes).map((index) => podName(spec.workload, job, index, random.fork(`pod-${index}`)));
  // A dynamic rendezvous numbers its nodes by host name, and `-10` sorts before `-2`. One that never ended has given no
  // numbers; those of the Pods' order stand in for them.
  const dynamic = spec.workload === 'jobset' && spec.fault.kind !== 'missing-worker';
  const order = range(spec.nodes);
  if (dynamic) order.sort((a, b) => compareText(names[a], names[b]));
  const firstRank = (groupRank: number): number =>
    order.slice(0, groupRank).reduce((sum, index) => sum + processesOf(spec, index), 0);
  const nodes = range(spec.nodes).map((index): NodePlace => {
    const own = random.fork(`node-${index}`);
    const groupRank = order.indexOf(index);
    return {
      index,
      groupRank,
      node: `${own.pick(['gpu', 'node', 'worker'])}-${own.pick(['a', 'b', 'c', 'd'])}${own.int(11, 98)}-${index}`,
      clock: clockOf(spec, index, own),
      hostIp: `192.0.2.${10 + index}`,
      pod: names[index] ?? '',
      podIp: `10.244.${index}.${own.int(10, 60)}`,
      uid: `${own.hex(8)}-${own.hex(4)}-4${own.hex(3)}-a${own.hex(3)}-${own.hex(12)}`,
      containerId: own.hex(64),
      agentPid: own.int(20, 70),
      ranks: range(processesOf(spec, index)).map((local) => firstRank(groupRank) + local),
    };
  });
  const ranks = nodes
    .flatMap((place) => {
      const own = random.fork(`pids-${place.index}`);
      let pid = place.agentPid + own.int(20, 60);
      return place.ranks.map((rank, localRank): RankPlace => {
        pid += own.int(1, 3);
        return { rank, localRank, place, pid };
      });
    })
    .sort((a, b) => a.rank - b.rank);
  return {
    job,
    namespace: words.pick(NAMESPACES),
    container: random.fork('container').pick(CONTAINERS[spec.workload]),
    worldSize: worldSizeOf(spec),
    nodes,
    ranks,
    ...buildGroups(spec),
  };
}

/** Processes that the launcher of a node starts. */
export const processesOf = (spec: IncidentSpec, node: number): number =>
  spec.processesOfNodes?.[node] ?? spec.ranksPerNode;

export const worldSizeOf = (spec: IncidentSpec): number =>
  range(spec.nodes).reduce((sum, node) => sum + processesOf(spec, node), 0);

type Groups = Pick<
  Topology,
  'world' | 'groupsOf' | 'tensorOf' | 'pipelineOf' | 'dataOf' | 'expertOf' | 'expertDataOf' | 'side'
>;

/** Megatron's order: tensor neighbours are adjacent ranks, then data, then pipeline stages; experts over neighbours. */
function buildGroups(spec: IncidentSpec): Groups {
  const worldSize = worldSizeOf(spec);
  const tp = spec.tensorParallel ?? 1;
  const pp = spec.pipelineParallel ?? 1;
  const dp = worldSize / (tp * pp);
  const timeoutMs = spec.timeoutS * 1000;
  const world: Group = { name: '0', desc: 'default_pg', ranks: range(worldSize), timeoutMs };
  const groups: Group[] = [world];
  const add = (desc: string, ranks: readonly number[]): Group => {
    const group: Group = { name: String(groups.length), desc, ranks, timeoutMs };
    groups.push(group);
    return group;
  };
  const data = new Map<number, Group>();
  const tensor = new Map<number, Group>();
  const pipeline = new Map<number, Group>();
  const assign = (into: Map<number, Group>, group: Group): void => {
    for (const rank of group.ranks) into.set(rank, group);
  };
  if (tp * pp > 1) {
    for (let p = 0; p < pp; p++)
      for (let t = 0; t < tp; t++)
        assign(
          data,
          add(
            'DATA_PARALLEL_GROUP',
            range(dp).map((d) => p * tp * dp + d * tp + t),
          ),
        );
  }
  if (tp > 1) {
    for (let block = 0; block < worldSize / tp; block++)
      assign(
        tensor,
        add(
          'TENSOR_MODEL_PARALLEL_GROUP',
          range(tp).map((t) => block * tp + t),
        ),
      );
  }
  if (pp > 1) {
    for (let k = 0; k < tp * dp; k++)
      assign(
        pipeline,
        add(
          'PIPELINE_MODEL_PARALLEL_GROUP',
          range(pp).map((p) => p * tp * dp + k),
        ),
      );
  }
  const ep = spec.expertParallel ?? 1;
  const expert = new Map<number, Group>();
  const expertData = new Map<number, Group>();
  if (ep > 1) {
    for (let block = 0; block < worldSize / ep; block++)
      assign(
        expert,
        add(
          'EXPERT_MODEL_PARALLEL_GROUP',
          range(ep).map((e) => block * ep + e),
        ),
      );
    for (let e = 0; e < ep; e++)
      assign(
        expertData,
        add(
          'EXPERT_DATA_PARALLEL_GROUP',
          range(worldSize / ep).map((block) => block * ep + e),
        ),
      );
  }
  const side: Group | undefined =
    spec.glooBarrier === true
      ? { name: String(groups.length), desc: 'WORLD_GLOO', ranks: world.ranks, timeoutMs, gloo: true }
      : undefined;
  return {
    world,
    groupsOf: range(worldSize).map((rank) => groups.filter((group) => group.ranks.includes(rank))),
    tensorOf: (rank) => tensor.get(rank),
    pipelineOf: (rank) => pipeline.get(rank),
    dataOf: (rank) => data.get(rank) ?? world,
    expertOf: (rank) => expert.get(rank),
    expertDataOf: (rank) => expertData.get(rank),
    side,
  };
}

function clockOf(spec: IncidentSpec, index: number, random: Random): NodeClock {
  const upNs = random.between(2, 90) * 86_400 * SECOND + random.between(0, SECOND);
  const given = specClock(spec, index, random);
  return {
    offsetNs: Math.round(given.offsetMs * MS),
    driftPpm: given.driftPpm ?? 0,
    zoneMinutes: spec.zones?.[index] ?? given.zoneMinutes ?? 0,
    upNs: Math.round(upNs),
  };
}

function specClock(spec: IncidentSpec, index: number, random: Random): ClockSpec {
  if (typeof spec.clocks !== 'string') return spec.clocks[index] ?? { offsetMs: 0 };
  if (spec.clocks === 'true') return { offsetMs: 0 };
  if (spec.clocks === 'close') return { offsetMs: random.between(-250, 250), driftPpm: random.between(-5, 5) };
  return { offsetMs: random.between(-120_000, 120_000), driftPpm: random.between(-50, 50) };
}

function podName(workload: Workload, job: string, index: number, random: Random): string {
  if (workload === 'jobset') return `${job}-workers-0-${index}-${random.suffix(5)}`;
  if (workload === 'statefulset') return `${job}-${index}`;
  return index === 0 ? `${job}-master-0` : `${job}-worker-${index - 1}`;
}

const compareText = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

export const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** The rank's place; throws for a rank that the job does not have. */
export function placeOf(topology: Topology, rank: number): RankPlace {
  const found = topology.ranks[rank];
  if (found === undefined) throw new Error(`no rank ${rank} in a world of ${topology.worldSize}`);
  return found;
}

export function nodeAt(topology: Topology, index: number): NodePlace {
  const found = topology.nodes[index];
  if (found === undefined) throw new Error(`no node ${index} among ${topology.nodes.length}`);
  return found;
}
