import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NOTE_MIGRATIONS } from '#engine/store/migrations/index.ts';
import { migrate, NotesDb } from '#engine/store/notes-db.ts';
import { openDurable } from '#engine/store/sqlite.ts';
import { type NoteSubject, noteKey } from '#shared/model/note.ts';

const folder = mkdtempSync(join(tmpdir(), 'firstfault-notes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SUBJECT = { kind: 'line', path: 'logs/a.log', line: 12 } as const;
const NOTE = { subject: SUBJECT, text: 'look here', starred: false, created: '2026-03-14T10:00:00Z' };
const LATER = '2026-03-14T12:00:00Z';

const SUBJECTS: readonly NoteSubject[] = [
  { kind: 'case' },
  { kind: 'entry', path: 'pods.yaml' },
  SUBJECT,
  { kind: 'record', path: 'nccl_trace_rank_0', record: 0 },
  { kind: 'rank', rank: 0 },
  { kind: 'call', group: 'default_pg', seq: 4812, rank: null },
  { kind: 'call', group: 'default_pg', seq: 4812, rank: 11 },
  { kind: 'clock', clock: 'node/gpu-a17' },
  { kind: 'finding', finding: 'sequences-diverge-0' },
  { kind: 'dissent', statement: 'Rank 11 did not join', status: 'hypothesis' },
  { kind: 'dissent', statement: 'Rank 11 did not join', status: 'ruled-out' },
  { kind: 'time', from: '1771410505497123000', to: null, basis: 'raw' },
  { kind: 'time', from: '1771410505497123000', to: '1771410509000000000', basis: 'corrected' },
];

describe('notes', () => {
  it('are kept over closing, in order of time', () => {
    const file = join(folder, 'notes.db');
    const first = NotesDb.open(file);
    first.add({ ...NOTE, created: '2026-03-14T11:00:00Z', text: 'later' });
    first.add(NOTE);
    first.close();
    expect(NotesDb.list(file).map((note) => note.text)).toEqual(['look here', 'later']);
  });

  it('can be removed', () => {
    const file = join(folder, 'removed.db');
    const notes = NotesDb.open(file);
    const id = notes.add(NOTE);
    notes.remove(id);
    expect(notes.all()).toEqual([]);
    notes.close();
  });

  it('make no file by being looked for', () => {
    const file = join(folder, 'none.db');
    expect(NotesDb.list(file)).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });
});

describe('a subject', () => {
  it('comes back as it was written, whatever its kind', () => {
    const notes = NotesDb.open(join(folder, 'subjects.db'));
    for (const subject of SUBJECTS) notes.add({ ...NOTE, subject });
    expect(notes.all().map((note) => note.subject)).toEqual(SUBJECTS);
    expect(new Set(SUBJECTS.map(noteKey)).size).toBe(SUBJECTS.length);
    notes.close();
  });
});

describe('a star', () => {
  const open = (name: string) => NotesDb.open(join(folder, name));

  it('is a row of its own, set once, and goes without a trace', () => {
    const notes = open('star.db');
    notes.star(SUBJECT, true, LATER);
    notes.star(SUBJECT, true, LATER);
    expect(notes.all()).toMatchObject([{ subject: SUBJECT, starred: true, text: '' }]);
    notes.star(SUBJECT, false, LATER);
    expect(notes.all()).toEqual([]);
    notes.close();
  });

  it('stands on the note that is there, and leaves its text when it goes', () => {
    const notes = open('star-note.db');
    notes.add(NOTE);
    notes.star(SUBJECT, true, LATER);
    expect(notes.all()).toMatchObject([{ text: 'look here', starred: true }]);
    notes.star(SUBJECT, false, LATER);
    expect(notes.all()).toMatchObject([{ text: 'look here', starred: false, changed: LATER }]);
    notes.close();
  });

  it('does not take a mark in time away', () => {
    const notes = open('star-mark.db');
    const subject: NoteSubject = { kind: 'time', from: '5', to: null, basis: 'raw' };
    notes.star(subject, true, LATER);
    notes.star(subject, false, LATER);
    expect(notes.all()).toMatchObject([{ subject, starred: false }]);
    notes.close();
  });
});

describe('restoring', () => {
  it('gives a removed note its id again, unless that is taken', () => {
    const notes = NotesDb.open(join(folder, 'restore.db'));
    const id = notes.add(NOTE);
    notes.remove(id);
    expect(notes.add(NOTE, id)).toBe(id);
    expect(notes.add(NOTE, id)).not.toBe(id);
    notes.close();
  });
});

describe('editing', () => {
  it('changes the text and keeps the rest', () => {
    const notes = NotesDb.open(join(folder, 'edit.db'));
    const id = notes.add({ ...NOTE, starred: true });
    expect(notes.edit(id, 'seen', LATER)).toMatchObject({
      text: 'seen',
      starred: true,
      created: NOTE.created,
      changed: LATER,
    });
    expect(notes.edit(id + 1, 'none', LATER)).toBeUndefined();
    notes.close();
  });
});

describe('migration', () => {
  it('knows what the notes of version 1 were about', () => {
    const file = join(folder, 'v1.db');
    const before = openDurable(file);
    migrate(before, NOTE_MIGRATIONS.slice(0, 1));
    const insert = before.prepare('INSERT INTO notes (entry, line, text, created) VALUES (?, ?, ?, ?)');
    insert.run('a.log', 3, 'line', '2026-01-01T00:00:00Z');
    insert.run('a.log', null, 'file', '2026-01-02T00:00:00Z');
    insert.run(null, null, 'case', '2026-01-03T00:00:00Z');
    before.close();
    expect(NotesDb.list(file).map((note) => note.subject)).toEqual([
      { kind: 'line', path: 'a.log', line: 3 },
      { kind: 'entry', path: 'a.log' },
      { kind: 'case' },
    ]);
  });

  it.each(NOTE_MIGRATIONS.map((_step, index) => index))('from version %i keeps what was written', (version) => {
    const file = join(folder, `from-${version}.db`);
    const before = openDurable(file);
    migrate(before, NOTE_MIGRATIONS.slice(0, version));
    if (version >= 1)
      before.prepare('INSERT INTO notes (text, created) VALUES (?, ?)').run('kept', '2026-01-01T00:00:00Z');
    before.close();
    const notes = NotesDb.open(file);
    expect(notes.all().map((note) => note.text)).toEqual(version >= 1 ? ['kept'] : []);
    notes.close();
    const after = openDurable(file);
    expect(after.pragma('user_version', { simple: true })).toBe(NOTE_MIGRATIONS.length);
    after.close();
  });

  it('undoes a step that fails half-way, version included', () => {
    const db = openDurable(join(folder, 'broken.db'));
    const steps = [
      ...NOTE_MIGRATIONS,
      () => {
        db.exec('CREATE TABLE half (x)');
        throw new Error('disk');
      },
    ];
    expect(() => migrate(db, steps)).toThrow('disk');
    expect(db.pragma('user_version', { simple: true })).toBe(NOTE_MIGRATIONS.length);
    expect(db.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'half'").pluck().get()).toBe(0);
    db.close();
  });

  it('refuses notes of a newer program', () => {
    const file = join(folder, 'newer.db');
    const db = openDurable(file);
    db.pragma('user_version = 99');
    db.close();
    expect(() => NotesDb.open(file)).toThrow('notes of version 99');
  });
});
