/**
 * Where each rank stands on the map: blocks of rows, side by side, as large as they fit.
 *
 *   Stage 0           Stage 1           a block is a pipeline stage, or as many rows as fit above each other;
 *   gpu- 0 1 2 3      gpu- 0 1 2 3      a row a node, a Pod or a coordinate; a column a local rank or a coordinate
 *   a01  ▪ ▪ ▪ ▪      b01  ▪ ▪ ▪ ▪
 */
import { formatRanks } from '#shared/lib/rank-set.ts';
import { plural } from '#shared/text/format.ts';
import { escapeText } from '../escape-text.ts';
import { type RankRow, unplacedReason } from './rows.ts';

export const LAYOUTS = ['place', 'pods', 'groups'] as const;
export type LayoutKind = (typeof LAYOUTS)[number];

export interface MapCell {
  /** Index into the rows. */
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

export interface MapLine {
  readonly label: string;
  readonly title: string;
  readonly y: number;
  readonly x: number;
  readonly width: number;
  /** Indices into the rows. */
  readonly members: readonly number[];
  /** Null unless the line is one node. */
  readonly node: string | null;
}

export interface MapColumn {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly members: readonly number[];
}

export interface MapBlock {
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Of the labels of its lines, e.g. `gpu-`; empty = none. */
  readonly prefix: string;
  readonly members: readonly number[];
}

export interface MapLayout {
  readonly cells: readonly MapCell[];
  readonly lines: readonly MapLine[];
  readonly columns: readonly MapColumn[];
  readonly blocks: readonly MapBlock[];
  readonly pitch: number;
  readonly size: number;
  readonly gutter: number;
  readonly width: number;
  readonly height: number;
  /** Cell of each row; parallel to the rows. */
  readonly cellOf: readonly MapCell[];
}

interface Line {
  readonly key: string;
  readonly title: string;
  readonly node: string | null;
  /** By column. */
  readonly members: Map<number, number>;
}

interface Block {
  readonly title: string;
  /** What its columns count, where that is no local rank. */
  readonly across?: string;
  readonly lines: readonly Line[];
  readonly columnLabels: readonly string[];
}

export interface LayoutRoom {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** A small job gets cells that hold words, as large as the room allows. */
const LARGE = Array.from({ length: 38 }, (_, i) => {
  const pitch = 112 - 2 * i;
  return { pitch, size: pitch - (pitch >= 84 ? 8 : pitch >= 52 ? 6 : 4) };
});
/** More ranks never have the room for large cells: they are not tried. */
const LARGE_UP_TO = 512;
const STEPS = [
  { pitch: 32, size: 28 },
  { pitch: 24, size: 20 },
  { pitch: 14, size: 12 },
  { pitch: 7, size: 6 },
  { pitch: 3, size: 3 },
] as const;
/** The smallest that can still be pointed at. */
const SMALLEST = { pitch: 7, size: 6 } as const;
const HEAD = 44;
const SMALL_HEAD = 24;
const TOP = 8;
const BLOCK_GAP = 16;
const MARGIN = 16;
/** Labels stand beside cells of at least this pitch. */
const LABEL_PITCH = 14;
const MAX_COLUMNS = 16;

/** Which layouts the case has the facts for. */
export function layoutsOf(rows: readonly RankRow[], axes: readonly { readonly kind: string }[]): readonly LayoutKind[] {
  return LAYOUTS.filter((kind) =>
    kind === 'place'
      ? true
      : kind === 'pods'
        ? rows.some((row) => row.pod !== null)
        : axes.length > 0 && rows.some((row) => row.coordinates.some((place) => place >= 0)),
  );
}

export function mapLayout(
  rows: readonly RankRow[],
  axes: readonly { readonly kind: string }[],
  kind: LayoutKind,
  room: LayoutRoom,
): MapLayout {
  const { scale } = room;
  const blocks = kind === 'groups' ? byCoordinates(rows, axes) : byPlace(rows, axes, kind);
  const measured = measure(blocks);
  for (const step of rows.length <= LARGE_UP_TO ? [...LARGE, ...STEPS] : STEPS) {
    const head = (step.pitch >= LABEL_PITCH ? HEAD : SMALL_HEAD) + TOP;
    const fitting = Math.max(1, Math.floor((room.height / scale - head) / step.pitch));
    for (const most of [16, 32, 64, fitting]) {
      const tried = { ...step, most, room };
      const size = eachPart(measured, tried, () => undefined);
      if (size.width <= room.width && size.height <= room.height) return place(measured, rows, tried);
    }
  }
  // Larger than the room at any size: the smallest that can still be pointed at, and it scrolls.
  return place(measured, rows, { ...SMALLEST, most: 64, room });
}

/** What sizes depend on, found once: more than a hundred are tried before one fits. */
interface Measured {
  readonly blocks: readonly Block[];
  /** Columns that a line reaches. */
  readonly acrossOf: ReadonlyMap<Line, number>;
  /** Room for the labels of lines by the width of a character, px at normal text size. */
  readonly gutterOf: (characterPx: number) => number;
}

function measure(blocks: readonly Block[]): Measured {
  const gutters = new Map<number, number>();
  return {
    blocks,
    acrossOf: new Map(
      blocks.flatMap((block) => block.lines.map((line) => [line, Math.max(...line.members.keys()) + 1])),
    ),
    gutterOf(characterPx) {
      const known = gutters.get(characterPx) ?? gutterOf(blocks, characterPx);
      gutters.set(characterPx, known);
      return known;
    },
  };
}

function byPlace(
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
function byCoordinates(rows: readonly RankRow[], axes: readonly { readonly kind: string }[]): Block[] {
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

interface PlaceStep {
  readonly pitch: number;
  readonly size: number;
  /** Lines above each other at most. */
  readonly most: number;
  readonly room: LayoutRoom;
}

/** Blocks from left to right, on a new band where the room ends: `see` gets each part of one. The size of all of them. */
function eachPart(
  { blocks, acrossOf, gutterOf: gutterFor }: Measured,
  step: PlaceStep,
  see: (part: Omit<Part, 'rows'>) => void,
): { readonly width: number; readonly height: number; readonly gutter: number } {
  const { scale } = step.room;
  const [pitch, size] = [step.pitch * scale, step.size * scale];
  const labelled = step.pitch >= LABEL_PITCH;
  const head = (labelled ? HEAD : SMALL_HEAD) * scale;
  const gutter = labelled ? gutterFor(step.pitch >= 24 ? 7 : 6.4) * scale : 4 * scale;
  let [x, y, band, right] = [MARGIN * scale, TOP * scale, 0, 0];
  for (const block of blocks) {
    const parts = Math.max(1, Math.ceil(block.lines.length / step.most));
    const per = Math.ceil(block.lines.length / parts);
    for (let part = 0; part < parts; part++) {
      const lines = block.lines.slice(part * per, (part + 1) * per);
      if (lines.length === 0) continue;
      const across = lines.reduce((most, line) => Math.max(most, acrossOf.get(line) ?? 0), 0);
      const width = gutter + across * pitch - (pitch - size);
      const height = head + lines.length * pitch;
      if (x > MARGIN * scale && x + width + MARGIN * scale > step.room.width) {
        x = MARGIN * scale;
        y += band + BLOCK_GAP * scale;
        band = 0;
      }
      see({ block, lines, part, parts, x, y, width, across, head, gutter, pitch, labelled, scale });
      right = Math.max(right, x + width);
      band = Math.max(band, height);
      x += width + BLOCK_GAP * scale;
    }
  }
  return { width: right + MARGIN * scale, height: y + band, gutter };
}

function place(measured: Measured, rows: readonly RankRow[], step: PlaceStep): MapLayout {
  const { scale } = step.room;
  const out = {
    cells: [] as MapCell[],
    lines: [] as MapLine[],
    columns: [] as MapColumn[],
    blocks: [] as MapBlock[],
  };
  const cellOf: MapCell[] = new Array(rows.length);
  const { width, height, gutter } = eachPart(measured, step, (part) => addPart({ ...part, rows }, out, cellOf));
  return { ...out, pitch: step.pitch * scale, size: step.size * scale, gutter, width, height, cellOf };
}

interface Part {
  readonly block: Block;
  readonly lines: readonly Line[];
  readonly part: number;
  readonly parts: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly across: number;
  readonly head: number;
  readonly gutter: number;
  readonly pitch: number;
  readonly labelled: boolean;
  readonly scale: number;
  readonly rows: readonly RankRow[];
}

interface Out {
  readonly cells: MapCell[];
  readonly lines: MapLine[];
  readonly columns: MapColumn[];
  readonly blocks: MapBlock[];
}

function addPart(part: Part, out: Out, cellOf: MapCell[]): void {
  const { block, lines, x, y, width, head, gutter, pitch, labelled, scale, rows } = part;
  const members = lines.flatMap((line) => [...line.members.values()]);
  const prefix = labelled ? commonPrefix(lines.map((line) => line.title)) : '';
  const ranks = formatRanks(members.map((i) => rows[i]?.rank ?? 0));
  const short = ranks.length > 18 ? plural(members.length, 'rank') : ranks;
  // Over small cells there is room for the numbers alone.
  const own = labelled ? `Ranks ${short}` : short;
  const title = block.title !== '' ? (part.parts > 1 ? `${block.title}, ${short}` : block.title) : own;
  out.blocks.push({
    title,
    x,
    y,
    width,
    prefix: escapeText(prefix === '' && labelled ? (block.across ?? '') : prefix),
    members,
  });
  lines.forEach((line, i) => {
    const top = y + head + i * pitch;
    out.lines.push({
      label: escapeText(line.title.slice(prefix.length)),
      title: escapeText(line.title),
      ...{ x, y: top, width, members: [...line.members.values()], node: line.node },
    });
    for (const [column, row] of line.members) {
      const cell = { row, x: x + gutter + column * pitch, y: top };
      out.cells.push(cell);
      cellOf[row] = cell;
    }
  });
  if (!labelled) return;
  for (let column = 0; column < part.across; column++) {
    const label = block.columnLabels[column];
    if (label === undefined) continue;
    out.columns.push({
      label,
      x: x + gutter + column * pitch,
      y: y + head - 22 * (pitch >= 24 * scale ? scale : pitch / 18),
      members: lines.flatMap((line) => line.members.get(column) ?? []),
    });
  }
}

/** Room for the longest label without the prefix that all share, up to a bound. */
function gutterOf(blocks: readonly Block[], perCharacter: number): number {
  const titles = blocks.flatMap((block) => block.lines.map((line) => line.title));
  const prefix = commonPrefix(titles).length;
  const longest = Math.max(0, ...titles.map((title) => title.length - prefix));
  return Math.min(104, Math.max(40, longest * perCharacter + 16));
}

/** Up to the last separator that all names share: `gpu-a01`, `gpu-a02` → `gpu-`. */
export function commonPrefix(names: readonly string[]): string {
  const [first, ...rest] = new Set(names);
  if (first === undefined || rest.length === 0) return '';
  let length = first.length;
  for (const name of rest) {
    let i = 0;
    while (i < length && name[i] === first[i]) i++;
    length = i;
  }
  return first.slice(0, Math.max(first.lastIndexOf('-', length - 1), first.lastIndexOf('.', length - 1)) + 1);
}
