export interface CollectivesTarget {
  /** Group id as in the report; null = the whole job. */
  readonly group: string | null;
  readonly seq: number | null;
}
export const COLLECTIVES_START: CollectivesTarget = { group: null, seq: null };
