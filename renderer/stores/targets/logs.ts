import type { EntryId } from '#shared/model/ids.ts';

export interface LogsTarget {
  /** Text of the query; empty = all lines. */
  readonly query: string;
  /** Line to bring into view; `line` is 1-based. */
  readonly at: { readonly entryId: EntryId; readonly line: number } | null;
  /** ISO 8601 UTC moment to bring into view where no line is given. */
  readonly time: string | null;
  /** The whole query is one regular expression. */
  readonly regex?: boolean;
  readonly matchCase?: boolean;
}
export const LOGS_START: LogsTarget = { query: '', at: null, time: null };
