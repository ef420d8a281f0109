import type { Db } from '../sqlite.ts';

/** An analyst may hold another status than the verdict does; its sentence stands in `name`. */
export default function dissent(db: Db): void {
  db.exec('ALTER TABLE notes ADD COLUMN status TEXT');
}
