import { describe, expect, it } from 'vitest';
import type { PodObject } from '#shared/model/kubernetes.ts';
import { fixture, iso, readBytes, readFixture, readText } from './read-file.ts';

const env = (pod: PodObject | undefined, name: string) => pod?.env.find((item) => item.name === name);
const pod = (file: string, name: string): PodObject | undefined =>
  readFixture(`kubernetes-objects/${file}`).pods.find((item) => item.name === name);

describe('which files are claimed', () => {
  it.each([
    ['kubernetes-objects/pod-master-0.yaml', 'objects-yaml', '1 × Pod'],
    ['kubernetes-objects/pytorchjob.yaml', 'objects-yaml', '1 × PyTorchJob'],
    ['kubernetes-objects/events.yaml', 'objects-yaml', '13 × Event'],
    ['kubernetes-objects/leases-kube-node-lease.yaml', 'objects-yaml', '4 × node Lease'],
    ['kubernetes-objects/jobset.yaml', 'objects-yaml', '1 × JobSet'],
    ['kubernetes-objects/pods.json', 'objects-json', '4 × Pod'],
    ['kubernetes-objects/nodes.json', 'objects-json', '4 × Node'],
    ['kubernetes-objects/polyaxon-pod.json', 'objects-json', '1 × Pod'],
    ['kubernetes-objects/troubleshoot-pods-masked.json', 'objects-json', '2 × Pod'],
    ['kubernetes-tables/get-pods-wide.txt', 'pods-table', '4 × Pod'],
    ['kubernetes-tables/get-nodes-wide.txt', 'nodes-table', '4 × Node'],
    ['kubernetes-tables/get-events.txt', 'events-table', '6 × Event'],
    ['kubernetes-describe/describe-pod-borealis-pt-worker-2.txt', 'describe-pod', '1 × Pod'],
  ])('%s', (name, format, summary) => {
    const result = readFixture(name);
    expect([result.format, result.summary, result.issues]).toEqual([format, summary, []]);
  });

  it.each([
    ['a log line in braces', '{"level":"info","msg":"x"}\n'],
    ['a YAML config', 'model:\n  kind: bert\n  apiVersion: 2\n'],
    ['a log', '2026-03-14 10:00:00 INFO apiVersion: v1\n'],
    ['empty', ''],
  ])('not %s', (_name, text) => {
    expect(readText(text).format).toBeUndefined();
  });
});

describe('a Pod object', () => {
  const master = pod('pods.json', 'borealis-pt-master-0');
  const worker = pod('pod-worker-2.yaml', 'borealis-pt-worker-2');

  it('has its identity and place', () => {
    expect(worker).toMatchObject({
      from: 'object',
      namespace: 'ml-train',
      uid: 'e4d1f9b2-27aa-47c8-8d5e-b03c6f9a7d04',
      owner: { kind: 'PyTorchJob', name: 'borealis-pt' },
      node: 'gpu-node-04',
      phase: 'Running',
      podIp: '10.42.4.27',
      hostIp: '10.40.8.14',
      hostNetwork: false,
      gpus: 8,
      memoryLimit: '400Gi',
      trainingContainer: 'pytorch',
      command: ['torchrun', '/workspace/train.py', '--config', '/workspace/conf/pretrain.yaml'],
    });
    expect(iso(worker?.created)).toBe('2026-03-14T09:40:58Z');
    expect(worker?.managedFields.map(({ manager, subresource, at }) => [manager, subresource, iso(at)])).toEqual([
      ['training-operator', undefined, '2026-03-14T09:40:58Z'],
      ['kubelet', 'status', '2026-03-14T09:58:25Z'],
    ]);
  });

  it('keeps the end of the container before', () => {
    const state = worker?.containers.find(({ name }) => name === 'pytorch');
    expect(state).toMatchObject({
      init: false,
      restartCount: 1,
      ready: true,
      terminated: undefined,
      containerId: '02c00101bc50ec2e82100aed6f7cdbb3dc508864b6d8f9b73e224de8fa942894',
    });
    expect(state?.lastTerminated).toMatchObject({
      exitCode: 137,
      reason: 'OOMKilled',
      containerId: '99bb8902b8405d7998f09e469abed195c64cd1ecf5294164bb8284b9722dee41',
    });
    expect([
      iso(state?.lastTerminated?.startedAt),
      iso(state?.lastTerminated?.finishedAt),
      iso(state?.runningSince),
    ]).toEqual(['2026-03-14T09:41:22Z', '2026-03-14T09:58:07Z', '2026-03-14T09:58:24Z']);
    expect(worker?.containers.map(({ name, init }) => [name, init])).toEqual([
      ['init-pytorch', true],
      ['pytorch', false],
    ]);
  });

  it('opens at its own lines', () => {
    const list = readFixture('kubernetes-objects/pods.json');
    expect(list.pods.map(({ source, name }) => list.textOf(source).includes(`"name":"${name}"`))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const yaml = readFixture('kubernetes-objects/pod-worker-2.yaml');
    const end = yaml.pods[0]?.containers.find(({ name }) => name === 'pytorch')?.lastTerminated;
    expect(end?.source && yaml.textOf(end.source)).toBe(
      '        containerID: containerd://99bb8902b8405d7998f09e469abed195c64cd1ecf5294164bb8284b9722dee41',
    );
    expect(yaml.pods[0]?.source).toMatchObject({ kind: 'line', line: 1 });
  });

  it('tells literal, resolved and hidden variables apart', () => {
    expect(env(master, 'RANK')).toEqual({ name: 'RANK', value: '0', masked: false });
    expect(env(master, 'NODE_NAME')).toEqual({ name: 'NODE_NAME', value: 'gpu-node-02', masked: false });
    expect(env(master, 'OBJECT_STORE_SECRET_KEY')).toEqual({
      name: 'OBJECT_STORE_SECRET_KEY',
      value: undefined,
      masked: true,
    });
    const masked = readFixture('kubernetes-objects/troubleshoot-pods-masked.json').pods[0];
    expect(env(masked, 'TOKENIZERS_PARALLELISM')).toEqual({
      name: 'TOKENIZERS_PARALLELISM',
      value: undefined,
      masked: true,
    });
    expect(env(pod('jobset-pods.json', 'heron-sft-node-0-1-m4c9d'), 'PET_NODE_RANK')).toEqual({
      name: 'PET_NODE_RANK',
      value: '1',
      masked: false,
    });
  });

  it('reads eviction, lost status and preemption', () => {
    const evicted = pod('jobset-pods.json', 'heron-sft-node-0-1-m4c9d');
    expect(evicted).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
    expect(evicted?.message).toContain('ephemeral-storage');
    expect(evicted?.conditions.map(({ type, reason, at }) => [type, reason, iso(at)])).toEqual([
      ['DisruptionTarget', 'TerminationByKubelet', '2026-03-14T08:02:20Z'],
    ]);
    expect(evicted?.containers[0]?.terminated).toMatchObject({
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
      startedAt: undefined,
      finishedAt: undefined,
    });
    const preempted = pod('preempted-pod.json', 'siskin-pre-worker-0');
    expect(preempted?.conditions[0]).toMatchObject({ type: 'DisruptionTarget', reason: 'PreemptionByScheduler' });
    expect(preempted?.containers[0]?.terminated).toMatchObject({ exitCode: 143 });
  });

  it('chooses the container that trains', () => {
    const text = `apiVersion: v1
kind: Pod
metadata: {name: x, deletionTimestamp: "2026-03-14T10:00:30Z", deletionGracePeriodSeconds: 30}
spec:
  containers:
  - name: proxy
    env: [{name: A, value: "1"}]
  - name: worker
    command: [sh, -c, "torchrun --nnodes 2 train.py"]
    resources: {limits: {nvidia.com/gpu: 4, memory: 8Gi}}
`;
    const [found] = readText(text).pods;
    expect(found).toMatchObject({ trainingContainer: 'worker', gpus: 4, memoryLimit: '8Gi', env: [] });
    expect([iso(found?.deletion?.at), found?.deletion?.graceSeconds]).toEqual(['2026-03-14T10:00:30Z', 30]);
  });
});

describe('Events', () => {
  const { events } = readFixture('kubernetes-objects/events.yaml');
  it('of the newer form: time of the reporter and of the API server', () => {
    expect(events[0]).toMatchObject({
      reason: 'Scheduled',
      component: 'default-scheduler',
      host: 'default-scheduler-ctl-01',
      count: 1,
      object: { kind: 'Pod', name: 'borealis-pt-master-0', namespace: 'ml-train' },
    });
    expect([iso(events[0]?.first), iso(events[0]?.created)]).toEqual([
      '2026-03-14T09:40:59.104233Z',
      '2026-03-14T09:40:59Z',
    ]);
  });
  it('of the older form', () => {
    const xid = events.find(({ reason }) => reason === 'XidCriticalError');
    expect(xid).toMatchObject({
      component: 'gpu-health-monitor',
      host: 'gpu-node-03',
      type: 'Warning',
      object: { kind: 'Node', name: 'gpu-node-03', namespace: 'default' },
    });
    // The node is ahead: the event happened, by its own clock, four seconds after the API server wrote it down.
    expect([iso(xid?.first), iso(xid?.created)]).toEqual(['2026-03-14T10:17:38Z', '2026-03-14T10:17:34Z']);
  });
  it('of a series', () => {
    const series = events.find(({ reason }) => reason === 'FailedScheduling');
    expect([series?.count, iso(series?.first), iso(series?.last)]).toEqual([
      3,
      '2026-03-14T10:15:31.402817Z',
      '2026-03-14T10:21:02.118204Z',
    ]);
  });
  it('of events.k8s.io', () => {
    const text = JSON.stringify({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'x', namespace: 'a', creationTimestamp: '2026-03-14T10:00:01Z' },
      eventTime: null,
      regarding: { kind: 'Pod', name: 'p', namespace: 'a' },
      note: 'Stopping container main',
      reason: 'Killing',
      reportingController: 'kubelet',
      deprecatedSource: { component: 'kubelet', host: 'n1' },
      deprecatedFirstTimestamp: '2026-03-14T10:00:00Z',
      deprecatedLastTimestamp: '2026-03-14T10:00:00Z',
      deprecatedCount: 2,
      type: 'Normal',
    });
    expect(readText(text).events).toMatchObject([
      {
        reason: 'Killing',
        message: 'Stopping container main',
        component: 'kubelet',
        host: 'n1',
        count: 2,
        object: { kind: 'Pod', name: 'p' },
      },
    ]);
  });
});

describe('Leases and Nodes', () => {
  it('reads both clocks of a lease', () => {
    const { leases } = readFixture('kubernetes-objects/leases-kube-node-lease.yaml');
    expect(leases.map(({ node, renewTime, managedAt }) => [node, iso(renewTime), iso(managedAt)])).toContainEqual([
      'gpu-node-03',
      '2026-03-14T10:24:58.640912Z',
      '2026-03-14T10:24:53Z',
    ]);
  });
  it('leaves out leases of leader election', () => {
    const text =
      'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: kube-scheduler, namespace: kube-system}\nspec: {holderIdentity: ctl-01_x, renewTime: "2026-03-14T10:00:00.000000Z"}\n';
    expect(readText(text)).toMatchObject({ leases: [], issues: ['object-kind-unknown: 1 × Lease'] });
  });
  it('reads what a node says of its GPUs and who cordoned it', () => {
    const { nodes } = readFixture('kubernetes-objects/nodes.json');
    const sick = nodes.find(({ name }) => name === 'gpu-node-03');
    expect(sick).toMatchObject({ internalIp: '10.40.8.13', gpuCapacity: 8, gpuAllocatable: 7, unschedulable: false });
    expect(sick?.conditions.map(({ type, status, heartbeat }) => [type, status, iso(heartbeat)])).toContainEqual([
      'GpuHealthy',
      'False',
      '2026-03-14T10:17:38Z',
    ]);
    expect(iso(sick?.statusManagedAt)).toBe('2026-03-14T10:21:12Z');
    const cordoned = nodes.find(({ name }) => name === 'gpu-node-04');
    expect(cordoned?.unschedulable).toBe(true);
    expect(cordoned?.taints.map(({ key, at }) => [key, iso(at)])).toEqual([
      ['node.kubernetes.io/unschedulable', '2026-03-14T10:02:39Z'],
    ]);
  });
});

describe('workloads', () => {
  it.each([
    [
      'kubernetes-objects/pytorchjob.yaml',
      {
        kind: 'PyTorchJob',
        name: 'borealis-pt',
        nprocPerNode: '8',
        replicas: [
          { role: 'master', count: 1 },
          { role: 'worker', count: 3 },
        ],
      },
    ],
    [
      'kubernetes-objects/jobset.yaml',
      { kind: 'JobSet', name: 'heron-sft', restarts: 2, replicas: [{ role: 'node', count: 2 }] },
    ],
  ])('%s', (name, expected) => {
    expect(readFixture(name).workloads).toMatchObject([expected]);
  });

  it.each([
    ['Job', 'batch/v1', { completions: 4, template: {} }, [{ role: 'pod', count: 4 }]],
    [
      'TrainJob',
      'trainer.kubeflow.org/v1alpha1',
      { trainer: { numNodes: 3, numProcPerNode: 8 } },
      [{ role: 'node', count: 3 }],
    ],
    [
      'MPIJob',
      'kubeflow.org/v2beta1',
      { slotsPerWorker: 8, mpiReplicaSpecs: { Launcher: { replicas: 1 }, Worker: { replicas: 2 } } },
      [
        { role: 'launcher', count: 1 },
        { role: 'worker', count: 2 },
      ],
    ],
    [
      'LeaderWorkerSet',
      'leaderworkerset.x-k8s.io/v1',
      { replicas: 1, leaderWorkerTemplate: { size: 4 } },
      [{ role: 'group 0', count: 4 }],
    ],
    [
      'RayJob',
      'ray.io/v1',
      { rayClusterSpec: { headGroupSpec: {}, workerGroupSpecs: [{ groupName: 'gpu', replicas: 2 }] } },
      [
        { role: 'head', count: 1 },
        { role: 'gpu', count: 2 },
      ],
    ],
    ['StatefulSet', 'apps/v1', { replicas: 3 }, [{ role: 'pod', count: 3 }]],
  ])('%s', (kind, apiVersion, spec, replicas) => {
    expect(readText(JSON.stringify({ apiVersion, kind, metadata: { name: 'x' }, spec })).workloads).toMatchObject([
      { kind, replicas },
    ]);
  });

  it("knows Volcano's Job from the other", () => {
    const text = JSON.stringify({
      apiVersion: 'batch.volcano.sh/v1alpha1',
      kind: 'Job',
      metadata: { name: 'x' },
      spec: {
        tasks: [
          { name: 'master', replicas: 1 },
          { name: 'worker', replicas: 2 },
        ],
      },
      status: { retryCount: 1 },
    });
    expect(readText(text).workloads).toMatchObject([
      {
        kind: 'Volcano Job',
        restarts: 1,
        replicas: [
          { role: 'master', count: 1 },
          { role: 'worker', count: 2 },
        ],
      },
    ]);
  });
});

describe('odd documents', () => {
  it('gives items the kind of their list, or of their shape', () => {
    const item = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c' }] } };
    expect(readText(JSON.stringify({ kind: 'PodList', apiVersion: 'v1', items: [item] })).pods).toHaveLength(1);
    expect(readText(JSON.stringify({ metadata: {}, items: [item] })).pods).toHaveLength(1);
    expect(readText(JSON.stringify([{ ...item, apiVersion: 'v1', kind: 'Pod' }])).pods).toHaveLength(1);
  });

  it('counts kinds it does not use, with an issue for those that it does not even know', () => {
    const text =
      'apiVersion: v1\nkind: List\nitems:\n- kind: Service\n  apiVersion: v1\n- kind: Gizmo\n  apiVersion: v1\n- kind: Service\n  apiVersion: v1\n';
    expect(readText(text)).toMatchObject({
      issues: ['object-kind-unknown: 1 × Gizmo'],
      summary: 'not used: 1 × Gizmo, 2 × Service',
    });
  });

  it('keeps what stands before a break, and says where it broke', () => {
    const text =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: "b}\n';
    expect(readText(text)).toMatchObject({ pods: [{ name: 'a' }], summary: '1 × Pod' });
    expect(readText(text).issues[0]).toMatch(/^yaml-invalid: line \d+, column \d+: /);
  });

  it('does not believe the last line of a cut text', () => {
    const text =
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nstatus:\n  containerStatuses:\n  - name: c\n    state:\n      terminated:\n        exitCode: 1';
    expect(readText(text).pods[0]?.containers[0]?.terminated?.exitCode).toBe(1);
    expect(readText(text, true).pods[0]?.containers[0]?.terminated?.exitCode).toBeUndefined();
  });

  it('tells a stamp that is none', () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a, creationTimestamp: yesterday}\n';
    expect(readText(text)).toMatchObject({
      pods: [{ created: undefined }],
      issues: ['object-field-invalid: metadata.creationTimestamp: yesterday'],
    });
  });

  it('points into a long line by bytes', () => {
    const pods = Array.from({ length: 300 }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `pé-${i}` },
      spec: { containers: [{ name: 'c', image: 'x'.repeat(60) }] },
    }));
    const result = readText(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: pods }));
    expect(result.pods).toHaveLength(300);
    for (const [i, { source }] of result.pods.entries()) {
      expect(source.kind).toBe('byte');
      expect(JSON.parse(result.textOf(source))).toEqual(pods[i]);
    }
  });

  it('keeps a label that is called __proto__ a label', () => {
    const [found] = readText(
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"__proto__":"x"}}}',
    ).pods;
    expect(found && Object.keys(found.labels)).toEqual(['__proto__']);
  });

  it('never throws, wherever a document is cut', () => {
    for (const name of ['pod-worker-2.yaml', 'jobset-pods.json']) {
      const bytes = fixture(`kubernetes-objects/${name}`);
      for (let cut = 150; cut < bytes.length; cut += 61)
        expect(() => readBytes(bytes.subarray(0, cut), true)).not.toThrow();
    }
  });
});
