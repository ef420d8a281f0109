/** What was done with a bundle stands in the custody log of its case, goes on in the next case of the same bundle, and is never changed. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CaseId } from '#shared/model/ids.ts';
import { tgzBytes } from './archives.ts';
import { connect } from './engine-client.ts';
import { scratchFolder } from './scratch.ts';

const SKEWED = fileURLToPath(new URL('../fixtures/clock-skew', import.meta.url));
const SMALL = fileURLToPath(new URL('../../build/resources/example/small', import.meta.url));
const scratch = scratchFolder();
let homes = 0;

function start(version = '1.2.3', home = join(scratch.path, `home-${homes++}`)) {
  const connected = connect({ home, version });
  onTestFinished(() => connected.engine.close());
  const log = async (caseId: CaseId) => {
    const answer = await connected.window.request('export.custody', { caseId });
    if (!answer.ok) throw new Error(answer.error.detail);
    return answer.value.entries;
  };
  return { ...connected, home, log };
}

async function archive(name: string): Promise<string> {
  const data = readFileSync(join(SMALL, 'pods.yaml'));
  return scratch.write(name, await tgzBytes([{ name: 'pods.yaml', data }]));
}

describe('the custody log', () => {
  it('names the file that was imported, its hash, the version and the time', async () => {
    const file = await archive('first.tar.gz');
    const { importCase, log } = start();
    const before = Date.now();
    const [entry, ...others] = await log(await importCase(file));
    expect(others).toEqual([]);
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(entry).toMatchObject({ action: 'import', version: '1.2.3' });
    expect(entry?.inputs).toMatch(/^first\.tar\.gz, \d+(\.\d)? K?i?B, SHA-256 [0-9a-f]{64}$/);
    expect(entry?.inputs).toContain(sha256);
    expect(entry?.result).toMatch(/^1 file taken, (Not determinable|Established|Supported|Hypothesis): /);
    expect(Date.parse(entry?.at ?? '')).toBeGreaterThanOrEqual(before - 1000);
    expect(Date.parse(entry?.at ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
  });

  it('says of a folder that the hash is of its list', async () => {
    const { importCase, log } = start();
    const [entry] = await log(await importCase(SMALL));
    expect(entry?.inputs).toMatch(/^small, .*, SHA-256 of the list of its files and their hashes [0-9a-f]{64}$/);
  });

  it('goes on where an earlier case of the bundle left off, with the notes that were written, wherever they were', async () => {
    const file = await archive('again.tar.gz');
    const { importCase, window, log } = start();
    const first = await importCase(file);
    const second = await importCase(file);
    expect((await log(second)).map(({ action }) => action)).toEqual(['import', 'import']);
    // In the older of two cases: the newer one has a log, and nothing that anybody wrote.
    await window.request('notes.add', { caseId: first, subject: { kind: 'case' }, text: 'mine', starred: false });
    const third = await importCase(file);
    const notes = await window.request('notes.list', { caseId: third });
    expect(notes).toMatchObject({ ok: true, value: { notes: [{ text: 'mine' }] } });
    expect((await log(third)).at(-1)?.action).toBe('import');
  });

  it('tells clock settings with their reason, and that they were taken back', async () => {
    const { importCase, window, log } = start();
    const caseId = await importCase(SKEWED);
    const setting = { clock: 'gpu-node-03', against: 'gpu-node-01', offsetMs: -12.5, boundMs: 3, reason: 'NTP log' };
    await window.request('clocks.set', { caseId, settings: [setting] });
    await window.request('clocks.set', { caseId, settings: [] });
    const [, set, back, ...others] = await log(caseId);
    expect(others).toEqual([]);
    expect(set).toMatchObject({
      action: 'set clocks',
      inputs: 'gpu-node-03 is −12.5 ms ± 3 ms against gpu-node-01 (NTP log)',
    });
    expect(back).toMatchObject({ action: 'set clocks', inputs: 'all settings taken back' });
    // What failed was not done.
    const refused = await window.request('clocks.set', { caseId: 'no-such-case' as CaseId, settings: [] });
    expect(refused.ok).toBe(false);
    expect(await log(caseId)).toHaveLength(3);
  });

  it('tells of an analysis by another version', async () => {
    const old = start('0.9.0');
    const caseId = await old.importCase(SMALL);
    await old.engine.close();
    const { window, log } = start('1.2.3', old.home);
    expect(await window.request('job.reanalyse', { caseId })).toMatchObject({ ok: true });
    const [first, again] = await log(caseId);
    expect(first).toMatchObject({ action: 'import', version: '0.9.0' });
    expect(again).toMatchObject({
      action: 'analyse again',
      version: '1.2.3',
      inputs: 'result of version 0.9.0, no clock settings',
    });
    expect(first?.result.endsWith(`, ${again?.result}`)).toBe(true);
  });

  it('travels with a package, which notes that it was opened', async () => {
    const here = start();
    const caseId = await here.importCase(SMALL);
    const file = join(scratch.path, 'travels.firstfault');
    const written = await here.main.request('export.package', { caseId, file });
    expect(written).toMatchObject({ ok: true });
    const there = start('2.0.0');
    const adopted = await there.main.request('case.adopt', { caseFile: file });
    if (!adopted.ok) throw new Error(adopted.error.detail);
    const entries = await there.log(adopted.value.caseId);
    expect(entries.map(({ action, version }) => `${action} ${version}`)).toEqual([
      'import 1.2.3',
      'open package 2.0.0',
    ]);
    expect(entries[1]?.inputs).toMatch(/^travels\.firstfault, of small, SHA-256 [0-9a-f]{64}$/);
  });

  it('that cannot be written costs no import', async () => {
    const file = await archive('damaged.tar.gz');
    const { importCase, window, home } = start();
    const first = await importCase(file);
    writeFileSync(join(home, 'cases', first, 'notes.db'), 'no database');
    const second = await importCase(file);
    expect(statSync(join(home, 'cases', second, 'case.db')).size).toBeGreaterThan(0);
    expect(await window.request('case.open', { caseId: second })).toMatchObject({ ok: true });
  });
});
