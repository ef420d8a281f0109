/**
 * How fast is an import, measured in other programs' work on the same file? Pairs in turn (A B A B), the file in the page cache; prints the
 * median ratio and its range, which carry over to other machines, beside the seconds, which do not. Linux (reads /proc).
 *
 *   npm run bench -- [--mb 256] [--pairs 5] [--mix quiet|steps] [--times 1] [--json FILE]
 *
 * `--times N` writes the logs N times over with other first lines, so that 10 GB need not be made line by line: for flat memory.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { RECORDS, SIGNATURES } from '#shared/formats/log/signatures/index.ts';
import { LOG_MIXES, type LogContainer, writeTrainingLogs } from './training-logs.ts';

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

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      mb: { type: 'string', default: '256' },
      pairs: { type: 'string', default: '5' },
      mix: { type: 'string', default: 'quiet' },
      times: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  const mix = LOG_MIXES.find((one) => one === values.mix) ?? 'quiet';
  const pairs = Number(values.pairs);
  const folder = mkdtempSync(join(tmpdir(), 'firstfault-bench-'));
  try {
    const make = async (container: LogContainer) => {
      const file = join(folder, `logs.${container}`);
      const bytes = await writeTrainingLogs(file, container, {
        ranks: RANKS,
        megabytes: Number(values.mb),
        mix,
        times: Number(values.times),
      });
      const packed = (statSync(file).size / 1e6).toFixed(1);
      process.stdout.write(`${container}: ${(bytes / 1e6).toFixed(0)} MB of logs, ${mix}, ${packed} MB packed\n`);
      return { file, bytes };
    };
    const env = { ...process.env, FIRSTFAULT_HOME: folder, TMPDIR: folder, MALLOC_ARENA_MAX: '1' };
    const analyze =
      (file: string, ...args: string[]) =>
      () =>
        costOf(process.execPath, [PROGRAM, 'analyze', file, '--json', '--quiet', ...args], env);
    const caseFile = join(folder, 'bench.ffcase');
    const gz = await make('tar.gz');
    const results = [
      await measure('report only ÷ gzip -dc', pairs, analyze(gz.file), () => costOf('gzip', ['-dc', gz.file])),
      await measure('with case ÷ gzip -dc', pairs, analyze(gz.file, '--case', caseFile), () =>
        costOf('gzip', ['-dc', gz.file]),
      ),
    ];
    const caseShare = statSync(caseFile).size / gz.bytes;
    process.stdout.write(`case file ÷ log bytes: ${caseShare.toFixed(3)}\n`);
    if (has('rg')) {
      const patterns = join(folder, 'signatures');
      writeFileSync(patterns, [...RECORDS, ...SIGNATURES].flatMap((shape) => shape.literals).join('\n'));
      const search = () => costOf('sh', ['-c', `gzip -dc "$1" | rg -c -F -f "$2" || true`, 'sh', gz.file, patterns]);
      results.push(await measure('with case ÷ gzip -dc | rg', pairs, analyze(gz.file, '--case', caseFile), search));
    }
    rmSync(gz.file);
    if (has('zstd')) {
      const zst = await make('tar.zst');
      results.push(
        await measure('with case ÷ zstd -dc', pairs, analyze(zst.file, '--case', caseFile), () =>
          costOf('zstd', ['-dqc', zst.file]),
        ),
      );
    }
    if (values.json !== undefined) {
      const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
      writeFileSync(values.json, `${JSON.stringify({ ...values, machine, caseShare, results }, null, 1)}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
