/**
 * The beginning and the end of large files, read before the rest: the first words of a log say whose it is, its last ones what went wrong.
 * For files that lie on disk as they are; inside an archive, or compressed, an end is reached only through everything before it.
 */
import { open } from 'node:fs/promises';
import { checkCancelled, type DiskPath, type ReadHooks, regularFileFlags } from './byte-source.ts';
import { CONTAINER_HEAD_BYTES, containerKind } from './container-kind.ts';

/** A file of the bundle that may be a log, not read yet. */
export interface FileAhead {
  /** As the entry will be called. */
  readonly path: string;
  /** Its place among the files of the bundle, as of its entry. */
  readonly place: number;
  readonly bytes: number;
  readonly file: DiskPath;
}

export interface FileEnds {
  readonly head: Buffer;
  /** Empty if the head is all there is. */
  readonly tail: Buffer;
}

/** Enough for what a process says when it starts: who it is and among how many. Chosen. */
const HEAD_BYTES = 16 * 1024;
/** The last words of a rank with its traceback and its watchdog's dump; a small share of the file, since it is read again. Chosen. */
const MAX_TAIL_BYTES = 256 * 1024;
const MIN_TAIL_BYTES = 32 * 1024;
const TAIL_SHARE = 1 / 64;

const tailBytesOf = (bytes: number): number =>
  Math.max(MIN_TAIL_BYTES, Math.min(MAX_TAIL_BYTES, Math.floor(bytes * TAIL_SHARE)));

/** Undefined for an archive, a compressed file, or one that cannot be read now: its turn comes. Throws CancelledError. */
export async function readEnds(
  { file, bytes }: FileAhead,
  { cancel }: Pick<ReadHooks, 'cancel'>,
): Promise<FileEnds | undefined> {
  checkCancelled(cancel);
  try {
    const handle = await open(file, regularFileFlags(true));
    try {
      const info = await handle.stat();
      if (!info.isFile()) return undefined;
      const size = Math.min(bytes, info.size);
      const tailBytes = tailBytesOf(size);
      const isSmall = size <= HEAD_BYTES + tailBytes;
      const head = await piece(handle, 0, isSmall ? size : HEAD_BYTES);
      if (containerKind(head.subarray(0, CONTAINER_HEAD_BYTES)).kind !== 'plain') return undefined;
      const tail = isSmall ? Buffer.alloc(0) : await piece(handle, size - tailBytes, tailBytes);
      return { head, tail };
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

async function piece(handle: Awaited<ReturnType<typeof open>>, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  let read = 0;
  while (read < bytes) {
    const { bytesRead } = await handle.read(buffer, read, bytes - read, at + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return buffer.subarray(0, read);
}
