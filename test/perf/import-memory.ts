/**
 * Is the importer's memory bounded? Imports generated tar.gz bundles of two sizes with the real terminal program and prints the peak of
 * its resident memory beside the time of a plain gunzip of the same file.
 *
 *   node test/perf/import-memory.ts [MB_SMALL] [MB_LARGE]        default 64 and 256; Linux only (reads /proc)
 */
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGunzip, createGzip } from 'node:zlib';
import tar from 'tar-stream';

const CLI = fileURLToPath(new URL('../../electron/cli/cli.ts', import.meta.url));
const FILES = 16;

/** Log lines as a training job writes them; the same for the same numbers. */
function logText(rank: number, bytes: number): Buffer {
  const lines: string[] = [];
  let size = 0;
  for (let i = 0; size < bytes; i += 1) {
    const mix = (i * 7919 + rank * 104_729) % 1_000_003;
    const ms = String(mix % 1000).padStart(3, '0');
    const clock = new Date(1_773_480_300_000 + i * 40).toISOString().slice(0, 19);
    const line = `${clock}.${ms}123456Z [rank${rank}]: INFO loader: batch ${mix} shard ${mix % 97} took 0.${ms}s queue=${mix % 13} host=w${rank % 8}\n`;
    lines.push(line);
    size += line.length;
  }
  return Buffer.from(lines.join(''));
}

async function makeBundle(file: string, megabytes: number): Promise<void> {
  const pack = tar.pack();
  const written = pipeline(pack, createGzip({ level: 6 }), createWriteStream(file));
  for (let rank = 0; rank < FILES; rank += 1) {
    const data = logText(rank, (megabytes * 1_000_000) / FILES);
    await new Promise<void>((resolve) => pack.entry({ name: `logs/worker-${rank}.log` }, data, () => resolve()));
  }
  pack.finalize();
  await written;
}

async function gunzipMs(file: string): Promise<number> {
  const start = performance.now();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(file), createGunzip({ chunkSize: 256 * 1024 }), nowhere);
  return performance.now() - start;
}

function importPeak(file: string, home: string): Promise<{ readonly ms: number; readonly peakMiB: number }> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    let peakKiB = 0;
    const child = spawn(process.execPath, [CLI, 'analyze', file, '--json', '--quiet'], {
      env: { ...process.env, FIRSTFAULT_HOME: home },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const poll = setInterval(() => {
      try {
        const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
        if (found?.[1] !== undefined) peakKiB = Math.max(peakKiB, Number(found[1]));
      } catch {
        // it is over
      }
    }, 50);
    child.on('close', (status) => {
      clearInterval(poll);
      if (status === 0) resolve({ ms: performance.now() - start, peakMiB: peakKiB / 1024 });
      else reject(new Error(`analyze ended with ${status}`));
    });
  });
}

const folder = mkdtempSync(join(tmpdir(), 'firstfault-perf-'));
try {
  for (const megabytes of [Number(process.argv[2] ?? 64), Number(process.argv[3] ?? 256)]) {
    const file = join(folder, `${megabytes}.tar.gz`);
    await makeBundle(file, megabytes);
    const plainMs = await gunzipMs(file);
    const { ms, peakMiB } = await importPeak(file, folder);
    const packed = (statSync(file).size / 1_000_000).toFixed(1);
    process.stdout.write(
      `${megabytes} MB of logs (${packed} MB packed): peak ${peakMiB.toFixed(0)} MiB, ${(ms / 1000).toFixed(1)} s, ${(ms / plainMs).toFixed(1)} × gunzip\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
