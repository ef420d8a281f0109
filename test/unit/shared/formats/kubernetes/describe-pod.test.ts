import { describe, expect, it } from 'vitest';
import { parseDescribeTime } from '#shared/formats/kubernetes/describe-times.ts';
import { iso, readFixture, readText } from './read-file.ts';

describe('kubectl describe pod', () => {
  const file = 'kubernetes-describe/describe-pod-borealis-pt-worker-2.txt';
  const { pods, events, textOf } = readFixture(file);
  const [pod] = pods;

  it('gives the same Pod as its object does', () => {
    const [object] = readFixture('kubernetes-objects/pod-worker-2.yaml').pods;
    for (const key of [
      'name',
      'namespace',
      'owner',
      'node',
      'hostIp',
      'podIp',
      'phase',
      'gpus',
      'memoryLimit',
      'command',
      'trainingContainer',
      'startTime',
      'env',
    ] as const) {
      expect([key, pod?.[key]]).toEqual([key, object?.[key]]);
    }
    expect({ ...pod?.labels }).toEqual({ ...object?.labels });
    const withoutSources = (containers: typeof pod) =>
      containers?.containers.map(({ terminated, lastTerminated, ...rest }) => ({
        ...rest,
        ends: [terminated, lastTerminated].map(
          (end) => end && [end.exitCode, end.reason, iso(end.startedAt), iso(end.finishedAt)],
        ),
      }));
    expect(withoutSources(pod)).toEqual(withoutSources(object));
  });

  it('reads times in the zone of the machine that ran kubectl', () => {
    expect(iso(pod?.containers[1]?.lastTerminated?.finishedAt)).toBe('2026-03-14T09:58:07Z');
  });

  it('opens the end of the container where it is written', () => {
    const source = pod?.containers[1]?.lastTerminated?.source;
    expect(source && textOf(source)).toBe('    Last State:     Terminated');
    expect(pod && textOf(pod.source)).toMatch(/^Name: {17}borealis-pt-worker-2$/);
  });

  it('reads the events below it', () => {
    expect(
      events.map(({ reason, component, count, age, object }) => [reason, component, count, age, object.name]),
    ).toEqual([
      ['Scheduled', 'default-scheduler', 1, '44m', 'borealis-pt-worker-2'],
      ['BackOff', 'kubelet', 2, '26m (x2 over 26m)', 'borealis-pt-worker-2'],
      ['Pulled', 'kubelet', 1, '26m', 'borealis-pt-worker-2'],
      ['Started', 'kubelet', 2, '26m (x2 over 43m)', 'borealis-pt-worker-2'],
    ]);
  });

  it('reads several Pods in one file, and leaves out what is no Pod', () => {
    const short = (name: string, status: string) => `Name:             ${name}
Namespace:        a
Service Account:  default
Node:             n1/10.0.0.1
Status:           ${status}
Reason:           Evicted
Message:          The node was low on resource: memory.
IP:               10.1.0.1
Containers:
  main:
    Container ID:  containerd://0af
    Command:
      torchrun
    Args:
      --nproc-per-node=2
      train.py
    State:          Waiting
      Reason:       CrashLoopBackOff
    Ready:          False
    Restart Count:  3
    Environment:
      PET_NODE_RANK:   1 (v1:metadata.annotations['batch.kubernetes.io/job-completion-index'])
      EMPTY:           
      KEY:             <set to the key 'k' in secret 's'>  Optional: false
      TOKENIZERS:      ***HIDDEN***
Conditions:
  Type              Status
  Ready             False 
Events:             <none>
`;
    const text = `${short('p-0', 'Terminating (lasts 5m)')}\n\n${short('p-1', 'Failed')}\nName:         x\nNamespace:    a\nKind:         PyTorchJob\n`;
    const result = readText(text);
    expect(result).toMatchObject({
      format: 'describe-pod',
      summary: '2 × Pod; not used: 1 other descriptions',
      issues: ['object-kind-unknown: a description of something else than a Pod'],
    });
    expect(
      result.pods.map(({ name, phase, tableStatus, reason, message }) => [name, phase, tableStatus, reason, message]),
    ).toEqual([
      ['p-0', undefined, 'Terminating (lasts 5m)', 'Evicted', 'The node was low on resource: memory.'],
      ['p-1', 'Failed', undefined, 'Evicted', 'The node was low on resource: memory.'],
    ]);
    expect(result.pods[1]).toMatchObject({
      command: ['torchrun', '--nproc-per-node=2', 'train.py'],
      containers: [
        { name: 'main', restartCount: 3, ready: false, waiting: { reason: 'CrashLoopBackOff' }, containerId: '0af' },
      ],
      conditions: [{ type: 'Ready', status: 'False' }],
      env: [
        { name: 'PET_NODE_RANK', value: '1', masked: false },
        { name: 'EMPTY', value: '', masked: false },
        { name: 'KEY', value: undefined, masked: true },
        { name: 'TOKENIZERS', value: undefined, masked: true },
      ],
    });
  });
});

describe('times of describe', () => {
  it.each([
    ['Sat, 14 Mar 2026 10:58:07 +0100', '2026-03-14T09:58:07Z'],
    ['Sat, 14 Mar 2026 10:58:07 -0530', '2026-03-14T16:28:07Z'],
    ['Mon, 01 Jan 0001 00:00:00 +0000', undefined],
    ['Sat, 31 Feb 2026 10:58:07 +0100', undefined],
    ['14 Mar 2026', undefined],
  ])('%s', (text, expected) => {
    expect(iso(parseDescribeTime(text))).toBe(expected);
  });
});
