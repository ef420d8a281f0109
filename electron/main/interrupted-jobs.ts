/** Which imports an end of the engine process interrupted. Pure. */
import type { JobId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';

export interface Interrupted {
  readonly jobId: JobId;
  readonly wasPaused: boolean;
}

export interface InterruptedJobs {
  see(state: JobState): void;
  /** Those that ran. Each is named once: a bundle that ends the engine again is left to the user. */
  take(): readonly Interrupted[];
}

export function createInterruptedJobs(): InterruptedJobs {
  const running = new Map<JobId, Interrupted>();
  const taken = new Set<JobId>();
  return {
    see(state) {
      const { jobId, kind } = state;
      if (kind === 'queued' || kind === 'running' || kind === 'paused')
        running.set(jobId, { jobId, wasPaused: kind === 'paused' });
      else running.delete(jobId);
    },
    take() {
      const found = [...running.values()].filter(({ jobId }) => !taken.has(jobId));
      for (const { jobId } of found) taken.add(jobId);
      running.clear();
      return found;
    },
  };
}
