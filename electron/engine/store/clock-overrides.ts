/** What the analyst set about clocks, beside the notes of the case. */
import { existsSync } from 'node:fs';
import { migrate } from './notes-db.ts';
import { type OverrideRow, prepareOverrides } from './queries/clock-override-queries.ts';
import { type Db, openDurable } from './sqlite.ts';

export type { OverrideRow };

/** By clock. Nothing is created by looking. Throws if the file is newer than this program, or damaged. */
export function listOverrides(notesFile: string): readonly OverrideRow[] {
  return existsSync(notesFile) ? withDb(notesFile, (db) => prepareOverrides(db).all.all()) : [];
}

/** The whole new list, at most one a clock; an empty one clears. */
export function storeOverrides(notesFile: string, overrides: readonly OverrideRow[]): void {
  withDb(notesFile, (db) => {
    const queries = prepareOverrides(db);
    db.transaction(() => {
      queries.clear.run();
      for (const override of overrides) queries.add.run(override);
    }).immediate();
  });
}

function withDb<T>(file: string, act: (db: Db) => T): T {
  const db = openDurable(file);
  try {
    migrate(db);
    return act(db);
  } finally {
    db.close();
  }
}
