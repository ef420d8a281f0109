/** The rank table: every rank while they fit, else sets of ranks that behave alike. */
import { formatRanks } from '#shared/lib/rank-set.ts';
import type { Report, ReportRank } from '#shared/report/schema.ts';
import type { PrintContext } from './print-context.ts';
import { cutTo, padTo, textWidth } from './text-layout.ts';
import { visibleText } from './visible-text.ts';

/** Widest columns; sets of ranks in the first one may be longer than a Pod's name. */
const MAX_FIRST_COLUMN = 48;
const MAX_COLUMN = 32;
/** More rows than this are folded: a table should fit a screen. */
const MAX_ROWS = 24;

type Column = { readonly title: string; readonly cell: (rank: ReportRank) => string };

const exitText = ({ exit }: ReportRank): string => {
  if (exit === null) return '';
  if (exit.signal !== null) return `signal ${exit.signal}`;
  const code = exit.code === null ? '' : `exit ${exit.code}`;
  return exit.reason === null ? code : `${code} ${exit.reason}`.trim();
};

const ROLE_WORD: Record<ReportRank['role'], string> = {
  first: 'first',
  victim: 'victim',
  bystander: 'bystander',
  unknown: '',
};

const COLUMNS: readonly Column[] = [
  { title: 'Rank', cell: (rank) => `${rank.rank}${rank.attempt > 0 ? ` (attempt ${rank.attempt})` : ''}` },
  { title: 'Role', cell: (rank) => ROLE_WORD[rank.role] },
  { title: 'Pod', cell: (rank) => rank.pod ?? '' },
  { title: 'Node', cell: (rank) => rank.node ?? '' },
  { title: 'GPU', cell: (rank) => rank.gpu ?? '' },
  { title: 'Exit', cell: exitText },
  { title: 'Dump', cell: (rank) => rank.dump },
  { title: 'Last seen', cell: (rank) => rank.lastSeen ?? '' },
];

/** Lines of the table; none if the report knows no rank. Columns in which every cell is empty are left out. */
export function rankLines(report: Report, context: PrintContext): string[] {
  if (report.ranks.length === 0) return [];
  return report.ranks.length <= MAX_ROWS ? fullTable(report.ranks, context) : foldedTable(report.ranks, context);
}

function fullTable(ranks: readonly ReportRank[], context: PrintContext): string[] {
  const columns = COLUMNS.map(({ title, cell }) => ({ title, cells: ranks.map((rank) => visibleText(cell(rank))) }));
  const first = ranks.map((rank) => rank.role === 'first');
  return table(columns, first, context);
}

/** One row for all ranks with the same role, exit and dump. */
function foldedTable(ranks: readonly ReportRank[], context: PrintContext): string[] {
  const groups = new Map<string, ReportRank[]>();
  for (const rank of ranks) {
    const key = JSON.stringify([rank.attempt, rank.role, exitText(rank), rank.dump]);
    const group = groups.get(key) ?? [];
    group.push(rank);
    groups.set(key, group);
  }
  const order: readonly ReportRank['role'][] = ['first', 'victim', 'unknown', 'bystander'];
  const rows = [...groups.values()].sort(
    (a, b) => order.indexOf(roleOf(a)) - order.indexOf(roleOf(b)) || (a[0]?.rank ?? 0) - (b[0]?.rank ?? 0),
  );
  const column = (title: string, cell: (group: readonly ReportRank[]) => string) => ({
    title,
    cells: rows.map((group) => visibleText(cell(group))),
  });
  const head = (group: readonly ReportRank[], cell: (rank: ReportRank) => string): string =>
    group[0] === undefined ? '' : cell(group[0]);
  return table(
    [
      column('Ranks', (group) => formatRanks(group.map((rank) => rank.rank))),
      column('Role', (group) => ROLE_WORD[roleOf(group)]),
      column('Exit', (group) => head(group, exitText)),
      column('Dump', (group) => head(group, (rank) => rank.dump)),
      column('Nodes', (group) => someOf(group.map((rank) => rank.node))),
    ],
    rows.map((group) => roleOf(group) === 'first'),
    context,
  );
}

const roleOf = (group: readonly ReportRank[]): ReportRank['role'] => group[0]?.role ?? 'unknown';

function someOf(names: readonly (string | null)[]): string {
  const known = [...new Set(names.filter((name) => name !== null))].sort();
  return known.length <= 3 ? known.join(', ') : `${known.length} nodes`;
}

export interface FilledColumn {
  readonly title: string;
  readonly cells: readonly string[];
}

/** Columns in which every cell is empty are left out; `bold` has one element a row. */
export function table(
  columns: readonly FilledColumn[],
  bold: readonly boolean[],
  { width, paint }: PrintContext,
): string[] {
  const used = columns.filter((column) => column.cells.some((cell) => cell !== ''));
  const widths = used.map((column, i) =>
    Math.min(i === 0 ? MAX_FIRST_COLUMN : MAX_COLUMN, Math.max(...[column.title, ...column.cells].map(textWidth))),
  );
  const line = (cells: readonly string[]): string =>
    cutTo(
      `  ${cells.map((cell, i) => padTo(cutTo(cell, widths[i] ?? 0), widths[i] ?? 0)).join('  ')}`.trimEnd(),
      width,
    );
  return [
    paint(['dim'], line(used.map((column) => column.title))),
    ...bold.map((isFirst, row) => {
      const text = line(used.map((column) => column.cells[row] ?? ''));
      return isFirst ? paint(['bold'], text) : text;
    }),
  ];
}
