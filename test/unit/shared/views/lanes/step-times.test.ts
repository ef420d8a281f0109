import { describe, expect, it } from 'vitest';
import { type LanesView, type ProgressPoint, stepTimes } from '#shared/views/lanes/index.ts';

/** Two ranks on clocks of their own: that of rank 1 is a second ahead. */
const VIEW = {
  clocks: [
    { id: 'a', offsetNs: null },
    { id: 'b', offsetNs: { estimate: 1e9 } },
  ],
  lanes: [
    { rank: 0, clock: 0, role: 'victim' },
    { rank: 1, clock: 1, role: 'first' },
  ],
} as unknown as LanesView;
const point = (rank: number, step: number, s: number): ProgressPoint => ({ rank, step, rawNs: s * 1e9 });
/** One column a second. */
const columns = (basis: 'raw' | 'corrected' = 'raw') => ({ basis, from: 0, to: 10e9, columns: 10 });

describe('step times', () => {
  it('are what lies between two lines, a step, and nothing behind the last one', () => {
    const found = stepTimes(VIEW, [point(0, 10, 1), point(0, 20, 3), point(0, 30, 6)], columns());
    expect([...(found?.median ?? [])]).toEqual([NaN, 200, 200, 300, 300, 300, NaN, NaN, NaN, NaN]);
    expect(found).toMatchObject({ ranks: 1, first: null });
  });

  it('spread over the ranks, with the first one apart', () => {
    const points = [point(0, 0, 0), point(0, 10, 4), point(1, 0, 0), point(1, 10, 8)];
    const found = stepTimes(VIEW, points, columns());
    expect([found?.low[0], found?.high[0], found?.median[0]]).toEqual([400, 800, 400]);
    expect([found?.low[5], found?.high[5]]).toEqual([800, 800]);
    expect(found?.first?.[0]).toBe(800);
  });

  it('stand where the clock of their rank is moved to', () => {
    const found = stepTimes(VIEW, [point(1, 0, 3), point(1, 10, 5)], columns('corrected'));
    expect(found?.median.findIndex((value) => !Number.isNaN(value))).toBe(2);
  });

  it('pass over restarts, and lines of one step', () => {
    const points = [point(0, 90, 0), point(0, 100, 1), point(0, 0, 3), point(0, 0, 4), point(0, 10, 5)];
    const found = stepTimes(VIEW, points, columns());
    expect([...(found?.median ?? [])].slice(0, 6)).toEqual([100, NaN, NaN, 200, 200, NaN]);
  });

  it('are none without two steps, and none outside of the span', () => {
    expect(stepTimes(VIEW, [point(0, 1, 1)], columns())).toBeNull();
    expect(stepTimes(VIEW, [point(0, 1, 100), point(0, 2, 200)], columns())).toBeNull();
    expect(stepTimes(VIEW, [point(7, 1, 1), point(7, 2, 2)], columns())).toBeNull();
  });
});
