/** What the user wrote: kept apart from the case, which can be made again. The only file whose schema migrates. */
import { existsSync } from 'node:fs';
import { STATUSES } from '#shared/model/finding.ts';
import { type CaseNote, type NoteSubject, noteId, noteKey } from '#shared/model/note.ts';
import { NOTE_MIGRATIONS } from './migrations/index.ts';
import { type NoteQueries, type NoteRow, prepareNotes } from './queries/note-queries.ts';
import { type Db, openDurable } from './sqlite.ts';

/** Written by a later version of this program: left as they are. */
export class NewerNotesError extends Error {
  override readonly name = 'NewerNotesError';
}

export interface NewNote {
  readonly subject: NoteSubject;
  readonly text: string;
  readonly starred: boolean;
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

  /** Opens the file, makes it if it is not there, and steps it to the newest version. Throws NewerNotesError if it is newer than this program. */
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
  static list(file: string): readonly CaseNote[] {
    if (!existsSync(file)) return [];
    const notes = NotesDb.open(file);
    try {
      return notes.all();
    } finally {
      notes.close();
    }
  }

  /** In order of their making. Rows that no version of this program wrote are passed over. */
  all(): readonly CaseNote[] {
    return this.#queries.all.all().flatMap((row) => {
      const subject = subjectOf(row);
      if (subject === undefined) return [];
      const { text, created, changed } = row;
      return [{ id: noteId(row.id), subject, starred: row.starred !== 0, text, created, changed }];
    });
  }

  find(id: number): CaseNote | undefined {
    return this.all().find((note) => note.id === id);
  }

  /** `id`: wanted if it is free. Returns the id it got. */
  add({ subject, text, starred, created }: NewNote, id?: number): number {
    const free = id !== undefined && this.find(id) === undefined ? id : null;
    const row = { ...columnsOf(subject), starred: starred ? 1 : 0, text, created, changed: created, id: free };
    return Number(this.#queries.add.run(row).lastInsertRowid);
  }

  /** `now`: ISO 8601 UTC. The changed note, or undefined if there is none of this id. */
  edit(id: number, text: string, now: string): CaseNote | undefined {
    const known = this.find(id);
    if (known === undefined) return undefined;
    this.#queries.edit.run({ id, text, starred: known.starred ? 1 : 0, changed: now });
    return this.find(id);
  }

  /**
   * Sets or takes away the star of a subject. The star goes to the first note on it; a subject without one gets a row without
   * text. Taking it away removes rows that have no text of their own (a time stays: it is a mark). Returns what was touched.
   */
  star(subject: NoteSubject, on: boolean, now: string): CaseNote | undefined {
    const key = noteKey(subject);
    const same = this.all().filter((note) => noteKey(note.subject) === key);
    if (on) {
      const first = same.find((note) => note.starred) ?? same[0];
      if (first === undefined) return this.find(this.add({ subject, text: '', starred: true, created: now }));
      if (!first.starred) this.#queries.edit.run({ id: first.id, text: first.text, starred: 1, changed: now });
      return this.find(first.id);
    }
    const starred = same.filter((note) => note.starred);
    for (const note of starred) {
      if (note.text === '' && subject.kind !== 'time') this.remove(note.id);
      else this.#queries.edit.run({ id: note.id, text: note.text, starred: 0, changed: now });
    }
    return starred[0];
  }

  remove(id: number): void {
    this.#queries.remove.run(id);
  }

  close(): void {
    this.#db.close();
  }
}

const NO_COLUMNS = {
  entry: null,
  line: null,
  record: null,
  rank: null,
  name: null,
  seq: null,
  fromNs: null,
  toNs: null,
  basis: null,
  status: null,
} as const;

type SubjectColumns = Omit<NoteRow, 'id' | 'starred' | 'text' | 'created' | 'changed'>;

function columnsOf(subject: NoteSubject): SubjectColumns {
  const { kind } = subject;
  switch (subject.kind) {
    case 'case':
      return { ...NO_COLUMNS, kind };
    case 'entry':
      return { ...NO_COLUMNS, kind, entry: subject.path };
    case 'line':
      return { ...NO_COLUMNS, kind, entry: subject.path, line: subject.line };
    case 'record':
      return { ...NO_COLUMNS, kind, entry: subject.path, record: subject.record };
    case 'rank':
      return { ...NO_COLUMNS, kind, rank: subject.rank };
    case 'call':
      return { ...NO_COLUMNS, kind, name: subject.group, seq: subject.seq, rank: subject.rank };
    case 'clock':
      return { ...NO_COLUMNS, kind, name: subject.clock };
    case 'finding':
      return { ...NO_COLUMNS, kind, name: subject.finding };
    case 'dissent':
      return { ...NO_COLUMNS, kind, name: subject.statement, status: subject.status };
    case 'time':
      return { ...NO_COLUMNS, kind, fromNs: subject.from, toNs: subject.to, basis: subject.basis };
  }
}

function subjectOf(row: NoteRow): NoteSubject | undefined {
  const { entry, line, record, rank, name, seq, fromNs, toNs, basis, status } = row;
  switch (row.kind) {
    case 'case':
      return { kind: 'case' };
    case 'entry':
      return entry === null ? undefined : { kind: 'entry', path: entry };
    case 'line':
      return entry === null || line === null ? undefined : { kind: 'line', path: entry, line };
    case 'record':
      return entry === null || record === null ? undefined : { kind: 'record', path: entry, record };
    case 'rank':
      return rank === null ? undefined : { kind: 'rank', rank };
    case 'call':
      return name === null || seq === null ? undefined : { kind: 'call', group: name, seq, rank };
    case 'clock':
      return name === null ? undefined : { kind: 'clock', clock: name };
    case 'finding':
      return name === null ? undefined : { kind: 'finding', finding: name };
    case 'dissent': {
      const held = STATUSES.find((known) => known === status);
      return name === null || held === undefined ? undefined : { kind: 'dissent', statement: name, status: held };
    }
    case 'time':
      if (fromNs === null || (basis !== 'raw' && basis !== 'corrected')) return undefined;
      return { kind: 'time', from: fromNs, to: toNs, basis };
    default:
      return undefined;
  }
}

/** Runs the missing steps, each in its own transaction together with its version number. */
export function migrate(db: Db, steps: readonly ((db: Db) => void)[] = NOTE_MIGRATIONS): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > steps.length)
    throw new NewerNotesError(`notes of version ${version}; this program knows ${steps.length}`);
  steps.slice(version).forEach((step, index) => {
    db.transaction(() => {
      step(db);
      db.pragma(`user_version = ${version + index + 1}`);
    }).immediate();
  });
}
