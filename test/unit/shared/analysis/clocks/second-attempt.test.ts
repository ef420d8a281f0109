/**
 * Clocks of a job that was started again: what is left is of the second attempt, ten minutes after the first failed. What is claimed is
 * about that moment, and says less the further back it is asked.
 */
import { describe, expect, it } from 'vitest';
import { leastMsBetween, offsetBetween } from '#shared/analysis/clocks/index.ts';
import { epochNs } from '#shared/model/time.ts';
import { checkClockClaims } from '../../../../support/clock-claims.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';
import { offsetMsAt } from '../../../../support/incidents/clock.ts';
import { buildIncident, type IncidentSpec } from '../../../../support/incidents/index.ts';

/** The first attempt waits ten minutes for its time-out. */
const RESTARTED: IncidentSpec = {
  seed: 20268,
  nodes: 4,
  ranksPerNode: 2,
  backend: 'nccl',
  workload: 'pytorchjob',
  layout: 'plain',
  appLog: 'accelerate',
  clocks: 'skewed',
  loop: { steps: 25, stepMs: 191, buckets: [7_077_888, 2_362_368], logEvery: 5, evaluateEvery: 0, checkpointEvery: 5 },
  timeoutS: 600,
  fault: { kind: 'size-mismatch', rank: 5, step: 21 },
  ringEntries: 2000,
  ncclDebug: false,
  peersNotice: 'closed',
  missing: { firstAttempt: true },
  restart: { by: 'kubelet', second: 'later', rank: 6 },
};
const { truth, files } = buildIncident(RESTARTED);
const analysed = analyseFiles(files);
const { clocks } = analysed.result.facts;
/** Clocks that the calls of the second attempt bound to 28 ms, and that drift apart by 31 ms in ten minutes. */
const [A, B] = ['gpu-c71-0', 'node-d98-1'] as const;

describe('clocks of a second attempt', () => {
  it('are claimed for its moment, where every claim holds', () => {
    expect(checkClockClaims(analysed, truth)).toMatchObject({ held: 6, broken: [], unknown: 0 });
    for (const id of [A, B]) {
      const moment = clocks.domains.find((domain) => domain.id === id)?.momentNs ?? 0n;
      const faultShown = (truth.faultAtNs ?? 0n) + BigInt(Math.round((truth.nodeOffsetsMs[id] ?? 0) * 1e6));
      expect(Number(moment - faultShown) / 1e9, id).toBeGreaterThan(600);
    }
  });

  it('had another difference when the first one failed, which that claim need not hold', () => {
    const claimed = offsetBetween(clocks, A, B);
    const then = (truth.nodeOffsetsMs[A] ?? 0) - (truth.nodeOffsetsMs[B] ?? 0);
    expect(then - (claimed?.high ?? Infinity)).toBeGreaterThan(5);
  });

  it('do not order two stamps of one instant ten minutes earlier', () => {
    const faultNs = Number((truth.faultAtNs ?? 0n) - truth.originNs);
    const shown = (clock: string) => {
      const own = truth.nodeClocks[clock];
      if (own === undefined) throw new Error(`no clock ${clock}`);
      return { clock, rawNs: epochNs((truth.faultAtNs ?? 0n) + BigInt(Math.round(offsetMsAt(own, faultNs) * 1e6))) };
    };
    expect(leastMsBetween(shown(A), shown(B), clocks)).toBeLessThan(0);
    expect(leastMsBetween(shown(B), shown(A), clocks)).toBeLessThan(0);
  });
});

describe('the check of clock claims', () => {
  it.each([30, -30])('finds a report whose bounds are shifted by %i ms, more than they are wide', (shift) => {
    const { clock } = analysed.report;
    const domains = clock.domains.map((domain) => {
      const { id, offsetMs } = domain;
      if (id !== B || offsetMs === null || offsetMs.low === null || offsetMs.high === null) return domain;
      return { ...domain, offsetMs: { ...offsetMs, low: offsetMs.low + shift, high: offsetMs.high + shift } };
    });
    const report = { ...analysed.report, clock: { ...clock, domains } };
    const { broken } = checkClockClaims({ ...analysed, report }, truth);
    expect(broken.some((line) => line.startsWith(`${A} − ${B}: `))).toBe(true);
  });

  it('finds a claim that is about another moment: the first failure', () => {
    const early = clocks.domains.map((domain) => ({
      ...domain,
      momentNs: epochNs((domain.momentNs ?? 0n) - 615n * 10n ** 9n),
    }));
    const result = { ...analysed.result, facts: { ...analysed.result.facts, clocks: { ...clocks, domains: early } } };
    const { broken } = checkClockClaims({ ...analysed, result }, truth);
    expect(broken.some((line) => line.startsWith(`${A} − ${B}: `))).toBe(true);
  });
});
