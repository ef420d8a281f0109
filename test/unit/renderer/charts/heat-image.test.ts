import { describe, expect, it } from 'vitest';
import { STATE } from '#shared/views/lanes/index.ts';
import { colourCells, mergeRows } from '../../../../renderer/charts/heat-image.ts';

const colours = {
  byState: Uint32Array.from({ length: 16 }, (_, state) => 100 + state),
  byShare: Uint32Array.from([0, 1, 2, 3, 4, 5]),
  front: 999,
};
const paint = (rows: readonly (readonly number[])[]) => {
  const columns = rows[0]?.length ?? 0;
  const out = new Uint32Array(columns * rows.length);
  colourCells(Uint8Array.from(rows.flat()), columns, rows.length, colours, out);
  return rows.map((_, row) => [...out.subarray(row * columns, (row + 1) * columns)]);
};
const W = STATE.waiting;

describe('cells as pixels', () => {
  it('lights the front of the waiting and keeps the wall behind it quiet', () => {
    expect(
      paint([
        [0, W, W, W],
        [0, 0, W, W],
        [0, W, W, W],
      ]),
    ).toEqual([
      [0, 999, 105, 105],
      [0, 0, 999, 105],
      [0, 999, 105, 105],
    ]);
  });

  it('gives one first rank its own colour and does not take it for a front', () => {
    expect(
      paint([
        [W, W],
        [STATE.first, STATE.first],
        [W, W],
      ])[0],
    ).toEqual([105, 105]);
  });

  it('merges lanes into a row by the worst, completed ones by their mean share', () => {
    const done = (share: number) => STATE.completed | (share << 4);
    const cells = Uint8Array.from([done(1), done(1), done(5), STATE.failed, W, 0]);
    expect([...mergeRows(cells, 2, Int32Array.from([0, 0, 1]))]).toEqual([done(3), STATE.failed, W, 0]);
  });
});
