import type { Db } from '../sqlite.ts';

/** A row of `notes` as it stands; `notes-db.ts` makes a note of it. */
export interface NoteRow {
  readonly id: number;
  readonly kind: string;
  readonly entry: string | null;
  readonly line: number | null;
  readonly record: number | null;
  readonly rank: number | null;
  readonly name: string | null;
  readonly seq: number | null;
  readonly fromNs: string | null;
  readonly toNs: string | null;
  readonly basis: string | null;
  readonly status: string | null;
  readonly starred: number;
  readonly text: string;
  readonly created: string;
  readonly changed: string;
}

export type NoteQueries = ReturnType<typeof prepareNotes>;

const COLUMNS = `id, kind, entry, line, record, rank, name, seq, from_ns AS fromNs, to_ns AS toNs, basis, status, starred, text, created, changed`;

export function prepareNotes(db: Db) {
  return {
    all: db.prepare<[], NoteRow>(`SELECT ${COLUMNS} FROM notes ORDER BY created, id`),
    add: db.prepare<[Omit<NoteRow, 'id'> & { readonly id: number | null }]>(
      `INSERT INTO notes (id, kind, entry, line, record, rank, name, seq, from_ns, to_ns, basis, status, starred, text, created, changed)
       VALUES (:id, :kind, :entry, :line, :record, :rank, :name, :seq, :fromNs, :toNs, :basis, :status, :starred, :text, :created, :changed)`,
    ),
    edit: db.prepare<[{ id: number; text: string; starred: number; changed: string }]>(
      'UPDATE notes SET text = :text, starred = :starred, changed = :changed WHERE id = :id',
    ),
    remove: db.prepare<[number]>('DELETE FROM notes WHERE id = ?'),
  };
}
