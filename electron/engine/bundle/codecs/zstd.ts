/**
 * zstd by Node's own codec where the runtime has one, else by a decoder in plain JavaScript (Node below 22.15, Electron below 36).
 * Both get frames that were looked at before; see `zstd-frames.ts`.
 */
import * as zlib from 'node:zlib';
import { Decompress as ZstdInScript } from 'fzstd';
import { ByteReader, CHUNK_BYTES } from '../byte-source.ts';
import { formatLimit } from '../limits.ts';
import type { DecodeThread } from './decode-thread.ts';
import { type DecompressEnd, newDecompressEnd } from './decompress-end.ts';
import { driveZlib } from './zlib.ts';
import { type FramePart, isSkippable, readFrameHead, ZSTD_MAGIC, zstdFrames } from './zstd-frames.ts';

/** Why a stream with this beginning cannot be read; undefined if nothing speaks against it. */
export function zstdObjection(head: Buffer, maxWindowBytes: number): string | undefined {
  if (head.length < 4 || head.readUInt32LE(0) !== ZSTD_MAGIC) return undefined;
  const frame = readFrameHead(head);
  if (frame === undefined) return undefined;
  if (frame.dictionary) return 'zstd with a dictionary cannot be read; unpack it where the dictionary is';
  if (frame.windowBytes <= maxWindowBytes) return undefined;
  return `zstd with a window of ${formatLimit(frame.windowBytes)}, limit ${formatLimit(maxWindowBytes)}; unpack it with zstd --long=31`;
}

export const isZstd = (head: Buffer): boolean => {
  if (head.length < 4) return false;
  const magic = head.readUInt32LE(0);
  // A skippable frame alone is no evidence: what follows must be a frame.
  if (!isSkippable(magic)) return magic === ZSTD_MAGIC;
  const next = head.length < 8 ? head.length : 8 + head.readUInt32LE(4);
  if (next + 4 > head.length) return head.length >= 8;
  return isZstd(head.subarray(next));
};

const isNative = typeof zlib.createZstdDecompress === 'function';

export interface UnzstdOptions {
  /** False: the decoder in JavaScript, for tests. */
  readonly native?: boolean;
  /** Decodes there, if the runtime has the codec. */
  readonly thread?: DecodeThread | undefined;
}

export const unzstd = (maxWindowBytes: number, { native = isNative, thread }: UnzstdOptions = {}) =>
  async function* unzstdStream(source: AsyncIterable<Buffer>, end: DecompressEnd): AsyncGenerator<Buffer> {
    const reader = new ByteReader(source);
    const parts = zstdFrames(reader);
    try {
      for (;;) {
        const next = await parts.next();
        if (next.done === true) return;
        const part = next.value;
        if (part.kind === 'trailing') {
          for (
            let piece = await reader.readSome(CHUNK_BYTES);
            piece !== undefined;
            piece = await reader.readSome(CHUNK_BYTES)
          )
            end.trailingBytes += piece.length;
          return;
        }
        if (part.kind !== 'head') {
          note(part, end);
          return;
        }
        const objection = zstdObjection(part.bytes, maxWindowBytes);
        if (objection !== undefined) {
          end.cut = 'damaged';
          end.detail = objection;
          return;
        }
        const frame = frameBytes(part.bytes, parts, end);
        yield* native ? decodeNatively(frame, end, thread) : decodeInScript(frame, end);
        if (end.cut !== undefined) return;
      }
    } finally {
      await reader.close();
    }
  };

function note(part: FramePart, end: DecompressEnd): void {
  if (part.kind === 'damaged') {
    end.cut = 'damaged';
    end.detail = part.detail;
  } else {
    end.cut = 'truncated';
    end.detail = 'ends inside a frame';
  }
}

/** The bytes of one frame; a cut is noted in `end`. Leaves `parts` at the next frame. */
async function* frameBytes(head: Buffer, parts: AsyncGenerator<FramePart>, end: DecompressEnd): AsyncGenerator<Buffer> {
  yield head;
  for (;;) {
    const next = await parts.next();
    if (next.done === true) return;
    if (next.value.kind !== 'part') {
      note(next.value, end);
      return;
    }
    yield next.value.bytes;
    if (next.value.last) return;
  }
}

async function* decodeNatively(
  frame: AsyncIterable<Buffer>,
  end: DecompressEnd,
  thread: DecodeThread | undefined,
): AsyncGenerator<Buffer> {
  const own = newDecompressEnd();
  yield* thread === undefined
    ? driveZlib(frame, () => zlib.createZstdDecompress({ chunkSize: CHUNK_BYTES }), own)
    : thread.decode(frame, 'zstd', own);
  if (end.cut !== undefined || own.cut === undefined) return;
  end.cut = own.cut;
  end.detail = own.detail;
}

async function* decodeInScript(frame: AsyncIterable<Buffer>, end: DecompressEnd): AsyncGenerator<Buffer> {
  const found: Buffer[] = [];
  const decoder = new ZstdInScript((piece) => {
    if (piece.length > 0) found.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
  });
  try {
    for await (const bytes of frame) {
      decoder.push(bytes);
      yield* found.splice(0);
    }
    if (end.cut !== undefined) return;
    // Frames shorter than its look-ahead wait for this.
    decoder.push(new Uint8Array(0), true);
    yield* found.splice(0);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.name === 'CancelledError') throw error;
    end.cut = 'damaged';
    end.detail = error.message;
  }
}
