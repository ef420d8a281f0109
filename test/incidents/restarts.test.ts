/** What stands beside the plain story: second attempts, experts, frameworks, Polyaxon, logs cut at either end. Faults found by seeds are kept. */
import { describe, expect, test } from 'vitest';
import { buildIncident, type Incident, type IncidentSpec } from '../support/incidents/index.ts';
import { fareOf } from './fare.ts';

const NCCL: IncidentSpec = {
  seed: 31,
  nodes: 3,
  ranksPerNode: 2,
  backend: 'nccl',
  workload: 'pytorchjob',
  layout: 'kubectl',
  appLog: 'bracket',
  clocks: 'close',
  loop: { steps: 24, stepMs: 120, buckets: [85_002], logEvery: 1, evaluateEvery: 0, checkpointEvery: 5 },
  timeoutS: 30,
  fault: { kind: 'exception', rank: 3, step: 12, what: 'python' },
};
const GLOO: IncidentSpec = { ...NCCL, backend: 'gloo' };

const textOf = (incident: Incident, match: (path: string) => boolean = (path) => path.endsWith('.log')): string =>
  [...incident.files]
    .filter(([path]) => match(path))
    .map(([, bytes]) => new TextDecoder().decode(bytes))
    .join('\n');

describe('a job that was started again', () => {
  test('by its launchers: two lives in one log, one block at the end', () => {
    const text = textOf(buildIncident({ ...GLOO, restart: { by: 'launcher', second: 'mesh' } }));
    expect(text.match(/rank 3 of 6/g)).toHaveLength(2);
    expect(text.match(/Root Cause/g)).toHaveLength(3);
    expect(text).toContain('Gloo connectFullMesh failed');
  });

  test('by the kubelet: a log of its own for the first, the restart in the Pod', () => {
    const incident = buildIncident({ ...NCCL, restart: { by: 'kubelet', second: 'later', rank: 0 } });
    expect([...incident.files.keys()].filter((path) => path.endsWith('.previous.log'))).toHaveLength(3);
    const pods = textOf(incident, (path) => path === 'pods.yaml');
    expect(pods.match(/restartCount: 1/g)).toHaveLength(3);
    expect(pods.match(/lastState:\n\s+terminated:/g)).toHaveLength(3);
  });

  test.each<[string, IncidentSpec]>([
    ['an error, then addresses of dead processes', { ...GLOO, restart: { by: 'launcher', second: 'mesh' } }],
    ['an error, then a torn checkpoint', { ...NCCL, restart: { by: 'kubelet', second: 'resume', rank: 0 } }],
    ['an error, then the same', { ...NCCL, restart: { by: 'launcher', second: 'again' } }],
    [
      'a wrong size whose dumps the next attempt wrote over, then an error elsewhere',
      {
        ...NCCL,
        layout: 'torchrun',
        fault: { kind: 'size-mismatch', rank: 3, step: 12 },
        restart: { by: 'launcher', second: 'later', rank: 1 },
      },
    ],
    [
      'another operation, then a torn checkpoint',
      {
        ...NCCL,
        fault: { kind: 'op-mismatch', rank: 5, step: 12 },
        restart: { by: 'kubelet', second: 'resume', rank: 1 },
      },
    ],
  ])('%s: the first rank of the first attempt', (_, spec) => {
    const { answer, said, incident } = fareOf(spec);
    expect(incident.truth.decidable).toBe(true);
    expect(answer, said).toBe('right');
  });

  test.each<[string, IncidentSpec]>([
    [
      'by folders of the second attempt alone',
      { ...NCCL, layout: 'torchrun', restart: { by: 'launcher', second: 'resume', rank: 0 } },
    ],
    ['by the restart count', { ...NCCL, restart: { by: 'kubelet', second: 'resume', rank: 0 } }],
  ])('nobody is named when the first attempt is lost, as told %s', (_, spec) => {
    const { verdict, said, incident } = fareOf({ ...spec, missing: { firstAttempt: true } });
    expect(incident.truth.provable).toBe('nothing');
    expect(verdict.outcome, said).toBe('cannot-tell');
    expect(verdict.candidates, said).toMatchObject([{ ranks: [0] }]);
  });

  test('the first rank of a second attempt that made steps is a lead, and nobody is named', () => {
    const restart = { by: 'launcher', second: 'later', rank: 1 } as const;
    const spec: IncidentSpec = { ...NCCL, layout: 'torchrun', restart, missing: { firstAttempt: true } };
    const { verdict, said, incident } = fareOf(spec);
    expect(incident.truth.provable).toBe('nothing');
    expect(verdict.outcome, said).toBe('cannot-tell');
    expect(verdict.candidates, said).toMatchObject([{ ranks: [1] }]);
    expect(verdict.summary).toMatch(/^The first failure of the job cannot be told: .*attempt 1 .*Rank 1 raised/);
  });

  test('a job that ended well after all is no job without failure where its Pods show the first end', () => {
    const restart = { by: 'kubelet', second: 'well', rank: 0 } as const;
    const spec: IncidentSpec = { ...NCCL, restart, missing: { logsOfNodes: [0, 1, 2] } };
    const { verdict, said } = fareOf(spec);
    expect(verdict.outcome, said).toBe('cannot-tell');
    expect(verdict.summary).toMatch(/ended with exit code 0, but .* had been started again/);
  });
});

describe('experts', () => {
  const spec: IncidentSpec = { ...NCCL, nodes: 2, ranksPerNode: 4, expertParallel: 4, workRank: 'group' };

  test.each(['on', 'off'])(
    'sizes that differ as the router sends tokens are no disagreement, recorder %s',
    (recorder) => {
      const { answer, said } = fareOf({
        ...spec,
        ...(recorder === 'off' ? { recorder } : {}),
        fault: { kind: 'stall', rank: 5, step: 9, where: 'data' },
      });
      expect(answer, said).toBe('right');
    },
  );

  test('without the recorder torch says so, and writes no dumps', () => {
    const incident = buildIncident({
      ...spec,
      recorder: 'off',
      fault: { kind: 'stall', rank: 5, step: 9, where: 'data' },
    });
    expect(textOf(incident)).toMatch(/OpType=ALLTOALL_BASE[\s\S]*potentially because FlightRecorder is disabled/);
    expect(incident.truth.dumps).toEqual([]);
  });
});

describe('Lightning', () => {
  const spec: IncidentSpec = { ...NCCL, appLog: 'lightning' };

  test('its words: ranks at the start, a bar that others write on to, processes that outlive SIGTERM', () => {
    const text = textOf(buildIncident({ ...spec, fault: { kind: 'stall', rank: 3, step: 12, where: 'data' } }));
    expect(text).toContain('Initializing distributed: GLOBAL_RANK: 3, MEMBER: 4/6');
    expect(text).toMatch(/train_loss=[\d.]+\][^\n]*\[rank[01]\]:/);
    expect(text).toMatch(/\[rank: 1\] Received SIGTERM: 15/);
    expect(text).toMatch(/Unable to shutdown process \d+ via 15, forcefully exiting via 9/);
  });

  test('a victim that the launcher killed for its stubbornness is not the killed rank', () => {
    const { answer, said } = fareOf({ ...spec, timeoutS: 600 });
    expect(answer, said).toBe('right');
  });
});

test("Polyaxon's own log chunks are read", () => {
  const spec: IncidentSpec = { ...NCCL, workload: 'polyaxon', layout: 'plxlogs' };
  expect([...buildIncident(spec).files.keys()].some((path) => /^plxlogs\/\d+\.\d{6}$/.test(path))).toBe(true);
  const { answer, said } = fareOf(spec);
  expect(answer, said).toBe('right');
});

test('a log taken right behind a handled error accuses nobody who waits in its own dump', () => {
  const spec: IncidentSpec = {
    seed: 4,
    nodes: 12,
    ranksPerNode: 2,
    tensorParallel: 2,
    pipelineParallel: 2,
    backend: 'nccl',
    workload: 'pytorchjob',
    layout: 'torchrun',
    appLog: 'deepspeed',
    clocks: 'close',
    loop: { steps: 34, stepMs: 198, buckets: [85_002, 20_000], logEvery: 1, evaluateEvery: 7, checkpointEvery: 5 },
    timeoutS: 600,
    fault: { kind: 'size-mismatch', rank: 22, step: 27 },
    ringEntries: 60,
    peersNotice: 'timeout',
    missing: { dumpsOfRanks: [8, 11, 12, 15, 16, 19], logsOfNodes: [10], tailsOfNodes: [0] },
  };
  const { answer, said } = fareOf(spec);
  expect(answer, said).toBe('right');
});

test('two files of one container, turned over in between, are one log', () => {
  const spec: IncidentSpec = { ...NCCL, layout: 'cri', missing: { headsOfNodes: [0, 1, 2] } };
  const incident = buildIncident(spec);
  expect([...incident.files.keys()].filter((path) => /\/0\.log\.\d{8}-\d{6}$/.test(path))).toHaveLength(3);
  const { answer, said } = fareOf(spec);
  expect(answer, said).toBe('right');
});
