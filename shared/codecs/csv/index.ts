/**
 * Comma-separated values by RFC 4180: cells in double quotes may hold commas, line ends and doubled quotes.
 *
 *   "Time","Line"\r\n"10:17","a ""quoted"" word, and a comma"\r\n
 *
 * Strict: a quote inside an unquoted cell, or text behind a closing quote, is a problem; reading goes on at the next
 * line. Not covered: other separators, comments. Cost: O(characters); one row exists at a time.
 */
export interface CsvRow {
  readonly kind: 'row';
  /** Offset of its first character, and behind its last one (without the line end), in UTF-16 units. */
  readonly at: number;
  readonly end: number;
  readonly cells: readonly string[];
}

export interface CsvProblem {
  readonly kind: 'problem';
  readonly at: number;
  readonly reason: string;
}

/** Cells of one row; exports have some tens. */
const MAX_CELLS = 1_000;
const MAX_PROBLEMS = 20;

const COMMA = 44;
const QUOTE = 34;
const LF = 10;
const CR = 13;

/** Rows of a text, blank lines left out. Ends after MAX_PROBLEMS problems or at a quote that is never closed. */
export function* readCsv(text: string): Generator<CsvRow | CsvProblem> {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let problems = 0;
  while (at < text.length && problems < MAX_PROBLEMS) {
    const row = readRow(text, at);
    if (row.kind === 'problem') {
      problems += 1;
      yield row;
      const feed = text.indexOf('\n', row.at);
      if (row.reason === UNCLOSED || feed < 0) return;
      at = feed + 1;
      continue;
    }
    if (row.cells.length > 1 || row.cells[0] !== '') yield row;
    at = text.indexOf('\n', row.end) + 1 || text.length;
  }
}

const UNCLOSED = 'a quoted cell is not closed';

function readRow(text: string, from: number): CsvRow | CsvProblem {
  const cells: string[] = [];
  let at = from;
  for (;;) {
    if (cells.length >= MAX_CELLS) return { kind: 'problem', at, reason: `more than ${MAX_CELLS} cells in a row` };
    const cell = text.charCodeAt(at) === QUOTE ? quotedCell(text, at) : plainCell(text, at);
    if (typeof cell === 'string') return { kind: 'problem', at, reason: cell };
    cells.push(cell.value);
    at = cell.end;
    if (text.charCodeAt(at) !== COMMA) return { kind: 'row', at: from, end: at, cells };
    at += 1;
  }
}

interface Cell {
  readonly value: string;
  readonly end: number;
}

function plainCell(text: string, from: number): Cell | string {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === LF || (code === CR && isLineEnd(text, at))) break;
    if (code === QUOTE) return 'a quote inside a cell that has none around it';
  }
  return { value: text.slice(from, at), end: at };
}

function quotedCell(text: string, from: number): Cell | string {
  let value = '';
  let start = from + 1;
  for (;;) {
    const quote = text.indexOf('"', start);
    if (quote < 0) return UNCLOSED;
    value += text.slice(start, quote);
    if (text.charCodeAt(quote + 1) !== QUOTE) {
      const end = quote + 1;
      const next = text.charCodeAt(end);
      const over = Number.isNaN(next) || next === COMMA || isLineEnd(text, end);
      return over ? { value, end } : 'text behind a closing quote';
    }
    value += '"';
    start = quote + 2;
  }
}

/** LF, CR LF, or a CR at the very end. */
function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === LF) return true;
  return code === CR && (text.charCodeAt(at + 1) === LF || at + 1 === text.length);
}
