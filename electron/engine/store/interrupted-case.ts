/** A case file whose import was interrupted: checked, and cut back to the entries that were whole. */
import { existsSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { unpackBlock } from './block-codec.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from './case-schema.ts';
import { prepareInterrupted } from './queries/interrupted-queries.ts';
import { createForImport, type Db } from './sqlite.ts';

/** What the journal says was written of an entry. */
export interface StoredEntry {
  readonly slot: number;
  readonly path: string;
  readonly sha256: string | null;
  readonly blocks: number;
  readonly hasDump: boolean;
}

export interface Interrupted {
  readonly db: Db;
  /** Slots whose rows are all there; everything else was removed. */
  readonly slots: ReadonlySet<number>;
  /** Slot → number of text blocks. */
  readonly blocks: ReadonlyMap<number, number>;
  /** The recorder dump of a slot. Throws if it cannot be read. */
  dump(slot: number): unknown;
}

/** Undefined if the file is missing, of another version, or damaged: then it is imported from the start. */
export function openInterrupted(temporary: string, entries: readonly StoredEntry[]): Interrupted | undefined {
  if (!existsSync(temporary)) return undefined;
  let db: Db | undefined;
  try {
    db = createForImport(temporary);
    const isOurs =
      db.pragma('application_id', { simple: true }) === APPLICATION_ID &&
      db.pragma('user_version', { simple: true }) === SCHEMA_VERSION &&
      db.pragma('quick_check', { simple: true }) === 'ok';
    if (isOurs) return cutBack(db, entries);
  } catch {
    // Damaged beyond opening.
  }
  db?.close();
  return undefined;
}

function cutBack(db: Db, entries: readonly StoredEntry[]): Interrupted {
  const queries = prepareInterrupted(db);
  const rows = new Map(queries.entries.all().map((row) => [row.slot, row]));
  const blocks = new Map(queries.blockCounts.all().map(({ slot, count }) => [slot, count]));
  const dumps = new Set(queries.dumpSlots.all());
  const slots = new Set<number>();
  for (const { slot, path, sha256, hasDump, blocks: count } of entries) {
    const row = rows.get(slot);
    const isWhole = row !== undefined && row.path === path && row.sha256 === sha256;
    if (isWhole && (blocks.get(slot) ?? 0) === count && dumps.has(slot) === hasDump) slots.add(slot);
  }
  db.transaction(() => {
    const known = new Set([...rows.keys(), ...blocks.keys(), ...dumps, ...queries.otherSlots.all()]);
    for (const slot of known) {
      if (slots.has(slot)) continue;
      for (const statement of queries.dropSlot) statement.run(slot);
    }
    for (const statement of [...queries.dropDerived, ...queries.dropIndexes]) statement.run();
  })();
  return {
    db,
    slots,
    blocks: new Map([...blocks].filter(([slot]) => slots.has(slot))),
    dump(slot) {
      const row = queries.dump.get(slot);
      if (row === undefined) throw new Error(`the dump of slot ${slot} is missing`);
      return deserialize(unpackBlock(row.codec, row.data, row.bytes));
    },
  };
}
