/**
 * Logs: one merged list of all lines, searched by streaming. Times are ns from the case's first raw stamp (`originNs`), exact in a
 * double. A search belongs to the window that started it; a newer one of the same window ends it.
 */
import { z } from 'zod';
import type { CaseId, EntryId } from '../../model/ids.ts';
import type { QueryError } from '../../search/parse-query.ts';
import type { Level } from '../../search/query.ts';
import { caseIdSchema as caseId, entryIdSchema as entryId } from '../params.ts';
import type { AreaValidators } from './area.ts';

export type LogBasis = 'raw' | 'corrected';

export interface LogFileInfo {
  readonly entryId: EntryId;
  readonly path: string;
  readonly lines: number;
  readonly pod: string | null;
  readonly node: string | null;
  readonly rank: number | null;
  readonly clock: string | null;
  readonly component: number | null;
  /** ms, clock minus reference; null = not known, its times stay raw. */
  readonly offset: {
    readonly estimate: number;
    readonly low: number | null;
    readonly high: number | null;
    readonly likelyLow: number | null;
    readonly likelyHigh: number | null;
  } | null;
  /** None of its lines has a time. */
  readonly untimed: boolean;
}

export interface LogCase {
  /** Epoch ns, decimal. */
  readonly originNs: string;
  readonly files: readonly LogFileInfo[];
  readonly totalLines: number;
  readonly totalBytes: number;
  /** Raw; null if no line has a time. */
  readonly span: { readonly fromNs: number; readonly toNs: number } | null;
}

export type SearchStatus = 'searching' | 'done' | 'cancelled' | 'too-slow' | 'failed';

export interface SearchState {
  readonly status: SearchStatus;
  readonly version: number;
  /** Exact once all text was searched, else at least. */
  readonly matches: number;
  readonly exact: boolean;
  readonly matchedFiles: number;
  readonly doneBytes: number;
  readonly wholeBytes: number;
  /** Blocks that could not be read. */
  readonly damaged: number;
  /** Rows of the list: matches, and rows that tell of folded ones and of silences. */
  readonly rows: number;
  /** Null = folded as asked; else why not. */
  readonly notFolded: 'searching' | 'too-many' | 'off' | null;
  /** By severity: none, debug, info, warn, error, fatal. Of the text that was searched. */
  readonly levels: readonly number[];
  /** Rank −1 = not known. Most lines first. */
  readonly ranks: readonly { readonly rank: number; readonly lines: number }[];
  /** Index in `LogCase.files`. Most lines first. */
  readonly files: readonly { readonly file: number; readonly lines: number }[];
  readonly shapes: readonly { readonly sample: string; readonly lines: number }[];
}

export interface LineRow {
  readonly kind: 'line';
  /** `ENTRY:LINE`. */
  readonly key: string;
  readonly entryId: EntryId;
  /** Index in `LogCase.files`. */
  readonly file: number;
  /** 1-based. */
  readonly line: number;
  readonly byte: number;
  readonly bytes: number;
  /** On the basis; null if the line has no time of its own. */
  readonly timeNs: number | null;
  readonly rawNs: number | null;
  /** Where it stands in the list. */
  readonly keyNs: number;
  readonly corrected: boolean;
  readonly zoneAssumed: boolean;
  /** How finely the stamp was written, ns. */
  readonly resolutionNs: number;
  readonly rank: number | null;
  /** What the rank rests on: the line's own mark, or that the file is of one rank. */
  readonly rankBy: 'line' | 'file' | null;
  readonly pod: string | null;
  readonly level: Level | null;
  /** Goes on the record of the line before it. */
  readonly continues: boolean;
  readonly folded: boolean;
  /** The message without its envelopes. Undecodable bytes are lone surrogates U+DC00 plus the byte. */
  readonly text: string;
  /** What stood in front of it. */
  readonly before: string;
  /** Bytes that are not here. */
  readonly more: number;
  readonly unreadable: boolean;
}

export type LogRow =
  | LineRow
  | {
      readonly kind: 'fold';
      /** Key of the line above. */
      readonly key: string;
      readonly count: number;
      readonly ranks: readonly number[];
      readonly files: number;
      readonly spanNs: number;
      readonly open: boolean;
    }
  | { readonly kind: 'gap'; readonly fromNs: number; readonly toNs: number };

/** How the list is laid out. */
export interface ListChoice {
  readonly basis: LogBasis;
  readonly fold: boolean;
  /** Keys of folded lines that are shown. */
  readonly open: readonly string[];
}

export type RowWish =
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'time'; readonly timeNs: number }
  | { readonly kind: 'line'; readonly entryId: EntryId; readonly line: number };

export type LogsMethods = {
  readonly 'logs.open': { readonly params: { readonly caseId: CaseId }; readonly result: LogCase };
  readonly 'logs.search': {
    readonly params: {
      readonly caseId: CaseId;
      readonly query: string;
      readonly regex: boolean;
      readonly matchCase: boolean;
      readonly basis: LogBasis;
      readonly ranks: readonly number[];
      readonly range: { readonly fromNs: number; readonly toNs: number } | null;
      readonly nearNs: number | null;
      /** The search that this one takes the place of. */
      readonly replaces: number | null;
    };
    readonly result:
      | { readonly ok: true; readonly searchId: number; readonly state: SearchState }
      | { readonly ok: false; readonly error: QueryError };
  };
  /** Answers when something changed since `version`, at the latest after `waitMs`. */
  readonly 'logs.state': {
    readonly params: {
      readonly caseId: CaseId;
      readonly searchId: number;
      readonly version: number;
      readonly waitMs: number;
      readonly list: ListChoice;
    };
    readonly result: SearchState;
  };
  readonly 'logs.cancel': {
    readonly params: { readonly caseId: CaseId; readonly searchId: number };
    readonly result: null;
  };
  readonly 'logs.window': {
    readonly params: {
      readonly caseId: CaseId;
      readonly searchId: number;
      readonly list: ListChoice;
      readonly row: number;
      readonly maxRows: number;
    };
    readonly result: {
      readonly version: number;
      readonly total: number;
      readonly row: number;
      readonly rows: readonly LogRow[];
    };
  };
  /** The row of a moment or a line: the first one at or behind it. */
  readonly 'logs.locate': {
    readonly params: {
      readonly caseId: CaseId;
      readonly searchId: number;
      readonly list: ListChoice;
      readonly at: RowWish;
    };
    readonly result: { readonly row: number; readonly total: number; readonly exact: boolean };
  };
  /** The next row of a kind from `row` on, without it; null if there is none. */
  readonly 'logs.step': {
    readonly params: {
      readonly caseId: CaseId;
      readonly searchId: number;
      readonly list: ListChoice;
      readonly row: number;
      readonly to: 'error' | 'warning' | 'record';
      readonly by: 1 | -1;
    };
    readonly result: { readonly row: number | null };
  };
  /** Lines by time: errors and worse, warnings, others; `from` inside, `to` outside. */
  readonly 'logs.density': {
    readonly params: {
      readonly caseId: CaseId;
      readonly searchId: number;
      readonly basis: LogBasis;
      readonly fromNs: number;
      readonly toNs: number;
      readonly buckets: number;
    };
    readonly result: {
      readonly errors: Uint32Array;
      readonly warnings: Uint32Array;
      readonly others: Uint32Array;
      /** Of all lines of the files, whether they match or not; a bucket is good to a second. */
      readonly all: Uint32Array;
    };
  };
  /** Errors and warnings over the whole list, in equal parts of its rows. */
  readonly 'logs.map': {
    readonly params: {
      readonly caseId: CaseId;
      readonly searchId: number;
      readonly list: ListChoice;
      readonly buckets: number;
    };
    readonly result: { readonly errors: Uint32Array; readonly warnings: Uint32Array };
  };
  /** Where nothing matches: for each term whether anything would without it, null = not known in time. */
  readonly 'logs.without': {
    readonly params: { readonly caseId: CaseId; readonly searchId: number };
    readonly result: {
      readonly terms: readonly { readonly at: number; readonly length: number; readonly helps: boolean | null }[];
      /** Whether the case's filters of ranks and range are what is in the way. */
      readonly filters: boolean | null;
    };
  };
  readonly 'logs.sql': {
    readonly params: { readonly caseId: CaseId; readonly sql: string; readonly maxRows: number };
    readonly result:
      | {
          readonly ok: true;
          readonly columns: readonly string[];
          readonly rows: readonly (readonly (string | number | null)[])[];
          readonly more: boolean;
        }
      | { readonly ok: false; readonly error: string };
  };
  readonly 'logs.views': {
    readonly params: Record<string, never>;
    readonly result: {
      readonly views: readonly { readonly name: string; readonly about: string; readonly columns: readonly string[] }[];
    };
  };
};

const searchId = z.int().positive();
const basis = z.enum(['raw', 'corrected']);
const ns = z.number();
const list = z.strictObject({ basis, fold: z.boolean(), open: z.array(z.string().max(40)).max(5_000) });
const row = z.int().nonnegative();
const buckets = z.int().min(1).max(8_192);

export const LOGS_VALIDATORS: AreaValidators<LogsMethods> = {
  'logs.open': z.strictObject({ caseId }),
  'logs.search': z.strictObject({
    caseId,
    query: z.string().max(10_000),
    regex: z.boolean(),
    matchCase: z.boolean(),
    basis,
    ranks: z.array(z.int().nonnegative()).max(100_000),
    range: z.strictObject({ fromNs: ns, toNs: ns }).nullable(),
    nearNs: ns.nullable(),
    replaces: searchId.nullable(),
  }),
  'logs.state': z.strictObject({
    caseId,
    searchId,
    version: z.int(),
    waitMs: z.int().min(0).max(10_000),
    list,
  }),
  'logs.cancel': z.strictObject({ caseId, searchId }),
  'logs.window': z.strictObject({ caseId, searchId, list, row, maxRows: z.int().min(1).max(1_000) }),
  'logs.locate': z.strictObject({
    caseId,
    searchId,
    list,
    at: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('row'), row }),
      z.strictObject({ kind: z.literal('time'), timeNs: ns }),
      z.strictObject({ kind: z.literal('line'), entryId, line: z.int().positive() }),
    ]),
  }),
  'logs.step': z.strictObject({
    caseId,
    searchId,
    list,
    row,
    to: z.enum(['error', 'warning', 'record']),
    by: z.union([z.literal(1), z.literal(-1)]),
  }),
  'logs.density': z.strictObject({ caseId, searchId, basis, fromNs: ns, toNs: ns, buckets }),
  'logs.map': z.strictObject({ caseId, searchId, list, buckets }),
  'logs.without': z.strictObject({ caseId, searchId }),
  'logs.sql': z.strictObject({ caseId, sql: z.string().max(20_000), maxRows: z.int().min(1).max(100_000) }),
  'logs.views': z.strictObject({}),
};
