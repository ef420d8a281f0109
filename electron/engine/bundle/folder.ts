import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Budget, budgeted } from './budget.ts';
import type { BundleItem, Refusal } from './bundle-item.ts';
import { wholeEnd } from './bundle-item.ts';
import { checkCancelled, fileChunks, type ReadHooks } from './byte-source.ts';
import { checkMemberPath, linkRefusal, visiblePath } from './member-path.ts';

export interface FolderMember {
  /** With `/`, relative to the folder. */
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
  readonly refusal: Refusal | undefined;
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
  const open: { readonly folder: string; readonly prefix: string; readonly depth: number }[] = [
    { folder: root, prefix: '', depth: 0 },
  ];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    checkCancelled(hooks.cancel);
    let names: string[];
    try {
      names = await readdir(at.folder);
    } catch (error) {
      issues.push({
        kind: 'issue',
        code: 'read-failed',
        severity: 'error',
        path: at.prefix === '' ? input : visiblePath(at.prefix),
        detail: `folder cannot be listed: ${messageOf(error)}`,
      });
      continue;
    }
    for (const name of names) {
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
      const member = await inspect(join(at.folder, name), at.prefix + name, budget);
      if (member !== 'folder') members.push(member);
      else if (at.depth < MAX_DEPTH)
        open.push({ folder: join(at.folder, name), prefix: `${at.prefix}${name}/`, depth: at.depth + 1 });
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
  members.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { members, issues };
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);

async function inspect(file: string, rawPath: string, budget: Budget): Promise<FolderMember | 'folder'> {
  const checked = checkMemberPath(rawPath, budget.limits.maxPathBytes);
  if (!checked.ok) return { path: checked.shown, file, bytes: 0, refusal: checked.refusal };
  const member = (bytes: number, refusal: Refusal | undefined): FolderMember => ({
    path: checked.path,
    file,
    bytes,
    refusal,
  });
  try {
    const info = await lstat(file);
    if (info.isDirectory()) return 'folder';
    if (info.isSymbolicLink()) return member(0, linkRefusal(checked.path, await readlink(file), false));
    if (info.isFile()) return member(info.size, budget.checkDeclared(info.size));
    const what = info.isFIFO()
      ? 'FIFO'
      : info.isSocket()
        ? 'socket'
        : info.isCharacterDevice()
          ? 'character device'
          : 'block device';
    return member(0, { code: 'entry-is-device', status: 'refused', detail: what });
  } catch (error) {
    return member(0, { code: 'read-failed', status: 'failed', detail: `cannot be read: ${messageOf(error)}` });
  }
}

/** The listed members as items, in path order. */
export async function* folderItems(
  listing: FolderListing,
  prefix: string,
  budget: Budget,
  hooks: ReadHooks,
): AsyncGenerator<BundleItem> {
  yield* listing.issues;
  for (const member of listing.members) {
    checkCancelled(hooks.cancel);
    const path = prefix + member.path;
    if (member.refusal !== undefined) {
      yield { kind: 'refused', path, bytes: member.bytes, refusal: member.refusal };
      continue;
    }
    const end = wholeEnd();
    const content = budgeted(readOrFail(member.file, hooks, end), budget, end);
    yield { kind: 'entry', path, repeated: false, declaredBytes: member.bytes, chunks: content, end };
    await content.return(undefined);
    if (budget.exceeded !== undefined) return;
  }
}

/** A file that vanishes or turns unreadable half-way fails alone. */
export async function* readOrFail(
  file: string,
  hooks: ReadHooks,
  end: { refusal: Refusal | undefined },
): AsyncGenerator<Buffer> {
  try {
    yield* fileChunks(file, hooks, true);
  } catch (error) {
    if (error instanceof Error && error.name === 'CancelledError') throw error;
    end.refusal = { code: 'read-failed', status: 'failed', detail: `cannot be read: ${messageOf(error)}` };
  }
}
