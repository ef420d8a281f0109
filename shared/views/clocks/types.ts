/**
 * The stored view `clocks`: what may be said of each clock over time, and the evidence for it. Offsets are ms against the reference of
 * the clock's component, positive = ahead. Times are CORRECTED ns relative to `originNs`; stamps of evidence are raw epoch ns as decimal text.
 * Text is as the bundle wrote it: escape it before it is shown.
 */
import type { EntryId } from '../../model/ids.ts';

export const CLOCKS_VIEW = 'clocks';

export interface ClocksView {
  /** Epoch ns as decimal text; that of the lanes. */
  readonly originNs: string;
  readonly momentsNs: Float64Array;
  readonly bands: readonly ClockBandView[];
  /** What the verdict calls first; null = it has no time, or its clock is not related to the reference. */
  readonly firstFault: { readonly clock: string; readonly atNs: number } | null;
  /** Differences of each clock to that of the first fault (the reference if there is none), clock by clock: guaranteed and likely. */
  readonly against: { readonly clock: string; readonly others: readonly ClockPair[] } | null;
  /** Differences of any two of the drawn clocks at the incident; null or absent = too many to be kept. */
  readonly matrix?: ClockMatrix | null;
  /** Times that a clock was set, on the corrected time: nothing is interpolated over them. */
  readonly steps: readonly {
    readonly clock: string;
    readonly fromNs: number;
    readonly toNs: number;
    readonly sizeMs: number | null;
  }[];
}

/** Row by row: entry `i · n + j` is of (clock i − clock j), ms; NaN or ∓Infinity = open, 0 on the diagonal. */
export interface ClockMatrix {
  readonly clocks: readonly string[];
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly likelyLow: Float64Array;
  readonly likelyHigh: Float64Array;
  readonly estimate: Float64Array;
  /** Of each clock the moment that its offset is for, on the view's time line, ns. */
  readonly atNs: Float64Array;
  /** Largest rate of any clock: what a bound widens by away from these moments. */
  readonly driftPpm: number;
}

/** Interval of (clock of the first fault − this clock), ms; null = open. */
export interface ClockPair {
  readonly clock: string;
  readonly low: number | null;
  readonly high: number | null;
  readonly likelyLow: number | null;
  readonly likelyHigh: number | null;
  readonly estimate: number;
}

export interface ClockBandView {
  readonly clock: string;
  /** One value a moment, ms; ∓Infinity = open. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly likelyLow: Float64Array;
  readonly likelyHigh: Float64Array;
  readonly estimate: Float64Array;
  readonly anchors: readonly ClockAnchorView[];
  readonly rejected: readonly ClockAnchorView[];
}

export interface ClockAnchorView {
  readonly side: 'lower' | 'upper';
  readonly atNs: number;
  readonly valueMs: number;
  readonly certainty: 'guaranteed' | 'likely';
  readonly text: string;
  readonly before: AnchorSide | null;
  readonly after: AnchorSide | null;
  /** Where the evidence as a whole stands. */
  readonly place: AnchorPlace | null;
  /** Of what was left out: the evidence that it cannot hold together with. */
  readonly against?: readonly string[];
}

export interface AnchorSide {
  /** Null = true time, as a time service has it. */
  readonly clock: string | null;
  /** Epoch ns as decimal text. */
  readonly rawNs: string;
  readonly rank: number | null;
  /** The very record or line, where it is one. */
  readonly place: AnchorPlace | null;
}

/** At most one of the three is set; none = the file as a whole. */
export interface AnchorPlace {
  readonly entryId: EntryId;
  readonly line: number | null;
  readonly byte: number | null;
  readonly record: number | null;
}
