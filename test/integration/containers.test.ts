import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tarBytes, tgzBytes, zipBytes, zipVolumes } from './archives.ts';
import { readBundle } from './read-bundle.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/compressed/${name}`, import.meta.url)));
const MEMBERS = [
  { name: 'pods/b.yaml', data: 'kind: Pod\n' },
  { name: 'logs/a.log', data: 'one\ntwo\n' },
  { name: 'empty', data: '' },
];
const THREE = ['empty: ', 'logs/a.log: one\ntwo\n', 'pods/b.yaml: kind: Pod\n'];
const SKIPPABLE = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
const contents = (seen: Awaited<ReturnType<typeof readBundle>>) =>
  seen.entries.map(({ path, content }) => `${path}: ${content}`).sort();

describe('compressed tars by content, whatever their name', () => {
  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ['zstd', async () => zstdCompressSync(await tarBytes(MEMBERS))],
    [
      'zstd in frames with skippable ones between',
      async () => {
        const tar = await tarBytes(MEMBERS);
        const parts = [tar.subarray(0, 700), tar.subarray(700, 701), tar.subarray(701)];
        return Buffer.concat(parts.flatMap((part) => [SKIPPABLE, zstdCompressSync(part)]));
      },
    ],
    ['xz', () => fixture('three.tar.xz')],
    ['bzip2', () => fixture('three.tar.bz2')],
    ['gzip around bzip2', () => gzipSync(fixture('three.tar.bz2'))],
    ['zstd around gzip', async () => zstdCompressSync(await tgzBytes(MEMBERS))],
  ])('%s', async (_name, make) => {
    const seen = await readBundle([scratch.write('upload.dat', await make())]);
    expect(contents(seen)).toEqual(THREE);
    expect(seen.issues).toEqual([]);
  });
});

describe('single compressed files', () => {
  const text = 'one\ntwo\n';
  it.each([
    ['worker-0.log.gz', 'worker-0.log', gzipSync(text)],
    ['0.log.20260314-095800.gz', '0.log.20260314-095800', gzipSync(text)],
    ['train.log.zst', 'train.log', zstdCompressSync(text)],
    ['misnamed.log', 'misnamed.log', zstdCompressSync(text)],
  ])('%s is the entry %s', async (name, path, bytes) => {
    const alone = await readBundle([scratch.write(`one-${name}/${name}`, bytes)]);
    const inFolder = await readBundle([join(scratch.path, `one-${name}`)]);
    const inTar = await readBundle([scratch.write('around.tar', await tarBytes([{ name: `d/${name}`, data: bytes }]))]);
    expect(contents(alone)).toEqual([`${path}: ${text}`]);
    expect(contents(inFolder)).toEqual([`${path}: ${text}`]);
    expect(contents(inTar)).toEqual([`d/${path}: ${text}`]);
  });

  it('reads xz and bzip2 in several streams', async () => {
    const one = await readBundle([scratch.write('lines.log.xz', fixture('lines.log.xz'))]);
    const first = one.entries[0]?.content ?? '';
    expect(first).toHaveLength(1_000_060);
    for (const kind of ['xz', 'bz2']) {
      const bytes = fixture(`lines.log.${kind}`);
      const seen = await readBundle([scratch.write(`lines.${kind}`, Buffer.concat([bytes, bytes]))]);
      expect(seen.entries).toMatchObject([{ path: 'lines', cut: '' }]);
      expect(seen.entries[0]?.content === first + first, kind).toBe(true);
      expect(seen.issues).toEqual([]);
    }
  });
});

describe('archives inside archives', () => {
  it('opens every kind in every kind, as a folder of its name', async () => {
    const inner: readonly [string, Buffer][] = [
      ['in.tar', await tarBytes(MEMBERS)],
      ['in.tgz', await tgzBytes(MEMBERS)],
      ['in.tar.zst', zstdCompressSync(await tarBytes(MEMBERS))],
      ['in.tar.xz', fixture('three.tar.xz')],
      ['in.tar.bz2', fixture('three.tar.bz2')],
      ['in.zip', zipBytes(MEMBERS)],
    ];
    for (const [name, data] of inner) {
      const expected = THREE.map((line) => `nodes/${name}/${line}`);
      const member = [{ name: `nodes/${name}`, data }];
      for (const outer of [await tarBytes(member), await tgzBytes(member), zipBytes(member)]) {
        expect(contents(await readBundle([scratch.write('outer', outer)])), name).toEqual(expected);
      }
      scratch.write(`folder-${name}/nodes/${name}`, data);
      const folder = await readBundle([join(scratch.path, `folder-${name}`)]);
      expect(contents(folder), name).toEqual(expected);
      expect(folder.bundle.filesTotal).toBe(null);
    }
  });

  it('keeps a zip of a tar in a file without a name when it is large, and leaves nothing', async () => {
    const noise = Buffer.from(Array.from({ length: 90_000 }, (_, i) => (i * i * 31) % 251));
    const inner = zipBytes([{ name: 'noise', data: noise }, ...MEMBERS]);
    const file = scratch.write('spooled.tar', await tarBytes([{ name: 'in.zip', data: inner }]));
    const seen = await readBundle([file], { spoolMemoryBytes: 1000 }, undefined, join(scratch.path, 'spool'));
    expect(contents(seen)).toContain('in.zip/logs/a.log: one\ntwo\n');
    expect(seen.entries.find((entry) => entry.path === 'in.zip/noise')?.content).toBe(noise.toString('latin1'));
    expect(readdirSync(join(scratch.path, 'spool'))).toEqual([]);
  });

  it('opens to the depth that is allowed and lists what stays closed, with the limit', async () => {
    let bytes = await tarBytes([{ name: 'log', data: 'deep\n' }]);
    for (let depth = 2; depth <= 6; depth += 1) bytes = await tarBytes([{ name: `level-${depth}.tar`, data: bytes }]);
    const file = scratch.write('deep.tar', bytes);
    const closed = await readBundle([file]);
    expect(closed.entries.map(({ path, unopened }) => [path, unopened])).toEqual([
      [
        'level-6.tar/level-5.tar/level-4.tar/level-3.tar/level-2.tar',
        'refused nested-archive-not-opened: an archive inside 5 archives, limit 5',
      ],
    ]);
    const open = await readBundle([file], { maxDepth: 6 });
    expect(contents(open)).toEqual(['level-6.tar/level-5.tar/level-4.tar/level-3.tar/level-2.tar/log: deep\n']);
  });

  it('peels as many layers as are allowed', async () => {
    let bytes: Buffer = Buffer.from('text\n');
    for (let layer = 0; layer < 6; layer += 1) bytes = gzipSync(bytes);
    const file = scratch.write('layers.log.gz', bytes);
    expect((await readBundle([file])).entries).toMatchObject([
      { unopened: 'refused nested-archive-not-opened: compressed more than 5 times over, limit 5' },
    ]);
    expect(contents(await readBundle([file], { maxLayers: 6 }))).toEqual(['layers.log: text\n']);
  });

  it('applies the limits to the whole', async () => {
    const many = Array.from({ length: 4 }, (_, i) => ({ name: `f${i}`, data: 'x'.repeat(1000) }));
    const inner = await tarBytes(many);
    const file = scratch.write(
      'whole.tar',
      await tarBytes([
        { name: 'a.tar', data: inner },
        { name: 'b.tar', data: inner },
      ]),
    );
    const entries = await readBundle([file], { maxEntries: 7 });
    expect(entries.entries).toHaveLength(5);
    expect(entries.issues.join()).toContain('too-many-entries: more than 7 entries');
    const total = await readBundle([file], { maxTotalBytes: 5500 });
    expect(total.entries.at(-1)).toMatchObject({ path: 'b.tar/f1', refused: 'bundle-too-large' });
    const path = await readBundle([file], { maxPathBytes: 7 });
    expect(path.refused).toContain('a.tar/f0: refused path-too-long');
  });

  it('stops a bomb inside a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const nested = zipBytes([{ name: 'in.zip', data: zipBytes([{ name: 'bomb.gz', data: bomb }]) }]);
    const seen = await readBundle([scratch.write('nested-bomb.zip', nested)], {
      maxRatio: 10,
      ratioSlackBytes: 1_000_000,
    });
    expect(seen.entries).toMatchObject([{ path: 'in.zip/bomb', refused: 'ratio-too-high' }]);
    expect(seen.issues.join()).toContain('unpacks to more than 10 times its size plus 976.6 KiB; the rest is not read');
  });

  it('counts what a member that is passed over unpacks to', async () => {
    const bytes = await tgzBytes([
      { name: '../escapes', data: Buffer.alloc(20_000_000) },
      { name: 'later.log', data: 'x' },
    ]);
    const seen = await readBundle([scratch.write('skipped.tgz', bytes)], { maxRatio: 10, ratioSlackBytes: 1_000_000 });
    expect(seen.entries).toEqual([]);
    expect(seen.issues.join()).toContain('ratio-too-high');
  });

  it('leaves checkpoints and documents closed, and says so', async () => {
    const checkpoint = zipBytes([{ name: 'model/data.pkl', data: 'x' }]);
    const seen = await readBundle([
      scratch.write('ckpt.tar', await tarBytes([{ name: 'model.pt', data: checkpoint }])),
    ]);
    expect(seen.entries).toMatchObject([
      {
        path: 'model.pt',
        unopened: 'skipped nested-archive-not-opened: a zip by its inside, but a PyTorch checkpoint',
      },
    ]);
  });

  it('names what it cannot open', async () => {
    const magics = { '7z': '377abcaf271c', rar: '526172211a0700', lz4: '04224d18' };
    for (const [name, hex] of Object.entries(magics)) {
      const seen = await readBundle([
        scratch.write(`x.${name}`, Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(600)])),
      ]);
      expect(seen.entries[0]?.unopened).toBe(
        `skipped unsupported-archive: ${name} is not supported; unpack it and import the folder`,
      );
    }
  });

  it('refuses windows beyond the limit, with both values', async () => {
    const zstd = Buffer.from('28b52ffd04a80000', 'hex');
    const seen = await readBundle([scratch.write('long.zst', Buffer.concat([zstd, Buffer.alloc(100)]))]);
    expect(seen.entries[0]?.unopened).toContain('zstd with a window of 2 GiB, limit 128 MiB');
    const xz = Buffer.from(fixture('three.tar.xz'));
    xz[16] = 36;
    const second = await readBundle([scratch.write('large.tar.xz', xz)]);
    expect(second.entries[0]?.unopened).toContain('xz with a dictionary of 1 GiB, limit 128 MiB');
  });

  it('does not follow a link in a folder to an archive', async () => {
    scratch.write('elsewhere.tar', await tarBytes(MEMBERS));
    scratch.write('linked/a.log', 'x');
    symlinkSync('../elsewhere.tar', join(scratch.path, 'linked/b.tar'));
    const seen = await readBundle([join(scratch.path, 'linked')]);
    expect(contents(seen)).toEqual(['a.log: x']);
    expect(seen.refused).toEqual(['b.tar: refused entry-is-link']);
  });
});

describe('split archives', () => {
  const noise = Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * i * 31) % 251)).toString('latin1');
  const members = [...MEMBERS, { name: 'noise', data: Buffer.from(noise, 'latin1') }];
  const expected = [...THREE, `noise: ${noise}`].sort();

  /** Pieces of `bytes` under the names, in a folder of their own. */
  const split = (folder: string, bytes: Buffer, names: readonly string[]): string[] => {
    const size = Math.ceil(bytes.length / names.length);
    return names.map((name, i) => scratch.write(`${folder}/${name}`, bytes.subarray(i * size, (i + 1) * size)));
  };

  it.each([
    ['x.tar.gz.aa', ['x.tar.gz.aa', 'x.tar.gz.ab', 'x.tar.gz.ac']],
    ['x.tgzaa', ['x.tgzaa', 'x.tgzab']],
    ['bundle-aa', ['bundle-aa', 'bundle-ab', 'bundle-ac']],
    ['x.tar.gz.part1', Array.from({ length: 11 }, (_, i) => `x.tar.gz.part${i + 1}`)],
    ['x.part01', ['x.part01', 'x.part02']],
    ['x.tar.gz.001', ['x.tar.gz.001', 'x.tar.gz.002', 'x.tar.gz.003']],
    ['x.tar.gz.00', ['x.tar.gz.00', 'x.tar.gz.01']],
  ])('%s and its like are one archive', async (_name, names) => {
    const folder = `split-${names[0]}`;
    const paths = split(folder, await tgzBytes(members), names);
    const given = await readBundle([...paths].reverse());
    expect(contents(given)).toEqual(expected);
    expect([...given.issues, ...given.refused]).toEqual([]);
    const inFolder = await readBundle([join(scratch.path, folder)]);
    expect(inFolder.entries.map(({ content }) => content).sort()).toEqual(
      given.entries.map(({ content }) => content).sort(),
    );
  });

  it('reads a zip over its parts', async () => {
    const seen = await readBundle(split('split-zip', zipBytes(members), ['x.zip.001', 'x.zip.002', 'x.zip.003']));
    expect(contents(seen)).toEqual(expected);
  });

  it('names the part that is missing and reads up to it', async () => {
    const names = ['x.tar.gz.aa', 'x.tar.gz.ab', 'x.tar.gz.ac', 'x.tar.gz.ad'];
    const paths = split('split-gap', await tgzBytes(members), names);
    const gap = await readBundle(paths.filter((path) => !path.endsWith('ac')));
    expect(gap.issues[0]).toBe('archive-part-missing: x.tar.gz.ac is missing; read up to there');
    expect(gap.refused).toEqual(['x.tar.gz.ad: failed archive-part-missing']);
    expect(gap.entries.map(({ path }) => path)).toContain('logs/a.log');
    const noEnd = await readBundle(paths.slice(0, 3));
    expect(noEnd.issues.join()).toMatch(/^archive-truncated: .*perhaps the next part is missing: x\.tar\.gz\.ad$/);
    const noStart = await readBundle(paths.slice(1));
    expect(noStart.issues).toEqual([
      'archive-part-missing: x.tar.gz.aa is missing; without the first part nothing can be read',
    ]);
    expect(noStart.refused).toHaveLength(3);
  });

  it('does not join files that only look like parts', async () => {
    const files: readonly [string, string | Buffer][] = [
      ['worker.001', 'log of one\n'],
      ['worker.002', 'log of two\n'],
      ['rotated.1', gzipSync('older\n')],
      ['rotated.2', gzipSync('oldest\n')],
      ['job-ab', 'text\n'],
    ];
    for (const [name, data] of files) scratch.write(`unsplit/${name}`, data);
    const seen = await readBundle([join(scratch.path, 'unsplit')]);
    expect(contents(seen)).toEqual([
      'job-ab: text\n',
      'rotated.1: older\n',
      'rotated.2: oldest\n',
      'worker.001: log of one\n',
      'worker.002: log of two\n',
    ]);
  });

  describe('an encrypted zip', () => {
    const text = `${'2026-03-14T10:00:00.000000000Z [rank0]: INFO step\n'.repeat(20)}`;
    const open = (bytes: Buffer, password?: string) =>
      readBundle([scratch.write('secret.zip', bytes)], {}, undefined, undefined, password);

    it.each(['pkzip', 'aes128', 'aes256', 'stored'])('%s is read with its password', async (kind) => {
      const bytes = fixture(`secret.${kind}.zip`);
      const seen = await open(bytes, 'geheim');
      expect(contents(seen)).toEqual([`logs/a.log: ${text}`, 'logs/b.log: b\n']);
      expect(seen.entries.map(({ cut }) => cut)).toEqual(['', '']);
      const around = await readBundle(
        [scratch.write('around.tar', await tarBytes([{ name: 's.zip', data: bytes }]))],
        {},
        undefined,
        undefined,
        'geheim',
      );
      expect(contents(around)).toEqual([`s.zip/logs/a.log: ${text}`, 's.zip/logs/b.log: b\n']);
      const refused = ['logs/a.log: refused entry-encrypted', 'logs/b.log: refused entry-encrypted'];
      expect((await open(bytes, 'falsch')).refused).toEqual(refused);
      expect((await open(bytes)).refused).toEqual(refused);
    });

    it('says when its content was changed', async () => {
      const bytes = Buffer.from(fixture('secret.stored.zip'));
      const at = bytes.readUInt16LE(26) + bytes.readUInt16LE(28) + 30 + 16 + 2 + 100;
      bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
      const [changed] = (await open(bytes, 'geheim')).entries;
      expect(changed?.cut).toContain('its authentication code does not match');
    });
  });

  describe('a zip in volumes', () => {
    const text = (name: string) => `${name} `.repeat(200) + [...name].map((c) => c.charCodeAt(0) ** 3).join(' ');
    const inZip = ['a', 'b', 'c', 'd'].map((name) => ({ name: `logs/${name}.log`, data: text(name) }));
    const whole = inZip.map(({ name, data }) => `${name}: ${data}`);
    const [one, two, three] = zipVolumes(inZip, [70, 190]);
    const folder = (name: string, files: Record<string, Buffer | undefined>): string => {
      for (const [file, bytes] of Object.entries(files))
        if (bytes !== undefined) scratch.write(`${name}/${file}`, bytes);
      return join(scratch.path, name);
    };

    it('is read whole, in a folder or given as files', async () => {
      const path = folder('volumes', { 'v.z01': one, 'v.z02': two, 'v.zip': three });
      const inFolder = await readBundle([path]);
      expect(contents(inFolder)).toEqual(whole.map((file) => `v.zip/${file}`));
      expect(inFolder.issues).toEqual([]);
      const given = await readBundle(['v.zip', 'v.z02', 'v.z01'].map((name) => join(path, name)));
      expect(contents(given)).toEqual(whole);
    });

    it('wherever it is cut', async () => {
      const size = zipBytes(inZip).length + 4;
      for (let cut = 5; cut < size - 22; cut += 37) {
        const [head, tail] = zipVolumes(inZip, [cut]);
        const seen = await readBundle([folder(`cut-${cut}`, { 'v.z01': head, 'v.zip': tail })]);
        expect(contents(seen)).toEqual(whole.map((file) => `v.zip/${file}`));
      }
    });

    it('names the volume that is missing, and reads what stands before', async () => {
      const seen = await readBundle([folder('hole', { 'v.z01': one, 'v.zip': three })]);
      expect(seen.issues[0]).toContain('unsupported-archive: ');
      const noMiddle = await readBundle([folder('gap', { 'v.z01': one, 'v.z03': two, 'v.zip': three })]);
      expect(noMiddle.issues[0]).toBe('archive-part-missing: v.z02 is missing; read up to there');
      const noLast = await readBundle([folder('no-last', { 'v.z01': one, 'v.z02': two })]);
      expect(noLast.issues[0]).toBe('archive-part-missing: v.zip is missing; read up to there');
      const onlyLast = await readBundle([folder('only-last', { 'v.zip': three })]);
      expect(onlyLast.issues).toEqual([
        'archive-part-missing: v.z01 is missing; without the first part nothing can be read',
      ]);
      expect(onlyLast.refused).toEqual(['v.zip: failed archive-part-missing']);
    });
  });

  describe('inside another archive', () => {
    const cut = (bytes: Buffer, ...at: number[]) => [0, ...at].map((from, i) => bytes.subarray(from, at[i]));
    const around = (files: readonly { name: string; data: Buffer }[]) => ({
      tar: async () => tarBytes(files),
      zip: async () => zipBytes(files),
      'tar.gz': async () => tgzBytes(files),
    });

    it.each(['tar', 'zip', 'tar.gz'] as const)('%s: the parts are one archive, in whatever order', async (kind) => {
      const parts = cut(await tgzBytes(MEMBERS), 40, 90).map((data, i) => ({ name: `up/x.tar.gz.a${'abc'[i]}`, data }));
      const zips = zipVolumes(MEMBERS, [60]).map((data, i) => ({ name: ['v.z01', 'v.zip'][i] ?? '', data }));
      const plain = { name: 'logs/worker.001', data: Buffer.from('a log\n') };
      const files = [...parts, ...zips, plain];
      const expected = [
        'logs/worker.001: a log\n',
        ...THREE.map((file) => `up/x.tar.gz/${file}`),
        ...THREE.map((file) => `v.zip/${file}`),
      ];
      for (const order of [files, files.toReversed()]) {
        const seen = await readBundle([scratch.write('outer', await around(order)[kind]())]);
        expect(contents(seen)).toEqual(expected.toSorted());
        expect(seen.issues).toEqual([]);
      }
    });

    it('tells a part that is missing, and opens a whole archive that only looks like a part', async () => {
      const [first, , last] = cut(await tgzBytes(MEMBERS), 40, 90);
      const files = [
        { name: 'x.tar.gz.aa', data: first ?? Buffer.alloc(0) },
        { name: 'x.tar.gz.ac', data: last ?? Buffer.alloc(0) },
        { name: 'y.tar.gz.1', data: await tgzBytes([{ name: 'a', data: 'a' }]) },
        { name: 'y.tar.gz.2', data: await tgzBytes([{ name: 'b', data: 'b' }]) },
      ];
      const seen = await readBundle([scratch.write('outer.tar', await tarBytes(files))]);
      expect(seen.issues[0]).toBe('archive-part-missing: x.tar.gz.ab is missing; read up to there');
      expect(seen.refused).toEqual(['x.tar.gz.ac: failed archive-part-missing']);
      expect(contents(seen)).toEqual(expect.arrayContaining(['y.tar.gz.1/a: a', 'y.tar.gz.2/b: b']));
    });

    it('leaves nothing behind where the parts were kept, also when they are large', async () => {
      const noise = Buffer.from(Array.from({ length: 400_000 }, (_, i) => ((i * 7919) ^ (i >> 3)) % 251));
      const whole = await tarBytes([{ name: 'big.log', data: Buffer.concat(Array(12).fill(noise)) }]);
      const parts = cut(whole, 2_000_000).map((data, i) => ({ name: `x.tar.a${'ab'[i]}`, data }));
      const folder = join(scratch.path, 'kept-parts');
      const seen = await readBundle([scratch.write('outer.tar', await tarBytes(parts))], {}, undefined, folder);
      expect(seen.entries.map(({ path, content }) => [path, content.length > 1_000_000])).toEqual([
        ['x.tar/big.log', true],
      ]);
      expect(readdirSync(folder)).toEqual([]);
    });
  });

  it('says what a volume of a split zip is', async () => {
    const volume = Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), zipBytes(members).subarray(0, 400)]);
    const seen = await readBundle([scratch.write('x.z01', volume)]);
    expect(seen.issues).toEqual([
      'archive-part-missing: x.zip is missing; read up to there',
      'unsupported-archive: a volume of a split zip (.z01, .z02, …, .zip): give all its volumes together, under their own names',
    ]);
    expect(seen.entries.map(({ path }) => path)).toContain('logs/a.log');
  });
});

describe('damage of every kind', () => {
  const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i * 7919}\n`).join('');
  const kinds: readonly [string, () => Buffer, string][] = [
    ['gz', () => gzipSync(lines), lines],
    ['zst', () => zstdCompressSync(lines), lines],
    ['xz', () => fixture('lines.log.xz'), ''],
    ['bz2', () => Buffer.concat([fixture('lines.log.bz2'), fixture('lines.log.bz2')]), ''],
  ];

  it.each(kinds)('reads a cut .%s up to the cut and says at which byte', async (kind, make, text) => {
    const whole = make();
    const full = text === '' ? (await readBundle([scratch.write(`full.${kind}`, whole)])).entries[0]?.content : text;
    for (const share of [0.55, 0.8, 0.98]) {
      const cut = Math.floor(whole.length * share);
      const seen = await readBundle([scratch.write(`cut.log.${kind}`, whole.subarray(0, cut))]);
      const content = seen.entries[0]?.content ?? '';
      expect(full?.startsWith(content), `${share}`).toBe(true);
      expect(content.length, `${share}`).toBeGreaterThan(1000);
      expect(seen.entries[0]).toMatchObject({
        path: 'cut.log',
        cut: 'the compressed data ends early',
        truncatedAt: content.length,
      });
      expect(seen.issues).toEqual([`archive-truncated: ends early at byte ${cut}`]);
    }
  });

  it.each(kinds)('reads a damaged .%s up to the damage', async (kind, make, text) => {
    const whole = Buffer.from(make());
    const full = text === '' ? (await readBundle([scratch.write(`full.${kind}`, whole)])).entries[0]?.content : text;
    whole.fill(0xff, Math.floor(whole.length * 0.7), Math.floor(whole.length * 0.7) + 40);
    const seen = await readBundle([scratch.write(`damaged.log.${kind}`, whole)]);
    expect(seen.entries[0]?.cut).toMatch(/damaged here|ends early/);
    expect(seen.issues.join()).toMatch(/archive-damaged: damaged after \d+ unpacked bytes|archive-truncated/);
    // What a codec gave before it noticed may be wrong in its last block only.
    const content = seen.entries[0]?.content ?? '';
    expect(full?.startsWith(content.slice(0, Math.max(0, content.length - 300_000)))).toBe(true);
  });

  it('says inside which archive of a bundle the cut is', async () => {
    const inner = await tgzBytes([{ name: 'a.log', data: 'a'.repeat(5000) }]);
    const outer = await tarBytes([
      { name: 'cut.tgz', data: inner.subarray(0, inner.length - 20) },
      { name: 'good.log', data: 'fine' },
    ]);
    const seen = await readBundle([scratch.write('outer.tar', outer)]);
    expect(seen.entries.map(({ path, cut }) => [path, cut === ''])).toEqual([
      ['cut.tgz/a.log', false],
      ['good.log', true],
    ]);
    expect(seen.issues.join()).toContain(`archive-truncated: the archive ends early at byte ${inner.length - 20} (`);
  });
});
