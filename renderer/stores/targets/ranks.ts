/** What the map of ranks shows. Fields that are absent have the value of the start. */
export interface RanksTarget {
  /** Rank whose card is open. */
  readonly rank: number | null;
  /** ISO 8601 UTC moment of the scrubber, in the shared basis; null = where most ranks wait. */
  readonly at: string | null;
  readonly colour?: 'state' | 'errors' | 'sequence' | 'clock' | 'evidence';
  readonly layout?: 'place' | 'pods' | 'groups';
  /** Group id: whose last call colours the cells; absent = any. */
  readonly group?: string;
  /** The table in place of the map. */
  readonly table?: boolean;
}
export const RANKS_START: RanksTarget = { rank: null, at: null };
