/** Imports that a crash, or a pause before the window was closed, left in the library: each in its scratch folder, with a note of what it is. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { JobId } from '#shared/model/ids.ts';
import type { UnfinishedImport } from '#shared/rpc/areas/imports.ts';
import { filePathsSchema, jobIdSchema } from '#shared/rpc/params.ts';
import { IMPORT_NOTE } from './case-files.ts';
import type { CaseLibrary } from './case-library.ts';

const noteSchema = z.object({
  jobId: jobIdSchema,
  title: z.string().max(400),
  paths: filePathsSchema,
  example: z.boolean(),
  /** ISO 8601 UTC. */
  lastAt: z.iso.datetime(),
  filesDone: z.int().nonnegative(),
  filesTotal: z.int().nonnegative().nullable(),
  paused: z.boolean(),
});

/** No password is ever among it. */
export type ImportNote = z.infer<typeof noteSchema>;

export function writeNote(folder: string, note: ImportNote): void {
  const file = join(folder, IMPORT_NOTE);
  writeFileSync(`${file}.tmp`, JSON.stringify(note), { mode: 0o600 });
  renameSync(`${file}.tmp`, file);
}

export const removeNote = (folder: string): void => rmSync(join(folder, IMPORT_NOTE), { force: true });

interface Left {
  readonly folder: string;
  readonly note: ImportNote;
}

/** Those that no running program owns. One whose note cannot be read is passed over. */
function left(library: CaseLibrary): Left[] {
  return library.abandoned().flatMap((folder) => {
    try {
      const parsed = noteSchema.safeParse(JSON.parse(readFileSync(join(folder, IMPORT_NOTE), 'utf8')));
      return parsed.success ? [{ folder, note: parsed.data }] : [];
    } catch {
      return [];
    }
  });
}

/** Newest first. */
export function listUnfinished(library: CaseLibrary): readonly UnfinishedImport[] {
  return left(library)
    .map(({ note: { jobId, title, lastAt, filesDone, filesTotal, paused } }) => {
      return { jobId, title, lastAt, filesDone, filesTotal, wasPaused: paused };
    })
    .sort((a, b) => (a.lastAt < b.lastAt ? 1 : -1));
}

/** Makes the import this program's own; undefined if there is none of this id, or another program was quicker. */
export function claimUnfinished(library: CaseLibrary, jobId: JobId): Left | undefined {
  const found = left(library).find(({ note }) => note.jobId === jobId);
  if (found === undefined) return undefined;
  try {
    const folder = library.claimScratch(found.folder);
    return existsSync(join(folder, IMPORT_NOTE)) ? { folder, note: found.note } : undefined;
  } catch {
    return undefined;
  }
}

/** False if there is none of this id. */
export function forgetUnfinished(library: CaseLibrary, jobId: JobId): boolean {
  const claimed = claimUnfinished(library, jobId);
  if (claimed === undefined) return false;
  rmSync(claimed.folder, { recursive: true, force: true });
  return true;
}
