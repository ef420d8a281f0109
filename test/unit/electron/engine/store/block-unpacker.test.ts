/** Blocks unpacked one after the other by one decoder: each as if it were alone, whatever stood in the one before. */
import { constants, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_CODECS, packBlock, UnreadableBlockError, unpackBlock } from '#engine/store/block-codec.ts';
import { BlockUnpacker, isWholeFrame, ROOM_BYTES } from '#engine/store/block-unpacker.ts';

interface Stored {
  readonly codec: string;
  readonly data: Buffer;
  /** What its row says. */
  readonly bytes: number;
}

const TEXT = fc.oneof(
  fc.array(fc.constantFrom('INFO step 4\n', '2026-03-14T09:00:00Z ', 'x', '\n'), { minLength: 1, maxLength: 3_000 }),
  fc.constantFrom(65_535, 65_536, 1).map((length) => ['y'.repeat(length)]),
);
const packed = (checksum: boolean) => (bytes: Buffer, codec: string) =>
  checksum && codec === 'zstd'
    ? { codec, data: zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }) }
    : packBlock(bytes, BLOCK_CODECS.find((known) => known === codec) ?? 'raw');
const GOOD: fc.Arbitrary<Stored> = fc
  .tuple(TEXT, fc.constantFrom('zstd', 'zstd', 'deflate', 'raw'), fc.boolean())
  .map(([parts, codec, checksum]) => {
    const bytes = Buffer.from(parts.join(''));
    return { ...packed(checksum)(bytes, codec), bytes: bytes.length };
  });
/** Bytes changed, an end cut off, something behind, a row that lies. */
const BAD: fc.Arbitrary<Stored> = fc
  .tuple(GOOD, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.constantFrom('changed', 'cut', 'longer', 'more', 'less'))
  .map(([stored, place, by, how]) => {
    const data = Buffer.from(stored.data);
    const at = place % data.length;
    if (how === 'changed') data[at] = (data[at] ?? 0) ^ by;
    if (how === 'cut') return { ...stored, data: data.subarray(0, at) };
    if (how === 'longer') return { ...stored, data: Buffer.concat([data, Buffer.alloc(by)]) };
    if (how === 'more') return { ...stored, bytes: stored.bytes + by };
    if (how === 'less') return { ...stored, bytes: Math.max(0, stored.bytes - by) };
    return { ...stored, data };
  });

/** The bytes, or that they cannot be read. */
function outcomeOf(unpack: () => Buffer): string {
  try {
    return unpack().toString('latin1');
  } catch (error) {
    if (error instanceof UnreadableBlockError) return `unreadable: ${error.why}`;
    throw error;
  }
}

describe('a decoder that stays', () => {
  it('gives what one for each block gives, damaged ones among them', () => {
    const room = Buffer.allocUnsafeSlow(ROOM_BYTES);
    fc.assert(
      fc.property(fc.array(fc.oneof(GOOD, BAD), { minLength: 1, maxLength: 8 }), fc.boolean(), (blocks, lent) => {
        const unpacker = new BlockUnpacker();
        for (const { codec, data, bytes } of blocks) {
          const found = outcomeOf(() => unpacker.unpack(codec, data, bytes, lent ? room : undefined));
          expect(found).toBe(outcomeOf(() => unpackBlock(codec, data, bytes)));
        }
      }),
      { numRuns: 400, seed: 20_261_130 },
    );
  });

  it('takes what is stored its own way', () => {
    const bytes = Buffer.from('2026-03-14T09:00:00Z INFO step 4\n'.repeat(1_900));
    const { data } = packBlock(bytes, 'zstd');
    expect(isWholeFrame(data)).toBe(true);
    const room = Buffer.allocUnsafeSlow(ROOM_BYTES);
    const found = new BlockUnpacker().unpack('zstd', data, bytes.length, room);
    expect(found.buffer).toBe(room.buffer);
    expect(found.equals(bytes)).toBe(true);
  });
});

describe('a whole frame', () => {
  const frame = zstdCompressSync(Buffer.from('some text '.repeat(50)));

  it.each<[string, Buffer, boolean]>([
    ['as it is written', frame, true],
    [
      'with a checksum',
      zstdCompressSync(Buffer.from('x'.repeat(9)), { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
      true,
    ],
    ['cut short', frame.subarray(0, -1), false],
    ['with another behind it', Buffer.concat([frame, frame]), false],
    ['that is none', Buffer.from('no frame at all'), false],
    ['without its block', frame.subarray(0, 6), false],
  ])('%s', (_, data, expected) => {
    expect(isWholeFrame(data)).toBe(expected);
  });
});
