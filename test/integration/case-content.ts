/** A case file as text: every row of every table in the order of its key, BLOBs as their hash. Two cases of one content are equal here. */
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';

export function caseContent(file: string, except: readonly string[] = []): ReadonlyMap<string, readonly string[]> {
  const db = new Database(file, { readonly: true });
  db.defaultSafeIntegers(true);
  try {
    const names = db.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    const tables = names.all().filter(({ name }) => !except.includes(name));
    return new Map(
      tables.map(({ name }) => [
        name,
        db
          .prepare<[], Record<string, unknown>>(`SELECT * FROM "${name}" ORDER BY 1`)
          .all()
          .map((row) => Object.values(row).map(shown).join(' | ')),
      ]),
    );
  } finally {
    db.close();
  }
}

const shown = (value: unknown): string =>
  Buffer.isBuffer(value) ? createHash('sha256').update(value).digest('hex') : String(value);
