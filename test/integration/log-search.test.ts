/** The log search on real case files: its order against a plain merge, its counts against a plain filter, its bounds. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseIndex } from '#engine/search/case-index.ts';
import { densityOf } from '#engine/search/density.ts';
import { LogSession } from '#engine/search/log-session.ts';
import type { SearchRequest } from '#engine/search/search-request.ts';
import type { SearchRun } from '#engine/search/search-run.ts';
import { SecondCounts } from '#engine/search/second-counts.ts';
import { LOG_SQL } from '#engine/store/queries/log-queries.ts';
import { openForReading } from '#engine/store/sqlite.ts';
import type { LineRow, ListChoice } from '#shared/rpc/areas/logs.ts';
import { importIncident } from './import-incident.ts';
import { scratchFolder } from './scratch.ts';

const FILES = 5;
const LINES = 1_500;
const START = Date.UTC(2026, 2, 14, 9, 0, 0);

/** Numbers that look thrown but are the same each time. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A log with jitter, lines without a stamp, tracebacks, and 300 characters a line so that it spans many blocks. */
function logOf(file: number): string {
  const throwDice = dice(file + 1);
  const lines: string[] = [];
  let ms = START + file * 137;
  for (let i = 0; i < LINES; i += 1) {
    ms += throwDice(400);
    const stamp = new Date(ms - throwDice(30)).toISOString().replace('Z', `${String(i % 1000).padStart(3, '0')}000Z`);
    const level = ['INFO', 'INFO', 'INFO', 'WARNING', 'ERROR'][throwDice(5)];
    const text = `${level}:train:step ${i} shard ${throwDice(99)} ${'x'.repeat(250)}`;
    if (throwDice(9) === 0) lines.push(`plain line ${i} of file ${file} ${'y'.repeat(200)}`);
    else if (throwDice(40) === 0)
      lines.push(
        `${stamp} [rank${file}]: Traceback (most recent call last):`,
        `${stamp} [rank${file}]:   File "train.py", line ${i}, in step`,
        `${stamp} [rank${file}]: ValueError: bad ${i}`,
      );
    else lines.push(`${stamp} ${text}`);
  }
  return `${lines.join('\n')}\n`;
}

const folder = scratchFolder().path;
let session: LogSession;
let texts: string[];

beforeAll(async () => {
  mkdirSync(join(folder, 'bundle', 'logs'), { recursive: true });
  texts = Array.from({ length: FILES }, (_, file) => logOf(file));
  for (const [file, text] of texts.entries()) writeFileSync(join(folder, 'bundle', 'logs', `pod-${file}.log`), text);
  writeFileSync(join(folder, 'bundle', 'logs', 'no-times.log'), 'first\nsecond\nthird needle\n');
  const caseFile = join(folder, 'case.db');
  await importIncident([join(folder, 'bundle')], caseFile);
  session = new LogSession({ caseFile, entry: undefined, threads: 1, keep: new Set([3]) });
}, 60_000);

afterAll(() => session.close());

const REQUEST: SearchRequest = {
  query: '',
  regex: false,
  matchCase: false,
  basis: 'raw',
  ranks: [],
  range: null,
  marks: [],
};
const LIST: ListChoice = { basis: 'raw', fold: false, open: [] };

async function search(query: string, more: Partial<SearchRequest> = {}): Promise<SearchRun> {
  const run = session.search({ ...REQUEST, ...more, query }, null, null);
  if (!run.ok) throw new Error(run.error.expected);
  while (run.value.status === 'searching') await run.value.changed();
  return run.value;
}

const lineRows = (run: SearchRun, from: number, rows: number, list = LIST): readonly LineRow[] =>
  session
    .view(run, list)
    .rows(from, rows)
    .filter((row) => row.kind === 'line');

/** The same result laid out by windows over the blocks, as a large one is. */
function windowed(run: SearchRun): SearchRun {
  run.details = undefined;
  run.version += 1;
  return run;
}

describe('the merged list', () => {
  it('holds every line of every file once, each file in its own order, times never falling between files', async () => {
    const run = await search('');
    const rows = lineRows(run, 0, 100_000);
    const whole = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0) + 3;
    expect(session.describe().totalLines).toBe(whole);
    expect(rows).toHaveLength(whole);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(whole);
    const last = new Map<number, number>();
    for (const row of rows) {
      expect(row.line).toBe((last.get(row.file) ?? 0) + 1);
      last.set(row.file, row.line);
    }
    for (const [i, row] of rows.entries()) expect(row.keyNs).toBeGreaterThanOrEqual(rows[i - 1]?.keyNs ?? row.keyNs);
  });

  it('puts a line without a time behind the line before it, and files without times at the end', async () => {
    const rows = lineRows(await search(''), 0, 100_000);
    const stampless = rows.filter((row) => row.text.startsWith('plain line') && row.line > 1);
    expect(stampless.length).toBeGreaterThan(100);
    for (const row of stampless) {
      expect(row.timeNs).toBeNull();
      const before = rows.find((other) => other.file === row.file && other.line === row.line - 1);
      expect(row.keyNs - (before?.keyNs ?? 0)).toBeLessThan(2e6);
    }
    expect(rows.slice(-3).map(({ text }) => text)).toEqual(['first', 'second', 'third needle']);
  });

  it('is the same by windows over blocks as sorted whole, for any part of it', async () => {
    const sorted = lineRows(await search('ERROR OR Traceback'), 0, 100_000);
    const run = windowed(await search('ERROR OR Traceback'));
    expect(session.view(run, LIST).total).toBe(sorted.length);
    fc.assert(
      fc.property(fc.nat(sorted.length - 1), fc.integer({ min: 1, max: 150 }), (from, count) => {
        expect(lineRows(run, from, count).map(({ key }) => key)).toEqual(
          sorted.slice(from, from + count).map(({ key }) => key),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('finds the row of a line and of a moment', async () => {
    const run = windowed(await search(''));
    const rows = lineRows(run, 0, 100_000);
    const view = session.view(run, LIST);
    for (const at of [0, 1, 777, 3_000, rows.length - 1]) {
      const row = rows[at];
      if (row === undefined) throw new Error('no such row');
      expect(view.locate({ kind: 'line', entryId: row.entryId, line: row.line })).toEqual({ row: at, exact: true });
      const first = rows.findIndex(({ keyNs }) => keyNs >= row.keyNs);
      expect(view.locate({ kind: 'time', timeNs: row.keyNs }).row).toBe(first);
    }
  });

  it('steps to the next and the previous error, by list and by windows alike', async () => {
    const listed = await search('');
    const rows = lineRows(listed, 0, 100_000);
    const isError = (row: LineRow | undefined) => row?.level === 'error' && !row.continues;
    const large = windowed(await search(''));
    for (const from of [0, 50, 2_000, rows.length - 5]) {
      const next = rows.findIndex((row, at) => at > from && isError(row));
      const previous = rows.findLastIndex((row, at) => at < from && isError(row));
      for (const run of [listed, large]) {
        expect(session.view(run, LIST).step(from, 'error', 1), `next of ${from}`).toBe(next < 0 ? null : next);
        expect(session.view(run, LIST).step(from, 'error', -1), `before ${from}`).toBe(previous < 0 ? null : previous);
      }
    }
  });
});

describe('what is found', () => {
  const all = () => texts.flatMap((text) => text.split('\n').slice(0, -1)).concat(['first', 'second', 'third needle']);

  it.each<[string, (line: string) => boolean]>([
    ['shard', (line) => line.includes('shard')],
    ['SHARD', (line) => line.includes('shard')],
    ['"step 77 "', (line) => line.includes('step 77 ')],
    ['needle OR "bad 1"', (line) => line.includes('needle') || line.includes('bad 1')],
    ['step -warning', (line) => line.includes('step') && !line.toLowerCase().includes('warning')],
    ['/step 1\\d{2} shard 9$|step 1\\d{2} shard 9 /', (line) => /step 1\d{2} shard 9 /.test(line)],
    ['/^plain line \\d+1 /', (line) => /^plain line \d+1 /.test(line)],
    ['/bad \\d+$/', (line) => /bad \d+$/.test(line)],
    ['level:warn', (line) => line.includes('WARNING:')],
    ['nothing at all', () => false],
  ])('%s', async (query, test) => {
    const run = await search(query);
    expect(run.status).toBe('done');
    expect(run.matches).toBe(all().filter(test).length);
  });

  it('minds case only if it is told to', async () => {
    expect((await search('SHARD', { matchCase: true })).matches).toBe(0);
  });

  it('gives the lines of a traceback the rank, the severity and the place of its first line', async () => {
    const rows = lineRows(await search('rank:2 (Traceback OR train.py OR ValueError) level:error'), 0, 10_000);
    const heads = rows.filter(({ text }) => text.startsWith('Traceback'));
    expect(heads.length).toBeGreaterThan(10);
    expect(rows.length).toBe(heads.length * 3);
    for (const [i, row] of rows.entries()) {
      expect(row.rank).toBe(2);
      expect(row.continues).toBe(i % 3 !== 0);
      expect(row.keyNs).toBe(heads[Math.floor(i / 3)]?.keyNs);
    }
  });

  it('takes files, times and ranges into account before it reads', async () => {
    const run = await search('file:pod-1 shard');
    expect(run.matchedFiles).toBe(1);
    expect(run.wholeBytes).toBe(Buffer.byteLength(texts[1] ?? ''));
    const minute = await search('t:09:01..09:02');
    const rows = lineRows(minute, 0, 100_000);
    expect(rows.length).toBeGreaterThan(100);
    const { originNs } = session.describe();
    const from = Number(BigInt(START) * 1_000_000n + 60_000_000_000n - BigInt(originNs));
    for (const row of rows) {
      expect(row.keyNs).toBeGreaterThanOrEqual(from);
      expect(row.keyNs).toBeLessThan(from + 60e9);
    }
    expect(minute.wholeBytes).toBeLessThan(session.describe().totalBytes / 3);
    const ranged = await search('', { range: { fromNs: from, toNs: from + 60e9 } });
    expect(ranged.matches).toBe(minute.matches);
  });

  it('tells which term takes the last match away', async () => {
    const run = await search('needle rank:3');
    expect(run.matches).toBe(0);
    expect(await session.without(run)).toEqual({ terms: [true, true], filters: null });
    expect((await session.without(await search('shard nosuchword'))).terms).toEqual([false, true]);
    const filtered = await search('needle', { ranks: [1] });
    expect(await session.without(filtered)).toEqual({ terms: [true], filters: true });
  });
});

describe('lines in time', () => {
  it('counts each line with a time once, by its severity, whatever files share a clock', async () => {
    const run = await search('');
    const rows = lineRows(run, 0, 100_000);
    const { span } = session.describe();
    if (span === null) throw new Error('no times');
    const timed = rows.filter(({ keyNs }) => keyNs <= span.toNs);
    const isError = ({ level }: LineRow) => level === 'error' || level === 'fatal';
    const density = densityOf(run, { basis: 'raw', fromNs: span.fromNs, toNs: span.toNs + 1, buckets: 7 });
    const sum = (counts: Uint32Array) => counts.reduce((all, count) => all + count, 0);
    expect(sum(density.errors)).toBe(timed.filter(isError).length);
    expect(sum(density.warnings)).toBe(timed.filter(({ level }) => level === 'warn').length);
    expect(sum(density.errors) + sum(density.warnings) + sum(density.others)).toBe(timed.length);
    const width = (span.toNs + 1 - span.fromNs) / 7;
    for (const [bucket, errors] of density.errors.entries()) {
      const at = span.fromNs + bucket * width;
      const expected = timed.filter((row) => isError(row) && row.keyNs >= at && row.keyNs < at + width).length;
      expect(Math.abs(errors - expected), `bucket ${bucket}`).toBeLessThan(5);
      expect(expected).toBeGreaterThan(100);
    }
  });
});

describe('all lines in time', () => {
  it.each([
    ['the whole case', 0, 1, 40],
    ['a part of it', 0.31, 0.37, 1_600],
    ['beyond its end', 0.9, 1.4, 9],
  ])('are those of each file, second by second: %s', async (_, from, to, buckets) => {
    const run = await search('nothing at all');
    const { index } = session;
    const { span } = session.describe();
    if (span === null) throw new Error('no times');
    const [fromNs, toNs] = [from, to].map((share) => span.fromNs + share * (span.toNs - span.fromNs)) as [
      number,
      number,
    ];
    // Two clocks, whose offsets no bundle of text alone could prove.
    const files = index.files.map((file) => ({ ...file, offsetNs: file.index % 2 === 0 ? 7_300_000_000 : 0 }));
    for (const [basis, shift] of [
      ['raw', 0],
      ['corrected', 1],
    ] as const) {
      const shifted = { ...index, files };
      const expected = new Uint32Array(buckets);
      for (const { record, offsetNs } of files) {
        const counts = index.store.secondCounts(record.slot);
        for (let i = 0; i < (counts?.pairs.length ?? 0); i += 2) {
          const second = ((counts?.pairs[i] ?? 0) + 0.5) * (counts?.widthS ?? 1);
          const ns = (second - index.origin.seconds) * 1e9 - index.origin.nanos - shift * offsetNs;
          if (ns < fromNs || ns >= toNs) continue;
          const at = Math.floor(((ns - fromNs) / (toNs - fromNs)) * buckets);
          expected[at] = (expected[at] ?? 0) + (counts?.pairs[i + 1] ?? 0);
        }
      }
      const all = new Uint32Array(buckets);
      new SecondCounts(shifted).addTo(all, basis, fromNs, toNs);
      expect(all).toEqual(expected);
      expect(all.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
      if (basis === 'raw') expect(densityOf(run, { basis, fromNs, toNs, buckets }).all).toEqual(expected);
    }
  });

  it('are added up the same where few of them are spread over years', () => {
    const [first, second] = session.index.files;
    if (first === undefined || second === undefined) throw new Error('no files');
    const pairs = [Uint32Array.of(5, 2, 9, 1), Uint32Array.of(9, 4, 1_700_000_000, 3)];
    const store = { secondCounts: (slot: number) => ({ widthS: 1, pairs: pairs[slot === first.record.slot ? 0 : 1] }) };
    const index = { ...session.index, origin: { seconds: 0, nanos: 0 }, files: [first, second], store };
    const all = new Uint32Array(10);
    new SecondCounts(index as unknown as CaseIndex).addTo(all, 'raw', 0, 10e9);
    expect([...all]).toEqual([0, 0, 0, 0, 0, 2, 0, 0, 0, 5]);
    const late = new Uint32Array(2);
    new SecondCounts(index as unknown as CaseIndex).addTo(late, 'raw', 0, 3.4e18);
    expect([...late]).toEqual([7, 3]);
  });
});

describe('statements', () => {
  it('read no block to know of all of them', () => {
    const db = openForReading(join(folder, 'case.db'));
    const plan = db.prepare<[number], { detail: string }>(`EXPLAIN QUERY PLAN ${LOG_SQL.blocksOf}`).all(0);
    db.close();
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(/USING COVERING INDEX blocks_meta/)]);
  });
});

describe('bounds', () => {
  it('is not held up by an expression that backtracks without end', async () => {
    const start = performance.now();
    const run = await search('/(x+x+)+z/');
    expect(run.status).toBe('done');
    expect(run.matches).toBe(0);
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it('stops at once when it is cancelled, and says how far it came', async () => {
    const run = session.search({ ...REQUEST, query: 'level:debug' }, null, null);
    if (!run.ok) throw new Error('not started');
    run.value.cancel();
    expect(run.value.status).toBe('cancelled');
    expect(session.state(run.value, LIST)).toMatchObject({ status: 'cancelled', exact: false });
    expect((await search('needle')).matches).toBe(1);
  });
});

describe('folding', () => {
  it('folds lines of one shape from several files within a second, and never those of the first rank', async () => {
    const run = await search('Traceback');
    const folded = session.view(run, { ...LIST, fold: true });
    const rows = folded.rows(0, 10_000);
    const members = rows.reduce((sum, row) => sum + (row.kind === 'fold' ? row.count : 0), 0);
    const lines = rows.filter((row) => row.kind === 'line');
    expect(lines.length + members).toBe(run.matches);
    expect(lines.filter((row) => row.rank === 3)).toHaveLength(
      lineRows(run, 0, 10_000).filter((row) => row.rank === 3).length,
    );
    const [fold] = rows.filter((row) => row.kind === 'fold');
    if (fold === undefined) return;
    const open = session.view(run, { ...LIST, fold: true, open: [fold.key] });
    expect(open.total).toBe(folded.total + fold.count);
  });
});
