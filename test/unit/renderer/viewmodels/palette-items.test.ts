import { describe, expect, it } from 'vitest';
import { paletteGroups } from '../../../../renderer/viewmodels/palette-items.ts';
import { vitScenario } from '../../../e2e/support/incidents.ts';
import { manyRanksReport } from '../../../e2e/support/outcome-reports.ts';

const sources = {
  commands: [
    { id: 'open-bundle', title: 'Open bundle…', keys: 'Ctrl O' },
    { id: 'overview', title: 'Go to Overview', keys: 'Ctrl 1' },
  ],
  report: manyRanksReport(32),
  entries: vitScenario().entries,
};

describe('paletteGroups', () => {
  it('shows commands only while nothing is typed', () => {
    expect(paletteGroups('', sources).map((group) => group.title)).toEqual(['Commands']);
  });

  it('finds the rank that is named before those that contain the digits', () => {
    const [ranks] = paletteGroups('rank 1', sources);
    expect(ranks?.title).toBe('Ranks');
    expect(ranks?.items.map((item) => item.kind === 'rank' && item.rank)).toEqual([1, 10, 11, 12, 13, 14]);
  });

  it('asks for every word, in any order', () => {
    const files = paletteGroups('log vit', sources).find((group) => group.title === 'Files');
    expect(files?.items.map((item) => item.text)).toEqual([
      'logs/vit-large-0.log',
      'logs/vit-large-1.log',
      'logs/vit-large-0.log.1',
    ]);
    expect(paletteGroups('log zebra', sources)).toEqual([]);
  });

  it('takes > as commands only', () => {
    expect(paletteGroups('> open', sources)).toEqual([
      { title: 'Commands', items: [expect.objectContaining({ id: 'open-bundle' })] },
    ]);
  });

  it('treats special characters as text', () => {
    expect(paletteGroups('(.*', sources)).toEqual([]);
  });
});
