import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { extract, type Header, pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCustody, listStandIns } from '#engine/store/export-log.ts';
import { openDurable } from '#engine/store/sqlite.ts';
import type { CaseId } from '#shared/model/ids.ts';
import { reportSchema } from '#shared/report/schema.ts';
import { type Connected, connect } from './engine-client.ts';
import { scratchFolder } from './scratch.ts';

const SMALL = fileURLToPath(new URL('../../build/resources/example/small', import.meta.url));
const scratch = scratchFolder();
const engineAt = (name: string): Connected => connect({ home: join(scratch.path, name), version: '1.2.3' });

type Entry = readonly [header: Partial<Header> & { readonly name: string }, content: string | Buffer];

let here: Connected;
let caseId: CaseId;
beforeAll(async () => {
  here = engineAt('here');
  caseId = await here.importCase(SMALL);
});
afterAll(() => here.engine.close());

async function preview() {
  const answer = await here.window.request('export.preview', { caseId });
  if (!answer.ok) throw new Error(answer.error.detail);
  return answer.value;
}
async function render(form: 'html' | 'markdown' | 'json' | 'patch' | 'reply', text: string | null = null) {
  const answer = await here.main.request('export.render', { caseId, form, text });
  if (!answer.ok) throw new Error(answer.error.detail);
  return answer.value;
}
const notesDb = (): string => join(scratch.path, 'here', 'cases', caseId, 'notes.db');

describe('exports of a case', () => {
  it('are redacted unless the analyst says otherwise, and the names stay in the case', async () => {
    const opened = await here.main.request('case.open', { caseId });
    if (!opened.ok) throw new Error(opened.error.detail);
    const names = opened.value.report.ranks.flatMap(({ pod, node }) => [pod, node]).filter((name) => name !== null);
    expect(names.length).toBeGreaterThan(0);
    for (const form of ['html', 'markdown', 'json', 'reply'] as const) {
      const { text, fileName, redacted } = await render(form);
      for (const name of names) expect(text, `${form} ${name}`).not.toContain(name);
      expect([redacted, fileName.includes('-redacted-')]).toEqual([true, true]);
    }
    expect(reportSchema.safeParse(JSON.parse((await render('json')).text)).success).toBe(true);
    const kept = listStandIns(notesDb());
    for (const name of names) expect(kept.map(({ text }) => text.toLowerCase())).toContain(name.toLowerCase());
  });

  it('give copied text the same stand-ins, and leave the counts of the report alone', async () => {
    const opened = await here.main.request('case.open', { caseId });
    const pod = opened.ok ? (opened.value.report.ranks.find((row) => row.pod !== null)?.pod ?? '') : '';
    expect(pod).not.toBe('');
    const before = (await preview()).redaction;
    const copied = await here.window.request('export.redact', { caseId, text: `pod ${pod} ended at 18:34:14` });
    if (!copied.ok || copied.value.text === null) throw new Error('nothing copied');
    expect(copied.value.text).toMatch(/^pod \S+ ended at 18:34:14$/);
    expect(copied.value.text).not.toContain(pod);
    const standIn = copied.value.text.split(' ')[1] ?? '';
    expect((await render('markdown')).text).toContain(standIn);
    expect((await preview()).redaction).toEqual(before);
    const { choices } = await preview();
    await here.window.request('export.choose', { caseId, choices: { ...choices, redact: false } });
    expect(await here.window.request('export.redact', { caseId, text: pod })).toEqual({
      ok: true,
      value: { text: null },
    });
    await here.window.request('export.choose', { caseId, choices });
  });

  it('follow the choices of the case', async () => {
    const { choices } = await preview();
    const only = {
      ...choices,
      redact: false,
      sections: choices.sections.map((row) => ({ ...row, on: row.id === 'gaps' || row.id === 'verdict' })).reverse(),
    };
    await here.window.request('export.choose', { caseId, choices: only });
    expect((await preview()).document.sections.map(({ id }) => id)).toEqual(['gaps', 'verdict']);
    const { text, fileName } = await render('markdown');
    expect(fileName).not.toContain('redacted');
    expect(text).not.toContain('## Manifest');
    await here.window.request('export.choose', { caseId, choices });
    expect((await preview()).redaction?.places).toBeGreaterThan(0);
  });

  it('replace the words of the analyst, also in a reply that was edited', async () => {
    const { choices } = await preview();
    await here.window.request('export.choose', { caseId, choices: { ...choices, words: ['Project Falcon'] } });
    expect((await render('reply', 'On project falcon: thanks.')).text).toBe('On word-1: thanks.');
    await here.window.request('export.choose', { caseId, choices });
  });

  it('cannot be asked for by a window, nor can a path', async () => {
    for (const [method, params] of [
      ['export.render', { caseId, form: 'html', text: null }],
      ['export.package', { caseId, file: join(scratch.path, 'stolen.firstfault') }],
      ['export.record', { caseId, action: 'x', inputs: '', result: '' }],
    ] as const) {
      const answer = await here.window.request(method as never, params as never);
      expect(answer).toMatchObject({ ok: false, error: { code: 'unknown-method' } });
    }
    expect(existsSync(join(scratch.path, 'stolen.firstfault'))).toBe(false);
  });

  it('are logged once and for all', async () => {
    await here.main.request('export.record', { caseId, action: 'export PDF', inputs: 'redacted', result: 'a.pdf' });
    const log = await here.window.request('export.custody', { caseId });
    expect(log).toMatchObject({
      ok: true,
      value: {
        entries: [
          { version: '1.2.3', action: 'import' },
          { version: '1.2.3', action: 'export PDF', result: 'a.pdf' },
        ],
      },
    });
    const db = openDurable(notesDb());
    expect(() => db.exec('DELETE FROM custody')).toThrow(/append-only/);
    expect(() => db.exec("UPDATE custody SET result = ''")).toThrow(/append-only/);
    db.close();
  });
});

describe('a case package', () => {
  const file = join(scratch.path, 'case.firstfault');
  let there: Connected;
  beforeAll(async () => {
    await here.window.request('notes.add', { caseId, subject: { kind: 'case' }, text: 'see the node', starred: false });
    const written = await here.main.request('export.package', { caseId, file });
    if (!written.ok) throw new Error(written.error.detail);
    expect(written.value.sha256).toBe(createHash('sha256').update(readFileSync(file)).digest('hex'));
    there = engineAt('there');
  });
  afterAll(() => there.engine.close());

  it('opens on another machine with its report and notes, without the table of stand-ins', async () => {
    const adopted = await there.main.request('case.adopt', { caseFile: file });
    if (!adopted.ok) throw new Error(adopted.error.detail);
    const [a, b] = [
      await here.window.request('case.open', { caseId }),
      await there.window.request('case.open', { caseId: adopted.value.caseId }),
    ];
    expect(a.ok && b.ok && b.value.report).toEqual(a.ok && a.value.report);
    const notes = await there.window.request('notes.list', { caseId: adopted.value.caseId });
    expect(notes.ok && notes.value.notes.map(({ text }) => text)).toEqual(['see the node']);
    const theirs = join(scratch.path, 'there', 'cases', adopted.value.caseId, 'notes.db');
    expect(listStandIns(theirs)).toEqual([]);
    expect(listCustody(theirs).map(({ action }) => action)).toEqual(['import', 'export PDF', 'open package']);
    expect(readFileSync(file).includes('stand_ins')).toBe(true);
  });

  it('is refused when a byte of it changed, and nothing stays behind', async () => {
    const before = readdirSync(join(scratch.path, 'there', 'cases')).length;
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    const broken = join(scratch.path, 'broken.firstfault');
    writeFileSync(broken, bytes);
    expect(await there.main.request('case.adopt', { caseFile: broken })).toMatchObject({
      ok: false,
      error: { code: 'case-damaged' },
    });
    writeFileSync(broken, readFileSync(file).subarray(0, 100_000));
    expect(await there.main.request('case.adopt', { caseFile: broken })).toMatchObject({
      ok: false,
      error: { code: 'case-damaged' },
    });
    expect(readdirSync(join(scratch.path, 'there', 'cases')).length).toBe(before);
  });

  it('writes nothing but its two files, whatever names are in it', async () => {
    const before = readdirSync(join(scratch.path, 'there', 'cases'));
    const renamed = readFileSync(file);
    const at = renamed.indexOf('case.db', 512 + 512);
    const evil = Buffer.from('../e.db');
    for (let from = at; from >= 0; from = renamed.indexOf('case.db', from + 1)) evil.copy(renamed, from);
    const target = join(scratch.path, 'evil.firstfault');
    writeFileSync(target, renamed);
    expect((await there.main.request('case.adopt', { caseFile: target })).ok).toBe(false);
    expect(readdirSync(join(scratch.path, 'there', 'cases'))).toEqual(before);
    expect(existsSync(join(scratch.path, 'there', 'cases', 'e.db'))).toBe(false);
  });

  /** The package again, `change` applied to its entries: `[header, content]` in order. */
  async function repacked(name: string, change: (entries: Entry[]) => Entry[]): Promise<string> {
    const entries: Entry[] = [];
    for await (const entry of Readable.from([readFileSync(file)]).pipe(extract())) {
      entries.push([{ name: entry.header.name, type: 'file' }, await buffer(entry)]);
    }
    const tar = pack();
    for (const [header, content] of change(entries)) tar.entry(header, content);
    tar.finalize();
    const path = join(scratch.path, `${name}.firstfault`);
    writeFileSync(path, await buffer(tar));
    return path;
  }

  it.each<[string, string, (entries: Entry[]) => Entry[]]>([
    ['a link', 'no file', (all) => [...all, [{ name: 'x', type: 'symlink', linkname: '/etc/passwd' }, '']]],
    ['a device', 'no file', (all) => [...all, [{ name: 'x', type: 'character-device' }, '']]],
    [
      'a header that asks for memory',
      'no file',
      (all) => all.map(([header, content], at) => [at === 1 ? { ...header, pax: { comment: 'x' } } : header, content]),
    ],
    ['a file too many', 'does not belong there', (all) => [...all, [{ name: 'run.sh' }, 'x']]],
    ['a file twice', 'does not belong there', (all) => [...all, ...all.slice(1, 2)]],
    ['a file too few', 'not whole', (all) => all.slice(0, 2)],
    [
      'a list of megabytes',
      'list of its files',
      ([list, ...rest]) => (list === undefined ? [] : [[list[0], Buffer.alloc(1024 * 1024, ' ')], ...rest]),
    ],
  ])('with %s is refused, and nothing stays behind', async (name, reason, change) => {
    const before = readdirSync(join(scratch.path, 'there', 'cases'));
    const answer = await there.main.request('case.adopt', { caseFile: await repacked(name, change) });
    expect(answer.ok ? '' : `${answer.error.code}: ${answer.error.detail}`).toMatch(
      new RegExp(`case-damaged: .*${reason}`),
    );
    expect(readdirSync(join(scratch.path, 'there', 'cases'))).toEqual(before);
  });

  it('packed again as it is, is taken', async () => {
    const answer = await there.main.request('case.adopt', { caseFile: await repacked('same', (all) => all) });
    expect(answer.ok).toBe(true);
  });

  it('says why it could not be written, and leaves nothing', async () => {
    const folder = join(scratch.path, 'empty');
    mkdirSync(folder);
    const answer = await here.main.request('export.package', { caseId, file: join(folder, 'no', 'a.firstfault') });
    expect(answer).toMatchObject({ ok: false, error: { code: 'write-failed', detail: 'ENOENT' } });
    expect(readdirSync(folder)).toEqual([]);
  });
});
