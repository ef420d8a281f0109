import { describe, expect, it } from 'vitest';
import type { Lane, LaneSection } from '#shared/views/lanes/index.ts';
import {
  lanesAt,
  lanesBetween,
  layoutRows,
  type Row,
  type RowChoice,
  rowAt,
} from '../../../../../renderer/viewmodels/timeline/rows.ts';

const FREE: RowChoice = { toggled: new Set(), hidden: new Set(), pinned: [], ranks: [], tier: 'auto' };

const lane = (rank: number): Lane =>
  ({ id: `rank-${rank}`, kind: 'rank', rank, callFrom: 0, callTo: 0 }) as unknown as Lane;

function job(nodes: number, perNode: number) {
  const lanes = Array.from({ length: nodes * perNode }, (_, rank) => lane(rank));
  const sections = Array.from(
    { length: nodes },
    (_, i): LaneSection => ({
      id: `node-${i}`,
      title: `n${i}`,
      by: 'node',
      pods: [],
      clock: 0,
      laneFrom: i * perNode,
      laneTo: (i + 1) * perNode,
    }),
  );
  return { lanes, sections };
}

const lay = (nodes: number, perNode: number, choice: Partial<RowChoice> = {}, heightPx = 600) => {
  const { lanes, sections } = job(nodes, perNode);
  return layoutRows(sections, lanes, { ...FREE, ...choice }, { heightPx, rowPx: 24 });
};

/** Rows below one another, none over another, bands on folded heads aside. */
const isStacked = (rows: readonly Row[]): boolean =>
  rows.every((row, i) => {
    const next = rows[i + 1];
    return (
      next === undefined || next.y >= row.y + row.h || (row.kind === 'head' && next.kind === 'band' && next.y === row.y)
    );
  });

describe('rows of lanes', () => {
  it.each([
    [2, 8, 'full'],
    [12, 8, 'compact'],
    [64, 8, 'heat'],
    [512, 8, 'heat'],
  ] as const)('%i nodes of %i ranks come %s', (nodes, perNode, tier) => {
    const layout = lay(nodes, perNode);
    expect(layout.tier).toBe(tier);
    expect(isStacked(layout.rows)).toBe(true);
    const drawn = layout.rows.flatMap((row) =>
      row.kind === 'head' ? [] : row.kind === 'lane' ? [row.lane] : row.lanes,
    );
    expect(drawn).toHaveLength(nodes * perNode);
  });

  it('shares pixels among whole lanes where there are more lanes than pixels', () => {
    const layout = lay(512, 8);
    expect(layout.lanesPerPx).toBe(7);
    expect(layout.heightPx).toBeLessThanOrEqual(512 * 2);
  });

  it('unfolds a place of the heat tier into lanes of 16 px', () => {
    const layout = lay(64, 8, { toggled: new Set(['node-3']) });
    const open = layout.rows.filter((row) => row.section === 3);
    expect(open.map((row) => row.kind)).toEqual(['head', ...Array(8).fill('lane')]);
    expect(open.slice(1).every((row) => row.h === 16)).toBe(true);
    expect(isStacked(layout.rows)).toBe(true);
  });

  it('folds a place of the tall tiers into one row', () => {
    const layout = lay(2, 8, { toggled: new Set(['node-0']) });
    expect(layout.rows.filter((row) => row.section === 0).map((row) => row.kind)).toEqual(['head', 'band']);
  });

  it('drops hidden lanes and those that the filter leaves out, and says of how many', () => {
    expect(lay(2, 8, { ranks: [3, 9] }).shown).toEqual([3, 9]);
    expect(lay(2, 8, { hidden: new Set(['rank-0']) }).shown).toHaveLength(15);
    const none = lay(2, 8, { ranks: [900] });
    expect([none.shown.length, none.total, none.rows.length]).toEqual([0, 16, 0]);
  });

  it('keeps pinned lanes on top, in the order they were pinned', () => {
    const { pinned } = lay(2, 8, { pinned: ['rank-9', 'rank-1', 'gone'] });
    expect(pinned.map((row) => (row.kind === 'lane' ? [row.lane, row.y] : null))).toEqual([
      [9, 0],
      [1, 24],
    ]);
  });

  it('finds the row at a height, and the lanes under a pixel', () => {
    const layout = lay(64, 8);
    const last = layout.rows.at(-1);
    expect(rowAt(layout.rows, layout.heightPx - 1)).toBe(last);
    expect(rowAt(layout.rows, layout.heightPx + 50)).toBeUndefined();
    expect(last === undefined ? [] : lanesAt(last, last.y)).toEqual([504]);
  });
});

describe('lanes between two heights', () => {
  const between = (layout: ReturnType<typeof lay>, from: number, to: number): number[] =>
    layout.rows.flatMap((row) => [...lanesBetween(row, from, to)]);

  it('are those of which some part is inside, without the heads', () => {
    const layout = lay(2, 4);
    const rows = layout.rows.filter((row) => row.kind === 'lane');
    const [second, third] = [rows[1], rows[2]];
    if (second === undefined || third === undefined) throw new Error('no rows');
    expect(between(layout, second.y + 3, third.y + 1)).toEqual([1, 2]);
    expect(between(layout, second.y, third.y)).toEqual([1]);
    expect(between(layout, 0, 5)).toEqual([]);
  });

  it('are a share of a band of many', () => {
    const layout = lay(64, 64);
    const band = layout.rows.find((row) => row.kind === 'band');
    if (band?.kind !== 'band') throw new Error('no band');
    expect(lanesBetween(band, band.y, band.y + band.h)).toEqual(band.lanes);
    const half = lanesBetween(band, band.y - 10, band.y + band.h / 2);
    expect(half).toEqual(band.lanes.slice(0, Math.ceil(band.lanes.length / 2)));
    expect(lanesBetween(band, band.y + band.h, band.y + band.h + 5)).toEqual([]);
  });
});
