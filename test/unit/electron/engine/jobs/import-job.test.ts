import { describe, expect, it } from 'vitest';
import { ImportJob, type Timers } from '#engine/jobs/import-job.ts';
import { caseId, jobId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';

/** A clock that only moves when told to. */
function fakeTimers(): Timers & { advance(ms: number): void } {
  let now = 0;
  const tasks = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    after: (ms, run) => {
      const task = { at: now + ms, run };
      tasks.add(task);
      return () => tasks.delete(task);
    },
    advance(ms) {
      now += ms;
      for (const task of [...tasks]) {
        if (task.at > now) continue;
        tasks.delete(task);
        task.run();
      }
    },
  };
}

function startJob() {
  const timers = fakeTimers();
  const states: JobState[] = [];
  const job = new ImportJob(jobId('j'), 'bundle', timers, (state) => states.push(state));
  return { timers, states, job };
}

const progress = (bytesDone: number, bytesTotal = 1000) => ({ filesDone: 0, filesTotal: null, bytesDone, bytesTotal });
const file = (path: string, status: 'reading' | 'read' = 'read') => ({
  path,
  kind: 'Log',
  bytes: 1,
  status,
  detail: '',
});

describe('states of a job', () => {
  it('come at most ten a second, and the last one always', () => {
    const { timers, states, job } = startJob();
    for (let i = 0; i < 1000; i += 1) {
      job.onProgress(progress(i));
      timers.advance(1);
    }
    expect(states.length).toBeGreaterThanOrEqual(9);
    expect(states.length).toBeLessThanOrEqual(11);
    job.end({ kind: 'done', caseId: caseId('c') });
    expect(states.at(-1)).toMatchObject({ kind: 'done', caseId: 'c' });
    timers.advance(1000);
    expect(states.at(-1)?.kind).toBe('done');
  });

  it('never run backwards, whatever is reported', () => {
    const { timers, states, job } = startJob();
    job.onPhase('reading');
    for (const bytes of [500, 200, 900, 100]) {
      timers.advance(200);
      job.onProgress(progress(bytes));
    }
    job.onPhase('analysing');
    timers.advance(200);
    job.onPhase('inventory');
    timers.advance(200);
    const fractions = states.flatMap((state) => (state.kind === 'running' ? [state.fraction] : []));
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBeLessThan(1);
  });

  it('carry each file that changed, with its newest status', () => {
    const { timers, states, job } = startJob();
    job.onPhase('reading');
    job.onFile(file('a', 'reading'));
    job.onFile(file('b', 'reading'));
    job.onFile(file('a'));
    timers.advance(100);
    const last = states.at(-1);
    expect(last?.kind === 'running' && last.files.map((row) => [row.path, row.status])).toEqual([
      ['b', 'reading'],
      ['a', 'read'],
    ]);
    job.onFile(file('b'));
    job.end({ kind: 'done', caseId: caseId('c') });
    const done = states.at(-1);
    expect(done?.kind === 'done' && done.files.map((row) => row.path)).toEqual(['b']);
  });

  it('end once', () => {
    const { states, job } = startJob();
    job.end({ kind: 'cancelled' });
    job.end({ kind: 'failed', code: 'internal', detail: '' });
    job.onPhase('reading');
    expect(states.map((state) => state.kind)).toEqual(['cancelled']);
  });

  it('guess the time left only when there is something to go by', () => {
    const { timers, job } = startJob();
    job.onPhase('reading');
    job.onProgress(progress(10));
    expect(job.state).toMatchObject({ progress: { secondsLeft: null } });
    timers.advance(10_000);
    job.onProgress(progress(500));
    timers.advance(100);
    expect(job.state).toMatchObject({ progress: { secondsLeft: 12 } });
  });
});
