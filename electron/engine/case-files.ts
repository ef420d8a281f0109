/** Where a case's files are, and names that are safe to make folders of. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileSlug, withoutArchiveEnding } from '#shared/lib/file-names.ts';
import { type CaseId, caseId } from '#shared/model/ids.ts';

export interface CasePlace {
  readonly caseDb: string;
  readonly notesDb: string;
}

/** In the library: one folder a case. */
export const placeInFolder = (folder: string): CasePlace => ({
  caseDb: join(folder, 'case.db'),
  notesDb: join(folder, 'notes.db'),
});

/** A case that was written as a file of its own: the notes stand beside it. */
export const placeOfFile = (file: string): CasePlace => ({ caseDb: file, notesDb: `${file}.notes.db` });

/** Names that many bundles have, and that tell none from another. */
const COMMON_NAMES = new Set(
  'bundle bundles logs log artifacts output outputs out results data dump dumps evidence files incident case upload uploads download downloads tmp temp export collected debug'.split(
    ' ',
  ),
);

/** The name of a case: that of its bundle, with the folder above it where the name alone says nothing (`job-7f3a/bundle`). */
export function caseNameOf(bundleName: string, paths: readonly string[]): string {
  const [path] = paths;
  if (path === undefined || paths.length > 1) return bundleName;
  const plain = withoutArchiveEnding(bundleName).toLowerCase();
  const above = basename(dirname(path));
  return COMMON_NAMES.has(plain) && above !== '' && !COMMON_NAMES.has(above.toLowerCase()) ? above : bundleName;
}

/** Name + first digits of the bundle's hash; `taken` says which ids exist, and the id is then counted up. */
export function newCaseId(name: string, sha256: string, taken: (id: string) => boolean): CaseId {
  const base = `${fileSlug(name)}-${sha256.slice(0, 8)}`;
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken(id)) return caseId(id);
  }
}

/** Scratch folders carry the id of the process that owns them, so that a later start knows the abandoned ones. */
export const scratchName = (prefix: string, counter: number): string => `${prefix}${process.pid}-${counter}`;

/** One that this program gives up: anybody may take up what is in it. */
export const leftName = (prefix: string, counter: number): string => `${prefix}left-${counter}`;

/** In the scratch folder of an import that can be taken up again. */
export const IMPORT_NOTE = 'import.json';

/** Scratch folders of processes that are gone (a crash, a kill), and those that were given up. */
export function abandonedScratch(folder: string, prefix: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.startsWith(prefix))
    .filter((name) => {
      const owner = /^(\d+|left)-\d+$/.exec(name.slice(prefix.length))?.[1];
      return owner !== undefined && (owner === 'left' || !isAlive(Number(owner)));
    })
    .map((name) => join(folder, name));
}

/** Removes those that hold no import to be taken up: nothing has to be cleaned by hand. */
export function sweepScratch(folder: string, prefix: string): void {
  for (const abandoned of abandonedScratch(folder, prefix)) {
    if (!existsSync(join(abandoned, IMPORT_NOTE))) rmSync(abandoned, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
