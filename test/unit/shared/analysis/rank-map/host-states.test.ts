import { describe, expect, it } from 'vitest';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import { announced, file, incident, jobSetLabels, type Line, pod, torchrun } from './build-incident.ts';

const UID = '0a1b2c3d-1111-2222-3333-0123456789ab';
const pods = [0, 1].map((i) =>
  pod(`job-${i}`, {
    labels: jobSetLabels(i),
    command: torchrun(2, 2),
    node: `gpu-${i}`,
    ...(i === 1 ? { uid: UID } : {}),
  }),
);

const state = (told: Partial<Line> = {}, podUid?: string): Line => ({
  body: { kind: 'host-state', what: 'disk', value: 100, of: '/', podUid, containerId: undefined, text: 'df' },
  ...told,
});

describe('whose reading it is', () => {
  it.each([
    ['of the Pod that the heading names', 'state.txt', state({ pod: 'job-1' }), 'job-1 on gpu-1'],
    ['of a Pod that nobody else names', 'state.txt', state({ pod: 'other' }), 'other on -'],
    ['of the Pod whose name stands above it', 'state.txt', state({ host: 'job-1' }), 'job-1 on gpu-1'],
    ['of the node whose name stands above it', 'state.txt', state({ host: 'gpu-1' }), '- on gpu-1'],
    ['of nobody, if the name is unknown', 'state.txt', state({ host: 'laptop' }), '- on -'],
    ['of the Pod in whose folder it lies', 'cgroup/job-1/memory.events', state(), 'job-1 on gpu-1'],
    ['of the node in whose folder it lies', 'gpu-1/df.txt', state(), '- on gpu-1'],
    ['of the node whose name the file has', 'gpu-1.pressure.txt', state(), '- on gpu-1'],
    ['of the node whose name the file ends with', 'df-gpu-0.txt', state(), '- on gpu-0'],
    ['of nobody, if the file has only the start of a name', 'gpu-11.pressure.txt', state(), '- on -'],
    ['of the Pod of the cgroup', 'n/memory.events', state({}, UID), 'job-1 on gpu-1'],
  ])('%s', (_, path, line, whose) => {
    const logs = [0, 1].map((i) => file(`logs/job-${i}.log`, [announced(2 * i, 4, 0, 5)], { pod: `job-${i}` }));
    const { events } = computeRankMap(incident([...logs, file(path, [line])], { pods }));
    const placed = events.find(({ event }) => event.body.kind === 'host-state');
    expect(`${placed?.pod ?? '-'} on ${placed?.node ?? '-'}`).toBe(whose);
    expect([placed?.rank, placed?.attempt]).toEqual([undefined, 0]);
  });
});
