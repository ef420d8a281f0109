/**
 * What a log line (or a record of several lines) says, normalised: the vocabulary between formats and analysis.
 * A signature (`shared/formats/log/signatures/`) yields one body; the envelope adds who, when and where.
 * Witness and accused are kept apart: `rank` in the envelope is who PRINTED the line, ranks inside a body are who it is ABOUT.
 */
import type { SourceRef } from './source-ref.ts';
import type { Stamp } from './time.ts';

/**
 * How the printing process's rank is known, best first (the trust order of the field).
 * `default-pg` and `nccl-world` are ranks inside a group that spans the whole job.
 */
export type RankBasis =
  | 'rank-prefix' // [rank12]: by torch.distributed
  | 'default-pg' // [PG ID 0 PG GUID 0(default_pg) Rank 12]
  | 'app-prefix' // the program's own "[rank12] INFO …" or a column that agrees with what ranks announced
  | 'announced' // this very line says "rank 12 of 32 (local 4)"
  | 'launcher-prefix' // srun --label, mpirun --tag-output: task id, usually the global rank
  | 'file-name' // rank-12.log
  | 'work-prefix'; // [Rank 12] of WorkNCCL: rank in SOME group; weakest

/** Causal class of a Python exception's final line. `distributed` and `wrapper` are consequences as a rule. */
export type ExceptionClass =
  | 'cuda-out-of-memory'
  | 'cuda-error'
  | 'gpu-hardware'
  | 'numerics'
  | 'data-input'
  | 'data-loader'
  | 'shared-memory'
  | 'storage'
  | 'host-memory'
  | 'configuration'
  | 'python'
  | 'collective-mismatch'
  | 'distributed'
  | 'rendezvous'
  | 'port-in-use'
  | 'wrapper'
  | 'signal'
  | 'interrupt';

export interface StackFrame {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** The source line as a traceback prints it; only of a call into torch.distributed. */
  readonly text?: string;
}

/**
 * An exception from which, or while handling which, the last one was raised.
 * - `cause`    `raise … from`                      - `context`  raised while the one before was being handled
 * - `first`    the first of the chain              - `inner`    quoted by another (a data loader's worker, a remote rank)
 */
export interface ChainedException {
  readonly type: string;
  /** First line, at most 160 characters. */
  readonly message: string;
  readonly relation: 'first' | 'cause' | 'context' | 'inner';
  /** Global rank that it is about where the record says so, else undefined: the printer's own. */
  readonly aboutRank?: number;
}

/** A process group as a log line names it. `rank` is the printer's rank INSIDE that group. */
export interface GroupMention {
  readonly id: string | undefined;
  readonly guid: string | undefined;
  readonly desc: string | undefined;
  readonly rank: number | undefined;
}

export interface CollectiveFingerprint {
  readonly rank: number;
  readonly seq: number | undefined;
  readonly op: string;
  readonly shape: string | undefined;
  readonly dtypes: string | undefined;
}

/** One block of torchrun's failure summary. `rank` is global. */
export interface WorkerFailure {
  readonly root: boolean;
  readonly rank: number;
  readonly localRank: number;
  readonly host: string | undefined;
  readonly time: Stamp | undefined;
  /** Negative = ended by that signal. */
  readonly exitCode: number;
  readonly pid: number | undefined;
  /** True if an error file was written: then `time` is the moment of the exception, else when the agent noticed. */
  readonly hasErrorFile: boolean;
  readonly message: string | undefined;
}

export type EventBody =
  // life of a rank
  | {
      readonly kind: 'rank-announced';
      readonly rank: number;
      readonly worldSize: number | undefined;
      readonly localRank: number | undefined;
      readonly pid: number | undefined;
    }
  | { readonly kind: 'group-ready' }
  | { readonly kind: 'progress'; readonly step: number | undefined; readonly epoch: number | undefined }
  /** An operation that should be followed by its end; `label` pairs the two (a path, a name). */
  | {
      readonly kind: 'operation-start';
      readonly what: 'checkpoint' | 'evaluation' | 'data' | 'compile' | 'other';
      readonly label: string;
    }
  | {
      readonly kind: 'operation-end';
      readonly what: 'checkpoint' | 'evaluation' | 'data' | 'compile' | 'other';
      readonly label: string;
    }
  | { readonly kind: 'finished'; readonly steps: number | undefined }
  | {
      readonly kind: 'software';
      readonly torch: string | undefined;
      readonly nccl: string | undefined;
      readonly cuda: string | undefined;
      readonly driver: string | undefined;
    }
  | { readonly kind: 'dump-written'; readonly reason: string }
  // c10d
  | {
      readonly kind: 'collective-timeout';
      readonly seq: number | undefined;
      readonly op: string;
      readonly numelIn: number | undefined;
      readonly numelOut: number | undefined;
      readonly timeoutMs: number | undefined;
      readonly ranMs: number | undefined;
      readonly group: GroupMention | undefined;
      readonly blockingWait: boolean;
    }
  | {
      readonly kind: 'work-status';
      readonly work: number | undefined;
      readonly lastEnqueued: number;
      readonly lastCompleted: number;
      readonly group: GroupMention | undefined;
    }
  | { readonly kind: 'watchdog-terminated'; readonly error: string; readonly errorClass: ExceptionClass }
  | { readonly kind: 'async-error'; readonly error: string; readonly lastError: string | undefined }
  | { readonly kind: 'communicator-aborted'; readonly error: string }
  | { readonly kind: 'teardown' }
  | { readonly kind: 'heartbeat-stuck'; readonly seconds: number | undefined }
  | { readonly kind: 'gil-suspected' }
  /** `from` undefined = this local rank. */
  | { readonly kind: 'dump-signal'; readonly from: number | undefined; readonly global: boolean }
  | { readonly kind: 'store-lost'; readonly error: string }
  | { readonly kind: 'unique-id-failed'; readonly error: string; readonly waitedFor: number }
  | {
      readonly kind: 'store-unreachable';
      readonly host: string | undefined;
      readonly port: number | undefined;
      readonly seconds: number | undefined;
      readonly joined: number | undefined;
      readonly expected: number | undefined;
    }
  /** A look-up of the store's name that failed; it is tried again until a time limit, so that it may come to nothing. */
  | {
      readonly kind: 'name-unresolved';
      readonly name: string;
      readonly port: number | undefined;
      readonly error: string;
    }
  | { readonly kind: 'port-in-use'; readonly port: number | undefined }
  | {
      readonly kind: 'collective-mismatch';
      readonly a: CollectiveFingerprint;
      readonly b: CollectiveFingerprint | undefined;
    }
  | {
      readonly kind: 'desync';
      readonly lagging: readonly number[];
      readonly everJoined: boolean;
      readonly seq: number | undefined;
      /** Ranks that a line of the report's snapshot lists, whatever they did; absent elsewhere. */
      readonly seen?: readonly number[];
    }
  | {
      readonly kind: 'monitored-barrier-failed';
      readonly ranks: readonly number[];
      readonly ms: number | undefined;
      readonly allNamed: boolean;
    }
  | { readonly kind: 'monitored-barrier-reached'; readonly rank: number }
  // gloo
  | { readonly kind: 'gloo-timeout'; readonly ms: number | undefined; readonly direction: 'send' | 'recv' | undefined }
  | {
      readonly kind: 'gloo-closed';
      readonly peer: string | undefined;
      readonly how: 'closed' | 'reset' | 'timeout-closure';
    }
  | { readonly kind: 'gloo-size-mismatch'; readonly got: number; readonly expected: number }
  | { readonly kind: 'gloo-connect-failed'; readonly peer: string | undefined; readonly error: string }
  // Python
  | {
      readonly kind: 'exception';
      readonly type: string;
      readonly message: string;
      readonly class: ExceptionClass;
      readonly frames: readonly StackFrame[];
      readonly handled: boolean;
      /** Exceptions that the same record tells of before this one, the first one first; absent where there are none. */
      readonly chain?: readonly ChainedException[];
    }
  | { readonly kind: 'native-terminate'; readonly what: string }
  | { readonly kind: 'device-assert'; readonly expression: string }
  // torchrun
  | {
      readonly kind: 'worker-failed';
      readonly exitCode: number;
      readonly localRank: number;
      readonly pid: number | undefined;
    }
  | { readonly kind: 'closing-signal'; readonly pid: number; readonly signal: string }
  | { readonly kind: 'shutdown-stuck'; readonly pid: number; readonly uninterruptible: boolean }
  | { readonly kind: 'agent-signal'; readonly signal: number }
  | { readonly kind: 'failure-summary'; readonly failures: readonly WorkerFailure[] }
  | { readonly kind: 'worker-restart'; readonly attemptsLeft: number | undefined }
  | {
      readonly kind: 'rendezvous-result';
      readonly restartCount: number | undefined;
      readonly groupRank: number | undefined;
      readonly globalRanks: readonly number[];
      /** Store and size of the round, the same text on all agents of it: `trainer-0:29400 of 3`. Absent where not told. */
      readonly round?: string;
    }
  /** A member began a set-up that no member ends before all have begun. `key` is the same on all; undefined = not told. */
  | { readonly kind: 'set-up-begun'; readonly what: 'rendezvous' | 'store-barrier'; readonly key: string | undefined }
  | { readonly kind: 'set-up-over'; readonly what: 'store-barrier'; readonly key: string }
  | {
      readonly kind: 'rendezvous-failed';
      readonly how: 'timeout' | 'closed' | 'connection' | 'heartbeat' | 'other';
      readonly error: string;
    }
  // NCCL
  | {
      readonly kind: 'nccl-init';
      readonly complete: boolean;
      readonly rank: number;
      readonly nranks: number;
      readonly cudaDev: number | undefined;
      readonly busId: string | undefined;
      readonly commId: string | undefined;
      /** Address in the process, by which its calls name it. */
      readonly comm?: string | undefined;
      readonly host: string | undefined;
      readonly pid: number | undefined;
    }
  | {
      readonly kind: 'nccl-warning';
      readonly class:
        | 'cuda'
        | 'shared-memory'
        | 'peer-closed'
        | 'connect-failed'
        | 'ib-completion'
        | 'ib-event'
        | 'size-mismatch'
        | 'duplicate-gpu'
        | 'bootstrap'
        | 'collective-mismatch-hint'
        | 'other';
      readonly text: string;
      readonly peer: string | undefined;
      readonly status: number | undefined;
      readonly device: string | undefined;
      readonly host: string | undefined;
      readonly pid: number | undefined;
      readonly ranks: readonly number[];
    }
  | {
      readonly kind: 'nccl-network';
      readonly text: string;
      readonly interface: string | undefined;
      readonly host: string | undefined;
      readonly pid: number | undefined;
    }
  | {
      readonly kind: 'nccl-collective';
      readonly op: string;
      readonly opCount: number;
      /** Address of the communicator in its process; other processes have another one for it. */
      readonly comm: string;
      readonly count: number | undefined;
      /** Number that NCCL gives the type: 7 is float32. Absent where the line was cut. */
      readonly datatype?: number | undefined;
      readonly root?: number | undefined;
      readonly nranks?: number | undefined;
      readonly host: string | undefined;
      readonly pid: number | undefined;
    }
  | {
      readonly kind: 'ras-count';
      readonly ranks: readonly number[];
      readonly count: number;
      readonly behind: boolean;
      readonly op: string | undefined;
      readonly others: number | undefined;
    }
  | {
      readonly kind: 'ras-dead';
      readonly rank: number | undefined;
      readonly pid: number | undefined;
      readonly host: string | undefined;
      readonly text: string;
    }
  // host
  | {
      readonly kind: 'oom-kill';
      /** -1 where the teller does not say (Slurm). */
      readonly pid: number;
      readonly process: string;
      readonly podUid: string | undefined;
      readonly containerId: string | undefined;
      readonly scope: 'container' | 'pod' | 'node' | 'unknown';
      /** Who watches over the job's own processes and tells of it; undefined for the kernel, which tells of any process. */
      readonly teller?: 'slurm' | 'ray';
      /** Of the killed process, where the teller may stand on another host. */
      readonly host?: string;
    }
  | {
      readonly kind: 'xid';
      readonly pci: string;
      readonly code: number;
      readonly pid: number | undefined;
      readonly text: string;
    }
  /**
   * What nvidia-smi or a GPU exporter said of one GPU when it was asked, most often after the incident.
   * - `lost`             it does not answer any more (also `missing`: its index is left out of the list)
   * - `memory-error`     uncorrectable errors since the driver was loaded
   * - `remap`            rows wait to be remapped, or could not be
   * - `recovery-action`  the driver asks for a reset, a drain or a reboot
   * - `last-xid`         the last Xid, which stays until the driver is loaded again
   */
  | {
      readonly kind: 'gpu-state';
      readonly what: 'lost' | 'missing' | 'memory-error' | 'remap' | 'recovery-action' | 'last-xid';
      /** `0000:9d:00.0` */
      readonly pci: string | undefined;
      /** Index on the node, which is that inside a Pod only if the Pod has all GPUs of the node. */
      readonly index: number | undefined;
      readonly text: string;
    }
  /**
   * How a host, a Pod or a container was when it was asked, most often after the failure. Counters run since their cgroup was made.
   * - `oom-kills`          processes of the cgroup, or of one below it, that the kernel killed for lack of memory; 0 is told as well
   * - `memory-limit-hits`  times that the cgroup came up to its memory limit; freeing memory may have helped each time
   * - `memory-bytes`, `memory-peak-bytes`, `memory-limit-bytes`  bytes
   * - `throttled`          percent of the periods with something to run in which the CPU limit held the cgroup back
   * - `cpu-pressure`       percent of the last minute in which some task waited for a processor
   * - `io-pressure`, `memory-pressure`  percent of the last minute in which all tasks waited for it
   * - `disk`, `inodes`     percent in use of the file system at `of`
   * - `memory`, `cpu`, `steal`  percent of a node's memory or processors in use, or kept from it by the hypervisor
   */
  | {
      readonly kind: 'host-state';
      readonly what:
        | 'oom-kills'
        | 'memory-limit-hits'
        | 'memory-bytes'
        | 'memory-peak-bytes'
        | 'memory-limit-bytes'
        | 'throttled'
        | 'cpu-pressure'
        | 'io-pressure'
        | 'memory-pressure'
        | 'disk'
        | 'inodes'
        | 'memory'
        | 'cpu'
        | 'steal';
      readonly value: number;
      /** Mount point. */
      readonly of: string | undefined;
      /** Size of the file system. */
      readonly bytes?: number | undefined;
      readonly podUid: string | undefined;
      readonly containerId: string | undefined;
      readonly text: string;
    }
  | { readonly kind: 'link-event'; readonly device: string; readonly up: boolean; readonly text: string }
  | {
      readonly kind: 'kernel-note';
      readonly what: 'blocked-task' | 'soft-lockup' | 'panic' | 'nfs' | 'disk' | 'pcie' | 'nic' | 'reboot' | 'segfault';
      readonly text: string;
      readonly pid: number | undefined;
    }
  /**
   * What a node's time service wrote about the node's clock. Milliseconds, positive = the clock is ahead, or was moved forward; undefined
   * = the line does not say how far.
   * - `offset`          clock minus its source, right to `boundMs` as a rule
   * - `step`            the clock was moved; the line already has the new time
   * - `unsynchronised`  nothing disciplines the clock: its offset is unknown from here on
   */
  | {
      readonly kind: 'clock-note';
      readonly tool: 'chronyd' | 'ntpd' | 'phc2sys' | 'journald' | 'resolved';
      readonly what: 'offset' | 'step' | 'unsynchronised';
      readonly ms: number | undefined;
      readonly boundMs: number | undefined;
    }
  | {
      readonly kind: 'data-loader-killed';
      readonly pid: number | undefined;
      readonly signal: string | undefined;
      readonly handled: boolean;
    }
  /** Slurm's launcher on tasks that ended badly. A task is a rank only where the job starts one task per process. */
  | {
      readonly kind: 'task-exit';
      readonly tasks: readonly number[];
      readonly host: string | undefined;
      readonly exitCode: number | undefined;
      /** Slurm's word for the signal: `Aborted`, `Killed`. `Out Of Memory` is an `oom-kill`. */
      readonly how: string | undefined;
      /** The launcher numbers its processes by global rank. */
      readonly areRanks?: true;
    }
  | { readonly kind: 'scheduler-cancelled'; readonly reason: string; readonly host: string | undefined }
  // collectors
  | { readonly kind: 'collector-note'; readonly text: string };

export type EventKind = EventBody['kind'];

/** One thing that happened, as its line tells it. */
export interface LogEvent {
  readonly body: EventBody;
  readonly stamp: Stamp | undefined;
  /** Further stamps of the same line (runtime stamp outside, application stamp inside); for zones and clocks. */
  readonly innerStamp: Stamp | undefined;
  readonly rank: number | undefined;
  readonly rankBasis: RankBasis | undefined;
  readonly localRank: number | undefined;
  readonly pid: number | undefined;
  /** From the line's own prefix (`[pod/NAME/CONTAINER]`, stern, NCCL host); the file's own Pod is in the stream. */
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly host: string | undefined;
  /** The line's message without prefixes, at most 600 characters. */
  readonly text: string;
  readonly source: SourceRef;
  /** Last line of a record of several lines; equal to the first for single lines. */
  readonly lastLine: number;
}

/** A line that says neither when nor by whom it was written. */
export const UNTOLD_ORIGIN: Pick<
  LogEvent,
  'stamp' | 'innerStamp' | 'rank' | 'rankBasis' | 'localRank' | 'pid' | 'pod' | 'container' | 'host'
> = {
  stamp: undefined,
  innerStamp: undefined,
  rank: undefined,
  rankBasis: undefined,
  localRank: undefined,
  pid: undefined,
  pod: undefined,
  container: undefined,
  host: undefined,
};

/** What one log stream (a file, or one Pod's share of a prefixed file) covered, for "silent since" and for gaps. */
export interface LogStream {
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly namespace: string | undefined;
  readonly podUid: string | undefined;
  /** Container restart number from the path (`2.log`), else undefined. */
  readonly restart: number | undefined;
  /** `kubectl logs --previous`. */
  readonly previous: boolean;
  /** torchrun `attempt_N/LOCAL_RANK/` from the path. */
  readonly attempt: number | undefined;
  readonly localRank: number | undefined;
  /** Rank from the file name (`rank-12.log`) or because every prefixed line of the file carries this one. */
  readonly fileRank: number | undefined;
  readonly host: string | undefined;
  /** The file has its newest lines first (exports of log services): inside it, a greater position is earlier. */
  readonly newestFirst?: true;
  readonly lines: number;
  readonly first: { readonly stamp: Stamp; readonly source: SourceRef } | undefined;
  readonly last: { readonly stamp: Stamp; readonly source: SourceRef } | undefined;
  readonly lastLine: { readonly text: string; readonly source: SourceRef } | undefined;
  /** Per printing rank where the lines themselves say it. Sorted by rank. */
  readonly ranks: readonly {
    readonly rank: number;
    readonly lines: number;
    readonly first: Stamp | undefined;
    readonly last: Stamp | undefined;
    readonly lastText: string;
    readonly lastSource: SourceRef;
  }[];
}
