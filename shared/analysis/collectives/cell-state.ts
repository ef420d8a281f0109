/** What a member did at a call of which its dump keeps no record: from its counters and from where its ring begins. */
import type { CellState } from '../../model/divergence-table.ts';

/** Where a member of a group stands; undefined = not known. See `positions.ts`. */
export interface Standpoint {
  readonly basis: 'dump-status' | 'dump-entries';
  readonly enqueued: number | undefined;
  readonly done: number | undefined;
  /** Sequence number of its oldest unfinished call. */
  readonly open: number | undefined;
  readonly oldest: number | undefined;
  /** The file was cut: its newest records are lost. */
  readonly cut: boolean;
}

export function stateWithoutRecord(at: Standpoint, seq: number): CellState {
  if (at.enqueued !== undefined && seq > at.enqueued) return 'never-enqueued';
  if (at.done !== undefined && seq <= at.done) return 'completed';
  if (at.open === seq) return 'waiting';
  // The ring has lost it; counters tell that it had not ended.
  if (at.basis === 'dump-status' && at.done !== undefined) return seq === at.done + 1 ? 'waiting' : 'enqueued';
  if (at.oldest !== undefined && seq < at.oldest) return 'not-held';
  return at.enqueued !== undefined && at.done !== undefined && !at.cut ? 'enqueued' : 'unknown';
}
