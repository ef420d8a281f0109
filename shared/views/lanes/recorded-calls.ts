/**
 * The records of one dump as calls. States as the window defines them:
 *
 * - `completed`  a completion is recorded; gloo, which records none: retired, and the program issued a later call of the group
 * - `ended`      gloo: retired, and it is the last of its group: it may have failed
 * - `waiting`    the oldest call of its group that has not ended          - `enqueued`  any later one
 */

import type { DumpView, LocalGroup } from '../../analysis/collectives/dump-view.ts';
import { splitOp } from '../../analysis/collectives/dump-view.ts';
import { hasEnded } from '../../analysis/collectives/positions.ts';
import type { LaneCalls } from './lane-calls.ts';
import type { StringTable } from './string-table.ts';
import { STATE } from './types.ts';
import type { TimeWindow } from './window.ts';

export interface RecordedCalls {
  /** Calls with a start, which went into the lane. */
  readonly dated: number;
  readonly undated: number;
  /** Of the oldest record, if the ring has lost older ones. */
  readonly heldFromNs: number;
  /** Newest moment in the dump; NaN = none. */
  readonly newestNs: number;
}

/** Index of the group that these entries of a rank belong to; -1 = none. */
export type GroupOf = (view: DumpView, local: LocalGroup) => number;

export interface RecordedInto {
  readonly calls: LaneCalls;
  /** Columns of times, used again for each dump. */
  readonly times: TimeColumns;
  readonly strings: StringTable;
  readonly window: TimeWindow;
}

/** Begins the lane anew with the calls of this dump. O(entries). */
export function recordedCalls(
  view: DumpView,
  groupOf: GroupOf,
  { calls, times, strings, window }: RecordedInto,
): RecordedCalls {
  const { columns } = view.dump;
  times.read(view, window);
  const ops = view.dump.strings.map((text) => (text.includes(':') ? splitOp(text).op : text));
  calls.begin(columns.length);
  let dated = 0;
  let undated = 0;
  let oldestNs = Number.NaN;
  for (const local of view.groups) {
    const group = groupOf(view, local);
    const endsOnly = local.backend === 'gloo';
    for (const { rows, seqOf } of rowLists(view, local)) {
      const oldestOpen = rows.find((row) => !hasEnded(view, row, endsOnly));
      rows.forEach((row, i) => {
        const startNs = startOf(times, row);
        if (Number.isNaN(startNs)) {
          undated += 1;
          return;
        }
        const ended = hasEnded(view, row, endsOnly);
        const over = endsOnly && i === rows.length - 1 ? STATE.ended : STATE.completed;
        dated += 1;
        if (!(startNs >= oldestNs)) oldestNs = startNs;
        calls.set(row, {
          startNs,
          endNs: ended ? endOf(times, view, row, startNs) : Number.NaN,
          state: ended ? over : row === oldestOpen ? STATE.waiting : STATE.enqueued,
          group,
          seq: clampSeq(seqOf(i, row)),
          op: strings.of(ops[columns.op[row] ?? -1] ?? ''),
          record: row,
        });
      });
    }
  }
  return { dated, undated, heldFromNs: view.fromStart ? Number.NaN : oldestNs, newestNs: newest(times) };
}

/** Times of one dump, relative to the window; NaN = absent. */
export class TimeColumns {
  created: Float64Array = new Float64Array(0);
  started: Float64Array = new Float64Array(0);
  completed: Float64Array = new Float64Array(0);

  read({ dump: { columns } }: DumpView, window: TimeWindow): void {
    this.created = window.ofColumn(columns.createdNs, this.created);
    this.started = window.ofColumn(columns.startedNs, this.started);
    this.completed = window.ofColumn(columns.completedNs, this.completed);
  }
}

type Times = Pick<TimeColumns, 'created' | 'started' | 'completed'>;

interface RowList {
  readonly rows: Int32Array;
  readonly seqOf: (index: number, row: number) => number;
}

function rowLists(view: DumpView, local: LocalGroup): RowList[] {
  const { p2pSeq } = view.dump.columns;
  return [
    { rows: local.rows, seqOf: (index) => local.seqs[index] ?? -1 },
    { rows: local.p2pRows, seqOf: (_, row) => p2pSeq[row] ?? -1 },
  ];
}

/** Before 2.0 some recorders give no creation: then the start. */
const startOf = ({ created, started }: Times, row: number): number => {
  const at = created[row] ?? Number.NaN;
  return Number.isNaN(at) ? (started[row] ?? Number.NaN) : at;
};

function endOf(times: Times, view: DumpView, row: number, startNs: number): number {
  const at = times.completed[row] ?? Number.NaN;
  if (at >= startNs) return at;
  const from = times.started[row] ?? Number.NaN;
  const ms = view.dump.columns.durationMs[row] ?? Number.NaN;
  const by = from + ms * 1e6;
  return by >= startNs ? by : Number.NaN;
}

function newest({ created, completed }: Times): number {
  let most = Number.NaN;
  for (const column of [created, completed])
    for (const at of column) if (at > most || (Number.isNaN(most) && !Number.isNaN(at))) most = at;
  return most;
}

const clampSeq = (seq: number): number => (seq >= 0 && seq <= 0x7fff_ffff ? seq : -1);
