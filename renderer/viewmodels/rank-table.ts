/** The rank table: one row a rank and attempt, or folded into sets of ranks that ended alike. */
import { formatRanks } from '#shared/lib/rank-set.ts';
import type { Report, ReportRank } from '#shared/report/schema.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { clockWords } from '#shared/text/moment-text.ts';
import { escapeText } from './escape-text.ts';
import { calendarDay, timeOfDay } from './times.ts';
import { DUMP_WORDS, ROLE_WORDS } from './words.ts';

export const RANK_COLUMNS = ['rank', 'role', 'pod', 'node', 'local', 'exit', 'seen', 'dump'] as const;
export type RankColumn = (typeof RANK_COLUMNS)[number];

export const RANK_COLUMN_HEADS: Readonly<Record<RankColumn, string>> = {
  rank: 'Rank',
  role: 'Role',
  pod: 'Pod',
  node: 'Node',
  local: 'Local',
  exit: 'Exit',
  seen: 'Last seen',
  dump: 'Dump',
};

export interface RankSort {
  readonly column: RankColumn;
  readonly descending: boolean;
}

export type RankCells = Readonly<Record<Exclude<RankColumn, 'rank'>, string>>;

interface RowBase {
  readonly key: string;
  readonly role: ReportRank['role'];
  readonly cells: RankCells;
}
export type RankTableRow =
  | (RowBase & { readonly kind: 'rank'; readonly rank: number; readonly inSet: boolean; readonly note: string })
  | (RowBase & {
      readonly kind: 'set';
      readonly ranks: readonly number[];
      readonly label: string;
      readonly open: boolean;
    });

export interface RankTableOptions {
  readonly sort: RankSort;
  readonly fold: boolean;
  /** Keys of the sets that are unfolded. */
  readonly open: ReadonlySet<string>;
}

const UNKNOWN = '–';

/** Sorted stably, unknown values last in either direction; sets stand where their first member would. */
export function rankTableRows(report: Report, options: RankTableOptions): readonly RankTableRow[] {
  const raw = report.clock.reference === null;
  const attempts = report.incident.attempts > 1;
  const sorted = [...report.ranks].sort((a, b) => compareRows(a, b, options.sort));
  if (!options.fold) return sorted.map((row) => rankRow(row, raw, attempts, false));
  const sets = new Map<string, ReportRank[]>();
  for (const row of sorted) {
    const key = setKey(row);
    const members = sets.get(key);
    if (members) members.push(row);
    else sets.set(key, [row]);
  }
  return [...sets].flatMap(([key, members]) => {
    const [only] = members;
    if (members.length === 1 && only) return [rankRow(only, raw, attempts, false)];
    const open = options.open.has(key);
    const head = setRow(key, members, raw, open);
    return open ? [head, ...members.map((row) => rankRow(row, raw, attempts, true))] : [head];
  });
}

function rankRow(row: ReportRank, raw: boolean, attempts: boolean, inSet: boolean): RankTableRow {
  return {
    kind: 'rank',
    key: `${row.rank}/${row.attempt}`,
    rank: row.rank,
    role: row.role,
    inSet,
    note: [attempts ? `attempt ${row.attempt}` : '', ...row.conflicts.map(escapeText)]
      .filter((part) => part !== '')
      .join('; '),
    cells: {
      role: ROLE_WORDS[row.role],
      pod: escapeText(row.pod ?? UNKNOWN),
      node: escapeText(row.node ?? UNKNOWN),
      local: row.localRank === null ? UNKNOWN : String(row.localRank),
      exit: exitText(row.exit),
      seen: seenText(row.lastSeen, raw),
      dump: DUMP_WORDS[row.dump],
    },
  };
}

function setRow(key: string, members: readonly ReportRank[], raw: boolean, open: boolean): RankTableRow {
  const ranks = members.map((row) => row.rank).sort((a, b) => a - b);
  const [first] = members;
  const seen = members.flatMap((row) => (row.lastSeen === null ? [] : [row.lastSeen])).sort();
  const [earliest, latest] = [seen[0], seen.at(-1)];
  return {
    kind: 'set',
    key,
    ranks,
    role: first?.role ?? 'unknown',
    label: formatRanks(ranks),
    open,
    cells: {
      role: ROLE_WORDS[first?.role ?? 'unknown'],
      pod: distinct(
        members.map((row) => row.pod),
        'Pod',
      ),
      node: distinct(
        members.map((row) => row.node),
        'node',
      ),
      local: '',
      exit: exitText(first?.exit ?? null),
      seen: spanText(earliest, latest, new Set(members.map((row) => row.clock ?? row.node ?? row.pod)).size, raw),
      dump: DUMP_WORDS[first?.dump ?? 'absent'],
    },
  };
}

/** Raw stamps of several clocks have no earliest and latest: only their number is told. */
function spanText(earliest: string | undefined, latest: string | undefined, clocks: number, raw: boolean): string {
  if (earliest === undefined || latest === undefined) return UNKNOWN;
  if (raw && clocks > 1) return `${formatCount(clocks)} clocks, raw`;
  if (earliest === latest) return seenText(earliest, raw);
  return `${timeOfDay(earliest)} – ${timeOfDay(latest)}${raw ? ' raw' : ''}`;
}

function distinct(values: readonly (string | null)[], word: string): string {
  const known = new Set(values.filter((value) => value !== null));
  const [only] = known;
  if (only === undefined) return UNKNOWN;
  return known.size === 1 ? escapeText(only) : plural(known.size, word);
}

const setKey = (row: ReportRank): string => [row.role, exitText(row.exit), row.dump, row.attempt].join('|');

/** `OOMKilled, 137`, `exit 1`, `SIGKILL`, `–`. */
export function exitText(exit: ReportRank['exit']): string {
  if (exit === null) return UNKNOWN;
  const reason = exit.reason === null ? null : escapeText(exit.reason);
  const signal = exit.signal === null ? null : signalName(exit.signal);
  const ends = [signal === reason ? null : signal, exit.code === null ? null : `exit ${exit.code}`];
  // One word, as Kubernetes writes it, comes first; a sentence comes last.
  const short = reason !== null && /^\w+$/.test(reason);
  const parts = (short ? [reason, ...ends] : [...ends, reason]).filter((part) => part !== null);
  return parts.length === 0 ? UNKNOWN : parts.join(', ');
}

/** `±38 ms, clock of node-a, by the log of the launcher`: how sure the time of the end is, and who told it. */
export function exitClockWords(exit: NonNullable<ReportRank['exit']>): string {
  const { by, clock = null, boundMs = null, timeBasis = null } = exit;
  const teller = by === undefined ? '' : by === 'pod' ? ', by the status of the Pod' : ', by the log of the launcher';
  return `${escapeText(clockWords({ boundMs, timeBasis, clock }))}${teller}`;
}

/** The same of its last line. */
export const seenWords = ({ lastSeenBoundMs, lastSeenBasis, clock, node, pod }: ReportRank): string =>
  clockWords({ boundMs: lastSeenBoundMs ?? null, timeBasis: lastSeenBasis ?? null, clock: clock ?? node ?? pod });

const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
  19: 'SIGSTOP',
};

export const signalName = (signal: number): string => SIGNALS[signal] ?? `signal ${signal}`;

function seenText(iso: string | null, raw: boolean): string {
  return iso === null ? UNKNOWN : `${timeOfDay(iso)}${raw ? ' raw' : ''}`;
}

const ROLE_ORDER: Readonly<Record<ReportRank['role'], number>> = { first: 0, victim: 1, unknown: 2, bystander: 3 };

function compareRows(a: ReportRank, b: ReportRank, sort: RankSort): number {
  const x = sortValue(a, sort.column);
  const y = sortValue(b, sort.column);
  const byRank = a.rank - b.rank || a.attempt - b.attempt;
  if (x === y) return byRank;
  if (x === null) return 1;
  if (y === null) return -1;
  return (x < y ? -1 : 1) * (sort.descending ? -1 : 1);
}

function sortValue(row: ReportRank, column: RankColumn): number | string | null {
  switch (column) {
    case 'rank':
      return row.rank;
    case 'role':
      return ROLE_ORDER[row.role];
    case 'pod':
      return row.pod;
    case 'node':
      return row.node;
    case 'local':
      return row.localRank;
    case 'exit':
      return row.exit === null ? null : exitText(row.exit);
    case 'seen':
      return row.lastSeen;
    case 'dump':
      return DUMP_WORDS[row.dump];
  }
}

/** `all 16, in 3 sets`, or the days that the stamps lie on, for the head of the section. */
export function rankTableSummary(report: Report): string {
  const days = new Set(report.ranks.flatMap((row) => (row.lastSeen === null ? [] : [calendarDay(row.lastSeen)])));
  const sets = new Set(report.ranks.map(setKey)).size;
  return [plural(sets, 'set'), ...days].join(', ');
}
