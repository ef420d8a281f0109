/**
 * Tar as a stream: old (v7), ustar, GNU long names, pax. Read by hand because every byte before a cut must be delivered, and
 * because the limits, the refusals and the byte of the damage are the point here. Headers are 512 bytes; nothing but a
 * long name or a pax record is held in memory.
 *
 *   header │ content, padded to 512 │ header │ … │ two zero blocks │ (further archives, appended)
 *
 * Source: POSIX.1-2017 pax, GNU tar manual "Basic Tar Format". Not covered: sparse members (refused), volumes, incremental dumps.
 */

import type { ArchivePlace, OpenMember, StreamEnd } from './archive-place.ts';
import { wholeEnd } from './archive-place.ts';
import type { Budget } from './budget.ts';
import type { BundleItem, Refusal } from './bundle-item.ts';
import type { ByteReader } from './byte-source.ts';
import { CHUNK_BYTES } from './byte-source.ts';
import { isTarHeader, parseTarNumber } from './container-kind.ts';
import { checkMemberPath, linkRefusal, nameOf, visiblePath } from './member-path.ts';

const BLOCK = 512;
/** Of one pax record or long name: chosen, not measured; real ones are below 2 KiB. */
const MAX_EXTENSION_BYTES = 1024 * 1024;

export interface TarContext {
  readonly place: ArchivePlace;
  readonly budget: Budget;
  readonly openMember: OpenMember;
}

interface Header {
  readonly type: string;
  readonly name: string;
  readonly linkName: string;
  readonly size: number | undefined;
}

/** What extension headers say about the next member. */
interface Extension {
  path?: string;
  linkPath?: string;
  size?: number;
  sparse?: boolean;
}

export async function* tarItems(reader: ByteReader, context: TarContext): AsyncGenerator<BundleItem> {
  let extension: Extension = {};
  let zeroBlocks = 0;
  for (;;) {
    const at = reader.offset;
    const block = await reader.readExactly(BLOCK);
    if (block.length < BLOCK) {
      if (context.budget.exceeded !== undefined) return;
      const clean = block.length === 0 && zeroBlocks > 0 && context.place.end.damage === undefined;
      if (!clean) yield endsEarly(context, at + block.length, zeroBlocks > 0);
      return;
    }
    if (isZero(block)) {
      zeroBlocks += 1;
      continue;
    }
    if (!isTarHeader(block)) {
      yield {
        kind: 'issue',
        code: 'archive-damaged',
        severity: zeroBlocks > 1 ? 'warning' : 'error',
        path: context.place.shown,
        detail:
          zeroBlocks > 1
            ? `data after the archive's end at byte ${at} is ignored`
            : `no valid header at byte ${at}; read up to there`,
      };
      await drain(reader);
      return;
    }
    zeroBlocks = 0;
    const header = decodeHeader(block);
    const extended = await readExtension(reader, header, extension);
    if (extended === 'damaged') {
      yield {
        kind: 'issue',
        code: 'archive-damaged',
        severity: 'error',
        path: context.place.shown,
        detail: `bad extension header at byte ${at}; read up to there`,
      };
      return;
    }
    if (extended !== undefined) {
      extension = extended;
      continue;
    }
    const size = extension.size ?? header.size;
    if (size === undefined) {
      yield {
        kind: 'issue',
        code: 'archive-damaged',
        severity: 'error',
        path: context.place.shown,
        detail: `unreadable size at byte ${at}; read up to there`,
      };
      return;
    }
    yield* memberItems(reader, context, { header, extension, size });
    extension = {};
    if (context.budget.exceeded !== undefined) return;
  }
}

async function drain(reader: ByteReader): Promise<void> {
  while ((await reader.readSome(CHUNK_BYTES)) !== undefined);
}

function endsEarly(context: TarContext, byte: number, sawEnd: boolean): BundleItem {
  const { damage, damageDetail } = context.place.end;
  if (damage === 'stopped') {
    return {
      kind: 'issue',
      code: 'read-failed',
      severity: 'error',
      path: context.place.shown,
      detail: `reading stopped at byte ${byte} of the unpacked archive: ${damageDetail}; what stands before it was read`,
    };
  }
  if (damage === 'damaged') {
    return {
      kind: 'issue',
      code: 'archive-damaged',
      severity: 'error',
      path: context.place.shown,
      detail: `damaged at byte ${byte} of the unpacked archive (${damageDetail}); read up to there`,
    };
  }
  return {
    kind: 'issue',
    code: 'archive-truncated',
    severity: sawEnd ? 'info' : 'warning',
    path: context.place.shown,
    detail: `the archive ends early at byte ${context.place.packedBytes()} (${byte} bytes unpacked)${context.place.hint}`,
  };
}

interface Member {
  readonly header: Header;
  readonly extension: Extension;
  readonly size: number;
}

async function* memberItems(reader: ByteReader, context: TarContext, member: Member): AsyncGenerator<BundleItem> {
  const { header, extension, size } = member;
  const rawPath = extension.path ?? header.name;
  const padded = Math.ceil(size / BLOCK) * BLOCK;
  const isFolder = header.type === '5' || (isFile(header.type) && rawPath.endsWith('/'));
  const tooMany = context.budget.addEntry();
  if (tooMany !== undefined) {
    context.budget.exceeded = tooMany;
    yield {
      kind: 'issue',
      code: tooMany.code,
      severity: 'refused',
      path: context.place.shown,
      detail: `${tooMany.detail}; the rest is not read`,
    };
    return;
  }
  if (isFolder) {
    await reader.skip(header.type === '5' ? 0 : padded);
    return;
  }
  const checked = checkMemberPath(rawPath, context.budget.limits.maxPathBytes, context.place.prefix);
  const refusal = checked.ok ? memberRefusal(member, checked.path, context.budget) : checked.refusal;
  const path = context.place.prefix + (checked.ok ? checked.path : checked.shown);
  if (refusal !== undefined) {
    yield { kind: 'refused', path, bytes: isFile(header.type) ? size : 0, refusal };
    // Links and devices have no content, whatever their size field says (old writers set it for hard links).
    await reader.skip(hasContent(header.type) ? padded : 0);
    return;
  }
  const end = wholeEnd();
  const start = reader.offset;
  yield* context.openMember({ chunks: memberBytes(reader, size, end, context.place.end), end, path, size });
  if (context.budget.exceeded === undefined) await reader.skip(start + padded - reader.offset);
}

/** `around`: how the archive itself ended, valid once it has. */
async function* memberBytes(
  reader: ByteReader,
  size: number,
  end: StreamEnd,
  around: StreamEnd,
): AsyncGenerator<Buffer> {
  for (let missing = size; missing > 0; ) {
    const piece = await reader.readSome(missing);
    if (piece === undefined) {
      end.truncatedAt = size - missing;
      end.damage = 'truncated';
      end.cut =
        around.damage === 'stopped'
          ? `reading stopped ${missing} bytes before the end of this file: ${around.damageDetail}`
          : `the archive ends ${missing} bytes before the end of this file`;
      return;
    }
    missing -= piece.length;
    yield piece;
  }
}

const isFile = (type: string): boolean => type === '0' || type === '\0' || type === '7';
const hasContent = (type: string): boolean => !['1', '2', '3', '4', '5', '6'].includes(type);

function memberRefusal(member: Member, path: string, budget: Budget): Refusal | undefined {
  const { header, extension, size } = member;
  const target = extension.linkPath ?? header.linkName;
  switch (header.type) {
    case '1':
      return linkRefusal(path, target, true);
    case '2':
      return linkRefusal(path, target, false);
    case '3':
      return { code: 'entry-is-device', status: 'refused', detail: 'character device' };
    case '4':
      return { code: 'entry-is-device', status: 'refused', detail: 'block device' };
    case '6':
      return { code: 'entry-is-device', status: 'refused', detail: 'FIFO' };
    case 'S':
      return { code: 'sparse-entry', status: 'refused', detail: 'sparse file' };
    default:
  }
  if (extension.sparse === true) return { code: 'sparse-entry', status: 'refused', detail: 'sparse file' };
  if (!isFile(header.type)) {
    return {
      code: 'unsupported-archive',
      status: 'skipped',
      detail: `archive member of type "${visiblePath(header.type)}"`,
    };
  }
  return budget.checkDeclared(size);
}

function decodeHeader(block: Buffer): Header {
  const magic = block.toString('latin1', 257, 263);
  let name = text(block, 0, 100);
  // GNU archives ("ustar ") keep times where POSIX has the name's first part.
  if (magic === 'ustar\0') {
    const first = text(block, 345, 155);
    if (first !== '') name = `${first}/${name}`;
  }
  return {
    type: String.fromCharCode(block[156] ?? 0),
    name,
    linkName: text(block, 157, 100),
    size: parseTarNumber(block.subarray(124, 136)),
  };
}

function text(block: Buffer, from: number, length: number): string {
  const field = block.subarray(from, from + length);
  const end = field.indexOf(0);
  return nameOf(field.subarray(0, end === -1 ? length : end));
}

/** The extension after this header; undefined if the header is an ordinary member. */
async function readExtension(
  reader: ByteReader,
  header: Header,
  before: Extension,
): Promise<Extension | 'damaged' | undefined> {
  if (!['L', 'K', 'x', 'X', 'g'].includes(header.type)) return undefined;
  const size = header.size;
  if (size === undefined || size > MAX_EXTENSION_BYTES) return 'damaged';
  const body = await reader.readExactly(size);
  if (body.length < size) return 'damaged';
  await reader.skip(Math.ceil(size / BLOCK) * BLOCK - size);
  switch (header.type) {
    case 'L':
      return { ...before, path: text(body, 0, body.length) };
    case 'K':
      return { ...before, linkPath: text(body, 0, body.length) };
    case 'g':
      return before;
    default:
      return { ...before, ...paxRecords(body) };
  }
}

/** `27 path=some/long/name\n`: length in decimal, counts itself. Stops at the first malformed record. */
function paxRecords(body: Buffer): Extension {
  const found: Extension = {};
  let at = 0;
  while (at < body.length) {
    const space = body.indexOf(0x20, at);
    if (space === -1 || space - at > 10) break;
    const length = Number(body.toString('latin1', at, space));
    if (!Number.isInteger(length) || length <= space - at + 1 || at + length > body.length) break;
    const record = nameOf(body.subarray(space + 1, at + length - 1));
    const equals = record.indexOf('=');
    const [key, value] = [record.slice(0, equals), record.slice(equals + 1)];
    if (key === 'path') found.path = value;
    else if (key === 'linkpath') found.linkPath = value;
    else if (key === 'size' && /^\d{1,15}$/.test(value)) found.size = Number(value);
    else if (key.startsWith('GNU.sparse.')) found.sparse = true;
    at += length;
  }
  return found;
}

const ZERO_BLOCK = Buffer.alloc(BLOCK);
const isZero = (block: Buffer): boolean => block.equals(ZERO_BLOCK);
