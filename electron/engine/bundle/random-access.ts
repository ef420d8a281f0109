/** Bytes that can be read at any place, for zip: one file, the parts of a split file, or a zip that stood inside another archive. */
import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { CHUNK_BYTES, checkCancelled, type DiskPath, type ReadHooks, regularFileFlags } from './byte-source.ts';

export interface RandomBytes {
  readonly size: number;
  /** Up to `length` bytes from `at`; fewer only at the end. */
  read(at: number, length: number): Promise<Buffer>;
  /** Where each file begins, if the bytes stand in several. */
  readonly starts?: readonly number[];
  close(): Promise<void>;
}

/** Files one after the other. Throws the system's error if one cannot be opened or is no regular file. */
export async function openFiles(files: readonly DiskPath[], noFollow: boolean): Promise<RandomBytes> {
  const parts: Part[] = [];
  const bytes = new HandleBytes(parts);
  try {
    for (const file of files) {
      const handle = await open(file, regularFileFlags(noFollow));
      const part = { handle, start: bytes.size, size: 0 };
      parts.push(part);
      const info = await handle.stat();
      if (!info.isFile()) throw new Error('not a regular file');
      part.size = info.size;
    }
    return bytes;
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

interface Part {
  readonly handle: FileHandle;
  readonly start: number;
  size: number;
}

class HandleBytes implements RandomBytes {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#parts.reduce((sum, part) => sum + part.size, 0);
  }

  get starts(): readonly number[] {
    return this.#parts.map((part) => part.start);
  }

  async read(at: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.size - at)));
    let filled = 0;
    for (const { handle, start, size } of this.#parts) {
      while (filled < buffer.length && at + filled < start + size && at + filled >= start) {
        const from = at + filled - start;
        const { bytesRead } = await handle.read(buffer, filled, Math.min(buffer.length - filled, size - from), from);
        // The file shrank since it was opened.
        if (bytesRead === 0) return buffer.subarray(0, filled);
        filled += bytesRead;
      }
    }
    return buffer.subarray(0, filled);
  }

  async close(): Promise<void> {
    for (const { handle } of this.#parts) await handle.close();
  }
}

class MemoryBytes implements RandomBytes {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get size(): number {
    return this.#bytes.length;
  }

  async read(at: number, length: number): Promise<Buffer> {
    return this.#bytes.subarray(at, at + length);
  }

  async close(): Promise<void> {
    // nothing is held open
  }
}

/**
 * Takes a whole stream so that it can be read at any place: in memory while it is small, else in a file of `folder`. Why a file: two
 * zips of 150 MB inside a tar would break the memory limit. The file loses its name as soon as it is open (POSIX), so that not even a
 * crash leaves it behind; on Windows it goes when it is closed.
 */
export async function spool(
  source: AsyncIterable<Buffer>,
  options: { readonly memoryBytes: number; readonly folder: string },
): Promise<RandomBytes> {
  let held: Buffer[] = [];
  let bytes = 0;
  let file: SpoolFile | undefined;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (file === undefined && bytes > options.memoryBytes) {
        file = await newSpoolFile(options.folder);
        for (const piece of held) await writeAll(file.handle, piece);
        held = [];
      }
      if (file === undefined) held.push(chunk);
      else await writeAll(file.handle, chunk);
    }
  } catch (error) {
    await file?.remove();
    throw error;
  }
  if (file === undefined) return new MemoryBytes(Buffer.concat(held));
  const { handle, remove } = file;
  const stored = new HandleBytes([{ handle, start: 0, size: bytes }]);
  return { size: bytes, read: (at, length) => stored.read(at, length), close: remove };
}

interface SpoolFile {
  readonly handle: FileHandle;
  readonly remove: () => Promise<void>;
}

let spoolFiles = 0;

async function newSpoolFile(folder: string): Promise<SpoolFile> {
  spoolFiles += 1;
  const name = join(folder, `spool-${process.pid}-${performance.timeOrigin.toString(36)}-${spoolFiles}`);
  const handle = await open(name, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  const isNamed = process.platform === 'win32';
  if (!isNamed) await unlink(name);
  return {
    handle,
    remove: async () => {
      await handle.close();
      if (isNamed) await unlink(name);
    },
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}

/** The bytes from the beginning, as a stream. Throws CancelledError. */
export async function* chunksOf(bytes: RandomBytes, hooks: ReadHooks): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.size; ) {
    checkCancelled(hooks.cancel);
    const chunk = await bytes.read(at, CHUNK_BYTES);
    if (chunk.length === 0) return;
    at += chunk.length;
    yield chunk;
  }
}

/** What yauzl reads a zip from. The bytes stay open: who opened them closes them. */
export class ZipBytes extends RandomAccessReader {
  readonly #bytes: RandomBytes;

  constructor(bytes: RandomBytes) {
    super();
    this.#bytes = bytes;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const bytes = this.#bytes;
    return Readable.from(
      (async function* () {
        for (let at = start; at < end; ) {
          const chunk = await bytes.read(at, Math.min(CHUNK_BYTES, end - at));
          if (chunk.length === 0) throw new Error('the file became shorter while it was read');
          at += chunk.length;
          yield chunk;
        }
      })(),
      { objectMode: false },
    );
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.#bytes.read(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        done(bytes.length < length ? new Error('the file became shorter while it was read') : null);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  }
}
