/** Run-time schemas of every method's params: what arrives over a port is checked once, here. Typed against the contract. */
import { z } from 'zod';
import { EXPORT_PRIVILEGED_VALIDATORS } from './areas/export.ts';
import { AREA_VALIDATORS } from './areas/index.ts';
import type { Methods, PrivilegedMethods } from './contract.ts';
import { BASE_METHODS } from './names.ts';
import {
  caseIdSchema as caseId,
  entryIdSchema as entryId,
  filePathSchema,
  filePathsSchema,
  jobIdSchema as jobId,
} from './params.ts';

type AllMethods = Methods & PrivilegedMethods;

/** Most rows, lines or bytes one answer may hold, whatever is asked for. */
export const MAX_ROWS = 10_000;
export const MAX_LINES = 5_000;
export const MAX_BYTES = 1024 * 1024;

type Validators = { readonly [M in keyof AllMethods]: z.ZodType<AllMethods[M]['params']> };

export const VALIDATORS: Validators = {
  'case.list': z.strictObject({}),
  'case.open': z.strictObject({ caseId }),
  'case.delete': z.strictObject({ caseId }),
  'case.edit': z.strictObject({ caseId, name: z.string().max(200).nullable(), pinned: z.boolean().nullable() }),
  'entry.list': z.strictObject({ caseId, offset: z.int().nonnegative(), maxRows: z.int().positive().max(MAX_ROWS) }),
  'entry.text': z.strictObject({
    caseId,
    entryId,
    fromLine: z.int().positive(),
    maxLines: z.int().positive().max(MAX_LINES),
  }),
  'entry.bytes': z.strictObject({
    caseId,
    entryId,
    from: z.int().nonnegative(),
    maxBytes: z.int().positive().max(MAX_BYTES),
  }),
  'entry.record': z.strictObject({ caseId, entryId, record: z.int().nonnegative() }),
  'example.import': z.strictObject({ which: z.enum(['small', 'large']) }),
  'job.get': z.strictObject({ jobId }),
  'job.cancel': z.strictObject({ jobId }),
  'bundle.import': z.strictObject({
    paths: filePathsSchema,
    caseFile: z.exactOptional(filePathSchema),
    keep: z.boolean(),
    ask: z.exactOptional(z.boolean()),
  }),
  'case.adopt': z.strictObject({ caseFile: filePathSchema }),
  ...AREA_VALIDATORS,
  ...EXPORT_PRIVILEGED_VALIDATORS,
};

/** What a window may call. */
export const WINDOW_METHODS: ReadonlySet<string> = new Set([
  ...Object.keys(BASE_METHODS),
  ...Object.keys(AREA_VALIDATORS),
]);
export const ALL_METHODS: ReadonlySet<string> = new Set(Object.keys(VALIDATORS));

export const isMethod = (name: string): name is keyof AllMethods => ALL_METHODS.has(name);
