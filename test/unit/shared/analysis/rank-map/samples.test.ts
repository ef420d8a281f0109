/** The invented Pods of every operator, from their text to the rank map. */
import { describe, expect, it } from 'vitest';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import { readFixture } from '../../formats/kubernetes/read-file.ts';
import { incident } from './build-incident.ts';

function rankMapOf(...names: readonly string[]) {
  const results = names.map((name) => readFixture(name));
  return computeRankMap(
    incident([], {
      pods: results.flatMap(({ pods }) => pods),
      workloads: results.flatMap(({ workloads }) => workloads),
      kubeEvents: results.flatMap(({ events }) => events),
      nodes: results.flatMap(({ nodes }) => nodes),
    }),
  ).rankMap;
}
const ranges = (ranks: readonly number[]): string => (ranks.length === 0 ? '-' : `${ranks[0]}-${ranks.at(-1)}`);
const podsOf = (...names: readonly string[]) =>
  rankMapOf(...names).pods.map(({ pod, node, nodeRank, nodeRankBasis, expectedRanks }) => [
    pod,
    node,
    nodeRank,
    nodeRankBasis,
    ranges(expectedRanks),
  ]);

describe('PyTorchJob with 8 processes a Pod', () => {
  const expected = [
    ['borealis-pt-master-0', 'gpu-node-02', 0, '0-7'],
    ['borealis-pt-worker-0', 'gpu-node-01', 1, '8-15'],
    ['borealis-pt-worker-1', 'gpu-node-03', 2, '16-23'],
    ['borealis-pt-worker-2', 'gpu-node-04', 3, '24-31'],
  ] as const;

  it('by its objects: env RANK is the node rank', () => {
    expect(podsOf('kubernetes-objects/pods.json')).toEqual(
      expected.map(([pod, node, rank, ranks]) => [pod, node, rank, 'pod-node-rank', ranks]),
    );
    expect(rankMapOf('kubernetes-objects/pods.json')).toMatchObject({
      worldSize: 32,
      worldSizeBasis: 'Pod spec: 4 × 8',
      nprocPerNode: 8,
      nnodes: 4,
      attempts: 2,
    });
  });

  it('by the same objects in three forms: no Pod twice', () => {
    const pods = podsOf(
      'kubernetes-objects/pods.json',
      'kubernetes-objects/pod-worker-2.yaml',
      'kubernetes-describe/describe-pod-borealis-pt-worker-2.txt',
      'kubernetes-tables/get-pods-wide.txt',
    );
    expect(pods.map(([pod, , , , ranks]) => [pod, ranks])).toEqual(expected.map(([pod, , , ranks]) => [pod, ranks]));
  });

  it('by a table and the job: names give the order, the job the processes', () => {
    expect(podsOf('kubernetes-tables/get-pods-wide.txt', 'kubernetes-objects/pytorchjob.yaml')).toEqual(
      expected.map(([pod, node, rank, ranks]) => [pod, node, rank, 'pod-ordinal', ranks]),
    );
  });

  it('by one Pod’s YAML and a table of all', () => {
    expect(podsOf('kubernetes-tables/get-pods-wide.txt', 'kubernetes-objects/pod-worker-2.yaml')).toEqual(
      expected.map(([pod, node, rank, ranks]) => [
        pod,
        node,
        rank,
        rank === 3 ? 'pod-node-rank' : 'pod-ordinal',
        ranks,
      ]),
    );
  });

  it('the restart shows as a second attempt', () => {
    const { pods } = rankMapOf('kubernetes-objects/pods.json');
    expect(pods.map(({ containerAttempts }) => containerAttempts)).toEqual(
      pods.map(() => ({ current: 1, previous: 0 })),
    );
  });
});

describe('other operators', () => {
  it('JobSet of a TrainJob: completion index, processes by the GPU limit, third start of the job', () => {
    expect(podsOf('kubernetes-objects/jobset-pods.json', 'kubernetes-objects/jobset.yaml')).toEqual([
      ['heron-sft-node-0-0-x7k2p', 'gpu-node-01', 0, 'pod-node-rank', '0-7'],
      ['heron-sft-node-0-1-m4c9d', 'gpu-node-04', 1, 'pod-node-rank', '8-15'],
    ]);
    // The restart of the evicted Pod's container is one that the kubelet only counted.
    expect(
      rankMapOf('kubernetes-objects/jobset-pods.json').pods.map(({ containerAttempts }) => containerAttempts?.current),
    ).toEqual([2, 2]);
  });

  it.each([
    [
      'Volcano: RANK of the plugin',
      'volcano-pods.json',
      [
        ['dunlin-vc-master-0', 0, 'pod-node-rank'],
        ['dunlin-vc-worker-1', 2, 'pod-node-rank'],
      ],
    ],
    [
      'LeaderWorkerSet: index inside the group',
      'leaderworkerset-pods.json',
      [
        ['egret-lws-1', 0, 'pod-label'],
        ['egret-lws-1-3', 3, 'pod-label'],
      ],
    ],
    [
      'MPIJob: the launcher has none',
      'mpijob-pods.json',
      [
        ['avocet-mpi-launcher-9k2lc', undefined, undefined],
        ['avocet-mpi-worker-0', 0, 'pod-label'],
        ['avocet-mpi-worker-1', 1, 'pod-label'],
      ],
    ],
    ['StatefulSet', 'statefulset-pod.json', [['godwit-ss-2', 2, 'pod-label']]],
    [
      'Ray: none at all',
      'rayjob-pods.json',
      [
        ['plover-rl-gpu-worker-7xv2n', undefined, undefined],
        ['plover-rl-head-kd8zq', undefined, undefined],
      ],
    ],
    [
      'a worker whose master nobody names: none',
      'polyaxon-pod.json',
      [['plx-operation-3f0b7c1d9a2e4c55b8f1aa7710cd2e99-worker-0', undefined, undefined]],
    ],
  ])('%s', (_name, file, expected) => {
    expect(podsOf(`kubernetes-objects/${file}`).map(([pod, , rank, basis]) => [pod, rank, basis])).toEqual(expected);
  });

  it('a cluster full of other jobs does not join them', () => {
    const pods = podsOf('kubernetes-tables/get-pods-wide-all-namespaces.txt').map(([pod]) => pod);
    expect(pods).toEqual([
      'borealis-pt-master-0',
      'borealis-pt-worker-0',
      'borealis-pt-worker-1',
      'borealis-pt-worker-2',
    ]);
  });
});
