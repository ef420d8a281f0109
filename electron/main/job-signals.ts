/** What an import shows outside of the windows: the bar in the task bar or dock, and a word when nobody looks. Pure. */
import type { JobState } from '#shared/model/job.ts';

export interface JobSignals {
  /** 0..1, or -1 = no bar. */
  readonly progress: number;
  /** Said once, if no window has the focus. */
  readonly notice: { readonly title: string; readonly body: string } | null;
}

const MAX_TITLE = 80;

/** Keeps the last state of each job; several imports share one bar, which shows their mean. */
export function createJobSignals(): (state: JobState) => JobSignals {
  const running = new Map<string, number>();
  return (state) => {
    if (state.kind === 'running' || state.kind === 'paused') running.set(state.jobId, state.fraction);
    else if (state.kind === 'queued') running.set(state.jobId, 0);
    else running.delete(state.jobId);
    const fractions = [...running.values()];
    const progress = fractions.length === 0 ? -1 : fractions.reduce((sum, value) => sum + value, 0) / fractions.length;
    return { progress, notice: noticeOf(state) };
  };
}

function noticeOf(state: JobState): JobSignals['notice'] {
  const body = state.title.slice(0, MAX_TITLE);
  if (state.kind === 'done') return { title: 'Import done', body };
  return state.kind === 'failed' ? { title: 'Import failed', body } : null;
}
