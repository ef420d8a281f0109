/** The fixed set of incidents: every fault, over layouts, log styles, clocks and ways to run. Small, so that a test runs them all. */
import type { AppLog, Clocks, Fault, IncidentSpec, Layout, Workload } from './spec.ts';

const LOOP = { steps: 24, stepMs: 90, buckets: [85_002, 20_000], logEvery: 5, evaluateEvery: 7, checkpointEvery: 10 };

type Shape = Pick<IncidentSpec, 'backend' | 'nodes' | 'ranksPerNode'> & Partial<IncidentSpec>;

const LAYOUTS: readonly Layout[] = ['kubectl', 'plain', 'prefixed', 'cri', 'torchrun', 'capture'];
const APP_LOGS: readonly AppLog[] = ['bracket', 'python', 'basic', 'columns'];
const CLOCKS: readonly Clocks[] = ['skewed', 'close', 'true'];
const WORKLOADS: readonly Workload[] = ['pytorchjob', 'jobset', 'statefulset'];

const NCCL: Shape = { backend: 'nccl', nodes: 2, ranksPerNode: 4 };
const NCCL_WIDE: Shape = { backend: 'nccl', nodes: 4, ranksPerNode: 2, ncclDebug: true };
const NCCL_3D: Shape = { backend: 'nccl', nodes: 4, ranksPerNode: 4, tensorParallel: 2, pipelineParallel: 2 };
const NCCL_DEAF: Shape = { ...NCCL, peersNotice: 'timeout' };
/** Twelve Pods: host names sort 0, 1, 10, 11, 2 … */
const NCCL_MANY: Shape = { backend: 'nccl', nodes: 12, ranksPerNode: 2, workload: 'jobset' };
const GLOO: Shape = { backend: 'gloo', nodes: 2, ranksPerNode: 2, timeoutS: 15 };
const GLOO_THREE: Shape = { backend: 'gloo', nodes: 3, ranksPerNode: 2, timeoutS: 18 };

const STORIES: readonly (readonly [Shape, Fault])[] = [
  [NCCL, { kind: 'stall', rank: 5, step: 12, where: 'data' }],
  [NCCL_WIDE, { kind: 'stall', rank: 2, step: 15, where: 'data' }],
  [NCCL_3D, { kind: 'stall', rank: 9, step: 11, where: 'data' }],
  [NCCL, { kind: 'stall', rank: 0, step: 9, where: 'checkpoint' }],
  [NCCL, { kind: 'stall', rank: 6, step: 14, where: 'gil' }],
  [GLOO_THREE, { kind: 'stall', rank: 3, step: 12, where: 'data' }],
  [GLOO, { kind: 'stall', rank: 0, step: 19, where: 'checkpoint' }],
  [GLOO_THREE, { kind: 'stall', rank: 1, step: 13, where: 'gil' }],
  [GLOO, { kind: 'exception', rank: 1, step: 11, what: 'data-input' }],
  [GLOO_THREE, { kind: 'exception', rank: 4, step: 16, what: 'numerics' }],
  [NCCL, { kind: 'exception', rank: 7, step: 13, what: 'python' }],
  [NCCL_WIDE, { kind: 'exception', rank: 0, step: 10, what: 'storage' }],
  [NCCL_DEAF, { kind: 'exception', rank: 3, step: 12, what: 'data-input' }],
  [NCCL_3D, { kind: 'exception', rank: 14, step: 12, what: 'python' }],
  [NCCL, { kind: 'cuda-oom', rank: 2, step: 12 }],
  [NCCL_WIDE, { kind: 'cuda-oom', rank: 7, step: 8 }],
  [NCCL_3D, { kind: 'cuda-oom', rank: 5, step: 17 }],
  [GLOO, { kind: 'sigkill', rank: 3, step: 12 }],
  [GLOO_THREE, { kind: 'sigkill', rank: 0, step: 14 }],
  [NCCL, { kind: 'sigkill', rank: 6, step: 12 }],
  [NCCL_DEAF, { kind: 'sigkill', rank: 1, step: 9 }],
  [GLOO, { kind: 'host-oom', rank: 2, step: 12 }],
  [GLOO_THREE, { kind: 'host-oom', rank: 5, step: 15 }],
  [NCCL, { kind: 'host-oom', rank: 4, step: 12 }],
  [NCCL, { kind: 'op-mismatch', rank: 5, step: 12 }],
  [NCCL_WIDE, { kind: 'op-mismatch', rank: 0, step: 14 }],
  [NCCL, { kind: 'size-mismatch', rank: 2, step: 12 }],
  [NCCL_3D, { kind: 'size-mismatch', rank: 6, step: 13 }],
  [NCCL, { kind: 'skipped-call', rank: 7, step: 12 }],
  [NCCL_WIDE, { kind: 'skipped-call', rank: 3, step: 16 }],
  [GLOO, { kind: 'missing-worker', node: 1 }],
  [GLOO_THREE, { kind: 'missing-worker', node: 2 }],
  [NCCL, { kind: 'missing-worker', node: 1 }],
  [GLOO_THREE, { kind: 'evicted', node: 1, step: 12 }],
  [NCCL, { kind: 'evicted', node: 1, step: 12 }],
  [NCCL_WIDE, { kind: 'evicted', node: 3, step: 14 }],
  [NCCL_MANY, { kind: 'cuda-oom', rank: 5, step: 12 }],
  [NCCL_MANY, { kind: 'stall', rank: 21, step: 9, where: 'data' }],
  [NCCL_MANY, { kind: 'host-oom', rank: 4, step: 9 }],
  [GLOO, { kind: 'healthy' }],
  [NCCL, { kind: 'healthy' }],
  [NCCL_3D, { kind: 'healthy' }],
  [GLOO_THREE, { kind: 'still-running' }],
  [NCCL, { kind: 'still-running' }],
  [NCCL_WIDE, { kind: 'still-running' }],
  [GLOO, { kind: 'wrapped-timeout', rank: 2, step: 12 }],
  [GLOO_THREE, { kind: 'wrapped-timeout', rank: 5, step: 9 }],
  [GLOO, { kind: 'early-finish', rank: 1, step: 12 }],
  [NCCL, { kind: 'early-finish', rank: 6, step: 14 }],
  [GLOO_THREE, { kind: 'silent-exit', rank: 4, step: 12, code: 3 }],
  [NCCL, { kind: 'silent-exit', rank: 3, step: 12, code: 0 }],
  [NCCL_DEAF, { kind: 'silent-exit', rank: 7, step: 10, code: 0 }],
  [GLOO_THREE, { kind: 'logged-exit', rank: 0, step: 13 }],
  [NCCL_WIDE, { kind: 'logged-exit', rank: 5, step: 12 }],
  [GLOO, { kind: 'storage-stall', rank: 3, step: 12 }],
  [NCCL, { kind: 'storage-stall', rank: 1, step: 15 }],
];

const at = <T>(list: readonly T[], i: number): T => {
  const item = list[i % list.length];
  if (item === undefined) throw new Error('an empty list');
  return item;
};

/** Layout, log style, clocks and workload rotate, each shifted by another step, so that all pairs occur. */
export const CATALOGUE: readonly IncidentSpec[] = STORIES.map(([shape, fault], i) => ({
  seed: 100 + i,
  workload: at(WORKLOADS, i + Math.floor(i / 6)),
  layout: at(LAYOUTS, i),
  appLog: at(APP_LOGS, i + Math.floor(i / 5)),
  clocks: at(CLOCKS, i + Math.floor(i / 3)),
  loop: LOOP,
  timeoutS: 60,
  ...shape,
  fault,
}));
