/** The clocks of the report: offsets, what they rest on, what was found wrong with them. Part of `schema.ts`. */
import { z } from 'zod';

/** Milliseconds; null = open on that side. */
export const offsetSchema = z.object({
  estimate: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  likelyLow: z.number().nullable(),
  likelyHigh: z.number().nullable(),
});

const domainSchema = z.object({
  id: z.string(),
  kind: z.enum(['node', 'api', 'stream']),
  /** That clock minus the reference clock: positive = ahead. */
  offsetMs: offsetSchema.nullable(),
  driftPpm: z.number().nullable(),
  quality: z.enum(['good', 'loose', 'contradictory', 'incomplete', 'none']),
  anchors: z.int().nonnegative(),
  basis: z.array(z.string()),
  component: z.int().nonnegative(),
  /** Number of anchors by kind of evidence. */
  anchorKinds: z.array(z.object({ kind: z.string(), count: z.int().positive() })).optional(),
});

/** A clock that was set while the job ran, or one that contradicts the others. */
const faultSchema = z.object({
  kind: z.enum(['step', 'unreconciled']),
  /** Clocks that may be at fault; one where it is certain which. */
  clocks: z.array(z.string()),
  /** Positive = forwards; null = it cannot be said. */
  sizeMs: z.number().nullable(),
  /** Raw stamps of the first of `clocks`: last evidence before the step, first evidence after it. */
  after: z.string().nullable(),
  before: z.string().nullable(),
  /** The evidence that excludes each other. */
  cycle: z.array(z.string()),
  text: z.string(),
});

const zoneSchema = z.object({
  file: z.string(),
  pod: z.string().nullable(),
  /** Minutes east of UTC; null = not proven: these stamps are compared with nothing outside of their log. */
  minutes: z.int().nullable(),
  /** Zones that are left, ascending. */
  candidates: z.array(z.int()),
  proof: z.enum(['same-line', 'call', 'copy', 'container']).nullable(),
  anchors: z.int().nonnegative(),
  text: z.string(),
});

const overrideSchema = z.object({
  clock: z.string(),
  against: z.string(),
  offsetMs: z.number(),
  boundMs: z.number(),
  reason: z.string(),
});

export const clockSchema = z.object({
  reference: z.string().nullable(),
  domains: z.array(domainSchema),
  /** The fields below are absent in older reports. */
  faults: z.array(faultSchema).optional(),
  /** Evidence that was left out: why, and how much of it. */
  rejected: z.array(z.object({ text: z.string(), count: z.int().positive() })).optional(),
  /** Ranks whose calls are numbered differently from those of the other ranks on their clock. */
  misnumbered: z.array(z.object({ rank: z.int().nonnegative(), group: z.string(), certain: z.boolean() })).optional(),
  /** What raw stamps and corrected ones tell differently. */
  changed: z.array(z.string()).optional(),
  /** Logs whose stamps name no zone. */
  zones: z.array(zoneSchema).optional(),
  /** What an analyst set, in place of the evidence about that clock. */
  overrides: z.array(overrideSchema).optional(),
  assumptions: z.array(z.string()).optional(),
});

export type ReportClock = z.infer<typeof clockSchema>;
export type ReportClockDomain = z.infer<typeof domainSchema>;
export type ReportClockFault = z.infer<typeof faultSchema>;
export type ReportZone = z.infer<typeof zoneSchema>;
