/** Where lines are counted in time: what it holds must not grow with files that share a clock. */
import { describe, expect, it } from 'vitest';
import { layOutDensity } from '#engine/search/case-index.ts';

const files = (count: number, offsetNs: (file: number) => number) =>
  Array.from({ length: count }, (_, file) => ({ offsetNs: offsetNs(file) }));

describe('cells of lines in time', () => {
  it.each([
    ['of one clock', 4_096, () => 0, 4_096, 1],
    ['of 512 nodes with eight files each', 4_096, (file: number) => (file >> 3) * 1e6, 2_048, 512],
    ['each with an offset of its own', 4_096, (file: number) => file * 1e6, 512, 4_096],
    ['without files', 0, () => 0, 4_096, 0],
  ])('%s', (_, count, offset, buckets, rows) => {
    const cells = layOutDensity(files(count, offset));
    expect(cells.buckets).toBe(buckets);
    expect(cells.offsetsNs).toHaveLength(rows);
    for (let file = 0; file < count; file += 511) {
      expect(cells.offsetsNs[cells.rowOf[file] ?? -1]).toBe(offset(file));
    }
  });
});
