/** Statements that answer the window's questions about one case, prepared once. Each uses an index; a test checks the plans. */
import type { StoredEvent } from '#shared/model/stored-event.ts';
import type { Db } from '../sqlite.ts';

export interface EntryRecord {
  readonly slot: number;
  readonly id: number;
  readonly contentSlot: number;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly format: string | null;
  readonly kind: string;
  readonly why: string;
  readonly status: string;
  readonly detail: string;
  readonly lines: number | null;
  /** As text: a 64-bit integer does not fit a double. */
  readonly firstNs: string | null;
  readonly lastNs: string | null;
  readonly duplicateOf: number | null;
}

export interface BlockRecord {
  readonly firstLine: number;
  readonly lines: number;
  readonly byte: number;
  readonly bytes: number;
  readonly skip: number;
  /** One of TEXT_ENCODINGS. */
  readonly encoding: string;
  readonly codec: string;
  readonly data: Buffer;
}

export interface BlobRecord {
  readonly bytes: number;
  readonly codec: string;
  readonly data: Buffer;
}

const ENTRY_COLUMNS = `slot, id, content_slot AS contentSlot, path, bytes, sha256, format, kind, why, status, detail, lines,
  CAST(first_ns AS TEXT) AS firstNs, CAST(last_ns AS TEXT) AS lastNs, duplicate_of AS duplicateOf`;
const BLOCK_COLUMNS = 'first_line AS firstLine, lines, byte, bytes, skip, encoding, codec, data';

export const READ_SQL = {
  meta: 'SELECT key, value FROM meta',
  report: 'SELECT json FROM report WHERE id = 1',
  entryCount: 'SELECT count(*) FROM entries',
  entryPage: `SELECT ${ENTRY_COLUMNS} FROM entries WHERE id >= ? ORDER BY id LIMIT ?`,
  entryById: `SELECT ${ENTRY_COLUMNS} FROM entries WHERE id = ?`,
  /** The block in which a line starts is the last one that starts at or before it; blocks without line starts are skipped. */
  blockOfLine: `SELECT ${BLOCK_COLUMNS} FROM blocks WHERE slot = ? AND first_line <= ? AND lines > 0 ORDER BY first_line DESC LIMIT 1`,
  blocksFromByte: `SELECT ${BLOCK_COLUMNS} FROM blocks WHERE slot = :slot AND byte >= coalesce(
      (SELECT byte FROM blocks WHERE slot = :slot AND byte <= :from ORDER BY byte DESC LIMIT 1), 0) AND byte < :to ORDER BY byte`,
  blob: 'SELECT bytes, codec, data FROM blobs WHERE slot = ?',
  dump: 'SELECT bytes, codec, data FROM dumps WHERE slot = ?',
  view: 'SELECT bytes, codec, data FROM views WHERE name = ?',
  /** A page of all events, in the order of their ids. */
  eventPage: `SELECT v.id AS id, e.path AS path, v.line AS line, v.last_line AS lastLine, v.byte AS byte, v.length AS length,
    v.rank AS rank, v.kind AS kind, v.ns AS ns, v.json AS json
    FROM events v JOIN entries e ON e.slot = v.slot WHERE v.id > ? ORDER BY v.id LIMIT ?`,
  /** A look at every event: there is no index by kind. */
  progress: `SELECT e.id AS entry, v.rank AS rank, v.ns AS ns, v.json AS json FROM events v JOIN entries e ON e.slot = v.slot
    WHERE v.kind = 'progress' AND v.ns IS NOT NULL LIMIT ?`,
  secondCounts: `SELECT e.id AS id, s.width_s AS widthS, s.bytes, s.codec, s.data FROM second_counts s JOIN entries e ON e.slot = s.slot
    WHERE e.status <> 'duplicate' ORDER BY e.id`,
  lineCount: 'SELECT first_line + lines - 1 FROM blocks WHERE slot = ? ORDER BY first_line DESC, lines DESC LIMIT 1',
  storedEnd: 'SELECT byte + bytes FROM blocks WHERE slot = ? ORDER BY byte DESC LIMIT 1',
} as const;

export interface EventRecord extends StoredEvent {
  readonly id: bigint;
}

/** A line of progress; `rank` null = nothing tells who printed it. */
export interface ProgressRecord {
  readonly entry: bigint;
  readonly rank: bigint | null;
  readonly ns: bigint;
  readonly json: string;
}

export type ReadQueries = ReturnType<typeof prepareReads>;

export function prepareReads(db: Db) {
  return {
    meta: db.prepare<[], { key: string; value: string }>(READ_SQL.meta),
    report: db.prepare<[], string>(READ_SQL.report).pluck(),
    entryCount: db.prepare<[], number>(READ_SQL.entryCount).pluck(),
    entryPage: db.prepare<[number, number], EntryRecord>(READ_SQL.entryPage),
    entryById: db.prepare<[number], EntryRecord>(READ_SQL.entryById),
    blockOfLine: db.prepare<[number, number], BlockRecord>(READ_SQL.blockOfLine),
    blocksFromByte: db.prepare<[{ slot: number; from: number; to: number }], BlockRecord>(READ_SQL.blocksFromByte),
    blob: db.prepare<[number], BlobRecord>(READ_SQL.blob),
    dump: db.prepare<[number], BlobRecord>(READ_SQL.dump),
    view: db.prepare<[string], BlobRecord>(READ_SQL.view),
    eventPage: db.prepare<[bigint, number], EventRecord>(READ_SQL.eventPage).safeIntegers(),
    progress: db.prepare<[number], ProgressRecord>(READ_SQL.progress).safeIntegers(),
    secondCounts: db.prepare<[], BlobRecord & { id: number; widthS: number }>(READ_SQL.secondCounts),
    lineCount: db.prepare<[number], number>(READ_SQL.lineCount).pluck(),
    storedEnd: db.prepare<[number], number>(READ_SQL.storedEnd).pluck(),
  };
}
