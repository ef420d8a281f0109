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
    [16, 104],
    [64, 50],
    [128, 44],
    [512, 20],
    [1024, 12],
    [4096, 6],
    [16_384, 3],
  ])('%i ranks in cells of %i px, each once and none over another', (ranks, size) => {
    const layout = mapLayout(job(ranks), [], 'place', room);
    expect(layout.size).toBe(size);
    expect(layout.cells).toHaveLength(ranks);
    expect(new Set(layout.cells.map((cell) => `${cell.x} ${cell.y}`)).size).toBe(ranks);
    expect(layout.width).toBeLessThanOrEqual(room.width);
    expect(layout.height).toBeLessThanOrEqual(room.height);
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
