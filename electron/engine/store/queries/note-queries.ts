import type { Note } from '../notes-db.ts';
import type { Db } from '../sqlite.ts';

export type NoteQueries = ReturnType<typeof prepareNotes>;

export function prepareNotes(db: Db) {
  return {
    all: db.prepare<[], Note>('SELECT id, entry AS path, line, text, created FROM notes ORDER BY created, id'),
    add: db.prepare<[Omit<Note, 'id'>]>(
      'INSERT INTO notes (entry, line, text, created) VALUES (:path, :line, :text, :created)',
    ),
    remove: db.prepare<[number]>('DELETE FROM notes WHERE id = ?'),
  };
}
