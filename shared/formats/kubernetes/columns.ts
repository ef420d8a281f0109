/**
 * kubectl's text tables: columns are padded with spaces and separated by two at least, cells hold single spaces, may be
 * empty, and are cut only by the column starts of the header.
 *
 *   NAME                   READY   STATUS    RESTARTS      AGE
 *   borealis-pt-master-0   1/1     Running   1 (26m ago)   44m
 */
export interface Column {
  readonly name: string;
  readonly start: number;
}

/** Column starts of a header line. */
export function readHeader(line: string): readonly Column[] {
  const columns: Column[] = [];
  const cell = /\S+(?: \S+)*/g;
  for (let match = cell.exec(line); match !== null && columns.length < 40; match = cell.exec(line)) {
    columns.push({ name: match[0], start: match.index });
  }
  return columns;
}

/**
 * Cells of a row by column name, trimmed. If a cell reaches into the next column (rows that were added while
 * watching), the row is split at runs of spaces instead; undefined if that does not give one cell per column.
 */
export function readRow(columns: readonly Column[], line: string): ReadonlyMap<string, string> | undefined {
  const aligned = columns.every(({ start }) => start === 0 || start >= line.length || line[start - 1] === ' ');
  if (aligned) {
    return new Map(columns.map(({ name, start }, i) => [name, line.slice(start, columns[i + 1]?.start).trim()]));
  }
  const cells = line.trim().split(/ {2,}/);
  if (cells.length !== columns.length) return undefined;
  return new Map(columns.map(({ name }, i) => [name, cells[i] ?? '']));
}

/** The text of a cell; undefined for an empty one and for kubectl's words for nothing. */
export function cellText(row: ReadonlyMap<string, string>, name: string): string | undefined {
  const text = row.get(name);
  return text === undefined || text === '' || text === '<none>' || text === '<unknown>' || text === '<unset>'
    ? undefined
    : text;
}

/** `26m (x2 over 43m)` → 2; 1 without a repeat. */
export function repeatCount(age: string | undefined): number {
  const count = /\(x(\d{1,9}) over /.exec(age ?? '')?.[1];
  return count === undefined ? 1 : Number(count);
}
