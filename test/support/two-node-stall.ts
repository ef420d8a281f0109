import type { IncidentSpec } from './incidents/index.ts';

/** 16 ranks on two nodes; rank 11 stalls in its data after 41 steps. The plainest hang: tests say only how theirs differs from it. */
export const TWO_NODE_STALL: IncidentSpec = {
  seed: 16,
  nodes: 2,
  ranksPerNode: 8,
  backend: 'nccl',
  workload: 'pytorchjob',
  layout: 'kubectl',
  appLog: 'bracket',
  clocks: 'close',
  loop: { steps: 60, stepMs: 200, buckets: [1024], logEvery: 10, evaluateEvery: 0, checkpointEvery: 0 },
  timeoutS: 60,
  fault: { kind: 'stall', rank: 11, step: 41, where: 'data' },
  ringEntries: 100,
};
