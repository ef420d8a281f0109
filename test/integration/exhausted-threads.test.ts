/** Threads that really run out of memory: the import goes on without them, or ends and says where it was. It never hangs. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DecodeThread } from '#engine/bundle/codecs/decode-thread.ts';
import { newDecompressEnd } from '#engine/bundle/codecs/decompress-end.ts';
import { openBundle } from '#engine/bundle/open-bundle.ts';
import { startImportIn } from '#engine/jobs/import-worker.ts';
import { unpackBlock } from '#engine/store/block-codec.ts';
import { BlockPacker } from '#engine/store/block-packer.ts';
import { tarBytes } from './archives.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();

/** Script that fills the heap until V8 ends the thread. */
const EXHAUST = 'const kept = []; for (;;) kept.push(new Array(100000).fill(kept.length + 0.5));';

/** Before a decompressing thread: its heap is full when it has handed out three chunks. */
const EXHAUSTED_DECODER = `{
  const { MessagePort } = require('node:worker_threads');
  const post = MessagePort.prototype.postMessage;
  let chunks = 0;
  MessagePort.prototype.postMessage = function (message, transfer) {
    post.call(this, message, transfer);
    if (message.t !== 'chunk' || (chunks += 1) < 3) return;
    ${EXHAUST}
  };
}`;

/** Before a packing thread: its heap is full at its twentieth block. */
const EXHAUSTED_PACKER = `{
  const notify = Atomics.notify;
  let blocks = 0;
  Atomics.notify = (...at) => {
    const woken = notify(...at);
    if ((blocks += 1) < 20) return woken;
    ${EXHAUST}
  };
}`;

/** Lines that hardly pack, so that a few megabytes are many chunks of input. */
function logOf(rank: number, bytes: number): Buffer {
  const lines: string[] = [];
  let state = rank + 1;
  for (let size = 0; size < bytes; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const line = `2026-03-14T09:00:00.000000000Z [rank${rank}]: ${state} ${Math.imul(state, 77) >>> 0} words of a log\n`;
    lines.push(line);
    size += line.length;
  }
  return Buffer.from(lines.join(''));
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

describe('a decompressing thread that runs out of memory', () => {
  it('ends its stream where it was, and says why', { timeout: 60_000 }, async () => {
    const plain = logOf(0, 8_000_000);
    const thread = new DecodeThread(EXHAUSTED_DECODER);
    const end = newDecompressEnd();
    const parts: Buffer[] = [];
    for await (const chunk of thread.decode(pieces(gzipSync(plain)), 'gzip', end)) parts.push(Buffer.from(chunk));
    const got = Buffer.concat(parts);
    expect(end).toMatchObject({ cut: 'stopped', detail: 'the thread that unpacks it ran out of memory' });
    expect(got.length).toBeLessThan(plain.length);
    expect(plain.subarray(0, got.length).equals(got)).toBe(true);
    expect(thread.isFree).toBe(false);
    thread.close();
  });

  it('costs the rest of its archive, which is named with the place; other files are read', {
    timeout: 60_000,
  }, async () => {
    const members = [0, 1, 2].map((rank) => ({ name: `logs/rank-${rank}.log`, data: logOf(rank, 11_000_000) }));
    scratch.write('bundle/a.tar.gz', gzipSync(await tarBytes(members)));
    scratch.write('bundle/b.log.gz', gzipSync(logOf(9, 8_000_000)));
    const opened = await openBundle([join(scratch.path, 'bundle')], {
      hooks: { cancel: { aborted: false }, onInputBytes: () => undefined },
      decoder: new DecodeThread(EXHAUSTED_DECODER),
    });
    if (!opened.ok) throw new Error(opened.error.detail);
    const said: string[] = [];
    const read: string[] = [];
    for await (const item of opened.value.items()) {
      if (item.kind === 'issue') said.push(`${item.path}: ${item.code}: ${item.detail}`);
      if (item.kind !== 'entry') continue;
      for await (const chunk of item.chunks) expect(chunk.length).toBeGreaterThan(0);
      read.push(`${item.path} ${item.end.cut === '' ? 'whole' : item.end.cut}`);
    }
    expect(said).toEqual([
      expect.stringMatching(
        /^a\.tar\.gz: read-failed: reading stopped at byte \d+ of the unpacked archive: the thread that unpacks it ran out of memory; what stands before it was read$/,
      ),
    ]);
    expect(read[0]).toMatch(
      /^a\.tar\.gz\/logs\/rank-0\.log reading stopped \d+ bytes before the end of this file: the thread that unpacks it ran out of memory$/,
    );
    expect(read.at(-1)).toBe('b.log whole');
    expect(read).toHaveLength(2);
  });
});

describe('a packing thread that runs out of memory', () => {
  it('loses no block', { timeout: 60_000 }, async () => {
    const packer = new BlockPacker('zstd', undefined, EXHAUSTED_PACKER);
    const block = (i: number) => logOf(i, 60_000).subarray(0, 60_000);
    const seen = new Map<number, Buffer>();
    for (let i = 0; i < 200; i += 1) {
      packer.pack(block(i), ({ codec, data }) =>
        seen.set(i, Buffer.from(unpackBlock(codec, Buffer.from(data), 65_536))),
      );
      if (i % 5 === 0) await sleep(2);
    }
    expect(packer.isDead).toBe(true);
    packer.drain();
    packer.close();
    expect(seen.size).toBe(200);
    for (const [i, bytes] of seen) expect(bytes.equals(block(i)), `block ${i}`).toBe(true);
  });
});

describe('an import that runs out of memory', () => {
  it('says so and where it was, and leaves nothing', { timeout: 60_000 }, async () => {
    for (let i = 0; i < 12; i += 1) scratch.write(`many/rank-${i}.log`, logOf(i, 3_000_000));
    const files: string[] = [];
    const run = startImportIn(new URL('./exhausted-worker.ts', import.meta.url), 96)(
      {
        paths: [join(scratch.path, 'many')],
        caseFile: join(scratch.path, 'case.db'),
        tool: { name: 'firstfault', version: '0' },
      },
      { onPhase: () => undefined, onProgress: () => undefined, onFile: ({ path }) => files.push(path) },
    );
    const result = await run.done;
    if (result.ok) throw new Error('it went well');
    expect(result.error.code).toBe('internal');
    expect(result.error.detail).toMatch(
      /^the import ran out of memory at or soon after the file "rank-\d+\.log" \(files done: \d+; [\d.]+ MiB of 34\.\d MiB read\)$/,
    );
    expect(result.error.detail).toContain(`"${files.at(-1)}"`);
    expect(() => writeFileSync(join(scratch.path, 'case.db.importing'), '', { flag: 'wx' })).not.toThrow();
  });
});
