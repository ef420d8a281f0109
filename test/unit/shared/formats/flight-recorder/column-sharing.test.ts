import { serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { ColumnSharing } from '#shared/formats/flight-recorder/column-sharing.ts';
import { makeColumns, packColumns } from '#shared/formats/flight-recorder/columns.ts';
import type { DumpColumns } from '#shared/model/flight-recorder.ts';

const ROWS = 50;

/** Columns of a rank that calls what all call; `seq` of the first call and the moment differ. */
function columnsOf(seq: number, bornNs: bigint): DumpColumns {
  const draft = makeColumns(ROWS);
  for (let row = 0; row < ROWS; row++) {
    draft.recordId[row] = row;
    draft.op[row] = row % 3;
    draft.collectiveSeq[row] = seq + row;
    draft.opId[row] = seq + row;
    draft.createdNs[row] = bornNs + BigInt(row);
    draft.state[row] = row % 2;
    draft.durationMs[row] = row % 5 === 0 ? Number.NaN : -0;
  }
  return packColumns(draft, ROWS);
}

const FIELDS = Object.keys(columnsOf(0, 1n)).filter((field): field is keyof DumpColumns => field !== 'length');

describe('sharing of columns', () => {
  it('holds what is equal once, and lets nothing of a dump live on with its times', () => {
    const sharing = new ColumnSharing(16);
    const a = sharing.share(columnsOf(7, 100n));
    const b = sharing.share(columnsOf(7, 900n));
    for (const field of ['op', 'collectiveSeq', 'state', 'recordId', 'durationMs', 'startedNs'] as const)
      expect(b[field], field).toBe(a[field]);
    expect(b.createdNs).not.toBe(a.createdNs);
    for (const field of FIELDS) {
      const column = b[field];
      if (typeof column !== 'number') expect(column.byteLength, field).toBe(column.buffer.byteLength);
    }
  });

  it('changes no value, bit by bit', () => {
    const sharing = new ColumnSharing(2);
    const plus = columnsOf(7, 100n);
    sharing.share(plus);
    const minus = makeColumns(ROWS);
    minus.durationMs.fill(0);
    minus.durationMs[1] = Number.NaN;
    for (const [seq, born] of [
      [7, 100n],
      [8, 101n],
      [9, 100n],
      [7, 500n],
      [10, 5n],
      [7, 100n],
    ] as const) {
      const before = columnsOf(seq, born);
      const after = sharing.share(before);
      expect(after).toEqual(before);
      expect(Object.is(after.durationMs[1], -0)).toBe(true);
    }
    expect(Object.is(sharing.share(packColumns(minus, ROWS)).durationMs[2], 0)).toBe(true);
  });

  it('is serialised the same, whatever was seen before', () => {
    const seasoned = new ColumnSharing(16);
    for (let i = 0; i < 40; i++) seasoned.share(columnsOf(i % 5, BigInt(i)));
    const alone = serialize(new ColumnSharing(16).share(columnsOf(3, 1234n)));
    expect(serialize(seasoned.share(columnsOf(3, 1234n))).equals(alone)).toBe(true);
    const { opId, collectiveSeq } = seasoned.share(columnsOf(3, 1234n));
    expect(opId).toBe(collectiveSeq);
  });
});
