import { describe, expect, it } from 'vitest';
import { callTimes } from '#shared/views/collectives/call-times.ts';
import { groupTable } from '#shared/views/collectives/group-table.ts';
import type { CollectiveClock } from '#shared/views/collectives/types.ts';
import { byTimeItems, readRanks } from '../../../../../renderer/viewmodels/collectives/by-time.ts';
import { groupItems, type RowItem } from '../../../../../renderer/viewmodels/collectives/items.ts';
import { groupOf, viewDumpFiles } from '../../../../support/collectives-view.ts';
import { call, dumpFiles, sameProgram, simulate, times } from '../../../../support/dump-builder.ts';

/** Rank 2 of four leaves after call 7 of ten. */
function stalled(clocks: readonly CollectiveClock[], clockOf: (rank: number) => number, shiftNs = 0) {
  const job = sameProgram(4, times(10, call('all_reduce', 64)));
  job.programs[2]?.splice(7, Number.POSITIVE_INFINITY, 'stall');
  const { source, view: made } = viewDumpFiles(dumpFiles(simulate(job)));
  const view = { ...made, clocks, ranks: made.ranks.map((one) => ({ ...one, clock: clockOf(one.rank) })) };
  const group = groupOf(view, '0');
  const question = { mode: 'around', hideEqual: false, seq: null, from: 0, rows: 200, split: [] } as const;
  const answer = groupTable(view, group, question);
  const load = (entry: number) => ({ dump: source.input.dumps.find((one) => one.source.entry === entry), path: '' });
  const calls = answer.rows.map(({ seq, part }) => ({ seq, part }));
  const read = callTimes(view, group, { calls, ranks: readRanks(answer.sets) }, load);
  const shifted = {
    ...read,
    ranks: read.ranks.map((one) => (one.rank === 2 ? { ...one, rawNs: one.rawNs.map((ns) => ns + shiftNs) } : one)),
  };
  return { answer, read: shifted, items: groupItems(answer, 'corrected') };
}

const ONE: readonly CollectiveClock[] = [{ id: 'a', offsetMs: 0, boundMs: 0 }];
const rowsOf = (items: ReturnType<typeof byTimeItems>): RowItem[] =>
  items.flatMap((item) => (item.kind === 'row' ? [item] : []));

describe('calls by time', () => {
  it('reads the spokesman of each set and no rank without a dump', () => {
    const { answer } = stalled(ONE, () => 0);
    expect(readRanks(answer.sets)).toEqual([0, 1, 3, 2]);
  });

  it('go up in time, each call that was entered once, and say what a set never entered', () => {
    const { answer, read, items } = stalled(ONE, () => 0);
    const rows = rowsOf(byTimeItems(answer, items, read, 'corrected'));
    expect(rows.slice(0, 8).map((row) => row.label)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    const told = rows.map((row) => row.first).filter((first) => first !== '');
    expect(told).toEqual([...told].sort());
    expect(told.some((first) => first.startsWith('≈'))).toBe(false);
    expect(rows[7]?.cells.map((cell) => cell.state)).toEqual(['waiting', 'never-enqueued']);
  });

  it('part the rows of a set that lags behind, and say where it stands meanwhile', () => {
    const { answer, read, items } = stalled(ONE, () => 0, 3600e9);
    const rows = rowsOf(byTimeItems(answer, items, read, 'corrected'));
    expect(rows.slice(7, 12).map((row) => row.label)).toEqual(['8', '9', '10', '1', '2']);
    expect(rows[2]?.cells[1]).toMatchObject({ state: 'elsewhere', note: 'before these calls' });
    expect(rows[10]?.cells[0]).toMatchObject({ state: 'elsewhere', note: 'entered #10 last' });
  });

  it('claim no order that the bounds of two clocks do not support', () => {
    const wide = [
      { id: 'a', offsetMs: 0, boundMs: 0 },
      { id: 'b', offsetMs: 0, boundMs: 7_200_000 },
    ];
    const { answer, read, items } = stalled(wide, (rank) => (rank === 2 ? 1 : 0), 3600e9);
    const rows = rowsOf(byTimeItems(answer, items, read, 'corrected'));
    expect(rows[10]?.first.startsWith('≈ ')).toBe(true);
    expect(rows[10]?.firstTitle).toContain('order to the row above not determined');
    expect(rows[11]?.first.startsWith('≈')).toBe(false);
  });

  it('keep a clock that is not known out of the order, unless stamps are taken as they are', () => {
    const unknown = [...ONE, { id: 'b', offsetMs: undefined, boundMs: undefined }];
    const { answer, read, items } = stalled(unknown, (rank) => (rank === 2 ? 1 : 0), -3600e9);
    const corrected = rowsOf(byTimeItems(answer, items, read, 'corrected'));
    expect(corrected[0]?.cells.map((cell) => [cell.state, cell.note])).toEqual([
      ['completed', expect.any(String)],
      ['completed', 'clock not known'],
    ]);
    const raw = rowsOf(byTimeItems(answer, items, read, 'raw'));
    expect(raw[0]?.cells.map((cell) => cell.state)).toEqual(['elsewhere', 'completed']);
  });
});
