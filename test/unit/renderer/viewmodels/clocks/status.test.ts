import { describe, expect, it } from 'vitest';
import type { ReportClockDomain } from '#shared/report/clock-schema.ts';
import type { Report } from '#shared/report/schema.ts';
import { analysisWords } from '../../../../../renderer/viewmodels/clocks/progress.ts';
import { clockStatus } from '../../../../../renderer/viewmodels/clocks/status.ts';

type Offset = ReportClockDomain['offsetMs'];
const domain = (id: string, offsetMs: Offset, component = 0): ReportClockDomain => ({
  id,
  kind: 'node',
  offsetMs,
  driftPpm: null,
  quality: 'none',
  anchors: 0,
  basis: [],
  component,
});
const within = (estimate: number, half: number): Offset => ({
  estimate,
  low: estimate - half,
  high: estimate + half,
  likelyLow: null,
  likelyHigh: null,
});
const statusOf = (reference: string | null, domains: readonly ReportClockDomain[]) =>
  clockStatus({ clock: { reference, domains: [...domains] } } as Report);
const ZERO = within(0, 0);

describe('the status of clocks', () => {
  it.each([
    ['none', null, [], 'No clocks'],
    ['one', null, [domain('a', null)], 'One clock'],
    ['unrelated ones', null, [domain('a', null, 0), domain('b', null, 1)], '2 clocks, differences unknown'],
    ['related ones', 'a', [domain('a', ZERO), domain('b', within(5, 4600))], 'Clocks: 2 compared to ±4.6 s'],
    [
      'all kinds',
      'a',
      [
        domain('a', ZERO),
        domain('b', within(5, 12)),
        domain('c', { estimate: 3, low: 1, high: null, likelyLow: null, likelyHigh: null }),
        domain('d', null, 1),
      ],
      'Clocks: 2 compared to ±12 ms, 1 bounded on one side, 1 unknown',
    ],
    ['a part of its own', 'a', [domain('a', ZERO), domain('b', within(0, 1), 1)], 'Clocks: 1 unknown'],
  ])('tells %s', (_, reference, domains, text) => {
    expect(statusOf(reference, domains).text).toBe(text);
  });

  it('says at length what is wrong by how much, and what is not compared', () => {
    expect(statusOf('a', [domain('a', ZERO), domain('b', within(5, 4600)), domain('c', null, 1)]).title).toBe(
      'A corrected time of 2 clocks can still be wrong by 4.6 s either way. 1 clock cannot be compared with the reference; its times are shown as written.',
    );
  });
});

describe('the analysis with a new setting', () => {
  it('is told by step, and never as begun before it has', () => {
    expect(analysisWords(null)).toEqual({ words: 'Analysing the case again…', percent: 0 });
    const at = { caseId: 'x', step: 'drawing', fraction: 0.709 } as Parameters<typeof analysisWords>[0];
    expect(analysisWords(at)).toEqual({ words: 'Preparing the screens, 70 %', percent: 70 });
  });
});
