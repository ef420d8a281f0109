import type { EntryId } from './ids.ts';
import type { EpochNs } from './time.ts';

/** Worst first; the order is also the sort order of file lists. */
export const ENTRY_STATUSES = [
  'refused',
  'failed',
  'empty',
  'truncated',
  'warned',
  'duplicate',
  'skipped',
  'read',
] as const;
export type EntryStatus = (typeof ENTRY_STATUSES)[number];

/** One file inside a bundle, as it stands after import. */
export interface EntryInfo {
  readonly id: EntryId;
  /** Path inside the bundle with `/`, never absolute, never with `..`. Shown as text only. */
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex; null if the bytes were refused before they were read. */
  readonly sha256: string | null;
  /** Format id, e.g. `pod-log`; null if none claimed it. */
  readonly format: string | null;
  /** A person's word for it: "Pod log", "recorder dump". */
  readonly kind: string;
  /** Why it was classified so: "first line has a CRI record", "pickle protocol 2 with entries". */
  readonly why: string;
  readonly status: EntryStatus;
  /** One short clause for the status: "2 000 records, default_pg #2813–#4812", "the file has 0 bytes". */
  readonly detail: string;
  readonly lines: number | null;
  readonly firstNs: EpochNs | null;
  readonly lastNs: EpochNs | null;
  readonly duplicateOf: EntryId | null;
}
