/** From a PCI address on a node to the rank that ran on it. */
import { describe, expect, it } from 'vitest';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { EventBody } from '#shared/model/events.ts';
import { entryId } from '#shared/model/ids.ts';
import type { NodeObject } from '#shared/model/kubernetes.ts';
import { file, incident, jobSetLabels, type Line, ncclInit, pod, second, torchrun } from './build-incident.ts';

const NPROC = 8;
const parts = (i: number) => ({
  node: `node-${i}`,
  gpus: NPROC,
  command: torchrun(2, NPROC),
  labels: jobSetLabels(i),
});
const pods = [0, 1].map((i) => pod(`job-${i}`, parts(i)));
const gpuState = (index: number | undefined, pci: string | undefined): Line => ({
  body: { kind: 'gpu-state', what: 'lost', pci, index, text: 'GPU is lost' },
});
const smi = (...lines: readonly Line[]) => file('nodes/node-1/nvidia-smi.txt', lines, { host: 'node-1' });
const gpuOf = (rank: number, files: Parameters<typeof incident>[0], extra: Parameters<typeof incident>[1]) => {
  const { rankMap } = computeRankMap(incident(files, { pods, ...extra }));
  const place = rankMap.places.find((item) => item.rank === rank);
  return [place?.pod, place?.localRank, place?.gpu, place?.gpuBasis];
};
const init = (rank: number, device: number, bus: string, host: string) => ncclInit(rank, 16, device, bus, host, 57);
const node = (name: string, gpuCapacity: number): NodeObject => ({
  source: { kind: 'entry', entry: entryId(901) },
  name,
  internalIp: undefined,
  unschedulable: false,
  taints: [],
  conditions: [],
  gpuCapacity,
  gpuAllocatable: gpuCapacity,
  statusManagedAt: undefined,
});

describe('the GPU of a rank whose own lines do not name it', () => {
  it('is that of its local rank in the list of nvidia-smi on its node', () => {
    expect(gpuOf(13, [smi(gpuState(5, '0000:9d:00.0'))], {})).toEqual(['job-1', 5, '5 (0000:9d:00.0)', 'node-list']);
  });

  it('is that of the same device on other nodes, if nothing on its own node tells', () => {
    const log = file('job-0.log', [init(5, 5, '9d000', 'job-0')], { pod: 'job-0' });
    expect(gpuOf(13, [log], {})).toEqual(['job-1', 5, '5 (0000:9d:00.0)', 'other-nodes']);
    expect(gpuOf(5, [log], {})).toEqual(['job-0', 5, '5 (0000:9d:00.0)', undefined]);
  });

  it.each([
    [
      'a rank on another device than its local rank',
      [file('job-0.log', [init(5, 6, '9d000', 'job-0')], { pod: 'job-0' }), smi(gpuState(5, '0000:9d:00.0'))],
      {},
      13,
    ],
    ['a Pod with a part of the node’s GPUs', [smi(gpuState(5, '0000:9d:00.0'))], { nodes: [node('node-1', 16)] }, 13],
    [
      'CUDA_VISIBLE_DEVICES',
      [smi(gpuState(5, '0000:9d:00.0'))],
      {
        pods: pods.map((item) => ({
          ...item,
          env: [...item.env, { name: 'CUDA_VISIBLE_DEVICES', value: '7,6,5,4,3,2,1,0', masked: false }],
        })),
      },
      13,
    ],
  ])('is unknown with %s', (_, files, extra, rank) => {
    expect(gpuOf(rank, files, extra)[2]).toBeUndefined();
  });

  it('is unknown where other nodes have the device at different addresses', () => {
    const three = [0, 1, 2].map((i) => pod(`job-${i}`, { ...parts(i), command: torchrun(3, NPROC) }));
    const log = (i: number, bus: string) =>
      file(`job-${i}.log`, [ncclInit(i * NPROC + 5, 24, 5, bus, `job-${i}`, 57)], { pod: `job-${i}` });
    expect(gpuOf(21, [log(0, '9d000'), log(1, '9d000')], { pods: three })[2]).toBe('5 (0000:9d:00.0)');
    expect(gpuOf(21, [log(0, '9d000'), log(1, 'ab000')], { pods: three })[2]).toBeUndefined();
  });
});

describe('the attempt of what a node tells', () => {
  const xid = (k: number): Line => ({
    body: { kind: 'xid', pci: '0000:9d:00', code: 79, pid: undefined, text: '' } satisfies EventBody,
    stamp: second(k),
  });
  const attemptsOf = (input: ReturnType<typeof incident>) =>
    computeRankMap(input).events.flatMap(({ event, attempt }) => (event.body.kind === 'xid' ? [attempt] : []));

  it('is by the end of the container before, on the node’s clock', () => {
    const restarted = [0, 1].map((i) =>
      pod(`job-${i}`, { ...parts(i), restarts: 1, endedBefore: { exitCode: 1, finishedAt: second(60).ns } }),
    );
    const kernel = file('nodes/node-1/dmesg.txt', [xid(30), xid(60), xid(90)], { host: 'node-1' });
    expect(attemptsOf(incident([kernel], { pods: restarted }))).toEqual([0, 0, 1]);
  });

  it('is by the first lines of the attempts on that node, where the agent started its workers again', () => {
    const announce = (k: number, pid: number): Line => ({
      body: { kind: 'rank-announced', rank: 8, worldSize: 16, localRank: 0, pid },
      stamp: second(k),
    });
    const log = file('job-1.log', [announce(10, 5), announce(70, 6)], { pod: 'job-1' });
    const kernel = file('nodes/node-1/dmesg.txt', [xid(30), xid(90)], { host: 'node-1' });
    expect(attemptsOf(incident([log, kernel], { pods }))).toEqual([0, 1]);
  });
});
