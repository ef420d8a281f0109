/**
 * A zip that was split into volumes (`x.z01`, `x.z02`, …, `x.zip`), as one zip of one disk.
 *
 *   PK\7\8 │ members … ┊ … ┊ … members │ directory: (disk, offset in it) each │ end: disk numbers
 *
 * The volumes one after the other hold everything in order; only the directory counts by disk. It is written anew in memory, with
 * offsets from the first volume's beginning. Source: APPNOTE.TXT 6.3.10, 4.3.12, 4.3.16, 8.0. Not covered: zip64.
 */
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { RandomBytes } from './random-access.ts';

const END = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
const DIRECTORY = 0x02014b50;
const DIRECTORY_BYTES = 46;
/** Of the directory, held in memory: some 400,000 members. */
const MAX_DIRECTORY = 64 * 1024 * 1024;

/** `starts`: where each volume begins in `bytes`. Error: why it cannot be read as one. */
export async function joinVolumes(bytes: RandomBytes, starts: readonly number[]): Promise<Result<RandomBytes, string>> {
  const tail = await bytes.read(
    Math.max(0, bytes.size - END_BYTES - MAX_COMMENT),
    Math.min(bytes.size, END_BYTES + MAX_COMMENT),
  );
  const end = tail.subarray(findEnd(tail));
  if (end.length < END_BYTES || end.readUInt32LE(0) !== END) return err('the last volume is not there or is damaged');
  const [lastDisk, directoryDisk] = [end.readUInt16LE(4), end.readUInt16LE(6)];
  const [entries, directoryBytes] = [end.readUInt16LE(10), end.readUInt32LE(12)];
  if (lastDisk === 0xffff || directoryBytes === 0xffffffff) return err('zip64 in volumes is not supported');
  if (lastDisk + 1 !== starts.length) return err(`made of ${lastDisk + 1} volumes, ${starts.length} are here`);
  const from = (starts[directoryDisk] ?? 0) + end.readUInt32LE(16);
  if (directoryBytes > MAX_DIRECTORY || from + directoryBytes > bytes.size) return err('its directory is damaged');
  const directory = Buffer.from(await bytes.read(from, directoryBytes));
  if (!oneDisk(directory, starts)) return err('its directory is damaged');
  const newEnd = Buffer.from(end);
  newEnd.writeUInt32LE(0, 4);
  newEnd.writeUInt16LE(entries, 8);
  newEnd.writeUInt32LE(from, 16);
  return ok(withTail(bytes, from, Buffer.concat([directory, newEnd])));
}

/** The last end record whose comment reaches exactly to the end; the length of `tail` if there is none. */
function findEnd(tail: Buffer): number {
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) === END && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length) return at;
  }
  return tail.length;
}

/** Puts every member on disk 0, in place. False if the directory is no directory, or an offset needs more than 32 bits. */
function oneDisk(directory: Buffer, starts: readonly number[]): boolean {
  for (let at = 0; at < directory.length; ) {
    if (at + DIRECTORY_BYTES > directory.length || directory.readUInt32LE(at) !== DIRECTORY) return false;
    const start = starts[directory.readUInt16LE(at + 34)];
    const offset = (start ?? 0) + directory.readUInt32LE(at + 42);
    if (start === undefined || offset >= 0xffffffff) return false;
    directory.writeUInt16LE(0, at + 34);
    directory.writeUInt32LE(offset, at + 42);
    at +=
      DIRECTORY_BYTES +
      directory.readUInt16LE(at + 28) +
      directory.readUInt16LE(at + 30) +
      directory.readUInt16LE(at + 32);
  }
  return true;
}

/** The same bytes up to `from`, then `tail`. Closing is left to who opened `bytes`. */
const withTail = (bytes: RandomBytes, from: number, tail: Buffer): RandomBytes => ({
  size: from + tail.length,
  async read(at, length) {
    const before = at < from ? await bytes.read(at, Math.min(length, from - at)) : Buffer.alloc(0);
    const rest = length - before.length;
    const start = Math.max(0, at - from);
    return rest > 0 && at + before.length >= from
      ? Buffer.concat([before, tail.subarray(start, start + rest)])
      : before;
  },
  close: async () => undefined,
});
