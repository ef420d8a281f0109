import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import type { Budget } from './budget.ts';
import type { BundleItem, Refusal } from './bundle-item.ts';
import { checkCancelled, type DiskPath, fileChunks, type ReadHooks } from './byte-source.ts';
import { checkMemberPath, linkRefusal, nameOf, visiblePath } from './member-path.ts';
import { findSplitArchives, missingPartItems } from './split-parts.ts';
import { systemReason } from './system-reason.ts';

export interface FolderMember {
  /** With `/`, relative to the folder. */
  readonly path: string;
  readonly file: DiskPath;
  readonly bytes: number;
  readonly refusal: Refusal | undefined;
  /** Changes with the file: size, times and number on its disk. Empty if nothing is known. */
  readonly stamp: string;
  /** The parts of a split archive that `path` stands for, in order; undefined for one file. */
  readonly parts?: readonly DiskPath[];
  readonly hint?: string;
}

export interface FolderListing {
  /** Sorted by path. */
  readonly members: readonly FolderMember[];
  /** Folders that could not be listed, and the entry limit if it was passed. */
  readonly issues: readonly BundleItem[];
}

const MAX_DEPTH = 64;

/** Lists a folder without following links. Slow on network folders; looks at `cancel` for every folder. */
export async function listFolder(
  root: string,
  input: string,
  budget: Budget,
  hooks: ReadHooks,
): Promise<FolderListing> {
  const members: FolderMember[] = [];
  const issues: BundleItem[] = [];
  const open: { readonly folder: DiskPath; readonly prefix: string; readonly depth: number }[] = [
    { folder: root, prefix: '', depth: 0 },
  ];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    checkCancelled(hooks.cancel);
    let names: readonly Buffer[];
    try {
      names = await readdir(at.folder, { encoding: 'buffer' });
    } catch (error) {
      issues.push({
        kind: 'issue',
        code: 'read-failed',
        severity: 'error',
        path: at.prefix === '' ? input : visiblePath(at.prefix),
        detail: `folder cannot be listed: ${systemReason(error)}`,
      });
      continue;
    }
    for (const bytes of names) {
      const name = nameOf(bytes);
      const tooMany = budget.addEntry();
      if (tooMany !== undefined) {
        issues.push({
          kind: 'issue',
          code: tooMany.code,
          severity: 'refused',
          path: input,
          detail: `${tooMany.detail}; the rest is not read`,
        });
        open.length = 0;
        break;
      }
      const file = fileIn(at.folder, bytes, name);
      const member = await inspect(file, at.prefix + name, budget);
      if (member !== 'folder') members.push(member);
      else if (at.depth < MAX_DEPTH) open.push({ folder: file, prefix: `${at.prefix}${name}/`, depth: at.depth + 1 });
      else
        issues.push({
          kind: 'issue',
          code: 'path-too-long',
          severity: 'refused',
          path: visiblePath(at.prefix + name),
          detail: `folders nested deeper than ${MAX_DEPTH}`,
        });
    }
  }
  members.sort(byPath);
  return { members, issues };
}

const byPath = (a: FolderMember, b: FolderMember): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

/** A path as text as long as its bytes are text. */
function fileIn(folder: DiskPath, bytes: Buffer, name: string): DiskPath {
  if (typeof folder === 'string' && isUtf8(bytes)) return `${folder}/${name}`;
  return Buffer.concat([typeof folder === 'string' ? Buffer.from(folder) : folder, SLASH, bytes]);
}

const SLASH = Buffer.from('/');

async function inspect(file: DiskPath, rawPath: string, budget: Budget): Promise<FolderMember | 'folder'> {
  const checked = checkMemberPath(rawPath, budget.limits.maxPathBytes);
  if (!checked.ok) return { path: checked.shown, file, bytes: 0, refusal: checked.refusal, stamp: '' };
  const member = (bytes: number, refusal: Refusal | undefined, stamp = ''): FolderMember => ({
    path: checked.path,
    file,
    bytes,
    refusal,
    stamp,
  });
  try {
    const info = await lstat(file);
    if (info.isDirectory()) return 'folder';
    if (info.isSymbolicLink()) return member(0, linkRefusal(checked.path, await readlink(file), false));
    if (info.isFile()) return member(info.size, budget.checkDeclared(info.size), stampOf(info));
    const what = info.isFIFO()
      ? 'FIFO'
      : info.isSocket()
        ? 'socket'
        : info.isCharacterDevice()
          ? 'character device'
          : 'block device';
    return member(0, { code: 'entry-is-device', status: 'refused', detail: what });
  } catch (error) {
    return member(0, { code: 'read-failed', status: 'failed', detail: `cannot be read: ${systemReason(error)}` });
  }
}

/** A file with the same stamp has the same bytes: whatever writes to it moves the time of its last change. */
export const stampOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): string => `${size} ${mtimeMs} ${ctimeMs} ${ino}`;

/** Puts an archive in place of the parts into which it was split. */
export async function joinListedParts(listing: FolderListing): Promise<FolderListing> {
  const files = listing.members.filter((member) => member.refusal === undefined);
  const sets = await findSplitArchives(files);
  if (sets.length === 0) return listing;
  const taken = new Set<FolderMember>(sets.flatMap((set) => [...set.parts, ...set.unread]));
  const members = listing.members.filter((member) => !taken.has(member));
  const issues = [...listing.issues];
  for (const set of sets) {
    for (const item of missingPartItems(set, set.path, (part) => part.path)) {
      if (item.kind !== 'refused') issues.push(item);
      else members.push({ path: item.path, file: '', bytes: item.bytes, refusal: item.refusal, stamp: '' });
    }
    if (set.parts.length === 0) continue;
    members.push({
      path: set.path,
      file: '',
      bytes: set.parts.reduce((sum, part) => sum + part.bytes, 0),
      refusal: undefined,
      stamp: set.parts.map((part) => part.stamp).join(','),
      parts: set.parts.map((part) => part.file),
      hint: set.hint,
    });
  }
  members.sort(byPath);
  return { members, issues };
}

/** A listed member as items; parts of one archive as that archive. */
export async function* folderMemberItems(
  member: FolderMember,
  path: string,
  openFiles: (member: FilesOnDisk) => AsyncGenerator<BundleItem>,
): AsyncGenerator<BundleItem> {
  const { bytes, refusal, file, parts = [file], hint = '' } = member;
  if (refusal !== undefined) yield { kind: 'refused', path, bytes, refusal };
  else yield* openFiles({ files: parts, path, bytes, noFollow: true, hint });
}

/** One file, or the parts of a split one in order. */
export interface FilesOnDisk {
  readonly files: readonly DiskPath[];
  readonly path: string;
  readonly bytes: number;
  readonly noFollow: boolean;
  /** See ArchivePlace. */
  readonly hint: string;
}

/** Files one after the other. One that vanishes or turns unreadable half-way fails alone. `onChanged`: see `fileChunks`. */
export async function* readOrFail(
  { files, noFollow }: Pick<FilesOnDisk, 'files' | 'noFollow'>,
  hooks: ReadHooks,
  end: { refusal: Refusal | undefined },
  onChanged: (how: string) => void,
): AsyncGenerator<Buffer> {
  try {
    for (const file of files) yield* fileChunks(file, hooks, noFollow, onChanged);
  } catch (error) {
    if (error instanceof Error && error.name === 'CancelledError') throw error;
    end.refusal = { code: 'read-failed', status: 'failed', detail: `cannot be read: ${systemReason(error)}` };
  }
}
