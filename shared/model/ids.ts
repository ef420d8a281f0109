import type { Brand } from '../lib/brand.ts';

/** Position of an entry among the paths of its case in order, from 0: the same for any order of reading. */
export type EntryId = Brand<number, 'EntryId'>;
/** Name of a case folder: see CASE_ID. */
export type CaseId = Brand<string, 'CaseId'>;
export type JobId = Brand<string, 'JobId'>;

/** A case id is a folder name: nothing else may get through. */
export const CASE_ID = /^[a-z0-9][a-z0-9-]{0,119}$/;

export const entryId = (value: number): EntryId => value as EntryId;
export const caseId = (value: string): CaseId => value as CaseId;
export const jobId = (value: string): JobId => value as JobId;
