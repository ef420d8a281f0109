/**
 * The machine-readable report, `firstfault-report/1`: what `analyze --json` prints and what window and other programs read.
 * The one definition: types are inferred from it, and `build/docs/report.schema.json` is generated from it.
 * Fields are added freely; a changed or removed field raises the number in `schema`. Unknown = null, never 0.
 */
import { z } from 'zod';
import { CAUSES, OUTCOMES, STAGES, STATUSES } from '../model/finding.ts';
import { clockSchema } from './clock-schema.ts';
import { divergenceTableSchema, explanationSchema } from './collective-schema.ts';
import { settingsSchema } from './settings-schema.ts';

export { clockSchema, offsetSchema } from './clock-schema.ts';

const rank = z.int().nonnegative();
const isoTime = z.string().nullable();

export const rankSchema = z.object({
  rank,
  localRank: z.int().nonnegative().nullable(),
  pod: z.string().nullable(),
  node: z.string().nullable(),
  container: z.string().nullable(),
  gpu: z.string().nullable(),
  attempt: z.int().nonnegative(),
  clock: z.string().nullable(),
  clockOffsetMs: z.object({ estimate: z.number(), low: z.number().nullable(), high: z.number().nullable() }).nullable(),
  dump: z.enum(['present', 'absent', 'empty', 'truncated', 'failed', 'refused']),
  role: z.enum(['first', 'victim', 'bystander', 'unknown']),
  exit: z
    .object({
      code: z.int().nullable(),
      signal: z.int().nullable(),
      reason: z.string().nullable(),
      at: isoTime,
      /** Who told it, and with that whose clock stamped `at`. Absent in older reports, as the three below. */
      by: z.enum(['agent', 'pod']).optional(),
      /** Id of that clock; null where `at` is null or the clock is not known. */
      clock: z.string().nullable().optional(),
      boundMs: z.number().nullable().optional(),
      timeBasis: z.enum(['raw', 'corrected']).nullable().optional(),
    })
    .nullable(),
  lastSeen: isoTime,
  /** Of `lastSeen`, which was stamped by `clock`. Absent in older reports, as the next. */
  lastSeenBoundMs: z.number().nullable().optional(),
  lastSeenBasis: z.enum(['raw', 'corrected']).nullable().optional(),
  files: z.array(z.string()),
  /** How the place of this rank is known, and what disagrees. */
  basis: z.array(z.string()),
  conflicts: z.array(z.string()),
});

export const divergenceSchema = z.object({
  group: z.string(),
  seq: z.int(),
  kind: z.enum(['missing', 'op', 'size', 'dtype', 'state', 'order']),
  /** Deviating ranks; empty where no side has a majority: then `sides`. */
  ranks: z.array(rank),
  sides: z.array(z.array(rank)).optional(),
  expected: z.string(),
  actual: z.string(),
  frames: z.array(z.object({ ranks: z.array(rank), frames: z.array(z.string()) })),
  basis: z.enum(['dump', 'log']),
  why: z.string(),
});

export const collectivesSchema = z.object({
  groups: z.array(
    z.object({
      group: z.string(),
      desc: z.string(),
      ranks: z.array(rank),
      dumps: z.int().nonnegative(),
      window: z.object({ from: z.int(), to: z.int() }).nullable(),
      firstDivergence: divergenceSchema.nullable(),
    }),
  ),
  firstDivergence: divergenceSchema.nullable(),
  /** Absent in older reports; null where there is nothing to show. */
  table: divergenceTableSchema.nullable().optional(),
  explanation: explanationSchema.optional(),
});

export const evidenceSchema = z.object({
  text: z.string(),
  file: z.string(),
  /** Exactly one of the three places is set, or none when the item is the file as a whole. */
  line: z.int().positive().nullable(),
  byte: z.int().nonnegative().nullable(),
  record: z.int().nonnegative().nullable(),
  rank: rank.nullable(),
  time: isoTime,
  boundMs: z.number().nullable(),
  /** `raw` = the stamp as written, not corrected: clocks of different nodes may not be compared. */
  timeBasis: z.enum(['raw', 'corrected']).nullable(),
  entryId: z.int().nonnegative(),
});

/** One seen moment of a bracket: a record of the bundle, with the clock that stamped it. */
export const bracketEndSchema = evidenceSchema.extend({
  time: z.string(),
  timeBasis: z.enum(['raw', 'corrected']),
  /** As it was written. */
  rawTime: z.string(),
  clock: z.string(),
});

/**
 * What a stall lies between, where nothing tells its moment: the last that the rank did (null = nothing of it is seen before) and the first that
 * others did without it, give or take `latenessMs`, by which ranks of this job come later than others without any fault.
 */
export const bracketSchema = z.object({
  from: bracketEndSchema.nullable(),
  until: bracketEndSchema,
  latenessMs: z.number().nonnegative(),
});

export const verdictSchema = z.object({
  outcome: z.enum(OUTCOMES),
  status: z.enum(STATUSES),
  stage: z.enum(STAGES),
  cause: z.enum(CAUSES),
  firstRanks: z.array(rank),
  candidates: z.array(z.object({ ranks: z.array(rank), why: z.string() })),
  symptomRanks: z.array(rank),
  pod: z.string().nullable(),
  node: z.string().nullable(),
  attempt: z.int().nonnegative().nullable(),
  at: z
    .object({
      time: z.string(),
      boundMs: z.number().nullable(),
      /** Id of the clock that stamped it. Absent in older reports, as the next. */
      clock: z.string().optional(),
      timeBasis: z.enum(['raw', 'corrected']).optional(),
    })
    .nullable(),
  /** Null where the moment is told, or where nothing brackets it. Absent in older reports. */
  between: bracketSchema.nullable().optional(),
  summary: z.string(),
  because: z.array(evidenceSchema),
  against: z.array(evidenceSchema),
  wouldChange: z.array(z.string()),
  nextChecks: z.array(z.string()),
});

export const findingSchema = verdictSchema.extend({ id: z.string(), rule: z.string() });

export const gapSchema = z.object({
  item: z.string(),
  state: z.enum(['present', 'partial', 'unreadable', 'absent', 'not-collected']),
  where: z.string(),
  matters: z.string(),
  collect: z.string(),
});

export const reportIssueSchema = z.object({
  code: z.string(),
  severity: z.enum(['info', 'warning', 'error', 'refused']),
  file: z.string().nullable(),
  where: z.string().nullable(),
  count: z.int().positive(),
  text: z.string(),
});

export const reportSchema = z.object({
  schema: z.literal('firstfault-report/1'),
  tool: z.object({ name: z.string(), version: z.string() }),
  bundle: z.object({
    name: z.string(),
    sha256: z.string(),
    bytes: z.int().nonnegative(),
    unpackedBytes: z.int().nonnegative(),
    files: z.object({
      total: z.int(),
      read: z.int(),
      warned: z.int(),
      empty: z.int(),
      truncated: z.int(),
      skipped: z.int(),
      refused: z.int(),
      failed: z.int(),
      duplicate: z.int(),
    }),
    /**
     * Only where the import was ended before every file was read; `files` counts what was read until then. `filesTotal`: all files of the
     * bundle, null where only reading on would tell.
     */
    stopped: z.object({ filesRead: z.int().nonnegative(), filesTotal: z.int().nonnegative().nullable() }).optional(),
  }),
  incident: z.object({
    start: isoTime,
    end: isoTime,
    worldSize: z.int().positive().nullable(),
    ranksSeen: z.int().nonnegative(),
    dumpsPresent: z.int().nonnegative(),
    dumpsExpected: z.int().nonnegative().nullable(),
    attempts: z.int().nonnegative(),
    software: z.record(z.string(), z.string()),
  }),
  clock: clockSchema,
  ranks: z.array(rankSchema),
  collectives: collectivesSchema,
  verdict: verdictSchema,
  findings: z.array(findingSchema),
  gaps: z.array(gapSchema),
  issues: z.array(reportIssueSchema),
  /** Absent in older reports. */
  settings: settingsSchema.optional(),
});

export type Report = z.infer<typeof reportSchema>;
export type ReportRank = z.infer<typeof rankSchema>;
export type ReportEvidence = z.infer<typeof evidenceSchema>;
export type ReportBracket = z.infer<typeof bracketSchema>;
export type ReportBracketEnd = z.infer<typeof bracketEndSchema>;
export type ReportVerdict = z.infer<typeof verdictSchema>;
export type ReportFinding = z.infer<typeof findingSchema>;
export type ReportDivergence = z.infer<typeof divergenceSchema>;
export type ReportGap = z.infer<typeof gapSchema>;
export type ReportIssue = z.infer<typeof reportIssueSchema>;
export type ReportTable = z.infer<typeof divergenceTableSchema>;
export type ReportExplanation = z.infer<typeof explanationSchema>;
