export interface RanksTarget {
  /** Rank whose card is open. */
  readonly rank: number | null;
  /** ISO 8601 UTC moment of the scrubber; null = the end. */
  readonly at: string | null;
}
export const RANKS_START: RanksTarget = { rank: null, at: null };
