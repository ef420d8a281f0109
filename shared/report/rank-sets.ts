/**
 * Ranks that fared alike, as one row each: a report of thousands of ranks is read, not scrolled. First by place, part played, dump and end;
 * where that leaves too many rows, those of no first rank are put together over all places.
 */
import { formatRanks } from '../lib/rank-set.ts';
import { plural } from '../text/format.ts';
import type { Report, ReportRank } from './schema.ts';

export interface RankSet {
  /** `0–7`. */
  readonly ranks: string;
  readonly attempt: number;
  readonly role: ReportRank['role'];
  /** A name, or how many; empty = not known. */
  readonly pod: string;
  readonly node: string;
  readonly dump: ReportRank['dump'];
  /** `signal 6, SIGABRT`; empty = not told. */
  readonly exit: string;
  /** The latest of them; null = none was seen writing. */
  readonly lastSeen: string | null;
}

/** Rows that are read without scrolling for long. */
const MOST_BY_PLACE = 48;
const ORDER: Readonly<Record<ReportRank['role'], number>> = { first: 0, victim: 1, unknown: 2, bystander: 3 };

/** The first rank on top, then its consequences; inside a part by rank. */
export function rankSets({ ranks }: Pick<Report, 'ranks'>): readonly RankSet[] {
  const byPlace = gather(ranks, () => true);
  const groups = byPlace.length <= MOST_BY_PLACE ? byPlace : gather(ranks, ({ role }) => role === 'first');
  return groups
    .sort((a, b) => ORDER[a.head.role] - ORDER[b.head.role] || a.lowest - b.lowest || a.head.attempt - b.head.attempt)
    .map(
      ({ head, rows }): RankSet => ({
        ranks: formatRanks(rows.map(({ rank }) => rank)),
        ...{ attempt: head.attempt, role: head.role, dump: head.dump, exit: exitText(head) },
        pod: oneOf(
          rows.map(({ pod }) => pod),
          'Pod',
        ),
        node: oneOf(
          rows.map(({ node }) => node),
          'node',
        ),
        lastSeen: rows.reduce<string | null>(
          (latest, { lastSeen }) => (lastSeen !== null && (latest === null || lastSeen > latest) ? lastSeen : latest),
          null,
        ),
      }),
    );
}

interface Gathered {
  readonly head: ReportRank;
  readonly rows: ReportRank[];
  readonly lowest: number;
}

function gather(ranks: readonly ReportRank[], placed: (rank: ReportRank) => boolean): Gathered[] {
  const sets = new Map<string, Gathered>();
  for (const rank of [...ranks].sort((a, b) => a.rank - b.rank || a.attempt - b.attempt)) {
    const place = placed(rank) ? [rank.pod, rank.node] : null;
    const key = JSON.stringify([rank.attempt, rank.role, rank.dump, exitText(rank), place]);
    const known = sets.get(key);
    if (known === undefined) sets.set(key, { head: rank, rows: [rank], lowest: rank.rank });
    else known.rows.push(rank);
  }
  return [...sets.values()];
}

function oneOf(names: readonly (string | null)[], what: string): string {
  const known = new Set(names.flatMap((name) => name ?? []));
  const [first = ''] = known;
  return known.size <= 1 ? first : plural(known.size, what);
}

/** How a process ended, as the report has it; empty = nothing tells. */
function exitText({ exit }: ReportRank): string {
  if (exit === null) return '';
  const how = exit.signal !== null ? `signal ${exit.signal}` : exit.code === null ? '' : `code ${exit.code}`;
  return [how, exit.reason ?? ''].filter((part) => part !== '').join(', ');
}
