/** Exports, stand-ins and choices of a case, beside its notes. Every function throws if the file is newer than this program, or damaged. */
import { existsSync } from 'node:fs';
import { migrate } from './notes-db.ts';
import { type CustodyRow, prepareExports, type StandInRow } from './queries/export-queries.ts';
import { type Db, openDurable } from './sqlite.ts';

export type { CustodyRow, StandInRow };

/** Oldest first. Nothing is created by looking. */
export function listCustody(notesFile: string): readonly CustodyRow[] {
  return existsSync(notesFile) ? withDb(notesFile, (db) => prepareExports(db).custody.all()) : [];
}

export function addCustody(notesFile: string, row: CustodyRow): void {
  withDb(notesFile, (db) => prepareExports(db).addCustody.run(row));
}

export function listStandIns(notesFile: string): readonly StandInRow[] {
  return existsSync(notesFile) ? withDb(notesFile, (db) => prepareExports(db).standIns.all()) : [];
}

/** Adds those that are new; the others stay as they are. */
export function keepStandIns(notesFile: string, rows: readonly StandInRow[]): void {
  withDb(notesFile, (db) => {
    const { addStandIn } = prepareExports(db);
    db.transaction(() => {
      for (const row of rows) addStandIn.run(row);
    }).immediate();
  });
}

/** JSON text as it was stored; undefined if nothing was chosen yet. */
export function readChoices(notesFile: string): string | undefined {
  return existsSync(notesFile) ? withDb(notesFile, (db) => prepareExports(db).choices.get()) : undefined;
}

export function storeChoices(notesFile: string, json: string): void {
  withDb(notesFile, (db) => prepareExports(db).setChoices.run(json));
}

/** A copy of the notes for a package: without the table of stand-ins, which never leaves the case. Throws if `target` exists. */
export function copyNotes(notesFile: string, target: string): void {
  withDb(notesFile, (db) => db.prepare('VACUUM INTO ?').run(target));
  withDb(target, (db) => {
    db.exec('DELETE FROM stand_ins');
    db.exec('VACUUM');
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
