/**
 * Does an import still cost about what it did? Its processor time is held against that of Node's own gunzip of the same bytes, in the same
 * process: a ratio, so that a slow or busy machine changes little. The bound is generous; what it catches is a path gone quadratic, or text
 * made of every line again. The budgets themselves are measured by `npm run bench`.
 */
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { productParts } from '#engine/analysis/product-parts.ts';
import { runImport } from '#engine/import/run-import.ts';
import { rankLog } from '../perf/training-logs.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const MEGABYTES = 24;
const RANK = 3;
const RUNS = 3;
/** gunzip is quick here: so many times makes its share of the clock's noise small. */
const YARDSTICKS = 4;
/** Measured: 10 idle, 15 on a machine with ten times as much to do; 23 with each line made text. Cold code weighs most of it. */
const MAX_RATIO = 30;

function cpuS(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

async function importCpuS(file: string): Promise<number> {
  const start = process.cpuUsage();
  const result = await runImport(
    { paths: [file], caseFile: join(scratch.path, 'cost.ffcase'), tool: { name: 'test', version: '0' } },
    {
      cancel: { aborted: false },
      listener: { onPhase: () => undefined, onProgress: () => undefined, onFile: () => undefined },
      now: () => performance.now(),
    },
    productParts(),
  );
  const { user, system } = process.cpuUsage(start);
  expect(result.ok).toBe(true);
  return (user + system) / 1e6;
}

describe('processor time of an import', () => {
  it('is a bounded multiple of what gunzip takes', { timeout: 120_000 }, async () => {
    const packed = gzipSync(Buffer.concat([...rankLog(RANK, MEGABYTES * 1e6, 'quiet', 64)]), { level: 1 });
    const file = scratch.write('train-worker-3.log.gz', packed);
    const yardsticks: number[] = [];
    const imports: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const all = cpuS(() => {
        for (let i = 0; i < YARDSTICKS; i += 1) gunzipSync(packed);
      });
      yardsticks.push(all / YARDSTICKS);
      imports.push(await importCpuS(file));
    }
    // The best of each: what else runs on the machine only ever adds.
    const ratio = Math.min(...imports) / Math.min(...yardsticks);
    expect(ratio, `${imports.join(', ')} s against ${yardsticks.join(', ')} s`).toBeLessThan(MAX_RATIO);
  });
});
