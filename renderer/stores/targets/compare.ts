import type { CaseId } from '#shared/model/ids.ts';

/** What is compared with the open case. Fields that are absent have the value of the start. */
export interface CompareTarget {
  /** The second case; null = still to be chosen. */
  readonly other: CaseId | null;
  /** What stands at 0; absent = the first fault of both, else the last thing that both did. */
  readonly align?: 'onset' | 'call' | 'step' | 'start';
  readonly differencesOnly?: boolean;
}
export const COMPARE_START: CompareTarget = { other: null };
