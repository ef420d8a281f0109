/** What the user wrote: kept apart from the case, which can be made again. The only file whose schema migrates. */
import { existsSync } from 'node:fs';
import { NOTE_MIGRATIONS } from './migrations/index.ts';
import { type NoteQueries, prepareNotes } from './queries/note-queries.ts';
import { type Db, openDurable } from './sqlite.ts';

export interface Note {
  readonly id: number;
  /** Path of the entry: ids may change when a bundle is imported again. Null = about the case. */
  readonly path: string | null;
  readonly line: number | null;
  readonly text: string;
  /** ISO 8601 UTC. */
  readonly created: string;
}

export class NotesDb {
  readonly #db: Db;
  readonly #queries: NoteQueries;

  private constructor(db: Db) {
    this.#db = db;
    this.#queries = prepareNotes(db);
  }

  /** Opens the file, makes it if it is not there, and steps it to the newest version. Throws if it is newer than this program. */
  static open(file: string): NotesDb {
    const db = openDurable(file);
    try {
      migrate(db);
      return new NotesDb(db);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Notes of a case that may have none: nothing is created by looking. */
  static list(file: string): readonly Note[] {
    if (!existsSync(file)) return [];
    const notes = NotesDb.open(file);
    try {
      return notes.all();
    } finally {
      notes.close();
    }
  }

  all(): readonly Note[] {
    return this.#queries.all.all();
  }

  add(note: Omit<Note, 'id'>): number {
    return Number(this.#queries.add.run(note).lastInsertRowid);
  }

  remove(id: number): void {
    this.#queries.remove.run(id);
  }

  close(): void {
    this.#db.close();
  }
}

/** Runs the missing steps, each in its own transaction together with its version number. */
export function migrate(db: Db, steps: readonly ((db: Db) => void)[] = NOTE_MIGRATIONS): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > steps.length) throw new Error(`notes of version ${version}; this program knows ${steps.length}`);
  steps.slice(version).forEach((step, index) => {
    db.transaction(() => {
      step(db);
      db.pragma(`user_version = ${version + index + 1}`);
    }).immediate();
  });
}
