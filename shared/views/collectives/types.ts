/**
 * The stored view of all collectives of a case. A job of 4 096 ranks holds millions of records, and nearly all ranks of a group record the
 * same calls: records are kept as blocks of 64 sequence numbers, each distinct block once, and a rank's part in a group is a list of blocks.
 *
 *   rank 0   [#4736–4799: block 7] [#4800–4863: block 8]
 *   rank 11  [#4736–4799: block 7] [#4800–4863: block 9]     ← differs somewhere from #4800 on
 *
 * Times of single records stay in the dumps, which the case holds anyway; here only the first and the longest of each call.
 */
import type { CellState } from '../../model/divergence-table.ts';
import type { DivergenceKind } from '../../model/facts.ts';

export const BLOCK_CALLS = 64;

/** What was called, as it has to agree across ranks. Texts are of the first record seen and cut to a bounded length. */
export interface CallContent {
  readonly op: string;
  /** `[[2,3]]`; empty = not recorded. */
  readonly inputs: string;
  readonly outputs: string;
  /** `Float` or `Float,Long`. */
  readonly dtypes: string;
  /** Ids of what has to agree: equal ids agree. */
  readonly sizeId: number;
  readonly dtypeId: number;
  /** Some records that agree with this one have other shapes, which is legal for the operation. */
  readonly varies: boolean;
}

/** Pooled records of all distinct blocks; record i of block b stands at `start[b] + i`. */
export interface BlockPool {
  readonly start: Int32Array;
  /** Sequence number minus that of the block's first call; equal ones are parts of one coalesced launch, in order. */
  readonly off: Uint8Array;
  readonly content: Int32Array;
  /** Index into CELL_STATES. */
  readonly state: Uint8Array;
  /** Row in the dump minus the base of the rank's block. */
  readonly row: Int32Array;
}

/** Blocks of all members of a group: those of member m stand at [start[m], start[m + 1]). */
export interface Tracks {
  readonly start: Int32Array;
  /** First sequence number of the block divided by BLOCK_CALLS. */
  readonly blockNo: Float64Array;
  readonly block: Int32Array;
  readonly base: Int32Array;
}

export const PLACE_BASES = ['dump-status', 'dump-entries', 'log', 'none'] as const;

/** Where each member stands; one value a member, NaN = not known. */
export interface Places {
  /** Index into PLACE_BASES. */
  readonly basis: Uint8Array;
  readonly enqueued: Float64Array;
  readonly done: Float64Array;
  readonly open: Float64Array;
  readonly oldest: Float64Array;
  readonly newest: Float64Array;
  /** 1 = the file was cut. */
  readonly cut: Uint8Array;
  /** Where the log says so, for `log`: entry, and the line in it counted from 1; -1 = not from a line. */
  readonly logEntry: Int32Array;
  readonly logLine: Int32Array;
}

/** How members differ at a call; `tail` = only by the moment at which each dump was written, as far as anybody can tell. */
export const ROW_DIFFERENCES = ['none', 'op', 'size', 'dtype', 'missing', 'state', 'tail'] as const;
export type RowDifference = (typeof ROW_DIFFERENCES)[number];

/** Calls of a group, ascending. */
export interface GroupRows {
  readonly seq: Float64Array;
  /** Records of one launch: 1 for a plain call, more for a coalesced one; 0 = only counters tell of it. */
  readonly parts: Uint8Array;
  /** First member to enqueue it, ns after the origin on the reference clock as far as clocks are known; NaN = no record. */
  readonly firstNs: Float64Array;
  readonly firstMember: Int32Array;
  /** Longest time from enqueued to completed on one rank, ms; NaN = nobody's end is known. */
  readonly longestMs: Float32Array;
  /** Index into ROW_DIFFERENCES. */
  readonly differs: Uint8Array;
}

/** Point-to-point records, those of one member together, oldest first. At most the newest of each direction are kept. */
export interface P2pColumns {
  readonly member: Int32Array;
  /** Ranks inside the group. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** 1 = the sending end. */
  readonly send: Uint8Array;
  /** The k-th of its direction where `matched`, else the record's own number. */
  readonly number: Float64Array;
  readonly content: Int32Array;
  readonly state: Uint8Array;
  readonly row: Int32Array;
  /** ns after the origin, corrected as far as known. */
  readonly ns: Float64Array;
  /** True if the k-th send of a direction belongs to the k-th receive: no ring of the group lost anything. */
  readonly matched: boolean;
  /** Records that are not kept here. */
  readonly left: number;
}

export interface DivergenceView {
  readonly seq: number;
  readonly kind: DivergenceKind;
  readonly ranks: readonly number[];
  readonly sides: readonly (readonly number[])[];
  readonly expected: string;
  readonly actual: string;
  readonly basis: 'dump' | 'log';
  readonly why: string;
  /** About a transfer: `seq` counts point-to-point operations. */
  readonly p2p: boolean;
}

export interface CollectiveGroup {
  /** As in the report. */
  readonly id: string;
  readonly name: string;
  readonly desc: string;
  readonly backend: string | undefined;
  /** Index into `kinds`. */
  readonly kind: number;
  /** Global ranks in the order of the group: position = rank inside the group. */
  readonly ranks: Int32Array;
  readonly membersKnown: boolean;
  /** Ends, but never completes: gloo. */
  readonly endsOnly: boolean;
  /** Gloo: calls before this one ended well, as everybody went on after them; NaN otherwise. */
  readonly endedWellBefore: number;
  readonly basis: 'dump' | 'log';
  /** Sorted global ranks; the columns below are parallel to it. */
  readonly members: Int32Array;
  readonly places: Places;
  readonly tracks: Tracks;
  readonly rows: GroupRows;
  readonly p2p: P2pColumns | undefined;
  readonly window: { readonly from: number; readonly to: number } | undefined;
  readonly divergence: DivergenceView | undefined;
}

/** Groups of one purpose: tensor parallel, pipeline, data parallel, the default one. */
export interface GroupKind {
  /** `tp`, `pp`, `dp`, …, or the description that its groups share, or `group`. */
  readonly name: string;
  readonly basis: 'default' | 'description' | 'shape';
  readonly groups: number;
  /** Members of each group; undefined if they differ. */
  readonly size: number | undefined;
  readonly p2p: boolean;
}

export type DumpPresence = 'present' | 'absent' | 'empty' | 'truncated' | 'failed' | 'refused';

/** One rank of the job as the screen names it. */
export interface CollectiveRank {
  readonly rank: number;
  /** Entry of its dump. */
  readonly entry: number | undefined;
  readonly dump: DumpPresence;
  readonly version: string | undefined;
  readonly node: string | undefined;
  readonly pod: string | undefined;
  readonly gpu: string | undefined;
  /** Index into `clocks`; -1 = none is known. */
  readonly clock: number;
}

/** Offset = that clock minus the reference, ms; undefined = not known: its stamps stay as they are. */
export interface CollectiveClock {
  readonly id: string;
  readonly offsetMs: number | undefined;
  readonly boundMs: number | undefined;
}

/** `earlier`: what is called a consequence has the earlier time; the order is that of cause, not of clocks. */
export type StepOrder = 'first' | 'certain' | 'likely' | 'undecided' | 'earlier';

export interface StepTime {
  /** Epoch ns as written, decimal. */
  readonly rawNs: string;
  readonly clock: string | undefined;
  /** Undefined = stays raw. */
  readonly offsetMs: number | undefined;
  readonly boundMs: number | undefined;
}

/** From the first call to the end of the job: who, what, where, when. Ranks are sorted. */
export interface ConsequenceStep {
  readonly kind: 'first' | 'wait' | 'watchdog' | 'end';
  readonly ranks: readonly number[];
  /** Groups in which they wait. */
  readonly groups: readonly string[];
  readonly seq: number | undefined;
  readonly op: string | undefined;
  readonly divergence: DivergenceKind | undefined;
  /** `wait`: entries of the chain, all of one level. */
  readonly links: readonly number[];
  readonly detail: string;
  readonly at: StepTime | undefined;
  /** Against the step that it follows from. */
  readonly order: StepOrder;
  /** The record or line that is meant by the time. */
  readonly source:
    | { readonly entry: number; readonly record: number | undefined; readonly line: number | undefined }
    | undefined;
}

/** Groups that wait alike, in the order from the cause down. */
export interface ChainLink {
  /** 0 = waits for ranks that wait for nobody. */
  readonly level: number;
  readonly kind: number;
  readonly groups: readonly string[];
  readonly members: number;
  readonly waiting: readonly number[];
  readonly awaited: readonly number[];
  /** Lowest call that anybody waits in; undefined for transfers. */
  readonly seq: number | undefined;
  /** Links in which the awaited ranks stand themselves. */
  readonly behind: readonly number[];
  readonly basis: 'dump' | 'log';
  /** The ranks wait for each other. */
  readonly ring: boolean;
}

export interface JobStory {
  readonly chain: readonly ChainLink[];
  readonly steps: readonly ConsequenceStep[];
  readonly roots: readonly {
    readonly rank: number;
    readonly why: string;
    readonly how: string | undefined;
    readonly hasDump: boolean;
  }[];
  readonly firstRanks: readonly number[];
  readonly cycle: readonly number[];
  readonly first: { readonly group: string; readonly divergence: DivergenceView } | undefined;
  readonly allJoined: { readonly group: string; readonly seq: number; readonly op: string } | undefined;
  readonly dumpsPresent: number;
  readonly dumpsExpected: number | undefined;
  readonly onlyActive: boolean;
  /** Distinct format versions and libraries, each with its number of ranks, most first. */
  readonly versions: readonly { readonly text: string; readonly ranks: number }[];
}

export interface CollectivesView {
  readonly shape: 2;
  /** Epoch ns, decimal; all relative times count from it. */
  readonly originNs: string;
  readonly ranks: readonly CollectiveRank[];
  readonly clocks: readonly CollectiveClock[];
  readonly kinds: readonly GroupKind[];
  readonly contents: readonly CallContent[];
  readonly pool: BlockPool;
  readonly groups: readonly CollectiveGroup[];
  readonly job: JobStory;
}

export type { CellState };
