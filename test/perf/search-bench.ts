/**
 * How fast are the log search and the merged list, measured in other programs' work on the same lines? Pairs in turn (A B A B), everything in
 * the page cache; prints the median ratio and its range, which carry over to other machines, beside the seconds, which do not. Linux.
 *
 *   npm run bench:search -- [--mb 256] [--files 64] [--pairs 5] [--mix quiet|steps] [--case FILE.ffcase] [--json FILE]
 *
 * Scans are done in this thread, so that processor seconds are those of one thread: beside `rg` over the unpacked files, where it is installed,
 * and beside Node's own decompression of the case's blocks, below which no scan can go. What a window waits for (first rows, jumps, windows) is
 * asked of a session with two threads, as the engine has it. With `--case` nothing is made, and `rg` has nothing to read; with `--pairs 0` only
 * what a window waits for is measured.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BatchScanner } from '#engine/search/batch-scan.ts';
import { type CaseIndex, openCaseIndex } from '#engine/search/case-index.ts';
import { densityOf } from '#engine/search/density.ts';
import { LogSession } from '#engine/search/log-session.ts';
import type { SearchRequest } from '#engine/search/search-request.ts';
import type { SearchRun } from '#engine/search/search-run.ts';
import { LOG_MIXES, type LogMix, writeTrainingLogs } from './training-logs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const THREAD = new URL('../integration/search-thread.ts', import.meta.url);
const BUILT = join(ROOT, '.vite/build/cli.cjs');
const PROGRAM = existsSync(BUILT) ? BUILT : join(ROOT, 'electron/cli/cli.ts');
const TICKS_PER_S = 100;
/** Rows that a window asks for, and how often it scrolls somewhere else. */
const ROWS = 200;
const SCROLLS = 60;

interface Question {
  readonly what: string;
  readonly query: string;
  /** The same for rg; undefined = it has no such question. */
  readonly rg?: readonly string[];
}

const QUESTIONS: readonly Question[] = [
  { what: 'rare text', query: 'zebra', rg: ['-i', '-F', 'zebra'] },
  { what: 'common text (a third of the lines)', query: 'bucket', rg: ['-i', '-F', 'bucket'] },
  { what: 'expression (2 lines in 100)', query: '/launched after 1\\d\\./', rg: ['-i', 'launched after 1\\d\\.'] },
  {
    what: 'rare expression',
    query: '/launched after 1\\d\\.\\d+ s on/',
    rg: ['-i', 'launched after 1\\d\\.\\d+ s on'],
  },
  { what: 'level>=warn', query: 'level>=warn' },
  { what: 'rank:3', query: 'rank:3' },
  { what: 'all lines', query: '' },
];

const requestOf = (query: string): SearchRequest => ({
  query,
  regex: false,
  matchCase: false,
  basis: 'raw',
  ranks: [],
  range: null,
  marks: [],
});

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const p95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
const shown = (values: readonly number[]): string =>
  `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`;
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Processor seconds of this process, all its threads. */
async function cpuOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

async function wallMsOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function childrenCpuS(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_S;
}

function rgCpuS(args: readonly string[], logs: string): number {
  const before = childrenCpuS();
  spawnSync('rg', ['-c', '--no-ignore', '--hidden', ...args, logs], { stdio: 'ignore' });
  return childrenCpuS() - before;
}

function unpackAll({ blocks, store }: CaseIndex): void {
  for (const id of blocks.id) store.block(id);
}

interface Measured {
  readonly what: string;
  readonly lines: number;
  readonly cpuS: readonly number[];
  readonly ofUnpacking: readonly number[];
  readonly ofRg: readonly number[];
}

async function scans(index: CaseIndex, pairs: number, logs: string | undefined): Promise<Measured[]> {
  const blocks = Int32Array.from(index.blocks.id.keys());
  const megabytes = index.blocks.totalBytes / 1e6;
  const measured: Measured[] = [];
  for (const { what, query, rg } of QUESTIONS) {
    const one: { cpuS: number[]; ofUnpacking: number[]; ofRg: number[] } = { cpuS: [], ofUnpacking: [], ofRg: [] };
    let lines = 0;
    for (let pair = 0; pair < pairs; pair += 1) {
      const cpuS = await cpuOf(() => {
        const { hits } = new BatchScanner(index, requestOf(query)).scan(blocks, {
          detail: query !== '',
          outline: null,
        });
        lines = hits.reduce((sum, { count }) => sum + count, 0);
      });
      one.cpuS.push(cpuS);
      one.ofUnpacking.push(cpuS / (await cpuOf(() => unpackAll(index))));
      if (rg !== undefined && logs !== undefined) one.ofRg.push(cpuS / Math.max(0.01, rgCpuS(rg, logs)));
    }
    const beside = one.ofRg.length === 0 ? '' : `  ÷ rg ${shown(one.ofRg)}`;
    print(
      `${what}: ${lines} lines, ${(megabytes / median(one.cpuS)).toFixed(0)} MB/s of one thread  ÷ unpacking ${shown(one.ofUnpacking)}${beside}`,
    );
    measured.push({ what, lines, ...one });
  }
  return measured;
}

interface Waited {
  readonly what: string;
  readonly budgetMs: number;
  readonly ms: number;
}

async function untilRows(run: SearchRun): Promise<void> {
  while (run.status === 'searching' && run.matches === 0) await run.changed();
}

async function untilDone(run: SearchRun): Promise<void> {
  while (run.status === 'searching') await run.changed();
}

function start(session: LogSession, query: string, nearNs: number | null = null): SearchRun {
  const run = session.search(requestOf(query), nearNs, null);
  if (!run.ok) throw new Error(run.error.expected);
  return run.value;
}

/** What a window waits for. Budgets of searches are those of 1 GB. */
async function waits(caseFile: string): Promise<Waited[]> {
  const list = { basis: 'raw', fold: false, open: [] } as const;
  const waited: Waited[] = [];
  const add = (what: string, budgetMs: number, ms: number): void => {
    waited.push({ what, budgetMs, ms });
    print(`${what}: ${ms.toFixed(1)} ms (budget ${budgetMs})`);
  };
  await severeLinesFirst(caseFile, add);
  let session: LogSession | undefined;
  const open = await wallMsOf(() => {
    session = new LogSession({ caseFile, entry: THREAD, threads: 2, keep: new Set() });
  });
  if (session === undefined) throw new Error('no session');
  const logs = session;
  add('open the logs of a case', 1000, open);
  const { span } = logs.describe();
  const at = (share: number): number => (span === null ? 0 : span.fromNs + (span.toNs - span.fromNs) * share);
  const all = start(logs, '', at(0.5));
  add('first rows of all lines, threads cold', 300, await wallMsOf(() => logs.view(all, list).rows(0, ROWS)));
  await untilDone(all);
  for (const { query, what } of QUESTIONS) {
    if (query === '' || query === 'rank:3') continue;
    const run = start(logs, query);
    const rows = await wallMsOf(async () => {
      await untilRows(run);
      logs.view(run, list).rows(0, ROWS);
    });
    if (run.matches > 0) add(`${what}: first rows`, what.startsWith('common') ? 50 : 300, rows);
    const rest = await wallMsOf(() => untilDone(run));
    add(`${what}: done`, query.startsWith('/') ? 5000 : 3000, rows + rest);
  }
  const view = () => logs.view(all, list);
  add(
    'jump to a time',
    100,
    await wallMsOf(() => view().rows(view().locate({ kind: 'time', timeNs: at(0.3) }).row, ROWS)),
  );
  const second = await wallMsOf(() => {
    const from = view().locate({ kind: 'time', timeNs: at(0.7) }).row;
    const to = view().locate({ kind: 'time', timeNs: at(0.7) + 1e9 }).row;
    view().rows(from, to - from);
  });
  add('one second of all files', 100, second);
  const scrolls: number[] = [];
  const busy: number[] = [];
  for (let i = 0; i < SCROLLS; i += 1) {
    const row = Math.floor(((i * 0.618) % 1) * view().total);
    const cpu = await cpuOf(async () => scrolls.push(await wallMsOf(() => view().rows(row, ROWS))));
    busy.push(cpu * 1000);
  }
  add(`${ROWS} lines anywhere, median`, 16, median(scrolls));
  add(`${ROWS} lines anywhere, p95`, 16, p95(scrolls));
  print(
    `${ROWS} lines anywhere, processor of all threads: median ${median(busy).toFixed(1)}, p95 ${p95(busy).toFixed(1)} ms`,
  );
  if (span !== null) {
    const wish = { basis: 'raw', fromNs: span.fromNs, toNs: span.toNs, buckets: 1600 } as const;
    for (const what of ['histogram of the whole case', 'again']) {
      const cpu = await cpuOf(async () => add(what, 30, await wallMsOf(() => densityOf(all, wish))));
      print(`${what}, processor: ${(cpu * 1000).toFixed(1)} ms`);
    }
  }
  logs.close();
  return waited;
}

/** The first question that is asked of a case: nothing was counted before. Threads are warm. */
async function severeLinesFirst(caseFile: string, add: (what: string, budgetMs: number, ms: number) => void) {
  const logs = new LogSession({ caseFile, entry: THREAD, threads: 2, keep: new Set() });
  await untilDone(start(logs, '/no such words/'));
  const run = start(logs, 'level>=warn');
  const rows = await wallMsOf(async () => {
    await untilRows(run);
    logs.view(run, { basis: 'raw', fold: false, open: [] }).rows(0, ROWS);
  });
  add('level>=warn before lines were counted: first rows', 300, rows);
  add('level>=warn before lines were counted: done', 3000, rows + (await wallMsOf(() => untilDone(run))));
  logs.close();
}

interface LogsWish {
  readonly megabytes: number;
  readonly files: number;
  readonly mix: LogMix;
}

async function makeCase(folder: string, { megabytes, files, mix }: LogsWish): Promise<string> {
  const file = join(folder, 'logs.tar.gz');
  await writeTrainingLogs(file, 'tar.gz', { ranks: files, megabytes, mix });
  const caseFile = join(folder, 'search.ffcase');
  const env = { ...process.env, FIRSTFAULT_HOME: folder, TMPDIR: folder };
  spawnSync(process.execPath, [PROGRAM, 'analyze', file, '--case', caseFile, '--json', '--quiet'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (!existsSync(caseFile)) throw new Error('no case was written');
  spawnSync('tar', ['xzf', file, '-C', folder]);
  rmSync(file);
  return caseFile;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      mb: { type: 'string', default: '256' },
      files: { type: 'string', default: '64' },
      pairs: { type: 'string', default: '5' },
      mix: { type: 'string', default: 'quiet' },
      case: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const mix = LOG_MIXES.find((one) => one === values.mix) ?? 'quiet';
  const folder = mkdtempSync(join(tmpdir(), 'firstfault-search-'));
  try {
    const caseFile =
      values.case ?? (await makeCase(folder, { megabytes: Number(values.mb), files: Number(values.files), mix }));
    const hasRg = spawnSync('sh', ['-c', 'command -v rg']).status === 0;
    if (!hasRg) print('rg: not installed');
    const index = openCaseIndex(caseFile);
    print(`${(index.blocks.totalBytes / 1e6).toFixed(0)} MB of logs in ${index.blocks.count} blocks, ${mix}`);
    const logs = values.case === undefined && hasRg ? join(folder, 'logs') : undefined;
    const pairs = Number(values.pairs);
    const measured = pairs > 0 ? await scans(index, pairs, logs) : [];
    index.store.close();
    const waited = await waits(caseFile);
    if (values.json !== undefined) {
      const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
      writeFileSync(values.json, `${JSON.stringify({ ...values, machine, measured, waited }, null, 1)}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
