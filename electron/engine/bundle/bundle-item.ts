/** What reading a bundle yields, one after the other: the border between containers and the importer. */
import type { IssueCode, IssueSeverity } from '#shared/model/issue.ts';

/** Why a member is not read. `refused` = a safety rule; `skipped` = harmless, but nothing to read. */
export interface Refusal {
  readonly code: IssueCode;
  readonly status: 'refused' | 'skipped' | 'failed';
  /** A clause for people: what was found, with the limit if one was passed. */
  readonly detail: string;
}

/** How reading an entry's bytes ended. Valid once `chunks` is exhausted. */
export interface EntryEnd {
  /** Number of bytes delivered when the container ended early or was damaged; undefined if whole. */
  truncatedAt: number | undefined;
  /** Why it is cut: a clause for people. Empty if whole. */
  cut: string;
  /** Set when a limit was passed or reading failed half-way: nothing of the entry may be used. */
  refusal: Refusal | undefined;
}

/** A readable member. `chunks` must be consumed, in order, before the next item is asked for. */
export interface EntryItem {
  readonly kind: 'entry';
  /** With `/`, relative, checked; see `checkMemberPath`. */
  readonly path: string;
  /** Another member of this bundle had the same path before. */
  readonly repeated: boolean;
  /** As the container declares it; null if only reading tells. */
  readonly declaredBytes: number | null;
  readonly chunks: AsyncIterable<Buffer>;
  readonly end: EntryEnd;
  /** Its place among the files of the bundle in path order, from 0, whenever it is read; absent = only reading tells. */
  readonly place?: number;
  /** An archive that stays closed, and why. Its bytes are delivered all the same, to be hashed. */
  readonly unopened?: Refusal;
}

/** A member that is listed but not read. */
export interface RefusedItem {
  readonly kind: 'refused';
  /** Safe to show, not to open: escapes are made visible. */
  readonly path: string;
  readonly bytes: number;
  readonly refusal: Refusal;
  /** As of an entry. */
  readonly place?: number;
}

/** Something about a container as a whole. */
export interface ContainerIssueItem {
  readonly kind: 'issue';
  readonly code: IssueCode;
  readonly severity: IssueSeverity;
  /** Of the container: its path inside the bundle, or the input's base name. */
  readonly path: string;
  readonly detail: string;
}

/** What a file of the bundle with all that is inside it added to the totals. */
export interface UnitTotals {
  readonly entries: number;
  readonly bytes: number;
  readonly work: number;
}

/** A file of a folder or zip was read to its end: every item since the last such one belongs to it. Only told to who asks for it. */
export interface UnitEndItem {
  readonly kind: 'unit-end';
  /** Names the file and all that shows whether it has changed. */
  readonly key: string;
  readonly totals: UnitTotals;
  /** Of the file of a folder as it stands, where it is archive or compressed; undefined for others. */
  readonly sha256: string | undefined;
}

/** A file that is stored already, in place of its items. */
export interface StoredUnitItem {
  readonly kind: 'stored-unit';
  readonly key: string;
}

export type BundleItem = EntryItem | RefusedItem | ContainerIssueItem | UnitEndItem | StoredUnitItem;

/** Thrown inside the byte streams when the job's cancel signal is set; caught at the import's door. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}
