import { describe, expect, it } from 'vitest';
import { replyToSender } from '#shared/report/reply/index.ts';
import { wrap } from '#shared/report/reply/wrap.ts';
import { analyseFiles } from '../../../support/in-memory-import.ts';
import { buildIncident, type IncidentSpec } from '../../../support/incidents/index.ts';

const SPEC: IncidentSpec = {
  seed: 5,
  nodes: 2,
  ranksPerNode: 2,
  backend: 'nccl',
  workload: 'pytorchjob',
  layout: 'kubectl',
  appLog: 'bracket',
  clocks: 'close',
  loop: { steps: 12, stepMs: 100, buckets: [85_002], logEvery: 1, evaluateEvery: 0, checkpointEvery: 5 },
  timeoutS: 60,
  fault: { kind: 'stall', rank: 1, step: 6, where: 'data' },
  missing: { dumpsOfRanks: [0, 1, 2, 3], kernelLog: true, events: true },
};
const reportOf = (spec: IncidentSpec) => analyseFiles(buildIncident(spec).files, 'bundle\u001b[31m.tar').report;

describe('the reply to the sender', () => {
  const report = reportOf(SPEC);
  const text = replyToSender(report);

  it('says what came, what is missing, why and how, and what to set', () => {
    expect(text).toMatch(/^Thank you for bundle/);
    const missing = report.gaps.filter((gap) => gap.state !== 'present');
    expect(missing.length).toBeGreaterThan(2);
    const flat = text.replace(/\s+/g, ' ');
    for (const [i, gap] of missing.entries()) {
      expect(flat).toContain(`${i + 1}. ${gap.item} (`);
      expect(flat).toContain(gap.matters.replace(/\s+/g, ' '));
    }
    expect(text).toContain('\n     kubectl get events -A -o json > events.json\n');
    expect(text).toContain('name: NCCL_DEBUG');
  });

  it('is plain text: no control character, no line over the width but commands and files', () => {
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    for (const line of text.split('\n'))
      if (!/^ {4}/.test(line) && line.includes(' ')) expect(line.length, line).toBeLessThanOrEqual(78);
  });

  it('leaves the verdict out on request', () => {
    const { summary } = report.verdict;
    const flat = (one: string) => one.replace(/\s+/g, ' ');
    expect(flat(text)).toContain(flat(summary));
    expect(flat(replyToSender(report, { withoutVerdict: true }))).not.toContain(flat(summary));
  });

  it('is the same for the same bundle', () => {
    expect(replyToSender(reportOf(SPEC))).toBe(text);
  });
});

describe('wrap', () => {
  it('keeps a long word whole and indents what follows', () => {
    expect(wrap(`${'a'.repeat(100)} b`, '- ')).toBe(`- ${'a'.repeat(100)}\n  b`);
  });
});
