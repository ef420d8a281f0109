/** What the questions of the screen are answered with: plain data and typed arrays, texts as they stand in the bundle. */
import type { DivergenceKind } from '../../model/facts.ts';
import type {
  CallContent,
  ChainLink,
  CollectiveClock,
  ConsequenceStep,
  DivergenceView,
  DumpPresence,
  GroupKind,
  JobStory,
  RowDifference,
} from './types.ts';

/**
 * - `first`    the ranks that the verdict names     - `odd`      set apart by the divergence, without being named
 * - `waits`    has an open call and waits in it     - `fine`     nothing open
 * - `silent`   no dump and no line tells of them
 */
export type SetLook = 'first' | 'odd' | 'waits' | 'fine' | 'silent';

/** Ranks that do the same in the rows that the sets are made of. */
export interface RankSetColumn {
  readonly ranks: Int32Array;
  readonly look: SetLook;
  /** A rank that stands for the set: the first that holds a record. */
  readonly rank: number;
  /** Where the ranks are, if they all are in one place. */
  readonly node: string | undefined;
  readonly pod: string | undefined;
  readonly gpu: string | undefined;
  /** For ranks without a record: what became of their dumps, and how many each. */
  readonly dumps: readonly { readonly state: DumpPresence; readonly ranks: number }[];
  /** Lowest and highest oldest call that their recorders still hold; undefined = nothing is held. */
  readonly horizon: { readonly from: number; readonly to: number } | undefined;
  /** Highest call that any of them enqueued, and the lowest of their newest ones. */
  readonly newest: { readonly from: number; readonly to: number } | undefined;
  /** Only log lines tell of them. */
  readonly byLog: boolean;
  /** The set was split off from a larger one by the user. */
  readonly split: boolean;
}

/** Cells of one set, one value a row. */
export interface SetCells {
  /** Most frequent state, index into CELL_STATES; 255 = no part in it. */
  readonly state: Uint8Array;
  /** Position in the answer's `contents`; -1 = no record. */
  readonly content: Int32Array;
  /** CELL_MIXED, CELL_DEVIATES, CELL_CONTENTS */
  readonly flags: Uint8Array;
  /** Ranks of the set in the shown state. */
  readonly count: Int32Array;
  /** Ranks of the set that have part in the row. */
  readonly part: Int32Array;
}

export const NO_PART = 255;
/** Ranks of the set are in different states. */
export const CELL_MIXED = 1;
/** Another call than the first set that holds it. */
export const CELL_DEVIATES = 2;
/** Ranks of the set made different calls. */
export const CELL_CONTENTS = 4;

export interface TableRow {
  readonly seq: number;
  /** 0 for a plain call, else the position in its coalesced launch. */
  readonly part: number;
  readonly parts: number;
  /** Ends of a transfer, ranks inside the group. */
  readonly pair: { readonly from: number; readonly to: number; readonly own: boolean } | undefined;
  readonly differs: RowDifference;
  /** ns after the origin, corrected as far as known; NaN = no record. */
  readonly firstNs: number;
  readonly firstRank: number;
  /** Clock of that rank, position in the answer's `clocks`; -1 = none is known. */
  readonly firstClock: number;
  /** NaN = nobody's end is known. */
  readonly longestMs: number;
  /** Calls that this row stands for; 1 = itself. */
  readonly folded: number;
}

export interface Difference {
  readonly seq: number;
  readonly kind: RowDifference;
  /** Position among all rows of the group, as `from` counts. */
  readonly row: number;
  readonly likelyConsequence: boolean;
}

export type ShowMode = 'around' | 'all' | 'differences';

export interface GroupAnswer {
  readonly group: GroupHead;
  readonly originNs: string;
  readonly clocks: readonly CollectiveClock[];
  readonly sets: readonly RankSetColumn[];
  /** Ranks in sets that were left out. */
  readonly moreRanks: number;
  readonly moreSets: number;
  readonly rows: readonly TableRow[];
  /** One a set. */
  readonly cells: readonly SetCells[];
  readonly contents: readonly CallContent[];
  /** Rows in this mode; `from` is the first one sent. */
  readonly total: number;
  readonly from: number;
  /** Position of the row to look at first; -1 = none. */
  readonly focus: number;
  readonly differences: readonly Difference[];
  /** All of them; the list is bounded. */
  readonly differencesTotal: number;
  readonly transfers: TransferSection | undefined;
  /** Stamps of some ranks are raw: their clocks are not known. */
  readonly rawRanks: number;
  readonly boundMs: number | undefined;
}

export interface TransferSection {
  readonly rows: readonly TableRow[];
  /** One a set of the answer. */
  readonly cells: readonly SetCells[];
  readonly matched: boolean;
  /** Transfers that are not shown. */
  readonly left: number;
}

export interface GroupHead {
  readonly id: string;
  readonly desc: string;
  readonly backend: string | undefined;
  readonly kind: number;
  readonly size: number;
  readonly membersKnown: boolean;
  readonly dumps: number;
  readonly endsOnly: boolean;
  readonly p2p: boolean;
  readonly basis: 'dump' | 'log';
  readonly window: { readonly from: number; readonly to: number } | undefined;
  readonly divergence: DivergenceView | undefined;
  readonly waiting: number;
}

export interface JobSection {
  readonly kind: number;
  readonly p2p: boolean;
  readonly groups: number;
  readonly rows: readonly TableRow[];
  /** One a set. */
  readonly cells: readonly SetCells[];
  /** Position of the row in which the sets part; -1 = none. */
  readonly focus: number;
  /** Group to open from a row, one a row: the one that stands there longest. */
  readonly opens: readonly string[];
}

/** Groups of one kind in which everybody agrees. */
export interface AgreeingKind {
  readonly kind: number;
  readonly groups: number;
  readonly dumps: number;
  /** The newest call that all have done, if it is the same everywhere. */
  readonly at: number | undefined;
  readonly opens: string;
}

export interface JobAnswer {
  readonly story: JobStory;
  readonly kinds: readonly GroupKind[];
  readonly originNs: string;
  readonly clocks: readonly CollectiveClock[];
  readonly ranks: number;
  readonly groups: readonly GroupHead[];
  readonly groupsTotal: number;
  readonly agreeing: readonly AgreeingKind[];
  /** Groups none of whose members left a dump or a line. */
  readonly blind: readonly { readonly group: string; readonly size: number; readonly node: string | undefined }[];
  readonly sets: readonly RankSetColumn[];
  readonly moreRanks: number;
  readonly moreSets: number;
  readonly sections: readonly JobSection[];
  readonly contents: readonly CallContent[];
  readonly rawRanks: number;
  readonly boundMs: number | undefined;
}

export interface CallField {
  readonly name: string;
  /** One a side; null = not recorded. */
  readonly values: readonly (string | null)[];
  readonly differs: boolean;
  /** ns after the origin on the side's clock, for times. */
  readonly times?: readonly (number | null)[];
}

export interface CallSide {
  readonly rank: number;
  readonly state: string;
  readonly entry: number | undefined;
  readonly path: string | undefined;
  readonly record: number | undefined;
  /** Line of a log that tells of it, counted from 1, where no dump does. */
  readonly line: number | undefined;
  readonly clock: number;
  readonly found: boolean;
  /** Outermost first, aligned with the other sides; null = no frame here. */
  readonly frames: readonly ({ readonly file: string; readonly line: number; readonly name: string } | null)[];
  readonly moreFrames: number;
}

export interface CallAnswer {
  readonly group: string;
  readonly seq: number;
  readonly originNs: string;
  readonly clocks: readonly CollectiveClock[];
  readonly sides: readonly CallSide[];
  readonly fields: readonly CallField[];
  /** Position of the first frame that differs; -1 = all equal, or nothing to compare. */
  readonly firstDifference: number;
  /** Order of the sides' entered times against the first side's. */
  readonly divergence: DivergenceKind | undefined;
}

/** Dumps and calls that one question about times may read. */
export const MAX_TIMED_RANKS = 64;
export const MAX_TIMED_CALLS = 200;

export interface RankCallTimes {
  readonly rank: number;
  /** Position in `clocks`; -1 = none is known. */
  readonly clock: number;
  /** One a call that was asked for: entered, ns after the origin on the rank's own clock; NaN = not recorded. */
  readonly rawNs: Float64Array;
}

export interface CallTimesAnswer {
  readonly originNs: string;
  readonly clocks: readonly CollectiveClock[];
  readonly ranks: readonly RankCallTimes[];
}

export interface MatrixAnswer {
  readonly group: string;
  /** Rows of the picture. */
  readonly ranks: Int32Array;
  /** Columns of the picture. */
  readonly seqs: Float64Array;
  readonly totalColumns: number;
  readonly from: number;
  /** Row by row; index into CELL_STATES, plus MATRIX_DEVIATES. */
  readonly cells: Uint8Array;
}

/** Added to the state of a cell that holds another call than most of its column. */
export const MATRIX_DEVIATES = 16;

export type { ChainLink, ConsequenceStep };
