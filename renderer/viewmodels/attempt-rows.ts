/** Which row of a rank is meant where a job was started again: that of the attempt which the verdict is about, else the last. */
import type { Report, ReportRank } from '#shared/report/schema.ts';

/** One row a rank, in the report's order. */
export function attemptRows({ ranks, verdict }: Pick<Report, 'ranks' | 'verdict'>): ReadonlyMap<number, ReportRank> {
  const rows = new Map<number, ReportRank>();
  for (const row of ranks) {
    const known = rows.get(row.rank);
    const isMeant = row.attempt === verdict.attempt;
    if (known === undefined || (known.attempt !== verdict.attempt && (isMeant || row.attempt > known.attempt)))
      rows.set(row.rank, row);
  }
  return rows;
}

/** Null if the report knows nothing of the rank. */
export const attemptRow = (report: Pick<Report, 'ranks' | 'verdict'>, rank: number): ReportRank | null =>
  attemptRows({ ...report, ranks: report.ranks.filter((row) => row.rank === rank) }).get(rank) ?? null;
