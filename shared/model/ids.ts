import type { Brand } from '../lib/brand.ts';

/** Position of an entry among the paths of its case in order, from 0: the same for any order of reading. */
export type EntryId = Brand<number, 'EntryId'>;
/** Name of a case folder: lower-case letters, digits and `-`. */
export type CaseId = Brand<string, 'CaseId'>;
export type JobId = Brand<string, 'JobId'>;

export const entryId = (value: number): EntryId => value as EntryId;
export const caseId = (value: string): CaseId => value as CaseId;
export const jobId = (value: string): JobId => value as JobId;
