import { isZstd } from './codecs/zstd.ts';

/** What a stream of bytes is, by its first bytes. Names are never asked. */
export type Compression = 'gzip' | 'zstd' | 'xz' | 'bzip2';
export type ContainerKind = Compression | 'tar' | 'zip' | 'unsupported' | 'plain';

/** Enough for every magic below and for one tar header. */
export const CONTAINER_HEAD_BYTES = 512;

interface Magic {
  readonly name: string;
  readonly bytes: readonly number[];
}
const UNSUPPORTED: readonly Magic[] = [
  { name: 'lz4', bytes: [0x04, 0x22, 0x4d, 0x18] },
  { name: '7z', bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { name: 'rar', bytes: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07] },
];

const startsWith = (head: Uint8Array, bytes: readonly number[]): boolean =>
  head.length >= bytes.length && bytes.every((b, i) => head[i] === b);

/** `504b0304` local header, `504b0506` empty archive, `504b0708` spanned. */
const isZip = (head: Uint8Array): boolean =>
  startsWith(head, [0x50, 0x4b, 0x03, 0x04]) || startsWith(head, [0x50, 0x4b, 0x05, 0x06]) || isSplitZip(head);

/** The first volume of a zip that was split into `.z01`, `.z02`, …, `.zip`. */
export const isSplitZip = (head: Uint8Array): boolean => startsWith(head, [0x50, 0x4b, 0x07, 0x08]);

/** `BZh1`–`BZh9` and a block or the end mark: text may well begin with `BZh`. */
const isBzip2 = (head: Uint8Array): boolean => {
  const level = head[3] ?? 0;
  if (!startsWith(head, [0x42, 0x5a, 0x68]) || level < 0x31 || level > 0x39) return false;
  const behind = head.subarray(4);
  return (
    startsWith(behind, [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) || startsWith(behind, [0x17, 0x72, 0x45, 0x38, 0x50, 0x90])
  );
};

/** The kind, and for archives that we cannot open their name. */
export function containerKind(head: Uint8Array): { readonly kind: ContainerKind; readonly name: string } {
  if (startsWith(head, [0x1f, 0x8b, 0x08])) return { kind: 'gzip', name: 'gzip' };
  if (isZip(head)) return { kind: 'zip', name: 'zip' };
  if (startsWith(head, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])) return { kind: 'xz', name: 'xz' };
  if (isBzip2(head)) return { kind: 'bzip2', name: 'bzip2' };
  if (isZstd(Buffer.from(head.buffer, head.byteOffset, head.length))) return { kind: 'zstd', name: 'zstd' };
  const unsupported = UNSUPPORTED.find((magic) => startsWith(head, magic.bytes));
  if (unsupported) return { kind: 'unsupported', name: unsupported.name };
  if (isTarHeader(head)) return { kind: 'tar', name: 'tar' };
  return { kind: 'plain', name: 'file' };
}

/**
 * Zip files that are no bundles: programs, documents and checkpoints are zips by their inside. Judged by the name of the first
 * member. Undefined for archives that are worth opening.
 */
export function zipOfOtherUse(head: Buffer): string | undefined {
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04034b50) return undefined;
  const name = head.toString('latin1', 30, 30 + head.readUInt16LE(26));
  if (/^[^/]+\/(?:data\.pkl|\.format_version|byteorder|version)$/.test(name)) return 'a PyTorch checkpoint';
  if (name === '[Content_Types].xml' || name === 'mimetype') return 'an Office document';
  if (name.startsWith('META-INF/')) return 'a Java archive';
  return /\.npy$/.test(name) ? 'NumPy arrays' : undefined;
}

const CHECKSUM_AT = 148;

/**
 * True if the 512 bytes are a tar header: their checksum fits, as unsigned or (very old writers) signed sum.
 * A truncated header with the `ustar` magic counts as well, so that a cut archive is still called one.
 */
export function isTarHeader(header: Uint8Array): boolean {
  if (header.length < 512) {
    return header.length >= 262 && Buffer.from(header.subarray(257, 262)).toString('latin1') === 'ustar';
  }
  const stored = parseTarNumber(header.subarray(CHECKSUM_AT, CHECKSUM_AT + 8));
  if (stored === undefined || stored === 0) return false;
  let unsigned = 0;
  let signed = 0;
  for (let i = 0; i < 512; i += 1) {
    const byte = i >= CHECKSUM_AT && i < CHECKSUM_AT + 8 ? 0x20 : (header[i] ?? 0);
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  return stored === unsigned || stored === signed;
}

/** Octal text, or base-256 when the first bit is set. Undefined if it is neither, or negative. */
export function parseTarNumber(field: Uint8Array): number | undefined {
  const first = field[0] ?? 0;
  if (first & 0x80) {
    if (first & 0x40) return undefined;
    let value = first & 0x3f;
    for (const byte of field.subarray(1)) value = value * 256 + byte;
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const text = Buffer.from(field).toString('latin1').replace(/\0.*$/s, '').trim();
  if (text === '') return 0;
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : undefined;
}
