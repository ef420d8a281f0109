import type { Outcome, Status } from './finding.ts';
import type { CaseId } from './ids.ts';

/** A row of the case list; also the content of `case.json`. */
export interface CaseSummary {
  readonly caseId: CaseId;
  readonly name: string;
  /** ISO 8601 UTC of the incident's first stamp, null if unknown. */
  readonly incidentStart: string | null;
  /** ISO 8601 UTC, wall clock of this machine at import. */
  readonly importedAt: string;
  readonly ranks: number | null;
  readonly bytes: number;
  readonly files: number;
  readonly outcome: Outcome;
  readonly status: Status;
  readonly firstRanks: readonly number[];
  readonly summary: string;
  readonly gaps: number;
  readonly partial: boolean;
  readonly example: boolean;
  readonly toolVersion: string;
  /** Name of the bundle, where the user gave the case another one. */
  readonly bundleName?: string | undefined;
  /** Of the bundle; absent in cases of older versions. */
  readonly sha256?: string | undefined;
  /** Stands on top of the case list. */
  readonly pinned?: boolean | undefined;
}

/** Ending of a case that was written as one file; the system opens such files with this program. */
export const CASE_FILE_EXTENSION = 'firstfault';
