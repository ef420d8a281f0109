import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_CODECS, MAX_UNPACKED_BYTES, packBlock, unpackBlock, unzstdInScript } from '#engine/store/block-codec.ts';
import { fromJson, toJson } from '#engine/store/json-values.ts';
import { chooseBinding } from '#engine/store/native-binding.ts';

describe('JSON with 64-bit integers', () => {
  it('keeps them exact and readable', () => {
    expect(toJson({ ns: 1_773_480_300_123_456_789n })).toBe('{"ns":{"$bigint":"1773480300123456789"}}');
    expect(fromJson('{"ns":{"$bigint":"-5"},"x":[1,"a",null]}')).toEqual({ ns: -5n, x: [1, 'a', null] });
  });

  it('gives back any value', () => {
    const leaf = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.array(leaf),
        ),
        (value) => {
          expect(fromJson(toJson(value))).toEqual({ ...value });
        },
      ),
    );
  });

  it('leaves text alone that only looks like one', () => {
    expect(fromJson('{"$bigint":"no digits"}')).toEqual({ $bigint: 'no digits' });
  });
});

describe('block codecs', () => {
  it.each(BLOCK_CODECS)('%s gives the bytes back', (codec) => {
    const text = Buffer.from('a line that repeats\n'.repeat(500));
    const packed = packBlock(text, codec);
    expect(packed.codec).toBe(codec);
    expect(unpackBlock(packed.codec, packed.data, text.length).equals(text)).toBe(true);
    if (codec !== 'raw') expect(packed.data.length).toBeLessThan(text.length / 10);
  });

  it('keeps bytes raw that do not shrink', () => {
    expect(packBlock(Buffer.from([1, 2, 3]), 'deflate').codec).toBe('raw');
  });

  it('reads zstd without the runtime, within the same bounds', () => {
    for (const bytes of [Buffer.from('a'), Buffer.alloc(65_536, 'abc'), Buffer.from('line\n'.repeat(9) + Math.PI)]) {
      expect(unzstdInScript(zstdCompressSync(bytes), bytes.length).equals(bytes)).toBe(true);
    }
    expect(() => unzstdInScript(zstdCompressSync(Buffer.alloc(70_000)), 65_536)).toThrow('more than 65536 bytes');
    expect(() => unzstdInScript(zstdCompressSync(Buffer.from('hello, hello, hello')).subarray(0, 12), 99)).toThrow();
    const greedy = Buffer.from('28b52ffd04a800000100', 'hex');
    expect(() => unzstdInScript(greedy, 65_536)).toThrow('asks for more memory');
  });

  it('refuses more than the row says, and unknown codecs', () => {
    const packed = packBlock(Buffer.alloc(100_000), 'deflate');
    expect(() => unpackBlock(packed.codec, packed.data, 1000)).toThrow();
    expect(() => unpackBlock(packed.codec, packed.data, MAX_UNPACKED_BYTES + 1)).toThrow(
      'a block that unpacks to 1073741825 bytes',
    );
    expect(() => unpackBlock('lzma', packed.data, 1000)).toThrow('stored with "lzma", which this version lacks');
  });
});

describe('chooseBinding', () => {
  const places = {
    fromEnvironment: undefined,
    resourcesPath: undefined,
    packageFolder: '/app/node_modules/better-sqlite3',
    platform: 'linux',
    arch: 'x64',
    musl: false,
    exists: () => true,
  };

  it.each([
    ['the environment wins', { fromEnvironment: '/x/b.node', resourcesPath: '/r' }, '/x/b.node'],
    [
      'an empty variable counts as not set',
      { fromEnvironment: '' },
      '/app/node_modules/better-sqlite3/prebuilds/linux-x64.node',
    ],
    ['a package carries its own', { resourcesPath: '/r' }, '/r/native/better_sqlite3.node'],
    [
      'a plain Electron has none there',
      { resourcesPath: '/r', exists: (path: string) => !path.startsWith('/r') },
      '/app/node_modules/better-sqlite3/prebuilds/linux-x64.node',
    ],
    [
      'musl has its own',
      { musl: true, arch: 'arm64' },
      '/app/node_modules/better-sqlite3/prebuilds/linuxmusl-arm64.node',
    ],
    ['an unknown machine has none', { arch: 'riscv64', exists: () => false }, undefined],
    ['nor has one without the package', { packageFolder: undefined }, undefined],
  ])('%s', (_name, change, expected) => {
    expect(chooseBinding({ ...places, ...change })).toBe(expected);
  });
});
