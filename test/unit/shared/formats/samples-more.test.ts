/** The samples that `samples.test.ts` reads only in passing: tables, dumps of a cluster, and what nodes and launchers write beside logs. */
import { describe, expect, it } from 'vitest';
import type { EventBody } from '#shared/model/events.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import { formatEpochNs } from '#shared/model/time.ts';
import { importFiles } from '../../../support/in-memory-import.ts';
import { producerFiles } from '../../../support/producers.ts';

const ALL = producerFiles();
const read = (path: string): IncidentInput => {
  const bytes = ALL.get(path);
  if (bytes === undefined) throw new Error(`no sample ${path}`);
  return importFiles(new Map([[path, bytes]]));
};
const bodies = <K extends EventBody['kind']>(input: IncidentInput, kind: K) =>
  input.events.flatMap(({ body }) => (body.kind === kind ? [body as Extract<EventBody, { kind: K }>] : []));
const podRow = ({ pods }: IncidentInput) =>
  pods.map((pod) => [pod.namespace, pod.name, pod.node, pod.tableStatus, pod.containers[0]?.restartCount]);
const eventRow = ({ kubeEvents }: IncidentInput) =>
  kubeEvents.map((event) => [event.type, event.reason, event.object.kind, event.object.name, event.count, event.age]);
const detail = (input: IncidentInput) => input.entries.map((entry) => entry.detail);

describe('tables of kubectl get', () => {
  it('Pods: node, status and restarts', () => {
    const rows = podRow(read('kubectl-get/get-pods-wide.txt'));
    const row = (name: string, node: string) => [undefined, `borealis-pt-${name}`, node, 'Running', 1];
    expect(rows).toEqual([
      row('master-0', 'gpu-node-02'),
      row('worker-0', 'gpu-node-01'),
      row('worker-1', 'gpu-node-03'),
      row('worker-2', 'gpu-node-04'),
    ]);
  });

  it('Pods of all namespaces: an evicted one without address, one that restarts over and over', () => {
    const rows = podRow(read('kubectl-get/get-pods-wide-all-namespaces.txt'));
    expect(rows).toHaveLength(12);
    expect(rows).toEqual(
      expect.arrayContaining([
        ['ml-train', 'borealis-pt-worker-2', 'gpu-node-04', 'Running', 1],
        ['ml-train', 'heron-sft-node-0-1-m4c9d', 'gpu-node-04', 'Evicted', 0],
        ['ml-train', 'kestrel-eval-0', 'gpu-node-01', 'CrashLoopBackOff', 14],
      ]),
    );
  });

  it.each(['kubectl-get/get-nodes-wide.txt', 'nvidia-gpu-operator_20260314_1026/gpu_nodes.status'])(
    'nodes, and the one that is cordoned: %s',
    (path) => {
      expect(
        read(path).nodes.map((node) => [node.name, node.internalIp, node.unschedulable, node.conditions[0]?.status]),
      ).toEqual([
        ['gpu-node-01', '10.40.8.11', false, 'True'],
        ['gpu-node-02', '10.40.8.12', false, 'True'],
        ['gpu-node-03', '10.40.8.13', false, 'True'],
        ['gpu-node-04', '10.40.8.14', true, 'True'],
      ]);
    },
  );

  it('events: objects, counts and ages, which are no moments', () => {
    const short = read('kubectl-get/get-events.txt');
    expect(eventRow(short)).toHaveLength(6);
    expect(eventRow(short)[5]).toEqual(['Warning', 'FailedScheduling', 'Pod', 'osprey-dp-worker-0', 1, '4m']);
    const wide = read('kubectl-get/get-events-wide.txt');
    expect(wide.kubeEvents.map(({ reason, component, host, count }) => [reason, component, host, count])).toEqual([
      ['Scheduled', 'default-scheduler', 'default-scheduler-ctl-01', 1],
      ['BackOff', 'kubelet', 'gpu-node-04', 2],
      ['Started', 'kubelet', 'gpu-node-04', 2],
    ]);
    const all = read('kubectl-get/kubectl-events-all-namespaces.txt');
    expect(eventRow(all)).toEqual([
      ['Normal', 'Scheduled', 'Pod', 'borealis-pt-master-0', 1, '44m'],
      ['Warning', 'OOMKilling', 'Node', 'gpu-node-04', 1, '26m'],
      ['Normal', 'Started', 'Pod', 'borealis-pt-worker-2', 2, '26m (x2 over 43m)'],
      ['Warning', 'FailedScheduling', 'Pod', 'osprey-dp-worker-0', 3, '4m (x3 over 9m31s)'],
      ['Warning', 'XidCriticalError', 'Node', 'gpu-node-03', 1, '7m24s'],
    ]);
    for (const { kubeEvents } of [short, wide, all])
      expect(kubeEvents.filter(({ first, last }) => first !== undefined || last !== undefined)).toEqual([]);
  });
});

describe('a dump of the cluster, file by file', () => {
  const FOLDER = 'cluster-info-dump/ml-train';

  it('Pods, nodes and events with their moments', () => {
    const [pod] = read(`${FOLDER}/pods.json`).pods;
    expect([pod?.name, pod?.node, pod?.containers.find(({ name }) => name === 'pytorch')?.lastTerminated]).toEqual([
      'borealis-pt-worker-2',
      'gpu-node-04',
      expect.objectContaining({ exitCode: 137, reason: 'OOMKilled' }),
    ]);
    expect(read('cluster-info-dump/nodes.json').nodes.map(({ name }) => name)).toEqual(['gpu-node-03']);
    const moment = (ns: Parameters<typeof formatEpochNs>[0] | undefined) => ns && formatEpochNs(ns, 0).slice(11, 19);
    expect(
      read(`${FOLDER}/events.json`).kubeEvents.map((event) => [
        event.reason,
        event.host,
        moment(event.first),
        moment(event.last),
        event.count,
      ]),
    ).toEqual([
      ['Started', 'gpu-node-04', '09:41:22', '09:58:24', 2],
      ['Started', 'gpu-node-03', '09:41:27', '09:58:29', 2],
      ['Pulled', 'gpu-node-04', '09:58:23', '09:58:23', 1],
    ]);
  });

  it.each(['daemonsets', 'deployments', 'replicasets', 'replication-controllers', 'services'])(
    '%s: the collector asked, and there were none',
    (kind) => {
      const input = read(`${FOLDER}/${kind}.json`);
      expect([detail(input), input.issues, input.workloads]).toEqual([['a list without items'], [], []]);
    },
  );
});

describe('the GPU operator’s own files', () => {
  const FOLDER = 'nvidia-gpu-operator_20260314_1026';

  it('the exporter’s log names its Pod and the GPU that is lost', () => {
    const input = read(`${FOLDER}/gpu_operand_pod_nvidia-dcgm-exporter-9zq4t.log`);
    expect(input.streams.map(({ pod, container }) => [pod, container])).toEqual([
      ['nvidia-dcgm-exporter-9zq4t', 'nvidia-dcgm-exporter'],
    ]);
    expect(bodies(input, 'gpu-state').map(({ what }) => what)).toEqual(['lost']);
  });

  it('the collector’s log holds no complaint', () => {
    const input = read(`${FOLDER}/must-gather.log`);
    expect([detail(input), input.issues]).toEqual([['2 lines of the collector'], []]);
  });
});

describe('what nodes, NCCL and mpirun write beside logs', () => {
  it.each([
    [
      'gpu/nvidia-smi-q-x.xml',
      ['recovery-action', 'memory-error', 'remap'],
      '2 of 8 GPUs, driver 570.158.01, 3 faults',
    ],
    ['gpu/nvidia-smi-query-gpu.csv', ['memory-error', 'lost'], '3 GPUs, 2 faults'],
  ])('%s: faults by GPU', (path, faults, said) => {
    const input = read(path);
    expect([bodies(input, 'gpu-state').map(({ what }) => what), detail(input)]).toEqual([faults, [said]]);
    expect(bodies(input, 'gpu-state').at(-1)).toMatchObject({ pci: '0000:9d:00.0', index: 5 });
  });

  it('the bug report: its host, the Xid of its kernel sections, the state of its GPUs', () => {
    const input = read('gpu/nvidia-bug-report_gpu-node-03.log');
    expect(input.events.map(({ body, host }) => [body.kind, host])).toEqual([
      ['gpu-state', 'gpu-node-03'],
      ['link-event', 'gpu-node-03'],
      ['xid', 'gpu-node-03'],
      ['xid', 'gpu-node-03'],
    ]);
    expect(bodies(input, 'xid').map(({ code, pci }) => [code, pci])).toEqual([
      [79, '0000:9d:00'],
      [79, '0000:9d:00'],
    ]);
  });

  it('dmesg -e: times from the last minute that it wrote, uncertain by it', () => {
    const input = read('gpu/dmesg-e.txt');
    expect(
      input.events.map(({ body, stamp }) => [
        body.kind,
        stamp && formatEpochNs(stamp.ns, 3).slice(5, 23),
        stamp?.resolutionNs,
      ]),
    ).toEqual([
      ['link-event', '03-14T10:02:00.000', 60e9],
      ['link-event', '03-14T10:02:11.250', 60e9],
      ['xid', '03-14T10:17:00.000', 60e9],
      ['xid', '03-14T10:17:00.000', 60e9],
      ['xid', '03-14T10:17:01.500', 60e9],
    ]);
  });

  it('RAS as JSON: counts by rank of the job, also of a smaller communicator, and the dead process', () => {
    const input = read('ras/ncclras.json');
    expect(bodies(input, 'ras-count').map(({ op, ranks, count, behind }) => [op, ranks, count, behind])).toEqual([
      ['AllReduce', [0, 2], 288_686, false],
      ['AllReduce', [1], 288_685, true],
      // Rank 0 of its communicator is rank 1 of the job, and rank 1 is rank 2.
      ['AllGather', [1], 40, true],
      ['AllGather', [2], 41, false],
    ]);
    expect(bodies(input, 'ras-dead')).toMatchObject([{ rank: 3, pid: 8122, host: '10.20.7.12' }]);
  });

  it('RAS as text', () => {
    expect(bodies(read('ras/ncclras.txt'), 'ras-count').map(({ op, behind }) => [op, behind])).toContainEqual([
      'AllGather',
      true,
    ]);
  });

  it('a hostfile: hosts and slots, without placing a rank', () => {
    const input = read('mpi/hostfile');
    expect(input.entries[0]).toMatchObject({
      format: 'mpi-hostfile',
      detail: expect.stringContaining('2 hosts, 16 slots'),
    });
    expect(input.events).toEqual([]);
  });
});
