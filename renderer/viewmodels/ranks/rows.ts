/** The ranks of a job as the map has them: one row a rank, also for those that nothing in the bundle speaks of. */
import type { Report, ReportRank } from '#shared/report/schema.ts';
import type { RanksIndex } from '#shared/views/ranks/types.ts';
import { attemptRows } from '../attempt-rows.ts';
import { escapeText } from '../escape-text.ts';

export interface RankRow {
  readonly rank: number;
  /** Null: the job is that large, and the bundle says nothing of this rank. */
  readonly row: ReportRank | null;
  /** Position in the answers of a moment; -1 = it has no lane. */
  readonly at: number;
  /** As the bundle wrote them. */
  readonly node: string | null;
  readonly pod: string | null;
  readonly localRank: number | null;
  readonly role: ReportRank['role'];
  /** Its place inside the group of each axis, in the order of the axes; -1 = in none. */
  readonly coordinates: readonly number[];
  readonly conflicts: readonly string[];
}

/** Above this a world size is taken for a misreading and only seen ranks are drawn. */
const MAX_FILLED_RANKS = 65_536;

/** Ascending by rank. The attempt of the verdict, else the last one. */
export function rankRows(report: Report, index: RanksIndex): readonly RankRow[] {
  const rows = new Map(attemptRows(report));
  const last = Math.max(-1, ...rows.keys());
  const world = report.incident.worldSize ?? 0;
  if (world > last && world <= MAX_FILLED_RANKS)
    for (let rank = 0; rank < world; rank++) if (!rows.has(rank)) rows.set(rank, { ...UNSEEN, rank });
  const positions = new Map([...(index.time?.ranks ?? [])].map((rank, at) => [rank, at]));
  const places = index.axes.map((axis) => new Map([...axis.ranks].map((rank, i) => [rank, axis.place[i] ?? -1])));
  return [...rows.values()]
    .sort((a, b) => a.rank - b.rank)
    .map((row) => ({
      rank: row.rank,
      row: row.files === UNSEEN.files ? null : row,
      at: positions.get(row.rank) ?? -1,
      node: row.node,
      pod: row.pod,
      localRank: row.localRank,
      role: row.role,
      coordinates: places.map((axis) => axis.get(row.rank) ?? -1),
      conflicts: row.conflicts,
    }));
}

const UNSEEN: ReportRank = {
  rank: 0,
  localRank: null,
  pod: null,
  node: null,
  container: null,
  gpu: null,
  attempt: 0,
  clock: null,
  clockOffsetMs: null,
  dump: 'absent',
  role: 'unknown',
  exit: null,
  lastSeen: null,
  files: [],
  basis: [],
  conflicts: [],
};

/** Why a rank stands among the unplaced ones. */
export function unplacedReason({ row, node, pod, localRank }: RankRow): string {
  if (row === null) return 'no file of the bundle speaks of it';
  if (node === null && pod === null)
    return row.files.length > 0 ? 'its files name neither node nor Pod' : 'it is only spoken of: no file of its own';
  return localRank === null ? `on ${escapeText(node ?? pod ?? '')}, local rank not known` : 'placed';
}

/** `512 ranks, 64 nodes, none unplaced`. */
export function placementSummary(rows: readonly RankRow[]): {
  readonly ranks: number;
  readonly nodes: number;
  readonly pods: number;
  readonly unplaced: number;
} {
  const distinct = (values: readonly (string | null)[]): number =>
    new Set(values.filter((value) => value !== null)).size;
  return {
    ranks: rows.length,
    nodes: distinct(rows.map((row) => row.node)),
    pods: distinct(rows.map((row) => row.pod)),
    unplaced: rows.filter((row) => row.node === null && row.pod === null).length,
  };
}
