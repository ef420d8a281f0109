/**
 * A rank of a job with tensor and data parallel groups leaves out a call of the world group and goes on: inside every group the
 * sequences agree, all ranks time out, and only the order of records across groups tells.
 */
import { describe, expect, test } from 'vitest';
import { assertSound } from '../support/assert-sound.ts';
import { analyseFiles } from '../support/in-memory-import.ts';
import { buildIncident, type IncidentSpec } from '../support/incidents/index.ts';
import { judge } from '../support/judge.ts';

const BASE: IncidentSpec = {
  seed: 7,
  nodes: 2,
  ranksPerNode: 4,
  tensorParallel: 2,
  backend: 'nccl',
  workload: 'pytorchjob',
  layout: 'kubectl',
  appLog: 'bracket',
  clocks: 'close',
  loop: { steps: 20, stepMs: 100, buckets: [85_002], logEvery: 1, evaluateEvery: 0, checkpointEvery: 5 },
  timeoutS: 60,
  fault: { kind: 'skipped-call', rank: 6, step: 11 },
};

const verdictOf = (spec: IncidentSpec) => {
  const incident = buildIncident(spec);
  const { report, input } = analyseFiles(incident.files, incident.name);
  assertSound(report, input);
  return { verdict: report.verdict, truth: incident.truth };
};

describe('a skipped call that only the order across groups shows', () => {
  test.each([0, 3, 6])('names rank %i', (rank) => {
    const { verdict } = verdictOf({ ...BASE, fault: { kind: 'skipped-call', rank, step: 11 } });
    expect(verdict).toMatchObject({
      outcome: 'named',
      status: 'supported',
      firstRanks: [rank],
      stage: 'mismatched-collective',
      cause: 'collective-skipped',
    });
  });

  test('another stage of a pipeline has no voice in it', () => {
    const { verdict } = verdictOf({ ...BASE, nodes: 4, pipelineParallel: 2 });
    expect(verdict).toMatchObject({ outcome: 'named', firstRanks: [6] });
  });

  test('one contradicting pair is decided by the other pairs of its kind', () => {
    const { verdict } = verdictOf({ ...BASE, missing: { dumpsOfRanks: [0, 1, 2, 3] } });
    expect(verdict).toMatchObject({ outcome: 'named', status: 'supported', firstRanks: [6] });
  });

  test('one contradicting pair without peers is no majority', () => {
    const { verdict } = verdictOf({ ...BASE, missing: { dumpsOfRanks: [0, 1, 2, 3, 4, 5] } });
    expect(verdict).toMatchObject({ outcome: 'group' });
    expect(verdict.firstRanks).toContain(6);
    expect(verdict.status).not.toBe('established');
  });

  test('without the dump of the one: its time-out line tells in which group it waits', () => {
    const { verdict, truth } = verdictOf({ ...BASE, missing: { dumpsOfRanks: [6] } });
    expect(judge(verdict, truth).answer).toBe('right');
    expect(verdict).toMatchObject({ outcome: 'named', status: 'supported', firstRanks: [6] });
    expect(verdict.because.some(({ text }) => text.includes('by time-out lines alone'))).toBe(true);
  });

  test('with neither: nobody is named, and "below the program" is not said alone', () => {
    const { verdict, truth } = verdictOf({ ...BASE, missing: { dumpsOfRanks: [6], logsOfNodes: [1] } });
    expect(judge(verdict, truth).answer).toBe('honest');
    expect(verdict.summary).not.toMatch(/so the cause lies below the program/);
    expect(verdict.candidates.some(({ ranks }) => ranks.includes(6))).toBe(true);
  });
});
