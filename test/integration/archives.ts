/** Archives for tests, written by other code than the one that reads them: tar-stream, node:zlib, and zip bytes by hand. */
import { buffer } from 'node:stream/consumers';
import { deflateRawSync, gzipSync } from 'node:zlib';
import tar from 'tar-stream';

export interface TarMember {
  readonly name: string;
  readonly data?: string | Buffer;
  readonly type?: 'file' | 'symlink' | 'link' | 'directory' | 'fifo' | 'character-device' | 'block-device';
  readonly linkname?: string;
}

export async function tarBytes(members: readonly TarMember[]): Promise<Buffer> {
  const pack = tar.pack();
  for (const { name, data = '', type = 'file', linkname } of members) {
    pack.entry(
      { name, type, mtime: new Date(0), ...(linkname === undefined ? {} : { linkname }) },
      type === 'file' ? data : '',
    );
  }
  pack.finalize();
  return buffer(pack);
}

export const tgzBytes = async (members: readonly TarMember[]): Promise<Buffer> => gzipSync(await tarBytes(members));

export interface ZipMember {
  readonly name: string;
  readonly data?: string | Buffer;
  /** Unix mode with type bits, e.g. 0o120777 for a symbolic link. */
  readonly mode?: number;
  readonly encrypted?: boolean;
  /** Sizes behind the content, as writers into a pipe do it. */
  readonly streamed?: boolean;
  /** Store this checksum in place of the true one. */
  readonly crc?: number;
}

/** A zip archive, deflated, with a central directory. */
export function zipBytes(members: readonly ZipMember[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const name = Buffer.from(member.name);
    const data = Buffer.from(member.data ?? '');
    const packed = deflateRawSync(data);
    const flags = 0x800 | (member.encrypted === true ? 1 : 0) | (member.streamed === true ? 8 : 0);
    const crc = member.crc ?? crc32(data);
    const common = Buffer.alloc(24);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const inLocal = Buffer.from(common);
    if (member.streamed === true) inLocal.fill(0, 10, 22);
    const descriptor =
      member.streamed === true
        ? Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), common.subarray(10, 22)])
        : Buffer.alloc(0);
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      inLocal,
      Buffer.alloc(2),
      name,
      packed,
      descriptor,
    ]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((member.mode ?? 0o100644) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    central.push(
      Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 3]), common, Buffer.alloc(2), tail, name]),
    );
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** The same zip in volumes (`x.z01`, `x.z02`, …, `x.zip`), cut at the offsets given: a mark in front, places by disk in the directory. */
export function zipVolumes(members: readonly ZipMember[], cuts: readonly number[]): Buffer[] {
  const whole = Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), zipBytes(members)]);
  const starts = [0, ...cuts];
  const placeOf = (at: number) => {
    const disk = starts.findLastIndex((start) => start <= at);
    return { disk, offset: at - (starts[disk] ?? 0) };
  };
  const end = whole.length - 22;
  const directory = whole.readUInt32LE(end + 16) + 4;
  for (let at = directory; at < end; at += 46 + whole.readUInt16LE(at + 28)) {
    const place = placeOf(whole.readUInt32LE(at + 42) + 4);
    whole.writeUInt16LE(place.disk, at + 34);
    whole.writeUInt32LE(place.offset, at + 42);
  }
  const place = placeOf(directory);
  whole.writeUInt16LE(starts.length - 1, end + 4);
  whole.writeUInt16LE(place.disk, end + 6);
  whole.writeUInt32LE(place.offset, end + 16);
  return starts.map((start, i) => whole.subarray(start, starts[i + 1] ?? whole.length));
}

function crc32(data: Buffer): number {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
