/** What an incident is made of (input) and what is true about it (output). */
import type { Cause, Outcome, Stage } from '#shared/model/finding.ts';
import type { NodeClock } from './clock.ts';

/** How the customer collected the logs. */
export type Layout =
  | 'kubectl' // logs/POD.log with --timestamps
  | 'capture' // one attempt by hand: POD.log, POD.yaml, POD.describe.txt, pods-wide.txt, events.txt
  | 'plain' // logs/POD.log without
  | 'prefixed' // all-pods.log: --prefix --timestamps
  | 'cri' // var/log/pods/NS_POD_UID/CONTAINER/0.log
  | 'torchrun' // logs/POD.log of the agent, torchrun/POD/RUN/attempt_0/LOCAL/stderr.log of the workers
  | 'plxlogs'; // plxlogs/EPOCH: what Polyaxon keeps of a run, all containers in chunks of JSON

/** `polyaxon`: a PyTorchJob that Polyaxon made, with its init and side containers. */
export type Workload = 'pytorchjob' | 'jobset' | 'statefulset' | 'polyaxon';

/** How the program writes its own lines. */
export type AppLog =
  | 'bracket'
  | 'python'
  | 'basic'
  | 'columns'
  /** `[2026-03-14 11:27:36,864] [INFO] [train.py:111:train] text`. */
  | 'deepspeed'
  /** `03/14/2026 11:27:36 - INFO - __main__ - text`: the examples of transformers and accelerate. */
  | 'accelerate'
  /**
   * Lightning's own words: `GLOBAL_RANK: 0, MEMBER: 1/8`, one progress bar that never ends its line, plain text for the rest. Its handler
   * for SIGTERM keeps processes alive until the launcher kills them.
   */
  | 'lightning';

export type Backend = 'nccl' | 'gloo';

export interface ClockSpec {
  readonly offsetMs: number;
  readonly driftPpm?: number;
  readonly zoneMinutes?: number;
}
/**
 * - `true`   every node agrees with the API server
 * - `close`  within a quarter of a second
 * - `skewed` up to two minutes either way, drift up to 50 ppm
 */
export type Clocks = 'true' | 'close' | 'skewed' | readonly ClockSpec[];

export type Fault =
  | { readonly kind: 'healthy' }
  /** Collected while the job was making progress. */
  | { readonly kind: 'still-running' }
  | { readonly kind: 'exception'; readonly rank: number; readonly step: number; readonly what: ExceptionKind }
  | { readonly kind: 'cuda-oom'; readonly rank: number; readonly step: number }
  | { readonly kind: 'sigkill'; readonly rank: number; readonly step: number }
  | { readonly kind: 'host-oom'; readonly rank: number; readonly step: number }
  /** The rank stays alive and never makes its next call. */
  | {
      readonly kind: 'stall';
      readonly rank: number;
      readonly step: number;
      readonly where: 'data' | 'checkpoint' | 'gil';
    }
  | { readonly kind: 'op-mismatch'; readonly rank: number; readonly step: number }
  | { readonly kind: 'size-mismatch'; readonly rank: number; readonly step: number }
  | { readonly kind: 'skipped-call'; readonly rank: number; readonly step: number }
  /** The rank stays alive; a program that waits for it catches the time-out and raises an error of its own from it (gloo). */
  | { readonly kind: 'wrapped-timeout'; readonly rank: number; readonly step: number }
  /** The rank says that it finished and ends, the others train on. */
  | { readonly kind: 'early-finish'; readonly rank: number; readonly step: number }
  /** `sys.exit` in mid-loop. */
  | { readonly kind: 'silent-exit'; readonly rank: number; readonly step: number; readonly code: 0 | 3 }
  /** `log.exception` and an exit. */
  | { readonly kind: 'logged-exit'; readonly rank: number; readonly step: number }
  /** The rank's read does not come back: its file server does not answer, as the kernel of its node says. */
  | { readonly kind: 'storage-stall'; readonly rank: number; readonly step: number }
  | { readonly kind: 'missing-worker'; readonly node: number }
  | { readonly kind: 'evicted'; readonly node: number; readonly step: number };
export type FaultKind = Fault['kind'];
export type ExceptionKind = 'data-input' | 'python' | 'numerics' | 'storage';

export interface LoopSpec {
  readonly steps: number;
  readonly stepMs: number;
  /** Elements of each gradient bucket. */
  readonly buckets: readonly number[];
  /** Steps between log lines, evaluations and checkpoints; 0 = never. */
  readonly logEvery: number;
  readonly evaluateEvery: number;
  readonly checkpointEvery: number;
}

/** The job is started again after its first failure. Only faults that end every Pod's launcher, or make it start over, fit. */
export interface Restart {
  /** torchrun's `--max-restarts` in the running container, or the kubelet with a new container. */
  readonly by: 'launcher' | 'kubelet';
  /**
   * How the second attempt ends:
   * - `again`  the same fault at the same place: a bug that is in the data or in the code
   * - `mesh`   nobody gets through to the others, right at the start (gloo)
   * - `resume` a rank cannot read the checkpoint that the first failure tore
   * - `later`  another rank raises for a reason of its own, some steps on
   * - `well`   the job finishes
   */
  readonly second: 'again' | 'mesh' | 'resume' | 'later' | 'well';
  /** The rank that raises in `resume` and `later`. */
  readonly rank?: number;
}

/** What did not make it into the bundle. */
export interface Missing {
  /** Of a job that was started again: all that the first attempt printed. */
  readonly firstAttempt?: boolean;
  /** Nodes whose logs begin late, because the runtime turned the file over. */
  readonly headsOfNodes?: readonly number[];
  /** Nodes whose logs were taken while the job still ran; those of the others at the end. */
  readonly tailsOfNodes?: readonly number[];
  readonly dumpsOfRanks?: readonly number[];
  /** Indices of nodes whose Pod's log is absent. */
  readonly logsOfNodes?: readonly number[];
  readonly events?: boolean;
  readonly leases?: boolean;
  readonly kernelLog?: boolean;
  readonly podYaml?: boolean;
}

export interface IncidentSpec {
  readonly seed: number;
  readonly nodes: number;
  readonly ranksPerNode: number;
  /** Sizes of tensor- and pipeline-parallel groups; the rest is data-parallel. Default 1 and 1. */
  readonly tensorParallel?: number;
  readonly pipelineParallel?: number;
  /** Neighbouring ranks that share experts and exchange tokens by all-to-all. Default 1: no experts. Not beside the two above. */
  readonly expertParallel?: number;
  /** Processes of each node where they differ, by node; `ranksPerNode` is then not used. */
  readonly processesOfNodes?: readonly number[];
  readonly backend: Backend;
  readonly workload: Workload;
  readonly layout: Layout;
  readonly appLog: AppLog;
  readonly clocks: Clocks;
  /** Minutes east of UTC in which programs write, by node; default UTC everywhere. */
  readonly zones?: readonly number[];
  readonly loop: LoopSpec;
  readonly timeoutS: number;
  readonly fault: Fault;
  /** Entries a process keeps; default 2000. */
  readonly ringEntries?: number;
  /** The recorder was switched off: no dumps, and torch says so. */
  readonly recorder?: 'off';
  /** What the `[Rank r]` of the watchdog's lines means: torch from 2.6 on writes the rank in the group that logs first. Default global. */
  readonly workRank?: 'group';
  /** NCCL only: a second group of all ranks over gloo, for barriers around checkpoints. */
  readonly glooBarrier?: boolean;
  readonly restart?: Restart;
  /** NCCL_DEBUG=INFO: communicator lines in the logs. */
  readonly ncclDebug?: boolean;
  /** Do the peers of a process that ended learn it from their sockets, or only from the timeout? Default `closed`. */
  readonly peersNotice?: 'closed' | 'timeout';
  /** Lines that look like trouble and are none. */
  readonly herrings?: boolean;
  readonly missing?: Missing;
}

export interface Truth {
  readonly outcome: Outcome;
  /** Outcomes that are honest as well for the whole bundle. */
  readonly alsoRight: readonly Outcome[];
  /** Guilty global ranks: for `named` exactly these; for `group` the set that must not be left. */
  readonly firstRanks: readonly number[];
  readonly stages: readonly Stage[];
  /** Acceptable codes, best first. */
  readonly causes: readonly Cause[];
  readonly pod: string | undefined;
  readonly node: string | undefined;
  /** Node clock minus API clock at the fault (or at the end), by node name. */
  readonly nodeOffsetsMs: Readonly<Record<string, number>>;
  /** The clocks themselves, by node name: a second attempt may run ten minutes after the fault, and clocks drift. */
  readonly nodeClocks: Readonly<Record<string, NodeClock>>;
  /** True time 0, ns since 1970. */
  readonly originNs: bigint;
  readonly ranksOfPods: Readonly<Record<string, readonly number[]>>;
  /** Moment of the fault on the API server's clock, ns since 1970; undefined without a fault. */
  readonly faultAtNs: bigint | undefined;
  /** Ranks whose dump is in the bundle, sorted. */
  readonly dumps: readonly number[];
  /**
   * Its deciding evidence is in the bundle, by what the kind of fault says about itself before anybody looks. Where it is not, the
   * right answer is that it cannot be told, or something weaker that is true.
   */
  readonly decidable: boolean;
  /**
   * How much what came into the bundle can prove: `answer` = decidable; `group` = no more than some ranks among which the guilty is;
   * `nothing` = any name is a guess, and only `cannot-tell` is right.
   */
  readonly provable: Provable;
  /** Files without which the guilty rank must not be named as surely as before. */
  readonly deciding: readonly string[];
}

export type Provable = 'answer' | 'group' | 'nothing';

export interface Incident {
  /** `stall-nccl-kubectl-17`: fault, backend, layout, seed. */
  readonly name: string;
  readonly spec: IncidentSpec;
  /** Bundle path → content, in the order in which a collector would have written them. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly truth: Truth;
}
