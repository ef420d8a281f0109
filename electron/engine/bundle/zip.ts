/**
 * Zip by its central directory (yauzl): random access, so members come in the order of their value, and in path order among equals. Names are decoded and checked here, since the
 * library would end the whole archive at the first bad one. Checksums are verified: a damaged member says so.
 */
import { once } from 'node:events';
import { createInflateRaw, crc32 as nodeCrc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { ArchivePlace, OpenMember, StreamEnd } from './archive-place.ts';
import { wholeEnd } from './archive-place.ts';
import type { Budget } from './budget.ts';
import type { BundleItem, Refusal } from './bundle-item.ts';
import { CHUNK_BYTES, checkCancelled, type ReadHooks } from './byte-source.ts';
import { newDecompressEnd } from './codecs/decompress-end.ts';
import { decryptZip, WrongPasswordError, type ZipCipher, zipCipherOf } from './codecs/zip-cipher.ts';
import { driveZlib } from './codecs/zlib.ts';
import { checkMemberPath, linkRefusal, type PathCheck } from './member-path.ts';
import type { PasswordBook } from './password-book.ts';
import { type RandomBytes, ZipBytes } from './random-access.ts';
import { mayBePart } from './split-parts.ts';
import { byValue, type UnitTracker, unitItems } from './units.ts';
import { readingValue } from './value-order.ts';

export interface ZipContext {
  readonly place: ArchivePlace;
  readonly budget: Budget;
  readonly openMember: OpenMember;
  readonly hooks: ReadHooks;
  /** For encrypted members. */
  readonly passwords: PasswordBook;
  /** Set if the members are the files of the bundle. */
  readonly units: UnitTracker | undefined;
}

interface Member {
  readonly entry: Entry;
  readonly checked: PathCheck;
  readonly sortKey: string;
}

/** Error (why) when there is no usable central directory: then the caller may scan for members. */
export async function openZip(bytes: RandomBytes): Promise<Result<ZipFile, string>> {
  try {
    const options = { lazyEntries: true, decodeStrings: false, autoClose: false };
    return ok(await fromRandomAccessReaderPromise(new ZipBytes(bytes), bytes.size, options));
  } catch (error) {
    return err(messageOf(error));
  }
}

/** Closes `zip` at the end. */
export async function* zipItems(zip: ZipFile, context: ZipContext): AsyncGenerator<BundleItem> {
  try {
    const { members, problem } = await listMembers(zip, context);
    if (problem !== undefined) yield problem;
    context.units?.reserve(members.length);
    const inOrder = byValue(members, ({ sortKey, entry }) => readingValue(sortKey, entry.uncompressedSize));
    for (const { item: member, place, value } of inOrder) {
      checkCancelled(context.hooks.cancel);
      context.units?.begin(value);
      const items = () => memberItems(zip, member, context);
      if (context.units === undefined) yield* items();
      else yield* unitItems({ key: unitKey(member), place, open: items, budget: context.budget, units: context.units });
      if (context.budget.exceeded !== undefined) return;
    }
  } finally {
    zip.close();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** All members but folders, sorted by path, then by position. Stops at the entry limit or at damage, and says so. */
async function listMembers(
  zip: ZipFile,
  context: ZipContext,
): Promise<{ members: Member[]; problem: BundleItem | undefined }> {
  const members: Member[] = [];
  let problem: BundleItem | undefined;
  try {
    for (;;) {
      const entry = await nextEntry(zip);
      if (entry === undefined) break;
      const tooMany = context.budget.addEntry();
      if (tooMany !== undefined) {
        problem = {
          kind: 'issue',
          code: tooMany.code,
          severity: 'refused',
          path: context.place.shown,
          detail: `${tooMany.detail}; the rest is not read`,
        };
        break;
      }
      const raw = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
      if (raw.endsWith('/') && entry.uncompressedSize === 0) continue;
      const checked = checkMemberPath(raw, context.budget.limits.maxPathBytes, context.place.prefix);
      members.push({ entry, checked, sortKey: checked.ok ? checked.path : checked.shown });
    }
  } catch (error) {
    problem = {
      kind: 'issue',
      code: 'archive-damaged',
      severity: 'error',
      path: context.place.shown,
      detail: `zip directory damaged: ${messageOf(error)}`,
    };
  }
  members.sort(
    (a, b) =>
      compareText(a.sortKey, b.sortKey) || a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  );
  return { members, problem };
}

/** A member and what would show that it changed; undefined for parts, which are opened when all members were seen. */
const unitKey = ({ sortKey, entry }: Member): string | undefined =>
  mayBePart(sortKey) || /\.zip$/i.test(sortKey)
    ? undefined
    : JSON.stringify([sortKey, entry.relativeOffsetOfLocalHeader, entry.crc32, entry.compressedSize]);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function nextEntry(zip: ZipFile): Promise<Entry | undefined> {
  const abort = new AbortController();
  const entry = once(zip, 'entry', { signal: abort.signal }).then((args) => args[0] as Entry);
  const end = once(zip, 'end', { signal: abort.signal }).then(() => undefined);
  zip.readEntry();
  try {
    return await Promise.race([entry, end]);
  } finally {
    entry.catch(() => undefined);
    end.catch(() => undefined);
    abort.abort();
  }
}

async function* memberItems(zip: ZipFile, member: Member, context: ZipContext): AsyncGenerator<BundleItem> {
  const { entry, checked } = member;
  const path = context.place.prefix + member.sortKey;
  const refusal = checked.ok ? await memberRefusal(zip, entry, checked.path, context) : checked.refusal;
  if (refusal !== undefined) {
    yield { kind: 'refused', path, bytes: entry.uncompressedSize, refusal };
    context.hooks.onInputBytes(entry.compressedSize);
    return;
  }
  const end = wholeEnd();
  const chunks = memberBytes(zip, entry, end, context);
  yield* context.openMember({ chunks, end, path, size: entry.uncompressedSize });
}

const ASK_PASSWORD =
  'encrypted; give its password with "firstfault analyze --password …", or unpack it and import the folder';
const encrypted = (detail: string): Refusal => ({ code: 'entry-encrypted', status: 'refused', detail });

/** Looks at the first bytes. True as well if only reading tells. */
async function opensWith(zip: ZipFile, entry: Entry, cipher: ZipCipher, password: string): Promise<boolean> {
  try {
    const clear = decryptZip(cipher, password, await rawBytes(zip, entry));
    await clear.next();
    await clear.return(undefined);
    return true;
  } catch (error) {
    return !(error instanceof WrongPasswordError);
  }
}

const rawBytes = async (zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> =>
  zip.openReadStreamPromise(entry, { decodeFileData: false });

/** The content of an encrypted member, in clear. What stood before damage is delivered; then it throws. */
async function* clearBytes(zip: ZipFile, entry: Entry, cipher: ZipCipher, password: string): AsyncGenerator<Buffer> {
  const packed = decryptZip(cipher, password, await rawBytes(zip, entry));
  if (cipher.method === STORED) {
    yield* packed;
    return;
  }
  const end = newDecompressEnd();
  yield* driveZlib(packed, () => createInflateRaw({ chunkSize: CHUNK_BYTES }), end);
  if (end.cut !== undefined) throw new Error(end.detail);
}

const STORED = 0;
const DEFLATED = 8;
const UNIX = 3;
const FILE_TYPE = 0xf000;

async function memberRefusal(
  zip: ZipFile,
  entry: Entry,
  path: string,
  { budget, passwords }: ZipContext,
): Promise<Refusal | undefined> {
  const cipher = entry.isEncrypted() ? zipCipherOf(entry) : undefined;
  if (entry.isEncrypted()) {
    if (cipher === undefined)
      return encrypted('encrypted in a way that is not supported; unpack it and import the folder');
    const found = await passwords.fitting((password) => opensWith(zip, entry, cipher, password));
    if (found === 'none') return encrypted(ASK_PASSWORD);
    if (found === 'wrong') return encrypted('encrypted, and not with the password that was given');
  }
  const mode = entry.versionMadeBy >> 8 === UNIX ? (entry.externalFileAttributes >>> 16) & FILE_TYPE : 0;
  switch (mode) {
    case 0xa000:
      return linkRefusal(path, await linkTarget(zip, entry), false);
    case 0x2000:
      return { code: 'entry-is-device', status: 'refused', detail: 'character device' };
    case 0x6000:
      return { code: 'entry-is-device', status: 'refused', detail: 'block device' };
    case 0x1000:
      return { code: 'entry-is-device', status: 'refused', detail: 'FIFO' };
    case 0xc000:
      return { code: 'entry-is-device', status: 'refused', detail: 'socket' };
    default:
  }
  const method = cipher?.method ?? entry.compressionMethod;
  if (method !== STORED && method !== DEFLATED) {
    return { code: 'unsupported-archive', status: 'skipped', detail: `compression method ${method} is not supported` };
  }
  return budget.checkDeclared(entry.uncompressedSize);
}

/** A symbolic link's target is the member's content. An overlong one counts as leaving the bundle. */
async function linkTarget(zip: ZipFile, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > 4096 || !entry.canDecodeFileData()) return '/';
  try {
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part);
    return Buffer.concat(parts).toString('utf8');
  } catch {
    return '/';
  }
}

async function* memberBytes(zip: ZipFile, entry: Entry, end: StreamEnd, context: ZipContext): AsyncGenerator<Buffer> {
  let delivered = 0;
  let crc = 0;
  const total = Math.max(1, entry.uncompressedSize);
  try {
    const cipher = entry.isEncrypted() ? zipCipherOf(entry) : undefined;
    const content: AsyncIterable<Buffer> =
      cipher === undefined || context.passwords.password === undefined
        ? await zip.openReadStreamPromise(entry)
        : clearBytes(zip, entry, cipher, context.passwords.password);
    const hasCrc = nodeCrc32 !== undefined && !(cipher?.kind === 'aes' && !cipher.hasCrc);
    for await (const chunk of content) {
      checkCancelled(context.hooks.cancel);
      if (!context.budget.addWork(chunk.length)) return;
      delivered += chunk.length;
      if (nodeCrc32 !== undefined) crc = nodeCrc32(chunk, crc);
      context.hooks.onInputBytes((entry.compressedSize * chunk.length) / total);
      yield chunk;
    }
    if (hasCrc && crc !== entry.crc32) {
      end.truncatedAt = delivered;
      end.damage = 'damaged';
      end.cut = 'checksum does not match: the content is damaged';
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'CancelledError') throw error;
    end.truncatedAt = delivered;
    end.damage = 'damaged';
    end.damageDetail = messageOf(error);
    end.cut = `damaged after ${delivered} bytes: ${messageOf(error)}`;
  }
}
