import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wholeEnd } from '#engine/bundle/archive-place.ts';
import { importEntry } from '#engine/import/import-entry.ts';
import { Pacer } from '#engine/import/pacer.ts';
import { CaseWriter } from '#engine/store/case-writer.ts';
import { detectFormat } from '#shared/formats/index.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const STEPS = Array.from(
  { length: 40 },
  (_, i) => `2026-02-18T10:00:${String(i).padStart(2, '0')}Z [rank0]: step ${i}\n`,
).join('');
const ERROR =
  '2026-02-18T10:05:00Z [rank0]: Traceback (most recent call last):\n2026-02-18T10:05:00Z [rank0]: ValueError: bad\n';
const nuls = (count: number): string => '\0'.repeat(count);
let cases = 0;

async function readIn(data: Buffer, pieceBytes: number) {
  const writer = new CaseWriter(join(scratch.path, `${cases++}.db`), { now: () => 0 });
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < data.length; at += pieceBytes) yield data.subarray(at, at + pieceBytes);
  }
  const item = {
    kind: 'entry',
    path: 'worker',
    repeated: false,
    declaredBytes: null,
    chunks: chunks(),
    end: wholeEnd(),
  } as const;
  const pacer = new Pacer({ aborted: false }, () => 0);
  const record = await importEntry(item, 0, { writer, pacer, detectFormat, onKind: () => undefined });
  writer.discard();
  return record;
}

describe('a log with holes of NUL bytes', () => {
  it.each([
    ['at its start, as copytruncate leaves it', nuls(5000) + STEPS + ERROR],
    ['at its start, larger than a read', nuls(700_000) + STEPS + ERROR],
    ['right behind its first lines', ERROR + nuls(50_000)],
    ['in the midst of its head', STEPS.slice(0, 400) + nuls(200) + STEPS + ERROR],
  ])('is read as a log: %s', async (_name, text) => {
    const data = Buffer.from(text);
    const whole = await readIn(data, data.length);
    expect(whole).toMatchObject({ format: 'pod-log', status: 'warned', bytes: data.length });
    expect(whole.outputs.issues.map(({ code }) => code)).toContain('nul-bytes');
    expect(JSON.stringify(whole.outputs.events.map(({ body }) => body.kind))).toContain('exception');
    for (const pieceBytes of [1000, 4096, 4097, 65_536])
      expect(await readIn(data, pieceBytes), `in pieces of ${pieceBytes}`).toEqual(whole);
  });

  it.each([
    ['nothing but NUL bytes', nuls(300_000), 'unknown-binary'],
    [
      'a binary file that begins with NUL bytes',
      `${nuls(5000)}\u0001\u0002\u0003${'\u0007'.repeat(5000)}`,
      'unknown-binary',
    ],
    ['text without times behind NUL bytes', `${nuls(5000)}some words\n`.repeat(3), 'unknown-binary'],
  ])('stays what it is: %s', async (_name, text, format) => {
    const data = Buffer.from(text);
    expect(await readIn(data, 1000)).toMatchObject({ format, status: 'skipped', bytes: data.length });
    expect((await readIn(data, 1000)).sha256).toBe((await readIn(data, data.length)).sha256);
  });
});
