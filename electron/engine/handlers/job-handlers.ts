import { existsSync } from 'node:fs';
import { err, ok } from '#shared/lib/result.ts';
import { reanalyseCase } from '../jobs/reanalyse-case.ts';
import type { HandlerTable } from './handler-table.ts';

export const jobHandlers: HandlerTable<'job' | 'example' | 'bundle'> = {
  'job.get': async ({ jobId }, ctx) => {
    const state = ctx.jobs.state(jobId);
    return state === undefined ? err({ code: 'job-not-found', detail: jobId }) : ok(state);
  },

  'job.cancel': async ({ jobId }, ctx) =>
    ctx.jobs.cancel(jobId) ? ok(null) : err({ code: 'job-not-found', detail: jobId }),

  'job.pause': async ({ jobId, paused }, ctx) =>
    ctx.jobs.pause(jobId, paused) ? ok(null) : err({ code: 'job-not-found', detail: jobId }),

  'job.stop': async ({ jobId }, ctx) =>
    ctx.jobs.stop(jobId) ? ok(null) : err({ code: 'job-not-found', detail: jobId }),

  'job.answer': async ({ jobId, answer }, ctx) =>
    ctx.jobs.answer(jobId, answer) ? ok(null) : err({ code: 'job-not-found', detail: jobId }),

  'job.unfinished': async (_params, ctx) => ok({ imports: ctx.jobs.unfinished() }),

  'job.take-up': async (params, ctx) => {
    const jobId = ctx.jobs.takeUp(params.jobId);
    ctx.publish('cases.changed', null);
    return jobId === undefined ? err({ code: 'job-not-found', detail: params.jobId }) : ok({ jobId });
  },

  'job.forget': async ({ jobId }, ctx) => {
    const isGone = ctx.jobs.forget(jobId);
    ctx.publish('cases.changed', null);
    return isGone ? ok(null) : err({ code: 'job-not-found', detail: jobId });
  },

  'job.reanalyse': async ({ caseId }, ctx) => reanalyseCase(caseId, ctx),

  'example.import': async ({ which }, ctx) => {
    const path = ctx.options.examples?.[which];
    if (path === undefined || !existsSync(path))
      return err({ code: 'entry-not-found', detail: `no ${which} example in this build` });
    return ok({ jobId: ctx.jobs.start([path], { kind: 'library', example: true }) });
  },

  'bundle.import': async ({ paths, caseFile, keep, ask = false }, ctx) => {
    if (caseFile !== undefined) return ok({ jobId: ctx.jobs.start(paths, { kind: 'file', file: caseFile }) });
    return ok({
      jobId: ctx.jobs.start(paths, keep ? { kind: 'library', example: false } : { kind: 'temporary' }, { ask }),
    });
  },
};
