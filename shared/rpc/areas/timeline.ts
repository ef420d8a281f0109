/**
 * What the timeline draws. Times are ns relative to the case's origin, in the asked basis; `from` inside, `to` outside. Lanes are named by
 * their index in `timeline.index`.
 */
import { z } from 'zod';
import type { CaseId } from '../../model/ids.ts';
import type {
  BasisSpan,
  CallAnswer,
  Lane,
  LaneBasis,
  LaneClock,
  LaneFile,
  LaneGroup,
  LaneMark,
  LaneSection,
  MetricCurve,
  MetricInfo,
  SliceColumns,
} from '../../views/lanes/index.ts';
import { caseIdSchema as caseId } from '../params.ts';
import type { AreaValidators } from './area.ts';

export interface TimelineIndex {
  /** Decimal epoch ns. */
  readonly originNs: string;
  readonly endNs: number;
  /** First and last moment in each basis. */
  readonly spans: { readonly raw: BasisSpan; readonly corrected: BasisSpan };
  readonly clocks: readonly LaneClock[];
  readonly groups: readonly LaneGroup[];
  readonly sections: readonly LaneSection[];
  readonly lanes: readonly Lane[];
  readonly marks: readonly LaneMark[];
  readonly files: readonly LaneFile[];
  /** Event kinds by the number that instants carry. */
  readonly kinds: readonly string[];
  readonly calls: number;
  readonly instants: number;
  readonly outside: number;
  readonly instantsLeftOut: number;
}

export type TimelineCall = CallAnswer;

export interface TimelineInstants {
  readonly length: number;
  /** Index into the request's `lanes`. */
  readonly lane: Int32Array;
  readonly atNs: Float64Array;
  readonly kind: Uint16Array;
  readonly severity: Uint8Array;
  /** Index into `clocks`; -1 = raw whatever the basis. */
  readonly clock: Int16Array;
  readonly entry: Int32Array;
  readonly line: Int32Array;
  /** Index into `texts`. */
  readonly text: Int32Array;
  /** Events in it: those of a lane that fall into one pixel stand as one, the worst. */
  readonly count: Int32Array;
}

export type TimelinePicture =
  | { readonly kind: 'cells'; readonly columns: number; readonly cells: Uint8Array }
  | {
      readonly kind: 'slices';
      readonly slices: SliceColumns & {
        readonly group: Int32Array;
        readonly seq: Int32Array;
        /** Index into `texts`. */
        readonly op: Int32Array;
      };
      readonly instants: TimelineInstants;
      readonly texts: readonly string[];
    };

export interface TimelineStrips {
  readonly columns: number;
  /** Lines a column over all log files; null if no file has a time. */
  readonly lines: Float64Array | null;
  /** Events a column by severity. */
  readonly warnings: Float64Array;
  readonly errors: Float64Array;
  /** Ranks that wait in a call at the start of each column. */
  readonly waiting: Float64Array;
}

export interface TimelineRows {
  /** One a lane, in the order asked for. */
  readonly rows: readonly {
    readonly lane: number;
    readonly calls: number;
    readonly events: number;
    readonly errors: number;
    /** Worst state in the span. */
    readonly worst: number;
    /** Newest call that began in or before the span. */
    readonly last: TimelineCall | null;
  }[];
}

export type TimelineMethods = {
  /** Null: nothing in the case carries a time, or the case was made before lanes were kept. */
  readonly 'timeline.index': { readonly params: { readonly caseId: CaseId }; readonly result: TimelineIndex | null };
  readonly 'timeline.lanes': {
    readonly params: Span & {
      readonly columns: number;
      readonly lanes: readonly number[];
      readonly lanesPerRow: number;
      readonly tier: 'slices' | 'cells';
      /** Slices: more of them come as cells instead. */
      readonly maxSlices: number;
    };
    readonly result: TimelinePicture;
  };
  readonly 'timeline.strips': { readonly params: Span & { readonly columns: number }; readonly result: TimelineStrips };
  /** What can be drawn as a curve over time: made ones first, then what progress lines print. */
  readonly 'timeline.metrics': {
    readonly params: { readonly caseId: CaseId };
    readonly result: {
      readonly metrics: readonly MetricInfo[];
      /** Printed names beyond the limit, the rarest. */
      readonly leftOut: number;
    };
  };
  /** Those that the case has, in the order asked for. `ranks` get a line of their own. */
  readonly 'timeline.curves': {
    readonly params: Span & {
      readonly columns: number;
      readonly ids: readonly string[];
      readonly ranks: readonly number[];
    };
    readonly result: { readonly curves: readonly MetricCurve[] };
  };
  /** The worst call of these lanes that touches the span, the oldest of equal ones; null = none. */
  readonly 'timeline.pick': {
    readonly params: Span & { readonly lanes: readonly number[] };
    readonly result: {
      readonly call: TimelineCall | null;
      /** Lanes by the worst state in the span; index = state. */
      readonly states: readonly number[];
    };
  };
  /** The next or previous call of a lane, seen from a call or from a moment. */
  readonly 'timeline.step': {
    readonly params: {
      readonly caseId: CaseId;
      readonly basis: LaneBasis;
      readonly lane: number;
      readonly call: number | null;
      readonly at: number;
      readonly by: 1 | -1;
    };
    readonly result: TimelineCall | null;
  };
  /** A call by group and number on one rank. */
  readonly 'timeline.find': {
    readonly params: {
      readonly caseId: CaseId;
      readonly basis: LaneBasis;
      readonly rank: number;
      readonly group: string;
      readonly seq: number;
    };
    readonly result: TimelineCall | null;
  };
  readonly 'timeline.rows': {
    readonly params: Span & { readonly lanes: readonly number[] };
    readonly result: TimelineRows;
  };
};

interface Span {
  readonly caseId: CaseId;
  readonly basis: LaneBasis;
  readonly from: number;
  readonly to: number;
}

export const MAX_LANES = 65_536;
const MAX_COLUMNS = 8192;
/** 4,096 lanes at 2,000 pixels are 8 million cells. */
export const MAX_CELLS = 32_000_000;

const basis = z.enum(['raw', 'corrected']);
const at = z.number().refine(Number.isFinite);
const span = { caseId, basis, from: at, to: at };
const lanes = z.array(z.int().nonnegative()).max(MAX_LANES);
const columns = z.int().positive().max(MAX_COLUMNS);

export const TIMELINE_VALIDATORS: AreaValidators<TimelineMethods> = {
  'timeline.index': z.strictObject({ caseId }),
  'timeline.lanes': z.strictObject({
    ...span,
    columns,
    lanes,
    lanesPerRow: z.int().positive().max(MAX_LANES),
    tier: z.enum(['slices', 'cells']),
    maxSlices: z.int().positive().max(50_000),
  }),
  'timeline.strips': z.strictObject({ ...span, columns }),
  'timeline.metrics': z.strictObject({ caseId }),
  'timeline.curves': z.strictObject({
    ...span,
    columns,
    ids: z.array(z.string().max(200)).max(32),
    ranks: z.array(z.int().nonnegative()).max(8),
  }),
  'timeline.pick': z.strictObject({ ...span, lanes }),
  'timeline.step': z.strictObject({
    caseId,
    basis,
    lane: z.int().nonnegative(),
    call: z.int().nonnegative().nullable(),
    at,
    by: z.union([z.literal(1), z.literal(-1)]),
  }),
  'timeline.find': z.strictObject({
    caseId,
    basis,
    rank: z.int().nonnegative(),
    group: z.string().max(2000),
    seq: z.int(),
  }),
  'timeline.rows': z.strictObject({ ...span, lanes }),
};
