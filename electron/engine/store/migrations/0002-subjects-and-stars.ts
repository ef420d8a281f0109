import type { Db } from '../sqlite.ts';

/** A note may be about any thing of a case, not only a line; it may be a star, and it may be changed. */
export default function subjectsAndStars(db: Db): void {
  db.exec(`
    ALTER TABLE notes ADD COLUMN kind TEXT NOT NULL DEFAULT 'case';
    ALTER TABLE notes ADD COLUMN record INTEGER;
    ALTER TABLE notes ADD COLUMN rank INTEGER;
    ALTER TABLE notes ADD COLUMN name TEXT;
    ALTER TABLE notes ADD COLUMN seq INTEGER;
    ALTER TABLE notes ADD COLUMN from_ns TEXT;
    ALTER TABLE notes ADD COLUMN to_ns TEXT;
    ALTER TABLE notes ADD COLUMN basis TEXT;
    ALTER TABLE notes ADD COLUMN starred INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE notes ADD COLUMN changed TEXT NOT NULL DEFAULT '';
    UPDATE notes SET
      kind = CASE WHEN entry IS NULL THEN 'case' WHEN line IS NULL THEN 'entry' ELSE 'line' END,
      changed = created;
  `);
}
