/**
 * The calls around the first divergence: columns are sets of ranks that behave alike, rows are calls. As many columns as the width
 * takes; the ones that deviate and the largest other one come first, so they are always there.
 */
import { formatRanks } from '#shared/lib/rank-set.ts';
import type { CellState } from '#shared/model/divergence-table.ts';
import type { Report, ReportTable } from '#shared/report/schema.ts';
import { plural } from '#shared/text/format.ts';
import type { Style } from './paint.ts';
import type { PrintContext } from './print-context.ts';
import { cutTo, hangText, padTo, textWidth, wrapText } from './text-layout.ts';
import { visibleText } from './visible-text.ts';

interface Look {
  readonly unicode: string;
  readonly ascii: string;
  readonly word: string;
  readonly style: Style | undefined;
}
const LOOK: Readonly<Record<CellState, Look>> = {
  completed: { unicode: '✓', ascii: 'v', word: 'completed', style: 'green' },
  ended: { unicode: '▪', ascii: '=', word: 'ended', style: undefined },
  waiting: { unicode: '◔', ascii: '~', word: 'waiting', style: 'yellow' },
  enqueued: { unicode: '·', ascii: '.', word: 'enqueued', style: undefined },
  'never-enqueued': { unicode: '✗', ascii: 'x', word: 'never enqueued', style: 'red' },
  'not-held': { unicode: '‹', ascii: '<', word: 'not held', style: 'dim' },
  'no-dump': { unicode: '–', ascii: '-', word: 'no dump', style: 'dim' },
  unknown: { unicode: '?', ascii: '?', word: 'unknown', style: 'dim' },
};

const COLUMN_GAP = 2;
/** `✗ never enqueued ◂` */
const MIN_COLUMN = 18;
const MAX_COLUMN = 26;
/** Lines for the ranks of a column; longer sets are cut, their number stands below. */
const MAX_RANK_LINES = 3;

/** Lines of the table with its legend; none if there is nothing to show. */
export function divergenceLines(report: Report, context: PrintContext): string[] {
  const { table } = report.collectives;
  if (table === undefined || table === null || table.columns.length === 0) return [];
  const desc = report.collectives.groups.find((group) => group.group === table.group)?.desc ?? '';
  const name = desc === '' || desc === table.group ? table.group : `${table.group} (${desc})`;
  const labels = ['ranks', 'held', ...table.rows.map((seq) => `#${seq}`)];
  const labelWidth = Math.max(...labels.map(textWidth)) + 4;
  const fitting = Math.max(1, Math.floor((context.width - labelWidth + COLUMN_GAP) / (MIN_COLUMN + COLUMN_GAP)));
  const columns = table.columns.slice(0, fitting);
  const width = Math.min(
    MAX_COLUMN,
    Math.floor((context.width - labelWidth - COLUMN_GAP * (columns.length - 1)) / columns.length),
  );
  const left = table.columns.slice(fitting).reduce((sum, column) => sum + column.ranks.length, table.moreRanks);
  const frame = { context, columns, width, labelWidth };
  return [
    ...hangText('  ', `group ${visibleText(name)}, call #${table.seq}`, context.width),
    ...headLines(frame),
    ...table.rows.map((seq, row) => rowLine(table, seq, row, frame)),
    line(
      frame,
      'held',
      columns.map((column) => heldText(column.held)),
    ),
    ...table.calls.map((call, i) => cutTo(`  ${letter(i)}  ${visibleText(call)}`, context.width)),
    ...(left === 0 ? [] : [`  and ${plural(left, 'rank')} in further columns of the report`]),
  ];
}

interface Frame {
  readonly context: PrintContext;
  readonly columns: ReportTable['columns'];
  readonly width: number;
  readonly labelWidth: number;
}

const letter = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : `${letter(Math.floor(index / 26) - 1)}${letter(index % 26)}`;

function heldText(held: ReportTable['columns'][number]['held']): string {
  return held === null ? 'no entries' : `#${held.from} to #${held.to}`;
}

function headLines(frame: Frame): string[] {
  const { columns, width, context } = frame;
  const names = columns.map((column) => {
    const lines = wrapText(formatRanks(column.ranks), width);
    return lines.length <= MAX_RANK_LINES ? lines : [...lines.slice(0, MAX_RANK_LINES - 1), '…'];
  });
  const height = Math.max(...names.map((lines) => lines.length));
  const many = columns.some((column) => column.ranks.length > 3);
  const rows = Array.from({ length: height }, (_, i) =>
    line(
      frame,
      i === 0 ? 'ranks' : '',
      names.map((lines) => lines[i] ?? ''),
    ),
  );
  if (many)
    rows.push(
      line(
        frame,
        '',
        columns.map((column) => `(${plural(column.ranks.length, 'rank')})`),
      ),
    );
  return rows.map((text) => context.paint(['dim'], text));
}

function line({ columns, width, labelWidth, context }: Frame, label: string, cells: readonly string[]): string {
  const text = cells.map((cell, i) =>
    i === columns.length - 1 ? cutTo(cell, width) : padTo(cutTo(cell, width), width),
  );
  return cutTo(`  ${padTo(label, labelWidth - 2)}${text.join(' '.repeat(COLUMN_GAP))}`, context.width).trimEnd();
}

/** The row of the divergence is marked; in it, the cells that set a column apart are marked and bold. */
function rowLine(table: ReportTable, seq: number, row: number, frame: Frame): string {
  const { context, columns, width, labelWidth } = frame;
  const here = seq === table.seq;
  const mark = here ? (context.unicode ? '▶ ' : '> ') : '  ';
  const cells = columns.map((column, i) => {
    const cell = column.cells[row];
    if (cell === undefined) return ' '.repeat(width);
    const look = LOOK[cell.state];
    const call = cell.call === null ? '' : ` ${letter(cell.call)}`;
    const odd = cell.deviates ? (context.unicode ? ' ◂' : ' <') : '';
    const plain = cutTo(`${context.unicode ? look.unicode : look.ascii} ${look.word}${call}${odd}`, width);
    const styles: Style[] = [
      ...(cell.deviates ? (['bold'] as const) : []),
      ...(look.style === undefined ? [] : [look.style]),
    ];
    const painted = styles.length === 0 ? plain : context.paint(styles, plain);
    return i === columns.length - 1 ? painted : painted + ' '.repeat(Math.max(0, width - textWidth(plain)));
  });
  return `${mark}${padTo(`#${seq}`, labelWidth - 2)}${cells.join(' '.repeat(COLUMN_GAP))}`;
}
