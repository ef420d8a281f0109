/** Every producer's sample, read by the whole pipeline and held to the story that its README tells. */
import { describe, expect, it } from 'vitest';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import { claimsOn } from '#shared/formats/index.ts';
import { withoutSplices } from '#shared/formats/log/spliced-stamps.ts';
import type { EventBody, LogEvent, LogStream } from '#shared/model/events.ts';
import { HEAD_BYTES } from '#shared/model/format.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import type { KubeEvent, PodObject } from '#shared/model/kubernetes.ts';
import { type EpochNs, formatEpochNs } from '#shared/model/time.ts';
import { analyseFiles, importFiles } from '../../../support/in-memory-import.ts';
import { PRODUCERS, producerFiles } from '../../../support/producers.ts';

const NODE_3 = 'gpu-node-03';
const ALL = producerFiles();
/** Read alone, so that equal files of two producers are not one. */
const read = (files: RegExp): IncidentInput =>
  importFiles(new Map([...ALL].filter(([path]) => files.test(path)))) satisfies IncidentInput;

const time = (ns: EpochNs | undefined, digits: 0 | 3 | 9 = 0) => ns && formatEpochNs(ns, digits).slice(11, -1);
const kindsOf = (events: readonly LogEvent[]) => events.map(({ body }) => body.kind);
const bodies = <K extends EventBody['kind']>(input: IncidentInput, kind: K) =>
  input.events.flatMap(({ body }) => (body.kind === kind ? [body as Extract<EventBody, { kind: K }>] : []));
const place = ({ namespace, pod, container, restart, previous }: LogStream) => [
  namespace,
  pod,
  container,
  restart,
  previous,
];
const ends = (pod: PodObject | undefined) =>
  pod?.containers.map(({ name, restartCount, terminated, lastTerminated }) => [
    name,
    restartCount,
    terminated?.exitCode,
    terminated?.reason,
    lastTerminated?.exitCode,
    lastTerminated?.reason,
    time(lastTerminated?.finishedAt),
  ]);
const podOf = (input: IncidentInput, name: string) => input.pods.find((pod) => pod.name === name);
const eventRow = ({ reason, object, first, last, count, host }: KubeEvent) => [
  reason,
  object.name,
  time(first),
  time(last),
  count,
  host,
];

describe('the samples as a whole', () => {
  const input = read(/./);
  const unread = (format: string | null) => format === null || format.startsWith('unknown-');

  it('belong to one producer each', () => {
    for (const path of ALL.keys())
      expect([path, PRODUCERS.filter(({ files }) => files.test(path)).length]).toEqual([path, 1]);
  });

  it('hold nothing unknown but an empty file', () => {
    const unknown = input.entries.filter(({ format }) => unread(format));
    expect(unknown.map(({ path, status }) => [path, status])).toEqual([
      ['torchrun-log-dir/none_a9x7q2/attempt_0/4/stderr.log', 'empty'],
    ]);
  });

  it('end well, but for what collectors wrote in place of logs and the archive that is not opened here', () => {
    const odd = input.entries.filter(({ status }) => status !== 'read' && status !== 'duplicate' && status !== 'empty');
    expect(odd.map(({ path, status }) => [path.split('/').at(-1), status])).toEqual([
      ['all-pods.prefix.timestamps.log', 'warned'],
      ['collector-errors.log', 'skipped'],
      ['support-bundle-2026-03-14T10_25_02.tar.gz', 'skipped'],
      ['pytorch-logs-errors.log', 'skipped'],
    ]);
  });

  it('are claimed by one format with a clear lead', () => {
    for (const [path, bytes] of ALL) {
      const head = bytes.subarray(0, HEAD_BYTES);
      const text = new TextDecoder().decode(head);
      const [first, second] = claimsOn({ bytes: head, text, path, whole: bytes.length <= HEAD_BYTES });
      if (first === undefined || second === undefined) continue;
      expect([path, second.format.id, first.score - second.score > 0.1]).toEqual([path, second.format.id, true]);
    }
  });

  it('are read the same under names that say nothing', () => {
    const files = new Map([...ALL].filter(([path]) => !/\.tar\.gz$|-errors\.json$|stderr\.log$/.test(path)));
    const renamed = importFiles(
      new Map([...files.values()].map((bytes, i) => [`f${String(i).padStart(3, '0')}`, bytes])),
    );
    const known = importFiles(files);
    const formats = (from: IncidentInput) => from.entries.map(({ format, kind }) => [format, kind]).sort();
    expect(formats(renamed)).toEqual(formats(known));
    const told = (from: IncidentInput) =>
      from.events.map(({ body }) => JSON.stringify(body, (_k, v) => (typeof v === 'bigint' ? `${v}` : v))).sort();
    expect(told(renamed)).toEqual(told(known));
  });
});

describe('Kubernetes objects', () => {
  it('of the job: how and when the containers ended', () => {
    const input = read(/^pytorchjob\/pods\.json/);
    expect(
      input.pods.map((pod) => [
        pod.name,
        pod.node,
        pod.gpus,
        ...(ends(pod)
          ?.find(([name]) => name === 'pytorch')
          ?.slice(1) ?? []),
      ]),
    ).toEqual([
      ['borealis-pt-master-0', 'gpu-node-02', 8, 1, undefined, undefined, 1, 'Error', '09:58:13'],
      ['borealis-pt-worker-0', 'gpu-node-01', 8, 1, undefined, undefined, 1, 'Error', '09:58:13'],
      ['borealis-pt-worker-1', 'gpu-node-03', 8, 1, undefined, undefined, 1, 'Error', '09:58:18'],
      ['borealis-pt-worker-2', 'gpu-node-04', 8, 1, undefined, undefined, 137, 'OOMKilled', '09:58:07'],
    ]);
    expect(podOf(input, 'borealis-pt-worker-2')).toMatchObject({ memoryLimit: '400Gi', phase: 'Running' });
  });

  it('of the support bundle: a masked value is not an unset one', () => {
    const input = read(/^troubleshoot\/.*\/pods\/ml-train\.json$/);
    const env = input.pods[0]?.env ?? [];
    expect(env.find(({ name }) => name === 'TOKENIZERS_PARALLELISM')).toMatchObject({ value: undefined, masked: true });
    expect(env.find(({ name }) => name === 'RANK')).toMatchObject({ masked: false });
  });

  it('of the JobSet: restarts, an eviction, a container that the kubelet lost', () => {
    const input = read(/^jobset\//);
    expect(input.workloads).toMatchObject([
      { kind: 'JobSet', name: 'heron-sft', replicas: [{ role: 'node', count: 2 }] },
    ]);
    expect(input.pods.map(({ name, reason }) => [name, reason])).toEqual([
      ['heron-sft-node-0-0-x7k2p', undefined],
      ['heron-sft-node-0-1-m4c9d', 'Evicted'],
    ]);
    expect(input.pods[1]?.containers[0]?.terminated).toMatchObject({ exitCode: 137, reason: 'ContainerStatusUnknown' });
  });

  it('of a preempted Pod: told to stop, by the scheduler', () => {
    const [pod] = read(/preempted/).pods;
    expect(pod?.conditions).toMatchObject([{ type: 'DisruptionTarget', reason: 'PreemptionByScheduler' }]);
    expect(pod?.containers[0]?.terminated).toMatchObject({ exitCode: 143 });
  });

  it('leases, with the moment of the kubelet and that of the API server', () => {
    const leases = read(/leases-kube-node-lease\.yaml/).leases;
    const ahead = leases.map(({ node, renewTime, managedAt }) => [
      node,
      renewTime === undefined || managedAt === undefined
        ? undefined
        : Number((renewTime - managedAt) / 100_000_000n) / 10,
    ]);
    for (const [node, seconds] of ahead) {
      expect(seconds).toBeGreaterThanOrEqual(node === 'gpu-node-03' ? 4.5 : 0);
      expect(seconds).toBeLessThan(node === 'gpu-node-03' ? 6 : 1.2);
    }
    expect(ahead.map(([node]) => node)).toEqual(['gpu-node-01', 'gpu-node-02', 'gpu-node-03', 'gpu-node-04']);
  });

  it('nodes: the cordoned one', () => {
    const { nodes } = read(/kubectl-get\/nodes\.json/);
    expect(nodes.map(({ name, unschedulable, gpuCapacity }) => [name, unschedulable, gpuCapacity])).toEqual([
      ['gpu-node-01', false, 8],
      ['gpu-node-02', false, 8],
      ['gpu-node-03', false, 8],
      ['gpu-node-04', true, 8],
    ]);
  });

  it('events, with the host that stamped them', () => {
    const { kubeEvents } = read(/^cluster-info-dump-stdout/);
    expect(kubeEvents.map(eventRow)).toEqual([
      ['Started', 'borealis-pt-worker-2', '09:41:22', '09:58:24', 2, 'gpu-node-04'],
    ]);
    expect(read(/kubectl-get\/events\.yaml/).kubeEvents).toHaveLength(13);
  });

  it('descriptions, whose times are of the client’s zone', () => {
    const [pod] = read(/^kubectl-describe/).pods;
    expect(ends(pod)?.at(-1)).toEqual(['pytorch', 1, undefined, undefined, 137, 'OOMKilled', '09:58:07']);
  });
});

describe('logs', () => {
  it('with stamps: both ranks of the master by NCCL, each state of the bars, a checkpoint', () => {
    const input = read(/borealis-pt-master-0\.timestamps/);
    const others = input.events.filter(({ body }) => body.kind !== 'progress');
    expect(others.map(({ body, stamp }) => [body.kind, time(stamp?.ns, 3)])).toEqual([
      ['software', '09:58:41.090'],
      ['nccl-init', '09:58:46.771'],
      ['nccl-init', '09:58:46.772'],
      ['operation-end', '10:08:22.700'],
    ]);
    expect(bodies(input, 'nccl-init').map(({ rank, cudaDev, busId }) => [rank, cudaDev, busId])).toEqual([
      [0, 0, '18000'],
      [5, 5, '9d000'],
    ]);
    const steps = bodies(input, 'progress').map(({ step }) => step);
    expect(steps).toHaveLength(25);
    expect([steps[0], steps[11], steps[12], steps[23], steps[24]]).toEqual([410, 1001, 1040, 1958, 1959]);
  });

  it('of the attempt before: the exit codes that torchrun tells, and the exception of rank 9', () => {
    const input = read(/worker-0\.previous/);
    expect(bodies(input, 'failure-summary')[0]?.failures.map((f) => [f.rank, f.localRank, f.exitCode, f.root])).toEqual(
      [
        [12, 4, -6, false],
        [9, 1, 1, true],
      ],
    );
    expect(input.events[0]).toMatchObject({ rank: 9, localRank: 1, body: { kind: 'exception', class: 'distributed' } });
    expect(input.streams).toMatchObject([{ pod: 'borealis-pt-worker-0', previous: true, lines: 25 }]);
  });

  it('of the Pod that ran out of memory: its data worker was killed', () => {
    const input = read(/worker-2\.previous/);
    expect(bodies(input, 'data-loader-killed').map(({ pid, signal }) => [pid, signal])).toEqual([
      [undefined, 'Bus error'],
      [88_213, 'Killed'],
    ]);
  });

  it('with prefixes: three Pods and a note of the collector', () => {
    const input = read(/all-pods\.prefix/);
    expect(
      input.streams.filter(({ container }) => container !== undefined).map(({ pod, lines }) => [pod, lines]),
    ).toEqual([
      ['borealis-pt-master-0', 2],
      ['borealis-pt-worker-1', 2],
      ['borealis-pt-worker-2', 1],
    ]);
    expect(kindsOf(input.events).filter((kind) => kind === 'collector-note')).toHaveLength(1);
  });

  it('with a stamp inside a long line', () => {
    const lines = new TextDecoder().decode(ALL.get('kubectl-logs/long-line-mid-timestamps.log')).split('\n');
    const joined = withoutSplices(lines[1] ?? '');
    expect([lines[1]?.match(/2026-03-14T/g)?.length, joined.match(/2026-03-14T/g)?.length]).toEqual([2, 1]);
    expect(joined.length).toBe((lines[1]?.length ?? 0) - '2026-03-14T10:01:03.100000000Z '.length);
  });

  it('of a node: container number, Pod uid, rotated part; other zones are the same moments', () => {
    const input = read(/^cri\//);
    expect(
      input.streams.map((stream) => [...place(stream).slice(0, 4), stream.lines, time(stream.first?.stamp.ns, 3)]),
    ).toEqual([
      [undefined, undefined, undefined, undefined, 2, '10:17:40.301'],
      ['ml-train', 'borealis-pt-worker-0', 'pytorch', 0, 1, '09:58:01.250'],
      ['ml-train', 'borealis-pt-worker-0', 'pytorch', 0, 1, '09:41:22.500'],
      ['ml-train', 'borealis-pt-worker-0', 'pytorch', 1, 11, '09:58:24.600'],
    ]);
    expect(input.streams.at(-1)).toMatchObject({ podUid: '5b9e0c47-90d1-4b6a-a1d3-2e4f7c8b1a02' });
    expect(time(input.streams.at(-1)?.last?.stamp.ns, 3)).toBe('10:18:00.500');
  });

  it('of Docker: steps of a plain record and of a bar that rewrites itself', () => {
    const input = read(/^docker-json/);
    expect(bodies(input, 'progress').map(({ step }) => step)).toEqual([1, 2]);
    expect(input.streams).toMatchObject([{ lines: 6 }]);
  });

  it.each([
    ['kail.log', ['ml-train', 'borealis-pt-worker-1', 'pytorch', undefined, false], undefined],
    ['kubetail.log', [undefined, 'borealis-pt-worker-1', undefined, undefined, false], undefined],
    ['stern-default.log', [undefined, 'borealis-pt-worker-1', 'pytorch', undefined, false], '10:17:37.951004118'],
    ['stern-json.log', ['ml-train', 'borealis-pt-worker-1', 'pytorch', undefined, false], undefined],
  ])('of tails: %s', (name, expected, at) => {
    const input = read(new RegExp(`^tails/${name}$`));
    expect(input.streams[0] && place(input.streams[0])).toEqual(expected);
    const [warning] = input.events.filter(({ body }) => body.kind === 'nccl-warning');
    expect([warning?.pod, time(warning?.stamp?.ns, 9)]).toEqual(['borealis-pt-worker-1', at]);
  });

  it('of Slurm: labels are ranks; tasks that ended, and why', () => {
    const input = read(/^slurm\//);
    expect(input.events.map(({ body, rank, host }) => [body.kind, rank, host])).toEqual([
      ['progress', 0, undefined],
      ['progress', 31, undefined],
      ['oom-kill', undefined, undefined],
      ['oom-kill', undefined, 'gpu-node-04'],
      ['task-exit', undefined, 'gpu-node-01'],
      ['task-exit', undefined, 'gpu-node-03'],
      ['scheduler-cancelled', undefined, undefined],
    ]);
    expect(bodies(input, 'task-exit').map(({ tasks, exitCode, how }) => [tasks.join(), exitCode, how])).toEqual([
      ['8,9,10,11,12,13,14,15', 1, undefined],
      ['21', undefined, 'Aborted'],
    ]);
  });

  it('of torchrun’s folder: attempt and local rank by the path, the moment by the error file', () => {
    const input = read(/^torchrun-log-dir/);
    expect(input.streams.map(({ attempt, localRank, pod }) => [attempt, localRank, pod])).toEqual([
      [0, 1, undefined],
      [0, 1, undefined],
      [0, 1, undefined],
      [0, 4, undefined],
      [1, 1, undefined],
    ]);
    const [error] = input.events.filter(({ body }) => body.kind === 'exception');
    expect([error?.localRank, time(error?.stamp?.ns)]).toEqual([1, '09:58:09']);
  });
});

describe('exports of log services', () => {
  it.each([
    ['loki-explore.json', 'borealis-pt-worker-1', NODE_3, '10:17:37.951004118'],
    ['loki-logcli.jsonl', 'borealis-pt-worker-1', undefined, '10:17:37.951004118'],
    ['loki-inspector.csv', 'borealis-pt-worker-1', undefined, '10:17:37.951004118'],
    ['cloudwatch-filter-log-events.json', 'borealis-pt-worker-1', undefined, '10:17:37.951000000'],
    ['cloudwatch-s3/exportedlogs', 'borealis-pt-worker-1', undefined, '10:17:37.951000000'],
    ['gcp-logging.json', 'borealis-pt-worker-1', NODE_3, '10:17:37.951004118'],
    ['datadog.csv', undefined, NODE_3, '10:17:37.951000000'],
  ])('%s tells the warning of the Pod at its moment', (name, pod, host, at) => {
    const { events } = read(new RegExp(`^exports/${name.replaceAll('.', '\\.')}`));
    expect(events.map((event) => [event.body.kind, event.pod, event.host, time(event.stamp?.ns, 9)])).toEqual([
      ['nccl-warning', pod, host, at],
    ]);
  });
});

describe('layouts of collectors', () => {
  it('cluster-info dump: a container’s share by its frames, in a folder and in one stream', () => {
    const frames = (files: RegExp) => read(files).streams.map((stream) => [...place(stream).slice(0, 3), stream.lines]);
    expect(frames(/^cluster-info-dump\/.*logs\.txt/)).toEqual([
      ['ml-train', 'borealis-pt-worker-2', 'init-pytorch', 1],
      ['ml-train', 'borealis-pt-worker-2', 'pytorch', 1],
    ]);
    expect(frames(/^cluster-info-dump-stdout/)).toEqual([['ml-train', 'borealis-pt-worker-2', 'pytorch', 1]]);
  });

  it('must-gather: current, previous and rotated logs of a container; its Node and Pod', () => {
    const input = read(/^must-gather/);
    expect(input.streams.map((stream) => [...place(stream), time(stream.last?.stamp.ns)])).toEqual([
      ['ml-train', 'borealis-pt-worker-1', 'pytorch', undefined, false, '10:17:37'],
      ['ml-train', 'borealis-pt-worker-1', 'pytorch', undefined, true, '09:58:18'],
      ['ml-train', 'borealis-pt-worker-1', 'pytorch', 0, false, '09:41:27'],
    ]);
    expect([...new Set(input.pods.map(({ name }) => name))]).toEqual(['borealis-pt-worker-1']);
    expect(input.nodes.map(({ name }) => name)).toEqual([NODE_3]);
    expect(input.entries.find(({ path }) => path.endsWith('/timestamp'))?.detail).toBe(
      'collected 2026-03-14 10:25:04 +0000 to 2026-03-14 10:27:51 +0000',
    );
  });

  it('support bundle: logs by Pod and container, what was refused, the version of the cluster', () => {
    const input = read(/^troubleshoot\/support-bundle[^/]*\//);
    expect(input.streams.filter(({ pod }) => pod !== undefined).map(place)).toEqual([
      ['ml-train', 'borealis-pt-worker-2', 'pytorch', undefined, true],
      ['ml-train', 'borealis-pt-worker-2', 'pytorch', undefined, false],
      ['ml-train', 'osprey-dp-worker-1', 'pytorch', undefined, false],
    ]);
    expect(
      input.issues
        .filter(({ severity }) => severity !== 'info')
        .map(({ code, path }) => [code, path?.split('/').at(-1)]),
    ).toEqual([['collector-message', 'pytorch-logs-errors.log']]);
    const details = new Map(input.entries.map(({ path, detail }) => [path.split('/').at(-1), detail]));
    expect(details.get('cluster_version.json')).toBe('Kubernetes v1.32.6');
    expect(details.get('time.json')).toBe('zone UTC, clock not said to be synchronised');
    expect(input.workloads).toMatchObject([{ kind: 'PyTorchJob', nprocPerNode: '8' }]);
  });

  it('GPU operator: the lost GPU of the node that the heading names', () => {
    const [event] = read(/^nvidia-gpu-operator.*gpu_device_usage/).events;
    expect(event).toMatchObject({
      host: NODE_3,
      body: { kind: 'gpu-state', what: 'lost', pci: '0000:9d:00.0', index: 5 },
    });
  });
});

describe('evidence of nodes', () => {
  it.each([
    ['dmesg-T', '10:17:37'],
    ['dmesg', undefined],
    ['journalctl-k-short-iso-precise', '10:17:37'],
    ['syslog-no-year', '10:17:37'],
  ])('Xid 79 of %s', (name, at) => {
    const input = read(new RegExp(`^node/gpu-node-03/${name}\\.txt$`));
    const [first] = input.events.filter(({ body }) => body.kind === 'xid');
    expect(first).toMatchObject({ host: NODE_3, body: { code: 79, pci: '0000:9d:00', pid: 41_877 } });
    expect(first?.stamp?.kind === 'boot' ? undefined : time(first?.stamp?.ns)).toBe(at);
  });

  it('all of a GPU’s fall: link flap before, PCIe error, recovery action, NVSwitch', () => {
    const input = read(/^node\/gpu-node-03\/dmesg-T/);
    expect(bodies(input, 'xid').map(({ code }) => code)).toEqual([79, 79, 154, 45, 20_034]);
    expect(bodies(input, 'link-event').map(({ device, up }) => [device, up])).toEqual([
      ['ens2f0np0', false],
      ['ens2f0np0', true],
    ]);
    expect(bodies(input, 'kernel-note').map(({ what }) => what)).toEqual(['pcie']);
  });

  it('a cable error, a crash in NCCL, a soft lockup', () => {
    expect(bodies(read(/^node\/gpu-node-01\/dmesg/), 'kernel-note').map(({ what, pid }) => [what, pid])).toEqual([
      ['nic', undefined],
      ['segfault', 71_220],
      ['soft-lockup', 71_301],
    ]);
  });

  it('a memory kill down to Pod and container', () => {
    const kills = bodies(read(/^node\/gpu-node-04\/dmesg-T/), 'oom-kill');
    expect(kills.map(({ pid, process, scope }) => [pid, process, scope])).toEqual([
      [88_213, 'pt_data_worker', 'container'],
      [88_101, 'pt_main_thread', 'container'],
    ]);
    expect(kills[0]).toMatchObject({
      podUid: 'e4d1f9b2-27aa-47c8-8d5e-b03c6f9a7d04',
      containerId: '99bb8902b8405d7998f09e469abed195c64cd1ecf5294164bb8284b9722dee41',
    });
  });

  it.each([
    ['gpu-node-01/chronyc-tracking', true, -1.1, 1.1],
    ['gpu-node-02/ntpq-p', true, -1.5, 1.5],
    ['gpu-node-03/chronyc-sources', true, 4_700, 4_704],
    ['gpu-node-03/chronyc-tracking', true, 4_700, 4_733],
  ])('the offset of the clock, with its sign: %s', (name, synchronised, low, high) => {
    const reports = read(new RegExp(`^node/${name}\\.txt$`)).timeReports ?? [];
    expect(reports.map((report) => report.synchronised)).toEqual([synchronised]);
    expect(reports[0]?.offset?.lowMs).toBeGreaterThanOrEqual(low);
    expect(reports[0]?.offset?.highMs).toBeLessThanOrEqual(high);
  });

  it('no offset, which is not zero, of clocks that are not synchronised', () => {
    const reports = read(/^node\/.*(?:timedatectl|unsynchronised)/).timeReports ?? [];
    const unknown = [false, undefined];
    expect(reports.map(({ synchronised, offset }) => [synchronised, offset])).toEqual([unknown, unknown]);
  });

  it.each([
    ['nvidia-smi-L', ['missing', 'lost'], '7 GPUs, 2 faults'],
    ['nvidia-smi-q-excerpt', ['lost'], '1 of 8 GPUs, driver 570.158.01, 1 fault'],
  ])('%s', (name, expected, detail) => {
    const input = read(new RegExp(`^node/gpu-node-03/${name}\\.txt$`));
    expect(bodies(input, 'gpu-state').map(({ what }) => what)).toEqual(expected);
    expect(input.entries[0]?.detail).toBe(detail);
  });
});

describe('the story, from all of its files', () => {
  const { rankMap, events } = computeRankMap(
    read(/^(?:pytorchjob|node|kubectl-logs|cri|kubectl-get\/(?:nodes|leases|events\.yaml))/),
  );
  const placeOf = (rank: number, attempt: number) =>
    rankMap.places.find((item) => item.rank === rank && item.attempt === attempt);

  it('has 32 ranks in two attempts', () => {
    expect([rankMap.worldSize, rankMap.nprocPerNode, rankMap.attempts]).toEqual([32, 8, 2]);
  });

  it('joins Xid 79 on gpu-node-03 to local rank 5, rank 21, in the attempt that was running', () => {
    expect(placeOf(21, 1)).toMatchObject({
      localRank: 5,
      pod: 'borealis-pt-worker-1',
      node: NODE_3,
      gpu: '5 (0000:9d:00.0)',
    });
    const faults = events.filter(({ event }) => event.body.kind === 'xid' && event.stamp?.kind !== 'boot');
    expect(new Set(faults.map(({ node, attempt }) => `${node} ${attempt}`))).toEqual(new Set([`${NODE_3} 1`]));
  });

  it('joins it also without nvidia-smi, by the order of GPUs on the master’s node', () => {
    const without = computeRankMap(
      read(/^(?:pytorchjob|kubectl-logs|node\/gpu-node-03\/dmesg-T|kubectl-get\/nodes)/),
    ).rankMap;
    expect(without.places.find(({ rank, attempt }) => rank === 21 && attempt === 1)).toMatchObject({
      gpu: '5 (0000:9d:00.0)',
      gpuBasis: 'other-nodes',
    });
  });

  it('says what the join to a rank rests on, unless its own node tells which GPU it is', () => {
    const found = (files: string) => {
      const all = new Map([...ALL].filter(([path]) => new RegExp(`^(?:${files})`).test(path)));
      return analyseFiles(all).result.findings.find((item) => item.rule === 'gpu-xid' && item.firstRanks.length === 1);
    };
    const doubt = 'another order of GPUs on gpu-node-03 than on the other nodes';
    const base = 'pytorchjob|kubectl-logs|node/gpu-node-03/dmesg-T|kubectl-get/nodes';
    expect(found(base)).toMatchObject({ outcome: 'named', status: 'supported', firstRanks: [21] });
    expect(found(base)?.wouldChange).toContain(doubt);
    const told = found(`${base}|node/gpu-node-03/nvidia-smi`);
    expect(told).toMatchObject({ outcome: 'named', firstRanks: [21] });
    expect(told?.wouldChange).not.toContain(doubt);
  });

  it('joins the memory kill to worker-2 in the attempt before', () => {
    const kills = events.filter(({ event }) => event.body.kind === 'oom-kill');
    expect(kills.map(({ pod, node, attempt }) => [pod, node, attempt])).toEqual([
      ['borealis-pt-worker-2', 'gpu-node-04', 0],
      ['borealis-pt-worker-2', 'gpu-node-04', 0],
    ]);
  });
});
