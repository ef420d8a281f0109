export interface ClocksTarget {
  /** Clock id as in the report. */
  readonly clock: string | null;
}
export const CLOCKS_START: ClocksTarget = { clock: null };
