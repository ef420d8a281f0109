/**
 * Read-only SQL over a case, for questions that no screen asks. Runs in a worker thread that is ended if it does not answer in time.
 *
 * What is there, documented: the views of `store/sql-views.ts`, which live in this connection only.
 * The connection is read-only, knows no extensions, and takes one SELECT.
 */
import { openSqlConsole } from '../store/sql-views.ts';

export interface SqlRequest {
  readonly sql: string;
  readonly maxRows: number;
}

export type SqlCell = string | number | null;

export interface SqlTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlCell[])[];
  /** More rows are there than were asked for. */
  readonly more: boolean;
}

export type SqlAnswer =
  | { readonly ok: true; readonly table: SqlTable }
  | { readonly ok: false; readonly error: string };

/** Characters of one cell. */
const MAX_CELL = 4_000;

/** Statements begin so; everything else is refused before SQLite sees it. */
const READS = /^(?:select|with|values|explain)\b/i;

/** Why a statement is not run at all; undefined if SQLite shall decide. */
export function refusalOf(sql: string): string | undefined {
  const text = withoutComments(sql);
  if (text === '') return 'There is no statement.';
  return READS.test(text) ? undefined : 'Only SELECT can be run here.';
}

/** Never throws. `maxRows` at most 100,000. */
export function runSql(caseFile: string, { sql, maxRows }: SqlRequest): SqlAnswer {
  const refused = refusalOf(sql);
  if (refused !== undefined) return { ok: false, error: refused };
  try {
    const db = openSqlConsole(caseFile);
    try {
      const statement = db.prepare(sql);
      if (!statement.reader || !statement.readonly) return { ok: false, error: 'Only SELECT can be run here.' };
      statement.raw(true).safeIntegers(true);
      const rows: SqlCell[][] = [];
      let more = false;
      for (const row of statement.iterate()) {
        if (rows.length >= maxRows) {
          more = true;
          break;
        }
        rows.push(Array.isArray(row) ? row.map(cellOf) : []);
      }
      return { ok: true, table: { columns: statement.columns().map(({ name }) => name), rows, more } };
    } finally {
      db.close();
    }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Comments in front would hide the verb. */
function withoutComments(sql: string): string {
  let text = sql.trim();
  for (;;) {
    const next = text.startsWith('--')
      ? text.slice(text.indexOf('\n') + 1 || text.length)
      : text.startsWith('/*')
        ? text.slice(text.indexOf('*/') + 2 || text.length)
        : text;
    if (next === text) return text;
    text = next.trim();
  }
}

function cellOf(value: unknown): SqlCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value.length > MAX_CELL ? `${value.slice(0, MAX_CELL)}…` : value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  return value instanceof Uint8Array ? `${value.length} bytes` : String(value);
}
