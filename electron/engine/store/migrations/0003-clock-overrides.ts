import type { Db } from '../sqlite.ts';

/** What the analyst knows of a clock and the bundle does not tell: one a clock. */
export default function clockOverrides(db: Db): void {
  db.exec(`
    CREATE TABLE clock_overrides (
      clock TEXT PRIMARY KEY, against TEXT NOT NULL, offset_ms REAL NOT NULL, bound_ms REAL NOT NULL, reason TEXT NOT NULL,
      created TEXT NOT NULL
    ) WITHOUT ROWID;
  `);
}
