/**
 * Is a bundle a case already? A file is told by its SHA-256, a folder by path, size and SHA-256 of every file in it (`folder-digest.ts`).
 * Only what has the size of a case, and of a folder the same list of paths and sizes, is read for it.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CaseSummary } from '#shared/model/case.ts';
import type { CancelSignal } from '#shared/model/job.ts';
import { Budget } from '../bundle/budget.ts';
import type { FolderListing } from '../bundle/folder.ts';
import { joinListedParts, listFolder } from '../bundle/folder.ts';
import { digestOfFolder, type FolderDigest, listDigest } from '../bundle/folder-digest.ts';
import { DEFAULT_LIMITS } from '../bundle/limits.ts';
import { placeInFolder } from '../case-files.ts';
import type { CaseLibrary } from '../case-library.ts';
import { FOLDER_KEY } from '../import/reading.ts';
import { CaseReader } from '../store/case-reader.ts';

export interface KnownCase {
  readonly summary: CaseSummary;
  /** Files that were compared, if it is a folder. */
  readonly folderFiles: number | undefined;
}

/** The newest whole case of the same bytes; undefined for several inputs, whose hash only reading tells. */
export async function findKnownCase(
  library: CaseLibrary,
  paths: readonly string[],
  cancel: CancelSignal,
): Promise<KnownCase | undefined> {
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0) return undefined;
  try {
    const info = await stat(path);
    if (info.isDirectory()) return await knownFolder(library, path, cancel);
    const candidates = info.isFile() ? casesOf(library, info.size) : [];
    if (candidates.length === 0) return undefined;
    const sha256 = await hashOf(path, cancel);
    const summary = candidates.find((one) => isOf(one, sha256));
    return summary && { summary, folderFiles: undefined };
  } catch {
    // The import itself says what is wrong with the file.
    return undefined;
  }
}

const casesOf = (library: CaseLibrary, size: number): CaseSummary[] =>
  library.list().cases.filter(({ bytes, partial, example }) => bytes === size && !partial && !example);

async function knownFolder(library: CaseLibrary, path: string, cancel: CancelSignal): Promise<KnownCase | undefined> {
  const hooks = { cancel, onInputBytes: () => undefined };
  const listing = await joinListedParts(await listFolder(path, basename(path), new Budget(DEFAULT_LIMITS, 0), hooks));
  const candidates = foldersLike(library, listing);
  if (candidates.length === 0) return undefined;
  const found = await digestOfFolder(listing, hooks);
  const same = candidates.find(({ digest }) => digest.content === found?.content);
  return same && { summary: same.summary, folderFiles: same.digest.files };
}

/** Cases of folders with the same paths and sizes. */
function foldersLike(library: CaseLibrary, listing: FolderListing) {
  const list = listDigest(listing);
  const size = listing.members.reduce((sum, { bytes }) => sum + bytes, 0);
  return casesOf(library, size).flatMap((summary) => {
    const digest = storedDigest(library, summary);
    return digest?.list === list ? [{ summary, digest }] : [];
  });
}

function storedDigest(library: CaseLibrary, { caseId }: CaseSummary): FolderDigest | undefined {
  const folder = library.folderOf(caseId);
  const reader = folder === undefined ? undefined : CaseReader.open(placeInFolder(folder).caseDb);
  if (reader?.ok !== true) return undefined;
  try {
    const value: unknown = JSON.parse(reader.value.meta().get(FOLDER_KEY) ?? 'null');
    return isDigest(value) ? value : undefined;
  } finally {
    reader.value.close();
  }
}

const isDigest = (value: unknown): value is FolderDigest =>
  typeof value === 'object' &&
  value !== null &&
  'files' in value &&
  typeof value.files === 'number' &&
  'list' in value &&
  typeof value.list === 'string' &&
  'content' in value &&
  typeof value.content === 'string';

/** Cases of older versions know the beginning of the hash alone, from their id. */
const isOf = ({ sha256, caseId }: CaseSummary, hash: string): boolean =>
  sha256 === undefined ? new RegExp(`-${hash.slice(0, 8)}(?:-\\d+)?$`).test(caseId) : sha256 === hash;

async function hashOf(path: string, cancel: CancelSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    if (cancel.aborted) return '';
    hash.update(chunk);
  }
  return hash.digest('hex');
}
