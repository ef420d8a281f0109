/** What a window may want of an import that runs, stands still, or was interrupted. Paths are never named here. */
import { z } from 'zod';
import type { CaseId, JobId } from '../../model/ids.ts';
import { caseIdSchema as caseId, jobIdSchema as jobId } from '../params.ts';
import type { AreaValidators } from './area.ts';

/** An import that a crash or a pause left behind. */
export interface UnfinishedImport {
  readonly jobId: JobId;
  readonly title: string;
  /** ISO 8601 UTC, of the last file that was finished. */
  readonly lastAt: string;
  readonly filesDone: number;
  /** null = unknown until read. */
  readonly filesTotal: number | null;
  /** The user paused it and closed the window; otherwise the program ended in its midst. */
  readonly wasPaused: boolean;
}

export type QuestionAnswer =
  /** null = go on without. Never stored, never logged. */
  | { readonly kind: 'password'; readonly password: string | null }
  | { readonly kind: 'known-case'; readonly open: boolean };

export type ImportMethods = {
  readonly 'job.pause': { readonly params: { readonly jobId: JobId; readonly paused: boolean }; readonly result: null };
  /** Reads no further; what was read becomes a case that is marked partial. */
  readonly 'job.stop': { readonly params: { readonly jobId: JobId }; readonly result: null };
  readonly 'job.answer': {
    readonly params: { readonly jobId: JobId; readonly answer: QuestionAnswer };
    readonly result: null;
  };
  /** Newest first. */
  readonly 'job.unfinished': {
    readonly params: Record<string, never>;
    readonly result: { readonly imports: readonly UnfinishedImport[] };
  };
  /** Goes on where it stopped, under its old id. */
  readonly 'job.take-up': { readonly params: { readonly jobId: JobId }; readonly result: { readonly jobId: JobId } };
  /** Removes what an unfinished import left; the bundle is not touched. */
  readonly 'job.forget': { readonly params: { readonly jobId: JobId }; readonly result: null };
  /** Analyses a case again with the rules of this version, from what it holds. */
  readonly 'job.reanalyse': { readonly params: { readonly caseId: CaseId }; readonly result: null };
};

export const IMPORT_VALIDATORS: AreaValidators<ImportMethods> = {
  'job.pause': z.strictObject({ jobId, paused: z.boolean() }),
  'job.stop': z.strictObject({ jobId }),
  'job.answer': z.strictObject({
    jobId,
    answer: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('password'), password: z.string().min(1).max(1024).nullable() }),
      z.strictObject({ kind: z.literal('known-case'), open: z.boolean() }),
    ]),
  }),
  'job.unfinished': z.strictObject({}),
  'job.take-up': z.strictObject({ jobId }),
  'job.forget': z.strictObject({ jobId }),
  'job.reanalyse': z.strictObject({ caseId }),
};
