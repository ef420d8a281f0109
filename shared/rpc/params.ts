/** Schemas of what many questions hold. */
import { z } from 'zod';
import { CASE_ID, type CaseId, type EntryId, type JobId } from '../model/ids.ts';
import { MAX_OPENED } from './window-channels.ts';

export const caseIdSchema = z
  .string()
  .regex(CASE_ID)
  .transform((value) => value as CaseId);

export const entryIdSchema = z
  .int()
  .nonnegative()
  .transform((value) => value as EntryId);

export const jobIdSchema = z
  .string()
  .min(1)
  .max(64)
  .transform((value) => value as JobId);

/** As long as Windows takes; others take less and say so when the path is opened. */
export const filePathSchema = z.string().min(1).max(32_767);

export const filePathsSchema = z.array(filePathSchema).min(1).max(MAX_OPENED);
