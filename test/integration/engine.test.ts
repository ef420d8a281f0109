import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { CASE_ID, caseId, entryId, jobId } from '#shared/model/ids.ts';
import { tarBytes } from './archives.ts';
import { connect } from './engine-client.ts';
import { scratchFolder } from './scratch.ts';

const EXAMPLE = fileURLToPath(new URL('../../build/resources/example/small', import.meta.url));
const CLI = new URL('../../electron/cli/cli.ts', import.meta.url);
const scratch = scratchFolder();
let homes = 0;

function start(change: Partial<Parameters<typeof connect>[0]> = {}) {
  const home = change.home ?? join(scratch.path, `home-${homes++}`);
  mkdirSync(join(home, 'tmp'), { recursive: true });
  const connected = connect({ home, version: '1.2.3', temporaryFolder: join(home, 'tmp'), ...change });
  afterAll(() => connected.engine.close());
  return { home, ...connected };
}

describe('a case in the library', async () => {
  const first = start();
  const id = await first.importCase(EXAMPLE);
  await first.engine.close();
  // Everything below is asked of an engine that did not import it.
  const { home, window, main } = start({ home: first.home });
  const listed = await window.request('entry.list', { caseId: id, offset: 0, maxRows: 100 });
  const rows = listed.ok ? listed.value.rows : [];
  const entry = (path: string) => rows.find((row) => row.path === path)?.id ?? entryId(-1);

  it('is a folder with case.db, case.json and its custody log', () => {
    expect(id).toMatch(CASE_ID);
    expect(readdirSync(join(home, 'cases'))).toEqual([id]);
    expect(readdirSync(join(home, 'cases', id)).sort()).toEqual(['case.db', 'case.json', 'notes.db']);
  });

  it('is listed with its verdict', async () => {
    const answer = await window.request('case.list', {});
    expect(answer).toMatchObject({
      ok: true,
      value: {
        skipped: 0,
        cases: [{ caseId: id, name: 'small', toolVersion: '1.2.3', example: false, partial: false }],
      },
    });
  });

  it('opens again with the same report', async () => {
    const answer = await window.request('case.open', { caseId: id });
    expect(answer).toMatchObject({
      ok: true,
      value: { summary: { caseId: id }, report: { schema: 'firstfault-report/1', bundle: { name: 'small' } } },
    });
  });

  it('lists its files by path', () => {
    const paths = rows.map((row) => row.path);
    expect(paths).toEqual([...paths].sort());
    expect(rows.map((row) => row.id)).toEqual(rows.map((_row, i) => i));
    expect(listed).toMatchObject({ ok: true, value: { total: rows.length } });
  });

  it('gives every line of every text, with its byte', async () => {
    for (const row of rows.filter((one) => one.lines !== null)) {
      const original = readFileSync(join(EXAMPLE, row.path));
      const text = await window.request('entry.text', { caseId: id, entryId: row.id, fromLine: 1, maxLines: 5000 });
      if (!text.ok) throw new Error(text.error.detail);
      expect(text.value.totalLines).toBe(row.lines);
      expect(text.value.lines.map((line) => line.text).join('\n')).toBe(original.toString().replace(/\n$/, ''));
      for (const { line, byte, text: lineText } of text.value.lines.slice(0, 50)) {
        expect(original.subarray(byte, byte + Buffer.byteLength(lineText)).toString(), `${row.path}:${line}`).toBe(
          lineText,
        );
      }
    }
  });

  it('gives the bytes of every file', async () => {
    for (const row of rows) {
      const answer = await window.request('entry.bytes', { caseId: id, entryId: row.id, from: 5, maxBytes: 70_000 });
      if (!answer.ok) throw new Error(answer.error.detail);
      const original = readFileSync(join(EXAMPLE, row.path));
      expect(Buffer.from(answer.value.bytes).equals(original.subarray(5, 70_005)), row.path).toBe(true);
      expect(answer.value.total).toBe(original.length);
    }
  });

  it('gives one record of a dump', async () => {
    const dump = entry('flight-recorder/nccl_trace_rank_0');
    const answer = await window.request('entry.record', { caseId: id, entryId: dump, record: 0 });
    expect(answer).toMatchObject({ ok: true, value: { record: 0 } });
    if (answer.ok) expect(answer.value.fields.map((field) => field.name)).toContain('profiling_name');
    expect(await window.request('entry.record', { caseId: id, entryId: dump, record: 1_000_000 })).toMatchObject({
      error: { code: 'record-not-found' },
    });
  });

  it('says what is not there', async () => {
    const other = caseId('no-such-case');
    expect(await window.request('case.open', { caseId: other })).toMatchObject({ error: { code: 'case-not-found' } });
    expect(
      await window.request('entry.text', { caseId: id, entryId: entryId(999), fromLine: 1, maxLines: 1 }),
    ).toMatchObject({ error: { code: 'entry-not-found' } });
    expect(await window.request('job.get', { jobId: jobId('none') })).toMatchObject({
      error: { code: 'job-not-found' },
    });
  });

  it('survives a damaged neighbour, which is counted', async () => {
    mkdirSync(join(home, 'cases', 'broken'));
    writeFileSync(join(home, 'cases', 'broken', 'case.json'), '{"caseId":');
    mkdirSync(join(home, 'cases', 'broken-too'));
    expect(await window.request('case.list', {})).toMatchObject({ value: { skipped: 2, cases: [{ caseId: id }] } });
    expect(await window.request('case.open', { caseId: caseId('broken') })).toMatchObject({
      error: { code: 'case-not-found' },
    });
  });

  it('is imported again beside itself, and deleted alone', async () => {
    const second = await (async () => {
      const job = await main.request('bundle.import', { paths: [EXAMPLE], keep: true });
      if (!job.ok) throw new Error(job.error.detail);
      for (;;) {
        const state = await main.request('job.get', { jobId: job.value.jobId });
        if (state.ok && state.value.kind === 'done') return state.value.caseId;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    expect(second).toBe(`${id}-2`);
    await window.request('case.open', { caseId: second });
    expect(await window.request('case.delete', { caseId: second })).toEqual({ ok: true, value: null });
    expect(existsSync(join(home, 'cases', second))).toBe(false);
    expect(await window.request('case.open', { caseId: id })).toMatchObject({ ok: true });
    expect(await window.request('case.delete', { caseId: second })).toMatchObject({
      error: { code: 'case-not-found' },
    });
  });
});

describe('what a window may ask', () => {
  const { window, main } = start();

  it.each([
    ['bundle.import', { paths: ['/etc'], keep: true }],
    ['case.adopt', { caseFile: '/etc/passwd' }],
  ] as const)('%s does not exist for it', async (method, params) => {
    expect(await window.request(method, params)).toMatchObject({ error: { code: 'unknown-method' } });
  });

  it.each([
    ['a case id that is a path', 'case.open', { caseId: '../../etc' }],
    ['a negative line', 'entry.text', { caseId: 'x', entryId: 0, fromLine: 0, maxLines: 1 }],
    ['more bytes than an answer may hold', 'entry.bytes', { caseId: 'x', entryId: 0, from: 0, maxBytes: 2 ** 40 }],
    ['an unknown field', 'case.list', { path: '/etc' }],
    ['no params', 'case.open', undefined],
  ])('%s is refused', async (_name, method, params) => {
    const request = window.request as (method: string, params: unknown) => Promise<unknown>;
    expect(await request(method, params)).toMatchObject({ error: { code: 'invalid-params' } });
  });

  it('cannot reach methods by their names on Object', async () => {
    const request = main.request as (method: string, params: unknown) => Promise<unknown>;
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(await request(name, {})).toMatchObject({ error: { code: 'unknown-method' } });
  });
});

describe('the states of an import', () => {
  it('run from inventory to done, forwards, with every file', async () => {
    const { states, importCase } = start();
    await importCase(EXAMPLE);
    expect(states.at(-1)).toMatchObject({ kind: 'done', progress: { filesDone: 8, secondsLeft: 0 } });
    const fractions = states.flatMap((state) => (state.kind === 'running' ? [state.fraction] : []));
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    const files = new Map(
      states.flatMap((state) => ('files' in state ? state.files : [])).map((file) => [file.path, file.status]),
    );
    expect(files.size).toBe(8);
    expect([...files.values()]).not.toContain('reading');
  });

  it('mark the case of the bundled example', async () => {
    const { window, main, lastState } = start({ examples: { small: EXAMPLE } });
    const job = await window.request('example.import', { which: 'small' });
    if (!job.ok) throw new Error(job.error.detail);
    await lastState(job.value.jobId);
    expect(await main.request('case.list', {})).toMatchObject({ value: { cases: [{ example: true }] } });
    expect(await window.request('example.import', { which: 'large' })).toMatchObject({
      error: { code: 'entry-not-found' },
    });
  });

  it('end as failed with the reason, and nothing is kept', async () => {
    const { home, main, lastState } = start();
    const job = await main.request('bundle.import', {
      paths: [scratch.write('photo.png', '\x89PNG\r\n\x1a\n')],
      keep: true,
    });
    if (!job.ok) throw new Error(job.error.detail);
    expect(await lastState(job.value.jobId)).toMatchObject({ kind: 'failed', code: 'nothing-readable' });
    expect(readdirSync(join(home, 'cases'))).toEqual([]);
  });
});

const LINE = '2026-03-14T10:00:00.123456789Z [rank0]: step 1 loss 0.5 and some words to fill the line\n';
const bigLog = scratch.write('big/worker-0.log', LINE.repeat(700_000));

describe.each([
  ['in this thread', {}],
  ['in a worker', { workerEntry: CLI }],
])('cancelling %s', (_name, options) => {
  it('answers at once, ends within half a second, and leaves nothing', async () => {
    const { home, main, states, lastState, engine } = start(options);
    const job = await main.request('bundle.import', { paths: [bigLog], keep: true });
    if (!job.ok) throw new Error(job.error.detail);
    await new Promise<void>((resolve) => {
      engine.subscribe('job.changed', (state) => {
        if (state.kind === 'running' && state.fraction > 0.2) resolve();
      });
    });
    const asked = performance.now();
    expect(await main.request('job.cancel', { jobId: job.value.jobId })).toEqual({ ok: true, value: null });
    expect(performance.now() - asked).toBeLessThan(250);
    expect(await lastState(job.value.jobId)).toMatchObject({ kind: 'cancelled' });
    expect(performance.now() - asked).toBeLessThan(500);
    expect(readdirSync(join(home, 'cases'))).toEqual([]);
    expect(states.at(-1)?.kind).toBe('cancelled');
  });
});

describe('a worker that is deep in a computation', () => {
  it('is ended when asked, and what it wrote is removed', async () => {
    const { home, main, lastState, engine } = start({ workerEntry: new URL('./stuck-worker.ts', import.meta.url) });
    const analysing = new Promise<void>((resolve) => {
      engine.subscribe('job.changed', (state) => {
        if (state.kind === 'running' && state.phase === 'analysing') resolve();
      });
    });
    const job = await main.request('bundle.import', { paths: [EXAMPLE], keep: true });
    if (!job.ok) throw new Error(job.error.detail);
    await analysing;
    const asked = performance.now();
    await main.request('job.cancel', { jobId: job.value.jobId });
    expect(await lastState(job.value.jobId)).toMatchObject({ kind: 'cancelled' });
    expect(performance.now() - asked).toBeLessThan(500);
    expect(readdirSync(join(home, 'cases'))).toEqual([]);
  });
});

describe('a case file of its own', () => {
  it('is opened from where it lies, with notes beside it, and is not listed', async () => {
    const { main, window, lastState } = start();
    const caseFile = join(scratch.path, 'mine.case');
    const job = await main.request('bundle.import', { paths: [EXAMPLE], keep: true, caseFile });
    if (!job.ok) throw new Error(job.error.detail);
    expect((await lastState(job.value.jobId)).kind).toBe('done');
    const other = start();
    const adopted = await other.main.request('case.adopt', { caseFile });
    if (!adopted.ok) throw new Error(adopted.error.detail);
    expect(await other.window.request('case.open', { caseId: adopted.value.caseId })).toMatchObject({
      ok: true,
      value: { summary: { name: 'small' } },
    });
    expect(await window.request('case.list', {})).toEqual({ ok: true, value: { cases: [], skipped: 0 } });
    expect(await other.main.request('case.adopt', { caseFile: join(EXAMPLE, 'pods.yaml') })).toMatchObject({
      error: { code: 'case-damaged' },
    });
  });
});

describe('a case that cannot be opened', () => {
  it('is told with its reason, and nothing waits', async () => {
    const { main, lastState } = start();
    const whole = join(scratch.path, 'whole.case');
    const job = await main.request('bundle.import', { paths: [EXAMPLE], keep: true, caseFile: whole });
    if (!job.ok) throw new Error(job.error.detail);
    expect((await lastState(job.value.jobId)).kind).toBe('done');
    const bytes = readFileSync(whole);
    const changed = (name: string, change: (copy: Buffer) => Buffer): string =>
      scratch.write(name, change(Buffer.from(bytes)));
    const pipe = join(scratch.path, 'pipe.firstfault');
    execFileSync('mkfifo', [pipe]);
    const newer = changed('newer.firstfault', (copy) => {
      copy.writeUInt32BE(9999, 60);
      return copy;
    });
    const cut = changed('cut.firstfault', (copy) => copy.subarray(0, copy.length / 2));
    const overwritten = changed('overwritten.firstfault', (copy) => copy.fill(0xab, 8192));
    const answers = await Promise.all(
      [pipe, scratch.path, '/dev/zero', join(scratch.path, 'a/'.repeat(2000)), newer, cut, overwritten].map(
        (caseFile) => main.request('case.adopt', { caseFile }),
      ),
    );
    expect(answers.map((answer) => (answer.ok ? 'opened' : answer.error.code))).toEqual([
      ...Array.from({ length: 4 }, () => 'case-not-found'),
      'case-version',
      'case-damaged',
      'case-damaged',
    ]);
    expect(answers[4]).toMatchObject({
      error: { detail: expect.stringMatching(/^case file version 9999, this program reads \d+$/) },
    });
  });
});

describe('what is kept of each entry', async () => {
  const members = [
    { name: 'big.bin', data: Buffer.alloc(200_000, '\u0001\u0000x') },
    { name: 'page.log', data: `<!DOCTYPE html>\n<html><body>${'502 '.repeat(50_000)}</body></html>\n` },
    { name: 'worker.log', data: LINE },
    { name: 'copy-of-worker.log', data: LINE },
  ];
  const { importCase, window } = start();
  const id = await importCase(scratch.write('kept.tar', await tarBytes(members)));
  const listed = await window.request('entry.list', { caseId: id, offset: 0, maxRows: 10 });
  const row = (path: string) => {
    const found = listed.ok ? listed.value.rows.find((one) => one.path === path) : undefined;
    if (found === undefined) throw new Error(path);
    return found;
  };

  it('of a skipped one: hash, size and the first 64 KiB', async () => {
    const { id: binary, bytes, sha256, status } = row('big.bin');
    expect([bytes, status, sha256?.length]).toEqual([200_000, 'skipped', 64]);
    const head = await window.request('entry.bytes', { caseId: id, entryId: binary, from: 65_000, maxBytes: 1000 });
    expect(head.ok && head.value.bytes.length).toBe(536);
    expect(
      await window.request('entry.bytes', { caseId: id, entryId: binary, from: 70_000, maxBytes: 10 }),
    ).toMatchObject({ error: { code: 'bytes-not-stored' } });
  });

  it('of a web page in place of a log: enough lines to see that it is one', async () => {
    const text = await window.request('entry.text', {
      caseId: id,
      entryId: row('page.log').id,
      fromLine: 1,
      maxLines: 5,
    });
    expect(text.ok && text.value.lines.map((line) => [line.line, line.cut, line.text.slice(0, 15)])).toEqual([
      [1, false, '<!DOCTYPE html>'],
      [2, true, '<html><body>502'],
    ]);
  });

  it('of a duplicate: the bytes of the original', async () => {
    const duplicate = row('worker.log');
    expect(duplicate).toMatchObject({ status: 'duplicate', duplicateOf: row('copy-of-worker.log').id });
    const text = await window.request('entry.text', { caseId: id, entryId: duplicate.id, fromLine: 1, maxLines: 5 });
    expect(text.ok && text.value.lines.map((line) => `${line.text}\n`)).toEqual([LINE]);
  });
});

describe('an upload that was cut off', async () => {
  const { importCase, window } = start();
  const text = Array.from({ length: 4000 }, (_, i) => LINE.replace('step 1', `step ${i * 7919}`)).join('');
  const whole = gzipSync(
    await tarBytes([
      { name: 'a.log', data: LINE },
      { name: 'b.log', data: text },
      { name: 'c.log', data: LINE },
    ]),
  );
  const id = await importCase(scratch.write('upload.tar.gz', whole.subarray(0, Math.floor(whole.length / 2))));
  const listed = await window.request('entry.list', { caseId: id, offset: 0, maxRows: 10 });
  const rows = listed.ok ? listed.value.rows : [];

  it('gives the whole entries as read and the last one as truncated', () => {
    expect(rows.map((row) => [row.path, row.status])).toEqual([
      ['a.log', 'read'],
      ['b.log', 'truncated'],
    ]);
    expect(rows[1]?.detail).toMatch(/the archive ends \d+ bytes before the end of this file$/);
  });

  it('gives every line before the cut', async () => {
    const answer = await window.request('entry.text', { caseId: id, entryId: entryId(1), fromLine: 1, maxLines: 5000 });
    const lines = answer.ok ? answer.value.lines.map((line) => line.text) : [];
    expect(lines.length).toBeGreaterThan(1000);
    expect(text.startsWith(lines.join('\n'))).toBe(true);
  });

  it('says where it ends', async () => {
    const opened = await window.request('case.open', { caseId: id });
    const texts = opened.ok ? opened.value.report.issues.map((issue) => `${issue.code} ${issue.text}`) : [];
    expect(texts.join()).toContain(`ends early at byte ${Math.floor(whole.length / 2)}`);
  });
});

describe('a case whose file was damaged', () => {
  it('says so for what is hit, and nothing worse', async () => {
    const first = start();
    const text = Array.from({ length: 20_000 }, (_, i) =>
      LINE.replace('words', String((i * i * 7919) % 1_000_003)),
    ).join('');
    const id = await first.importCase(scratch.write('hit/worker-0.log', text));
    await first.engine.close();
    const file = join(first.home, 'cases', id, 'case.db');
    const bytes = readFileSync(file);
    bytes.fill(0x55, Math.floor(bytes.length * 0.3), Math.floor(bytes.length * 0.6));
    writeFileSync(file, bytes);
    const { window } = start({ home: first.home });
    const answers = await Promise.all(
      [1, 5_000, 10_000, 19_000].map((fromLine) =>
        window.request('entry.text', { caseId: id, entryId: entryId(0), fromLine, maxLines: 1 }),
      ),
    );
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.error.code))).toContain('case-damaged');
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.error.code))).not.toContain('internal');
  });
});

describe('what an earlier run left behind', () => {
  it('is removed at the start if its process is gone, and kept if it lives', () => {
    const home = join(scratch.path, 'crashed');
    mkdirSync(join(home, 'cases', '.importing-999999999-1'), { recursive: true });
    mkdirSync(join(home, 'cases', `.importing-${process.pid}-7`), { recursive: true });
    connect({ home, version: '1' });
    expect(readdirSync(join(home, 'cases'))).toEqual([`.importing-${process.pid}-7`]);
  });
});
