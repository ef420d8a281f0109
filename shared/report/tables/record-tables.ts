/** Tables whose rows come from the stored records: events of logs, entries of recorder dumps. They may have millions of rows. */
import { DUMP_STATES, type DumpColumns, type FlightRecorderDump } from '../../model/flight-recorder.ts';
import type { StoredEvent } from '../../model/stored-event.ts';
import { caseTable, type Row } from './types.ts';

export const EVENTS_TABLE = caseTable('events', [
  'file:text',
  'line:long',
  'last_line:long',
  'byte:long',
  'length:int',
  'rank:int',
  'kind:text',
  'time:time',
  'time_ns:long',
  'record:text',
]);

export const COLLECTIVES_TABLE = caseTable('collectives', [
  'file:text',
  'record:int',
  'rank:int',
  'group_id:text',
  'group_name:text',
  'group_desc:text',
  'seq:long',
  'p2p_seq:long',
  'op_id:long',
  'op:text',
  'is_p2p:flag',
  'state:text',
  'retired:flag',
  'created:time',
  'created_ns:long',
  'started_ns:long',
  'completed_ns:long',
  'duration_ms:real',
  'timeout_ms:real',
  'input_sizes:text',
  'output_sizes:text',
  'input_dtypes:text',
  'output_dtypes:text',
  'frame:text',
]);

export const eventRow = (caseId: string, event: StoredEvent): Row => [
  caseId,
  event.path,
  event.line,
  event.lastLine,
  event.byte,
  intOf(event.length),
  intOf(event.rank),
  event.kind,
  event.ns === null ? null : microseconds(event.ns),
  event.ns,
  event.json,
];

/** The valid entries of one dump, oldest first. `rank`: whose dump it is; null = unknown. */
export function* dumpRows(
  caseId: string,
  { path, rank, dump }: { readonly path: string; readonly rank: number | null; readonly dump: FlightRecorderDump },
): Generator<Row> {
  const { columns, strings, shapes } = dump;
  const text = (index: number | undefined): string | null => (index === undefined ? null : (strings[index] ?? null));
  const shape = (index: number | undefined): string | null => (index === undefined ? null : (shapes[index] ?? null));
  const frames = dump.stacks.map((stack) => innermostFrame(dump, stack));
  for (let row = 0; row < columns.length; row++) {
    const op = text(columns.op[row]);
    if (op === null) continue;
    const created = stampAt(columns.createdNs, row);
    yield [
      caseId,
      path,
      row,
      rank,
      text(columns.pgId[row]),
      text(columns.groupName[row]),
      text(columns.groupDesc[row]),
      countAt(columns.collectiveSeq, row),
      countAt(columns.p2pSeq, row),
      countAt(columns.opId, row),
      op,
      columns.isP2p[row] === 1,
      DUMP_STATES[columns.state[row] ?? 0] ?? null,
      columns.retired[row] === 1,
      created === null ? null : microseconds(created),
      created,
      stampAt(columns.startedNs, row),
      stampAt(columns.completedNs, row),
      realAt(columns.durationMs, row),
      timeoutAt(columns, row),
      shape(columns.inputSizes[row]),
      shape(columns.outputSizes[row]),
      text(columns.inputDtypes[row]),
      text(columns.outputDtypes[row]),
      frames[columns.stack[row] ?? -1] ?? null,
    ];
  }
}

function innermostFrame(dump: FlightRecorderDump, stack: Int32Array): string | null {
  const frame = dump.frames[stack[0] ?? -1];
  return frame === undefined ? null : `${frame.file}:${frame.line} ${frame.name}`;
}

/** Rounded down, also before 1970. */
const microseconds = (ns: bigint): bigint => (ns >= 0n ? ns / 1000n : -((-ns + 999n) / 1000n));

const intOf = (value: bigint | null): number | null => (value === null ? null : Number(value));

const stampAt = (column: BigInt64Array, row: number): bigint | null => {
  const ns = column[row];
  return ns === undefined || ns === 0n ? null : ns;
};

const countAt = (column: Float64Array, row: number): bigint | null => {
  const count = column[row];
  return count === undefined || !Number.isInteger(count) || count < 0 ? null : BigInt(count);
};

const realAt = (column: Float64Array, row: number): number | null => {
  const value = column[row];
  return value === undefined || Number.isNaN(value) ? null : value;
};

function timeoutAt(columns: DumpColumns, row: number): number | null {
  const ms = realAt(columns.timeoutMs, row);
  return ms === null || ms < 0 ? null : ms;
}
