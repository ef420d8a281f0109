/**
 * A case file as text: every row of every table in the order of its key, BLOBs as their hash. Two cases of one content are equal here. Views
 * are compared by what they hold: V8 writes equal values in more than one way.
 */
import { createHash } from 'node:crypto';
import { deserialize } from 'node:v8';
import Database from 'better-sqlite3';
import { unpackBlock } from '#engine/store/block-codec.ts';

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
          .map((row) => (name === 'views' ? viewText(row) : Object.values(row).map(shown).join(' | '))),
      ]),
    );
  } finally {
    db.close();
  }
}

const shown = (value: unknown): string =>
  Buffer.isBuffer(value) ? createHash('sha256').update(value).digest('hex') : String(value);

function viewText({ name, bytes, codec, data }: Record<string, unknown>): string {
  if (!Buffer.isBuffer(data)) throw new Error('a view without data');
  const value: unknown = deserialize(unpackBlock(String(codec), data, Number(bytes)));
  return `${String(name)} ${createHash('sha256').update(plainText(value)).digest('hex')}`;
}

const plainText = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => {
    if (typeof one === 'bigint') return `${one}n`;
    if (typeof one === 'number' && !Number.isFinite(one)) return String(one);
    if (one instanceof Map || one instanceof Set) return [...one];
    return ArrayBuffer.isView(one) ? Buffer.from(one.buffer, one.byteOffset, one.byteLength).toString('base64') : one;
  });
