import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tarBytes, tgzBytes, zipBytes } from './archives.ts';
import { readBundle } from './read-bundle.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const MEMBERS = [
  { name: 'pods/b.yaml', data: 'kind: Pod\n' },
  { name: 'logs/a.log', data: 'one\ntwo\n' },
  { name: 'empty', data: '' },
];
const IN_ARCHIVE_ORDER = ['pods/b.yaml', 'logs/a.log', 'empty'];
/** Objects first, then the rest in path order. */
const BY_VALUE = ['pods/b.yaml', 'empty', 'logs/a.log'];

describe('containers by content, whatever their name', () => {
  it.each([
    ['a tar', async () => tarBytes(MEMBERS), IN_ARCHIVE_ORDER],
    ['a gzipped tar', async () => tgzBytes(MEMBERS), IN_ARCHIVE_ORDER],
    ['a tar gzipped twice', async () => gzipSync(await tgzBytes(MEMBERS)), IN_ARCHIVE_ORDER],
    [
      'a tar in two gzip members',
      async () => {
        const bytes = await tarBytes(MEMBERS);
        return Buffer.concat([gzipSync(bytes.subarray(0, 700)), gzipSync(bytes.subarray(700))]);
      },
      IN_ARCHIVE_ORDER,
    ],
    [
      'two tars, one after the other',
      async () => Buffer.concat([await tarBytes(MEMBERS.slice(0, 1)), await tarBytes(MEMBERS.slice(1))]),
      IN_ARCHIVE_ORDER,
    ],
    ['a zip', async () => zipBytes(MEMBERS), BY_VALUE],
  ])('%s', async (_name, make, order) => {
    const bytes = await make();
    const file = scratch.write('upload.bin', bytes);
    const seen = await readBundle([file]);
    expect(seen.entries.map((entry) => entry.path)).toEqual(order);
    expect(seen.entries.find((entry) => entry.path === 'logs/a.log')?.content).toBe('one\ntwo\n');
    expect(seen.issues).toEqual([]);
    expect(seen.bundle.fileSha256()).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(seen.bundle.unpackedBytes()).toBe(18);
  });

  it('takes a gzip that is no tar as one entry without .gz', async () => {
    const seen = await readBundle([scratch.write('worker-0.log.gz', gzipSync('one\n'))]);
    expect(seen.entries).toMatchObject([{ path: 'worker-0.log', content: 'one\n' }]);
  });

  it('takes any other file as one entry', async () => {
    const seen = await readBundle([scratch.write('worker-0.log', 'one\n')]);
    expect(seen.entries).toMatchObject([{ path: 'worker-0.log', content: 'one\n' }]);
  });

  it('knows a tar of before 1988, which has no magic', async () => {
    const bytes = await tarBytes([{ name: 'old.log', data: 'x' }]);
    bytes.fill(0, 257, 512);
    const seen = await readBundle([scratch.write('v7', checksummed(bytes))]);
    expect(seen.entries).toMatchObject([{ path: 'old.log', content: 'x' }]);
  });

  it('keeps names beyond 100 characters, from pax headers', async () => {
    const name = `${'deep/'.repeat(40)}größe.log`;
    const seen = await readBundle([scratch.write('long.tar', await tarBytes([{ name, data: 'x' }]))]);
    expect(seen.entries).toMatchObject([{ path: name, content: 'x' }]);
  });
});

/** Changes the type of the first member of a tar, and its checksum with it. */
function retyped(bytes: Buffer, type: string): Buffer {
  bytes.write(type, 156, 'latin1');
  return checksummed(bytes);
}

function checksummed(bytes: Buffer): Buffer {
  bytes.fill(0x20, 148, 156);
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}

describe('folders and several inputs', () => {
  it('reads a folder in path order and never follows links', async () => {
    scratch.write('folder/z.log', 'z');
    scratch.write('folder/a/y.log', 'y');
    scratch.write('outside.log', 'secret');
    symlinkSync('z.log', join(scratch.path, 'folder/link-in'));
    symlinkSync('../outside.log', join(scratch.path, 'folder/link-out'));
    symlinkSync('/etc', join(scratch.path, 'folder/etc'));
    const seen = await readBundle([join(scratch.path, 'folder')]);
    expect(seen.entries.map((entry) => [entry.path, entry.content])).toEqual([
      ['a/y.log', 'y'],
      ['z.log', 'z'],
    ]);
    expect(seen.refused).toEqual([
      'etc: refused entry-is-link',
      'link-in: skipped entry-is-link',
      'link-out: refused entry-is-link',
    ]);
  });

  it('lists a file that cannot be read any more and goes on', async () => {
    const gone = scratch.write('locked/a.log', 'a');
    scratch.write('locked/b.log', 'b');
    const seen = await readBundle([join(scratch.path, 'locked')], {}, () => rmSync(gone));
    expect(seen.entries).toMatchObject([
      { path: 'a.log', refused: 'read-failed' },
      { path: 'b.log', content: 'b' },
    ]);
  });

  it('puts each of several inputs under its name, in any order of arguments', async () => {
    const first = scratch.write('parts/node-a.tar.gz', await tgzBytes([{ name: 'x.log', data: 'a' }]));
    const second = scratch.write('parts/node-b.zip', zipBytes([{ name: 'x.log', data: 'b' }]));
    const single = scratch.write('parts/pods.yaml', 'kind: Pod\n');
    const seen = await readBundle([single, second, first]);
    const again = await readBundle([first, second, single]);
    expect(seen.entries.map((entry) => entry.path)).toEqual(['node-a/x.log', 'node-b/x.log', 'pods.yaml']);
    expect(again.entries).toEqual(seen.entries);
    expect(seen.bundle.name).toBe('node-a.tar.gz + node-b.zip + pods.yaml');
    expect(seen.bundle.fileSha256()).toBeUndefined();
  });

  it('keeps two files of one name apart by their folders', async () => {
    const seen = await readBundle([scratch.write('n1/train.log', '1'), scratch.write('n2/train.log', '2')]);
    expect(seen.entries.map((entry) => [entry.path, entry.content])).toEqual([
      ['n1/train.log', '1'],
      ['n2/train.log', '2'],
    ]);
  });

  it('finds nothing in an empty folder', async () => {
    mkdirSync(join(scratch.path, 'nothing'));
    expect((await readBundle([join(scratch.path, 'nothing')])).entries).toEqual([]);
  });
});

describe('what is refused', () => {
  it('lists escapes, links and devices of a tar, and reads the rest', async () => {
    const bytes = await tarBytes([
      { name: '../../etc/cron.d/x', data: 'evil' },
      { name: '/etc/passwd', data: 'evil' },
      { name: 'C:\\windows\\x', data: 'evil' },
      { name: 'a/../../b', data: 'evil' },
      { name: 'in', type: 'symlink', linkname: 'good.log' },
      { name: 'out', type: 'symlink', linkname: '../../etc/passwd' },
      { name: 'hard', type: 'link', linkname: '/etc/passwd' },
      { name: 'pipe', type: 'fifo' },
      { name: 'tty', type: 'character-device' },
      { name: 'sda', type: 'block-device' },
      { name: 'good.log', data: 'fine\n' },
    ]);
    const seen = await readBundle([scratch.write('hostile.tar', bytes)]);
    expect(seen.entries).toMatchObject([{ path: 'good.log', content: 'fine\n' }]);
    expect(seen.refused).toEqual([
      '../../etc/cron.d/x: refused entry-path-escapes',
      '/etc/passwd: refused entry-path-escapes',
      'C:\\windows\\x: refused entry-path-escapes',
      'a/../../b: refused entry-path-escapes',
      'in: skipped entry-is-link',
      'out: refused entry-is-link',
      'hard: refused entry-is-link',
      'pipe: refused entry-is-device',
      'tty: refused entry-is-device',
      'sda: refused entry-is-device',
    ]);
  });

  it('refuses sparse members and passes over unknown ones', async () => {
    const members = [
      { name: 'x', data: 'ab' },
      { name: 'good.log', data: 'fine' },
    ];
    const of = async (type: string) => readBundle([scratch.write('typed.tar', retyped(await tarBytes(members), type))]);
    expect((await of('S')).refused).toEqual(['x: refused sparse-entry']);
    expect((await of('V')).refused).toEqual(['x: skipped unsupported-archive']);
    expect((await of('S')).entries).toMatchObject([{ path: 'good.log', content: 'fine' }]);
  });

  it('lists escapes, links and encrypted members of a zip, and reads the rest', async () => {
    const bytes = zipBytes([
      { name: '../up', data: 'evil' },
      { name: 'out', data: '/etc/passwd', mode: 0o120777 },
      { name: 'in', data: 'good.log', mode: 0o120777 },
      { name: 'secret.log', data: 'x', encrypted: true },
      { name: 'good.log', data: 'fine\n' },
    ]);
    const seen = await readBundle([scratch.write('hostile.zip', bytes)]);
    expect(seen.entries).toMatchObject([{ path: 'good.log', content: 'fine\n' }]);
    expect(seen.refused).toEqual([
      '../up: refused entry-path-escapes',
      'in: skipped entry-is-link',
      'out: refused entry-is-link',
      'secret.log: refused entry-encrypted',
    ]);
  });

  it('keeps both of two members with one path and flags the second', async () => {
    const twice = [
      { name: 'x.log', data: 'first' },
      { name: './x.log', data: 'second' },
    ];
    const tarSeen = await readBundle([scratch.write('twice.tar', await tarBytes(twice))]);
    expect(tarSeen.entries.map(({ path, content, repeated }) => [path, content, repeated])).toEqual([
      ['x.log', 'first', false],
      ['x.log', 'second', true],
    ]);
    const zipSeen = await readBundle([scratch.write('twice.zip', zipBytes(twice))]);
    expect(zipSeen.entries.map(({ content, repeated }) => [content, repeated])).toEqual([
      ['first', false],
      ['second', true],
    ]);
  });

  it('marks a zip member whose checksum is wrong', async () => {
    const seen = await readBundle([scratch.write('crc.zip', zipBytes([{ name: 'a.log', data: 'abc', crc: 1 }]))]);
    expect(seen.entries).toMatchObject([{ content: 'abc', cut: 'checksum does not match: the content is damaged' }]);
  });
});

describe('limits', () => {
  const zeros = Buffer.alloc(3_000_000);

  it('stops a bomb by ratio, before it fills anything, and reads no further', async () => {
    const file = scratch.write(
      'bomb.tgz',
      await tgzBytes([
        { name: 'ok.log', data: 'ok' },
        { name: 'bomb', data: zeros },
        { name: 'later.log', data: 'x' },
      ]),
    );
    const seen = await readBundle([file], { maxRatio: 10, ratioSlackBytes: 100_000 });
    expect(seen.entries.map(({ path, refused }) => [path, refused])).toEqual([
      ['ok.log', undefined],
      ['bomb', 'ratio-too-high'],
    ]);
    expect(seen.issues).toEqual([
      'ratio-too-high: unpacks to more than 10 times its size plus 97.7 KiB; the rest is not read',
    ]);
    expect(seen.bundle.unpackedBytes()).toBeLessThan(1_000_000);
    expect(seen.bundle.fileSha256()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('stops the same bomb inside a zip', async () => {
    const file = scratch.write(
      'bomb.zip',
      zipBytes([
        { name: 'bomb', data: zeros },
        { name: 'later.log', data: 'x' },
      ]),
    );
    const seen = await readBundle([file], { maxRatio: 10, ratioSlackBytes: 100_000 });
    expect(seen.entries).toMatchObject([{ path: 'bomb', refused: 'ratio-too-high' }]);
  });

  it('refuses one entry that is too large and reads the next', async () => {
    const file = scratch.write(
      'large.tar',
      await tarBytes([
        { name: 'large', data: zeros },
        { name: 'later.log', data: 'x' },
      ]),
    );
    const seen = await readBundle([file], { maxEntryBytes: 1_000_000 });
    expect(seen.refused).toEqual(['large: refused entry-too-large']);
    expect(seen.entries).toMatchObject([{ path: 'later.log', content: 'x' }]);
  });

  it('counts what a gzip of unknown size really unpacks to', async () => {
    const seen = await readBundle([scratch.write('large.log.gz', gzipSync(zeros))], { maxEntryBytes: 1_000_000 });
    expect(seen.entries).toMatchObject([{ path: 'large.log', refused: 'entry-too-large' }]);
  });

  it('stops at the number of entries', async () => {
    const many = Array.from({ length: 6 }, (_, i) => ({ name: `f${i}`, data: 'x' }));
    for (const [name, bytes] of [
      ['many.tar', await tarBytes(many)],
      ['many.zip', zipBytes(many)],
    ] as const) {
      const seen = await readBundle([scratch.write(name, bytes)], { maxEntries: 4 });
      expect(seen.entries).toHaveLength(4);
      expect(seen.issues.join()).toContain('too-many-entries: more than 4 entries');
    }
  });

  it('stops at the total size', async () => {
    const file = scratch.write(
      'total.tar',
      await tarBytes([
        { name: 'a', data: zeros },
        { name: 'b', data: zeros },
      ]),
    );
    const seen = await readBundle([file], { maxTotalBytes: 4_000_000 });
    expect(seen.entries.map(({ path, refused }) => [path, refused])).toEqual([
      ['a', undefined],
      ['b', 'bundle-too-large'],
    ]);
  });

  it('refuses an overlong path', async () => {
    const seen = await readBundle([scratch.write('path.tar', await tarBytes([{ name: 'x'.repeat(90), data: 'x' }]))], {
      maxPathBytes: 80,
    });
    expect(seen.refused).toEqual([`${'x'.repeat(90)}: refused path-too-long`]);
  });
});

describe('damage', () => {
  it('delivers every byte before the cut of a gzipped tar, for every cut', async () => {
    const members = [
      { name: 'a.log', data: 'a'.repeat(700) },
      { name: 'b.log', data: 'b'.repeat(2000) },
    ];
    const plain = await tarBytes(members);
    for (let cut = 1; cut < plain.length - 1024; cut += 97) {
      const file = scratch.write('cut.tar', plain.subarray(0, cut));
      if (cut < 262) continue;
      const seen = await readBundle([file]);
      const delivered = seen.entries.map((entry) => entry.content).join('');
      const expected = `${'a'.repeat(Math.min(700, Math.max(0, cut - 512)))}${'b'.repeat(Math.min(2000, Math.max(0, cut - 2048)))}`;
      expect(delivered, `cut at ${cut}`).toBe(expected);
      expect(seen.issues.join(), `cut at ${cut}`).toContain('archive-truncated');
      const inside = (start: number, size: number) => cut >= start && cut < start + size;
      const last = seen.entries.at(-1)?.truncatedAt;
      expect(last, `cut at ${cut}`).toBe(inside(512, 700) ? cut - 512 : inside(2048, 2000) ? cut - 2048 : undefined);
    }
  });

  it('says at which byte a truncated gzip ends', async () => {
    const noise = Buffer.from(Array.from({ length: 60_000 }, (_, i) => (i * i * 31) % 251));
    const whole = await tgzBytes([
      { name: 'a.log', data: 'first\n' },
      { name: 'noise.bin', data: noise },
    ]);
    const seen = await readBundle([scratch.write('upload.tgz', whole.subarray(0, whole.length - 300))]);
    expect(seen.entries.map(({ path, cut }) => [path, cut === ''])).toEqual([
      ['a.log', true],
      ['noise.bin', false],
    ]);
    expect(seen.issues).toEqual([
      expect.stringMatching(new RegExp(`^archive-truncated: the archive ends early at byte ${whole.length - 300} `)),
    ]);
  });

  it('reads a damaged gzip up to the damage', async () => {
    const whole = gzipSync(Array.from({ length: 40_000 }, (_, i) => `line ${i * 7919}\n`).join(''));
    whole.fill(0xff, 60_000, 60_400);
    const seen = await readBundle([scratch.write('damaged.log.gz', whole)]);
    expect(seen.entries[0]?.content.startsWith('line 0\nline 7919\n')).toBe(true);
    expect(seen.entries[0]?.cut).toBe('the compressed data is damaged here');
    expect(seen.issues.join()).toContain('archive-damaged');
  });

  it('stops at a header that is none, with its byte', async () => {
    const bytes = await tarBytes([
      { name: 'a.log', data: 'a' },
      { name: 'b.log', data: 'b' },
    ]);
    bytes.fill(7, 1024, 1536);
    const seen = await readBundle([scratch.write('header.tar', bytes)]);
    expect(seen.entries).toMatchObject([{ path: 'a.log' }]);
    expect(seen.issues).toEqual(['archive-damaged: no valid header at byte 1024; read up to there']);
  });

  it.each([false, true])(
    'reads a zip without its directory up to the cut (sizes behind the content: %s)',
    async (streamed) => {
      const noise = (seed: number) => Array.from({ length: 900 }, (_, i) => String((i * i * seed) % 7919)).join(' ');
      const members = ['a', 'b', 'c'].map((name, i) => ({ name: `${name}.log`, data: noise(i + 3), streamed }));
      const sizes = members.map((_member, i) => zipBytes(members.slice(0, i + 1)).length);
      const whole = zipBytes(members);
      const directory = whole.indexOf('PK\x01\x02', 0, 'latin1');
      for (const cut of [40, 300, 700, sizes[0] ?? 0, directory - 100, directory, directory + 20, whole.length - 1]) {
        const seen = await readBundle([scratch.write('cut.zip', whole.subarray(0, cut))]);
        expect(seen.issues[0], `cut at ${cut}`).toContain(`archive-truncated: it ends early, at byte ${cut}`);
        seen.entries.forEach((entry, i) => {
          expect(members[i]?.data.startsWith(entry.content), `cut at ${cut}`).toBe(true);
          expect(entry.cut === '', `cut at ${cut}`).toBe(entry.content === members[i]?.data);
        });
        if (cut >= directory) expect(seen.entries.map((entry) => entry.cut)).toEqual(['', '', '']);
        if (cut === directory - 100) expect(seen.entries.map((entry) => entry.cut === '')).toEqual([true, true, false]);
      }
    },
  );

  it('refuses and passes over members of such a zip', async () => {
    const whole = zipBytes([
      { name: '../up', data: 'evil' },
      { name: 'secret.log', data: 'x', encrypted: true },
      { name: 'good.log', data: 'fine' },
      { name: 'large.log', data: 'x'.repeat(5000), streamed: true },
      { name: 'last.log', data: 'y' },
    ]);
    const seen = await readBundle([scratch.write('cut2.zip', whole.subarray(0, whole.length - 30))], {
      maxEntryBytes: 1000,
    });
    expect(seen.refused).toEqual(['../up: refused entry-path-escapes', 'secret.log: refused entry-encrypted']);
    expect(seen.entries.map(({ path, content, refused }) => [path, content.length, refused])).toEqual([
      ['good.log', 4, undefined],
      ['large.log', 0, 'entry-too-large'],
    ]);
  });
});
