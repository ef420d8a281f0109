/** Memory of an import does not depend on the bundle's size, and a cancel is answered at once, for every kind of container. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { productParts } from '#engine/analysis/product-parts.ts';
import { runImport } from '#engine/import/run-import.ts';
import { BUNDLE_KINDS, type BundleKind, importCost, writeBundle } from '../perf/generated-bundles.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const MAX_DIFFERENCE_MIB = 20;
const MAX_RUNS = 4;
/** Long lines: what is measured here are containers, and they cost a third of short ones. */
const LINE_BYTES = 1000;
const SIZES: Readonly<Record<BundleKind, readonly [small: number, large: number]>> = {
  'tar.gz': [50, 300],
  'tar.zst': [50, 300],
  zip: [50, 300],
  'log.xz': [10, 40],
  'log.bz2': [10, 40],
};

describe.skipIf(!existsSync('/proc/self/status'))('peak memory with a case', () => {
  it.each(BUNDLE_KINDS)('is the same for small and large bundles: %s', { timeout: 180_000 }, async (kind) => {
    const file = join(scratch.path, `bundle.${kind}`);
    const [fewMb, manyMb] = SIZES[kind];
    await writeBundle(kind, file, fewMb, LINE_BYTES);
    const small = (await importCost(file, scratch.path)).peakMiB;
    await writeBundle(kind, file, manyMb, LINE_BYTES);
    let large = (await importCost(file, scratch.path)).peakMiB;
    // Garbage may stand at the wrong moment (10 MiB between runs of one bundle): the lowest of a few is what was needed.
    for (let again = 1; again < MAX_RUNS && large - small > MAX_DIFFERENCE_MIB; again += 1)
      large = Math.min(large, (await importCost(file, scratch.path)).peakMiB);
    rmSync(file);
    expect(large - small, `${small.toFixed(0)} → ${large.toFixed(0)} MiB`).toBeLessThanOrEqual(MAX_DIFFERENCE_MIB);
    expect(large).toBeLessThan(400);
  });
});

describe('cancel', () => {
  it.each(BUNDLE_KINDS)(
    'is answered within half a second and leaves nothing: %s',
    { timeout: 60_000 },
    async (kind) => {
      const file = join(scratch.path, `cancel.${kind}`);
      await writeBundle(kind, file, SIZES[kind][0], LINE_BYTES);
      const folder = join(scratch.path, `cancel-${kind}`);
      const caseFile = scratch.write(`cancel-${kind}/none`, '').replace(/none$/, 'case.db');
      const cancel = { aborted: false };
      let cancelledAt: NodeJS.CpuUsage | undefined;
      const result = await runImport(
        { paths: [file], caseFile, tool: { name: 'firstfault', version: '0' } },
        {
          cancel,
          now: () => performance.now(),
          listener: {
            onPhase: () => undefined,
            onFile: () => undefined,
            // In the middle of the reading, wherever that is.
            onProgress: ({ bytesDone, bytesTotal }) => {
              if (cancelledAt !== undefined || bytesDone < (bytesTotal ?? 0) / 3) return;
              cancel.aborted = true;
              cancelledAt = process.cpuUsage();
            },
          },
        },
        productParts(),
      );
      expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
      // Of this process, so that a busy machine changes nothing.
      const { user, system } = process.cpuUsage(cancelledAt);
      expect((user + system) / 1000).toBeLessThan(500);
      expect(readdirSync(folder)).toEqual(['none']);
    },
  );
});
