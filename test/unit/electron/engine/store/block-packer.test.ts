import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type BlockCodec, packBlock, unpackBlock } from '#engine/store/block-codec.ts';
import { BlockPacker, DUMP_PACKER } from '#engine/store/block-packer.ts';

/** 64 KiB of text that packs, or of noise that does not; no two alike. */
function blockOf(seed: number): Buffer {
  const bytes = Buffer.alloc(64 * 1024);
  let state = seed + 1;
  for (let i = 0; i < bytes.length; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = seed % 5 === 0 ? state >>> 24 : 97 + ((state >>> 24) & 3);
  }
  return bytes;
}

async function packAll(codec: BlockCodec, count: number, pauseEvery: number): Promise<Map<number, Buffer>> {
  const packer = new BlockPacker(codec);
  const unpacked = new Map<number, Buffer>();
  const scratch = Buffer.alloc(64 * 1024);
  for (let i = 0; i < count; i += 1) {
    blockOf(i).copy(scratch);
    packer.pack(scratch, (packed) => {
      expect(unpacked.has(i)).toBe(false);
      unpacked.set(i, Buffer.from(unpackBlock(packed.codec, Buffer.from(packed.data), 64 * 1024)));
    });
    scratch.fill(0);
    if (i % pauseEvery === 0) await sleep(2);
  }
  packer.drain();
  packer.close();
  return unpacked;
}

describe('BlockPacker', () => {
  it.each(['zstd', 'deflate', 'raw'] as const)('hands each block back once, whole, with %s', async (codec) => {
    const unpacked = await packAll(codec, 400, 5);
    expect(unpacked.size).toBe(400);
    for (const [i, bytes] of unpacked) expect(bytes.equals(blockOf(i)), `block ${i}`).toBe(true);
  });

  it.each(['zstd', 'deflate'] as const)('packs to the very bytes of one thread alone, with %s', async (codec) => {
    const packer = new BlockPacker(codec);
    const lengthOf = (i: number) => (i % 3 === 0 ? 65_536 : 1 + ((i * 7919) % 65_536));
    const packed = new Map<number, string>();
    for (let i = 0; i < 250; i += 1) {
      packer.pack(blockOf(i).subarray(0, lengthOf(i)), ({ codec: with_, data }) =>
        packed.set(i, `${with_} ${data.toString('hex')}`),
      );
      if (i % 5 === 0) await sleep(2);
    }
    packer.drain();
    packer.close();
    for (const [i, found] of packed) {
      const alone = packBlock(blockOf(i).subarray(0, lengthOf(i)), codec);
      expect(found === `${alone.codec} ${alone.data.toString('hex')}`, `block ${i}`).toBe(true);
    }
    expect(packed.size).toBe(250);
  });

  it('takes blocks back from a thread that has not begun them, and goes on', async () => {
    const packer = new BlockPacker('deflate');
    const seen = new Map<number, Buffer>();
    for (let i = 0; i < 300; i += 1) {
      packer.pack(blockOf(i), (packed) =>
        seen.set(i, Buffer.from(unpackBlock(packed.codec, Buffer.from(packed.data), 65_536))),
      );
      if (i % 7 === 0) {
        packer.drain();
        expect(seen.size).toBe(i + 1);
      }
      if (i === 200) await sleep(30);
    }
    packer.drain();
    packer.close();
    for (const [i, bytes] of seen) expect(bytes.equals(blockOf(i)), `block ${i}`).toBe(true);
  });

  it('compresses larger blocks where it stands', () => {
    const packer = new BlockPacker('deflate');
    const large = Buffer.alloc(100_000, 'ab');
    let packed: Buffer | undefined;
    packer.pack(large, ({ codec, data }) => {
      packed = unpackBlock(codec, data, large.length);
    });
    expect(packed?.equals(large)).toBe(true);
    packer.close();
  });

  it('packs dumps of a few hundred kilobytes beside the reading thread, too', async () => {
    const packer = new BlockPacker('zstd', DUMP_PACKER);
    const dump = (i: number) => Buffer.concat([blockOf(i), blockOf(i + 1), blockOf(i + 2), Buffer.from(`end ${i}`)]);
    const seen = new Map<number, Buffer>();
    for (let i = 0; i < 120; i += 1) {
      packer.pack(dump(i), (packed) =>
        seen.set(i, Buffer.from(unpackBlock(packed.codec, Buffer.from(packed.data), 512 * 1024))),
      );
      if (i % 10 === 0) await sleep(2);
    }
    packer.drain();
    packer.close();
    expect(seen.size).toBe(120);
    for (const [i, bytes] of seen) expect(bytes.equals(dump(i)), `dump ${i}`).toBe(true);
  });

  const lengths = (seed: number, count: number) =>
    Array.from({ length: count }, (_, i) => 1 + (((seed + i) * 48_271) % 65_536));
  const sha256 = (blocks: readonly Buffer[]) =>
    blocks.reduce((hash, block) => hash.update(block), createHash('sha256')).digest('hex');

  it('hashes the blocks of one entry after the other, with other blocks between them', async () => {
    const packer = new BlockPacker('zstd');
    expect(packer.canHash(100)).toBe(false);
    expect(packer.canHash(8_000_000)).toBe(true);
    const told: (string | undefined)[] = [];
    const wanted: string[] = [];
    const back: number[] = [];
    let serial = 0;
    for (const count of [1, 40, 3, 17, 60]) {
      const blocks = lengths(count, count).map((length, i) => blockOf(i + count).subarray(0, length));
      wanted.push(sha256(blocks));
      for (const [i, block] of blocks.entries()) {
        const number = serial++;
        packer.pack(block, () => back.push(number), i === 0 ? 'first' : 'next');
        // A small file's, which nobody hashes beside.
        if (i % 4 === 0) packer.pack(Buffer.from('a line\n'), () => undefined);
        if (i === 20) await sleep(5);
      }
      packer.endHash((hash) => told.push(hash?.toString('hex')));
    }
    packer.drain();
    packer.close();
    expect(told).toEqual(wanted);
    expect(back).toEqual([...back].sort((a, b) => a - b));
  });

  it('says that a hash is lost with its thread, and loses no block', async () => {
    // The thread dies while it packs the twentieth block.
    const packer = new BlockPacker(
      'zstd',
      undefined,
      `{ const { Hash } = process.getBuiltinModule('node:crypto'); let left = 20; const update = Hash.prototype.update;
         Hash.prototype.update = function (...args) { if (--left === 0) process.exit(); return update.apply(this, args); }; }`,
    );
    expect(packer.canHash(8_000_000)).toBe(true);
    const seen = new Map<number, Buffer>();
    for (let i = 0; i < 60; i += 1) {
      packer.pack(
        blockOf(i),
        ({ codec, data }) => seen.set(i, Buffer.from(unpackBlock(codec, Buffer.from(data), 65_536))),
        i === 0 ? 'first' : 'next',
      );
      await sleep(1);
    }
    const told: (Buffer | undefined)[] = [];
    packer.endHash((hash) => told.push(hash));
    packer.drain();
    packer.close();
    expect(told).toEqual([undefined]);
    expect(seen.size).toBe(60);
    for (const [i, bytes] of seen) expect(bytes.equals(blockOf(i)), `block ${i}`).toBe(true);
  }, 30_000);
});
