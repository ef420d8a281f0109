import { describe, expect, it } from 'vitest';
import { buildCollectivesView } from '#shared/views/collectives/index.ts';
import { buildLanes } from '#shared/views/lanes/index.ts';
import { momentOf, ranksIndex } from '#shared/views/ranks/index.ts';
import { legendRows, waitsFor } from '../../../../../renderer/viewmodels/ranks/legend.ts';
import { COLOURS } from '../../../../../renderer/viewmodels/ranks/looks.ts';
import { rankRows, unplacedReason } from '../../../../../renderer/viewmodels/ranks/rows.ts';
import { sortTwin, twinRows } from '../../../../../renderer/viewmodels/ranks/table.ts';
import { call, dumpFiles, sameProgram, simulate, times } from '../../../../support/dump-builder.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';

/** Rank 2 of six stalls, rank 4 left no dump. */
function stalled() {
  const job = sameProgram(6, times(40, call('all_reduce', 64)));
  job.programs[2]?.splice(30, Number.POSITIVE_INFINITY, 'stall');
  const dumps = dumpFiles(simulate(job)).filter(({ path }) => !path.endsWith('4'));
  const source = analyseFiles(new Map(dumps.map(({ path, bytes }) => [`fr/${path}`, bytes])));
  const lanes = buildLanes(source);
  if (lanes === undefined) throw new Error('nothing with a time');
  const index = ranksIndex({ lanes, stored: undefined, collectives: buildCollectivesView(source) });
  const at = (ns: number, colour: 'state' | 'errors' | 'sequence' = 'state') =>
    momentOf(lanes, undefined, { basis: 'corrected', at: ns, colour, group: null });
  return { report: source.report, index, at, end: index.time?.spans.corrected.to ?? 0 };
}

describe('the table below the map', () => {
  it('adds up to all ranks by whatever it is coloured', () => {
    const { report, index, at, end } = stalled();
    const rows = rankRows(report, index);
    expect(rows).toHaveLength(6);
    for (const colour of COLOURS)
      for (const ns of [-1e9, end / 2, end]) {
        const asked = colour === 'errors' || colour === 'sequence' ? colour : 'state';
        const ranks = legendRows(rows, index, at(ns, asked), colour, 'corrected').flatMap((row) => row.ranks);
        expect(
          [...ranks].sort((a, b) => a - b),
          `${colour} at ${ns}`,
        ).toEqual([0, 1, 2, 3, 4, 5]);
      }
  });

  it('stands in the order of the chain and says who waits for whom, in which call', () => {
    const { report, index, at, end } = stalled();
    const legend = legendRows(rankRows(report, index), index, at(end), 'state', 'corrected');
    expect(legend.map((row) => [row.state, row.ranks])).toEqual([
      ['First rank', [2]],
      ['Waits for rank 2', [0, 1, 3, 5]],
      ['No dump', [4]],
    ]);
    expect(legend[0]).toMatchObject({ look: 'first', end: 'never enqueued' });
    expect(legend[0]?.call).toMatch(/all_reduce #31$/);
    expect(legend[1]?.call).toMatch(/all_reduce #31$/);
    expect(legend[2]).toMatchObject({ look: 'no-file', call: '', sinceNote: '' });
    expect(legend[2]?.sinceNs).toBeNaN();
  });

  it.each([
    [{ level: 0, kind: 'tp', awaited: [4], node: null, ring: false }, 'Waits for rank 4'],
    [{ level: 1, kind: 'pp', awaited: [0, 1, 2, 3], node: 'gpu-a05', ring: false }, 'Waits for gpu-a05'],
    [{ level: 2, kind: 'dp', awaited: [0, 1, 2, 3, 9], node: null, ring: false }, 'Waits behind them, dp'],
    [{ level: 0, kind: '', awaited: [0, 1], node: null, ring: true }, 'Waits in a ring'],
  ])('words of %o', (link, words) => expect(waitsFor(link)).toBe(words));
});

describe('rows and their table', () => {
  it('fill the ranks that nothing speaks of, with the reason', () => {
    const { report, index } = stalled();
    const rows = rankRows({ ...report, incident: { ...report.incident, worldSize: 8 } }, index);
    expect(rows.map((row) => row.rank)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(rows[7]).toMatchObject({ row: null, at: -1 });
    expect(rows.slice(6).map(unplacedReason)).toEqual(Array(2).fill('no file of the bundle speaks of it'));
  });

  it('sort by a column with what is unknown last, in either direction', () => {
    const { report, index, at, end } = stalled();
    const rows = twinRows({ rows: rankRows(report, index), index, moment: at(end), timeText: String });
    const since = 3;
    expect(sortTwin(rows, since, false).at(-1)?.rank).toBe(4);
    expect(sortTwin(rows, since, true).at(-1)?.rank).toBe(4);
    expect(sortTwin(rows, 1, false)[0]?.rank).toBe(2);
  });
});
