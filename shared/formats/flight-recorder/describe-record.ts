/** One entry of a dump as a person reads it: the raw record view and its tests. */
import { DUMP_STATES, type FlightRecorderDump } from '../../model/flight-recorder.ts';
import { epochNs, formatEpochNs } from '../../model/time.ts';

export interface RecordDescription {
  /** In the order of the dump; fields that the entry does not have are left out. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** Innermost call first: `file:line function`. */
  readonly frames: readonly string[];
}

/** Undefined if the dump has no such record. `record` counts from 0. */
export function describeRecord(dump: FlightRecorderDump, record: number): RecordDescription | undefined {
  const { columns: c, strings, shapes } = dump;
  if (!Number.isInteger(record) || record < 0 || record >= c.length) return undefined;
  const fields: { name: string; value: string }[] = [];
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined) fields.push({ name, value });
  };
  const number = (column: Int32Array | Float64Array): string | undefined => {
    const value = column[record] ?? -1;
    return value < 0 ? undefined : String(value);
  };
  const text = (column: Int32Array): string | undefined => strings[column[record] ?? -1];
  const time = (column: BigInt64Array): string | undefined => {
    const ns = column[record] ?? 0n;
    return ns === 0n ? undefined : `${ns} (${readable(ns)})`;
  };
  if ((c.op[record] ?? -1) < 0) add('(invalid)', 'a field of this entry has a wrong type; it was not used');
  add('record_id', number(c.recordId));
  add('pg_id', text(c.pgId));
  add('process_group', group(text(c.groupName), text(c.groupDesc)));
  add('collective_seq_id', number(c.collectiveSeq));
  add('p2p_seq_id', number(c.p2pSeq));
  add('op_id', number(c.opId));
  add('profiling_name', text(c.op));
  add('is_p2p', c.isP2p[record] === 1 ? 'true' : 'false');
  add('time_created_ns', time(c.createdNs));
  add('time_discovered_started_ns', time(c.startedNs));
  add('time_discovered_completed_ns', time(c.completedNs));
  const duration = c.durationMs[record] ?? Number.NaN;
  add('duration_ms', Number.isNaN(duration) ? undefined : String(duration));
  add('state', DUMP_STATES[c.state[record] ?? 0]);
  add('retired', c.retired[record] === 1 ? 'true' : 'false');
  add('timeout_ms', number(c.timeoutMs));
  add('input_sizes', shapes[c.inputSizes[record] ?? -1]);
  add('input_dtypes', text(c.inputDtypes));
  add('output_sizes', shapes[c.outputSizes[record] ?? -1]);
  add('output_dtypes', text(c.outputDtypes));
  add('other fields', text(c.extra));
  const stack = dump.stacks[c.stack[record] ?? -1] ?? new Int32Array(0);
  const frames = [...stack].map((index) => {
    const frame = dump.frames[index];
    return frame === undefined ? '?' : `${frame.file}:${frame.line} ${frame.name}`;
  });
  return { fields, frames };
}

const group = (name: string | undefined, desc: string | undefined): string | undefined =>
  name === undefined ? undefined : `${name} (${desc === undefined || desc === '' ? 'no description' : desc})`;

/** Stamps outside the calendar's years come from damaged or hostile files: shown as the number alone. */
const readable = (ns: bigint): string =>
  ns > 0n && ns < 7_258_118_400_000_000_000n ? formatEpochNs(epochNs(ns), 9) : 'not a wall-clock time';
