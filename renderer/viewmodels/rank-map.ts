/** The small map of all ranks in the verdict header: which cell stands where, and what it shows. */
import type { Report, ReportRank } from '#shared/report/schema.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { attemptRows } from './attempt-rows.ts';
import { escapeText } from './escape-text.ts';

export type CellState = 'first' | 'victim' | 'fine' | 'unknown';

export interface MapCell {
  readonly rank: number;
  readonly state: CellState;
  /** No dump of this rank although others have one: drawn as a pattern. */
  readonly noDump: boolean;
  readonly x: number;
  readonly y: number;
  readonly title: string;
}

export interface RankMapModel {
  readonly cells: readonly MapCell[];
  /** Distance of two cells and the side of one, px. */
  readonly pitch: number;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  /** Cells carry their number. */
  readonly numbered: boolean;
  readonly rowLabels: readonly { readonly text: string; readonly y: number }[];
  /** Of the whole drawing, for those who do not see it. */
  readonly summary: string;
}

const MAX_WIDTH = 450;
const MAX_HEIGHT = 56;
/** Above this a world size is taken for a misreading and only seen ranks are drawn. */
const MAX_FILLED_RANKS = 20_000;

/** One row a rank: its last attempt, or that of the verdict. Ranks of the job that nothing mentions are `unknown`. */
export function rankMapModel(report: Report): RankMapModel | null {
  const rows = attemptRows(report);
  const last = Math.max(-1, ...rows.keys());
  const world = report.incident.worldSize ?? 0;
  const count = world > last && world <= MAX_FILLED_RANKS ? world : last + 1;
  if (count === 0) return null;
  const ranks =
    count <= MAX_FILLED_RANKS
      ? Array.from({ length: count }, (_, rank) => rank)
      : [...rows.keys()].sort((a, b) => a - b);
  const someDumps = report.incident.dumpsPresent > 0;
  const layout = byNode(ranks, rows) ?? byRank(ranks.length);
  const cells = ranks.map((rank, index): MapCell => {
    const row = rows.get(rank);
    const state = stateOf(row);
    return {
      rank,
      state,
      noDump: someDumps && row !== undefined && row.dump !== 'present',
      ...layout.at(index),
      title: titleOf(rank, row, someDumps),
    };
  });
  return { ...layout, cells, numbered: layout.pitch === 24, summary: summaryOf(cells) };
}

function stateOf(row: ReportRank | undefined): CellState {
  if (!row) return 'unknown';
  return row.role === 'bystander' ? 'fine' : row.role;
}

function titleOf(rank: number, row: ReportRank | undefined, someDumps: boolean): string {
  if (!row) return `rank ${rank}: not in the bundle`;
  const words = { first: 'first', victim: 'waits or follows', bystander: 'fine', unknown: 'unknown' } as const;
  const place = [row.pod, row.node].filter((part) => part !== null).map(escapeText);
  const dump = someDumps && row.dump !== 'present' ? [`dump ${row.dump}`] : [];
  return [`rank ${rank}: ${words[row.role]}`, ...place, ...dump].join(', ');
}

interface Layout {
  readonly pitch: number;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly rowLabels: RankMapModel['rowLabels'];
  at(index: number): { readonly x: number; readonly y: number };
}

/** One row a node, for up to three nodes of equal width whose ranks are consecutive. */
function byNode(ranks: readonly number[], rows: ReadonlyMap<number, ReportRank>): Layout | null {
  const names = ranks.map((rank) => rows.get(rank)?.node ?? rows.get(rank)?.pod ?? null);
  const order = [...new Set(names)];
  if (ranks.length > 24 || order.length > 3 || order.includes(null) || order.length === 0) return null;
  const starts = order.map((name) => names.indexOf(name));
  const widths = order.map((name) => names.filter((other) => other === name).length);
  const consecutive = order.every((name, i) =>
    names.slice(starts[i], (starts[i] ?? 0) + (widths[i] ?? 0)).every((other) => other === name),
  );
  const widest = Math.max(...widths);
  if (!consecutive || widest > 16) return null;
  const rowOf = (index: number) => order.indexOf(names[index] ?? null);
  return {
    pitch: 24,
    size: 20,
    width: widest * 24 - 4,
    height: order.length * 24 - 4,
    rowLabels: order.map((name, i) => ({ text: escapeText(name ?? ''), y: i * 24 })),
    at: (index) => ({ x: (index - (starts[rowOf(index)] ?? 0)) * 24, y: rowOf(index) * 24 }),
  };
}

/** In rank order: rows while cells are large, columns of eight and more (a node or a few) once they are small. */
function byRank(count: number): Layout {
  const steps = [
    { pitch: 24, size: 20, rows: 2, most: 16 },
    { pitch: 14, size: 12, rows: 4, most: 128 },
  ] as const;
  for (const step of steps) {
    if (count > step.most) continue;
    const columns = columnsFor(count, step.rows, Math.floor(MAX_WIDTH / step.pitch));
    if (columns === null) continue;
    const lines = Math.ceil(count / columns);
    return {
      pitch: step.pitch,
      size: step.size,
      width: Math.min(count, columns) * step.pitch - (step.pitch - step.size),
      height: lines * step.pitch - (step.pitch - step.size),
      rowLabels:
        lines === 1
          ? [{ text: 'ranks', y: 0 }]
          : Array.from({ length: lines }, (_, i) => ({
              text: `${i * columns}–${Math.min(count, (i + 1) * columns) - 1}`,
              y: i * step.pitch,
            })),
      at: (index) => ({ x: (index % columns) * step.pitch, y: Math.floor(index / columns) * step.pitch }),
    };
  }
  const pitch = count <= 512 ? 7 : count <= 5000 ? 2 : 1;
  const lines = pitch === 7 ? 8 : Math.floor(MAX_HEIGHT / pitch / 8) * 8;
  const size = pitch === 7 ? 6 : pitch;
  return {
    pitch,
    size,
    width: Math.ceil(count / lines) * pitch,
    height: lines * pitch,
    rowLabels: [],
    at: (index) => ({ x: Math.floor(index / lines) * pitch, y: (index % lines) * pitch }),
  };
}

/** The smallest multiple of eight (or fewer ranks in one row) that fits into `rows`, two rows of 16 first; null if none does. */
function columnsFor(count: number, rows: number, maxColumns: number): number | null {
  if (count <= Math.min(maxColumns, 16)) return count;
  if (count <= 32 && maxColumns >= 16) return 16;
  for (let columns = 8; columns <= maxColumns; columns += 8) if (columns * rows >= count) return columns;
  return null;
}

function summaryOf(cells: readonly MapCell[]): string {
  const count = (state: CellState) => cells.filter((cell) => cell.state === state).length;
  const parts = (
    [
      ['first', 'first'],
      ['victim', 'waiting or following'],
      ['fine', 'fine'],
      ['unknown', 'unknown'],
    ] as const
  )
    .filter(([state]) => count(state) > 0)
    .map(([state, word]) => `${formatCount(count(state))} ${word}`);
  const missing = cells.filter((cell) => cell.noDump).length;
  return `${plural(cells.length, 'rank')}: ${parts.join(', ')}${missing > 0 ? `; ${formatCount(missing)} without a dump` : ''}`;
}
