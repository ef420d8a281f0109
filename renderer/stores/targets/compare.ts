import type { CaseId } from '#shared/model/ids.ts';

export interface CompareTarget {
  /** The second case; null = still to be chosen. */
  readonly other: CaseId | null;
}
export const COMPARE_START: CompareTarget = { other: null };
