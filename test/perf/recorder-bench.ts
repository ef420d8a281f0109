/**
 * How fast are recorder dumps read, matched and stored, how much memory does it take, and how does decoding compare with Python?
 *
 *   npm run bench:recorder -- [--quick] [--ranks 64,256,1024,4096] [--entries 2000] [--rounds 3] [--no-import] [--uneven]
 *
 * Files are made once and kept in the system's folder for temporary files (4,096 ranks take about 2.4 GB). Decoding in this program and
 * `pickle.load` in python3 run in turn over the same files, read from the page cache; both drop each result before the next file, and
 * CPU seconds (user + system, all threads) are compared. `--uneven`: no two ranks' rings begin at the same call, so that ranks share no column.
 * `import` is the real terminal program: read, decode, match, store, report.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { computeCollectives, resolveDumpRanks } from '#shared/analysis/collectives/index.ts';
import pickle from '#shared/formats/flight-recorder/pickle.ts';
import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import { entryId } from '#shared/model/ids.ts';
import { type BenchJob, benchDump, culpritOf } from './recorder-files.ts';

const SELF = fileURLToPath(import.meta.url);
const CLI = fileURLToPath(new URL('../../electron/cli/cli.ts', import.meta.url));
/** Raise when `recorder-files.ts` writes other bytes. */
const FILES_VERSION = 1;

interface Measure {
  readonly cpu: number;
  readonly wall: number;
  /** Bytes. */
  readonly peak: number;
}
interface OwnMeasures {
  readonly decode: Measure;
  readonly match: Measure;
  readonly named: readonly number[];
}

function folderOf(job: BenchJob): string {
  const folder = join(
    tmpdir(),
    `firstfault-recorder-bench-v${FILES_VERSION}`,
    `${job.ranks}x${job.entries}${job.uneven === true ? '-uneven' : ''}`,
  );
  if (existsSync(folder)) return folder;
  const draft = `${folder}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  for (let rank = 0; rank < job.ranks; rank++)
    writeFileSync(join(draft, `nccl_trace_rank_${rank}`), benchDump(rank, job));
  renameSync(draft, folder);
  return folder;
}

const filesOf = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));
const seconds = (usage: NodeJS.CpuUsage): number => (usage.user + usage.system) / 1e6;

function timed<T>(work: () => T): { readonly value: T; readonly measure: Measure } {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  const value = work();
  const measure = {
    cpu: seconds(process.cpuUsage(cpu)),
    wall: (performance.now() - wall) / 1000,
    peak: process.resourceUsage().maxRSS * 1024,
  };
  return { value, measure };
}

function decodeFile(path: string, entry: number): FlightRecorderDump[] {
  const outputs = [...pickle.parse(readFileSync(path), { entry: entryId(entry), path }, false)];
  return outputs.flatMap((output) => (output.kind === 'dump' ? [output.dump] : []));
}

/** In a process of its own: decoding alone, one result at a time. */
function decodeOnly(folder: string): void {
  const { measure } = timed(() => {
    let rows = 0;
    for (const [entry, path] of filesOf(folder).entries()) {
      for (const dump of decodeFile(path, entry)) rows += dump.columns.length;
    }
    return rows;
  });
  process.stdout.write(JSON.stringify(measure));
}

/** In a process of its own: all dumps kept, then compared. */
function decodeAndMatch(folder: string): void {
  const decoded = timed(() => filesOf(folder).flatMap((path, entry) => decodeFile(path, entry)));
  const matched = timed(() => {
    const { ranked } = resolveDumpRanks(decoded.value, undefined);
    return computeCollectives({ dumps: ranked, events: [], worldSize: undefined });
  });
  const named = matched.value.roots.map((root) => root.rank);
  process.stdout.write(
    JSON.stringify({ decode: decoded.measure, match: matched.measure, named } satisfies OwnMeasures),
  );
}

function runPart<T>(part: string, folder: string): T {
  const run = spawnSync(process.execPath, ['--max-old-space-size=8192', SELF, '--part', part, folder], {
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`${part} ended with ${run.status}: ${run.stderr.slice(0, 2000)}`);
  return JSON.parse(run.stdout) as T;
}

const PYTHON = `
import json, os, pickle, resource, sys, time
cpu, wall = time.process_time(), time.perf_counter()
for name in sorted(os.listdir(sys.argv[1])):
    with open(os.path.join(sys.argv[1], name), 'rb') as file:
        pickle.load(file)
print(json.dumps({'cpu': time.process_time() - cpu, 'wall': time.perf_counter() - wall,
  'peak': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
`;

function runPython(folder: string): Measure | undefined {
  const run = spawnSync('python3', ['-c', PYTHON, folder], { encoding: 'utf8' });
  return run.status === 0 ? (JSON.parse(run.stdout) as Measure) : undefined;
}

/** The terminal program over the folder; its own CPU and peak of memory are written as it exits. */
function runImport(folder: string): (Measure & { readonly firstRanks: readonly number[] }) | string {
  const scratch = mkdtempSync(join(tmpdir(), 'firstfault-bench-'));
  const usage = join(scratch, 'usage.json');
  const hook = `import{writeFileSync}from'node:fs';process.on('exit',()=>{const u=process.resourceUsage();writeFileSync(${JSON.stringify(usage)},JSON.stringify({cpu:(u.userCPUTime+u.systemCPUTime)/1e6,peak:u.maxRSS*1024}))})`;
  const start = performance.now();
  try {
    const run = spawnSync(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(hook)}`,
        CLI,
        'analyze',
        folder,
        '--quiet',
        '--json',
        '--case',
        join(scratch, 'bench.ffcase'),
      ],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 30,
        env: { ...process.env, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch },
      },
    );
    const wall = (performance.now() - start) / 1000;
    if (run.status !== 0) return `ended with ${run.status}: ${run.stderr.split('\n')[0] ?? ''}`;
    const { cpu, peak } = JSON.parse(readFileSync(usage, 'utf8')) as { cpu: number; peak: number };
    const report = JSON.parse(run.stdout) as { verdict: { firstRanks: number[] } };
    return { cpu, peak, wall, firstRanks: report.verdict.firstRanks };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const mib = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MiB`;
const show = ({ cpu, wall, peak }: Measure): string =>
  `${wall.toFixed(2)} s (CPU ${cpu.toFixed(2)} s), peak ${mib(peak)}`;

function bench(job: BenchJob, rounds: number, withImport: boolean): void {
  const folder = folderOf(job);
  const bytes = filesOf(folder).reduce((sum, path) => sum + statSync(path).size, 0);
  const rings = job.uneven === true ? ', rings that begin at different calls' : '';
  console.log(`\n${job.ranks} ranks × ${job.entries} entries${rings}: ${mib(bytes)}`);
  // Fills the page cache.
  runPart<Measure>('decode', folder);
  const pairs = Array.from({ length: rounds }, () => ({
    own: runPart<Measure>('decode', folder),
    python: runPython(folder),
  }));
  const own = pairs.map((pair) => pair.own);
  console.log(
    `  decode        ${show({ cpu: median(own.map((one) => one.cpu)), wall: median(own.map((one) => one.wall)), peak: Math.max(...own.map((one) => one.peak)) })}`,
  );
  const ratios = pairs.flatMap((pair) => (pair.python === undefined ? [] : [pair.own.cpu / pair.python.cpu]));
  const python = pairs.flatMap((pair) => pair.python ?? []);
  if (ratios.length === 0) console.log('  pickle.load   no python3 here');
  else {
    console.log(
      `  pickle.load   ${show({ cpu: median(python.map((one) => one.cpu)), wall: median(python.map((one) => one.wall)), peak: Math.max(...python.map((one) => one.peak)) })}`,
    );
    console.log(
      `  CPU ratio     ${median(ratios).toFixed(2)} (pairs: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
    );
  }
  const { decode, match, named } = runPart<OwnMeasures>('match', folder);
  console.log(`  decode, keep  ${show(decode)}`);
  console.log(`  match         ${show(match)}; names ${named.join(', ')}, right is ${culpritOf(job)}`);
  if (!withImport) return;
  const whole = runImport(folder);
  if (typeof whole === 'string') console.log(`  import        ${whole}`);
  else
    console.log(
      `  import        ${show(whole)}; store and report: ${(whole.cpu - decode.cpu - match.cpu).toFixed(2)} s CPU beyond decode and match; names ${whole.firstRanks.join(', ')}`,
    );
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      part: { type: 'string' },
      quick: { type: 'boolean', default: false },
      ranks: { type: 'string' },
      entries: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      'no-import': { type: 'boolean', default: false },
      uneven: { type: 'boolean', default: false },
    },
  });
  if (values.part !== undefined) {
    (values.part === 'decode' ? decodeOnly : decodeAndMatch)(positionals[0] ?? '');
    return;
  }
  const sizes = (values.ranks ?? (values.quick ? '16' : '64,256,1024,4096')).split(',').map(Number);
  const entries = Number(values.entries ?? (values.quick ? 200 : 2000));
  if (sizes.some((size) => !Number.isInteger(size) || size < 8 || size % 8 !== 0))
    throw new Error('--ranks: multiples of 8');
  const load = (): string =>
    loadavg()
      .map((one) => one.toFixed(1))
      .join(' ');
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? '?'}), load before ${load()}`);
  for (const ranks of sizes)
    bench({ ranks, entries, uneven: values.uneven }, Math.max(1, Number(values.rounds)), !values['no-import']);
  console.log(`\nload after ${load()}`);
}

main();
