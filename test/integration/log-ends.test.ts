/** Of large logs in a folder the ends are looked at first, for a provisional finding; the case is none the different for it. */
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { productParts } from '#engine/analysis/product-parts.ts';
import { runImport } from '#engine/import/run-import.ts';
import type { JobSoFar } from '#shared/model/job.ts';
import { tarBytes } from './archives.ts';
import { caseContent } from './case-content.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const RANKS = 4;
const FAILED = 2;
/** Together above what makes their ends worth looking at. */
const BYTES_EACH = 26 * 1024 * 1024;

const stamp = (second: number): string =>
  `2026-03-14T${String(9 + Math.floor(second / 3600)).padStart(2, '0')}:${String(Math.floor(second / 60) % 60).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000000000Z`;

function logOf(rank: number): string {
  const file = join(scratch.path, 'logs', `train-worker-${rank}.log`);
  mkdirSync(join(scratch.path, 'logs'), { recursive: true });
  const handle = openSync(file, 'w');
  writeSync(handle, `${stamp(0)} [rank${rank}]: rank ${rank} of ${RANKS} (local ${rank}) pid ${100 + rank}\n`);
  const lines = Array.from(
    { length: 9000 },
    (_, i) => `${stamp(i)} [rank${rank}]: INFO memory: allocated ${i}.25 GiB reserved 31.50 GiB peak 40 GiB\n`,
  );
  const piece = Buffer.from(lines.join(''));
  for (let bytes = 0; bytes < BYTES_EACH; bytes += piece.length) writeSync(handle, piece);
  const end = stamp(9_100);
  const last =
    rank === FAILED
      ? [
          'Traceback (most recent call last):',
          '  File "/workspace/train.py", line 212, in <module>',
          '    main()',
          '  File "/workspace/data.py", line 83, in decode',
          '    raise ValueError("bad record")',
          'ValueError: bad record',
        ]
      : [];
  for (const text of last) writeSync(handle, `${end} [rank${rank}]: ${text}\n`);
  closeSync(handle);
  return file;
}

interface Told extends JobSoFar {
  readonly share: number;
}

async function importAll(path: string, name: string, isWatched: boolean) {
  const told: Told[] = [];
  let share = 0;
  const caseFile = join(scratch.path, `${name}.db`);
  const result = await runImport(
    { paths: [path], caseFile, tool: { name: 'firstfault', version: '0' }, withoutSoFar: !isWatched },
    {
      cancel: { aborted: false },
      // Half a minute for every second: what waits for some seconds does not wait long.
      now: () => performance.now() * 30,
      listener: {
        onPhase: () => undefined,
        onProgress: ({ bytesDone, bytesTotal }) => {
          share = bytesDone / (bytesTotal ?? 1);
        },
        onFile: () => undefined,
        onSoFar: (soFar: JobSoFar) => told.push({ ...soFar, share }),
      },
    },
    productParts(),
  );
  if (!result.ok) throw new Error(result.error.detail);
  return { told, content: caseContent(caseFile, []), report: result.value };
}

describe('a folder of large logs', () => {
  it('names the suspect by their ends, before they are read, and stores what it always does', {
    timeout: 120_000,
  }, async () => {
    for (let rank = 0; rank < RANKS; rank += 1) logOf(rank);
    const watched = await importAll(join(scratch.path, 'logs'), 'watched', true);
    const [first] = watched.told;
    expect(first).toMatchObject({ firstRanks: [FAILED], filesRead: 0, filesTotal: RANKS, logEnds: RANKS });
    expect(first?.share).toBeLessThan(0.1);
    for (const { filesRead, logEnds = 0 } of watched.told) expect(filesRead + logEnds).toBe(RANKS);
    const alone = await importAll(join(scratch.path, 'logs'), 'alone', false);
    expect(alone.told).toEqual([]);
    expect(watched.content).toEqual(alone.content);
    expect(watched.report.verdict.firstRanks).toEqual([FAILED]);
  });
});

describe('a compressed tar of logs alone', () => {
  it('tells what it has so far while it is read', { timeout: 120_000 }, async () => {
    const files = [];
    for (let rank = 0; rank < RANKS; rank += 1)
      files.push({ name: `logs/train-worker-${rank}.log`, data: readFileSync(logOf(rank)) });
    const path = scratch.write('logs.tar.gz', gzipSync(await tarBytes(files), { level: 1 }));
    const { told } = await importAll(path, 'tar', true);
    expect(told.length).toBeGreaterThan(0);
    expect(told[0]?.share).toBeLessThan(0.9);
    expect(told.some(({ filesRead, firstRanks }) => filesRead === FAILED + 1 && firstRanks[0] === FAILED)).toBe(true);
  });
});
