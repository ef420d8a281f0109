import { deserialize } from 'node:v8';
import * as zlib from 'node:zlib';
import { Decompress as ZstdInScript } from 'fzstd';
import { type DirectCodec, directCodec } from '#shared/lib/direct-codec.ts';

/** Named in every row, so that a case opens on runtimes that write another one. */
export const BLOCK_CODECS = ['raw', 'deflate', 'zstd'] as const;
export type BlockCodec = (typeof BLOCK_CODECS)[number];

const zstdPresent = typeof zlib.zstdCompressSync === 'function';

/** zstd level 1 is 2.2 times as fast to write as deflate 1 and a quarter smaller (measured); older runtimes lack it. */
export const preferredCodec = (): BlockCodec => (zstdPresent ? 'zstd' : 'deflate');

export interface Packed {
  readonly codec: BlockCodec;
  readonly data: Buffer;
}

/** Shorter blocks are kept as they are: nothing to speak of is gained. Bundles of many tiny files are full of them. */
export const MIN_PACKED_BYTES = 128;

/** Compresses one block. Bytes that do not shrink are kept raw. */
export function packBlock(bytes: Buffer, codec: BlockCodec): Packed {
  if (bytes.length < MIN_PACKED_BYTES) return { codec: 'raw', data: Buffer.from(bytes) };
  const data = compress(bytes, codec);
  return data.length < bytes.length ? { codec, data } : { codec: 'raw', data: Buffer.from(bytes) };
}

function compress(bytes: Buffer, codec: BlockCodec): Buffer {
  switch (codec) {
    case 'raw':
      return bytes;
    case 'deflate':
      return zlib.deflateRawSync(bytes, { level: 1 });
    case 'zstd':
      return zstdAgain(bytes) ?? zlib.zstdCompressSync(bytes, ZSTD);
  }
}

const ZSTD = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
/** Blocks of up to this size are compressed by one codec after the other. */
const AGAIN_BYTES = 64 * 1024;
/** A codec that is used again, undefined where there is none, and where it puts what it makes of a block: more than it ever makes. */
let again: { readonly codec: DirectCodec; readonly out: Buffer } | undefined;
let mayUseAgain = zstdPresent;

/** The same bytes without a new codec, which costs more than a small block. Undefined: to be done otherwise. */
function zstdAgain(bytes: Buffer): Buffer | undefined {
  if (!mayUseAgain || bytes.length > AGAIN_BYTES) return undefined;
  const codec = again?.codec ?? directCodec(zlib.createZstdCompress(ZSTD));
  if (codec !== undefined) {
    again ??= { codec, out: Buffer.allocUnsafeSlow(2 * AGAIN_BYTES) };
    const isWhole = codec.write(zlib.constants.ZSTD_e_end, bytes, 0, again.out, 0) && codec.inputLeft === 0;
    if (isWhole && codec.outputLeft > 0) return Buffer.from(again.out.subarray(0, again.out.length - codec.outputLeft));
  }
  mayUseAgain = false;
  again = undefined;
  return undefined;
}

/** A stored block that cannot be read: damaged, or written with a codec that this program lacks. */
export class UnreadableBlockError extends Error {
  override readonly name = 'UnreadableBlockError';
  readonly why: 'damaged' | 'codec-missing';

  constructor(why: 'damaged' | 'codec-missing', detail: string) {
    super(detail);
    this.why = why;
  }
}

/**
 * The bytes of one block. `maxBytes` is what the row says it unpacks to: a damaged block cannot make us allocate more, and a tampered row
 * not more than MAX_UNPACKED_BYTES. Throws UnreadableBlockError.
 */
export function unpackBlock(codec: string, data: Buffer, maxBytes: number): Buffer {
  if (!isKnownCodec(codec)) {
    throw new UnreadableBlockError(
      'codec-missing',
      `stored with "${codec.slice(0, 20)}", which this version lacks; import the bundle again`,
    );
  }
  if (maxBytes > MAX_UNPACKED_BYTES)
    throw new UnreadableBlockError('damaged', `a block that unpacks to ${maxBytes} bytes`);
  try {
    // In one piece where the row tells the truth: pieces of 16 KiB and their joining take a third more. One byte is left over: a piece that
    // is full makes zlib set aside another one.
    const chunkSize = Math.min(Math.max(maxBytes + 1, MIN_CHUNK), MAX_CHUNK);
    return decompress(codec, data, { maxOutputLength: Math.max(1, maxBytes), chunkSize });
  } catch (error) {
    throw new UnreadableBlockError('damaged', error instanceof Error ? error.message : String(error));
  }
}

/** A value as it was serialised. Throws UnreadableBlockError. Validate before use. */
export function deserializeBlock(bytes: Buffer): unknown {
  try {
    return deserialize(bytes);
  } catch (error) {
    throw new UnreadableBlockError('damaged', error instanceof Error ? error.message : String(error));
  }
}

/** Far above what is written: blobs end at 64 MiB, columns of views are cut into pieces, dumps and the rest of a view are tens of megabytes. */
export const MAX_UNPACKED_BYTES = 1024 ** 3;

/** The least that zlib takes, and the most that is set aside because a row says so. */
const MIN_CHUNK = 64;
const MAX_CHUNK = 1024 * 1024;

const isKnownCodec = (codec: string): codec is BlockCodec => BLOCK_CODECS.some((known) => known === codec);

interface UnpackOptions {
  readonly maxOutputLength: number;
  readonly chunkSize: number;
}

function decompress(codec: BlockCodec, data: Buffer, options: UnpackOptions): Buffer {
  switch (codec) {
    case 'raw':
      return data;
    case 'deflate':
      return zlib.inflateRawSync(data, options);
    case 'zstd':
      return zstdPresent ? zlib.zstdDecompressSync(data, options) : unzstdInScript(data, options.maxOutputLength);
  }
}

/** Fed in small pieces, so that no more than `maxBytes` and what one piece can yield is ever held. */
export function unzstdInScript(data: Buffer, maxBytes: number): Buffer {
  if (windowBytes(data) > Math.max(maxBytes, MIN_WINDOW_BYTES))
    throw new Error('asks for more memory than its content needs');
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const decoder = new ZstdInScript((part) => {
    bytes += part.length;
    if (bytes > maxBytes) throw new Error(`unpacks to more than ${maxBytes} bytes`);
    parts.push(part);
  });
  for (let at = 0; at < data.length; at += SCRIPT_PIECE_BYTES) decoder.push(data.subarray(at, at + SCRIPT_PIECE_BYTES));
  decoder.push(new Uint8Array(0), true);
  return Buffer.concat(parts);
}

const SCRIPT_PIECE_BYTES = 4096;
/** Levels up to 19 ask for at most so much whatever the size of the block, if they are not told that. */
const MIN_WINDOW_BYTES = 8 * 1024 * 1024;

/** What a decoder takes at once, by the frame's head (RFC 8878, 3.1.1.1): the window, or the content if there is no window. */
function windowBytes(data: Buffer): number {
  const descriptor = data[4] ?? 0;
  const at = 5 + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  if ((descriptor & 0x20) === 0) return 2 ** (10 + ((data[5] ?? 0) >> 3)) * (1 + ((data[5] ?? 0) & 7) / 8);
  if (descriptor >> 6 === 3) return data.length < at + 8 ? 0 : Number(data.readBigUInt64LE(at));
  return descriptor >> 6 === 2 && data.length >= at + 4 ? data.readUInt32LE(at) : 0;
}
