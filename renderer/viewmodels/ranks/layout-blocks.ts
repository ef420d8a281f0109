/** Ranks in blocks of lines, before anything has a size: by node or Pod, or by the coordinates of their groups. */
import { formatRanks } from '#shared/lib/rank-set.ts';
import { type RankRow, unplacedReason } from './rows.ts';

export interface Line {
  readonly key: string;
  readonly title: string;
  readonly node: string | null;
  /** By column. */
  readonly members: Map<number, number>;
}

export interface Block {
  readonly title: string;
  /** What its columns count, where that is no local rank. */
  readonly across?: string;
  readonly lines: readonly Line[];
  readonly columnLabels: readonly string[];
}

/** Columns of a line at most: further ranks of a node go on in a line of their own. */
const MAX_COLUMNS = 16;

export function byPlace(
  rows: readonly RankRow[],
  axes: readonly { readonly kind: string }[],
  kind: 'place' | 'pods',
): Block[] {
  const stage = axes.findIndex((axis) => axis.kind === 'pp');
  const lines = new Map<string, Line & { readonly block: string }>();
  const unplaced: number[] = [];
  const name = (row: RankRow): string | null => (kind === 'pods' ? row.pod : (row.node ?? row.pod));
  const width = Math.min(MAX_COLUMNS, Math.max(1, ...rows.map((row) => (row.localRank ?? 0) + 1)));
  // Where a node has ranks of several stages, a block a stage would tear it apart.
  const stageOf = new Map<string, number>();
  let torn = stage < 0;
  for (const row of rows) {
    const key = name(row);
    const at = row.coordinates[stage] ?? -1;
    if (key === null) continue;
    if (at < 0 || (stageOf.has(key) && stageOf.get(key) !== at)) torn = true;
    stageOf.set(key, at);
  }
  for (const [i, row] of rows.entries()) {
    const title = name(row);
    if (title === null) {
      unplaced.push(i);
      continue;
    }
    const block = torn ? '' : String(row.coordinates[stage]);
    const local = row.localRank;
    // Two ranks with one place, ranks without a local rank and those beyond the width go on in lines of their own.
    for (let again = 0; ; again++) {
      const key = `${block}\n${title}\n${again}`;
      const line = lines.get(key) ?? {
        ...{ key, title, block, members: new Map<number, number>() },
        node: kind === 'place' ? row.node : null,
      };
      const column = local === null || local >= width ? line.members.size : local;
      if (column >= width || line.members.has(column)) continue;
      line.members.set(column, i);
      lines.set(key, line);
      break;
    }
  }
  const names = [...new Set([...lines.values()].map((line) => line.block))].sort((a, b) => Number(a) - Number(b));
  const labels = Array.from({ length: width }, (_, i) => String(i));
  const blocks = names.map(
    (block): Block => ({
      title: block === '' ? '' : `Stage ${block}`,
      lines: [...lines.values()].filter((line) => line.block === block),
      columnLabels: labels,
    }),
  );
  return unplaced.length === 0 ? blocks : [...blocks, unplacedBlock(rows, unplaced, Math.max(8, width))];
}

function unplacedBlock(rows: readonly RankRow[], unplaced: readonly number[], width: number): Block {
  const reasons = new Set(unplaced.flatMap((i) => (rows[i] === undefined ? [] : unplacedReason(rows[i]))));
  const lines: Line[] = [];
  for (let from = 0; from < unplaced.length; from += width) {
    const members = unplaced.slice(from, from + width);
    lines.push({
      key: `unplaced ${from}`,
      title: formatRanks(members.map((i) => rows[i]?.rank ?? 0)),
      node: null,
      members: new Map(members.map((i, column) => [column, i])),
    });
  }
  return { title: `Unplaced: ${[...reasons].slice(0, 2).join('; ')}`, lines, columnLabels: [] };
}

/** A block a stage, a row a replica, a column a part of a layer: as far as the groups say. */
export function byCoordinates(rows: readonly RankRow[], axes: readonly { readonly kind: string }[]): Block[] {
  const stage = axes.findIndex((axis) => axis.kind === 'pp');
  const across = axes.findLastIndex((axis) => axis.kind !== 'pp');
  const down = axes.flatMap((axis, i) => (i === stage || i === across ? [] : [{ kind: axis.kind, i }]));
  const blocks = new Map<number, Map<string, Line>>();
  const unplaced: number[] = [];
  const width = Math.max(1, ...rows.map((row) => (row.coordinates[across] ?? 0) + 1));
  for (const [i, row] of rows.entries()) {
    if (row.coordinates.every((at) => at < 0)) {
      unplaced.push(i);
      continue;
    }
    const lines = blocks.get(row.coordinates[stage] ?? -1) ?? new Map<string, Line>();
    blocks.set(row.coordinates[stage] ?? -1, lines);
    const parts = down.map((axis) => `${axis.kind} ${row.coordinates[axis.i] ?? '?'}`);
    for (let again = 0; ; again++) {
      const title = parts.length > 0 && again === 0 ? parts.join(', ') : [...parts, `${again}`].join(' / ');
      const line = lines.get(title) ?? { key: title, title, node: null, members: new Map<number, number>() };
      const column = Math.max(0, row.coordinates[across] ?? 0);
      if (line.members.has(column)) continue;
      line.members.set(column, i);
      lines.set(title, line);
      break;
    }
  }
  const labels = Array.from({ length: width }, (_, i) => String(i));
  const made = [...blocks]
    .sort(([a], [b]) => a - b)
    .map(
      ([at, lines]): Block => ({
        title: stage < 0 ? '' : at < 0 ? 'No stage' : `Stage ${at}`,
        lines: [...lines.values()],
        columnLabels: across < 0 ? [] : labels,
        across: axes[across]?.kind ?? '',
      }),
    );
  return unplaced.length === 0 ? made : [...made, unplacedBlock(rows, unplaced, Math.max(8, width))];
}
