import { describe, expect, it } from 'vitest';
import { readFixture, readText } from './read-file.ts';

describe('kubectl get pods', () => {
  it('of one namespace', () => {
    const { pods, textOf } = readFixture('kubernetes-tables/get-pods-wide.txt');
    expect(
      pods.map(({ name, node, podIp, phase, containers }) => [name, node, podIp, phase, containers[0]?.restartCount]),
    ).toEqual([
      ['borealis-pt-master-0', 'gpu-node-02', '10.42.2.31', 'Running', 1],
      ['borealis-pt-worker-0', 'gpu-node-01', '10.42.1.44', 'Running', 1],
      ['borealis-pt-worker-1', 'gpu-node-03', '10.42.3.18', 'Running', 1],
      ['borealis-pt-worker-2', 'gpu-node-04', '10.42.4.27', 'Running', 1],
    ]);
    expect(pods.map(({ name, source }) => textOf(source).startsWith(name))).toEqual([true, true, true, true]);
  });

  it('of all namespaces, with derived states', () => {
    const { pods } = readFixture('kubernetes-tables/get-pods-wide-all-namespaces.txt');
    const row = (name: string) => pods.find((pod) => pod.name === name);
    expect(row('heron-sft-node-0-1-m4c9d')).toMatchObject({
      namespace: 'ml-train',
      tableStatus: 'Evicted',
      reason: 'Evicted',
      podIp: undefined,
      node: 'gpu-node-04',
    });
    expect(row('kestrel-eval-0')).toMatchObject({
      tableStatus: 'CrashLoopBackOff',
      phase: undefined,
      containers: [{ restartCount: 14, ready: false }],
    });
    expect(row('osprey-dp-worker-0')).toMatchObject({ phase: 'Pending', node: undefined, podIp: undefined });
    expect(row('osprey-dp-worker-1')).toMatchObject({ tableStatus: 'Init:0/1', node: 'gpu-node-01' });
    expect(row('wren-old-worker-5')).toMatchObject({ tableStatus: 'ContainerStatusUnknown', podIp: '10.42.4.9' });
    expect(row('nvidia-dcgm-exporter-9zq4t')).toMatchObject({
      namespace: 'gpu-operator',
      containers: [{ restartCount: 2, ready: true }],
    });
  });

  it('narrow, behind the command that was typed', () => {
    const text = '$ kubectl get pods\nNAME   READY   STATUS   RESTARTS   AGE\na-0    0/1     Error    0          3m\n';
    expect(readText(text)).toMatchObject({ format: 'pods-table', pods: [{ name: 'a-0', tableStatus: 'Error' }] });
  });

  it('whose rows have left their columns', () => {
    const text =
      'NAME   READY   STATUS    RESTARTS   AGE\na-0    0/1     Running   0          3m\na-much-longer-name-0   1/1     Running   0          3m\nbroken-row-here x\n';
    expect(readText(text)).toMatchObject({
      pods: [{ name: 'a-0' }, { name: 'a-much-longer-name-0', phase: 'Running' }],
      issues: ['object-field-invalid: a row that does not fit its header: broken-row-here x'],
    });
  });

  it('followed by tables of other kinds', () => {
    const text =
      'NAME      READY   STATUS    RESTARTS   AGE\npod/a-0   1/1     Running   0          3m\n\nNAME          TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE\nservice/a     ClusterIP   10.0.0.1     <none>        80/TCP    3m\n\n' +
      'NAME   STATUS     ROLES    AGE   VERSION\nn1     NotReady   <none>   3m    v1.32.6\n';
    expect(readText(text)).toMatchObject({
      pods: [{ name: 'a-0' }],
      nodes: [{ name: 'n1', conditions: [{ type: 'Ready', status: 'Unknown', message: 'NotReady' }] }],
      issues: ['table-header-unknown: NAME, TYPE, CLUSTER-IP, EXTERNAL-IP, PORT(S), AGE'],
      summary: '1 × Pod, 1 × Node',
    });
  });
});

describe('kubectl get nodes', () => {
  it('wide', () => {
    const { nodes } = readFixture('kubernetes-tables/get-nodes-wide.txt');
    expect(
      nodes.map(({ name, internalIp, unschedulable, conditions }) => [
        name,
        internalIp,
        unschedulable,
        conditions[0]?.status,
      ]),
    ).toEqual([
      ['gpu-node-01', '10.40.8.11', false, 'True'],
      ['gpu-node-02', '10.40.8.12', false, 'True'],
      ['gpu-node-03', '10.40.8.13', false, 'True'],
      ['gpu-node-04', '10.40.8.14', true, 'True'],
    ]);
  });
});

describe('kubectl get events', () => {
  it('narrow: no event gets a time out of an age', () => {
    const { events } = readFixture('kubernetes-tables/get-events.txt');
    expect(events[2]).toMatchObject({
      type: 'Warning',
      reason: 'BackOff',
      object: { kind: 'Pod', name: 'borealis-pt-worker-2' },
      age: '26m',
      count: 1,
      first: undefined,
      last: undefined,
      created: undefined,
    });
    expect(events[1]?.object).toEqual({ kind: 'PyTorchJob', name: 'borealis-pt', namespace: undefined });
    expect(events[3]?.message).toBe(
      'Container image "registry.orchard.example/train/borealis:2.8.1-cu129" already present on machine',
    );
  });

  it('wide: empty cells stay empty', () => {
    const { events } = readFixture('kubernetes-tables/get-events-wide.txt');
    expect(events.map(({ component, host, count, message }) => [component, host, count, message.slice(0, 22)])).toEqual(
      [
        ['default-scheduler', 'default-scheduler-ctl-01', 1, 'Successfully assigned '],
        ['kubelet', 'gpu-node-04', 2, 'Back-off restarting fa'],
        ['kubelet', 'gpu-node-04', 2, 'Started container pyto'],
      ],
    );
  });

  it('of kubectl events: repeats stand in the age', () => {
    const { events } = readFixture('kubernetes-tables/kubectl-events-all-namespaces.txt');
    expect(events.map(({ object, count, age }) => [object.kind, object.name, object.namespace, count, age])).toEqual([
      ['Pod', 'borealis-pt-master-0', 'ml-train', 1, '44m'],
      ['Node', 'gpu-node-04', 'default', 1, '26m'],
      ['Pod', 'borealis-pt-worker-2', 'ml-train', 2, '26m (x2 over 43m)'],
      ['Pod', 'osprey-dp-worker-0', 'ml-train', 3, '4m (x3 over 9m31s)'],
      ['Node', 'gpu-node-03', 'default', 1, '7m24s'],
    ]);
  });
});
