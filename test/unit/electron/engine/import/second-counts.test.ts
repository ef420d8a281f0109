import { describe, expect, it } from 'vitest';
import { SecondCounts } from '#engine/import/second-counts.ts';

const pairs = (columns: Buffer | undefined): [number, number][] => {
  const out: [number, number][] = [];
  for (let at = 0; columns !== undefined && at < columns.length; at += 8)
    out.push([columns.readUInt32LE(at), columns.readUInt32LE(at + 4)]);
  return out;
};

describe('SecondCounts', () => {
  it('counts lines by second, in order of time', () => {
    const counts = new SecondCounts();
    for (const ms of [5_900, 1_000, 5_000, Number.NaN]) counts.add(ms);
    expect(pairs(counts.columns())).toEqual([
      [1, 1],
      [5, 2],
    ]);
  });

  it('is absent where no line has a time', () => {
    const counts = new SecondCounts();
    counts.add(Number.NaN);
    expect(counts.columns()).toBeUndefined();
  });

  it('gets coarser instead of larger, and loses no line', () => {
    const counts = new SecondCounts();
    for (let s = 0; s < 250_000; s += 1) counts.add(s * 1000);
    expect(counts.widthS).toBe(4);
    const all = pairs(counts.columns());
    expect(all.length).toBeLessThanOrEqual(100_000);
    expect(all.reduce((sum, [, n]) => sum + n, 0)).toBe(250_000);
  });
});
