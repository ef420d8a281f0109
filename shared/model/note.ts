/** What a person wrote on a case: notes, stars and marks. Never derived, so it outlives a new import of the same bundle. */
import type { Brand } from '../lib/brand.ts';
import type { Status } from './finding.ts';

export type NoteId = Brand<number, 'NoteId'>;
export const noteId = (value: number): NoteId => value as NoteId;

/**
 * What a note is about. Files are named by path: ids may change when a bundle is imported again. `line` is 1-based, `record`
 * 0-based. A dissent is the analyst's own status of a verdict, whose sentence it keeps: another verdict after a new analysis has none. Times are epoch ns as decimal text, on the clock basis that was shown when the mark was set; `to` null = a moment.
 */
export type NoteSubject =
  | { readonly kind: 'case' }
  | { readonly kind: 'entry'; readonly path: string }
  | { readonly kind: 'line'; readonly path: string; readonly line: number }
  | { readonly kind: 'record'; readonly path: string; readonly record: number }
  | { readonly kind: 'rank'; readonly rank: number }
  | { readonly kind: 'call'; readonly group: string; readonly seq: number; readonly rank: number | null }
  | { readonly kind: 'clock'; readonly clock: string }
  | { readonly kind: 'finding'; readonly finding: string }
  | { readonly kind: 'dissent'; readonly statement: string; readonly status: Status }
  | {
      readonly kind: 'time';
      readonly from: string;
      readonly to: string | null;
      readonly basis: 'raw' | 'corrected';
    };

export interface CaseNote {
  readonly id: NoteId;
  readonly subject: NoteSubject;
  readonly starred: boolean;
  /** May be empty: then it is a star or a mark without words. */
  readonly text: string;
  /** ISO 8601 UTC, wall clock of this machine. */
  readonly created: string;
  readonly changed: string;
}

export const MAX_NOTE_TEXT = 20_000;

/** The same text for the same subject and for no other: the key of maps and of the store's unique index. */
export function noteKey(subject: NoteSubject): string {
  switch (subject.kind) {
    case 'case':
      return 'case';
    case 'entry':
      return JSON.stringify(['entry', subject.path]);
    case 'line':
      return JSON.stringify(['line', subject.path, subject.line]);
    case 'record':
      return JSON.stringify(['record', subject.path, subject.record]);
    case 'rank':
      return JSON.stringify(['rank', subject.rank]);
    case 'call':
      return JSON.stringify(['call', subject.group, subject.seq, subject.rank]);
    case 'clock':
      return JSON.stringify(['clock', subject.clock]);
    case 'finding':
      return JSON.stringify(['finding', subject.finding]);
    case 'dissent':
      return JSON.stringify(['dissent', subject.statement, subject.status]);
    case 'time':
      return JSON.stringify(['time', subject.from, subject.to, subject.basis]);
  }
}
