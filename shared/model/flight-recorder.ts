/** A Flight Recorder dump as typed columns: one column per field, one row per entry, oldest first. */
import type { SourceRef } from './source-ref.ts';

export const DUMP_STATES = ['unknown', 'scheduled', 'started', 'completed'] as const;

export interface DumpGroup {
  /** Key in `pg_config`: group name (2.x) or the int id as text (1.x). May be empty (gloo). */
  readonly key: string;
  readonly name: string;
  readonly desc: string;
  /** Global ranks in the order of the group (position = rank inside the group); empty when the dump gives none. */
  readonly ranks: readonly number[];
}

export interface DumpGroupStatus {
  /** Process-LOCAL group id; matches `pgId` of the columns, not the group name. */
  readonly pgId: string;
  /** -1 = none. */
  readonly lastEnqueued: number;
  readonly lastStarted: number;
  readonly lastCompleted: number;
}

/**
 * All arrays have `length` rows; row = position of the entry in the file, also where an entry was invalid (then `op` is -1
 * and the row is not used). Text columns hold an index into `strings`; -1 = field absent.
 * Number columns hold -1 where the field is absent unless said otherwise.
 */
export interface DumpColumns {
  readonly length: number;
  readonly recordId: Int32Array;
  /** Index into `strings` of the local group id as text. */
  readonly pgId: Int32Array;
  readonly groupName: Int32Array;
  readonly groupDesc: Int32Array;
  /** `collective_seq_id`, or 1.x `seq_id`. */
  readonly collectiveSeq: Float64Array;
  readonly p2pSeq: Float64Array;
  readonly opId: Float64Array;
  /** Index into `strings` of `profiling_name`, e.g. `nccl:all_reduce`. */
  readonly op: Int32Array;
  readonly isP2p: Uint8Array;
  /** Wall clock of the rank's node, ns since 1970; 0 = absent. Exact. */
  readonly createdNs: BigInt64Array;
  readonly startedNs: BigInt64Array;
  readonly completedNs: BigInt64Array;
  /** NaN = absent. */
  readonly durationMs: Float64Array;
  /** Index into DUMP_STATES. */
  readonly state: Uint8Array;
  readonly retired: Uint8Array;
  readonly timeoutMs: Float64Array;
  /** Index into `shapes`; -1 = absent. */
  readonly inputSizes: Int32Array;
  readonly outputSizes: Int32Array;
  /** Index into `strings` of the dtypes joined by `,`; -1 = absent. */
  readonly inputDtypes: Int32Array;
  readonly outputDtypes: Int32Array;
  /** Index into `stacks`; -1 = no frames. */
  readonly stack: Int32Array;
  /** Index into `strings` of the entry's other plain fields as text, `name=value` joined by `, `; -1 = none. */
  readonly extra: Int32Array;
}

export interface FlightRecorderDump {
  readonly source: SourceRef;
  readonly encoding: 'pickle' | 'json';
  /** As written, e.g. `2.10`; undefined for the bare list before 1.0. */
  readonly version: string | undefined;
  readonly library: string | undefined;
  /** Trailing digits of the file name; undefined if there are none. */
  readonly nameRank: number | undefined;
  readonly groups: readonly DumpGroup[];
  readonly status: readonly DumpGroupStatus[];
  readonly columns: DumpColumns;
  readonly strings: readonly string[];
  /** Canonical text of a list of shapes, e.g. `[[85002]]`; element counts are derived from it. */
  readonly shapes: readonly string[];
  /** Innermost frame first; each a list of indices into `frames`. */
  readonly stacks: readonly Int32Array[];
  readonly frames: readonly { readonly file: string; readonly line: number; readonly name: string }[];
  /** Byte at which a truncated file ended; undefined if whole. */
  readonly truncatedAt: number | undefined;
  /** Top-level keys that we do not know, kept for show. */
  readonly unknownKeys: readonly string[];
}
