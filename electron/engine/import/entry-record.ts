import type { EntryStatus } from '#shared/model/entry.ts';
import type { EntryInsert } from '../store/case-writer.ts';
import type { EntryOutputs } from './entry-outputs.ts';

/** One entry after reading, before public ids and duplicates are settled. */
export interface EntryRecord extends EntryInsert {
  readonly slot: number;
  readonly status: EntryStatus;
  /** A known kind of content (also empty or truncated): makes the bundle worth analysing. */
  readonly recognised: boolean;
  /** Same bytes elsewhere mean the same thing said twice. False for recorder dumps: two ranks may write equal ones. */
  readonly mayRepeat: boolean;
  readonly outputs: EntryOutputs;
}
