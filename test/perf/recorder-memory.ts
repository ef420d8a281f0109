/**
 * Where the memory of an import of recorder dumps goes: resident size, heap and buffers at each step, in one process with its threads.
 *
 *   node test/perf/recorder-memory.ts FOLDER       a folder that recorder-bench.ts has made
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productParts } from '#engine/analysis/product-parts.ts';
import { DecodePool } from '#engine/decode/decode-pool.ts';
import { runImport } from '#engine/import/run-import.ts';
import { preferredCodec } from '#engine/store/block-codec.ts';

const [folder = '.'] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'firstfault-memory-'));
const mib = (bytes: number): string => String(Math.round(bytes / 1_048_576)).padStart(5);
let cpu = process.cpuUsage();
function tell(step: string): void {
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const { user, system } = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(
    `${step.padEnd(24)} rss ${mib(rss)}  peak ${mib(peak)}  heap ${mib(heapUsed)}  buffers ${mib(arrayBuffers)}  external ${mib(external)} MiB  ${((user + system) / 1e6).toFixed(2)} CPU s`,
  );
}

const parts = productParts();
const decoders = new DecodePool({ entry: import.meta.filename, codec: preferredCodec() });
let files = 0;
const result = await runImport(
  { paths: [folder], caseFile: join(scratch, 'case.db'), tool: { name: 'firstfault', version: '0' } },
  {
    cancel: { aborted: false },
    now: () => performance.now(),
    decoders,
    listener: {
      onPhase: (phase) => tell(`begins: ${phase}`),
      onProgress: () => undefined,
      onFile: ({ status }) => {
        if (status !== 'reading' && ++files % 256 === 0) tell(`${files} files`);
      },
    },
  },
  {
    ...parts,
    analyse: (input) => {
      const analysed = parts.analyse(input);
      tell('analysed');
      return analysed;
    },
    views: (parts.views ?? []).map(({ name, build }) => ({
      name,
      build: (source) => {
        tell(`before view ${name}`);
        const view = build(source);
        tell(`view ${name}`);
        return view;
      },
    })),
  },
);
decoders.close();
tell(result.ok ? 'done' : result.error.detail);
rmSync(scratch, { recursive: true, force: true });
