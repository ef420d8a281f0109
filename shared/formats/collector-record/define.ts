/** What one kind of record says: a clause for the file list, and what it tells was not collected. */
import type { DocValue } from '../../codecs/document-tree.ts';

export interface Said {
  readonly summary: string;
  /** What the collector could not get, in its words; undefined if nothing. */
  readonly notCollected?: string;
}

export const said = (summary: string): Said => ({ summary });

export interface RecordContent {
  readonly text: string;
  /** The first document, if the text is JSON. */
  readonly json: DocValue | undefined;
}

export interface CollectorRecord {
  /** `version of the cluster` */
  readonly title: string;
  /** Where the content alone could be anybody's: the name that collectors give it. */
  readonly name?: RegExp;
  /** All must be in the head. */
  readonly content: readonly RegExp[];
  readonly read: (content: RecordContent) => Said;
}
