import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileChunks } from '#engine/bundle/byte-source.ts';
import { tarBytes } from './archives.ts';
import { readBundle } from './read-bundle.ts';
import { runCli } from './run-cli.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const LOG = '2026-02-18T10:00:00Z [rank0]: hello\n';
const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const analyze = (...args: string[]) => runCli(['analyze', ...args], { folder: scratch.path });

describe('a path that is no bundle', () => {
  const long = join(scratch.path, 'a/'.repeat(2000), 'x.log');
  const rows: readonly (readonly [string, () => string, RegExp])[] = [
    ['a FIFO', () => fifo('pipe'), /pipe: neither a file nor a folder$/m],
    ['a device', () => '/dev/zero', /\/dev\/zero: neither a file nor a folder$/m],
    ['a link that leads to itself', () => link('loop', 'loop'), /loop: links that lead in a circle/],
    ['a link to nothing', () => link('dangling', 'gone'), /dangling: no such file or folder$/m],
    [
      'a path below a file',
      () => join(scratch.write('plain.log', LOG), 'x'),
      /x: a part of its path is not a folder$/m,
    ],
    ['a path of 4,000 characters', () => long, /^.{100}….{100}: (?:no such file|the path is longer)/],
    ['a name that is no text', () => join(scratch.path, 'bad\ufffd.log'), /its name is not UTF-8: give the folder/],
    ['a name with a line feed', () => join(scratch.path, 'a\nb\u202e'), /a\\x0ab.: no such file or folder$/],
  ];

  it.each(rows)('%s: is named in one line, and nothing waits', async (_name, make, says) => {
    await expect(readBundle([make()])).rejects.toThrow(says);
  });

  it('is one line in the terminal as well, and a status of its own', async () => {
    const run = await analyze(join(scratch.path, 'a\nb\u202e'), '--quiet');
    expect(run).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^analyze: .*a\\x0ab\\u\{202e\}: no such file.*\n$/),
    });
  });
});

describe('without the right to read', () => {
  // The tests may run as root, who may read everything.
  beforeEach(() => {
    chmodSync(scratch.path, 0o777);
  });
  afterEach(() => {
    if (isRoot) process.seteuid?.(0);
  });
  const asStranger = () => {
    if (isRoot) process.seteuid?.(NOBODY);
  };

  it('a file is told with its name and why, and the others are read', async () => {
    const locked = scratch.write('mixed/locked.log', LOG);
    scratch.write('mixed/open.log', LOG);
    mkdirSync(join(scratch.path, 'mixed/dir'));
    chmodSync(locked, 0);
    chmodSync(join(scratch.path, 'mixed/dir'), 0);
    asStranger();
    const seen = await readBundle([join(scratch.path, 'mixed')]);
    expect(seen.entries.map(({ path, content, refused }) => [path, content, refused])).toEqual([
      ['locked.log', '', 'read-failed'],
      ['open.log', LOG, undefined],
    ]);
    expect(seen.issues).toEqual(['read-failed: folder cannot be listed: permission denied']);
  });

  it('a file alone is nothing that could be read, whatever its name', async () => {
    // The memory of a process is a regular file that nobody can read from its start: also root cannot.
    const run = await analyze(link('alone.log', '/proc/self/mem'), '--quiet');
    expect(run.stderr).toMatch(/alone\.log: .*cannot be read: the disk or network folder gave an error \(EIO\)/);
    expect(run.status).toBe(3);
  });
});

describe('a file that is written to while it is read', () => {
  const BIG = LOG.repeat(20_000);

  async function readWhile(name: string, change: (file: string) => void) {
    const file = scratch.write(`${name}/worker.log`, BIG);
    return readBundle([join(scratch.path, name)], {}, () => change(file));
  }

  /** Bytes read, and what is told, if `change` comes between the first chunk and the second. */
  async function readAround(name: string, change: (file: string) => void) {
    const file = scratch.write(name, BIG);
    const told: string[] = [];
    const hooks = { cancel: { aborted: false }, onInputBytes: () => undefined };
    let bytes = 0;
    for await (const chunk of fileChunks(file, hooks, false, (how) => told.push(how))) {
      if (bytes === 0) change(file);
      bytes += chunk.length;
    }
    return { bytes, told };
  }

  it.each([
    [
      'longer',
      (file: string) => appendFileSync(file, BIG),
      720_000,
      /^it had 720000 bytes .* 1440000 afterwards; 720000 were read$/,
    ],
    [
      'shorter',
      (file: string) => truncateSync(file, 300_000),
      300_000,
      /^it had 720000 bytes .* 300000 afterwards; 300000 were read$/,
    ],
    [
      'other',
      (file: string) => utimesSync(file, 1, 1),
      720_000,
      /^its content was changed; the 720000 bytes are of different moments$/,
    ],
  ])('is read as far as it went when it was opened, and told: %s', async (name, change, bytes, told) => {
    expect(await readAround(`${name}.log`, change)).toEqual({ bytes, told: [expect.stringMatching(told)] });
  });

  it('is told with its name in a bundle', async () => {
    const file = scratch.write('grows/worker.log', BIG);
    const writer = setInterval(() => appendFileSync(file, BIG), 0);
    const seen = await readBundle([join(scratch.path, 'grows')]).finally(() => clearInterval(writer));
    expect((seen.entries[0]?.content.length ?? 1) % BIG.length).toBe(0);
    expect(seen.issues.join()).toMatch(/^file-changed: it had \d+ bytes when it was opened/);
  });

  it('is read as it is when it changed before it was opened', async () => {
    const seen = await readWhile('before', (file) => writeFileSync(file, LOG));
    expect(seen.entries.map(({ content }) => content)).toEqual([LOG]);
    expect(seen.issues).toEqual([]);
  });
});

describe('names', () => {
  it('that are no UTF-8 are read, on disk and in a tar, and spelled by their bytes', async () => {
    const folder = join(scratch.path, 'latin');
    mkdirSync(Buffer.concat([Buffer.from(`${folder}/f`), Buffer.from([0xfc]), Buffer.from('r')]), { recursive: true });
    const name = Buffer.from('/f\u00fcr/b\u00e4d.log', 'latin1');
    writeFileSync(Buffer.concat([Buffer.from(folder), name]), LOG);
    const seen = await readBundle([folder]);
    expect(seen.entries.map(({ path, content }) => [path, content])).toEqual([['f%FCr/b%E4d.log', LOG]]);
    const tar = await tarBytes([{ name: 'bad.log', data: LOG }]);
    tar.write('b\u00e4d.log', 0, 'latin1');
    // The sum of the header's bytes, with the field itself as blanks.
    tar.fill(0x20, 148, 156);
    const sum = tar.subarray(0, 512).reduce((all, byte) => all + byte, 0);
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    const packed = await readBundle([scratch.write('latin.tar', tar)]);
    expect(packed.entries.map(({ path, content }) => [path, content])).toEqual([['b%E4d.log', LOG]]);
  });

  it('that two inputs share are told apart by as many folders as it takes', async () => {
    const files = ['x/k/t.log', 'y/k/t.log', 'y/l/t.log'].map((name) => scratch.write(`same/${name}`, LOG));
    const seen = await readBundle(files);
    expect(seen.entries.map(({ path }) => path)).toEqual(['l/t.log', 'x/k/t.log', 'y/k/t.log']);
    expect(seen.bundle.name).toBe('l/t.log + x/k/t.log + y/k/t.log');
  });
});

function fifo(name: string): string {
  const path = join(scratch.path, name);
  execFileSync('mkfifo', [path]);
  return path;
}

function link(name: string, target: string): string {
  const path = join(scratch.path, name);
  mkdirSync(join(path, '..'), { recursive: true });
  symlinkSync(target, path);
  return path;
}
