import { describe, expect, it } from 'vitest';
import { busIdText } from '#shared/analysis/rank-map/evidence.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import {
  announced,
  closing,
  dump,
  exception,
  failed,
  failure,
  file,
  incident,
  jobSetLabels,
  ncclInit,
  pod,
  progress,
  pyTorchLabels,
  ready,
  summary,
  torchrun,
} from './build-incident.ts';

/** "rank@attempt → pod/local/node" */
function drawn(input: IncidentInput): string[] {
  return computeRankMap(input).rankMap.places.map(
    ({ rank, attempt, pod: name, localRank, node }) =>
      `${rank}@${attempt} ${name ?? '-'} ${localRank ?? '-'} ${node ?? '-'}`,
  );
}
const ranksOf = (input: IncidentInput): string[] =>
  computeRankMap(input).events.map(({ rank, event, attempt }) => `${event.body.kind} ${rank ?? '-'}@${attempt}`);

describe('where ranks are placed', () => {
  const pods = [0, 1].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(2, 2) }));

  it('by what they announce, also in a file without a name', () => {
    const input = incident(
      [
        file('a/x.log', [announced(2, 4, 0, 20), announced(3, 4, 1, 21), summary(failure(3, 1, 'job-1', 1, 21))]),
        file('logs/job-0.log', [announced(0, 4, 0, 10)]),
      ],
      { pods },
    );
    expect(drawn(input)).toEqual([
      '0@0 job-0 0 node-of-job-0',
      '1@0 job-0 1 node-of-job-0',
      '2@0 job-1 0 node-of-job-1',
      '3@0 job-1 1 node-of-job-1',
    ]);
    const { rankMap } = computeRankMap(input);
    expect(rankMap).toMatchObject({
      worldSize: 4,
      worldSizeBasis: 'rank r of 4 in 3 lines',
      specWorldSize: 4,
      nprocPerNode: 2,
      nnodes: 2,
      attempts: 1,
    });
    expect(
      rankMap.pods.map(({ pod: name, ranks, expectedRanks, nodeRank, nodeRankBasis }) => [
        name,
        ranks,
        expectedRanks,
        nodeRank,
        nodeRankBasis,
      ]),
    ).toEqual([
      ['job-0', [0], [0, 1], 0, 'pod-label'],
      ['job-1', [2, 3], [2, 3], 1, 'pod-label'],
    ]);
  });

  it('by logs against labels, and the conflict is told', () => {
    const input = incident([file('job-0.log', [announced(2, 4, 0, 20)]), file('job-1.log', [announced(0, 4, 0, 20)])], {
      pods,
    });
    expect(drawn(input)).toEqual([
      '0@0 job-1 0 node-of-job-1',
      '1@0 job-1 1 node-of-job-1',
      '2@0 job-0 0 node-of-job-0',
      '3@0 job-0 1 node-of-job-0',
    ]);
    expect(computeRankMap(input).rankMap.places[0]?.conflicts).toEqual([
      'the logs put rank 0 in job-1 (announced); by its labels that Pod should hold ranks 2–3; the logs were taken',
    ]);
  });

  it('by labels where the logs are silent', () => {
    expect(drawn(incident([file('job-0.log', [ready()])], { pods }))).toEqual([
      '0@0 job-0 0 node-of-job-0',
      '1@0 job-0 1 node-of-job-0',
      '2@0 job-1 0 node-of-job-1',
      '3@0 job-1 1 node-of-job-1',
    ]);
  });

  it('with fewer ranks than the Pods ask for', () => {
    const three = [0, 1, 2].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(3, 2) }));
    const input = incident(
      [
        file('job-0.log', [announced(0, 4, 0, 1), announced(1, 4, 1, 2)]),
        file('job-1.log', [announced(2, 4, 0, 1), announced(3, 4, 1, 2)]),
        file('job-2.log', [exception('DistNetworkError')]),
      ],
      { pods: three },
    );
    const { rankMap } = computeRankMap(input);
    expect([rankMap.worldSize, rankMap.specWorldSize, rankMap.places.length]).toEqual([4, 6, 4]);
    expect(rankMap.pods[2]).toMatchObject({ ranks: [], expectedRanks: [4, 5] });
  });

  it('in nobody’s Pod where two Pods claim one node rank', () => {
    const twins = ['job-a-0', 'job-b-0'].map((name) => pod(name, { labels: jobSetLabels(0), command: torchrun(2, 1) }));
    expect(drawn(incident([], { pods: twins }))).toEqual(['0@0 - - -', '1@0 - - -']);
    expect(computeRankMap(incident([], { pods: twins })).rankMap.pods.map(({ nodeRank }) => nodeRank)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('by the same rank in two Pods: the better sign, and the conflict is told', () => {
    const input = incident(
      [
        file('job-0.log', [announced(0, 4, 0, 1)]),
        file('job-1.log', [announced(2, 4, 0, 1), summary(failure(0, 0, 'job-1', 1, 7))]),
      ],
      { pods },
    );
    const [first] = computeRankMap(input).rankMap.places;
    expect(first).toMatchObject({
      rank: 0,
      pod: 'job-0',
      conflicts: ['rank 0 shows in the logs of job-0 and of job-1; job-0 was taken (announced)'],
    });
  });

  it('by torchrun folders and the first rank of the Pod', () => {
    const path = (name: string, local: number) => `torchrun/${name}/job_x1/attempt_0/${local}/stderr.log`;
    const input = incident(
      [
        file('logs/job-1.log', [summary(failure(3, 1, 'job-1', -9, 21))]),
        file(path('job-1', 0), [exception('KeyError')], { attempt: 0, localRank: 0, pod: 'job_x1' }),
      ],
      { pods: pods.map((item) => ({ ...item, labels: {}, command: [] })) },
    );
    expect(ranksOf(input)).toEqual(['failure-summary -@0', 'exception 2@0']);
    const { rankMap } = computeRankMap(input);
    expect(rankMap.places.find(({ rank }) => rank === 2)).toMatchObject({
      pod: 'job-1',
      localRank: 0,
      basis: ['torchrun-path'],
    });
  });

  it('by NCCL: the communicator of the whole job gives rank, device and process', () => {
    const input = incident(
      [
        file('job-1.log', [
          ncclInit(2, 4, 0, '18000', 'job-1', 57),
          ncclInit(3, 4, 1, '10000009d000', 'job-1', 58),
          ncclInit(0, 2, 1, '9d000', 'job-1', 58),
          {
            body: {
              kind: 'nccl-warning',
              class: 'cuda',
              text: 'x',
              peer: undefined,
              status: undefined,
              device: undefined,
              host: 'job-1',
              pid: 58,
              ranks: [],
            },
            host: 'job-1',
            pid: 58,
          },
        ]),
      ],
      { pods },
    );
    expect(ranksOf(input)).toEqual(['nccl-init 2@0', 'nccl-init 3@0', 'nccl-init 3@0', 'nccl-warning 3@0']);
    const { rankMap } = computeRankMap(input);
    expect(rankMap.places.map(({ rank, gpu }) => [rank, gpu])).toEqual([
      [0, undefined],
      [1, undefined],
      [2, '0 (0000:18:00.0)'],
      [3, '1 (0000:9d:00.0)'],
    ]);
    expect([rankMap.worldSize, rankMap.worldSizeBasis]).toEqual([4, 'the largest NCCL communicator has 4 ranks']);
  });

  it('by dumps alone, without inventing a Pod', () => {
    const members = { key: '0', name: '0', desc: 'default_pg', ranks: [0, 1, 2] };
    const input = incident([], { dumps: [dump(5, 0, [members]), dump(6, 2, [members])] });
    expect(drawn(input)).toEqual(['0@0 - - -', '1@0 - - -', '2@0 - - -']);
    expect(computeRankMap(input).rankMap).toMatchObject({
      worldSize: 3,
      worldSizeBasis: 'the default group in the dumps has 3 members',
      places: [{ basis: ['dump-file'] }, { basis: [] }, { basis: ['dump-file'] }],
    });
  });

  it('nowhere in an empty bundle', () => {
    expect(computeRankMap(incident([]))).toEqual({
      events: [],
      rankMap: {
        worldSize: undefined,
        worldSizeBasis: undefined,
        specWorldSize: undefined,
        nprocPerNode: undefined,
        nnodes: undefined,
        attempts: 1,
        places: [],
        pods: [],
      },
    });
  });

  it('without following a definition that asks for absurdly many', () => {
    const input = incident([], {
      pods: [pod('job-0', { labels: jobSetLabels(0), command: torchrun(999_999, 99_999) })],
    });
    expect(computeRankMap(input).rankMap.places.length).toBeLessThanOrEqual(16_384);
  });
});

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
      [pod('j-0', { env: { MY: '3' }, command: ['sh', '-c', 'exec torchrun --node-rank=${MY} train.py'] })],
      [['j-0', 3, 'pod-node-rank']],
    ],
    [
      'an option with an unknown variable gives nothing',
      [pod('j-9', { command: ['torchrun', '--node_rank', '$NO', 'x'], labels: { a: 'b' }, name: 'single' })],
      [['single', undefined, undefined]],
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

describe('whose line it is', () => {
  const pods = [0, 1].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(2, 2) }));
  const one = [0, 1].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(2, 1) }));

  it.each([
    [
      'an unmarked line of a Pod with two processes is nobody’s',
      pods,
      [announced(0, 4, 0, 5), progress(0), exception('KeyError')],
      'exception -@0',
    ],
    [
      'of a Pod with one process it is that one’s',
      one,
      [announced(0, 2, 0, 5), exception('KeyError')],
      'exception 0@0',
    ],
    ['also if that one never says its rank', one, [exception('KeyError')], 'exception 0@0'],
    [
      'a process id that was announced',
      pods,
      [announced(0, 4, 0, 5), announced(1, 4, 1, 6), { ...exception('KeyError'), pid: 6 }],
      'exception 1@0',
    ],
    [
      'a local rank counts from the first rank of the Pod',
      pods,
      [announced(1, 4, 1, 6), { ...exception('KeyError'), localRank: 0 }],
      'exception 0@0',
    ],
    ['the agent’s own lines are nobody’s', one, [announced(0, 2, 0, 5), failed(0, 5, 1)], 'worker-failed -@0'],
    [
      'nor is its traceback',
      one,
      [
        announced(0, 2, 0, 5),
        {
          body: {
            kind: 'exception',
            type: 'ChildFailedError',
            message: '',
            class: 'wrapper',
            frames: [],
            handled: false,
          },
        },
      ],
      'exception -@0',
    ],
    [
      'nor one that ran through the agent',
      one,
      [
        announced(0, 2, 0, 5),
        {
          body: {
            kind: 'exception',
            type: 'DistNetworkError',
            message: '',
            class: 'distributed',
            frames: [{ file: '/x/torch/distributed/elastic/agent/server/api.py', line: 1, name: 'run' }],
            handled: false,
          },
        },
      ],
      'exception -@0',
    ],
    [
      '[Rank r] of a work object, if no line has a better mark',
      pods,
      [{ ...exception('X'), rank: 3, rankBasis: 'work-prefix' }],
      'exception 3@0',
    ],
    [
      '[Rank r] of a work object is no rank beside [rankN]',
      pods,
      [progress(1), { ...exception('X'), rank: 3, rankBasis: 'work-prefix' }],
      'exception -@0',
    ],
  ] as const)('%s', (_name, jobPods, lines, expected) => {
    expect(ranksOf(incident([file('job-0.log', lines)], { pods: jobPods })).at(-1)).toBe(expected);
  });

  it('a Pod of another job has no ranks of this one', () => {
    const other = pod('other-0', { labels: { 'training.kubeflow.org/job-name': 'other' } });
    const input = incident(
      [
        file('job-0.log', [announced(0, 4, 0, 5), progress(0), progress(0)]),
        file('other-0.log', [announced(0, 1, 0, 5)]),
      ],
      { pods: [...pods, other] },
    );
    const { events, rankMap } = computeRankMap(input);
    expect(events.at(-1)).toMatchObject({ rank: undefined, rankWhy: 'of another job (other-0)', pod: 'other-0' });
    expect(rankMap.pods.map((item) => item.pod)).toEqual(['job-0', 'job-1']);
  });

  it('a file that is named by its rank', () => {
    const input = incident([file('rank-3.log', [exception('KeyError')], { fileRank: 3 })]);
    expect(computeRankMap(input).events[0]).toMatchObject({
      rank: 3,
      rankWhy: 'name of the file',
      clock: 'rank-3.log',
    });
  });

  it('the clock is the node’s, else the Pod’s, else the file’s', () => {
    const input = incident([file('job-0.log', [ready()]), file('job-1.log', [ready()]), file('x.txt', [ready()])], {
      pods: [pods[0] ?? pod('x'), pod('job-1', { node: undefined as unknown as string, labels: jobSetLabels(1) })],
    });
    expect(computeRankMap(input).events.map(({ clock }) => clock)).toEqual(['node-of-job-0', 'job-1', 'x.txt']);
  });
});

describe('attempts', () => {
  const pods = (parts: Parameters<typeof pod>[1] = {}) =>
    [0, 1].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(2, 1), ...parts }));

  it('inside one stream: the same rank with another process begins the next', () => {
    const lines = [
      announced(0, 2, 0, 5),
      progress(0),
      closing(5),
      failed(0, 5, 1),
      undefined,
      exception('E', 0),
      announced(0, 2, 0, 9),
      progress(0),
      failed(0, 9, 1),
      summary(failure(0, 0, 'job-0', 1, 9)),
    ];
    const input = incident([file('job-0.log', lines)], { pods: pods() });
    expect(ranksOf(input)).toEqual([
      'rank-announced 0@0',
      'progress 0@0',
      'closing-signal -@0',
      'worker-failed -@0',
      'exception 0@1',
      'rank-announced 0@1',
      'progress 0@1',
      'worker-failed -@1',
      'failure-summary -@1',
    ]);
    expect(computeRankMap(input).rankMap.attempts).toBe(2);
  });

  it('inside one stream whose first attempt was cut off', () => {
    const input = incident([file('job-0.log', [failed(0, 5, 1), announced(0, 2, 0, 9)])], { pods: pods() });
    expect(ranksOf(input)).toEqual(['worker-failed -@0', 'rank-announced 0@1']);
  });

  it('inside an agent’s log without announcements: one failure line each', () => {
    const input = incident([file('job-0.log', [closing(5), failed(0, 6, 1), closing(7), failed(0, 8, 1)])], {
      pods: pods(),
    });
    expect(ranksOf(input)).toEqual([
      'closing-signal -@0',
      'worker-failed -@0',
      'closing-signal -@1',
      'worker-failed -@1',
    ]);
  });

  it('the agent’s own count wins over the part of the stream that is left', () => {
    const rendezvous = {
      body: { kind: 'rendezvous-result', restartCount: 2, groupRank: 0, globalRanks: [0] },
    } as const;
    expect(ranksOf(incident([file('job-0.log', [rendezvous, announced(0, 2, 0, 9)])], { pods: pods() }))).toEqual([
      'rendezvous-result -@2',
      'rank-announced 0@2',
    ]);
  });

  it('a container that was started again: the previous log is the attempt before', () => {
    const input = incident(
      [
        file('job-0.previous.log', [announced(0, 2, 0, 5)], { previous: true }),
        file('job-0.log', [announced(0, 2, 0, 5)]),
        file('job-1.log', [announced(1, 2, 0, 5)]),
      ],
      { pods: pods({ restarts: 1 }) },
    );
    expect(ranksOf(input)).toEqual(['rank-announced 0@1', 'rank-announced 0@0', 'rank-announced 1@1']);
    expect(computeRankMap(input).rankMap.pods[0]?.containerAttempts).toEqual({ current: 1, previous: undefined });
  });

  it('a previous log without any Pod object', () => {
    const input = incident([
      file('w-0.previous.log', [announced(0, 1, 0, 5)], { previous: true, pod: 'w-0' }),
      file('w-0.log', [announced(0, 1, 0, 5)], { pod: 'w-0' }),
    ]);
    expect(ranksOf(input)).toEqual(['rank-announced 0@1', 'rank-announced 0@0']);
  });

  it('node logs carry the number', () => {
    const stream = (restart: number) => ({
      restart,
      pod: 'job-0',
      podUid: 'uid-job-0',
      namespace: 'ml',
      container: 'main',
    });
    const input = incident(
      [file('p/0.log', [announced(0, 2, 0, 5)], stream(0)), file('p/1.log', [announced(0, 2, 0, 5)], stream(1))],
      { pods: pods({ restarts: 1 }) },
    );
    expect(ranksOf(input)).toEqual(['rank-announced 0@0', 'rank-announced 0@1']);
  });

  it('a Pod that was created again runs with the others’ restarted containers', () => {
    const old = pod('job-1', { labels: jobSetLabels(1), uid: 'old', created: 1n as never, node: 'n-old' });
    const young = pod('job-1', { labels: jobSetLabels(1), uid: 'young', created: 2n as never, node: 'n-new' });
    const first = pod('job-0', { labels: jobSetLabels(0), restarts: 1 });
    const stream = (uid: string) => ({ restart: 0, pod: 'job-1', podUid: uid, namespace: 'ml', container: 'main' });
    const input = incident(
      [
        file('a/old/0.log', [announced(1, 2, 0, 5)], stream('old')),
        file('a/young/0.log', [announced(1, 2, 0, 6)], stream('young')),
        file('job-0.log', [announced(0, 2, 0, 5)]),
      ],
      { pods: [old, young, first] },
    );
    expect(drawn(input).slice(1)).toEqual(['0@1 job-0 0 node-of-job-0', '1@0 job-1 0 n-old', '1@1 job-1 0 n-new']);
  });

  it('a Pod that ended for good stays in its own attempt when the others go on', () => {
    const gone = pod('job-1', { labels: jobSetLabels(1), phase: 'Failed', ended: { exitCode: 1 } });
    const input = incident([file('job-1.log', [announced(1, 2, 0, 5)]), file('job-0.log', [announced(0, 1, 0, 5)])], {
      pods: [pod('job-0', { labels: jobSetLabels(0), restarts: 1 }), gone],
    });
    expect(ranksOf(input)).toEqual(['rank-announced 0@1', 'rank-announced 1@0']);
  });

  it('torchrun folders carry it', () => {
    const path = (attempt: number) =>
      file(`t/job-0/run_1/attempt_${attempt}/0/stderr.log`, [announced(0, 2, 0, 5)], { attempt, localRank: 0 });
    expect(ranksOf(incident([path(0), path(1)], { pods: pods() }))).toEqual([
      'rank-announced 0@0',
      'rank-announced 0@1',
    ]);
  });
});

describe('bus ids', () => {
  it.each([
    ['9d000', '0000:9d:00.0'],
    ['1b0', '0000:00:1b.0'],
    ['100000004d000', '0000:4d:00.0'],
    ['2004d001', '0200:4d:00.1'],
    ['00000000:9D:00.0', '0000:9d:00.0'],
    ['0000:9d:00', '0000:9d:00.0'],
    ['GPU-1', undefined],
  ])('%s', (text, expected) => {
    expect(busIdText(text)).toBe(expected);
  });
});

describe('order of files', () => {
  it('does not matter', () => {
    const files = [
      file('job-0.log', [announced(0, 4, 0, 5), announced(1, 4, 1, 6), exception('E', 1)]),
      file('job-1.log', [announced(3, 4, 1, 6), failed(1, 6, -9)]),
      file('x.log', [announced(3, 4, 0, 7)]),
    ];
    const pods = [0, 1].map((i) => pod(`job-${i}`, { labels: jobSetLabels(i), command: torchrun(2, 2) }));
    const forwards = incident(files, { pods });
    const paths = new Map(forwards.entries.map((entry) => [entry.id, entry.path]));
    const view = (input: IncidentInput, names: ReadonlyMap<number, string>) => {
      const { rankMap, events } = computeRankMap(input);
      return {
        ...rankMap,
        places: rankMap.places.map((place) => ({
          ...place,
          entries: place.entries.map((entry) => names.get(entry)).sort(),
        })),
        events: events.map(({ rank, attempt, pod: name, event }) => [
          rank,
          attempt,
          name,
          names.get(event.source.entry),
          event.body.kind,
        ]),
      };
    };
    const backwards = incident([...files].reverse(), { pods: [...pods].reverse() });
    const shuffled = {
      ...backwards,
      events: [...backwards.events].reverse(),
      streams: [...backwards.streams].reverse(),
    };
    expect(view(shuffled, new Map(backwards.entries.map((entry) => [entry.id, entry.path])))).toEqual(
      view(forwards, paths),
    );
  });
});
