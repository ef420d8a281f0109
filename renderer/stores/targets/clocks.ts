export interface ClocksTarget {
  /** Clock id as in the report. */
  readonly clock: string | null;
  /** The clock that all are compared with on this screen; absent = the report's reference. */
  readonly reference?: string;
}
export const CLOCKS_START: ClocksTarget = { clock: null };
