import { expect, it } from 'vitest';
import { jobId } from '#shared/model/ids.ts';
import { createInterruptedJobs } from '../../../../electron/main/interrupted-jobs.ts';

it('names what ran when the engine ended, each import once', () => {
  const jobs = createInterruptedJobs();
  jobs.see({ kind: 'queued', jobId: jobId('a'), title: 'a' });
  jobs.see({ kind: 'queued', jobId: jobId('b'), title: 'b' });
  jobs.see({ kind: 'cancelled', jobId: jobId('b'), title: 'b' });
  expect(jobs.take()).toEqual([{ jobId: 'a', wasPaused: false }]);
  jobs.see({ kind: 'queued', jobId: jobId('a'), title: 'a' });
  jobs.see({ kind: 'queued', jobId: jobId('c'), title: 'c' });
  expect(jobs.take()).toEqual([{ jobId: 'c', wasPaused: false }]);
});
