import { describe, expect, it } from 'vitest';
import type { Report } from '#shared/report/schema.ts';
import { compareReports } from '#shared/views/compare/index.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';
import { buildIncident, type IncidentSpec } from '../../../../support/incidents/index.ts';
import { TWO_NODE_STALL } from '../../../../support/two-node-stall.ts';

const SPEC: IncidentSpec = {
  ...TWO_NODE_STALL,
  seed: 5,
  ranksPerNode: 4,
  loop: { ...TWO_NODE_STALL.loop, steps: 40 },
  fault: { kind: 'stall', rank: 5, step: 31, where: 'data' },
};

const reportOf = (spec: Partial<IncidentSpec>): Report =>
  analyseFiles(buildIncident({ ...SPEC, ...spec }).files).report;

const stall = reportOf({});
const other = reportOf({ seed: 6, fault: { kind: 'exception', rank: 3, step: 20, what: 'python' } });

describe('comparing two reports', () => {
  it('finds no difference between a case and itself', () => {
    const rows = compareReports(stall, stall);
    expect(rows.filter((row) => row.same !== 'equal')).toEqual([]);
    expect(rows.find((row) => row.id === 'first-node')).toMatchObject({ telling: true, kind: 'repeated hardware' });
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  });

  it('tells what differs, and what only one of the two tells is no difference', () => {
    const rows = new Map(compareReports(stall, other).map((row) => [row.id, row]));
    expect(rows.get('first-rank')).toMatchObject({ a: 'rank 5', b: 'rank 3', same: 'differs', kind: 'other rank' });
    expect(rows.get('call')).toMatchObject({ same: 'unknown', kind: 'not told in B' });
    expect(rows.get('nodes')).toMatchObject({ same: 'differs', kind: 'none shared', telling: false });
    expect(rows.get('when')).toMatchObject({ same: 'differs', kind: 'time only' });
    expect(rows.get('when')?.a).toMatch(/^stalled between \S+Z( \([^)]+\))? and \S+Z \([^)]+\)$/);
    expect(rows.get('world')).toMatchObject({ a: '8', b: '8', same: 'equal' });
  });

  it('is the mirror of itself with sides swapped', () => {
    const there = compareReports(stall, other);
    const back = new Map(compareReports(other, stall).map((row) => [row.id, row]));
    for (const row of there) {
      expect(back.get(row.id)?.a).toBe(row.b);
      expect(back.get(row.id)?.same).toBe(row.same);
    }
  });

  it('finds a node that both have even if their lists differ', () => {
    const [first] = stall.ranks;
    const moved: Report = {
      ...other,
      ranks: other.ranks.map((row) => (row.rank === 0 ? { ...row, node: first?.node ?? '' } : row)),
    };
    expect(compareReports(stall, moved).find((row) => row.id === 'nodes')).toMatchObject({
      same: 'differs',
      telling: true,
      kind: `shared: ${first?.node}`,
    });
  });

  it('names the first frame in which two stacks part', () => {
    const withStack = (frames: readonly string[]): Report => ({
      ...stall,
      collectives: {
        ...stall.collectives,
        firstDivergence: {
          ...{ group: '0', seq: 7, kind: 'op', expected: 'all_reduce [[4]] Float', actual: 'barrier' },
          ...{ ranks: [5], basis: 'dump', why: '' },
          frames: [{ ranks: [5], frames: [...frames] }],
        },
      },
    });
    const rows = compareReports(
      withStack(['inner.py:9 a', 'train.py:140 save', 'train.py:1 main']),
      withStack(['inner.py:4 b', 'train.py:140 save', 'train.py:1 main']),
    );
    expect(rows.find((row) => row.id === 'frame')).toMatchObject({
      a: 'inner.py:9 a',
      b: 'inner.py:4 b',
      kind: 'same in 2 outer frames',
    });
    const same = withStack(['inner.py:9 a', 'train.py:1 main']);
    expect(compareReports(same, same).find((row) => row.id === 'frame')).toMatchObject({
      name: 'Innermost frame',
      telling: true,
    });
  });
});
