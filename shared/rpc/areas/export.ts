/** The Report screen: what is chosen, the document as it would be exported, what is replaced in it. Writing it is main's: only main names paths. */
import { z } from 'zod';
import type { CaseId } from '../../model/ids.ts';
import type { RedactionGroup, Unscanned } from '../../redaction/types.ts';
import { type ReportDocument, SECTION_IDS, type SectionId } from '../../report/sections/types.ts';
import { caseIdSchema as caseId, filePathSchema } from '../params.ts';
import type { AreaValidators } from './area.ts';

export const EXPORT_FORMS = ['pdf', 'html', 'markdown', 'json', 'patch', 'reply'] as const;
export type ExportForm = (typeof EXPORT_FORMS)[number];

/** Kept with the case. */
export interface ReportChoices {
  /** Every section once, in the order of the report. */
  readonly sections: readonly { readonly id: SectionId; readonly on: boolean }[];
  readonly redact: boolean;
  /** Words of the analyst's own that are replaced as well. */
  readonly words: readonly string[];
}

export interface SectionRow {
  readonly id: SectionId;
  readonly title: string;
  readonly count: string;
  readonly on: boolean;
  /** Nothing of it is in this case. */
  readonly empty: boolean;
  /** Some of it could not be scanned: while it is on, nothing is exported. */
  readonly unscanned: boolean;
}

export interface RedactionPreview {
  readonly groups: readonly RedactionGroup[];
  readonly places: number;
  readonly originals: number;
  /** All that could not be scanned, in every section. */
  readonly unscanned: readonly Unscanned[];
  /** Names that stay because every report has such words. */
  readonly kept: readonly string[];
}

export interface ReportPreview {
  readonly choices: ReportChoices;
  readonly rows: readonly SectionRow[];
  /** As exported, except that tables are cut: `cutRows` were left out of the preview. */
  readonly document: ReportDocument;
  readonly cutRows: number;
  /** Null while nothing is replaced. */
  readonly redaction: RedactionPreview | null;
  /** Sections that are on and could not be scanned: every export is stopped. */
  readonly stoppedBy: readonly SectionId[];
  readonly reply: string;
  readonly hasPatch: boolean;
  /** For a sentence: what the reply is made from. */
  readonly gaps: number;
}

export interface CustodyEntry {
  /** ISO 8601 UTC, wall clock of this machine. */
  readonly at: string;
  readonly version: string;
  readonly action: string;
  readonly inputs: string;
  readonly result: string;
}

export type ExportMethods = {
  readonly 'export.preview': {
    readonly params: { readonly caseId: CaseId };
    readonly result: ReportPreview;
  };
  readonly 'export.choose': {
    readonly params: { readonly caseId: CaseId; readonly choices: ReportChoices };
    readonly result: null;
  };
  /**
   * A text as a report of the case would write it: the same stand-ins. Null = the case's reports are not redacted. Fails with
   * `export-stopped` where a name would be left.
   */
  readonly 'export.redact': {
    readonly params: { readonly caseId: CaseId; readonly text: string };
    readonly result: { readonly text: string | null };
  };
  /** Oldest first. */
  readonly 'export.custody': {
    readonly params: { readonly caseId: CaseId };
    readonly result: { readonly entries: readonly CustodyEntry[] };
  };
};

/** Only for main and the terminal. */
export interface ExportPrivileged {
  /** The text of one form, as chosen. `text`: the reply as the analyst edited it. Fails with `export-stopped` while a section could not be scanned. */
  'export.render': {
    params: { readonly caseId: CaseId; readonly form: ExportForm; readonly text: string | null };
    result: { readonly fileName: string; readonly text: string; readonly redacted: boolean };
  };
  /** What a package would be called. */
  'export.packageName': { params: { readonly caseId: CaseId }; result: { readonly fileName: string } };
  /** Writes the whole case as one file, beside it first and then renamed. */
  'export.package': {
    params: { readonly caseId: CaseId; readonly file: string };
    result: { readonly bytes: number; readonly sha256: string };
  };
  /** Writes the case as Parquet files into a folder of tables (`shared/report/tables`). Never redacted. */
  'export.tables': {
    params: { readonly caseId: CaseId; readonly folder: string };
    result: {
      readonly tables: readonly {
        readonly table: string;
        readonly file: string;
        readonly rows: number;
        readonly bytes: number;
      }[];
    };
  };
  /** Adds a line to the custody log. */
  'export.record': {
    params: { readonly caseId: CaseId; readonly action: string; readonly inputs: string; readonly result: string };
    result: null;
  };
}

export const MAX_REPLY = 256 * 1024;
/** Characters of one text that is copied. */
const MAX_COPIED = 1024 * 1024;

export const choicesSchema = z.strictObject({
  sections: z
    .array(z.strictObject({ id: z.enum(SECTION_IDS), on: z.boolean() }))
    .length(SECTION_IDS.length)
    .refine((rows) => new Set(rows.map(({ id }) => id)).size === SECTION_IDS.length),
  redact: z.boolean(),
  words: z.array(z.string().trim().min(2).max(200)).max(500),
});

export const EXPORT_VALIDATORS: AreaValidators<ExportMethods> = {
  'export.preview': z.strictObject({ caseId }),
  'export.choose': z.strictObject({ caseId, choices: choicesSchema }),
  'export.redact': z.strictObject({ caseId, text: z.string().max(MAX_COPIED) }),
  'export.custody': z.strictObject({ caseId }),
};

export const EXPORT_PRIVILEGED_VALIDATORS: {
  readonly [M in keyof ExportPrivileged]: z.ZodType<ExportPrivileged[M]['params']>;
} = {
  'export.render': z.strictObject({ caseId, form: z.enum(EXPORT_FORMS), text: z.string().max(MAX_REPLY).nullable() }),
  'export.packageName': z.strictObject({ caseId }),
  'export.package': z.strictObject({ caseId, file: filePathSchema }),
  'export.tables': z.strictObject({ caseId, folder: filePathSchema }),
  'export.record': z.strictObject({
    caseId,
    action: z.string().max(100),
    inputs: z.string().max(10_000),
    result: z.string().max(10_000),
  }),
};
