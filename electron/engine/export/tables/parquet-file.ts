/** One Parquet file, written in row groups beside its place and renamed when it is whole. */
import { renameSync, rmSync } from 'node:fs';
import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { CaseTable, Cell, ColumnType, Row } from '#shared/report/tables/index.ts';

/** Rows held in memory: bounds it, and is a row group, the unit that engines read in parallel. */
const GROUP_ROWS = 50_000;

/** Microseconds, not nanoseconds: not every engine reads the latter. */
const ELEMENT: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  int: { type: 'INT32' },
  long: { type: 'INT64' },
  real: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
};

export class ParquetFile {
  readonly #file: string;
  readonly #table: CaseTable;
  readonly #writer: ParquetWriter;
  #columns: Cell[][];
  #rows = 0;

  /** Throws the file system's error if the folder cannot be written. */
  constructor(file: string, table: CaseTable, createdBy: string) {
    this.#file = file;
    this.#table = table;
    this.#columns = table.columns.map(() => []);
    this.#writer = new ParquetWriter({
      writer: fileWriter(temporary(file)),
      schema: [
        { name: 'root', num_children: table.columns.length },
        ...table.columns.map(({ name, type }) => ({
          name,
          repetition_type: 'OPTIONAL' as const,
          ...ELEMENT[type],
        })),
      ],
      createdBy,
    });
  }

  get rows(): number {
    return this.#rows;
  }

  /** `row` has a cell for each column. */
  add(row: Row): void {
    for (const [index, column] of this.#columns.entries()) column.push(row[index] ?? null);
    this.#rows += 1;
    if (this.#columns[0]?.length === GROUP_ROWS) this.#flush();
  }

  finish(): void {
    this.#flush();
    void this.#writer.finish();
    renameSync(temporary(this.#file), this.#file);
  }

  discard(): void {
    rmSync(temporary(this.#file), { force: true });
  }

  #flush(): void {
    const rows = this.#columns[0]?.length ?? 0;
    if (rows === 0) return;
    void this.#writer.write({
      columnData: this.#table.columns.map(({ name }, index) => ({ name, data: this.#columns[index] ?? [] })),
      rowGroupSize: rows,
    });
    this.#columns = this.#table.columns.map(() => []);
  }
}

const temporary = (file: string): string => `${file}.writing`;
