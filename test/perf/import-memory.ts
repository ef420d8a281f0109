/**
 * Is the importer's memory bounded? Imports generated bundles with the real terminal program and prints the peak of its resident memory
 * beside the limit of 400 MiB. Ends with 1 if one is above it. Linux only (reads /proc); needs about 1 GB of disk per 2 GB of logs.
 *
 *   node test/perf/import-memory.ts [MB ...]        default 2000; kinds tar.gz, tar.zst, zip (xz and bzip2 with a fiftieth of it)
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLE_KINDS, importCost, writeBundle } from './generated-bundles.ts';

const LIMIT_MIB = 400;
const sizes = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'firstfault-perf-'));
try {
  for (const megabytes of sizes.length === 0 ? [2000] : sizes) {
    for (const kind of BUNDLE_KINDS) {
      const share = kind.startsWith('log.') ? Math.ceil(megabytes / 50) : megabytes;
      const file = join(folder, `bundle.${kind}`);
      await writeBundle(kind, file, share);
      const { ms, peakMiB } = await importCost(file, folder);
      const packed = (statSync(file).size / 1_000_000).toFixed(1);
      process.stdout.write(
        `${kind}: ${share} MB of logs (${packed} MB packed): peak ${peakMiB.toFixed(0)} MiB, ${(ms / 1000).toFixed(1)} s\n`,
      );
      if (peakMiB > LIMIT_MIB) process.exitCode = 1;
      rmSync(file);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
