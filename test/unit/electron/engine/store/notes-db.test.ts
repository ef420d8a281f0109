import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NOTE_MIGRATIONS } from '#engine/store/migrations/index.ts';
import { migrate, NotesDb } from '#engine/store/notes-db.ts';
import { openDurable } from '#engine/store/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'firstfault-notes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOTE = { path: 'logs/a.log', line: 12, text: 'look here', created: '2026-03-14T10:00:00Z' };

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

describe('migration', () => {
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
