import type { EntryId } from './ids.ts';
import type { SourceRef } from './source-ref.ts';

export type IssueSeverity = 'info' | 'warning' | 'error' | 'refused';

/**
 * Every code has a sentence in `shared/text/issue-text.ts`; `detail` fills it in.
 * Add a code here and its sentence there; nowhere else.
 */
export const ISSUE_CODES = [
  // containers
  'archive-truncated',
  'archive-damaged',
  'archive-part-missing',
  'entry-path-escapes',
  'entry-is-link',
  'entry-is-device',
  'entry-too-large',
  'bundle-too-large',
  'too-many-entries',
  'ratio-too-high',
  'path-too-long',
  'entry-encrypted',
  'duplicate-path',
  'nested-archive-not-opened',
  'unsupported-archive',
  'sparse-entry',
  'import-stopped',
  // entries
  'empty-file',
  'file-truncated',
  'unknown-text',
  'unknown-binary',
  'html-page',
  'read-failed',
  'file-changed',
  'document-too-large',
  'undecodable-bytes',
  'line-too-long',
  'nul-bytes',
  'parser-failed',
  'collector-message',
  'duplicate-content',
  'log-tail-only',
  'log-may-be-cut',
  // documents
  'yaml-invalid',
  'json-invalid',
  'export-invalid',
  'list-empty',
  'object-kind-unknown',
  'object-field-invalid',
  'table-header-unknown',
  // flight recorder
  'pickle-refused',
  'pickle-invalid',
  'pickle-limit',
  'dump-shape-unknown',
  'dump-entry-invalid',
  'dump-data-after-end',
  'dump-rank-unknown',
  'dump-rank-conflict',
  'dump-of-earlier-attempt',
  'dump-version-unknown',
  // time
  'time-zone-assumed',
  'time-year-assumed',
  'time-out-of-range',
  'no-time-stamps',
  // ranks
  'rank-conflict',
  'rank-unmapped',
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/** Something that could not be read, was skipped, guessed or refused. Equal (code, entry) issues are counted, not repeated. */
export interface Issue {
  readonly code: IssueCode;
  readonly severity: IssueSeverity;
  /** Undefined for an archive member that was refused before it became an entry: then `path` names it. */
  readonly entry: EntryId | undefined;
  readonly path: string | undefined;
  readonly source: SourceRef | undefined;
  readonly count: number;
  /** Values for the sentence, already text: what was found, limits with their unit. Never markup. */
  readonly detail: string;
}
