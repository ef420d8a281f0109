import { describe, expect, it } from 'vitest';
import { ranksIndex } from '#shared/views/ranks/index.ts';
import { attemptBars } from '../../../../../renderer/viewmodels/ranks/attempts.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';

const report = () => {
  const { report: made } = analyseFiles(new Map([['a.log', new TextEncoder().encode('[rank0]: hello\n')]]));
  const [row] = made.ranks;
  if (row === undefined) throw new Error('no rank');
  const of = (attempt: number, lastSeen: string | null, exitAt: string | null = null) => ({
    ...row,
    attempt,
    lastSeen,
    clockOffsetMs: null,
    exit:
      exitAt === null
        ? null
        : { code: 1, signal: null, reason: null, at: exitAt, clock: row.clock, timeBasis: 'raw' as const },
  });
  return {
    ...made,
    ranks: [
      of(1, '2026-03-14T09:00:08.000Z', '2026-03-14T09:00:10.000Z'),
      of(0, '2026-03-14T09:00:04.000Z'),
      of(2, null),
    ],
  };
};

const index = {
  ...ranksIndex({ lanes: undefined, collectives: undefined, stored: undefined }),
  time: { originNs: String(BigInt(Date.parse('2026-03-14T09:00:00.000Z')) * 1_000_000n) },
  starts: [{ rank: 0, attempt: 0, rawNs: 0 }],
};

describe('attempts of a rank', () => {
  it('stand in their order on one axis, open where a time is not known', () => {
    // @ts-expect-error only the origin of the times is read
    const bars = attemptBars(report(), index, 0, 1);
    expect(
      bars.map(({ attempt, from, to, openFrom, openTo, shown }) => [attempt, from, to, openFrom, openTo, shown]),
    ).toEqual([
      [0, 0, 0.4, false, false, false],
      [1, 0.4, 1, true, false, true],
      [2, null, null, true, true, false],
    ]);
    expect(bars.map(({ span }) => span)).toEqual([
      '09:00:00.000 to 09:00:04.000, raw',
      'start not known to 09:00:10.000, raw',
      'no time recorded',
    ]);
  });

  it('stand corrected where all their clocks are known: starts are moved, last lines are so already', () => {
    const made = report();
    const clockOffsetMs = { estimate: 2000, low: 1990, high: 2010 };
    // @ts-expect-error only the origin of the times is read
    const bars = attemptBars({ ...made, ranks: made.ranks.map((row) => ({ ...row, clockOffsetMs })) }, index, 0, 1);
    expect(bars[0]?.span).toBe('08:59:58.000 to 09:00:04.000, corrected ±10 ms');
  });

  it('leave out an end that another clock stamped', () => {
    const made = report();
    const ranks = made.ranks.map((row) => ({ ...row, exit: row.exit && { ...row.exit, clock: 'another' } }));
    // @ts-expect-error only the origin of the times is read
    expect(attemptBars({ ...made, ranks }, index, 0, 1)[1]?.span).toBe('start not known to 09:00:08.000, raw');
  });

  it('are not told of a rank that ran once', () => {
    const made = report();
    // @ts-expect-error only the origin of the times is read
    expect(attemptBars({ ...made, ranks: made.ranks.slice(0, 1) }, index, 0, 1)).toEqual([]);
  });
});
