import type { JobFile, JobPhase, JobProgress } from '#shared/model/job.ts';

/** What an import says about itself while it runs. Every call is cheap; thinning them out is the receiver's business. */
export interface ImportListener {
  onPhase(phase: JobPhase): void;
  onProgress(progress: Omit<JobProgress, 'secondsLeft'>): void;
  onFile(file: JobFile): void;
}
