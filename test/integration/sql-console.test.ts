import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { runSql } from '#engine/search/sql-console.ts';
import { SQL_VIEWS } from '#engine/store/sql-views.ts';
import { importIncident } from './import-incident.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
let caseFile: string;

beforeAll(async () => {
  scratch.write(
    'bundle/logs/w-0.log',
    "2026-03-14T09:00:00.000000000Z [rank0]: ValueError: it's '; DROP TABLE entries\n",
  );
  caseFile = `${scratch.path}/case.db`;
  await importIncident([`${scratch.path}/bundle`], caseFile);
}, 60_000);

describe('SQL over a case', () => {
  it('answers from each documented view with its documented columns', () => {
    for (const { name, columns } of SQL_VIEWS) {
      const answer = runSql(caseFile, { sql: `SELECT * FROM ${name}`, maxRows: 10 });
      expect(answer, name).toMatchObject({ ok: true, table: { columns: [...columns] } });
    }
    const answer = runSql(caseFile, { sql: "SELECT path, first FROM files WHERE path LIKE '%w-0%'", maxRows: 10 });
    expect(answer).toMatchObject({
      ok: true,
      table: { rows: [['logs/w-0.log', '2026-03-14T09:00:00.000Z']], more: false },
    });
  });

  it.each([
    ['DELETE FROM entries', /Only SELECT/],
    ['DROP TABLE entries', /Only SELECT/],
    ['PRAGMA query_only = 0', /Only SELECT/],
    ["ATTACH DATABASE '/tmp/x.db' AS x", /Only SELECT/],
    ['-- hidden\nDELETE FROM entries', /Only SELECT/],
    ['WITH x AS (SELECT 1) DELETE FROM entries', /Only SELECT|readonly|read-only/],
    ['SELECT 1; DELETE FROM entries', /more than one statement/],
    ["SELECT load_extension('x')", /not authorized|no such function/],
    ["SELECT writefile('/tmp/x', 'y')", /no such function/],
    ['', /no statement/],
    ['SELECT x FROM nowhere', /no such table/],
  ])('refuses %s and leaves the file as it is', (sql, why) => {
    const before = readFileSync(caseFile);
    const answer = runSql(caseFile, { sql, maxRows: 10 });
    expect(answer.ok).toBe(false);
    if (!answer.ok) expect(answer.error).toMatch(why);
    expect(readFileSync(caseFile).equals(before)).toBe(true);
  });

  it('stops at the limit of rows and says that there are more', () => {
    const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
    expect(runSql(caseFile, { sql, maxRows: 5 })).toMatchObject({
      ok: true,
      table: { rows: [[1], [2], [3], [4], [5]], more: true },
    });
  });

  it('shows bytes as their number and exact integers as text', () => {
    const sql = 'SELECT data, 9007199254740993 AS big FROM blocks LIMIT 1';
    const answer = runSql(caseFile, { sql, maxRows: 5 });
    expect(answer.ok && answer.table.rows[0]).toEqual([expect.stringMatching(/^\d+ bytes$/), '9007199254740993']);
  });
});
