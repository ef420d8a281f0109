import { defineSignature } from './define.ts';

const CANCELLED =
  /^(?:slurmstepd|srun): error: \*{3} (?:JOB|STEP) \S{1,40} ON (\S{1,120}) CANCELLED AT \S{1,40}(?: DUE TO ([A-Z ]{3,40}?))? ?\*{3}/;

/** Slurm ended the job or a step: time limit, preemption, node failure, a user, or (without a word) a failed task. */
export const schedulerCancelled = defineSignature({
  id: 'scheduler-cancelled',
  literals: [' CANCELLED AT '],
  match({ text }) {
    const match = CANCELLED.exec(text);
    if (match === null) return undefined;
    return { body: { kind: 'scheduler-cancelled', reason: match[2] ?? '', host: match[1] } };
  },
  samples: [
    {
      text: 'slurmstepd: error: *** STEP 481516.0 ON gpu-node-01 CANCELLED AT 2026-03-14T11:30:00 DUE TO TIME LIMIT ***',
      expect: { kind: 'scheduler-cancelled', reason: 'TIME LIMIT', host: 'gpu-node-01' },
    },
    {
      text: 'slurmstepd: error: *** STEP 84541.1 ON node-144 CANCELLED AT 2026-04-21T14:20:32 ***',
      expect: { kind: 'scheduler-cancelled', reason: '', host: 'node-144' },
    },
  ],
  nearMisses: ['ORDER CANCELLED AT 2026-03-14'],
});

const OOM_EVENTS = /^slurmstepd: error: Detected \d{1,6} oom[_-]kill event/;
const TASK_OOM = /^srun: error: (\S{1,120}): task (\d{1,7}): Out Of Memory/;

/** Slurm saw a memory kill; it does not say which process, so `pid` is -1. */
export const slurmOom = defineSignature({
  id: 'slurm-oom',
  literals: ['oom_kill event', 'oom-kill event', ': Out Of Memory'],
  match({ text }) {
    const task = TASK_OOM.exec(text);
    if (task === null && !OOM_EVENTS.test(text)) return undefined;
    return {
      body: {
        kind: 'oom-kill',
        pid: -1,
        process: task === null ? '' : `task ${task[2]}`,
        podUid: undefined,
        containerId: undefined,
        scope: 'unknown',
      },
      printer: { host: task?.[1] },
    };
  },
  samples: [
    {
      text: 'slurmstepd: error: Detected 1 oom_kill event in StepId=481516.0. Some of the step tasks have been OOM Killed.',
      expect: { kind: 'oom-kill', pid: -1, process: '', podUid: undefined, containerId: undefined, scope: 'unknown' },
      printer: { host: undefined },
    },
    {
      text: 'srun: error: gpu-node-04: task 26: Out Of Memory',
      expect: {
        kind: 'oom-kill',
        pid: -1,
        process: 'task 26',
        podUid: undefined,
        containerId: undefined,
        scope: 'unknown',
      },
      printer: { host: 'gpu-node-04' },
    },
  ],
  nearMisses: ['ERROR: Out Of Memory'],
});
