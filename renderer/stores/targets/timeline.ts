/** Where on the timeline. Times are raw or corrected ns relative to the case's origin, as `selection.ts` has them. */
export interface TimelineTarget {
  /** Lane id to bring into view; null = from the top. */
  readonly lane: string | null;
  /** ISO 8601 UTC moment to centre on; null = the shared range. */
  readonly at: string | null;
}
export const TIMELINE_START: TimelineTarget = { lane: null, at: null };
