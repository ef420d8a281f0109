import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { leaseChunk, releaseChunk } from '#engine/bundle/chunk-lease.ts';
import { DecodeThread, type ThreadCodec } from '#engine/bundle/codecs/decode-thread.ts';
import { type DecompressEnd, newDecompressEnd } from '#engine/bundle/codecs/decompress-end.ts';
import { gunzip } from '#engine/bundle/codecs/zlib.ts';
import { unzstd } from '#engine/bundle/codecs/zstd.ts';

const thread = new DecodeThread();
afterAll(() => thread.close());

const WINDOW = 128 * 1024 * 1024;

/** Lines whose numbers hardly repeat. */
function text(bytes: number): Buffer {
  const lines: string[] = [];
  let size = 0;
  for (let i = 0; size < bytes; i += 1) {
    const line = `${i} ${Math.imul(i, 0x9e3779b1) >>> 0} some words of a log\n`;
    lines.push(line);
    size += line.length;
  }
  return Buffer.from(lines.join(''));
}

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

type Decoder = (source: AsyncIterable<Buffer>, end: DecompressEnd) => AsyncGenerator<Buffer>;

/** What came, how it ended; chunks are handed back as an import does. */
async function outcome(decode: Decoder, packed: Buffer, size: number) {
  const end = newDecompressEnd();
  const parts: Buffer[] = [];
  for await (const chunk of decode(pieces(packed, size), end)) {
    parts.push(Buffer.from(chunk));
    releaseChunk(chunk);
  }
  const { cut, detail, trailingBytes, finished } = end;
  return { text: Buffer.concat(parts), end: { cut, detail, trailingBytes, finished } };
}

const inThread =
  (codec: ThreadCodec): Decoder =>
  (source, end) =>
    thread.decode(source, codec, end);

const PLAIN = text(6_000_000);
const GZIP = gzipSync(PLAIN);
const damaged = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  copy.fill(0x55, copy.length >> 1, (copy.length >> 1) + 64);
  return copy;
};

const STREAMS: readonly (readonly [string, Buffer])[] = [
  ['a whole stream', GZIP],
  ['members one after the other', Buffer.concat([GZIP, gzipSync(text(70_000)), gzipSync(Buffer.alloc(0))])],
  ['a stream that is cut', GZIP.subarray(0, (GZIP.length * 2) / 3)],
  ['a damaged stream', damaged(GZIP)],
  ['other bytes after the end', Buffer.concat([GZIP, Buffer.alloc(300_000, 7)])],
  ['nothing', Buffer.alloc(0)],
];

describe('the decoding thread', () => {
  it.each(STREAMS)('gives what the reading thread would: %s', { timeout: 60_000 }, async (_name, packed) => {
    for (const size of [256 * 1024, 10_007]) {
      const here = await outcome(gunzip, packed, size);
      const there = await outcome(inThread('gzip'), packed, size);
      expect(there.text.equals(here.text)).toBe(true);
      expect(there.end).toEqual(here.end);
    }
  });

  it('decodes zstd, frame by frame', { timeout: 60_000 }, async () => {
    const packed = Buffer.concat([zstdCompressSync(PLAIN), zstdCompressSync(text(90_000))]);
    for (const bytes of [packed, packed.subarray(0, packed.length - 9), damaged(packed)]) {
      const here = await outcome(unzstd(WINDOW), bytes, 50_000);
      const there = await outcome(unzstd(WINDOW, { thread }), bytes, 50_000);
      expect(there.text.equals(here.text)).toBe(true);
      expect(there.end).toEqual(here.end);
    }
  });

  it('takes another stream after one that was left half-way', { timeout: 60_000 }, async () => {
    for (let i = 0; i < 5; i += 1) {
      let isClosed = false;
      async function* source(): AsyncGenerator<Buffer> {
        try {
          yield* pieces(GZIP, 4096);
        } finally {
          isClosed = true;
        }
      }
      for await (const chunk of thread.decode(source(), 'gzip', newDecompressEnd())) {
        expect(chunk.equals(PLAIN.subarray(0, chunk.length))).toBe(true);
        break;
      }
      expect(isClosed).toBe(true);
      expect(thread.isFree).toBe(true);
    }
    expect((await outcome(inThread('gzip'), GZIP, 65_536)).text.equals(PLAIN)).toBe(true);
  });

  it('throws what its source throws', async () => {
    async function* source(): AsyncGenerator<Buffer> {
      yield GZIP.subarray(0, 50_000);
      throw new Error('the disk is gone');
    }
    const read = async () => {
      for await (const chunk of thread.decode(source(), 'gzip', newDecompressEnd()))
        expect(chunk.length).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toThrow('the disk is gone');
    expect(thread.isFree).toBe(true);
  });

  it('keeps bytes whole that are not handed back', { timeout: 60_000 }, async () => {
    const kept: Buffer[] = [];
    let turn = 0;
    for await (const chunk of thread.decode(pieces(GZIP, 65_536), 'gzip', newDecompressEnd())) {
      turn += 1;
      if (turn % 3 === 0) {
        kept.push(Buffer.from(chunk));
        releaseChunk(chunk);
      } else kept.push(chunk);
    }
    expect(Buffer.concat(kept).equals(PLAIN)).toBe(true);
  });
});

describe('a chunk on lease', () => {
  it('goes back when its last byte was handed back, and once', () => {
    const back: ArrayBuffer[] = [];
    const buffer = new ArrayBuffer(100);
    const chunk = leaseChunk(buffer, 80, (returned) => back.push(returned));
    releaseChunk(chunk.subarray(0, 30));
    releaseChunk(chunk.subarray(40));
    expect(back).toEqual([]);
    releaseChunk(chunk.subarray(30, 40));
    expect(back).toEqual([buffer]);
    releaseChunk(chunk);
    releaseChunk(Buffer.from('not on lease'));
    expect(back.length).toBe(1);
  });
});
