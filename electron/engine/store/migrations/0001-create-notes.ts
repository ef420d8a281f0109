import type { Db } from '../sqlite.ts';

export default function createNotes(db: Db): void {
  db.exec(`
    CREATE TABLE notes (id INTEGER PRIMARY KEY, entry TEXT, line INTEGER, text TEXT NOT NULL, created TEXT NOT NULL);
  `);
}
