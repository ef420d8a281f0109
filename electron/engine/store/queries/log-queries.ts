/** Statements of the log search: what files there are, what is known of their blocks, the blocks themselves. */
import type { Db } from '../sqlite.ts';

export interface LogFileRecord {
  /** Key of streams and events. */
  readonly slot: number;
  /** Key of blocks. */
  readonly contentSlot: number;
  readonly id: number;
  readonly path: string;
  readonly format: string | null;
  readonly lines: number | null;
  /** Epoch ns as text, raw; null if no line has a time. */
  readonly firstNs: string | null;
  readonly lastNs: string | null;
}

/** A block without its bytes. Times are ms since 1970 of the lines in it that have one, rounded down; null if none has. */
export interface BlockInfo {
  readonly id: number;
  readonly firstLine: number;
  readonly lines: number;
  readonly byte: number;
  readonly bytes: number;
  readonly skip: number;
  readonly encoding: string;
  readonly t0: number | null;
  readonly t1: number | null;
}

export const LOG_SQL = {
  files: `SELECT slot, content_slot AS contentSlot, id, path, format, lines,
      CAST(first_ns AS TEXT) AS firstNs, CAST(last_ns AS TEXT) AS lastNs
    FROM entries WHERE duplicate_of IS NULL AND lines > 0
      AND format IN (SELECT value FROM json_each(:formats)) ORDER BY id`,
  blocksOf: `SELECT id, first_line AS firstLine, lines, byte, bytes, skip, encoding, t0_ms AS t0, t1_ms AS t1
    FROM blocks WHERE slot = ? ORDER BY byte`,
  block: 'SELECT codec, data, bytes FROM blocks WHERE id = ?',
  streams: 'SELECT slot, json FROM streams ORDER BY id',
  pods: "SELECT name, json FROM kube_objects WHERE kind = 'pod' ORDER BY id",
  seconds: 'SELECT width_s AS widthS, bytes, codec, data FROM second_counts WHERE slot = ?',
  /** Calls that events name: their number, and the group as its description or id. */
  calls: `SELECT line, last_line AS lastLine, json_extract(json, '$.body.seq') AS seq,
      json_extract(json, '$.body.group') AS groupJson FROM events
    WHERE slot = ? AND line IS NOT NULL AND (json_extract(json, '$.body.seq') IS NOT NULL OR json_extract(json, '$.body.group') IS NOT NULL)`,
  /** Reads all rows, some ten thousand at most: once for a case that is open. */
  eventLines: `SELECT slot, line FROM events
    WHERE line IS NOT NULL AND kind NOT IN (SELECT value FROM json_each(:kinds))`,
  report: 'SELECT json FROM report WHERE id = 1',
} as const;

export type LogQueries = ReturnType<typeof prepareLogReads>;

export function prepareLogReads(db: Db) {
  return {
    files: db.prepare<[{ formats: string }], LogFileRecord>(LOG_SQL.files),
    blocksOf: db.prepare<[number], BlockInfo>(LOG_SQL.blocksOf),
    block: db.prepare<[number], { codec: string; data: Buffer; bytes: number }>(LOG_SQL.block),
    streams: db.prepare<[], { slot: number; json: string }>(LOG_SQL.streams),
    pods: db.prepare<[], { name: string; json: string }>(LOG_SQL.pods),
    seconds: db.prepare<[number], { widthS: number; bytes: number; codec: string; data: Buffer }>(LOG_SQL.seconds),
    calls: db.prepare<
      [number],
      { line: number; lastLine: number | null; seq: number | null; groupJson: string | null }
    >(LOG_SQL.calls),
    eventLines: db.prepare<[{ kinds: string }], { slot: number; line: number }>(LOG_SQL.eventLines),
    report: db.prepare<[], string>(LOG_SQL.report).pluck(),
  };
}
