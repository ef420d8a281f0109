import { existsSync } from 'node:fs';
import { err, ok } from '#shared/lib/result.ts';
import type { HandlerTable } from './handler-table.ts';

export const jobHandlers: HandlerTable<'job' | 'example' | 'bundle'> = {
  'job.get': async ({ jobId }, ctx) => {
    const state = ctx.jobs.state(jobId);
    return state === undefined ? err({ code: 'job-not-found', detail: jobId }) : ok(state);
  },

  'job.cancel': async ({ jobId }, ctx) =>
    ctx.jobs.cancel(jobId) ? ok(null) : err({ code: 'job-not-found', detail: jobId }),

  'example.import': async ({ which }, ctx) => {
    const path = ctx.options.examples?.[which];
    if (path === undefined || !existsSync(path))
      return err({ code: 'entry-not-found', detail: `no ${which} example in this build` });
    return ok({ jobId: ctx.jobs.start([path], { kind: 'library', example: true }) });
  },

  'bundle.import': async ({ paths, caseFile, keep }, ctx) => {
    if (caseFile !== undefined) return ok({ jobId: ctx.jobs.start(paths, { kind: 'file', file: caseFile }) });
    return ok({ jobId: ctx.jobs.start(paths, keep ? { kind: 'library', example: false } : { kind: 'temporary' }) });
  },
};
