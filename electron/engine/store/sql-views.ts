/** Read-only connection with the views that people may ask. The views live in this connection, not in the case. */
import { type Db, openForReading } from './sqlite.ts';

export interface DocumentedView {
  readonly name: string;
  readonly about: string;
  readonly columns: readonly string[];
  readonly sql: string;
}

const REPORT = "(SELECT json FROM report WHERE id = 1), '$.";

export const SQL_VIEWS: readonly DocumentedView[] = [
  {
    name: 'files',
    about: 'the files of the bundle',
    columns: ['id', 'path', 'format', 'status', 'bytes', 'lines', 'first', 'last', 'sha256', 'detail'],
    sql: `SELECT id, path, format, status, bytes, lines, iso(first_ns) AS first, iso(last_ns) AS last, sha256, detail FROM entries`,
  },
  {
    name: 'events',
    about: 'lines of a known shape; times raw, on the clock of the file',
    columns: ['file', 'line', 'time', 'kind', 'rank', 'pod', 'text'],
    sql: `SELECT e.path AS file, v.line AS line, iso(v.ns) AS time, v.kind AS kind, v.rank AS rank,
        json_extract(v.json, '$.pod') AS pod, json_extract(v.json, '$.text') AS text
      FROM main.events v JOIN entries e ON e.slot = v.slot`,
  },
  {
    name: 'ranks',
    about: 'ranks with place, role, dump and end',
    columns: ['rank', 'pod', 'node', 'attempt', 'role', 'dump', 'exit_code', 'last_seen'],
    sql: `SELECT value ->> 'rank' AS rank, value ->> 'pod' AS pod, value ->> 'node' AS node, value ->> 'attempt' AS attempt,
        value ->> 'role' AS role, value ->> 'dump' AS dump, value ->> '$.exit.code' AS exit_code, value ->> 'lastSeen' AS last_seen
      FROM json_each(${REPORT}ranks')`,
  },
  {
    name: 'findings',
    about: 'what the rules found',
    columns: ['rule', 'status', 'cause', 'stage', 'ranks', 'summary'],
    sql: `SELECT value ->> 'rule' AS rule, value ->> 'status' AS status, value ->> 'cause' AS cause, value ->> 'stage' AS stage,
        value ->> 'firstRanks' AS ranks, value ->> 'summary' AS summary FROM json_each(${REPORT}findings')`,
  },
  {
    name: 'problems',
    about: 'what could not be read as it should',
    columns: ['code', 'severity', 'file', 'count', 'detail'],
    sql: 'SELECT code, severity, path AS file, count, detail FROM issues',
  },
];

const NS_PER_MS = 1_000_000;

/** Throws if the file cannot be read. Close it after use. */
export function openSqlConsole(caseFile: string): Db {
  const db = openForReading(caseFile);
  // The views are temporary, which counts as writing; nothing else may be written, before or after.
  db.pragma('query_only = 0');
  for (const { name, sql } of SQL_VIEWS) db.exec(`CREATE TEMP VIEW ${name} AS ${withIso(sql)}`);
  db.pragma('query_only = 1');
  return db;
}

/** `iso(column)` → ISO 8601 UTC with ms; null stays null. */
const withIso = (sql: string): string =>
  sql.replaceAll(
    /iso\(([\w.]+)\)/g,
    (_, column: string) =>
      `strftime('%Y-%m-%dT%H:%M:%S', ${column} / 1000000000, 'unixepoch') || printf('.%03dZ', (${column} / ${NS_PER_MS}) % 1000)`,
  );
