export interface ReportTarget {
  /** Section to bring into view; `reply` opens the reply to the sender. */
  readonly section: string | null;
}
export const REPORT_START: ReportTarget = { section: null };
