import { describe, expect, it } from 'vitest';
import type { CompareAnswer } from '#shared/rpc/areas/compare.ts';
import type { CompareRow } from '#shared/views/compare/index.ts';
import { firstSpan, relativeTicks } from '../../../../../renderer/viewmodels/compare/axis.ts';
import { alignment, compareLines, compareSummary } from '../../../../../renderer/viewmodels/compare/rows.ts';

const row = (id: string, part: Partial<CompareRow> = {}): CompareRow => ({
  ...{ id, name: id, section: 'verdict', a: 'x', b: 'x', same: 'equal', kind: '', telling: false, ranks: null },
  ...part,
});
const ROWS: readonly CompareRow[] = [
  row('same'),
  row('silent', { a: null, b: null }),
  row('other', { b: 'y', same: 'differs', kind: 'op' }),
  row('one', { b: null, same: 'unknown' }),
  row('flag', { telling: true }),
];

describe('the rows of a comparison', () => {
  it('stand as: what differs, what tells, what is equal, what only one tells', () => {
    const keys = compareLines(ROWS, false).map((line) => line.key);
    expect(keys).toEqual(['other', 'equal', 'flag', 'same', 'unknown', 'one', 'silent', 'silent']);
    expect(compareLines(ROWS, true).map((line) => line.key)).toEqual(['other']);
  });

  it('say same once, and never for what nobody tells', () => {
    const values = new Map(
      compareLines(ROWS, false).flatMap((line) => (line.kind === 'row' ? [[line.row.id, [line.a, line.b]]] : [])),
    );
    expect(values.get('same')).toEqual(['x', 'same']);
    expect(values.get('flag')).toEqual(['x', 'x']);
    expect(values.get('silent')).toEqual(['not told', 'not told']);
    expect(compareSummary(ROWS)).toBe('1 differ, 2 equal, 1 of them telling, 1 told by one only');
  });

  it('write stamps as all times of the window are written, where the row is one of times', () => {
    const at = {
      a: 'between 2026-03-14T10:00:01.25Z and 2026-03-14T10:00:02Z (raw)',
      b: null,
      same: 'unknown',
    } as const;
    const [, when] = compareLines([row('when', at)], false);
    const [, other] = compareLines([row('what', at)], false);
    expect(when).toMatchObject({ a: 'between 14 Mar 2026, 10:00:01.250 and 10:00:02 (raw)' });
    expect(other).toMatchObject({ a: at.a });
  });

  it('escape what the bundles wrote', () => {
    const [line] = compareLines([row('x', { a: 'a\u202eb', b: 'c', same: 'differs' })], false);
    expect(line).toMatchObject({ a: 'a\\u202eb' });
  });
});

describe('the common axis', () => {
  const side = (onset: number | null) =>
    ({
      spans: { raw: { from: 5, to: 9 }, corrected: { from: 4, to: 9 } },
      onset: onset === null ? null : { kind: 'fault', at: { raw: onset, corrected: onset + 1 }, boundNs: 0 },
    }) as unknown as CompareAnswer['a'];
  const answer = (a: number | null, b: number | null) => ({ a: side(a), b: side(b), rows: [] });

  it('has the first fault of both at 0, or the first stamp and why', () => {
    expect(alignment(answer(7, 8), 'onset', 'corrected')).toEqual({
      a: 8,
      b: 9,
      words: '0 = first fault of each case',
    });
    expect(alignment(answer(7, null), 'onset', 'raw')).toEqual({
      ...{ a: 5, b: 5 },
      words: '0 = first stamp: no moment of the first fault in B',
    });
    expect(alignment(answer(7, 8), 'start', 'corrected')).toMatchObject({ a: 4, b: 4 });
  });

  it('has ticks far enough apart, with 0 among them', () => {
    const ticks = relativeTicks({ from: -20e9, to: 60e9 }, 1000, 110);
    expect(ticks.map((tick) => tick.label)).toEqual([
      '−20 s',
      '−10 s',
      '0',
      '+10 s',
      '+20 s',
      '+30 s',
      '+40 s',
      '+50 s',
      '+1 m 00 s',
    ]);
    expect(relativeTicks({ from: 0, to: 1 }, 10, 110)).toEqual([]);
  });

  it('shows the time around 0 at first, within what there is', () => {
    expect(firstSpan({ from: -5e9, to: 90e9 })).toEqual({ from: -5e9, to: 90e9 });
    expect(firstSpan({ from: -3600e9, to: 3600e9 })).toEqual({ from: -200e9, to: 400e9 });
  });
});
