import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { CancelSignal } from '#shared/model/job.ts';
import { CancelledError } from './bundle-item.ts';

/** Reads of 256 KiB: 16 KiB ones cost 1.6 times the CPU of the whole decompression (measured). */
export const CHUNK_BYTES = 256 * 1024;

/** Names on a Linux disk are bytes: one that is no UTF-8 can be opened by its bytes only. */
export type DiskPath = string | Buffer;

export interface ReadHooks {
  readonly cancel: CancelSignal;
  /** Called with the length of every piece of input as it leaves the disk. */
  readonly onInputBytes: (bytes: number) => void;
}

/** Throws if the job was cancelled. Looked at for every chunk, so that a cancel is answered within one. */
export function checkCancelled(cancel: CancelSignal): void {
  if (cancel.aborted) throw new CancelledError('cancelled');
}

/** O_NONBLOCK: opening a FIFO that replaced the file must not hang. */
export const regularFileFlags = (noFollow: boolean): number =>
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (noFollow ? (constants.O_NOFOLLOW ?? 0) : 0);

/** Of a file whose size is told as 0: kernels list files so that are made while they are read. */
const UNTOLD_BYTES = 4096;

/**
 * The bytes of a regular file, in chunks of at most CHUNK_BYTES. `noFollow` refuses a symbolic link that appeared since the
 * file was listed. No more is read than the file held when it was opened: one that is written to all the time has an end. `onChanged` is told
 * in a clause if it was written to meanwhile. Throws the system's error (ENOENT, EACCES, EISDIR, ELOOP …) and CancelledError.
 */
export async function* fileChunks(
  path: DiskPath,
  hooks: ReadHooks,
  noFollow = false,
  onChanged?: (how: string) => void,
): AsyncGenerator<Buffer> {
  const handle = await open(path, regularFileFlags(noFollow));
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new Error('not a regular file');
    let read = 0;
    while (info.size === 0 || read < info.size) {
      checkCancelled(hooks.cancel);
      // As small as the file: thousands of small files must not cost a large buffer each.
      const wanted = info.size === 0 ? UNTOLD_BYTES : Math.min(CHUNK_BYTES, info.size - read);
      const buffer = Buffer.allocUnsafe(wanted);
      const { bytesRead } = await handle.read(buffer, 0, wanted, null);
      if (bytesRead === 0) break;
      read += bytesRead;
      hooks.onInputBytes(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
    if (onChanged === undefined) return;
    const now = await handle.stat();
    if (now.size !== info.size)
      onChanged(`it had ${info.size} bytes when it was opened and ${now.size} afterwards; ${read} were read`);
    else if (now.mtimeMs !== info.mtimeMs)
      onChanged(`its content was changed; the ${read} bytes are of different moments`);
  } finally {
    await handle.close();
  }
}

/**
 * A stream that can be looked at before it is read, and read in exact amounts: what archive readers need.
 * Holds at most the peeked bytes plus one chunk.
 */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #ended = false;
  #offset = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Bytes handed out so far. */
  get offset(): number {
    return this.#offset;
  }

  async #pull(): Promise<boolean> {
    if (this.#ended) return false;
    const next = await this.#source.next();
    if (next.done === true) {
      this.#ended = true;
      return false;
    }
    this.#held.push(next.value);
    this.#heldBytes += next.value.length;
    return true;
  }

  /** Up to `count` bytes without consuming them; fewer only at the end of the stream. */
  async peek(count: number): Promise<Buffer> {
    while (this.#heldBytes < count && (await this.#pull()));
    if (this.#held.length > 1) this.#held = [Buffer.concat(this.#held)];
    return (this.#held[0] ?? Buffer.alloc(0)).subarray(0, count);
  }

  /** The next piece, at most `max` bytes, as it comes; undefined at the end. */
  async readSome(max: number): Promise<Buffer | undefined> {
    let first = this.#held[0];
    while (first === undefined || first.length === 0) {
      if (first !== undefined) this.#held.shift();
      if (this.#held.length === 0 && !(await this.#pull())) return undefined;
      first = this.#held[0];
    }
    const piece = first.length <= max ? first : first.subarray(0, max);
    if (piece.length === first.length) this.#held.shift();
    else this.#held[0] = first.subarray(max);
    this.#heldBytes -= piece.length;
    this.#offset += piece.length;
    return piece;
  }

  /** Puts bytes back that were read too far; they come next. */
  unread(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.unshift(bytes);
    this.#heldBytes += bytes.length;
    this.#offset -= bytes.length;
  }

  /** Exactly `count` bytes, or fewer at the end of the stream. For headers: `count` is held in memory. */
  async readExactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      const piece = await this.readSome(missing);
      if (piece === undefined) break;
      parts.push(piece);
      missing -= piece.length;
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** Skips `count` bytes; returns how many there were. */
  async skip(count: number): Promise<number> {
    let missing = count;
    while (missing > 0) {
      const piece = await this.readSome(missing);
      if (piece === undefined) break;
      missing -= piece.length;
    }
    return count - missing;
  }

  /** The rest of the stream. */
  async *rest(): AsyncGenerator<Buffer> {
    for (;;) {
      const piece = await this.readSome(CHUNK_BYTES);
      if (piece === undefined) return;
      yield piece;
    }
  }

  /** Ends the source early, so that its files are closed. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#held = [];
    await this.#source.return?.();
  }
}
