/** `--export parquet`: real files, read by a real query engine with the queries that the document shows. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLLECTIVES_TABLE, EVENTS_TABLE, REPORT_TABLES } from '#shared/report/tables/index.ts';
import { exportProblem, splitExportValues } from '../../electron/cli/commands/export-tables.ts';
import { runCli } from './run-cli.ts';
import { scratchFolder } from './scratch.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const SMALL = at('build/resources/example/small');
const LARGE = at('build/resources/example/large.tar.gz');
const DOCUMENT = readFileSync(at('build/docs/parquet.md'), 'utf8');
const TABLES = [...Object.values(REPORT_TABLES), EVENTS_TABLE, COLLECTIVES_TABLE];

const scratch = scratchFolder();
const fleet = join(scratch.path, 'fleet');
let connection: DuckDBConnection;

async function run(args: readonly string[], name: string) {
  const folder = join(scratch.path, name);
  mkdirSync(folder, { recursive: true });
  return runCli(args, { folder });
}

async function rows(sql: string): Promise<readonly Record<string, unknown>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJS();
}

/** The text of a query in the document. */
function query(name: string): string {
  const [, rest] = DOCUMENT.split(`\`\`\`sql query=${name}\n`);
  const [text] = (rest ?? expect.fail(`no query ${name}`)).split('```');
  return text ?? '';
}

beforeAll(async () => {
  for (const [bundle, name] of [
    [SMALL, 'one'],
    [LARGE, 'two'],
  ] as const) {
    const done = await run(['analyze', bundle, '--export', 'parquet', fleet], name);
    expect(done.stderr).toMatch(/9 tables, \d+ rows written/);
    expect(done.status).toBe(0);
  }
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  const setup = /```sql duckdb\n([\s\S]*?)```/.exec(DOCUMENT)?.[1] ?? '';
  for (const statement of setup.replaceAll('DIR', fleet).trim().split(';\n')) await connection.run(statement);
});

afterAll(() => connection?.closeSync());

describe('a fleet of two cases in DuckDB', () => {
  it('counts causes', async () => {
    expect(await rows(query('causes'))).toEqual([
      { cause: 'data-input', status: 'established', cases: 1n },
      { cause: 'stalled-unknown', status: 'supported', cases: 1n },
    ]);
  });

  it('finds the nodes of first ranks', async () => {
    expect(await rows(query('nodes'))).toEqual([
      { node: 'gpu-a75-0', incidents: 1n },
      { node: 'worker-c89-5', incidents: 1n },
    ]);
  });

  it('leads evidence back to its line', async () => {
    const found = (await rows(query('evidence'))).filter(({ bundle, line }) => bundle === 'small' && line !== null);
    expect(found.length).toBeGreaterThan(0);
    const texts = found.map(
      ({ file, line }) => readFileSync(join(SMALL, String(file)), 'utf8').split('\n')[Number(line) - 1],
    );
    expect(texts.some((text) => text?.includes('Traceback'))).toBe(true);
  });

  it('puts events on the reference clock', async () => {
    const found = await rows(query('corrected'));
    const [ahead] = await rows(
      "SELECT max(abs(clock_offset_ms - 58021)) AS away FROM ranks WHERE node = 'worker-c89-5' AND clock_offset_ms > 50000",
    );
    expect(Number(ahead?.['away'])).toBeLessThan(200);
    expect(found.length).toBeGreaterThan(600);
    expect(found.every((row) => typeof row['uncertain_ms'] === 'number' || row['uncertain_ms'] === null)).toBe(true);
  });

  it('names the call that all ranks but two recorded', async () => {
    expect((await rows(query('unfinished')))[0]).toEqual({
      group_name: '0',
      op: 'nccl:all_reduce',
      seq: 426n,
      ranks: 62n,
    });
  });

  it('has one row an entry of each dump', async () => {
    expect(
      await rows(
        'SELECT count(DISTINCT file) AS files, count(DISTINCT rank) AS ranks FROM collectives GROUP BY case_id ORDER BY files',
      ),
    ).toEqual([
      { files: 3n, ranks: 3n },
      { files: 63n, ranks: 63n },
    ]);
  });
});

describe('the files', () => {
  it('hold times to the nanosecond, and the microsecond below it', async () => {
    const [row] = await rows(
      'SELECT count(*) AS n, count(*) FILTER (epoch_us(time) = time_ns // 1000) AS same, count(*) FILTER (time_ns % 1000 <> 0) AS fine FROM events WHERE time_ns IS NOT NULL',
    );
    expect(row?.['same']).toBe(row?.['n']);
    expect(Number(row?.['fine'])).toBeGreaterThan(0);
  });

  it('are read the same by another reader', async () => {
    const [name = ''] = readdirSync(join(fleet, 'ranks')).filter((file) => file.startsWith('small'));
    const file = await asyncBufferFromFile(join(fleet, 'ranks', name));
    const ranks = await parquetReadObjects({ file });
    expect(ranks.map(({ rank, role, node }) => [rank, role, node])).toEqual([
      [0, 'victim', 'gpu-a75-0'],
      [1, 'first', 'gpu-a75-0'],
      [2, 'victim', 'node-d97-1'],
      [3, 'victim', 'node-d97-1'],
    ]);
  });

  it('are the same bytes when the bundle is exported again, and replace the ones before', async () => {
    const before = contents();
    await run(['analyze', SMALL, '--quiet', '--export', 'parquet', fleet], 'again');
    expect(contents()).toEqual(before);
  });

  function contents(): readonly (readonly [string, string])[] {
    return readdirSync(fleet, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.parquet'))
      .sort()
      .map((path) => [path, readFileSync(join(fleet, path)).toString('base64')] as const);
  }
});

describe('the document', () => {
  it.each(TABLES.map((table) => [table.name, table] as const))('names every column of %s', (name, table) => {
    const line = DOCUMENT.split('\n').find((one) => one.startsWith(`| \`${name}\` `)) ?? '';
    const told = [...line.matchAll(/`(\w+)`/g)].map((match) => match[1]).slice(1);
    expect(told).toEqual(table.columns.map((column) => column.name).filter((column) => column !== 'case_id'));
  });
});

describe('the command line', () => {
  const cases: [name: string, args: string[], says: RegExp][] = [
    ['a form that is not there', ['--export', 'csv', 'x'], /form must be parquet/],
    ['no folder', ['--export', 'parquet'], /into which folder/],
    ['an option in place of the folder', ['--export', 'parquet', '--quiet'], /into which folder/],
    ['a file in place of the folder', ['--export', 'parquet', LARGE], /is not a folder/],
    ['no folder above it', ['--export', 'parquet', '/no/such/place'], /there is no folder \/no\/such/],
  ];
  it.each(cases)('refuses %s', (_name, args, says) => {
    const [, form = '', ...rest] = splitExportValues(args);
    const folder = rest[0] === '--export-folder' ? rest[1] : undefined;
    expect(exportProblem({ form, folder })).toMatch(says);
  });

  it('refuses tables together with --redact, and writes nothing', async () => {
    const folder = join(scratch.path, 'redacted');
    const done = await run(['analyze', SMALL, '--export', 'parquet', folder, '--redact'], 'with-redact');
    expect(done.stderr).toMatch(/cannot be combined/);
    expect(done.status).toBe(2);
    expect(existsSync(folder)).toBe(false);
  });

  it('takes the option in front of the bundle, too', async () => {
    const folder = join(scratch.path, 'front');
    const done = await run(['analyze', '--export', 'parquet', folder, SMALL, '--quiet'], 'in-front');
    expect(done.status).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(TABLES.map((table) => table.name).sort());
  });
});
