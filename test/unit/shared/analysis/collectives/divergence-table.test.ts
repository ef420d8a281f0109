import { describe, expect, it } from 'vitest';
import { call, dumpFiles, type Job, sameProgram, simulate, times } from '../../../../support/dump-builder.ts';
import { compareFiles } from '../../../../support/read-dumps.ts';

const STALL_AT = 8;
const job = (change: (job: Job) => void = () => {}, world = 6): Job => {
  const made = sameProgram(world, times(12, call('all_reduce', 4)));
  change(made);
  return made;
};
const stalled = job((made) => made.programs[4]?.splice(STALL_AT - 1, 99, 'stall'));

describe('the table around the first divergence', () => {
  it('has the deviating ranks first, then the largest set; the row of the divergence is among the rows', () => {
    const { table } = compareFiles(dumpFiles(simulate(stalled)));
    expect(table).toMatchObject({ group: '0', seq: STALL_AT, rows: [5, 6, 7, 8, 9, 10], moreRanks: 0 });
    expect(table?.columns.map((column) => [column.ranks, column.deviates])).toEqual([
      [[4], true],
      [[0, 1, 2, 3, 5], false],
    ]);
    expect(table?.columns.map((column) => column.cells.map((cell) => cell.state))).toEqual([
      ['completed', 'completed', 'completed', 'never-enqueued', 'never-enqueued', 'never-enqueued'],
      ['completed', 'completed', 'completed', 'waiting', 'enqueued', 'enqueued'],
    ]);
    expect(table?.calls).toEqual(['all_reduce [[4]] Float']);
    expect(table?.columns.flatMap((column) => column.cells.filter((cell) => cell.deviates)).length).toBe(1);
  });

  it('shows how far back the rings reach', () => {
    const { table } = compareFiles(dumpFiles(simulate(stalled), { ring: 2 }));
    expect(table?.columns.map((column) => column.held)).toEqual([
      { from: 6, to: 7 },
      { from: 9, to: 10 },
    ]);
    // Row 8 is gone from every ring of those that wait in it: their counters tell.
    expect(table?.columns[1]?.cells.map((cell) => [cell.state, cell.call])).toEqual([
      ['completed', undefined],
      ['completed', undefined],
      ['waiting', undefined],
      ['waiting', 0],
      ['enqueued', 0],
    ]);
  });

  it('shows ranks without a dump as such, in a column of their own', () => {
    const { table } = compareFiles(dumpFiles(simulate(stalled), {}, [1, 2]));
    const silent = table?.columns.find((column) => column.cells.every((cell) => cell.state === 'no-dump'));
    expect(silent).toMatchObject({ ranks: [1, 2], deviates: false, held: undefined });
  });

  it('tells calls apart by what has to agree: other sizes make a column, own sizes of all-to-all do not', () => {
    const sized = job((made) => {
      made.programs[2] = [...times(7, call('all_reduce', 4)), call('all_reduce', 5)];
    });
    const { table } = compareFiles(dumpFiles(simulate(sized)));
    expect(table?.columns.map((column) => column.ranks)).toEqual([[2], [0, 1, 3, 4, 5]]);
    expect(table?.calls).toEqual(['all_reduce [[4]] Float', 'all_reduce [[5]] Float']);
    const free = job((made) => {
      for (const [rank, program] of made.programs.entries()) {
        program.splice(0, 99, ...times(7, { ...call('all_to_all', 10 + rank), key: 'all_to_all' }), call('barrier'));
        if (rank === 4) program.splice(7, 1, 'stall');
      }
    });
    expect(compareFiles(dumpFiles(simulate(free))).table?.columns.map((column) => column.ranks)).toEqual([
      [4],
      [0, 1, 2, 3, 5],
    ]);
  });

  it('without a majority every side but the largest deviates', () => {
    const split = job((made) => {
      for (const rank of [3, 5]) made.programs[rank] = [...times(7, call('all_reduce', 4)), call('barrier')];
      for (const rank of [2, 4]) made.programs[rank] = [...times(7, call('all_reduce', 4)), call('all_gather', 4)];
    });
    const { first, table } = compareFiles(dumpFiles(simulate(split)));
    expect(first?.ranks).toEqual([]);
    expect(table?.columns.filter((column) => !column.deviates).map((column) => column.ranks)).toEqual([
      first?.sides[0],
    ]);
    expect(table?.columns.flatMap((column) => column.ranks).sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('is bounded: the columns that do not fit are counted', () => {
    const ragged = job((made) => {
      for (const [rank, program] of made.programs.entries())
        if (rank > 20) program.splice(8, 99, call('all_reduce', 4 + rank));
    }, 40);
    const table = compareFiles(dumpFiles(simulate(ragged))).table;
    expect(table?.columns).toHaveLength(8);
    const shown = table?.columns.reduce((sum, column) => sum + column.ranks.length, 0) ?? 0;
    expect(shown + (table?.moreRanks ?? 0)).toBe(40);
    expect(table?.columns.some((column) => !column.deviates && column.ranks.length === 21)).toBe(true);
  });

  it('is absent where nothing diverges', () => {
    expect(compareFiles(dumpFiles(simulate(job()))).table).toBe(undefined);
    expect(compareFiles([]).table).toBe(undefined);
  });

  it('a dump of an unknown rank keeps ranks without a dump from being named', () => {
    const gloo = sameProgram(4, times(8, call('all_reduce', 4)), { backend: 'gloo' });
    gloo.programs[2]?.splice(6, 99, 'stall');
    const files = dumpFiles(simulate(gloo), { config: 'none' });
    const named = (list: typeof files) => compareFiles(list, { worldSize: 4 }).roots.map((root) => root.rank);
    expect(named(files.filter((file) => !file.path.endsWith('2')))).toEqual([2]);
    const unplaced = files.map((file) => (file.path.endsWith('2') ? { ...file, path: 'dump' } : file));
    expect(named(unplaced)).toEqual([]);
  });
});
