import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { BLOCK_CODECS } from '#engine/store/block-codec.ts';
import { CaseReader, isCaseFile } from '#engine/store/case-reader.ts';
import { INDEXES, SCHEMA_VERSION, TABLES } from '#engine/store/case-schema.ts';
import { CaseWriter, type EntryInsert } from '#engine/store/case-writer.ts';
import { READ_SQL } from '#engine/store/queries/read-queries.ts';
import { createForImport } from '#engine/store/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'firstfault-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const freshFile = (): string => join(folder, `case-${count++}.db`);

const ENTRY: EntryInsert = {
  path: 'a.log',
  bytes: 10,
  sha256: 'ab',
  format: 'log',
  kind: 'Log',
  why: '',
  status: 'read',
  detail: '',
  lines: 3,
  firstNs: 1_773_480_300_123_456_789n,
  lastNs: null,
};

function reader(file: string): CaseReader {
  const opened = CaseReader.open(file);
  if (!opened.ok) throw new Error(opened.error.detail);
  return opened.value;
}

function writeText(writer: CaseWriter, slot: number, texts: readonly string[]): void {
  let byte = 0;
  let firstLine = 1;
  for (const text of texts) {
    const bytes = Buffer.from(text);
    const lines = text.split('\n').length - 1;
    writer.addBlock(slot, { bytes, byte, firstLine, lines, skip: 0, encoding: 'utf-8', t0: undefined, t1: undefined });
    byte += bytes.length;
    firstLine += lines;
  }
}

describe.each(BLOCK_CODECS)('a case written with %s', (codec) => {
  const file = freshFile();
  const writer = new CaseWriter(file, { now: () => 0, codec });
  writeText(writer, 0, ['one\ntwo\n', 'three\nfour\n', 'five\n']);
  writer.addBlob(1, Buffer.from('\u0001binary'.repeat(100)));
  writer.addEntry(0, ENTRY);
  writer.addEntry(1, { ...ENTRY, path: 'b.bin', lines: null });
  writer.settle([
    { slot: 0, id: 0, contentSlot: 0, status: 'read', detail: 'x', duplicateOf: null },
    { slot: 1, id: 1, contentSlot: 1, status: 'read', detail: '', duplicateOf: null },
  ]);
  writer.report('{"a":1}');
  const before = readdirSync(folder).filter((name) => name.startsWith(file.slice(folder.length + 1)));
  writer.finish();
  const db = reader(file);
  afterAll(() => db.close());

  it('exists under its name only when whole, without companions', () => {
    expect(before.every((name) => name.includes('.importing'))).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith(file.slice(folder.length + 1)))).toEqual([
      file.slice(folder.length + 1),
    ]);
  });

  it('gives back 64-bit stamps exactly', () => {
    expect(db.entry(0)).toMatchObject({ path: 'a.log', detail: 'x', firstNs: '1773480300123456789', lastNs: null });
  });

  it.each([
    [
      'from the first line',
      1,
      2,
      [
        [1, 0, 'one'],
        [2, 4, 'two'],
      ],
    ],
    [
      'across blocks',
      2,
      3,
      [
        [2, 4, 'two'],
        [3, 8, 'three'],
        [4, 14, 'four'],
      ],
    ],
    ['to the end and no further', 5, 9, [[5, 19, 'five']]],
    ['beyond the end', 6, 9, []],
  ])('reads lines %s', (_name, fromLine, maxLines, expected) => {
    const { lines, total } = db.lines(0, { fromLine, maxLines, maxLineBytes: 100 });
    expect(lines.map(({ line, byte, bytes }) => [line, byte, bytes.toString()])).toEqual(expected);
    expect(total).toBe(5);
  });

  it('cuts long lines', () => {
    expect(db.lines(0, { fromLine: 3, maxLines: 1, maxLineBytes: 2 }).lines[0]?.bytes.toString()).toBe('th');
  });

  it.each([
    [0, 3, 'one'],
    [6, 10, 'o\nth'],
    [8, 14, 'three\n'],
    [19, 99, 'five\n'],
    [50, 60, ''],
  ])('reads bytes %i to %i', (from, to, expected) => {
    const { bytes, stored } = db.bytes(0, from, to);
    expect(bytes.toString()).toBe(expected);
    expect(stored).toBe(24);
  });

  it('reads bytes of a BLOB', () => {
    expect(db.bytes(1, 1, 7).bytes.toString()).toBe('binary');
  });

  it('is known as a case file', () => {
    expect(isCaseFile(file)).toBe(true);
  });
});

describe('dropped content and duplicates', () => {
  it('leaves the bytes of the slot that was read first', () => {
    const file = freshFile();
    const writer = new CaseWriter(file, { now: () => 0 });
    writeText(writer, 0, ['same\n']);
    writeText(writer, 1, ['same\n']);
    writer.addEntry(0, ENTRY);
    writer.addEntry(1, { ...ENTRY, path: 'b.log' });
    writer.settle([
      { slot: 0, id: 0, contentSlot: 0, status: 'read', detail: '', duplicateOf: null },
      { slot: 1, id: 1, contentSlot: 0, status: 'duplicate', detail: '', duplicateOf: 0 },
    ]);
    writer.finish();
    const db = reader(file);
    expect(db.bytes(1, 0, 9).bytes.toString()).toBe('');
    expect(db.entry(1)).toMatchObject({ contentSlot: 0, status: 'duplicate', duplicateOf: 0 });
    db.close();
  });

  it('discards without a trace', () => {
    const file = freshFile();
    const writer = new CaseWriter(file, { now: () => 0 });
    writeText(writer, 0, ['x\n']);
    writer.discard();
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(folder).some((name) => name.includes('.importing'))).toBe(false);
  });
});

describe('commits', () => {
  it('come at least every two seconds, so that a crash loses little', () => {
    const file = freshFile();
    let now = 0;
    const writer = new CaseWriter(file, { now: () => now });
    // What a crash would leave: the file as it stands on disk, with its journal. The one in use is locked.
    const rows = (): number => {
      const left = freshFile();
      for (const part of ['', '-journal'])
        if (existsSync(`${file}.importing${part}`)) copyFileSync(`${file}.importing${part}`, `${left}${part}`);
      const other = createForImport(left);
      try {
        return Number(other.prepare('SELECT count(*) FROM blocks').pluck().get());
      } finally {
        other.close();
      }
    };
    writeText(writer, 0, ['x\n']);
    expect(rows()).toBe(0);
    now = 2000;
    writeText(writer, 1, ['y\n']);
    expect(rows()).toBe(2);
    writer.discard();
  });
});

describe('files that are no current case', () => {
  it('names another version', () => {
    const file = freshFile();
    const writer = new CaseWriter(file, { now: () => 0 });
    writer.finish();
    const db = createForImport(file);
    db.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    db.pragma('journal_mode = DELETE');
    db.close();
    expect(CaseReader.open(file)).toMatchObject({ ok: false, error: { code: 'case-version' } });
  });

  it('tells a stranger, damage and absence apart', () => {
    const text = join(folder, 'text.db');
    writeFileSync(text, 'no database at all, but long enough to be looked at\n'.repeat(50));
    const stranger = join(folder, 'stranger.db');
    const db = createForImport(stranger);
    db.exec('CREATE TABLE t (x)');
    db.pragma('journal_mode = DELETE');
    db.close();
    expect(CaseReader.open(text)).toMatchObject({ error: { code: 'case-damaged' } });
    expect(CaseReader.open(stranger)).toMatchObject({
      error: { code: 'case-damaged', detail: 'not a case file of this program' },
    });
    expect(CaseReader.open(join(folder, 'none.db'))).toMatchObject({ error: { code: 'case-not-found' } });
    expect(isCaseFile(stranger)).toBe(false);
  });
});

describe('query plans', () => {
  const db = createForImport(':memory:');
  db.exec(TABLES);
  db.exec(INDEXES);
  afterAll(() => db.close());

  it.each(Object.entries(READ_SQL).filter(([name]) => name !== 'meta' && name !== 'entryCount'))(
    '%s searches, never scans',
    (_name, sql) => {
      const named = sql.includes(':slot');
      const args = named ? [{ slot: 0, from: 0, to: 1 }] : Array.from(sql.matchAll(/\?/g), () => 0);
      const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...args);
      const steps = plan.map((row) => row.detail).join(' | ');
      expect(steps).not.toMatch(/\bSCAN (?:entries|blocks|blobs|dumps|report)\b(?! USING)/);
      expect(steps).not.toContain('USE TEMP B-TREE');
    },
  );
});

describe('the hash of an entry that is made while its blocks are packed', () => {
  const texts = Array.from({ length: 40 }, (_, i) => `line ${i} ${'of text '.repeat(900 + 31 * i)}\n`);
  const bytes = Buffer.from(texts.join(''));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const DYING = `{ const { Hash } = process.getBuiltinModule('node:crypto'); let left = 20; const update = Hash.prototype.update;
    Hash.prototype.update = function (...args) { if (--left === 0) process.exit(); return update.apply(this, args); }; }`;

  it.each([
    ['of one thread', ''],
    ['also where that thread dies', DYING],
  ])('is that of its bytes, %s', { timeout: 30_000 }, async (_, prelude) => {
    const writer = new CaseWriter(freshFile(), { now: () => 0, codec: 'zstd', prelude });
    const told: string[] = [];
    for (const slot of [3, 4]) {
      writer.beginHash(slot, 8_000_000);
      const isHashed = writer.isHashing(slot);
      expect(isHashed).toBe(slot === 3 || prelude === '');
      writeText(writer, slot, texts.slice(0, 20));
      await sleep(prelude === '' ? 1 : 500);
      const byte = texts.slice(0, 20).join('').length;
      for (const text of texts.slice(20)) {
        const block = { bytes: Buffer.from(text), byte, firstLine: 21, lines: 1, skip: 0, encoding: 'utf-8' as const };
        writer.addBlock(slot, { ...block, t0: undefined, t1: undefined });
      }
      if (isHashed) writer.endHash(slot, (hash) => told.push(hash));
    }
    writer.drain();
    expect(told).toEqual(prelude === '' ? [sha256, sha256] : [sha256]);
    writer.discard();
  });

  it('is left to the reader of small entries, and where nothing is packed', () => {
    const writer = new CaseWriter(freshFile(), { now: () => 0, codec: 'zstd' });
    expect(writer.beginHash(0, 10_000)).toBe(false);
    expect(writer.beginHash(0, null)).toBe(false);
    writer.discard();
    const raw = new CaseWriter(freshFile(), { now: () => 0, codec: 'raw' });
    expect(raw.beginHash(0, 8_000_000)).toBe(false);
    raw.discard();
    const report = new CaseWriter(freshFile(), { now: () => 0, codec: 'zstd', contents: 'report' });
    expect(report.beginHash(0, 8_000_000)).toBe(false);
    report.discard();
  });
});
