/**
 * How fast is an import, measured in other programs' work on the same file? Pairs in turn (A B A B), the file in the page cache; prints the
 * median ratio and its range, which carry over to other machines, beside the seconds, which do not. Linux (reads /proc).
 *
 *   npm run bench -- [--mb 256] [--pairs 5] [--mix quiet|steps] [--ranks 512] [--json FILE]
 *
 * Above 500 MB the logs of 500 MB are written as often as is needed, each time with other first lines: `--mb 10000` takes the disk of the
 * packed file alone (2 GB), and only the pairs with gzip are run. Beside the pairs: the lines that rg finds with the same literals must be
 * those that the importer reads; the share of the analysis at many ranks; when the first finding comes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareWithRipgrep, signaturePatterns } from './found-lines.ts';
import { describeStages, importStages } from './import-stages.ts';
import { LOG_MIXES, type LogContainer, type LogMix, writeTrainingLogs } from './training-logs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What is shipped, if it was built; else the sources, whose start costs two seconds more. */
const BUILT = join(ROOT, '.vite/build/cli.cjs');
const PROGRAM = existsSync(BUILT) ? BUILT : join(ROOT, 'electron/cli/cli.ts');
const RANKS = 64;
/** Of /proc/self/stat: fixed for user programs on Linux. */
const TICKS_PER_S = 100;

interface Cost {
  readonly wallS: number;
  readonly cpuS: number;
  readonly peakMiB: number;
}

/** Processor seconds of all children that have ended. */
function childrenCpuS(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_S;
}

function costOf(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Cost> {
  return new Promise((resolve, reject) => {
    const cpu = childrenCpuS();
    const start = performance.now();
    let peakKiB = 0;
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const poll = setInterval(() => {
      try {
        const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
        peakKiB = Math.max(peakKiB, Number(found?.[1] ?? 0));
      } catch {
        // it is over
      }
    }, 20);
    child.on('error', reject);
    child.on('close', (status) => {
      clearInterval(poll);
      const cost = { wallS: (performance.now() - start) / 1000, cpuS: childrenCpuS() - cpu, peakMiB: peakKiB / 1024 };
      if (status === 0) resolve(cost);
      else reject(new Error(`${command} ended with ${status}`));
    });
  });
}

interface Measured {
  readonly what: string;
  readonly cpuRatio: readonly number[];
  readonly wallRatio: readonly number[];
  readonly ours: readonly Cost[];
  readonly theirs: readonly Cost[];
}

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

async function measure(what: string, pairs: number, a: () => Promise<Cost>, b: () => Promise<Cost>): Promise<Measured> {
  const ours: Cost[] = [];
  const theirs: Cost[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    ours.push(await a());
    theirs.push(await b());
  }
  const ratio = (of: (cost: Cost) => number) => ours.map((cost, i) => of(cost) / of(theirs[i] ?? cost));
  const measured = { what, cpuRatio: ratio((cost) => cost.cpuS), wallRatio: ratio((cost) => cost.wallS), ours, theirs };
  print(measured);
  return measured;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const shown = (values: readonly number[]): string =>
  `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`;

function print({ what, cpuRatio, wallRatio, ours, theirs }: Measured): void {
  const seconds = (costs: readonly Cost[]) =>
    `${median(costs.map((cost) => cost.cpuS)).toFixed(1)} s CPU, ${median(costs.map((cost) => cost.wallS)).toFixed(1)} s`;
  const peak = Math.max(...ours.map((cost) => cost.peakMiB)).toFixed(0);
  process.stdout.write(
    `${what}\n  CPU ${shown(cpuRatio)}  wall ${shown(wallRatio)}  ours ${seconds(ours)}, peak ${peak} MiB  theirs ${seconds(theirs)}\n`,
  );
}

/** Above it the logs are written over and over. */
const ONCE_MB = 500;
/** Above it the file is for memory and the ratio to gzip alone. */
const ALL_TOOLS_MB = 1000;

interface Bench {
  readonly folder: string;
  readonly megabytes: number;
  readonly pairs: number;
  readonly mix: LogMix;
}

const caseFileOf = ({ folder }: Bench): string => join(folder, 'bench.ffcase');

function analyze({ folder }: Bench, file: string, ...args: string[]): () => Promise<Cost> {
  const env = { ...process.env, FIRSTFAULT_HOME: folder, TMPDIR: folder, MALLOC_ARENA_MAX: '1' };
  return () => costOf(process.execPath, [PROGRAM, 'analyze', file, '--json', '--quiet', ...args], env);
}

async function make(bench: Bench, container: LogContainer): Promise<{ readonly file: string; readonly bytes: number }> {
  const { folder, megabytes, mix } = bench;
  const file = join(folder, `logs.${container}`);
  const times = container === 'tar.gz' ? Math.ceil(megabytes / ONCE_MB) : 1;
  const bytes = await writeTrainingLogs(file, container, { ranks: RANKS, megabytes: megabytes / times, mix, times });
  const packed = (statSync(file).size / 1e6).toFixed(1);
  process.stdout.write(`${container}: ${(bytes / 1e6).toFixed(0)} MB of logs, ${mix}, ${packed} MB packed\n`);
  return { file, bytes };
}

const isThere = (program: string): boolean => {
  if (has(program)) return true;
  process.stdout.write(`${program}: not installed\n`);
  return false;
};

async function gzipPairs(bench: Bench, file: string): Promise<Measured[]> {
  const { pairs, folder, megabytes } = bench;
  const gzip = () => costOf('gzip', ['-dc', file]);
  const withCase = analyze(bench, file, '--case', caseFileOf(bench));
  const results = [
    await measure('report only ÷ gzip -dc', pairs, analyze(bench, file), gzip),
    await measure('with case ÷ gzip -dc', pairs, withCase, gzip),
  ];
  if (megabytes > ALL_TOOLS_MB || !isThere('rg')) return results;
  const patterns = join(folder, 'signatures');
  writeFileSync(patterns, signaturePatterns());
  const search = () => costOf('sh', ['-c', `gzip -dc "$1" | rg -c -F -f "$2" || true`, 'sh', file, patterns]);
  return [...results, await measure('with case ÷ gzip -dc | rg', pairs, withCase, search)];
}

/** On the unpacked logs: lnav keeps nothing, it only reads. */
async function lnavPairs(bench: Bench, file: string, logs: string): Promise<Measured[]> {
  if (!isThere('lnav')) return [];
  // Of a folder it reads the files directly in it, and ends at once where there are none.
  const files = readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .map((name) => join(logs, name))
    .filter((path) => statSync(path).isFile());
  const count = ['-n', '-c', ';SELECT count(*) FROM all_logs', ...files];
  const env = { ...process.env, HOME: bench.folder };
  const counted = Number(/\d+/.exec(spawnSync('lnav', count, { env, encoding: 'utf8' }).stdout ?? '')?.[0]);
  const lines = Number(spawnSync('sh', ['-c', 'cat "$@" | wc -l', 'sh', ...files], { encoding: 'utf8' }).stdout);
  process.stdout.write(`lnav counts ${counted} of ${lines} lines\n`);
  // It answers before it has read all of a large set: such a pair would say nothing.
  if (counted !== lines) return [];
  const withCase = analyze(bench, file, '--case', caseFileOf(bench));
  return [await measure('with case ÷ lnav -n', bench.pairs, withCase, () => costOf('lnav', count, env))];
}

async function zstdPairs(bench: Bench): Promise<Measured[]> {
  if (!isThere('zstd')) return [];
  const { file } = await make(bench, 'tar.zst');
  const withCase = analyze(bench, file, '--case', caseFileOf(bench));
  return [await measure('with case ÷ zstd -dc', bench.pairs, withCase, () => costOf('zstd', ['-dqc', file]))];
}

async function benchAll(bench: Bench, ranks: number) {
  const { folder, megabytes } = bench;
  const gz = await make(bench, 'tar.gz');
  const results = await gzipPairs(bench, gz.file);
  const caseShare = statSync(caseFileOf(bench)).size / gz.bytes;
  process.stdout.write(`case file ÷ log bytes: ${caseShare.toFixed(3)}\n`);
  if (megabytes > ALL_TOOLS_MB) return { caseShare, results };
  const logs = join(folder, 'logs');
  spawnSync('tar', ['xzf', gz.file, '-C', folder]);
  results.push(...(await lnavPairs(bench, gz.file, logs)));
  const isFlat = megabytes <= ONCE_MB;
  const found = isFlat && isThere('rg') ? compareWithRipgrep(logs, folder) : undefined;
  if (found !== undefined) process.stdout.write(`lines with a literal: ${JSON.stringify(found)}\n`);
  rmSync(gz.file);
  rmSync(logs, { recursive: true, force: true });
  results.push(...(await zstdPairs(bench)));
  const stages = await importStages(ranks, Math.min(megabytes, 256), 2000);
  process.stdout.write(`${describeStages(stages)}\n`);
  return { caseShare, results, found, stages };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      mb: { type: 'string', default: '256' },
      pairs: { type: 'string', default: '5' },
      mix: { type: 'string', default: 'quiet' },
      ranks: { type: 'string', default: '512' },
      json: { type: 'string' },
    },
  });
  const mix = LOG_MIXES.find((one) => one === values.mix) ?? 'quiet';
  const folder = mkdtempSync(join(tmpdir(), 'firstfault-bench-'));
  try {
    const bench = { folder, megabytes: Number(values.mb), pairs: Number(values.pairs), mix };
    const measured = await benchAll(bench, Number(values.ranks));
    if (values.json !== undefined) {
      const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
      writeFileSync(values.json, `${JSON.stringify({ ...values, machine, ...measured }, null, 1)}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
