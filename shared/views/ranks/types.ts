/**
 * What the map of ranks draws. Everything over time comes from the stored lanes; the stored view `ranks` adds what only the cluster's
 * objects tell: nodes that were lost. Times are ns relative to the case's origin.
 */
import type { BasisSpan, LaneClock } from '../lanes/index.ts';

/**
 * Where one rank stands at a moment, worst first: the order of the legend. The index is the value in a `Moment`.
 *
 * - `first`        what the verdict names, from the first fault on
 * - `absent`       others wait in a call that it never enqueued
 * - `silent`       its record and its log have ended, and nothing tells of its end
 * - `between`      no call of its record is open: it computes, loads or talks to nobody
 * - `logging`      no recorder file, but its log goes on
 * - `before`       its record begins later, and nothing of it was overwritten
 */
export const STANDINGS = [
  'first',
  'absent',
  'failed',
  'differs',
  'waiting',
  'lost',
  'exited',
  'silent',
  'in-call',
  'between',
  'logging',
  'before',
  'no-file',
  'no-records',
  'overwritten',
] as const;
export type Standing = (typeof STANDINGS)[number];

export const STANDING: Readonly<Record<Standing, number>> = Object.freeze(
  Object.fromEntries(STANDINGS.map((name, i) => [name, i])) as Record<Standing, number>,
);

/** What cells may be coloured by over time; the rest does not change with the cursor. */
export type MomentColour = 'state' | 'errors' | 'sequence';

/** One value a rank, in the order of `RanksTime.ranks`. */
export interface Moment {
  readonly at: number;
  readonly standing: Uint8Array;
  /** Index into `groups` of the call that decides, else of the last call; -1 = none. */
  readonly group: Int32Array;
  /** Its number; -1 = none. */
  readonly seq: Int32Array;
  /** Index into `texts`: its operation; -1 = none. */
  readonly op: Int32Array;
  /** Since when it stands so, in the basis; NaN = not known. */
  readonly sinceNs: Float64Array;
  /** Half width of the guaranteed interval of that, or of the moment where it is not known; NaN = unbounded or unknown. */
  readonly boundNs: Float64Array;
  /** Errors up to the moment, or the newest call enqueued; NaN = not known. Null for the colour `state`. */
  readonly values: Float64Array | null;
  readonly texts: readonly string[];
}

export interface BothBases {
  readonly raw: number;
  readonly corrected: number;
}

/** Groups that wait alike: who waits there, and for whom. */
export interface RanksLink {
  readonly level: number;
  readonly kind: string;
  readonly awaited: readonly number[];
  /** The awaited ranks stand on this node, all of them. */
  readonly node: string | null;
  readonly ring: boolean;
}

export interface RanksGroup {
  readonly id: string;
  readonly name: string;
  readonly desc: string;
  /** `tp`, `pp`, `dp`, …; empty = not known. */
  readonly kind: string;
  readonly size: number;
  /** Index into `links`; -1 = nobody waits in it. */
  readonly link: number;
}

/** Position of ranks inside their groups of one kind; one value a rank of `ranks`, -1 = in no such group. */
export interface RanksAxis {
  readonly kind: string;
  readonly size: number;
  readonly ranks: Int32Array;
  readonly place: Int32Array;
}

export interface RanksTime {
  readonly originNs: string;
  readonly spans: { readonly raw: BasisSpan; readonly corrected: BasisSpan };
  readonly clocks: readonly LaneClock[];
  /** The first fault; where the verdict gives no moment, the call that the first rank missed or made otherwise. */
  readonly fault: {
    readonly kind: 'fault' | 'call';
    readonly at: BothBases;
    /** Half width of the guaranteed interval of the corrected moment; null = not known. */
    readonly boundNs: number | null;
    readonly clock: number;
  } | null;
  /** Ascending; the ranks that have a lane. */
  readonly ranks: Int32Array;
  /** Index into `clocks`; -1 = unknown. One a rank. */
  readonly clock: Int32Array;
  /** Half width of the guaranteed interval of a corrected time, ns; NaN = not known. One a rank. */
  readonly boundNs: Float64Array;
  /** Share of the case that the rank's calls cover, 0…1; NaN = no record. One a rank. */
  readonly covered: Float64Array;
  /** Its own log: 0 none, 1 mixed with others, 2 own. One a rank. */
  readonly log: Uint8Array;
  /** Errors in the whole case. One a rank. */
  readonly errors: Int32Array;
  readonly groups: readonly RanksGroup[];
  readonly links: readonly RanksLink[];
  readonly lost: readonly {
    readonly node: string;
    readonly at: BothBases;
    readonly entry: number;
    readonly line: number | null;
  }[];
  /** Some rank left a recorder file. */
  readonly anyDump: boolean;
}

/** When an attempt of a rank is first heard of, on the clock that wrote it. */
export interface AttemptStart {
  readonly rank: number;
  readonly attempt: number;
  /** Raw, ns relative to the origin. */
  readonly rawNs: number;
}

export interface RanksIndex {
  /** Null: nothing in the case carries a time. */
  readonly time: RanksTime | null;
  readonly axes: readonly RanksAxis[];
  /** Of ranks with several attempts, where a line tells of it. */
  readonly starts?: readonly AttemptStart[];
}

export const RANKS_VIEW = 'ranks';

/** The stored part. */
export interface StoredRanks {
  readonly version: 1;
  /** By the clock of the API server, ns relative to the origin of the lanes. */
  readonly lost: readonly {
    readonly node: string;
    readonly atNs: number;
    readonly entry: number;
    readonly line: number | null;
  }[];
  /** Absent in older cases. */
  readonly starts?: readonly AttemptStart[];
}
