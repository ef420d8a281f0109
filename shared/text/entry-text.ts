/** Words for the status of a file in the bundle. */
import type { EntryStatus } from '../model/entry.ts';

export const ENTRY_STATUS_WORD: Record<EntryStatus, string> = {
  refused: 'refused',
  failed: 'not readable',
  empty: 'empty',
  truncated: 'cut off',
  warned: 'read with warnings',
  duplicate: 'duplicate',
  skipped: 'not used',
  read: 'read',
};

/** For lists of evidence gaps. */
export const GAP_STATE_WORD: Record<'present' | 'partial' | 'unreadable' | 'absent' | 'not-collected', string> = {
  present: 'present',
  partial: 'partial',
  unreadable: 'unreadable',
  absent: 'looked for, not there',
  'not-collected': 'not collected',
};
