/**
 * The stored view `coverage`: from when to when each file of the bundle tells something, on whose clock, of which node and Pod; and which Pods
 * no log tells of. All times are RAW ns on the clock that wrote them, relative to `originNs`. Text is as the bundle wrote it: escape it.
 */
import type { LaneClock } from '../lanes/types.ts';

export const COVERAGE_VIEW = 'coverage';

/** What a file's stamps are of. */
export type CoverageOf = 'log' | 'dump' | 'events';

export interface FileCoverage {
  readonly entry: number;
  /** Null: it carries no stamps of a kind that is placed in time. */
  readonly of: CoverageOf | null;
  /** Sorted; empty = the file does not tell, and nothing tells of it. */
  readonly nodes: readonly string[];
  readonly pods: readonly string[];
  readonly ranks: readonly number[];
  /** Index into `clocks`; -1 = unknown, or several: its stamps can only be shown raw. */
  readonly clock: number;
  /** First and last stamp; both null = none that can be placed. */
  readonly fromNs: number | null;
  readonly toNs: number | null;
}

/** A Pod, and the ranks that it holds. */
export interface PodCoverage {
  readonly pod: string;
  readonly node: string | null;
  /** Seen in it or expected of it, sorted. */
  readonly ranks: readonly number[];
  /** A file of log lines is in the bundle. */
  readonly log: boolean;
  /** Those of its ranks that no recorder dump is there of; empty as well where no rank at all has one. */
  readonly withoutDump: readonly number[];
}

export interface CoverageView {
  readonly version: 1;
  /** Decimal epoch ns; that of the lanes. */
  readonly originNs: string;
  readonly clocks: readonly LaneClock[];
  /** Sorted by entry; only files that something is told of. */
  readonly files: readonly FileCoverage[];
  /** By node, then name. */
  readonly pods: readonly PodCoverage[];
  readonly fault: { readonly atNs: number; readonly clock: number } | null;
}
