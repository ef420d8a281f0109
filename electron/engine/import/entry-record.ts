import type { EntryStatus } from '#shared/model/entry.ts';
import type { EntryOutputs } from './entry-outputs.ts';

/** One entry after reading, before public ids and duplicates are settled. */
export interface EntryRecord {
  readonly slot: number;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly format: string | null;
  readonly kind: string;
  readonly why: string;
  readonly status: EntryStatus;
  readonly detail: string;
  readonly lines: number | null;
  readonly firstNs: bigint | null;
  readonly lastNs: bigint | null;
  /** A known kind of content (also empty or truncated): makes the bundle worth analysing. */
  readonly recognised: boolean;
  /** Same bytes elsewhere mean the same thing said twice. False for recorder dumps: two ranks may write equal ones. */
  readonly mayRepeat: boolean;
  readonly outputs: EntryOutputs;
}
