import { describe, expect, it } from 'vitest';
import { rankMapModel } from '../../../../renderer/viewmodels/rank-map.ts';
import { namedReport } from '../../../e2e/support/named-report.ts';
import {
  cannotTellReport,
  groupReport,
  manyRanksReport,
  noFailureReport,
} from '../../../e2e/support/outcome-reports.ts';

describe('rankMapModel', () => {
  it('gives two nodes a row each, with their names, and numbers the cells', () => {
    const map = rankMapModel(namedReport());
    expect(map?.rowLabels.map((label) => label.text)).toEqual(['worker-c92-0', 'node-d69-1']);
    expect(map?.numbered).toBe(true);
    expect(map?.cells[11]).toMatchObject({ rank: 11, state: 'first', x: 3 * 24, y: 24, noDump: false });
    expect(map?.cells[6]).toMatchObject({ state: 'victim', noDump: true });
    expect(map?.summary).toBe('16 ranks: 1 first, 15 waiting or following; 2 without a dump');
  });

  it('draws ranks that nothing mentions as unknown, up to the size of the job', () => {
    const report = { ...cannotTellReport(), ranks: cannotTellReport().ranks.slice(3, 4) };
    const map = rankMapModel(report);
    expect(map?.cells.map((cell) => cell.state)).toEqual([
      'unknown',
      'unknown',
      'unknown',
      'victim',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
    ]);
    expect(map?.cells[0]?.title).toBe('rank 0: not in the bundle');
  });

  it('does not call a dump missing where there never was one', () => {
    expect(rankMapModel(groupReport())?.cells.some((cell) => cell.noDump)).toBe(false);
  });

  it.each([32, 64, 128, 256, 512, 1024, 4096])('fits %d ranks into the header, each on a place of its own', (count) => {
    const map = rankMapModel(manyRanksReport(count));
    if (map === null) throw new Error('no map');
    expect(map.cells).toHaveLength(count);
    expect(map.width).toBeLessThanOrEqual(450);
    expect(map.height).toBeLessThanOrEqual(72);
    expect(new Set(map.cells.map((cell) => `${cell.x}/${cell.y}`)).size).toBe(count);
    for (const cell of map.cells) {
      expect(cell.x + map.size).toBeLessThanOrEqual(map.width + 0.5);
      expect(cell.y + map.size).toBeLessThanOrEqual(map.height + 0.5);
    }
  });

  it('shows the attempt of the verdict where a rank has several', () => {
    const report = noFailureReport();
    const [first] = report.ranks;
    if (!first) throw new Error('no rank');
    const two = {
      ...report,
      verdict: { ...report.verdict, attempt: 0 },
      ranks: [first, { ...first, attempt: 1, role: 'first' as const }],
    };
    expect(rankMapModel({ ...two, incident: { ...two.incident, worldSize: 1 } })?.cells[0]?.state).toBe('fine');
    expect(
      rankMapModel({ ...two, verdict: { ...two.verdict, attempt: null }, incident: { ...two.incident, worldSize: 1 } })
        ?.cells[0]?.state,
    ).toBe('first');
  });

  it('is not drawn without ranks, and an absurd world size does not blow it up', () => {
    const report = { ...namedReport(), ranks: [] };
    expect(rankMapModel({ ...report, incident: { ...report.incident, worldSize: null } })).toBeNull();
    expect(
      rankMapModel({ ...namedReport(), incident: { ...report.incident, worldSize: 2_000_000_000 } })?.cells,
    ).toHaveLength(16);
  });
});
