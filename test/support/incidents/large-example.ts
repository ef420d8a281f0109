/** The larger example that ships with the application: 64 ranks on 8 nodes, 3-D parallel, clocks up to a minute apart. */
import type { IncidentSpec } from './spec.ts';

export const LARGE_EXAMPLE: IncidentSpec = {
  seed: 6408,
  nodes: 8,
  ranksPerNode: 8,
  tensorParallel: 4,
  pipelineParallel: 2,
  backend: 'nccl',
  workload: 'pytorchjob',
  layout: 'kubectl',
  appLog: 'bracket',
  clocks: [
    { offsetMs: 140, driftPpm: 8 },
    { offsetMs: -42_310, driftPpm: -21 },
    { offsetMs: 15, driftPpm: 3 },
    { offsetMs: 31_770, driftPpm: 38 },
    { offsetMs: -260, driftPpm: -12 },
    { offsetMs: 58_020, driftPpm: 5 },
    { offsetMs: -3_480, driftPpm: 44 },
    { offsetMs: 90, driftPpm: -2 },
  ],
  loop: {
    steps: 600,
    stepMs: 410,
    buckets: [7_077_888, 7_077_888, 2_362_368],
    logEvery: 10,
    evaluateEvery: 100,
    checkpointEvery: 200,
  },
  timeoutS: 600,
  fault: { kind: 'stall', rank: 43, step: 417, where: 'data' },
  ringEntries: 360,
  ncclDebug: true,
};
