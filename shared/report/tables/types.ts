/** Tables of a case for query engines: flat columns of plain types, so that every engine reads them the same way. */

/**
 * - `text`   UTF-8
 * - `int`    32 bits                 - `long`  64 bits
 * - `real`   64-bit float            - `flag`  true or false
 * - `time`   UTC, microseconds since 1970, rounded down; the exact nanoseconds stand in a `long` column beside it
 */
export type ColumnType = 'text' | 'int' | 'long' | 'real' | 'flag' | 'time';

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Null = unknown. `long` and `time` are bigint, `int` and `real` are numbers. */
export type Cell = string | number | bigint | boolean | null;

/** One value for each column of the table, in their order. */
export type Row = readonly Cell[];

export interface CaseTable {
  /** Also the name of its folder. */
  readonly name: string;
  /** The first column of every table is `case_id`. */
  readonly columns: readonly TableColumn[];
}

/** `name:type` for each column; `case_id` comes first by itself. */
export function caseTable(name: string, columns: readonly `${string}:${ColumnType}`[]): CaseTable {
  return {
    name,
    columns: [
      { name: 'case_id', type: 'text' },
      ...columns.map((column) => {
        const at = column.lastIndexOf(':');
        return { name: column.slice(0, at), type: columnType(column.slice(at + 1)) };
      }),
    ],
  };
}

const COLUMN_TYPES: readonly ColumnType[] = ['text', 'int', 'long', 'real', 'flag', 'time'];

function columnType(word: string): ColumnType {
  const type = COLUMN_TYPES.find((one) => one === word);
  if (type === undefined) throw new Error(`no type of column: ${word}`);
  return type;
}
