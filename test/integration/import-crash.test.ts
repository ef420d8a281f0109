/** An import whose process is killed goes on where it stopped, and ends in the very case that an undisturbed one ends in. */
import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { productParts } from '#engine/analysis/product-parts.ts';
import { runImport } from '#engine/import/run-import.ts';
import { buildIncident } from '../support/incidents/index.ts';
import { saveAsFolder } from '../support/incidents/save.ts';
import { tarBytes, tgzBytes, zipBytes } from './archives.ts';
import { caseContent } from './case-content.ts';
import { scratchFolder } from './scratch.ts';

const DYING = fileURLToPath(new URL('./import-and-die.ts', import.meta.url));
const scratch = scratchFolder();
let cases = 0;
const newCaseFile = (): string => {
  const file = join(scratch.path, `case-${cases++}`, 'case.db');
  mkdirSync(dirname(file));
  return file;
};

/** Imports to the end; returns the paths that were really read. */
async function importAll(path: string, caseFile: string): Promise<string[]> {
  const read: string[] = [];
  const result = await runImport(
    { paths: [path], caseFile, tool: { name: 'firstfault', version: '0' }, canGoOn: true },
    {
      cancel: { aborted: false },
      now: () => performance.now(),
      listener: {
        onPhase: () => undefined,
        onProgress: () => undefined,
        onFile: ({ path: file, status }) => {
          if (status === 'reading') read.push(file);
        },
      },
    },
    productParts(),
  );
  if (!result.ok) throw new Error(result.error.detail);
  return read;
}

/** Resolves with the signal that ended the process. */
const importAndDie = (path: string, caseFile: string, when: string): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const args = [DYING, JSON.stringify([path]), caseFile, when];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (_code, signal) => resolve(signal));
  });

const bundles = new Map<string, string>();
const whole = new Map<string, ReadonlyMap<string, readonly string[]>>();

beforeAll(async () => {
  const incident = buildIncident({
    seed: 7,
    nodes: 2,
    ranksPerNode: 4,
    backend: 'nccl',
    workload: 'pytorchjob',
    layout: 'kubectl',
    appLog: 'bracket',
    clocks: [{ offsetMs: 140 }, { offsetMs: -42_310 }],
    loop: { steps: 30, stepMs: 410, buckets: [7_077_888], logEvery: 5, evaluateEvery: 10, checkpointEvery: 20 },
    timeoutS: 60,
    fault: { kind: 'stall', rank: 3, step: 17, where: 'data' },
    ringEntries: 40,
  });
  const folder = join(scratch.path, 'bundle');
  await saveAsFolder(incident, folder);
  // Enough text that blocks are compressed beside the reading thread, and one file said twice.
  const lines = Array.from({ length: 50_000 }, (_, i) => `2026-02-18T10:00:${i % 60}.5Z [rank1]: INFO step ${i}`);
  writeFileSync(join(folder, 'big.log'), lines.join('\n'));
  writeFileSync(join(folder, 'copy-of-big.log'), lines.join('\n'));
  const members = [...incident.files].map(([name, data]) => ({ name, data: Buffer.from(data) }));
  const big = { name: 'big.log', data: readFileSync(join(folder, 'big.log')) };
  const twice = [...members, big, { ...big, name: 'copy-of-big.log' }];
  bundles.set('folder', folder);
  bundles.set('zip', scratch.write('bundle.zip', await zipBytes(twice)));
  bundles.set('tar.gz', scratch.write('bundle.tar.gz', await tgzBytes(twice)));
  const nested = join(scratch.path, 'nested');
  mkdirSync(nested);
  writeFileSync(join(nested, 'a.tar'), await tarBytes(twice));
  cpSync(join(folder, 'big.log'), join(nested, 'big.log'));
  bundles.set('nested', nested);
  for (const [kind, path] of bundles) {
    const file = newCaseFile();
    await importAll(path, file);
    whole.set(kind, caseContent(file));
  }
}, 120_000);

describe('an import that was killed', () => {
  it.each([
    ['folder', 'entries:1'],
    ['folder', 'entries:7'],
    ['folder', 'phase:finishing'],
    ['zip', 'entries:9'],
    ['tar.gz', 'entries:5'],
    ['nested', 'entries:9'],
  ])('of a %s at %s ends as if nothing had been', { timeout: 60_000 }, async (kind, when) => {
    const path = bundles.get(kind) ?? '';
    const file = newCaseFile();
    expect(await importAndDie(path, file, when)).toBe('SIGKILL');
    expect(existsSync(`${file}.importing`)).toBe(true);
    const read = await importAll(path, file);
    expect(caseContent(file)).toEqual(whole.get(kind));
    expect(existsSync(`${file}.journal`)).toBe(false);
    const total = whole.get(kind)?.get('entries')?.length ?? 0;
    // By then the second of two equal files has no bytes of its own in the case.
    if (when.startsWith('phase')) expect(read).toEqual(['copy-of-big.log']);
    else if (when !== 'entries:1') expect(read.length).toBeLessThan(total);
  });

  it('several times over', { timeout: 60_000 }, async () => {
    const path = bundles.get('folder') ?? '';
    const file = newCaseFile();
    for (const when of ['entries:3', 'bytes:400000', 'entries:11'])
      expect(await importAndDie(path, file, when)).toBe('SIGKILL');
    await importAll(path, file);
    expect(caseContent(file)).toEqual(whole.get('folder'));
  });

  it('reads again what changed meanwhile, and all of an archive that changed', { timeout: 60_000 }, async () => {
    const folder = join(scratch.path, 'changing');
    cpSync(bundles.get('folder') ?? '', folder, { recursive: true });
    const file = newCaseFile();
    expect(await importAndDie(folder, file, 'phase:analysing')).toBe('SIGKILL');
    appendFileSync(join(folder, 'big.log'), '\n2026-02-18T10:01:00.5Z [rank1]: INFO one more');
    expect(await importAll(folder, file)).toEqual(['big.log']);
    const anew = newCaseFile();
    await importAll(folder, anew);
    expect(caseContent(file)).toEqual(caseContent(anew));

    const archive = scratch.write('changing.tar.gz', readFileSync(bundles.get('tar.gz') ?? ''));
    const other = newCaseFile();
    expect(await importAndDie(archive, other, 'entries:5')).toBe('SIGKILL');
    utimesSync(archive, new Date(0), new Date(0));
    expect(await importAll(archive, other)).toHaveLength(whole.get('tar.gz')?.get('entries')?.length ?? 0);
  });

  it('is read from the start where its file is damaged, or its journal is', { timeout: 60_000 }, async () => {
    const path = bundles.get('folder') ?? '';
    for (const [ending, at] of [
      ['.importing', 100],
      ['.journal', 100],
    ] as const) {
      const file = newCaseFile();
      expect(await importAndDie(path, file, 'phase:analysing')).toBe('SIGKILL');
      const bytes = readFileSync(file + ending);
      bytes.fill(0xa5, at, at + 4000);
      writeFileSync(file + ending, bytes);
      await importAll(path, file);
      expect(caseContent(file)).toEqual(whole.get('folder'));
    }
  });
});
