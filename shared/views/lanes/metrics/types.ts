/** Curves over time, one value a member and column: what is known of each, and how it is asked for. */
import type { LaneBasis } from '../clock-correction.ts';
import type { MeasureUnit } from './read-measures.ts';

/** Curves that are made, not printed. */
export const MADE_METRICS = ['step-time', 'step', 'time-in-calls', 'calls-per-second', 'clock-bound'] as const;
export type MadeMetric = (typeof MADE_METRICS)[number];

export interface MetricInfo {
  /** One of MADE_METRICS, `line:` with name and unit, or `gpu:` with the name that nvidia-smi has for it. */
  readonly id: string;
  /** As the lines print it; empty for what is made. Foreign text: escape it. */
  readonly name: string;
  readonly unit: MeasureUnit;
  readonly source: 'lines' | 'recorder' | 'clocks' | 'gpu';
  /** Ranks, GPUs or clocks that have a value at some time. */
  readonly members: number;
  /** Printers among them whose rank is not known. */
  readonly unplaced: number;
}

export interface MetricRequest {
  readonly basis: LaneBasis;
  readonly from: number;
  /** Outside. */
  readonly to: number;
  readonly columns: number;
  /** Ranks that get a line of their own. */
  readonly ranks: readonly number[];
}

/** One value a column of time; NaN = not known at its start, never 0. */
export interface MetricCurve {
  readonly id: string;
  /** Members with a value in the span. */
  readonly members: number;
  readonly low: Float64Array;
  /** The lower one of two. */
  readonly median: Float64Array;
  readonly high: Float64Array;
  /** Only ranks that have a value in the span. */
  readonly own: readonly { readonly rank: number; readonly values: Float64Array }[];
}

/** Where a member writes what it knows. */
export interface Row {
  readonly values: Float64Array;
  /** A value that begins and ends inside of one column, which only the band can show beside others. */
  readonly extreme: (column: number, value: number) => void;
}

export interface Member {
  /** Null: its rank is not known, or it is no rank. */
  readonly rank: number | null;
  /** Ranks that ask for a line of their own and stand on this member; for clocks. */
  readonly ranks?: readonly number[];
  /** Writes the values of a span into columns of NaN; false if it knows none there. */
  readonly fill: (row: Row, span: Omit<MetricRequest, 'ranks'>) => boolean;
}
