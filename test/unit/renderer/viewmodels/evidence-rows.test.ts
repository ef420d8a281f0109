import { describe, expect, it } from 'vitest';
import type { ReportEvidence } from '#shared/report/schema.ts';
import { evidenceSubjects, rangeAround } from '../../../../renderer/viewmodels/evidence-rows.ts';

const ITEM: ReportEvidence = {
  text: 'seen',
  file: 'logs/a.log',
  line: null,
  byte: null,
  record: null,
  rank: null,
  time: null,
  boundMs: null,
  timeBasis: null,
  entryId: 0,
};
const ORIGIN = 1_773_478_800_000_000_000n;
const AT = '2026-03-14T09:00:40.5Z';

describe('the range around an item of evidence', () => {
  it('is half a minute to both sides, from the origin', () => {
    const range = rangeAround({ stamp: { time: AT, basis: 'corrected' } }, ORIGIN, 'corrected');
    expect(range).toEqual({ from: 10.5e9, to: 70.5e9 });
  });

  it.each([
    ['a corrected stamp among raw times', { time: AT, basis: 'corrected' } as const, ORIGIN, 'raw' as const],
    ['no stamp', null, ORIGIN, 'corrected' as const],
    ['no origin', { time: AT, basis: 'raw' } as const, null, 'raw' as const],
    ['a text that is no stamp', { time: 'yesterday', basis: 'raw' } as const, ORIGIN, 'raw' as const],
  ])('is none for %s', (_, stamp, origin, basis) => {
    expect(rangeAround({ stamp }, origin, basis)).toBeNull();
  });

  it('takes a raw stamp among corrected times: its clock has no offset', () => {
    expect(rangeAround({ stamp: { time: AT, basis: 'raw' } }, ORIGIN, 'corrected')?.from).toBe(10.5e9);
  });
});

describe('the subjects of evidence', () => {
  it('are lines, records and files, each once', () => {
    const items = [
      { ...ITEM, line: 7 },
      { ...ITEM, line: 7, text: 'seen again' },
      { ...ITEM, file: 'dump', record: 0 },
      { ...ITEM, file: 'core', byte: 12 },
    ];
    expect(evidenceSubjects(items)).toEqual([
      { kind: 'line', path: 'logs/a.log', line: 7 },
      { kind: 'record', path: 'dump', record: 0 },
      { kind: 'entry', path: 'core' },
    ]);
  });
});
