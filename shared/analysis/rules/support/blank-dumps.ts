/** Recorder dumps that are there and hold no call: they show nothing, and asking for them again the same way gives the same. */
import type { IncidentInput } from '../../../model/incident.ts';

/** Dumps without a call and without a group's counters. */
export const blankDumps = ({ dumps }: Pick<IncidentInput, 'dumps'>): number =>
  dumps.filter(({ columns, status }) => columns.length === 0 && status.length === 0).length;

/** What a dump without a call can mean. Completes "they hold no call: …". */
export const WHY_BLANK =
  'the recorder was off in these processes (TORCH_FR_BUFFER_SIZE or, before 2.14, TORCH_NCCL_TRACE_BUFFER_SIZE not set or 0), or only calls in flight were written and none was, or those that were made leave no record (point-to-point over gloo)';
