/** What an incident is made of (input) and what is true about it (output). */
import type { Cause, Outcome, Stage } from '#shared/model/finding.ts';

/** How the customer collected the logs. */
export type Layout =
  | 'kubectl' // logs/POD.log with --timestamps
  | 'capture' // one attempt by hand: POD.log, POD.yaml, POD.describe.txt, pods-wide.txt, events.txt
  | 'plain' // logs/POD.log without
  | 'prefixed' // all-pods.log: --prefix --timestamps
  | 'cri' // var/log/pods/NS_POD_UID/CONTAINER/0.log
  | 'torchrun'; // logs/POD.log of the agent, torchrun/POD/RUN/attempt_0/LOCAL/stderr.log of the workers

export type Workload = 'pytorchjob' | 'jobset' | 'statefulset';

/** How the program writes its own lines. */
export type AppLog =
  | 'bracket'
  | 'python'
  | 'basic'
  | 'columns'
  /** `[2026-03-14 11:27:36,864] [INFO] [train.py:111:train] text`. */
  | 'deepspeed'
  /** `03/14/2026 11:27:36 - INFO - __main__ - text`: the examples of transformers and accelerate. */
  | 'accelerate';

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

/** What did not make it into the bundle. */
export interface Missing {
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
  readonly backend: Backend;
  readonly workload: Workload;
  readonly layout: Layout;
  readonly appLog: AppLog;
  readonly clocks: Clocks;
  readonly loop: LoopSpec;
  readonly timeoutS: number;
  readonly fault: Fault;
  /** Entries a process keeps; default 2000. */
  readonly ringEntries?: number;
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
  /** Files without which the guilty rank must not be named as surely as before. */
  readonly deciding: readonly string[];
}

export interface Incident {
  /** `stall-nccl-kubectl-17`: fault, backend, layout, seed. */
  readonly name: string;
  readonly spec: IncidentSpec;
  /** Bundle path → content, in the order in which a collector would have written them. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly truth: Truth;
}
