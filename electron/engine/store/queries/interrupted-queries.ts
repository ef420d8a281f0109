/** Statements over a case whose import was interrupted. Everything derived is written at the end of an import and is made anew. */
import type { Db } from '../sqlite.ts';

const OF_A_SLOT = ['entries', 'blocks', 'blobs', 'dumps', 'second_counts'] as const;
const DERIVED = ['meta', 'events', 'streams', 'kube_objects', 'issues', 'views', 'report'] as const;

interface EntryRow {
  readonly slot: number;
  readonly path: string;
  readonly sha256: string | null;
}

export const prepareInterrupted = (db: Db) => ({
  entries: db.prepare<[], EntryRow>('SELECT slot, path, sha256 FROM entries'),
  blockCounts: db.prepare<[], { readonly slot: number; readonly count: number }>(
    'SELECT slot, count(*) AS count FROM blocks GROUP BY slot',
  ),
  dumpSlots: db.prepare<[], number>('SELECT slot FROM dumps').pluck(),
  otherSlots: db.prepare<[], number>('SELECT slot FROM blobs UNION SELECT slot FROM second_counts').pluck(),
  dump: db.prepare<[number], { readonly bytes: number; readonly codec: string; readonly data: Buffer }>(
    'SELECT bytes, codec, data FROM dumps WHERE slot = ?',
  ),
  /** Made at the end of an import, and made anew then. */
  dropIndexes: db
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    .pluck()
    .all()
    .map((name) => db.prepare(`DROP INDEX "${name.replaceAll('"', '""')}"`)),
  dropSlot: OF_A_SLOT.map((table) => db.prepare<[number]>(`DELETE FROM ${table} WHERE slot = ?`)),
  dropDerived: DERIVED.map((table) => db.prepare(`DELETE FROM ${table}`)),
});
