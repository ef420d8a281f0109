/**
 * Zip without its central directory: an upload that was cut off. Members are read one after the other by their local headers, up
 * to the damage. The stored mode stands only in the directory, so a link cannot be told here: its content, the target's path, is
 * read as text and nothing is followed.
 *
 *   PK 3 4 header │ name │ extra │ content │ (PK 7 8 descriptor) │ PK 3 4 …
 *
 * Source: APPNOTE.TXT 6.3.10, 4.3. Not covered: stored members of unknown length, encrypted members of unknown length.
 */
import { createInflateRaw } from 'node:zlib';
import { getFileNameLowLevel, parseExtraFields } from 'yauzl';
import type { OpenMember, StreamEnd } from './archive-place.ts';
import { wholeEnd } from './archive-place.ts';
import type { Budget } from './budget.ts';
import type { BundleItem, Refusal } from './bundle-item.ts';
import { type ByteReader, CHUNK_BYTES } from './byte-source.ts';
import { newDecompressEnd } from './codecs/decompress-end.ts';
import { driveZlib } from './codecs/zlib.ts';
import { checkMemberPath } from './member-path.ts';

export interface ZipScanContext {
  readonly prefix: string;
  readonly budget: Budget;
  readonly openMember: OpenMember;
}

interface LocalHeader {
  readonly flags: number;
  readonly method: number;
  /** Undefined: only the descriptor behind the content tells. */
  readonly packedBytes: number | undefined;
  readonly unpackedBytes: number | undefined;
  readonly name: string;
}

const HEADER_BYTES = 30;
const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const STORED = 0;
const DEFLATED = 8;

/** Ends without an issue of its own: the caller has said already that the directory is missing. */
export async function* zipScanItems(reader: ByteReader, context: ZipScanContext): AsyncGenerator<BundleItem> {
  for (;;) {
    const header = await readLocalHeader(reader);
    if (header === undefined) return;
    const tooMany = context.budget.addEntry();
    if (tooMany !== undefined) {
      context.budget.exceeded = tooMany;
      return;
    }
    const known = header.packedBytes !== undefined;
    const readable = header.method === DEFLATED || (header.method === STORED && known);
    const checked = checkMemberPath(header.name, context.budget.limits.maxPathBytes, context.prefix);
    const refusal = checked.ok ? memberRefusal(header, readable, context.budget) : checked.refusal;
    const path = context.prefix + (checked.ok ? checked.path : checked.shown);
    const end = wholeEnd();
    const start = reader.offset;
    const content = memberBytes(reader, header, end, context.budget);
    if (refusal === undefined && !header.name.endsWith('/')) {
      yield* context.openMember({ chunks: content, end, path, size: header.unpackedBytes ?? null });
    } else {
      if (refusal !== undefined) yield { kind: 'refused', path, bytes: header.unpackedBytes ?? 0, refusal };
      if (header.packedBytes === undefined) {
        if (!readable) return;
        for await (const _ of content);
      }
    }
    if (context.budget.exceeded !== undefined) return;
    if (header.packedBytes !== undefined) await reader.skip(start + header.packedBytes - reader.offset);
    else if (end.refusal !== undefined) return;
    if (end.truncatedAt !== undefined) return;
    if (!known && !(await skipDescriptor(reader))) return;
  }
}

async function readLocalHeader(reader: ByteReader): Promise<LocalHeader | undefined> {
  const head = await reader.peek(HEADER_BYTES);
  if (head.length < HEADER_BYTES || head.readUInt32LE(0) !== LOCAL) return undefined;
  const nameBytes = head.readUInt16LE(26);
  const extraBytes = head.readUInt16LE(28);
  const whole = await reader.readExactly(HEADER_BYTES + nameBytes + extraBytes);
  if (whole.length < HEADER_BYTES + nameBytes + extraBytes) return undefined;
  const flags = whole.readUInt16LE(6);
  const packed = whole.readUInt32LE(18);
  const unpacked = whole.readUInt32LE(22);
  const extra = extraFields(whole.subarray(HEADER_BYTES + nameBytes));
  const unknown = (flags & 8) !== 0;
  // zip64: sizes of 0xffffffff stand in the first extra field, the unpacked one first.
  const long = extra.find((field) => field.id === 1)?.data;
  const isLong = packed === 0xffffffff && long !== undefined && long.length >= 16;
  return {
    flags,
    method: whole.readUInt16LE(8),
    packedBytes: unknown ? undefined : isLong ? Number(long.readBigUInt64LE(8)) : packed,
    unpackedBytes: unknown ? undefined : isLong ? Number(long.readBigUInt64LE(0)) : unpacked,
    name: getFileNameLowLevel(flags, whole.subarray(HEADER_BYTES, HEADER_BYTES + nameBytes), extra, true),
  };
}

function extraFields(bytes: Buffer): ReturnType<typeof parseExtraFields> {
  try {
    return parseExtraFields(bytes);
  } catch {
    return [];
  }
}

function memberRefusal(header: LocalHeader, readable: boolean, budget: Budget): Refusal | undefined {
  if ((header.flags & 1) !== 0)
    return {
      code: 'entry-encrypted',
      status: 'refused',
      detail: 'encrypted, in a zip whose directory is missing; unpack it and import the folder',
    };
  if (!readable)
    return {
      code: 'unsupported-archive',
      status: 'skipped',
      detail: `compression method ${header.method} is not supported`,
    };
  return budget.checkDeclared(header.unpackedBytes ?? 0);
}

async function* memberBytes(
  reader: ByteReader,
  header: LocalHeader,
  end: StreamEnd,
  budget: Budget,
): AsyncGenerator<Buffer> {
  const cut = newDecompressEnd();
  const packed = packedBytes(reader, header, cut);
  const pieces =
    header.method === STORED ? packed : driveZlib(packed, () => createInflateRaw({ chunkSize: CHUNK_BYTES }), cut);
  let delivered = 0;
  for await (const piece of pieces) {
    if (!budget.addWork(piece.length)) return;
    delivered += piece.length;
    yield piece;
  }
  const short = header.unpackedBytes !== undefined && delivered < header.unpackedBytes;
  if (cut.cut === undefined && !short) return;
  end.truncatedAt = delivered;
  end.damage = cut.cut ?? 'truncated';
  end.damageDetail = cut.detail;
  end.cut =
    cut.cut === 'damaged' ? 'the compressed data is damaged here' : 'the archive ends before the end of this file';
}

/** The member's packed bytes. Where their number is unknown, what the codec did not take is given back to the reader. */
async function* packedBytes(
  reader: ByteReader,
  header: LocalHeader,
  cut: { rest: Buffer | undefined; finished: boolean },
): AsyncGenerator<Buffer> {
  let missing = header.packedBytes ?? Number.POSITIVE_INFINITY;
  while (missing > 0) {
    const piece = await reader.readSome(Math.min(missing, CHUNK_BYTES));
    if (piece === undefined) return;
    missing -= piece.length;
    yield piece;
    if (header.packedBytes === undefined && cut.finished) {
      if (cut.rest !== undefined) reader.unread(cut.rest);
      return;
    }
  }
}

/** Behind content of unknown length: (signature) checksum and two sizes, of 4 or 8 bytes. False if no header follows. */
async function skipDescriptor(reader: ByteReader): Promise<boolean> {
  for (const bytes of [12, 16, 20, 24]) {
    const ahead = await reader.peek(bytes + 4);
    if (ahead.length < bytes + 4) return false;
    const signed = ahead.readUInt32LE(0) === DESCRIPTOR;
    const next = ahead.readUInt32LE(bytes);
    // 16 and 24 bytes begin with the signature, 12 and 20 do not; what follows is a header or the directory.
    if (signed === (bytes === 16 || bytes === 24) && (next === LOCAL || next === 0x02014b50)) {
      await reader.skip(bytes);
      return next === LOCAL;
    }
  }
  return false;
}
