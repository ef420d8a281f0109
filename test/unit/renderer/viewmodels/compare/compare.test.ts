import { describe, expect, it } from 'vitest';
import type { CompareAnswer } from '#shared/rpc/areas/compare.ts';
import type { CompareRow } from '#shared/views/compare/index.ts';
import { alignment, alignOptions, defaultAlign } from '../../../../../renderer/viewmodels/compare/alignment.ts';
import { firstSpan, relativeTicks } from '../../../../../renderer/viewmodels/compare/axis.ts';
import { lanesLayout } from '../../../../../renderer/viewmodels/compare/lanes.ts';
import { compareLines, compareSummary } from '../../../../../renderer/viewmodels/compare/rows.ts';

const row = (id: string, part: Partial<CompareRow> = {}): CompareRow => ({
  ...{
    id,
    name: id,
    section: 'verdict',
    a: 'x',
    b: 'x',
    same: 'equal',
    kind: '',
    telling: false,
    weak: false,
    ranks: null,
  },
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

  it('put a difference of a count or a time under a head of its own, after what matters', () => {
    const rows = [row('count', { b: 'y', same: 'differs', weak: true }), ...ROWS];
    expect(compareLines(rows, true).map((line) => line.key)).toEqual(['other', 'weak', 'count']);
    expect(
      compareLines(rows, false)
        .map((line) => line.key)
        .slice(0, 4),
    ).toEqual(['other', 'weak', 'count', 'equal']);
    expect(compareSummary(rows)).toMatch(/^2 differ/);
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
  const answer = (a: number | null, b: number | null, part: Partial<CompareAnswer> = {}): CompareAnswer => ({
    ...{ a: side(a), b: side(b), rows: [], call: null, step: null },
    ...part,
  });
  const both = (at: number) => ({ raw: at, corrected: at + 1 });

  it('has the first fault of both at 0, or the first stamp and why', () => {
    expect(alignment(answer(7, 8), 'onset', 'corrected')).toEqual({
      a: 8,
      b: 9,
      by: 'onset',
      words: '0 = first fault of each case',
    });
    expect(alignment(answer(7, null), 'onset', 'raw')).toEqual({
      ...{ a: 5, b: 5, by: 'start' },
      words: '0 = first stamp: no moment of the first fault in B',
    });
    expect(alignment(answer(7, 8), 'start', 'corrected')).toMatchObject({ a: 4, b: 4 });
  });

  it('meets a run that went well at the last thing that both did', () => {
    const call = { name: 'default_pg #65\u202e', a: both(6), b: both(7) };
    const step = { name: 'step 30', a: both(5), b: both(8) };
    const good = answer(7, null, { call, step });
    expect(alignOptions(good)).toEqual([
      { value: 'call', label: 'call default_pg #65\\u202e' },
      { value: 'step', label: 'step 30' },
      { value: 'start', label: 'first stamp' },
    ]);
    expect(defaultAlign(good)).toBe('call');
    expect(defaultAlign(answer(7, null, { step }))).toBe('step');
    expect(defaultAlign(answer(7, 8, { call, step }))).toBe('onset');
    expect(defaultAlign(answer(null, null))).toBe('start');
    expect(alignment(good, 'step', 'raw')).toEqual({ a: 5, b: 8, by: 'step', words: '0 = step 30 of each case' });
    expect(alignment(answer(7, 8), 'call', 'raw')).toMatchObject({
      by: 'start',
      words: '0 = first stamp: no call is told by both',
    });
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
    expect(firstSpan({ from: -5e9, to: 90e9 }, null)).toEqual({ from: -5e9, to: 90e9 });
    expect(firstSpan({ from: -3600e9, to: 3600e9 }, null)).toEqual({ from: -200e9, to: 400e9 });
    // A call every 100 ms: seven of them before the zero.
    expect(firstSpan({ from: -3600e9, to: 3600e9 }, 100e6)).toEqual({ from: -0.7e9, to: 1.05e9 });
    expect(firstSpan({ from: 0, to: 3600e9 }, 100e6, true)).toEqual({ from: 0, to: 1.75e9 });
  });
});

describe('the lanes of two cases', () => {
  const set = (ranks: readonly number[], standing: 'first' | 'waiting' | 'between') => ({
    ...{ lane: ranks[0] ?? 0, rank: ranks[0] ?? 0, recorded: standing !== 'between', ranks, standing, link: null },
    call: { group: 'tp\u202e', op: 'nccl:all_reduce', seq: 65 },
  });
  const sides = {
    a: { sets: [set([37], 'first'), set([0, 1, 2, 7], 'waiting'), set([8, 9], 'between')] },
    b: { sets: [] },
  } as unknown as CompareAnswer;
  const sizes = { axis: 26, head: 22, strip: 18, row: 22, most: 2 };

  it('lie below each other without a gap, worst set first, and say what is not drawn', () => {
    const { a, b, height } = lanesLayout(sides, sizes);
    expect(a.rows.map(({ title, word, y }) => [title, word, y])).toEqual([
      ['rank 37', 'first', 66],
      ['ranks 0–2, 7', 'waits', 88],
    ]);
    expect(a.more).toBe('1 more set of 2 ranks');
    expect([a.top, a.end, b.top]).toEqual([26, 110, 110]);
    expect(height).toBe(110 + 22 + 18 + 22);
    expect(lanesLayout(sides, { ...sizes, most: 12 }).a.more).toBe('');
  });

  it('say in words whom a lane stands for, escaped', () => {
    const rows = lanesLayout(sides, { ...sizes, most: 3 }).a.rows;
    expect(rows[1]?.words).toBe('waits; tp\\u202e all_reduce #65; drawn: rank 0 of 4');
    expect(rows[2]?.words).toContain('no recorded call');
  });
});
