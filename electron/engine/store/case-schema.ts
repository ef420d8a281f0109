/**
 * The tables of `case.db`. Everything here is derived from the bundle: another SCHEMA_VERSION means import again.
 *
 * `slot` is the position in which an entry was read and the key of everything that is written while reading; `entries.id` is the
 * public EntryId, its position among all paths in order, known only at the end.
 *
 *   entries 1─n blocks    text, line-aligned, compressed      (of a duplicate: `content_slot` names the slot that holds them)
 *           1─1 blobs     other bytes, or the first 64 KiB
 *           1─n events, streams, kube_objects, issues
 *           1─1 dumps, second_counts
 *
 * `views` holds what screens draw, by name (`shared/views`), serialised and compressed; long columns of a view in
 * rows of their own (`stored-view.ts`).
 */
export const SCHEMA_VERSION = 4;

/** `FFlt`: marks the file as ours among SQLite files. */
export const APPLICATION_ID = 0x46466c74;

export const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE entries (
    slot INTEGER PRIMARY KEY, id INTEGER, content_slot INTEGER NOT NULL,
    path TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT, format TEXT, kind TEXT NOT NULL, why TEXT NOT NULL,
    status TEXT NOT NULL, detail TEXT NOT NULL, lines INTEGER, first_ns INTEGER, last_ns INTEGER, duplicate_of INTEGER
  );
  CREATE TABLE blocks (
    id INTEGER PRIMARY KEY, slot INTEGER NOT NULL, first_line INTEGER NOT NULL, lines INTEGER NOT NULL,
    byte INTEGER NOT NULL, bytes INTEGER NOT NULL, skip INTEGER NOT NULL, encoding TEXT NOT NULL, t0_ms REAL, t1_ms REAL,
    codec TEXT NOT NULL, data BLOB NOT NULL
  );
  CREATE TABLE blobs (slot INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, codec TEXT NOT NULL, data BLOB NOT NULL);
  CREATE TABLE events (
    id INTEGER PRIMARY KEY, slot INTEGER NOT NULL, line INTEGER, byte INTEGER, length INTEGER, last_line INTEGER,
    ns INTEGER, kind TEXT NOT NULL, rank INTEGER, json TEXT NOT NULL
  );
  CREATE TABLE streams (id INTEGER PRIMARY KEY, slot INTEGER NOT NULL, json TEXT NOT NULL);
  CREATE TABLE kube_objects (id INTEGER PRIMARY KEY, slot INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, json TEXT NOT NULL);
  CREATE TABLE dumps (slot INTEGER PRIMARY KEY, rank INTEGER, bytes INTEGER NOT NULL, codec TEXT NOT NULL, data BLOB NOT NULL);
  CREATE TABLE issues (
    id INTEGER PRIMARY KEY, code TEXT NOT NULL, severity TEXT NOT NULL, slot INTEGER, path TEXT, count INTEGER NOT NULL,
    detail TEXT NOT NULL, json TEXT NOT NULL
  );
  CREATE TABLE second_counts (slot INTEGER PRIMARY KEY, width_s INTEGER NOT NULL, bytes INTEGER NOT NULL, codec TEXT NOT NULL, data BLOB NOT NULL);
  CREATE TABLE views (name TEXT PRIMARY KEY, bytes INTEGER NOT NULL, codec TEXT NOT NULL, data BLOB NOT NULL);
  CREATE TABLE report (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
`;

/** Made after the rows: building them while inserting costs about a third more. */
export const INDEXES = `
  CREATE UNIQUE INDEX entries_id ON entries (id);
  CREATE INDEX blocks_line ON blocks (slot, first_line, lines);
  CREATE INDEX blocks_byte ON blocks (slot, byte, bytes);
  CREATE INDEX blocks_meta ON blocks (slot, byte, bytes, first_line, lines, skip, encoding, t0_ms, t1_ms);
  CREATE INDEX events_slot ON events (slot, line);
  CREATE INDEX events_ns ON events (ns);
  CREATE INDEX events_rank ON events (rank, ns);
  CREATE INDEX streams_slot ON streams (slot);
  CREATE INDEX kube_objects_kind ON kube_objects (kind, name);
  CREATE INDEX issues_slot ON issues (slot);
`;
