/**
 * The cases that are kept: `HOME/cases/ID/{case.db,notes.db,case.json}`. `case.json` is the row of the case list, so that listing
 * opens no database. A folder without a readable one is skipped and counted, never removed.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CaseSummary } from '#shared/model/case.ts';
import { OUTCOMES, STATUSES } from '#shared/model/finding.ts';
import { CASE_ID, type CaseId } from '#shared/model/ids.ts';
import { caseIdSchema } from '#shared/rpc/params.ts';
import { abandonedScratch, leftName, newCaseId, scratchName, sweepScratch } from './case-files.ts';
import { listOverrides } from './store/clock-overrides.ts';
import { readChoices } from './store/export-log.ts';
import { NotesDb } from './store/notes-db.ts';

const SCRATCH = '.importing-';

const summarySchema = z.object({
  caseId: caseIdSchema,
  name: z.string(),
  incidentStart: z.string().nullable(),
  importedAt: z.iso.datetime(),
  ranks: z.int().nonnegative().nullable(),
  bytes: z.int().nonnegative(),
  files: z.int().nonnegative(),
  outcome: z.enum(OUTCOMES),
  status: z.enum(STATUSES),
  firstRanks: z.array(z.int().nonnegative()),
  summary: z.string(),
  gaps: z.int().nonnegative(),
  partial: z.boolean(),
  example: z.boolean(),
  toolVersion: z.string(),
  bundleName: z.string().optional(),
  pinned: z.boolean().optional(),
  sha256: z.string().optional(),
});

export class CaseLibrary {
  readonly #folder: string;
  #scratchCount = 0;

  /** `home`: the data folder; made when the first case is kept. */
  constructor(home: string) {
    this.#folder = join(home, 'cases');
    sweepScratch(this.#folder, SCRATCH);
  }

  /** All cases, newest import first; `skipped` = folders whose `case.json` is missing or damaged. */
  list(): { readonly cases: readonly CaseSummary[]; readonly skipped: number } {
    const cases: CaseSummary[] = [];
    let skipped = 0;
    for (const name of this.#names()) {
      const summary = this.summary(name);
      if (summary === undefined) skipped += 1;
      else cases.push(summary);
    }
    const text = (summary: CaseSummary) => `${summary.importedAt} ${summary.caseId}`;
    cases.sort((a, b) => (text(a) < text(b) ? 1 : -1));
    return { cases, skipped };
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder, { withFileTypes: true })
        .filter((item) => item.isDirectory() && !item.name.startsWith('.'))
        .map((item) => item.name);
    } catch {
      return [];
    }
  }

  summary(id: string): CaseSummary | undefined {
    try {
      const parsed = summarySchema.safeParse(JSON.parse(readFileSync(join(this.#folder, id, 'case.json'), 'utf8')));
      // A folder that was renamed by hand keeps working under its new name.
      return parsed.success && CASE_ID.test(id) ? { ...parsed.data, caseId: id as CaseId } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Folder of a case, or undefined if there is none of this id. */
  folderOf(id: CaseId): string | undefined {
    const folder = join(this.#folder, id);
    return CASE_ID.test(id) && existsSync(folder) ? folder : undefined;
  }

  /** An empty folder for an import, on the same volume as the library. */
  makeScratch(): string {
    mkdirSync(this.#folder, { recursive: true });
    for (;;) {
      this.#scratchCount += 1;
      const folder = join(this.#folder, scratchName(SCRATCH, this.#scratchCount));
      if (existsSync(folder)) continue;
      // A customer's logs: readable by this user only.
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    }
  }

  /** Scratch folders of programs that are gone and whose import can be taken up. */
  abandoned(): readonly string[] {
    return abandonedScratch(this.#folder, SCRATCH);
  }

  /** Gives up a scratch folder whose import can be taken up. */
  leaveScratch(folder: string): void {
    for (let n = 1; ; n += 1) {
      const left = join(this.#folder, leftName(SCRATCH, n));
      if (existsSync(left)) continue;
      renameSync(folder, left);
      return;
    }
  }

  /** Makes a scratch folder this program's own. Throws if it is gone. */
  claimScratch(folder: string): string {
    for (;;) {
      this.#scratchCount += 1;
      const own = join(this.#folder, scratchName(SCRATCH, this.#scratchCount));
      if (existsSync(own)) continue;
      renameSync(folder, own);
      return own;
    }
  }

  /** Takes a finished import into the library under a new id, with the notes that were written on the same bundle before. */
  keep(scratch: string, sha256: string, summary: Omit<CaseSummary, 'caseId'>): CaseSummary {
    const before = this.#notesOf(sha256);
    // A package brings its own.
    const notes = join(scratch, 'notes.db');
    if (before !== undefined && !existsSync(notes)) copyFileSync(before, notes);
    const caseId = newCaseId(summary.name, sha256, (id) => existsSync(join(this.#folder, id)));
    const kept: CaseSummary = { caseId, ...summary };
    writeRow(scratch, kept);
    renameSync(scratch, join(this.#folder, caseId));
    return kept;
  }

  /**
   * The notes of the newest case of a bundle in which the user wrote something, by the hash in its id; without one the newest log of what
   * was done.
   */
  #notesOf(sha256: string): string | undefined {
    const sameBundle = new RegExp(`-${sha256.slice(0, 8)}(?:-\\d+)?$`);
    const notes = this.list()
      .cases.filter(({ caseId }) => sameBundle.test(caseId))
      .map(({ caseId }) => join(this.#folder, caseId, 'notes.db'));
    const found = notes.filter((file) => existsSync(file));
    return found.find(isWrittenIn) ?? found[0];
  }

  /** Changes what the user may change in the row of a case; undefined if there is no readable one. */
  edit(id: CaseId, change: { readonly name: string | null; readonly pinned: boolean | null }): CaseSummary | undefined {
    const folder = this.folderOf(id);
    const known = this.summary(id);
    if (folder === undefined || known === undefined) return undefined;
    const bundleName = known.bundleName ?? known.name;
    const name = change.name === null ? known.name : change.name.trim() === '' ? bundleName : change.name.trim();
    const pinned = change.pinned ?? known.pinned ?? false;
    const edited: CaseSummary = {
      ...known,
      name,
      pinned,
      ...(name === bundleName ? { bundleName: undefined } : { bundleName }),
    };
    writeRow(folder, edited);
    return edited;
  }

  /** What a new analysis says, in the row of a case; nothing if there is no readable one. */
  revise(
    id: CaseId,
    said: Pick<CaseSummary, 'outcome' | 'status' | 'firstRanks' | 'summary'> & { readonly toolVersion?: string },
  ): void {
    const folder = this.folderOf(id);
    const known = this.summary(id);
    if (folder === undefined || known === undefined) return;
    writeRow(folder, { ...known, ...said });
  }

  remove(id: CaseId): boolean {
    const folder = this.folderOf(id);
    if (folder === undefined) return false;
    rmSync(folder, { recursive: true, force: true });
    return true;
  }
}

/** Beside it and renamed: a case is never without its row. */
function writeRow(folder: string, summary: CaseSummary): void {
  const file = join(folder, 'case.json');
  writeFileSync(`${file}.tmp`, `${JSON.stringify(summary, null, 2)}\n`);
  renameSync(`${file}.tmp`, file);
}

/** More than what the program itself noted. A damaged or newer file may hold anything: it is not passed over. */
function isWrittenIn(notesDb: string): boolean {
  try {
    return NotesDb.list(notesDb).length + listOverrides(notesDb).length > 0 || readChoices(notesDb) !== undefined;
  } catch {
    return true;
  }
}
