/** What launchers other than torchrun and Slurm say of a process that ended badly. */
import type { EventBody } from '../../../model/events.ts';
import { defineRecord, defineSignature, num } from './define.ts';

type TaskExit = Extract<EventBody, { kind: 'task-exit' }>;

const NAMES: ReadonlyMap<number, string> = new Map([
  [4, 'Illegal instruction'],
  [6, 'Aborted'],
  [7, 'Bus error'],
  [8, 'Floating point exception'],
  [9, 'Killed'],
  [11, 'Segmentation fault'],
  [15, 'Terminated'],
]);

function taskExit(tasks: readonly number[], host: string | undefined, code: number): TaskExit {
  const how = code < 0 ? (NAMES.get(-code) ?? `signal ${-code}`) : undefined;
  return { kind: 'task-exit', tasks, host, exitCode: how === undefined ? code : undefined, how };
}

const DEEPSPEED = /^\[(.{2,4000})\] exits with return code = (-?\d{1,4})$/;
const LOCAL_RANK = /'--local[_-]rank=(\d{1,5})'/;

/**
 * DeepSpeed's launcher on the first child of its node that failed: `['/usr/bin/python3', '-u', 'train.py', '--local_rank=3']
 * exits with return code = -9`. The code is that child's, the command is not: it is the last one that the launcher started,
 * whoever failed. Only where that is local rank 0 there was no other child. The `Killing subprocess` lines before it name
 * every child, the dead one too: they tell nothing.
 */
export const deepspeedExit = defineSignature({
  id: 'deepspeed-exit',
  literals: ['] exits with return code = '],
  match({ text }) {
    const at = text.indexOf("['");
    const match = at < 0 ? null : DEEPSPEED.exec(text.slice(at));
    const lastLocalRank = num(LOCAL_RANK.exec(match?.[1] ?? '')?.[1]);
    if (match === null || lastLocalRank === undefined) return undefined;
    const exitCode = Number(match[2]);
    if (lastLocalRank > 0) return { body: taskExit([], undefined, exitCode) };
    return { body: { kind: 'worker-failed', exitCode, localRank: 0, pid: undefined } };
  },
  samples: [
    {
      text: "['/usr/bin/python3', '-u', 'train.py', '--local_rank=3', '--zero', '3'] exits with return code = -9",
      expect: { kind: 'task-exit', tasks: [], host: undefined, exitCode: undefined, how: 'Killed' },
    },
    {
      text: "['/usr/bin/python3', '-u', 'train.py', '--local_rank=0', '--zero', '3'] exits with return code = 1",
      expect: { kind: 'worker-failed', exitCode: 1, localRank: 0, pid: undefined },
    },
  ],
  nearMisses: ["['make', 'all'] exits with return code = 2", 'the tool exits with return code = 0'],
});

const LIGHTNING = /^(?:\[rank: \d{1,7}\] )?Child process with PID (\d{1,8}) terminated with code (-?\d{1,4})\./;

/** Lightning's observer of its children. The rank in front is the observer's own, not the child's. */
export const lightningChild = defineSignature({
  id: 'lightning-child',
  literals: ['Child process with PID '],
  match({ text }) {
    const match = LIGHTNING.exec(text);
    return match === null ? undefined : { body: taskExit([], undefined, Number(match[2])) };
  },
  samples: [
    {
      text: '[rank: 0] Child process with PID 4711 terminated with code -9. Forcefully terminating all other processes to avoid zombies 🧟',
      expect: { kind: 'task-exit', tasks: [], host: undefined, exitCode: undefined, how: 'Killed' },
    },
  ],
  nearMisses: ['Child process with PID 4711 started'],
});

const NOTICED =
  /^(?:mpirun|mpiexec|orterun|prterun) noticed that process rank (\d{1,7}) with PID \d{1,8} on node (\S{1,120}) exited on signal (\d{1,3}) \(/;

/** Open MPI's launcher on the first process that a signal ended. Ranks are those of its world. */
export const mpirunSignal = defineSignature({
  id: 'mpirun-signal',
  literals: [' noticed that process rank '],
  match({ text }) {
    const match = NOTICED.exec(text);
    if (match === null) return undefined;
    const host = match[2];
    return { body: taskExit([Number(match[1])], host, -Number(match[3])), printer: { host } };
  },
  samples: [
    {
      text: 'mpirun noticed that process rank 3 with PID 4711 on node w-1 exited on signal 9 (Killed).',
      expect: { kind: 'task-exit', tasks: [3], host: 'w-1', exitCode: undefined, how: 'Killed' },
      printer: { host: 'w-1' },
    },
  ],
  nearMisses: ['mpirun noticed that process rank was not given'],
});

const PROCESS = /^\s{0,8}Process name: \[\[\d{1,10},\d{1,10}\],(\d{1,7})\]\s*$/;

/** Open MPI on the first process with an exit code: `Process name: [[12345,1],3]` and `Exit code:    1` below it. */
export const mpirunExit = defineRecord({
  id: 'mpirun-exit',
  literals: ['Process name: [['],
  open(message) {
    const rank = num(PROCESS.exec(message.text)?.[1]);
    if (rank === undefined) return undefined;
    let code: number | undefined;
    return {
      take({ text }) {
        code = num(/^\s{0,8}Exit code: {1,8}(\d{1,4})\s*$/.exec(text)?.[1]);
        return code === undefined ? 'over' : 'last';
      },
      close: () => ({ hits: code === undefined ? [] : [{ body: taskExit([rank], undefined, code) }] }),
    };
  },
  samples: [
    {
      lines: ['  Process name: [[12345,1],3]', '  Exit code:    1'],
      expect: [{ kind: 'task-exit', tasks: [3], host: undefined, exitCode: 1, how: undefined }],
    },
  ],
  nearMisses: ['Process name: [[unknown]]'],
});

const MPICH_WHO = /^= +(?:RANK (\d{1,7}) )?PID \d{1,8} RUNNING AT (\S{1,120})/;
const MPICH_HOW = /^= +(?:KILLED BY SIGNAL: (\d{1,3}) |EXIT (?:CODE|STATUS): (\d{1,4}))/;

/** MPICH's and Intel MPI's block. Without a rank the host alone is known. */
export const mpichExit = defineRecord({
  id: 'mpich-exit',
  literals: ['BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES'],
  open(message) {
    if (!/^= +BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES/.test(message.text)) return undefined;
    let rank: number | undefined;
    let host: string | undefined;
    let code: number | undefined;
    return {
      take({ text }) {
        const who = MPICH_WHO.exec(text);
        const how = MPICH_HOW.exec(text);
        if (who !== null) [rank, host] = [num(who[1]), who[2]];
        if (how !== null) code = how[1] === undefined ? Number(how[2]) : -Number(how[1]);
        if (how !== null) return 'last';
        return text.startsWith('=') ? 'more' : 'over';
      },
      close: () => {
        if (code === undefined) return { hits: [] };
        return { hits: [{ body: taskExit(rank === undefined ? [] : [rank], host, code), printer: { host } }] };
      },
    };
  },
  samples: [
    {
      lines: [
        '=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES',
        '=   RANK 3 PID 4711 RUNNING AT w-1',
        '=   KILLED BY SIGNAL: 9 (Killed)',
      ],
      expect: [{ kind: 'task-exit', tasks: [3], host: 'w-1', exitCode: undefined, how: 'Killed' }],
    },
    {
      lines: [
        '=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES',
        '=   PID 4711 RUNNING AT w-1',
        '=   EXIT CODE: 1',
      ],
      expect: [{ kind: 'task-exit', tasks: [], host: 'w-1', exitCode: 1, how: undefined }],
    },
  ],
  nearMisses: ['see BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES'],
});

const COMPOSER = /(?:^|[\s:])Rank (\d{1,7}) crashed with exit code (-?\d{1,4})\.\s*$/;

/**
 * Composer's launcher on the first of its processes that it saw ended: `ERROR:composer.cli.launcher:Rank 2 crashed with exit
 * code -7.` The number is the global rank. Its later `Global rank 0 (PID 162) exited with code 1` name whom that took along.
 */
export const composerExit = defineSignature({
  id: 'composer-exit',
  literals: [' crashed with exit code '],
  match({ text }) {
    const match = COMPOSER.exec(text);
    if (match === null) return undefined;
    return { body: { ...taskExit([Number(match[1])], undefined, Number(match[2])), areRanks: true } };
  },
  samples: [
    {
      text: 'ERROR:composer.cli.launcher:Rank 5 crashed with exit code -11.',
      expect: {
        kind: 'task-exit',
        tasks: [5],
        host: undefined,
        exitCode: undefined,
        how: 'Segmentation fault',
        areRanks: true,
      },
    },
  ],
  nearMisses: ['Rank 5 crashed with exit code -11. It was started again', 'the tool crashed with exit code 2.'],
});

const SPAWNED = /(?:^|: )process (\d{1,5}) terminated with (?:signal (SIG[A-Z]{2,8})|exit code (\d{1,3}))\s*$/;
const SIGNALS: ReadonlyMap<string, number> = new Map([
  ['SIGILL', 4],
  ['SIGABRT', 6],
  ['SIGBUS', 7],
  ['SIGFPE', 8],
  ['SIGKILL', 9],
  ['SIGSEGV', 11],
  ['SIGTERM', 15],
]);

/**
 * torch.multiprocessing.spawn on the first child that ended without an error of its own to pass on; it ends the others after that.
 * Children are numbered on their node: `ProcessExitedException: process 3 terminated with signal SIGKILL`, up to 1.5 plain `Exception`.
 */
export const spawnExit = defineSignature({
  id: 'spawn-exit',
  literals: [' terminated with signal SIG', ' terminated with exit code '],
  match({ text }) {
    const match = SPAWNED.exec(text);
    const signal = SIGNALS.get(match?.[2] ?? '');
    const exitCode = signal === undefined ? num(match?.[3]) : -signal;
    if (match === null || exitCode === undefined) return undefined;
    return { body: { kind: 'worker-failed', exitCode, localRank: Number(match[1]), pid: undefined } };
  },
  samples: [
    {
      text: 'process 3 terminated with signal SIGKILL',
      expect: { kind: 'worker-failed', exitCode: -9, localRank: 3, pid: undefined },
    },
    {
      text: 'Exception: process 0 terminated with exit code 1',
      expect: { kind: 'worker-failed', exitCode: 1, localRank: 0, pid: undefined },
    },
  ],
  nearMisses: ['the process terminated with signal SIGKILL', 'process 7 terminated with exit code 1, restarting'],
});

const HOROVOD = /^Process (\d{1,7}) exit with status code (\d{1,3})\.\s*$/;

/** Horovod's launcher on a process that ended badly, by its rank; above 128 a signal ended it: `Process 3 exit with status code 137.` */
export const horovodExit = defineSignature({
  id: 'horovod-exit',
  literals: [' exit with status code '],
  match({ text }) {
    const match = HOROVOD.exec(text);
    if (match === null || Number(match[2]) === 0) return undefined;
    const code = Number(match[2]);
    return { body: { ...taskExit([Number(match[1])], undefined, code > 128 ? 128 - code : code), areRanks: true } };
  },
  samples: [
    {
      text: 'Process 3 exit with status code 137.',
      expect: { kind: 'task-exit', tasks: [3], host: undefined, exitCode: undefined, how: 'Killed', areRanks: true },
    },
  ],
  nearMisses: ['Process 3 exit with status code 0.', 'Process started, exit with status code 1 expected'],
});

const ABORTED =
  /^MPI_ABORT was invoked on rank (\d{1,7}) in communicator MPI[_ ]COMM(?:_WORLD|UNICATOR \d{1,9} DUP FROM 0)\b/;

/** Open MPI on a program that ended the whole job itself, as mpi4py does for an exception that nobody caught. */
export const mpiAbort = defineSignature({
  id: 'mpi-abort',
  literals: ['MPI_ABORT was invoked on rank '],
  match({ text }) {
    const match = ABORTED.exec(text);
    if (match === null) return undefined;
    return { body: taskExit([Number(match[1])], undefined, 1) };
  },
  samples: [
    {
      text: 'MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD',
      expect: { kind: 'task-exit', tasks: [2], host: undefined, exitCode: 1, how: undefined },
    },
  ],
  nearMisses: ['MPI_ABORT was invoked on rank 2 in communicator MPI COMMUNICATOR 5 SPLIT FROM 0'],
});
