export interface ReportTarget {
  /** Section to bring into view. */
  readonly section: string | null;
}
export const REPORT_START: ReportTarget = { section: null };
