/** A seed → the description of an incident: any fault in any surroundings that fit together. */

import { createRandom, type Random } from './random.ts';
import type { Backend, ExceptionKind, Fault, FaultKind, IncidentSpec, Missing } from './spec.ts';
import { vary } from './variety.ts';

const KINDS = [
  'healthy',
  'still-running',
  'exception',
  'cuda-oom',
  'sigkill',
  'host-oom',
  'stall',
  'op-mismatch',
  'size-mismatch',
  'skipped-call',
  'missing-worker',
  'evicted',
  'wrapped-timeout',
  'early-finish',
  'silent-exit',
  'logged-exit',
  'storage-stall',
] as const satisfies readonly FaultKind[];

/** What only NCCL shows here: GPU memory, and mismatched calls that hang (gloo aborts a neighbour; not modelled). */
const NCCL_ONLY: readonly FaultKind[] = ['cuda-oom', 'op-mismatch', 'size-mismatch', 'skipped-call'];

/** Nodes and ranks a node. */
const SHAPES: readonly [readonly [number, number], ...(readonly [number, number])[]] = [
  [2, 2],
  [2, 4],
  [3, 2],
  [4, 2],
  [2, 8],
  [12, 2],
];

/** Any incident of the plain kinds, and often something more: see `variety.ts`. */
export const randomSpec = (seed: number): IncidentSpec => vary(plainSpec(seed), createRandom(seed).fork('variety'));

function plainSpec(seed: number): IncidentSpec {
  const random = createRandom(seed).fork('spec');
  const kind = random.pick(KINDS);
  const backend = NCCL_ONLY.includes(kind)
    ? 'nccl'
    : kind === 'wrapped-timeout'
      ? 'gloo'
      : random.pick<Backend>(['nccl', 'gloo']);
  const [nodes, ranksPerNode] = random.pick(SHAPES);
  const world = nodes * ranksPerNode;
  const split = backend === 'nccl' && world >= 8 && random.chance(0.35);
  const steps = random.int(12, 40);
  return {
    seed,
    nodes,
    ranksPerNode,
    ...(split ? { tensorParallel: 2, pipelineParallel: random.pick([1, 2]) } : {}),
    backend,
    workload: random.pick(['pytorchjob', 'jobset', 'statefulset']),
    layout: random.pick(['kubectl', 'plain', 'prefixed', 'cri', 'torchrun', 'capture']),
    appLog: random.pick(['bracket', 'python', 'basic', 'columns', 'deepspeed', 'accelerate']),
    clocks: random.pick(['true', 'close', 'skewed', 'skewed']),
    loop: {
      steps,
      stepMs: random.int(60, 400),
      buckets: random.pick([[85_002], [85_002, 20_000], [7_077_888, 2_362_368]]),
      logEvery: random.pick([1, 5, 10]),
      evaluateEvery: random.pick([0, 7]),
      checkpointEvery: 5,
    },
    timeoutS: random.pick([15, 60, 600]),
    fault: randomFault(kind, random, { world, nodes, steps }),
    ringEntries: random.pick([2000, 60]),
    ncclDebug: random.chance(0.5),
    peersNotice: random.chance(0.7) ? 'closed' : 'timeout',
    missing: randomMissing(random, world, nodes),
  };
}

function randomFault(kind: FaultKind, random: Random, job: { world: number; nodes: number; steps: number }): Fault {
  const rank = random.int(0, job.world - 1);
  const step = random.int(2, job.steps - 3);
  switch (kind) {
    case 'healthy':
    case 'still-running':
      return { kind };
    case 'exception':
      return { kind, rank, step, what: random.pick<ExceptionKind>(['data-input', 'python', 'numerics', 'storage']) };
    case 'stall': {
      const where = random.pick(['data', 'data', 'checkpoint', 'gil'] as const);
      // Only rank 0 writes checkpoints, after every fifth step.
      return where === 'checkpoint'
        ? { kind, rank: 0, step: Math.max(4, Math.floor(step / 5) * 5 - 1), where }
        : { kind, rank, step, where };
    }
    case 'silent-exit':
      return { kind, rank, step, code: random.pick([0, 3] as const) };
    case 'missing-worker':
      return { kind, node: random.int(1, job.nodes - 1) };
    case 'evicted':
      return { kind, node: random.int(0, job.nodes - 1), step };
    default:
      return { kind, rank, step };
  }
}

/** Half of the bundles are whole. */
function randomMissing(random: Random, world: number, nodes: number): Missing {
  if (random.chance(0.5)) return {};
  return {
    dumpsOfRanks: Array.from({ length: world }, (_, rank) => rank).filter(() => random.chance(0.3)),
    logsOfNodes: random.chance(0.3) ? [random.int(0, nodes - 1)] : [],
    events: random.chance(0.3),
    leases: random.chance(0.5),
    kernelLog: random.chance(0.3),
    podYaml: random.chance(0.2),
  };
}
