import { defineSignature } from './define.ts';

const CANCELLED =
  /^(?:slurmstepd|srun): error: \*{3} (?:JOB|STEP) \S{1,40} ON (\S{1,120}) CANCELLED AT \S{1,40}(?: DUE TO ([A-Z ]{3,40}?)(?:, SEE [\w ]{1,60})?)? ?\*{3}/;

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

const TASK_EXIT =
  /^srun: error: (\S{1,120}): tasks? ([\d,-]{1,2000}): (?:Exited with exit code (\d{1,3})|(?!Out Of Memory)([A-Z][A-Za-z -]{2,40}?)(?: \(core dumped\))?)$/;
/** A list of more tasks than this is not spelt out. */
const MAX_TASKS = 16_384;

/** `8-15`, `3,5,9-12`; undefined for anything else. */
function taskList(text: string): readonly number[] | undefined {
  const tasks: number[] = [];
  for (const part of text.split(',')) {
    const match = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(part);
    if (match === null) return undefined;
    const [from, to] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (to < from || tasks.length + to - from >= MAX_TASKS) return undefined;
    for (let task = from; task <= to; task++) tasks.push(task);
  }
  return tasks;
}

/** srun on tasks that ended badly; of equal messages it may print the first only. */
export const slurmTaskExit = defineSignature({
  id: 'slurm-task-exit',
  literals: [': task ', ': tasks '],
  match({ text }) {
    const match = TASK_EXIT.exec(text);
    const tasks = match === null ? undefined : taskList(match[2] ?? '');
    if (match === null || tasks === undefined) return undefined;
    const [, host, , code, how] = match;
    return {
      body: { kind: 'task-exit', tasks, host, exitCode: code === undefined ? undefined : Number(code), how },
      printer: { host },
    };
  },
  samples: [
    {
      text: 'srun: error: gpu-node-01: tasks 8-10: Exited with exit code 1',
      expect: { kind: 'task-exit', tasks: [8, 9, 10], host: 'gpu-node-01', exitCode: 1, how: undefined },
      printer: { host: 'gpu-node-01' },
    },
    {
      text: 'srun: error: gpu-node-03: task 21: Aborted (core dumped)',
      expect: { kind: 'task-exit', tasks: [21], host: 'gpu-node-03', exitCode: undefined, how: 'Aborted' },
      printer: { host: 'gpu-node-03' },
    },
  ],
  nearMisses: [
    'srun: error: gpu-node-03: task 21: unknown',
    'srun: error: gpu-node-04: task 26: Out Of Memory',
    'the last tasks: Exited with exit code 1',
  ],
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
        teller: 'slurm',
      },
      printer: { host: task?.[1] },
    };
  },
  samples: [
    {
      text: 'slurmstepd: error: Detected 1 oom_kill event in StepId=481516.0. Some of the step tasks have been OOM Killed.',
      expect: {
        kind: 'oom-kill',
        pid: -1,
        process: '',
        podUid: undefined,
        containerId: undefined,
        scope: 'unknown',
        teller: 'slurm',
      },
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
        teller: 'slurm',
      },
      printer: { host: 'gpu-node-04' },
    },
  ],
  nearMisses: ['ERROR: Out Of Memory'],
});
