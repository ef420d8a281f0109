import type { Db } from '../sqlite.ts';

/**
 * What was exported and checked (append-only: no row is ever changed or removed), which stand-in each original has, and what the
 * analyst chose for the report of this case.
 */
export default function exports(db: Db): void {
  db.exec(`
    CREATE TABLE custody (
      id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, version TEXT NOT NULL, action TEXT NOT NULL, inputs TEXT NOT NULL,
      result TEXT NOT NULL
    );
    CREATE TRIGGER custody_stays BEFORE UPDATE ON custody BEGIN SELECT RAISE(ABORT, 'custody is append-only'); END;
    CREATE TRIGGER custody_keeps BEFORE DELETE ON custody BEGIN SELECT RAISE(ABORT, 'custody is append-only'); END;
    CREATE TABLE stand_ins (original TEXT PRIMARY KEY, kind TEXT NOT NULL, stand_in TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE report_choices (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
  `);
}
