import { describe, expect, it } from 'vitest';
import { exitText, type RankSort, rankTableRows } from '../../../../renderer/viewmodels/rank-table.ts';
import { correctedReport, namedReport } from '../../../e2e/support/named-report.ts';
import { manyRanksReport } from '../../../e2e/support/outcome-reports.ts';

const BY_ROLE: RankSort = { column: 'role', descending: false };
const CLOSED: ReadonlySet<string> = new Set();

describe('rankTableRows', () => {
  it('puts the first rank first and folds ranks that ended alike', () => {
    const rows = rankTableRows(namedReport(), { sort: BY_ROLE, fold: true, open: CLOSED });
    expect(rows.map((row) => (row.kind === 'set' ? row.label : `rank ${row.rank}`))).toEqual([
      'rank 11',
      '0–3, 5, 7–10, 12, 14, 15',
      'rank 4',
      'rank 6',
      'rank 13',
    ]);
  });

  it('counts every rank once, folded or not', () => {
    const report = manyRanksReport(512);
    const folded = rankTableRows(report, { sort: BY_ROLE, fold: true, open: CLOSED });
    expect(folded.flatMap((row) => (row.kind === 'set' ? row.ranks : [row.rank])).sort((a, b) => a - b)).toEqual(
      report.ranks.map((row) => row.rank),
    );
    expect(rankTableRows(report, { sort: BY_ROLE, fold: false, open: CLOSED })).toHaveLength(512);
  });

  it('unfolds a set in place', () => {
    const report = namedReport();
    const closed = rankTableRows(report, { sort: BY_ROLE, fold: true, open: CLOSED });
    const set = closed.find((row) => row.kind === 'set');
    if (!set) throw new Error('no set');
    const open = rankTableRows(report, { sort: BY_ROLE, fold: true, open: new Set([set.key]) });
    expect(open).toHaveLength(closed.length + 12);
    expect(open.filter((row) => row.kind === 'rank' && row.inSet)).toHaveLength(12);
  });

  it.each([
    ['rank', false, [0, 1, 2]],
    ['rank', true, [15, 14, 13]],
    ['seen', false, [0, 4, 8]],
  ] as const)('sorts by %s (descending %s)', (column, descending, expected) => {
    const rows = rankTableRows(namedReport(), { sort: { column, descending }, fold: false, open: CLOSED });
    expect(rows.slice(0, 3).map((row) => row.kind === 'rank' && row.rank)).toEqual(expected);
  });

  it('keeps unknown values last in both directions', () => {
    const report = namedReport();
    const ranks = report.ranks.map((row) => (row.rank === 3 ? { ...row, node: null } : row));
    for (const descending of [false, true]) {
      const rows = rankTableRows(
        { ...report, ranks },
        { sort: { column: 'node', descending }, fold: false, open: CLOSED },
      );
      expect(rows.at(-1)).toMatchObject({ rank: 3 });
    }
  });

  it('never compares raw stamps of two clocks, and never shows a bare one', () => {
    const rows = rankTableRows(manyRanksReport(32), { sort: BY_ROLE, fold: true, open: CLOSED });
    const set = rows.find((row) => row.kind === 'set');
    expect(set?.cells.seen).toMatch(/^\d clocks, raw$/);
    for (const row of rankTableRows(namedReport(), { sort: BY_ROLE, fold: false, open: CLOSED }))
      expect(row.cells.seen).toMatch(/ raw$/);
    for (const row of rankTableRows(correctedReport(), { sort: BY_ROLE, fold: false, open: CLOSED }))
      expect(row.cells.seen).not.toMatch(/raw/);
  });
});

describe('exitText', () => {
  it.each([
    [
      'a reason of Kubernetes first',
      { code: 137, signal: 9, reason: 'OOMKilled', at: null },
      'OOMKilled, SIGKILL, exit 137',
    ],
    [
      'a sentence last',
      { code: 1, signal: null, reason: 'To enable traceback see a page', at: null },
      'exit 1, To enable traceback see a page',
    ],
    ['code 0 is a code', { code: 0, signal: null, reason: null, at: null }, 'exit 0'],
    ['a signal without a name', { code: null, signal: 42, reason: null, at: null }, 'signal 42'],
    ['nothing known', { code: null, signal: null, reason: null, at: null }, '–'],
    ['a signal that is its own reason', { code: null, signal: 15, reason: 'SIGTERM', at: null }, 'SIGTERM'],
    ['no exit', null, '–'],
  ])('%s', (_name, exit, expected) => {
    expect(exitText(exit)).toBe(expected);
  });
});
