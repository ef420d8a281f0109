/** A table as text for spreadsheets: tabs between cells, one line a row; tabs and line feeds inside a cell become spaces. */
export const tsvOf = (columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string =>
  [columns, ...rows]
    .map((row) => row.map((cell) => (cell === null ? '' : String(cell).replaceAll(/[\t\r\n]/g, ' '))).join('\t'))
    .join('\n');
