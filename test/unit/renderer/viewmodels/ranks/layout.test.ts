import { describe, expect, it } from 'vitest';
import { commonPrefix, mapLayout } from '../../../../../renderer/viewmodels/ranks/layout.ts';
import type { RankRow } from '../../../../../renderer/viewmodels/ranks/rows.ts';

const row = (rank: number, part: Partial<RankRow> = {}): RankRow => ({
  ...{ rank, row: null, at: rank, role: 'bystander', coordinates: [], conflicts: [] },
  node: `gpu-a${String(Math.floor(rank / 8)).padStart(2, '0')}`,
  pod: null,
  localRank: rank % 8,
  ...part,
});
const job = (ranks: number): RankRow[] => Array.from({ length: ranks }, (_, rank) => row(rank));
const room = { width: 1040, height: 440, scale: 1 };

describe('the layout of the map', () => {
  it.each([
    [8, 104, 104],
    [16, 104, 104],
    [64, 44, 108],
    [128, 20, 116],
    [512, 20, 20],
    [1024, 12, 12],
    [4096, 6, 6],
    [16_384, 3, 3],
  ])('%i ranks in cells %i px high and %i wide, each once and none over another', (ranks, size, sizeX) => {
    const layout = mapLayout(job(ranks), [], 'place', room);
    expect([layout.size, layout.sizeX]).toEqual([size, sizeX]);
    expect(layout.cells).toHaveLength(ranks);
    expect(new Set(layout.cells.map((cell) => `${cell.x} ${cell.y}`)).size).toBe(ranks);
    expect(layout.width).toBeLessThanOrEqual(room.width);
    expect(layout.height).toBeLessThanOrEqual(room.height);
  });

  it('makes cells wider than high where they would stand in one half of the room, and never higher than wide', () => {
    for (const [width, height] of [
      [660, 276],
      [1330, 536],
      [1026, 536],
      [400, 900],
    ] as const) {
      const layout = mapLayout(job(64), [], 'place', { width, height, scale: 1 });
      expect(layout.sizeX, `${width}`).toBeGreaterThanOrEqual(layout.size);
      expect(layout.width, `${width}`).toBeLessThanOrEqual(width);
      // Nothing of a column's width is left over.
      expect(layout.width + layout.pitchX, `${width}`).toBeGreaterThan(width);
    }
  });

  it('keeps nodes of unequal size in lines of their own length', () => {
    const rows = [8, 4, 2, 6].flatMap((count, node) =>
      Array.from({ length: count }, (_, local) => ({ node: `n${node}`, localRank: local })),
    );
    const layout = mapLayout(
      rows.map((part, rank) => row(rank, part)),
      [],
      'place',
      room,
    );
    expect(layout.lines.map(({ members }) => members.length)).toEqual([8, 4, 2, 6]);
    const [, second] = layout.lines;
    expect(second?.members.map((at) => layout.cellOf[at]?.y)).toEqual(new Array(4).fill(second?.y));
  });

  it('puts a block a stage where each node has one', () => {
    const rows = job(32).map((one) => ({ ...one, coordinates: [Math.floor(one.rank / 16)] }));
    const layout = mapLayout(rows, [{ kind: 'pp' }], 'place', room);
    expect(layout.blocks.map((block) => block.title)).toEqual(['Stage 0', 'Stage 1']);
    const torn = job(32).map((one) => ({ ...one, coordinates: [one.rank % 2] }));
    expect(mapLayout(torn, [{ kind: 'pp' }], 'place', room).blocks).toHaveLength(1);
  });

  it('keeps two ranks with one place apart, and those without a place in a block with the reason', () => {
    const rows = [row(0), row(1, { localRank: 0 }), row(2, { node: null, localRank: null })];
    const layout = mapLayout(rows, [], 'place', room);
    expect(new Set(layout.cells.map((cell) => `${cell.x} ${cell.y}`)).size).toBe(3);
    expect(layout.blocks.at(-1)?.title).toBe('Unplaced: no file of the bundle speaks of it');
  });

  it('lays ranks out by their groups: stages, replicas down, parts of a layer across', () => {
    const rows = job(16).map((one) => ({ ...one, coordinates: [one.rank >> 3, (one.rank >> 2) & 1, one.rank & 3] }));
    const axes = [{ kind: 'pp' }, { kind: 'dp' }, { kind: 'tp' }];
    const layout = mapLayout(rows, axes, 'groups', room);
    expect(layout.blocks).toHaveLength(2);
    expect(layout.lines.map((line) => line.title)).toEqual(['dp 0', 'dp 1', 'dp 0', 'dp 1']);
    expect(layout.lines[1]?.members).toEqual([4, 5, 6, 7]);
  });

  it('cuts the prefix that all names share at a separator', () => {
    expect(commonPrefix(['gpu-a01', 'gpu-a02'])).toBe('gpu-');
    expect(commonPrefix(['gpu', 'node'])).toBe('');
    expect(commonPrefix(['gpu-a01'])).toBe('');
  });
});
