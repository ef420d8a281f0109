import { describe, expect, it } from 'vitest';
import type { Report, ReportBracketEnd } from '#shared/report/schema.ts';
import { stallFacts } from '../../../../renderer/viewmodels/stall.ts';
import { analyseFiles } from '../../../support/in-memory-import.ts';

const { report } = analyseFiles(new Map([['a.log', new TextEncoder().encode('[rank0]: hello\n')]]));
const end = (changes: Partial<ReportBracketEnd>): ReportBracketEnd => ({
  ...{ text: 'step 30', file: 'a.log', line: 3, byte: null, record: null, entryId: 0 },
  ...{ rank: 4, time: '2026-03-14T10:00:01.5Z', boundMs: 38, timeBasis: 'corrected', clock: 'n1' },
  ...{ rawTime: '2026-03-14T10:00:09.5Z' },
  ...changes,
});
const until = end({
  text: 'all_reduce #31 of dp',
  rank: 3,
  time: '2026-03-14T10:00:02Z',
  timeBasis: 'raw',
  clock: 'n\u202e2',
});
const of = (between: Report['verdict']['between']): Report => ({ ...report, verdict: { ...report.verdict, between } });

describe('the facts of a stall', () => {
  it('are its two ends, each with its clock and bound', () => {
    expect(stallFacts(of({ from: end({}), until, latenessMs: 1500 }), 'corrected')).toEqual([
      {
        label: 'Stalled after, corrected, 14 Mar 2026',
        ...{ value: '10:00:01.500', note: '±38 ms', detail: 'step 30', more: 'clock of n1' },
      },
      {
        label: 'and before, raw, 14 Mar 2026',
        ...{ value: '10:00:02', note: 'raw', detail: 'rank 3 waits in all_reduce #31 of dp' },
        more: 'clock of n\\u202e2; or up to 1.5 s later',
      },
    ]);
  });

  it('are as written on the raw basis; the second says only what is other', () => {
    const [after, before] = stallFacts(of({ from: end({}), until, latenessMs: 1 }), 'raw') ?? [];
    expect(after).toMatchObject({ label: 'Stalled after, raw, 14 Mar 2026', value: '10:00:09.500', note: 'raw' });
    expect(before).toMatchObject({ label: 'and before', value: '10:00:09.500' });
  });

  it('say what is not known, and are none where a moment is told', () => {
    expect(stallFacts(of({ from: null, until, latenessMs: 1 }), 'corrected')?.[0]).toMatchObject({ value: 'unknown' });
    expect(stallFacts(of(null), 'corrected')).toBeNull();
    expect(stallFacts(report, 'corrected')).toBeNull();
  });
});
