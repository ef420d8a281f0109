/**
 * The stored view `lanes`: who did what when, one lane a rank, as columns over all lanes.
 *
 *   lanes[i]  ──callFrom…callTo──►  calls.startNs, calls.state, …       sorted by start inside a lane
 *             ──instantFrom…To───►  instants.atNs, instants.kind, …     sorted by time inside a lane
 *
 * All times are RAW ns on the clock that wrote them, relative to `originNs`; NaN = not known. To move one onto the common time use
 * `correction` of its clock (`clock-correction.ts`). Text is as the bundle wrote it: escape it before it is shown.
 */

/** By badness, the index being the stored value: in one pixel the greatest wins. `none` = nothing there. */
export const SLICE_STATES = [
  'none',
  'completed',
  /** Gloo: over, result unknown. */
  'ended',
  'enqueued',
  /** Nothing is recorded here: no file, no records, overwritten. Never stored in `calls`; reductions put it in. */
  'missing',
  'waiting',
  /** Another operation, size or type than its peers, and no side has a majority. */
  'differs',
  'failed',
  'never-enqueued',
  /** What makes its rank the first one. */
  'first',
] as const;
export type SliceState = (typeof SLICE_STATES)[number];

export const STATE = {
  none: 0,
  completed: 1,
  ended: 2,
  enqueued: 3,
  missing: 4,
  waiting: 5,
  differs: 6,
  failed: 7,
  neverEnqueued: 8,
  first: 9,
} as const;

export const SEVERITIES = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface CallColumns {
  readonly length: number;
  /** When it was enqueued. Never NaN. */
  readonly startNs: Float64Array;
  /** NaN: no end is recorded. With state `completed` or `ended` it ended at an unknown moment, else it had not ended when last seen. */
  readonly endNs: Float64Array;
  /** Index into SLICE_STATES. */
  readonly state: Uint8Array;
  /** Index into `groups`; -1 = not a call of a known group. */
  readonly group: Int16Array | Int32Array;
  /** Number in the group by which calls are compared; -1 = none. */
  readonly seq: Int32Array;
  /** Index into `strings`. */
  readonly op: Int16Array | Int32Array;
  /** Record in the lane's dump; -1 = derived, no record of its own; below -1: `sources[-2 - record]`, a log line. */
  readonly record: Int16Array | Int32Array;
}

export interface InstantColumns {
  readonly length: number;
  readonly atNs: Float64Array;
  /** Index into `kinds`. */
  readonly kind: Uint16Array;
  /** Index into SEVERITIES. */
  readonly severity: Uint8Array;
  /** Index into `clocks`; -1 = the clock or the zone is unknown: the stamp can only be shown raw. */
  readonly clock: Int16Array;
  readonly entry: Int32Array;
  /** 1-based; 0 = the file as a whole. */
  readonly line: Int32Array;
  /** Index into `strings`: the line's message, cut. */
  readonly text: Int32Array;
}

export interface LaneClock {
  readonly id: string;
  readonly kind: 'node' | 'api' | 'stream';
  /** This clock minus the reference, ns; null = unknown, which is never 0. */
  readonly offsetNs: {
    readonly estimate: number;
    readonly low: number | null;
    readonly high: number | null;
    readonly likelyLow: number | null;
    readonly likelyHigh: number | null;
  } | null;
  /** Moment (relative) for which the offset is given; bounds widen with the distance from it. */
  readonly momentNs: number | null;
  /** Widening, ns of bound per ns of distance. */
  readonly drift: number;
  readonly reference: boolean;
  /**
   * This clock minus the clock of the first fault, ns, solved between the two: narrower than the difference of their intervals against the
   * reference. All 0 on the fault's own clock; null = no fault with a time, or nothing relates the two. Infinite ends are null.
   */
  readonly toFaultNs: LaneClock['offsetNs'];
}

export interface LaneGroup {
  /** GroupFact.id */
  readonly id: string;
  readonly name: string;
  readonly desc: string;
  readonly size: number;
}

export type DumpEvidence = 'present' | 'absent' | 'empty' | 'truncated' | 'failed' | 'refused' | 'no-times';

export interface Lane {
  /** Stable: `rank-12`, `node-gpu-a17`, `cluster`, `other`. */
  readonly id: string;
  readonly kind: 'rank' | 'node' | 'cluster' | 'other';
  /** Null unless `kind` is `rank`. */
  readonly rank: number | null;
  readonly localRank: number | null;
  readonly pod: string | null;
  readonly node: string | null;
  readonly gpu: string | null;
  /** Index into `clocks` of the clock of its calls; -1 = unknown. */
  readonly clock: number;
  readonly role: 'first' | 'victim' | 'bystander' | 'unknown';
  readonly dump: DumpEvidence;
  /** Entry of its recorder dump; null = none. */
  readonly dumpEntry: number | null;
  /** Records of the dump without a usable time: they are not in `calls`. */
  readonly undated: number;
  /** Records older than this were overwritten in the recorder's ring; null = nothing was lost. */
  readonly heldFromNs: number | null;
  /** The rank's own log lines: where they are, first and last stamp. */
  readonly log: 'own' | 'mixed' | 'none';
  readonly logFromNs: number | null;
  readonly logToNs: number | null;
  /** Calls without an end are known to have lasted at least to here (exit, last line); null = no later sign of it. */
  readonly openUntilNs: number | null;
  readonly exit: { readonly atNs: number | null; readonly code: number | null; readonly signal: number | null } | null;
  readonly callFrom: number;
  /** Outside. */
  readonly callTo: number;
  readonly instantFrom: number;
  readonly instantTo: number;
}

/** Consecutive lanes of one place. */
export interface LaneSection {
  readonly id: string;
  readonly title: string;
  readonly by: 'node' | 'pod' | 'cluster' | 'none';
  readonly pods: readonly string[];
  readonly clock: number;
  readonly laneFrom: number;
  readonly laneTo: number;
}

/** A file of log lines: on whose clock its stamps are. */
export interface LaneFile {
  readonly entry: number;
  /** Index into `clocks`; -1 = unknown. */
  readonly clock: number;
}

export type MarkKind =
  | 'fault'
  | 'watchdog'
  | 'restart'
  | 'out-of-memory'
  | 'evicted'
  | 'gpu-error'
  | 'node-lost'
  | 'exit';

export interface LaneMark {
  readonly kind: MarkKind;
  readonly atNs: number;
  readonly clock: number;
  /** Index into `lanes`; -1 = of no lane in particular. */
  readonly lane: number;
  readonly text: string;
  readonly count: number;
  readonly entry: number | null;
  readonly line: number | null;
}

export interface LanesView {
  readonly version: 1;
  /** Decimal epoch ns of the first raw stamp of the case. */
  readonly originNs: string;
  /** Last raw stamp. */
  readonly endNs: number;
  readonly clocks: readonly LaneClock[];
  readonly groups: readonly LaneGroup[];
  readonly strings: readonly string[];
  /** Event kinds that occur. */
  readonly kinds: readonly string[];
  readonly sections: readonly LaneSection[];
  readonly lanes: readonly Lane[];
  readonly calls: CallColumns;
  readonly instants: InstantColumns;
  readonly sources: readonly { readonly entry: number; readonly line: number }[];
  readonly marks: readonly LaneMark[];
  /** By entry. */
  readonly files: readonly LaneFile[];
  /** Stamps too far from the rest to stand on one axis: left out. */
  readonly outside: number;
  /** Instants left out because there were too many: the least important first. */
  readonly instantsLeftOut: number;
}
