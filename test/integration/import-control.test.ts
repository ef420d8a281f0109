/** An import is paused, ended early and asked about, over the same methods that the window uses. */
import { readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JobId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';
import { tgzBytes, zipBytes } from './archives.ts';
import { connect } from './engine-client.ts';
import { scratchFolder } from './scratch.ts';

const CLI = new URL('../../electron/cli/cli.ts', import.meta.url);
const EXAMPLE = fileURLToPath(new URL('../../build/resources/example/small', import.meta.url));
const SECRET = fileURLToPath(new URL('../fixtures/compressed/secret.aes256.zip', import.meta.url));
const LINE = '2026-02-18T10:00:00.500000000Z [rank0]: INFO step 17 loss 2.13 tokens/s 10003\n';
const scratch = scratchFolder();
for (let i = 0; i < 6; i += 1) scratch.write(`logs/worker-${i}.log`, LINE.repeat(120_000));
const LOGS = join(scratch.path, 'logs');
let homes = 0;

function start(worker: boolean) {
  const connected = connect({
    home: join(scratch.path, `home-${homes++}`),
    version: '1',
    ...(worker ? { workerEntry: CLI } : {}),
  });
  onTestFinished(() => connected.engine.close());
  const begin = async (path: string): Promise<JobId> => {
    const answer = await connected.main.request('bundle.import', { paths: [path], keep: true, ask: true });
    if (!answer.ok) throw new Error(answer.error.detail);
    return answer.value.jobId;
  };
  /** Resolves with the first state that fits. */
  const until = (fits: (state: JobState) => boolean): Promise<JobState> =>
    new Promise((resolve) => {
      const look = () => {
        const state = connected.states.find(fits);
        if (state !== undefined) resolve(state);
        else setTimeout(look, 5);
      };
      look();
    });
  return { ...connected, begin, until };
}

describe.each([
  ['in this thread', false],
  ['in a worker', true],
])('an import %s', (_where, worker) => {
  it('stands still without using the processor, goes on, and ends as ever', { timeout: 60_000 }, async () => {
    const { window, begin, until, states, lastState } = start(worker);
    const jobId = await begin(LOGS);
    await until(({ kind }) => kind === 'running');
    await window.request('job.pause', { jobId, paused: true });
    const paused = await until(({ kind }) => kind === 'paused');
    const [count, used] = [states.length, process.cpuUsage()];
    await new Promise((resolve) => setTimeout(resolve, 400));
    const { user, system } = process.cpuUsage(used);
    expect((user + system) / 1000).toBeLessThan(100);
    expect(states.length).toBe(count);
    await window.request('job.pause', { jobId, paused: false });
    const last = await lastState(jobId);
    expect(last).toMatchObject({ kind: 'done' });
    if (paused.kind !== 'paused' || last.kind !== 'done') throw new Error('not these');
    expect(paused.progress.bytesDone).toBeLessThan(last.progress.bytesDone);
  });

  it('can be cancelled while it stands still, and leaves nothing', { timeout: 60_000 }, async () => {
    const { window, begin, until } = start(worker);
    const jobId = await begin(LOGS);
    await until(({ kind }) => kind === 'running');
    await window.request('job.pause', { jobId, paused: true });
    await until(({ kind }) => kind === 'paused');
    await window.request('job.cancel', { jobId });
    await until(({ kind }) => kind === 'cancelled');
    const left = await window.request('job.unfinished', {});
    expect(left).toMatchObject({ ok: true, value: { imports: [] } });
  });

  it('becomes a partial case when it is ended early', { timeout: 60_000 }, async () => {
    const { window, begin, until, lastState } = start(worker);
    const jobId = await begin(LOGS);
    await until((state) => state.kind === 'running' && state.progress.filesDone >= 2);
    await window.request('job.stop', { jobId });
    const last = await lastState(jobId);
    if (last.kind !== 'done') throw new Error(JSON.stringify(last));
    const opened = await window.request('case.open', { caseId: last.caseId });
    if (!opened.ok) throw new Error(opened.error.detail);
    const { summary, report } = opened.value;
    expect(summary.partial).toBe(true);
    expect(report.bundle.files.total).toBeLessThan(6);
    expect(report.bundle.stopped).toEqual({ filesRead: report.bundle.files.total, filesTotal: 6 });
    const log = await window.request('export.custody', { caseId: last.caseId });
    if (!log.ok) throw new Error(log.error.detail);
    expect(log.value.entries[0]?.inputs).toMatch(/SHA-256 of the list of the files that were read and their hashes/);
    expect(log.value.entries[0]?.result).toMatch(/^\d of 6 files taken, .*ended early/);
    expect(report.issues.find(({ code }) => code === 'import-stopped')?.where ?? '').toBe('');
    expect(report.issues.map(({ code }) => code)).toContain('import-stopped');
  });

  it('asks for a password, again if it is wrong, and then reads', { timeout: 60_000 }, async () => {
    const { window, begin, until, states, lastState } = start(worker);
    const jobId = await begin(SECRET);
    const asked = (wrong: boolean) => (state: JobState) =>
      state.kind === 'running' && state.question?.kind === 'password' && state.question.wrong === wrong;
    await until(asked(false));
    await window.request('job.answer', { jobId, answer: { kind: 'password', password: 'falsch' } });
    await until(asked(true));
    await window.request('job.answer', { jobId, answer: { kind: 'password', password: 'geheim' } });
    expect(await lastState(jobId)).toMatchObject({ kind: 'done' });
    expect(JSON.stringify(states)).not.toMatch(/geheim|falsch/);
  });

  it('goes on without a password, and asks once only', { timeout: 60_000 }, async () => {
    const { window, begin, until, states, lastState } = start(worker);
    const jobId = await begin(SECRET);
    await until((state) => state.kind === 'running' && state.question !== undefined);
    await window.request('job.answer', { jobId, answer: { kind: 'password', password: null } });
    expect(await lastState(jobId)).toMatchObject({ kind: 'failed', code: 'refused-for-safety' });
    expect(states.filter((state) => state.kind === 'running' && state.question !== undefined)).toHaveLength(1);
  });
});

describe('an import whose thread dies', () => {
  it('keeps what was finished, is offered at once, and goes on to the very same report', {
    timeout: 60_000,
  }, async () => {
    for (let i = 0; i < 6; i += 1) scratch.write(`few/worker-${i}.log`, LINE.repeat(2_000 + i));
    const few = join(scratch.path, 'few');
    const undisturbed = start(false);
    const expected = await undisturbed.lastState(await undisturbed.begin(few));
    if (expected.kind !== 'done') throw new Error(JSON.stringify(expected));
    const home = join(scratch.path, `home-${homes++}`);
    const workerEntry = new URL('./dying-worker.ts', import.meta.url);
    const { engine, main, window, states, lastState } = connect({ home, version: '1', workerEntry });
    onTestFinished(() => engine.close());
    const begun = await main.request('bundle.import', { paths: [few], keep: true });
    if (!begun.ok) throw new Error(begun.error.detail);
    const { jobId } = begun.value;
    expect(await lastState(jobId)).toMatchObject({
      kind: 'failed',
      code: 'interrupted',
      detail: expect.stringContaining('died on purpose'),
    });
    const left = await window.request('job.unfinished', {});
    expect(left).toMatchObject({ ok: true, value: { imports: [{ jobId, title: 'few', wasPaused: false }] } });
    const before = states.length;
    expect(await window.request('job.take-up', { jobId })).toMatchObject({ ok: true });
    await expect.poll(() => states.slice(before).at(-1)?.kind, { timeout: 40_000 }).toBe('done');
    const done = states.at(-1);
    const read = states.slice(before).flatMap((state) => ('files' in state ? state.files : []));
    expect(new Set(read.filter(({ status }) => status === 'reading').map(({ path }) => path)).size).toBeLessThan(6);
    if (done?.kind !== 'done') throw new Error('not done');
    const [now, then] = await Promise.all([
      window.request('case.open', { caseId: done.caseId }),
      undisturbed.window.request('case.open', { caseId: expected.caseId }),
    ]);
    if (!now.ok || !then.ok) throw new Error('not there');
    expect(JSON.stringify(now.value.report)).toBe(JSON.stringify(then.value.report));
    const log = await window.request('export.custody', { caseId: done.caseId });
    expect(JSON.stringify(log)).toMatch(/taken up after an interruption/);
    expect(readdirSync(join(home, 'cases')).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('a bundle that is a case already', () => {
  it('is opened, or imported again, as the user says; another one is not asked about', {
    timeout: 60_000,
  }, async () => {
    const { window, begin, until, lastState } = start(false);
    const data = readFileSync(join(EXAMPLE, 'pods.yaml'));
    const archive = scratch.write('known.tar.gz', await tgzBytes([{ name: 'pods.yaml', data }]));
    const first = await lastState(await begin(archive));
    if (first.kind !== 'done') throw new Error(JSON.stringify(first));
    const again = await begin(archive);
    const asked = await until((state) => state.jobId === again && state.kind === 'running' && 'question' in state);
    expect(asked).toMatchObject({ question: { kind: 'known-case', caseId: first.caseId } });
    await window.request('job.answer', { jobId: again, answer: { kind: 'known-case', open: true } });
    expect(await lastState(again)).toMatchObject({ kind: 'done', caseId: first.caseId });
    const other = scratch.write('other.tar.gz', await tgzBytes([{ name: 'pods.yaml', data: `${data}# x\n` }]));
    const last = await lastState(await begin(other));
    expect(last.kind).toBe('done');
  });

  it('may be a folder: told by the path, size and bytes of every file, whatever they are packed in', {
    timeout: 120_000,
  }, async () => {
    const { window, begin, until, lastState } = start(false);
    const data = readFileSync(join(EXAMPLE, 'pods.yaml'));
    const inner = { name: 'inner.log', data: LINE.repeat(50) };
    scratch.write('known/pods.yaml', data);
    const log = scratch.write('known/logs/a.log', LINE.repeat(500));
    const packed = scratch.write('known/logs/b.log.gz', gzipSync(LINE.repeat(400), { level: 9 }));
    scratch.write('known/c.tar.gz', await tgzBytes([inner]));
    const zip = scratch.write('known/d.zip', zipBytes([{ ...inner, name: 'other.log' }]));
    symlinkSync('logs/a.log', join(scratch.path, 'known/link'));
    const folder = join(scratch.path, 'known');
    const isAsked = async () => {
      const id = await begin(folder);
      const state = await until(
        (one) => one.jobId === id && (one.kind === 'done' || ('question' in one && one.question !== undefined)),
      );
      if ('question' in state)
        await window.request('job.answer', { jobId: id, answer: { kind: 'known-case', open: true } });
      expect((await lastState(id)).kind).toBe('done');
      return 'question' in state ? state.question : undefined;
    };
    expect(await isAsked()).toBeUndefined();
    expect(await isAsked()).toMatchObject({ kind: 'known-case', files: 6 });
    // One byte of each kind of file, its size and its times left as they were.
    for (const file of [log, packed, zip]) {
      const before = readFileSync(file);
      const { atime, mtime } = statSync(file);
      const changed = Buffer.from(before);
      const at = file === log ? before.length - 3 : file === packed ? 9 : before.lastIndexOf('other.log') + 4;
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(file, changed);
      utimesSync(file, atime, mtime);
      expect(await isAsked(), file).toBeUndefined();
      writeFileSync(file, before);
      expect(await isAsked(), file).toMatchObject({ kind: 'known-case', files: 6 });
    }
    scratch.write('known/empty', '');
    expect(await isAsked()).toBeUndefined();
  });
});
