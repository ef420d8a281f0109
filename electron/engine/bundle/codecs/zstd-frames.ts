/**
 * The frames of a zstd stream, found without decoding: so that windows are bounded before memory is taken, skippable frames are passed
 * over, a cut is seen (Node's codec takes a cut stream for a whole one and stops after the first frame), and no decoder gets more than
 * one block at a time.
 *
 *   magic 4 │ descriptor 1 │ window 0–1 │ dictionary 0–4 │ content size 0–8 │ (block header 3 │ block ≤ 128 KiB)* │ checksum 0–4
 *   5?2a4d18 │ size 4 │ anything
 *
 * Source: RFC 8878, 3.1. Not covered: frames that need a dictionary (refused).
 */
import type { ByteReader } from '../byte-source.ts';

export const ZSTD_MAGIC = 0xfd2fb528;
const SKIPPABLE_FIRST = 0x184d2a50;
const MAX_HEAD_BYTES = 18;
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const CONTENT_BYTES = [0, 2, 4, 8] as const;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;

export interface FrameHead {
  readonly bytes: number;
  readonly windowBytes: number;
  readonly dictionary: boolean;
  readonly checksum: boolean;
}

export const isSkippable = (magic: number): boolean => (magic & 0xfffffff0) >>> 0 === SKIPPABLE_FIRST;

/** The head of a frame; undefined if `bytes` is too short for it. `bytes` begins with the magic. */
export function readFrameHead(bytes: Buffer): FrameHead | undefined {
  const descriptor = bytes[4];
  if (descriptor === undefined) return undefined;
  const singleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = DICTIONARY_BYTES[descriptor & 3] ?? 0;
  const contentFlag = descriptor >> 6;
  const contentBytes = contentFlag === 0 && singleSegment ? 1 : (CONTENT_BYTES[contentFlag] ?? 0);
  const windowAt = 5;
  const contentAt = windowAt + (singleSegment ? 0 : 1) + dictionaryBytes;
  const length = contentAt + contentBytes;
  if (bytes.length < length) return undefined;
  const windowByte = bytes[windowAt] ?? 0;
  const base = 2 ** (10 + (windowByte >> 3));
  const windowBytes = singleSegment
    ? contentSize(bytes, contentAt, contentBytes)
    : base + (base / 8) * (windowByte & 7);
  return { bytes: length, windowBytes, dictionary: dictionaryBytes > 0, checksum: (descriptor & 4) !== 0 };
}

function contentSize(bytes: Buffer, at: number, count: number): number {
  switch (count) {
    case 1:
      return bytes.readUInt8(at);
    case 2:
      return bytes.readUInt16LE(at) + 256;
    case 4:
      return bytes.readUInt32LE(at);
    default:
      return Number(bytes.readBigUInt64LE(at));
  }
}

export type FramePart =
  /** A frame begins: `bytes` is its head. */
  | { readonly kind: 'head'; readonly bytes: Buffer; readonly head: FrameHead }
  /** One block with its header, or the checksum. */
  | { readonly kind: 'part'; readonly bytes: Buffer; readonly last: boolean }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'damaged'; readonly detail: string }
  | { readonly kind: 'trailing' };

/** Walks all frames; ends after `truncated`, `damaged` or `trailing` (bytes that are no frame, not consumed). */
export async function* zstdFrames(reader: ByteReader): AsyncGenerator<FramePart> {
  for (let frames = 0; ; frames += 1) {
    const start = await reader.peek(MAX_HEAD_BYTES);
    if (start.length === 0) return;
    if (start.length < 4) {
      yield { kind: frames === 0 ? 'truncated' : 'trailing' };
      return;
    }
    const magic = start.readUInt32LE(0);
    if (isSkippable(magic)) {
      if (!(await skipFrame(reader, start))) {
        yield { kind: 'truncated' };
        return;
      }
      continue;
    }
    if (magic !== ZSTD_MAGIC) {
      yield frames === 0 ? { kind: 'damaged', detail: 'no zstd frame begins here' } : { kind: 'trailing' };
      return;
    }
    const head = readFrameHead(start);
    if (head === undefined) {
      yield { kind: 'truncated' };
      return;
    }
    yield { kind: 'head', bytes: await reader.readExactly(head.bytes), head };
    for (;;) {
      const part = await nextBlock(reader, head);
      yield part;
      if (part.kind !== 'part') return;
      if (part.last) break;
    }
  }
}

async function skipFrame(reader: ByteReader, start: Buffer): Promise<boolean> {
  if (start.length < 8) return false;
  const total = 8 + start.readUInt32LE(4);
  return (await reader.skip(total)) === total;
}

/** The next block; the last one with the frame's checksum behind it. */
async function nextBlock(
  reader: ByteReader,
  head: FrameHead,
): Promise<Exclude<FramePart, { kind: 'head' | 'trailing' }>> {
  const header = await reader.peek(3);
  if (header.length < 3) return { kind: 'truncated' };
  const bits = header.readUIntLE(0, 3);
  const last = (bits & 1) === 1;
  const type = (bits >> 1) & 3;
  const size = bits >> 3;
  if (type === RESERVED_BLOCK || size > 128 * 1024) return { kind: 'damaged', detail: 'invalid block' };
  const wanted = 3 + (type === RLE_BLOCK ? 1 : size) + (last && head.checksum ? 4 : 0);
  const bytes = await reader.readExactly(wanted);
  return bytes.length < wanted ? { kind: 'truncated' } : { kind: 'part', bytes, last };
}
