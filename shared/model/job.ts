import type { Outcome } from './finding.ts';
import type { CaseId, JobId } from './ids.ts';

export type JobPhase = 'inventory' | 'reading' | 'analysing' | 'finishing';

export interface JobProgress {
  readonly filesDone: number;
  /** null = unknown until read (compressed tar). */
  readonly filesTotal: number | null;
  /** Bytes of the input read so far (compressed bytes for an archive). */
  readonly bytesDone: number;
  readonly bytesTotal: number | null;
  /** null until it can be estimated. */
  readonly secondsLeft: number | null;
}

/** Rows of the import screen: the files that changed since the last state, newest status. */
export interface JobFile {
  readonly path: string;
  readonly kind: string;
  readonly bytes: number;
  readonly status:
    | 'reading'
    | 'read'
    | 'warned'
    | 'empty'
    | 'truncated'
    | 'duplicate'
    | 'skipped'
    | 'refused'
    | 'failed';
  readonly detail: string;
}

interface JobCommon {
  readonly jobId: JobId;
  readonly title: string;
}
/** What stands between start and end of a job. */
interface JobRun {
  readonly phase: JobPhase;
  /** 0..1, never runs backwards. */
  readonly fraction: number;
  readonly progress: JobProgress;
  readonly files: readonly JobFile[];
  /** Absent until something can be said. */
  readonly soFar?: JobSoFar;
  /** What the job waits for; absent = nothing. */
  readonly question?: JobQuestion;
}

/** A provisional finding with what it rests on. Never a verdict, never established. */
export interface JobSoFar {
  readonly outcome: Outcome;
  readonly status: 'supported' | 'hypothesis' | 'not-determinable';
  readonly firstRanks: readonly number[];
  readonly pod: string | undefined;
  readonly summary: string;
  readonly filesRead: number;
  /** null = unknown until read. */
  readonly filesTotal: number | null;
  /** Logs of which the beginning and the end were looked at, and nothing else yet; absent = none. */
  readonly logEnds?: number;
}

export type JobQuestion =
  /** A zip is encrypted. `wrong`: the password that was given does not open it. */
  | { readonly kind: 'password'; readonly wrong: boolean }
  /** The same bytes are a case already. `files`: of a folder, all of which have the same path, size and SHA-256; absent for one file. */
  | {
      readonly kind: 'known-case';
      readonly caseId: CaseId;
      readonly name: string;
      readonly importedAt: string;
      readonly files?: number;
    };

export type JobState =
  | (JobCommon & { readonly kind: 'queued' })
  | (JobCommon & JobRun & { readonly kind: 'running' })
  /** Stands still until it is resumed; nothing is lost if the program ends meanwhile. */
  | (JobCommon & JobRun & { readonly kind: 'paused' })
  | (JobCommon & {
      readonly kind: 'done';
      readonly caseId: CaseId;
      readonly files: readonly JobFile[];
      readonly progress: JobProgress;
    })
  | (JobCommon & { readonly kind: 'failed'; readonly code: JobFailure; readonly detail: string })
  | (JobCommon & { readonly kind: 'cancelled' });

/** Why an import ended without a case. Maps to the exit statuses of the terminal command. */
export type JobFailure =
  | 'path-missing'
  | 'nothing-readable'
  | 'refused-for-safety'
  | 'disk-full'
  /** Its thread died; what it had finished is kept, and it can be taken up. */
  | 'interrupted'
  | 'internal';

/** An `AbortSignal` fits. */
export interface CancelSignal {
  readonly aborted: boolean;
}
