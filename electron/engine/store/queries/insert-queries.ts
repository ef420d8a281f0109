/** Statements that fill a case while it is imported, prepared once. */
import type { Db } from '../sqlite.ts';

export type InsertQueries = ReturnType<typeof prepareInserts>;

export function prepareInserts(db: Db) {
  return {
    meta: db.prepare<[string, string]>('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)'),
    entry: db.prepare(
      `INSERT INTO entries (slot, content_slot, path, bytes, sha256, format, kind, why, status, detail, lines, first_ns, last_ns)
       VALUES (:slot, :contentSlot, :path, :bytes, :sha256, :format, :kind, :why, :status, :detail, :lines, :firstNs, :lastNs)`,
    ),
    settleEntry: db.prepare(
      'UPDATE entries SET id = :id, content_slot = :contentSlot, status = :status, detail = :detail, duplicate_of = :duplicateOf WHERE slot = :slot',
    ),
    block: db.prepare(
      `INSERT INTO blocks (id, slot, first_line, lines, byte, bytes, skip, encoding, t0_ms, t1_ms, codec, data)
       VALUES (:id, :slot, :firstLine, :lines, :byte, :bytes, :skip, :encoding, :t0, :t1, :codec, :data)`,
    ),
    blocksOf: db.prepare<[number, number], { readonly codec: string; readonly data: Buffer; readonly bytes: number }>(
      'SELECT codec, data, bytes FROM blocks WHERE id >= ? AND id < ? ORDER BY id',
    ),
    deleteBlocks: db.prepare<[number, number]>('DELETE FROM blocks WHERE id >= ? AND id < ?'),
    blob: db.prepare<[number, number, string, Buffer]>(
      'INSERT OR REPLACE INTO blobs (slot, bytes, codec, data) VALUES (?, ?, ?, ?)',
    ),
    deleteBlob: db.prepare<[number]>('DELETE FROM blobs WHERE slot = ?'),
    event: db.prepare(
      `INSERT INTO events (slot, line, byte, length, last_line, ns, kind, rank, json)
       VALUES (:slot, :line, :byte, :length, :lastLine, :ns, :kind, :rank, :json)`,
    ),
    stream: db.prepare<[number, string]>('INSERT INTO streams (slot, json) VALUES (?, ?)'),
    kubeObject: db.prepare<[number, string, string, string]>(
      'INSERT INTO kube_objects (slot, kind, name, json) VALUES (?, ?, ?, ?)',
    ),
    dump: db.prepare<[number, number | null, number, string, Buffer]>(
      'INSERT INTO dumps (slot, rank, bytes, codec, data) VALUES (?, ?, ?, ?, ?)',
    ),
    issue: db.prepare(
      `INSERT INTO issues (code, severity, slot, path, count, detail, json)
       VALUES (:code, :severity, :slot, :path, :count, :detail, :json)`,
    ),
    secondCounts: db.prepare<[number, number, number, string, Buffer]>(
      'INSERT INTO second_counts (slot, width_s, bytes, codec, data) VALUES (?, ?, ?, ?, ?)',
    ),
    view: db.prepare<[string, number, string, Buffer]>(
      'INSERT OR REPLACE INTO views (name, bytes, codec, data) VALUES (?, ?, ?, ?)',
    ),
    report: db.prepare<[string]>('INSERT OR REPLACE INTO report (id, json) VALUES (1, ?)'),
    dropEntry: ['entries', 'dumps', 'second_counts'].map((table) =>
      db.prepare<[number]>(`DELETE FROM ${table} WHERE slot = ?`),
    ),
    dropDuplicates: ['events', 'streams', 'kube_objects'].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE slot IN (SELECT slot FROM entries WHERE status = 'duplicate')`),
    ),
  };
}
