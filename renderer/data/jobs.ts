/** Imports as the window watches them: the last state of each job and every file that any of its states named. */
import { useEffect, useSyncExternalStore } from 'react';
import type { JobId } from '#shared/model/ids.ts';
import type { JobFile, JobState } from '#shared/model/job.ts';
import { bridge } from './bridge.ts';

export interface WatchedJob {
  readonly state: JobState;
  readonly files: readonly JobFile[];
  readonly elapsedMs: number;
  readonly startBytes: number;
  /** The last state in which it ran: what a failed or cancelled import had reached. */
  readonly lastRun: Extract<JobState, { readonly kind: 'running' | 'paused' }> | null;
}

interface Watch {
  view: WatchedJob;
  readonly files: Map<string, JobFile>;
  readonly startedAt: number;
  readonly startBytes: number;
}

const jobs = new Map<JobId, Watch>();
const listeners = new Set<() => void>();
/** Older ones are forgotten: nobody looks at them any more. */
const MAX_JOBS = 8;

bridge.subscribe('job.changed', record);

function record(state: JobState): void {
  const known = jobs.get(state.jobId);
  const files = known?.files ?? new Map<string, JobFile>();
  for (const file of 'files' in state ? state.files : []) files.set(file.path, file);
  const now = performance.now();
  const startedAt = known?.startedAt ?? now;
  const startBytes = known?.startBytes ?? ('progress' in state ? state.progress.bytesDone : 0);
  const lastRun = state.kind === 'running' || state.kind === 'paused' ? state : (known?.view.lastRun ?? null);
  const view: WatchedJob = { state, files: [...files.values()], elapsedMs: now - startedAt, startBytes, lastRun };
  jobs.set(state.jobId, { view, files, startedAt, startBytes });
  for (const [id] of jobs) if (jobs.size > MAX_JOBS && id !== state.jobId) jobs.delete(id);
  for (const listener of listeners) listener();
}

/** Null until the engine tells of it. */
export function useJob(jobId: JobId | null): WatchedJob | null {
  useEffect(() => {
    if (jobId === null || jobs.has(jobId)) return;
    void bridge.request('job.get', { jobId }).then((answer) => {
      if (answer.ok && !jobs.has(jobId)) record(answer.value);
    });
  }, [jobId]);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (jobId === null ? null : (jobs.get(jobId)?.view ?? null)),
  );
}

/** The job that runs or stands still now, if any. */
export function useRunningJob(): WatchedJob | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () =>
      [...jobs.values()].find(({ view }) => ['running', 'paused', 'queued'].includes(view.state.kind))?.view ?? null,
  );
}
