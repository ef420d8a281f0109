/** The calls around a divergence as a table: rows = calls, columns = sets of ranks that behave alike. */

/**
 * - `completed`, `ended` (gloo: over, result unknown), `waiting`, `enqueued`  as the rank's own record or counters say
 * - `never-enqueued`  the rank's newest call is older
 * - `not-held`        older than what the rank's ring kept
 * - `no-dump`, `unknown`  nothing tells
 */
export const CELL_STATES = [
  'completed',
  'ended',
  'waiting',
  'enqueued',
  'never-enqueued',
  'not-held',
  'no-dump',
  'unknown',
] as const;
export type CellState = (typeof CELL_STATES)[number];

export interface TableCell {
  readonly state: CellState;
  /** Index into `calls`; undefined where only counters tell, or nothing does. */
  readonly call: number | undefined;
  /** True where this is what sets the column apart: another call than expected, a call not joined or not finished. */
  readonly deviates: boolean;
}

export interface TableColumn {
  /** Sorted. Never empty. */
  readonly ranks: readonly number[];
  readonly deviates: boolean;
  /** Lowest and highest call that the rings of these ranks still hold, over all of them; undefined if none holds one. */
  readonly held: { readonly from: number; readonly to: number } | undefined;
  /** One a row. */
  readonly cells: readonly TableCell[];
}

export interface DivergenceTable {
  /** GroupFact.id */
  readonly group: string;
  /** Sequence number of the divergence: the row to look at. */
  readonly seq: number;
  /** Ascending. */
  readonly rows: readonly number[];
  /** A column that deviates and the largest one that does not come first; at most MAX_TABLE_COLUMNS. */
  readonly columns: readonly TableColumn[];
  /** Ranks in columns that were left out. */
  readonly moreRanks: number;
  /** Texts of the calls in the cells: `all_reduce [[85002]] Float`, cut to a bounded length. */
  readonly calls: readonly string[];
}

export const MAX_TABLE_COLUMNS = 8;
