/**
 * The one contract between window, terminal and engine: names are `area.verb`, one object in, one out.
 * Ranges: `from` is inside, `to` is outside. Results are bounded: the caller states how many rows it wants.
 * Run-time schemas stand in `validators.ts`; a test holds the two together.
 */

import type { Result } from '../lib/result.ts';
import type { CaseSummary } from '../model/case.ts';
import type { EntryStatus } from '../model/entry.ts';
import type { CaseId, EntryId, JobId } from '../model/ids.ts';
import type { JobState } from '../model/job.ts';
import type { Report } from '../report/schema.ts';
import type { ClocksProgress } from './areas/clocks.ts';
import type { ExportPrivileged } from './areas/export.ts';
import type { AreaMethods } from './areas/index.ts';

/** A row of the file list as the window gets it (bigint stamps become ISO text). */
export interface EntryRow {
  readonly id: EntryId;
  readonly path: string;
  readonly kind: string;
  readonly format: string | null;
  readonly why: string;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly status: EntryStatus;
  readonly detail: string;
  readonly lines: number | null;
  /** Raw, on the clock of the file. */
  readonly first: string | null;
  readonly last: string | null;
  readonly duplicateOf: EntryId | null;
}

export interface TextLine {
  /** 1-based. */
  readonly line: number;
  /** Offset of the line's first byte in the entry. */
  readonly byte: number;
  /** Decoded as UTF-8 with replacement; control characters as they are (the view escapes them). Cut at 8 192 characters. */
  readonly text: string;
  readonly cut: boolean;
}

export interface RecordView {
  readonly record: number;
  readonly total: number;
  /** Field name → value as text, in the order of the dump. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly frames: readonly string[];
}

export interface Methods extends AreaMethods {
  'case.list': {
    params: Record<string, never>;
    result: { readonly cases: readonly CaseSummary[]; readonly skipped: number };
  };
  'case.open': { params: { caseId: CaseId }; result: { readonly summary: CaseSummary; readonly report: Report } };
  'case.delete': { params: { caseId: CaseId }; result: null };
  /** What the user calls a case and whether it stands on top of the list; null = leave as it is. An empty name brings the bundle's back. */
  'case.edit': { params: { caseId: CaseId; name: string | null; pinned: boolean | null }; result: CaseSummary };
  'entry.list': {
    params: { caseId: CaseId; offset: number; maxRows: number };
    result: { readonly rows: readonly EntryRow[]; readonly total: number };
  };
  'entry.text': {
    params: { caseId: CaseId; entryId: EntryId; fromLine: number; maxLines: number };
    result: { readonly lines: readonly TextLine[]; readonly totalLines: number };
  };
  'entry.bytes': {
    params: { caseId: CaseId; entryId: EntryId; from: number; maxBytes: number };
    result: { readonly from: number; readonly bytes: Uint8Array; readonly total: number };
  };
  'entry.record': { params: { caseId: CaseId; entryId: EntryId; record: number }; result: RecordView };
  /** Starts an import of the bundled example. Imports of the user's own paths come from main or the terminal, never from the window. */
  'example.import': { params: { which: 'small' | 'large' }; result: { readonly jobId: JobId } };
  'job.get': { params: { jobId: JobId }; result: JobState };
  'job.cancel': { params: { jobId: JobId }; result: null };
}

/** Not reachable from the window: only main and the terminal may name paths. */
export interface PrivilegedMethods extends ExportPrivileged {
  'bundle.import': {
    /** `ask`: somebody is there to answer a job's questions. */
    params: { paths: readonly string[]; caseFile?: string; keep: boolean; ask?: boolean };
    result: { readonly jobId: JobId };
  };
  /** Opens a case file that lies outside the library (`analyze --case FILE`); it stays where it is and is not listed. */
  'case.adopt': { params: { caseFile: string }; result: { readonly caseId: CaseId } };
}

export interface Topics {
  'job.changed': JobState;
  'cases.changed': null;
  /** Notes, stars or marks of a case changed, by any window. */
  'notes.changed': { readonly caseId: CaseId };
  /** A case was analysed again: all that was asked about it may have other answers. */
  'case.revised': { readonly caseId: CaseId };
  'clocks.progress': ClocksProgress;
}

export type MethodName = keyof Methods;
export type TopicName = keyof Topics;

export const RPC_ERROR_CODES = [
  'invalid-params',
  'unknown-method',
  'case-not-found',
  'case-damaged',
  'case-version',
  'entry-not-found',
  'bytes-not-stored',
  'record-not-found',
  'job-not-found',
  'disk-full',
  'analysis-stopped',
  'export-stopped',
  'nothing-to-export',
  'write-failed',
  'internal',
  'disconnected',
] as const;
export type RpcErrorCode = (typeof RPC_ERROR_CODES)[number];

export interface RpcError {
  readonly code: RpcErrorCode;
  readonly detail: string;
}

type AllMethods = Methods & PrivilegedMethods;
export type Handlers<Ctx> = {
  readonly [M in keyof AllMethods]: (
    params: AllMethods[M]['params'],
    ctx: Ctx,
  ) => Promise<Result<AllMethods[M]['result'], RpcError>>;
};

/** The wire: plain structured-clone data over any port. */
export type RequestMessage = {
  readonly t: 'req';
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
};
export type ResponseMessage =
  | { readonly t: 'res'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly t: 'res'; readonly id: number; readonly ok: false; readonly error: RpcError };
export type TopicMessage = { readonly t: 'top'; readonly topic: TopicName; readonly value: unknown };
export type WireMessage = RequestMessage | ResponseMessage | TopicMessage;

/** All that the client and the server need of a port; MessagePort, utility process and a test pair all fit. */
export interface Port {
  post(message: WireMessage): void;
  onMessage(listener: (message: unknown) => void): void;
  close(): void;
}
