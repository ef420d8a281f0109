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
import type { CallDraft } from './call-writer.ts';
import type { StringTable } from './string-table.ts';
import { STATE } from './types.ts';
import type { TimeWindow } from './window.ts';

export interface RecordedCalls {
  /** By start. */
  readonly calls: readonly CallDraft[];
  readonly undated: number;
  /** Of the oldest record, if the ring has lost older ones. */
  readonly heldFromNs: number;
  /** Newest moment in the dump; NaN = none. */
  readonly newestNs: number;
}

/** Index of the group that these entries of a rank belong to; -1 = none. */
export type GroupOf = (view: DumpView, local: LocalGroup) => number;

export function recordedCalls(
  view: DumpView,
  groupOf: GroupOf,
  strings: StringTable,
  window: TimeWindow,
): RecordedCalls {
  const { columns } = view.dump;
  const times: Times = {
    created: window.ofColumn(columns.createdNs),
    started: window.ofColumn(columns.startedNs),
    completed: window.ofColumn(columns.completedNs),
  };
  const ops = view.dump.strings.map((text) => (text.includes(':') ? splitOp(text).op : text));
  const calls: CallDraft[] = [];
  let undated = 0;
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
        calls.push({
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
  calls.sort((a, b) => a.startNs - b.startNs || a.record - b.record);
  const first = calls[0];
  return {
    calls,
    undated,
    heldFromNs: view.fromStart || first === undefined ? Number.NaN : first.startNs,
    newestNs: newest(times),
  };
}

interface Times {
  readonly created: Float64Array;
  readonly started: Float64Array;
  readonly completed: Float64Array;
}

interface RowList {
  readonly rows: readonly number[];
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
