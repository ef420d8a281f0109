/** Results of the analyses (`shared/analysis/*`): plain data that rules turn into findings. */

import type { DivergenceTable } from './divergence-table.ts';
import type { LogEvent, LogStream, StackFrame } from './events.ts';
import type { EntryId } from './ids.ts';
import type { Issue } from './issue.ts';
import type { PodObject } from './kubernetes.ts';
import type { SourceRef } from './source-ref.ts';
import type { EpochNs, Stamp } from './time.ts';

// ── rank map ────────────────────────────────────────────────────────────────────────────────────────────────────────

export type PlacementBasis =
  | 'announced'
  | 'rank-prefix'
  | 'failure-summary'
  | 'rendezvous-result'
  | 'nccl-init'
  | 'dump-file'
  | 'torchrun-path'
  | 'pod-node-rank'
  | 'pod-label'
  | 'pod-ordinal'
  | 'file-name'
  | 'launcher-prefix'
  /** `[Rank r]` of a work object, before lines carried `[rankN]`. */
  | 'work-prefix';

/** Where one global rank ran in one attempt. Unknown = undefined. */
export interface RankPlace {
  readonly rank: number;
  readonly attempt: number;
  readonly localRank: number | undefined;
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly node: string | undefined;
  /** As a person would call it: CUDA device, with the bus id where known: "5 (0000:9d:00.0)". */
  readonly gpu: string | undefined;
  /** Set if `gpu` is no own word of the rank: by what nvidia-smi lists on its node, or by the order on the job's other nodes. */
  readonly gpuBasis?: 'node-list' | 'other-nodes';
  readonly pids: readonly number[];
  readonly basis: readonly PlacementBasis[];
  /** Each a sentence that names both sides. */
  readonly conflicts: readonly string[];
  /** Entries that hold this rank's own lines or dump. */
  readonly entries: readonly EntryId[];
}

/** One Pod of the job with the ranks it holds or should hold. */
export interface PodPlace {
  readonly pod: string;
  readonly namespace: string | undefined;
  readonly node: string | undefined;
  /** Ranks seen in it, sorted. */
  readonly ranks: readonly number[];
  /** Ranks that it should hold by spec (`nodeRank × nproc + i`); empty when that cannot be said. */
  readonly expectedRanks: readonly number[];
  readonly nodeRank: number | undefined;
  readonly nodeRankBasis: PlacementBasis | undefined;
  readonly object: PodObject | undefined;
  /** Attempts that the container shown as the Pod's state belongs to (its last one), and the container before it. */
  readonly containerAttempts?: { readonly current: number; readonly previous: number | undefined };
}

export interface RankMapFact {
  /** Ranks the job should have had; undefined if nothing says so. */
  readonly worldSize: number | undefined;
  /** "rank r of 8 in 8 lines", "Pod spec: 2 nodes × 4", … */
  readonly worldSizeBasis: string | undefined;
  /** World size by Pod specs (nnodes × nproc), if known; may exceed what the job really ran with. */
  readonly specWorldSize: number | undefined;
  readonly nprocPerNode: number | undefined;
  readonly nnodes: number | undefined;
  readonly attempts: number;
  /** Sorted by rank, then attempt. */
  readonly places: readonly RankPlace[];
  readonly pods: readonly PodPlace[];
}

/** A log event with everything that could be said about who and where. */
export interface PlacedEvent {
  readonly event: LogEvent;
  readonly stream: LogStream | undefined;
  readonly rank: number | undefined;
  readonly rankWhy: string;
  readonly attempt: number;
  readonly pod: string | undefined;
  readonly node: string | undefined;
  /** Id of the clock that wrote the stamp; undefined if there is none. */
  readonly clock: string | undefined;
}

// ── life lines ──────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * How a process ended.
 * - `agent`   told by torchrun's summary or `failed (exitcode…)` line
 * - `pod`     the container's exit in the Pod's status (only PID 1: says little about the worker)
 * `terminatedByAgent`: the agent ended it because another failed: a consequence.
 */
export interface ExitFact {
  readonly code: number | undefined;
  readonly signal: number | undefined;
  readonly reason: string | undefined;
  readonly at: Stamp | undefined;
  /**
   * Id of the clock that wrote `at`: of the agent's log; for a container that of its node, whose runtime stamps the end (in whole seconds, cut).
   * Undefined if it is not known.
   */
  readonly clock: string | undefined;
  readonly by: 'agent' | 'pod';
  readonly terminatedByAgent: boolean;
  readonly source: SourceRef;
}

export interface LifeLine {
  readonly rank: number;
  readonly attempt: number;
  /** The rank's own output is in the bundle: in a file of its own, mixed in its Pod's log, or nowhere. */
  readonly log: 'own' | 'mixed' | 'none';
  /** The file with its lines, its own or its Pod's, ends inside a line: it was cut there, or its writer ended. More may have been printed. */
  readonly endsInsideALine?: true;
  readonly started: PlacedEvent | undefined;
  readonly ready: PlacedEvent | undefined;
  readonly lastProgress: PlacedEvent | undefined;
  /** Last line that surely is this rank's. */
  readonly lastSeen:
    | { readonly stamp: Stamp | undefined; readonly text: string; readonly source: SourceRef }
    | undefined;
  readonly finished: PlacedEvent | undefined;
  /** Started but never ended (by label), oldest first. */
  readonly openOperations: readonly PlacedEvent[];
  /** Exceptions and errors printed BY this rank, in file order. */
  readonly errors: readonly PlacedEvent[];
  readonly exit: ExitFact | undefined;
}

// ── collectives ─────────────────────────────────────────────────────────────────────────────────────────────────────

export interface CallView {
  readonly rank: number;
  readonly seq: number;
  /** Without the backend: `all_reduce`. */
  readonly op: string;
  readonly inputSizes: string | undefined;
  readonly outputSizes: string | undefined;
  readonly dtypes: string | undefined;
  /** Our words; the official ones are in the help. `ended` = gloo: retired, result unknown. */
  readonly state: 'completed' | 'ended' | 'waiting' | 'enqueued';
  readonly createdNs: EpochNs | undefined;
  readonly frames: readonly StackFrame[];
  readonly source: SourceRef;
}

/** Where one member of a group stands, from its dump or (weaker) from its watchdog lines. */
export interface MemberState {
  readonly rank: number;
  readonly basis: 'dump-status' | 'dump-entries' | 'log';
  /** Undefined = not known. For gloo these count p2p as well; use `newestSeq` to compare. */
  readonly lastEnqueued: number | undefined;
  readonly lastCompleted: number | undefined;
  readonly oldestSeq: number | undefined;
  readonly newestSeq: number | undefined;
  /** Oldest call that was enqueued and has not ended: what this rank waits in. */
  readonly waitsIn: CallView | undefined;
  readonly newest: CallView | undefined;
  readonly source: SourceRef;
}

export type DivergenceKind = 'missing' | 'op' | 'size' | 'dtype' | 'state' | 'order';

export interface Divergence {
  /** GroupFact.id */
  readonly group: string;
  readonly seq: number;
  readonly kind: DivergenceKind;
  /** Deviating ranks, sorted; empty if no side has a majority. */
  readonly ranks: readonly number[];
  /** Sides when there is no majority, largest first, each sorted. Empty otherwise. */
  readonly sides: readonly (readonly number[])[];
  /** "all_reduce [[85002]] Float" / "barrier". */
  readonly expected: string;
  readonly actual: string;
  /** Members that hold the expected value, or wait in the call. */
  readonly agreeing: readonly number[];
  /** One call per distinct behaviour, deviants first; for the detail view and for evidence. */
  readonly calls: readonly CallView[];
  /** dump = compared entries or pg_status; log = from watchdog lines only. */
  readonly basis: 'dump' | 'log';
  /** With basis `dump`: members whose call is known from a watchdog line only, sorted; absent if there is none. */
  readonly voices?: readonly number[];
  /** The argument in one sentence. */
  readonly why: string;
}

export interface GroupFact {
  /** `name` if unique, else `name[first,…]`; stable for a bundle. */
  readonly id: string;
  readonly name: string;
  readonly desc: string;
  readonly ranks: readonly number[];
  /** True if `ranks` come from pg_config; false if they are just the ranks that hold entries. */
  readonly membersKnown: boolean;
  readonly p2p: boolean;
  readonly backend: string | undefined;
  readonly members: readonly MemberState[];
  /** Members without a readable dump, sorted. */
  readonly withoutDump: readonly number[];
  /** Sequence numbers that every present member's ring covers; undefined if they do not overlap. */
  readonly window: { readonly from: number; readonly to: number } | undefined;
  readonly divergence: Divergence | undefined;
}

/** "rank waits in group for ranks": edges of the wait graph. */
export interface WaitEdge {
  readonly rank: number;
  readonly group: string;
  readonly seq: number;
  readonly for: readonly number[];
}

/**
 * - `deviant`  made another call than the majority           - `order`  left out or added an operation
 * - `stuck`    enqueued a call, and did not finish it while peers did
 * - `behind`   never enqueued the call in which others wait    - `no-dump`  all waiting leads to it, and it left no dump
 */
export type RootRule = 'deviant' | 'order' | 'stuck' | 'behind' | 'no-dump';

export interface CollectivesFact {
  readonly groups: readonly GroupFact[];
  readonly waits: readonly WaitEdge[];
  /** Ranks that others wait for and that wait for nobody themselves, sorted: the roots. */
  readonly roots: readonly {
    readonly rank: number;
    readonly why: string;
    readonly evidence: readonly SourceRef[];
    readonly hasDump: boolean;
    /** By which rule; absent where only log lines tell. */
    readonly how?: RootRule;
  }[];
  /** Ranks in a cycle of waiting, if any: deadlock by order. */
  readonly cycle: readonly number[];
  /** The divergence that explains the others; undefined if sequences agree or nothing could be compared. */
  readonly first: Divergence | undefined;
  readonly dumpsPresent: readonly number[];
  /** Undefined if the world size is unknown. */
  readonly dumpsExpected: readonly number[] | undefined;
  /** True if every present dump holds only calls that had not completed. */
  readonly onlyActive: boolean;
  /** Every member of every blocked group has joined, and all wait in the same call: nobody is missing. */
  readonly allJoined:
    | { readonly group: string; readonly seq: number; readonly op: string; readonly ranks: readonly number[] }
    | undefined;
  /** The calls around `first`; absent where there is no first divergence or nothing to show of it. */
  readonly table?: DivergenceTable;
  /** Dumps whose rank is in doubt: told in the report beside the issues of reading. */
  readonly issues?: readonly Issue[];
}

// ── clocks ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface ClockDomain {
  readonly id: string;
  readonly kind: 'node' | 'api' | 'stream';
  /** This clock minus the reference, ms; undefined = unknown, which is never 0. */
  readonly offset:
    | {
        readonly estimate: number;
        readonly low: number | undefined;
        readonly high: number | undefined;
        readonly likelyLow: number | undefined;
        readonly likelyHigh: number | undefined;
      }
    | undefined;
  readonly driftPpm: number | undefined;
  readonly quality: 'good' | 'loose' | 'contradictory' | 'incomplete' | 'none';
  readonly anchors: number;
  readonly basis: readonly string[];
  readonly component: number;
  /** Moment on this clock that the offset is given for; bounds widen by the largest drift with the distance from it. */
  readonly momentNs?: EpochNs;
  /** What set the ends of the bounds, and how many pieces of evidence of each kind there are. */
  readonly anchorsOf?: ClockAnchors;
}

export interface ClockAnchors {
  /** Number of operations by kind of evidence, sorted by kind. */
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
  readonly low: ClockAnchor | undefined;
  readonly high: ClockAnchor | undefined;
  readonly likelyLow: ClockAnchor | undefined;
  readonly likelyHigh: ClockAnchor | undefined;
}

/** One piece of evidence with both of its sides. */
export interface ClockAnchor {
  readonly text: string;
  readonly source: SourceRef | undefined;
  /** What happened first by causality, and what came after it; raw stamps, each on its own clock. */
  readonly before: { readonly clock: string; readonly rawNs: EpochNs } | undefined;
  readonly after: { readonly clock: string; readonly rawNs: EpochNs } | undefined;
}

/** A clock was set while the job ran, or it contradicts the others and no step explains it. */
export interface ClockFault {
  readonly kind: 'step' | 'unreconciled';
  /** Clocks that may be at fault; one where it is certain which. */
  readonly clocks: readonly string[];
  /** Jump forwards, ms; negative = set back; undefined if it cannot be said. */
  readonly sizeMs: number | undefined;
  /** On the first of `clocks`: last evidence before, first evidence after the step. */
  readonly between: { readonly from: EpochNs; readonly to: EpochNs } | undefined;
  /** The evidence that excludes each other. */
  readonly cycle: readonly string[];
  readonly text: string;
}

export interface ClocksFact {
  readonly reference: string | undefined;
  readonly domains: readonly ClockDomain[];
  readonly faults?: readonly ClockFault[];
  /** Evidence that was left out: why, and how much of it. */
  readonly rejected?: readonly { readonly text: string; readonly count: number }[];
  /** Ranks whose numbering contradicts the other ranks of their own clock. */
  readonly misnumbered?: readonly { readonly rank: number; readonly group: string; readonly certain: boolean }[];
  /** Largest rate of a clock against the common time: bounds widen by it with the distance from `momentNs`. */
  readonly largestDriftPpm?: number;
  /** What was taken for granted. */
  readonly assumptions?: readonly string[];
  /** What raw stamps and corrected ones tell differently, in sentences. */
  readonly changed?: readonly string[];
  /** What the analyst set, as far as it was taken. */
  readonly overrides?: readonly {
    readonly clock: string;
    readonly against: string;
    readonly offsetMs: number;
    readonly boundMs: number;
    readonly reason: string;
  }[];
}

export type Order = 'before' | 'after' | 'likely-before' | 'likely-after' | 'undecided';
