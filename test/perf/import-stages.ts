/**
 * What of an import is analysis (matching of collectives, clocks, verdict), and when does the first finding come? One import in this
 * process, logs and recorder dumps of a job of many ranks; prints one line and, with `--json`, an object.
 *
 *   node test/perf/import-stages.ts [--ranks 512] [--mb 256] [--entries 2000] [--json]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { productParts } from '#engine/analysis/product-parts.ts';
import { runImport } from '#engine/import/run-import.ts';
import { benchDump } from './recorder-files.ts';
import { rankLog } from './training-logs.ts';

export interface Stages {
  readonly ranks: number;
  readonly totalCpuS: number;
  readonly totalWallS: number;
  /** Matching, clocks and verdict over all that was read: the last run, not the provisional ones. */
  readonly analysisCpuS: number;
  readonly analysisShare: number;
  /** Undefined: the import was over before a provisional one was due. */
  readonly firstFindingS: number | undefined;
}

const cpuS = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Dumps of `entries` calls a rank (0 = none) beside logs of `megabytes` in all. */
export async function importStages(ranks: number, megabytes: number, entries: number): Promise<Stages> {
  const folder = mkdtempSync(join(tmpdir(), 'firstfault-stages-'));
  try {
    const bundle = join(folder, 'bundle');
    mkdirSync(join(bundle, 'logs'), { recursive: true });
    mkdirSync(join(bundle, 'dumps'));
    for (let rank = 0; rank < ranks; rank += 1) {
      const log = Buffer.concat([...rankLog(rank, (megabytes * 1e6) / ranks, 'quiet', ranks)]);
      writeFileSync(join(bundle, 'logs', `train-worker-${rank}.log`), log);
      if (entries > 0)
        writeFileSync(join(bundle, 'dumps', `nccl_trace_rank_${rank}`), benchDump(rank, { ranks, entries }));
    }
    const parts = productParts();
    let analysisCpuS = 0;
    let firstFindingS: number | undefined;
    const startWall = performance.now();
    const startCpu = cpuS();
    const result = await runImport(
      { paths: [bundle], caseFile: join(folder, 'stages.ffcase'), tool: { name: 'bench', version: '0' } },
      {
        cancel: { aborted: false },
        listener: {
          onPhase: () => undefined,
          onProgress: () => undefined,
          onFile: () => undefined,
          onSoFar: () => {
            firstFindingS ??= (performance.now() - startWall) / 1000;
          },
        },
        now: () => performance.now(),
      },
      {
        ...parts,
        analyse: (input) => {
          const before = cpuS();
          const found = parts.analyse(input);
          analysisCpuS = cpuS() - before;
          return found;
        },
      },
    );
    if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
    const totalCpuS = cpuS() - startCpu;
    const totalWallS = (performance.now() - startWall) / 1000;
    return { ranks, totalCpuS, totalWallS, analysisCpuS, analysisShare: analysisCpuS / totalCpuS, firstFindingS };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function describeStages({ ranks, totalCpuS, totalWallS, analysisShare, firstFindingS }: Stages): string {
  const first =
    firstFindingS === undefined ? 'no finding before the end' : `first finding after ${firstFindingS.toFixed(1)} s`;
  return `${ranks} ranks: import ${totalCpuS.toFixed(1)} s CPU, ${totalWallS.toFixed(1)} s; analysis ${(100 * analysisShare).toFixed(1)} % of it; ${first}`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      ranks: { type: 'string', default: '512' },
      mb: { type: 'string', default: '256' },
      entries: { type: 'string', default: '2000' },
      json: { type: 'boolean', default: false },
    },
  });
  const stages = await importStages(Number(values.ranks), Number(values.mb), Number(values.entries));
  process.stdout.write(`${values.json ? JSON.stringify(stages) : describeStages(stages)}\n`);
}
