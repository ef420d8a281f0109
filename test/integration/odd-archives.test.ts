import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tarBytes, zipBytes } from './archives.ts';
import { readBundle } from './read-bundle.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const LOG = 'hello\n'.repeat(60);

/** A ustar header by hand; `size` may be any twelve bytes. */
function header(
  name: string,
  size: Buffer,
  { type = '0', sum }: { readonly type?: string; readonly sum?: number } = {},
): Buffer {
  const block = Buffer.alloc(512);
  block.write(name);
  block.write('0000644\u00000000000\u00000000000\u0000', 100, 'latin1');
  size.copy(block, 124);
  block.write('00000000000\u0000        ', 136, 'latin1');
  block.write(type, 156);
  block.write('ustar\u000000', 257, 'latin1');
  const right = block.reduce((all, byte) => all + byte, 0);
  block.write(`${(sum ?? right).toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1');
  return block;
}
const octal = (size: number): Buffer => Buffer.from(`${size.toString(8).padStart(11, '0')}\u0000`, 'latin1');
const padded = (text: string): Buffer =>
  Buffer.concat([Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)]);
const member = (name: string, text = LOG): Buffer => Buffer.concat([header(name, octal(text.length)), padded(text)]);
const END = Buffer.alloc(1024);

async function read(name: string, bytes: Buffer) {
  const seen = await readBundle([scratch.write(name, bytes)]);
  return { files: seen.entries.map(({ path }) => path), issues: seen.issues, refused: seen.refused };
}

describe('a tar header that cannot be right', () => {
  const before = member('before.log');
  const at = before.length;
  it.each([
    ['a negative size', header('x.log', Buffer.from([...Array(11).fill(0xff), 0xf0])), `unreadable size at byte ${at}`],
    [
      'a size beyond 2^53',
      header('x.log', Buffer.from([0x80, 0, 0, 0, ...Array(8).fill(0x7f)])),
      `unreadable size at byte ${at}`,
    ],
    ['a wrong checksum', header('x.log', octal(6), { sum: 1 }), `no valid header at byte ${at}`],
    [
      'a long name of 2 MiB',
      header('@LongLink', octal(2 * 1024 * 1024), { type: 'L' }),
      `bad extension header at byte ${at}`,
    ],
  ])('%s: what stands before is read, and the place is told', async (name, bad, says) => {
    const seen = await read(`${name}.tar`, Buffer.concat([before, bad, padded(LOG), END]));
    expect(seen.files).toEqual(['before.log']);
    expect(seen.issues).toEqual([`archive-damaged: ${says}; read up to there`]);
  });

  it('a negative size in a pax record is not believed', async () => {
    const pax = Buffer.concat([header('pax', octal(11), { type: 'x' }), padded('11 size=-5\n')]);
    const seen = await read('paxneg.tar', Buffer.concat([pax, member('n.log'), member('after.log'), END]));
    expect(seen).toMatchObject({ files: ['n.log', 'after.log'], issues: [] });
  });
});

describe('gzip', () => {
  it('reads all members, and tells how many bytes behind them are none', async () => {
    const tar = await tarBytes([
      { name: 'a.log', data: LOG },
      { name: 'b.log', data: LOG },
    ]);
    const parts = [tar.subarray(0, 700), Buffer.alloc(0), tar.subarray(700)].map((part) => gzipSync(part));
    const seen = await read('multi.tgz', Buffer.concat([...parts, Buffer.alloc(600), Buffer.from('garbage')]));
    expect(seen.files).toEqual(['a.log', 'b.log']);
    expect(seen.issues).toEqual(['archive-damaged: 607 bytes after the end of the compressed data are ignored']);
  });
});

describe('a zip whose directory names one content many times over', () => {
  it('is stopped by what it unpacks to, not by its size', async () => {
    const one = zipBytes([{ name: 'k0000', data: 'a'.repeat(2_000_000) }]);
    const end = one.length - 22;
    const [size, start] = [one.readUInt32LE(end + 12), one.readUInt32LE(end + 16)];
    const entry = one.subarray(start, start + size);
    const entries = Array.from({ length: 400 }, (_, i) => {
      const copy = Buffer.from(entry);
      copy.write(`k${String(i).padStart(4, '0')}`, 46);
      return copy;
    });
    const tail = Buffer.from(one.subarray(end));
    tail.writeUInt16LE(entries.length, 8);
    tail.writeUInt16LE(entries.length, 10);
    tail.writeUInt32LE(size * entries.length, 12);
    const bomb = Buffer.concat([one.subarray(0, start), ...entries, tail]);
    const limits = { maxRatio: 200, ratioSlackBytes: 10_000_000 };
    const seen = await readBundle([scratch.write('overlap.zip', bomb)], limits);
    expect(bomb.length).toBeLessThan(50_000);
    expect(seen.bundle.stoppedBy()).toBeDefined();
    expect(seen.entries.length).toBeLessThan(30);
  });
});
