import { describe, expect, it } from 'vitest';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import { announced, exception, file, incident, jobSetLabels, pod, pyTorchLabels } from './build-incident.ts';

describe('node ranks of definitions', () => {
  const nodeRanks = (pods: ReturnType<typeof pod>[], more: Partial<IncidentInput> = {}) =>
    computeRankMap(incident([], { pods, ...more })).rankMap.pods.map(({ pod: name, nodeRank, nodeRankBasis }) => [
      name,
      nodeRank,
      nodeRankBasis,
    ]);

  it.each([
    ['env RANK of a Pod is a node rank', [pod('j-0', { env: { RANK: '2' } })], [['j-0', 2, 'pod-node-rank']]],
    [
      'PET_NODE_RANK before RANK',
      [pod('j-0', { env: { RANK: '7', PET_NODE_RANK: '1' } })],
      [['j-0', 1, 'pod-node-rank']],
    ],
    [
      'an option with a variable',
      [pod('j-0', { env: { MY: '3' }, command: ['sh', '-c', 'exec torchrun --node-rank=$MY train.py'] })],
      [['j-0', 3, 'pod-node-rank']],
    ],
    [
      'an option with an unknown variable gives nothing',
      [pod('j-9', { command: ['torchrun', '--node_rank', '$NO', 'x'], labels: { a: 'b' }, name: 'single' })],
      [['single', undefined, undefined]],
    ],
    [
      'torchrun without a node rank: an index counts only where the order of host names gives the same number',
      Array.from({ length: 12 }, (_, i) =>
        pod(`t-w-0-${i}`, { labels: jobSetLabels(i), command: ['torchrun', '--nnodes', '12', 'train.py'] }),
      ),
      [0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => [
        `t-w-0-${i}`,
        i < 2 ? i : undefined,
        i < 2 ? 'pod-label' : undefined,
      ]),
    ],
    [
      'torchrun that is told its node rank by a variable: the index counts',
      Array.from({ length: 12 }, (_, i) =>
        pod(`t-w-0-${i}`, {
          labels: jobSetLabels(i),
          command: ['torchrun', '--nnodes=12', '--node_rank=$JOB_COMPLETION_INDEX', 'train.py'],
        }),
      ),
      [0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => [`t-w-0-${i}`, i, 'pod-label']),
    ],
    [
      'PyTorchJob: worker I is node I+1',
      [
        pod('j-master-0', { labels: pyTorchLabels('master', 0) }),
        pod('j-worker-0', { labels: pyTorchLabels('worker', 0) }),
        pod('j-worker-1', { labels: pyTorchLabels('worker', 1) }),
      ],
      [
        ['j-master-0', 0, 'pod-label'],
        ['j-worker-0', 1, 'pod-label'],
        ['j-worker-1', 2, 'pod-label'],
      ],
    ],
    [
      'PyTorchJob: the master is only named in the env',
      [pod('j-worker-1', { labels: pyTorchLabels('worker', 1), env: { MASTER_ADDR: 'j-master-0' } })],
      [['j-worker-1', 2, 'pod-label']],
    ],
    [
      'elastic PyTorchJob without a master: the index proves nothing',
      [
        pod('j-worker-0', { labels: pyTorchLabels('worker', 0) }),
        pod('j-worker-1', { labels: pyTorchLabels('worker', 1) }),
      ],
      [
        ['j-worker-0', undefined, undefined],
        ['j-worker-1', undefined, undefined],
      ],
    ],
    [
      'a c10d rendezvous takes no node rank',
      [pod('j-0', { labels: jobSetLabels(0), env: { PET_RDZV_BACKEND: 'c10d' } })],
      [['j-0', undefined, undefined]],
    ],
    [
      'an elastic range of nodes neither',
      [pod('j-0', { labels: jobSetLabels(0), command: ['torchrun', '--nnodes=2:4', 'x'] })],
      [['j-0', undefined, undefined]],
    ],
    [
      'StatefulSet: pod-index',
      [pod('s-2', { labels: { 'apps.kubernetes.io/pod-index': '2' }, owner: { kind: 'StatefulSet', name: 's' } })],
      [['s-2', 2, 'pod-label']],
    ],
    [
      'LeaderWorkerSet: worker-index',
      [
        pod('l-1-3', {
          labels: {
            'leaderworkerset.sigs.k8s.io/name': 'l',
            'leaderworkerset.sigs.k8s.io/group-index': '1',
            'leaderworkerset.sigs.k8s.io/worker-index': '3',
            'apps.kubernetes.io/pod-index': '9',
          },
        }),
      ],
      [['l-1-3', 3, 'pod-label']],
    ],
    [
      'Volcano without a master task: the index',
      [
        pod('v-w-1', {
          labels: { 'volcano.sh/job-name': 'v', 'volcano.sh/task-spec': 'w', 'volcano.sh/task-index': '1' },
        }),
      ],
      [['v-w-1', 1, 'pod-label']],
    ],
    [
      'JobSet: Jobs one after another',
      [0, 1].flatMap((job) =>
        [0, 1].map((i) =>
          pod(`s-w-${job}-${i}-abcde`, {
            labels: jobSetLabels(i, {
              'jobset.sigs.k8s.io/replicatedjob-name': 'w',
              'jobset.sigs.k8s.io/job-index': String(job),
            }),
          }),
        ),
      ),
      [
        ['s-w-0-0-abcde', 0, 'pod-label'],
        ['s-w-0-1-abcde', 1, 'pod-label'],
        ['s-w-1-0-abcde', 2, 'pod-label'],
        ['s-w-1-1-abcde', 3, 'pod-label'],
      ],
    ],
    [
      'names alone, the weakest sign',
      [pod('t-0', { from: 'table' }), pod('t-1', { from: 'table' })],
      [
        ['t-0', 0, 'pod-ordinal'],
        ['t-1', 1, 'pod-ordinal'],
      ],
    ],
    [
      'names of a master and a worker',
      [pod('t-master-0'), pod('t-worker-0')],
      [
        ['t-master-0', 0, 'pod-ordinal'],
        ['t-worker-0', 1, 'pod-ordinal'],
      ],
    ],
  ] as const)('%s', (_name, pods, expected) => {
    expect(nodeRanks([...pods])).toEqual(expected);
  });

  it('an MPI launcher has no ranks, and its log ties nobody to its Pod', () => {
    const labels = (role: string, index?: number) => ({
      'training.kubeflow.org/job-name': 'm',
      'training.kubeflow.org/operator-name': 'mpi-operator',
      'training.kubeflow.org/job-role': role,
      ...(index === undefined
        ? {}
        : { 'training.kubeflow.org/replica-type': 'worker', 'training.kubeflow.org/replica-index': String(index) }),
    });
    const pods = [
      pod('m-launcher-9k2lc', { labels: labels('launcher'), gpus: 0 }),
      pod('m-worker-0', { labels: labels('worker', 0) }),
      pod('m-worker-1', { labels: labels('worker', 1) }),
    ];
    const input = incident(
      [
        file('m-launcher-9k2lc.log', [
          announced(1, 2, 0, 5),
          { ...exception('KeyError'), rank: 0, rankBasis: 'launcher-prefix' },
        ]),
      ],
      { pods },
    );
    const { rankMap, events } = computeRankMap(input);
    expect(rankMap.places.map(({ rank, pod: name }) => [rank, name])).toEqual([
      [0, 'm-worker-0'],
      [1, 'm-worker-1'],
    ]);
    expect(events.map(({ rank, pod: name }) => [rank, name])).toEqual([
      [1, 'm-worker-1'],
      [0, 'm-worker-0'],
    ]);
  });

  it('processes per Pod: number, auto by GPUs, or WORLD_SIZE of newer operators', () => {
    const nproc = (parts: Parameters<typeof pod>[1]) =>
      computeRankMap(incident([], { pods: [pod('j-0', parts)] })).rankMap.nprocPerNode;
    expect([
      nproc({ env: { PET_NPROC_PER_NODE: '8' } }),
      nproc({ env: { PET_NPROC_PER_NODE: 'auto' }, gpus: 4 }),
      nproc({ env: { PET_NPROC_PER_NODE: 'auto' } }),
      nproc({ env: { WORLD_SIZE: '32', PET_NNODES: '4' } }),
      nproc({ env: { WORLD_SIZE: '4', PET_NNODES: '4' } }),
      nproc({ command: ['accelerate', 'launch', '--num_processes', '16', '--num_machines', '2'] }),
    ]).toEqual([8, 4, undefined, 8, undefined, 8]);
  });
});
