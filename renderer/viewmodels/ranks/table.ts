/** The table twin of the map: one row a rank, what the cells show and what the card knows. */
import type { Moment, RanksIndex } from '#shared/views/ranks/types.ts';
import { escapeText } from '../escape-text.ts';
import { exitText } from '../rank-table.ts';
import { formatBound } from '../times.ts';
import { DUMP_WORDS, ROLE_WORDS } from '../words.ts';
import { standingWord } from './legend.ts';
import { evidenceShare, standingAt } from './looks.ts';
import type { RankRow } from './rows.ts';

export const TWIN_COLUMNS = [
  'Rank',
  'Role',
  'State at cursor',
  'Since',
  'Call',
  'Node',
  'Pod',
  'Local',
  'Groups place',
  'End',
  'Errors',
  'Clock bound',
  'Dump',
  'Log',
  'Evidence',
  'Conflicts',
] as const;

export interface TwinRow {
  readonly rank: number;
  readonly role: RankRow['role'];
  readonly cells: readonly string[];
  /** What each column is sorted by; null = not known, always last. */
  readonly keys: readonly (number | string | null)[];
}

export interface TwinParts {
  readonly rows: readonly RankRow[];
  readonly index: RanksIndex;
  readonly moment: Moment | null;
  readonly timeText: (at: number) => string;
}

const UNKNOWN = '–';
const LOG_WORDS = ['none', 'mixed', 'own'] as const;
const ROLE_ORDER = { first: 0, victim: 1, unknown: 2, bystander: 3 } as const;

export function twinRows({ rows, index, moment, timeText }: TwinParts): readonly TwinRow[] {
  return rows.map((row) => twinRow(row, index, moment, timeText));
}

function twinRow(row: RankRow, index: RanksIndex, moment: Moment | null, timeText: (at: number) => string): TwinRow {
  const known = row.row;
  const { time } = index;
  const here = moment !== null && row.at >= 0 ? moment : null;
  const standing = here === null ? null : standingAt(here, row.at);
  const since = here?.sinceNs[row.at] ?? Number.NaN;
  const seq = here?.seq[row.at] ?? -1;
  const group = time?.groups[here?.group[row.at] ?? -1];
  const bound = time?.boundNs[row.at] ?? Number.NaN;
  const errors = time?.errors[row.at] ?? null;
  const log = row.at < 0 ? null : (time?.log[row.at] ?? null);
  const evidence = evidenceShare(row, index);
  const place = index.axes
    .flatMap((axis, i) => ((row.coordinates[i] ?? -1) < 0 ? [] : [`${axis.kind} ${row.coordinates[i]}`]))
    .join(', ');
  const columns: readonly (readonly [string, number | string | null])[] = [
    [String(row.rank), row.rank],
    [known === null ? 'not in the bundle' : ROLE_WORDS[row.role], ROLE_ORDER[row.role]],
    [standing === null ? UNKNOWN : standingWord(standing), standing === null ? null : (here?.standing[row.at] ?? 0)],
    [Number.isNaN(since) ? UNKNOWN : timeText(since), Number.isNaN(since) ? null : since],
    [
      group === undefined ? UNKNOWN : escapeText(`${group.desc || group.name}${seq < 0 ? '' : ` #${seq}`}`),
      seq < 0 ? null : seq,
    ],
    [escapeText(row.node ?? UNKNOWN), row.node],
    [escapeText(row.pod ?? UNKNOWN), row.pod],
    [row.localRank === null ? UNKNOWN : String(row.localRank), row.localRank],
    [place === '' ? UNKNOWN : place, place === '' ? null : place],
    [known === null ? UNKNOWN : exitText(known.exit), known?.exit == null ? null : exitText(known.exit)],
    [errors === null ? UNKNOWN : String(errors), errors],
    [
      Number.isNaN(bound) ? UNKNOWN : bound === 0 ? 'reference' : formatBound(bound / 1e6),
      Number.isNaN(bound) ? null : bound,
    ],
    [known === null ? UNKNOWN : DUMP_WORDS[known.dump], known === null ? null : DUMP_WORDS[known.dump]],
    [log === null ? UNKNOWN : (LOG_WORDS[log] ?? UNKNOWN), log],
    [Number.isNaN(evidence) ? 'none' : `${Math.round(evidence * 100)} %`, Number.isNaN(evidence) ? null : evidence],
    [row.conflicts.map(escapeText).join('; '), row.conflicts.length === 0 ? null : -row.conflicts.length],
  ];
  return { rank: row.rank, role: row.role, cells: columns.map(([text]) => text), keys: columns.map(([, key]) => key) };
}

/** Stable; unknown values last in either direction, equal ones by rank. */
export function sortTwin(rows: readonly TwinRow[], column: number, descending: boolean): readonly TwinRow[] {
  return [...rows].sort((a, b) => {
    const [x, y] = [a.keys[column] ?? null, b.keys[column] ?? null];
    if (x === y) return a.rank - b.rank;
    if (x === null) return 1;
    if (y === null) return -1;
    return (x < y ? -1 : 1) * (descending ? -1 : 1);
  });
}
