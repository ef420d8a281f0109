import type { JobFile, JobPhase, JobProgress, JobSoFar } from '#shared/model/job.ts';

/** What an import says about itself while it runs. Every call is cheap; thinning them out is the receiver's business. */
export interface ImportListener {
  onPhase(phase: JobPhase): void;
  onProgress(progress: Omit<JobProgress, 'secondsLeft'>): void;
  onFile(file: JobFile): void;
  /** A provisional finding; each replaces the one before. */
  onSoFar?(soFar: JobSoFar): void;
  /** It stands still from now on (true), or goes on. */
  onPaused?(paused: boolean): void;
  /** Asked by an import that may ask; null = go on without. `wrong`: what was given before does not open it. */
  askPassword?(wrong: boolean): Promise<string | null>;
}
