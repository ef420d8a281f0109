/** Names of the fields of an entry. */

/** Fields of an entry. The position is the code by which both ways of reading switch. */
export const ENTRY_FIELDS = [
  'record_id',
  'pg_id',
  'process_group',
  'collective_seq_id',
  'seq_id',
  'p2p_seq_id',
  'op_id',
  'profiling_name',
  'is_p2p',
  'time_created_ns',
  'time_discovered_started_ns',
  'time_discovered_completed_ns',
  'duration_ms',
  'state',
  'retired',
  'timeout_ms',
  'input_sizes',
  'output_sizes',
  'input_dtypes',
  'output_dtypes',
  'frames',
] as const;
/** Code of every other key. */
export const OTHER_FIELD: number = ENTRY_FIELDS.length;
