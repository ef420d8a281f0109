/** The review of settings in the report: what was on, what is missing for the next failure, and the patch. */
import { z } from 'zod';

export const settingSchema = z.object({
  name: z.string(),
  area: z.enum(['recorder', 'watchdog', 'nccl', 'gloo', 'logs', 'pod', 'launcher']),
  /** `unknown` = the bundle does not say: masked, filled from elsewhere, or no Pod in it. */
  state: z.enum(['good', 'missing', 'unfit', 'differs', 'unknown', 'note']),
  found: z.string(),
  want: z.string().nullable(),
  why: z.string(),
  sources: z.array(
    z.object({
      text: z.string(),
      file: z.string(),
      line: z.int().positive().nullable(),
      entryId: z.int().nonnegative(),
    }),
  ),
});

export const settingsSchema = z.object({
  /** Pods whose specification could be read. */
  pods: z.int().nonnegative(),
  /** Release that decides the names of the variables; null = not told. */
  torch: z.string().nullable(),
  items: z.array(settingSchema),
  /** Null where nothing is missing. Nothing is applied anywhere: it is text to be merged by a person. */
  patch: z
    .object({
      variables: z.array(z.object({ name: z.string(), value: z.string(), why: z.string() })),
      forms: z.array(
        z.object({
          kind: z.enum(['pytorchjob', 'jobset', 'polyaxon', 'shell']),
          title: z.string(),
          fits: z.boolean(),
          text: z.string(),
        }),
      ),
      notes: z.array(z.string()),
    })
    .nullable(),
});

export type ReportSettings = z.infer<typeof settingsSchema>;
export type ReportSetting = z.infer<typeof settingSchema>;
