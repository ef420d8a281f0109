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
import { type Block, byCoordinates, byPlace, type Line } from './layout-blocks.ts';
import type { RankRow } from './rows.ts';

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
  /** From one line to the next, and from one column to the next. */
  readonly pitch: number;
  readonly pitchX: number;
  /** Height and width of a cell. */
  readonly size: number;
  readonly sizeX: number;
  readonly gutter: number;
  readonly width: number;
  readonly height: number;
  /** Cell of each row; parallel to the rows. */
  readonly cellOf: readonly MapCell[];
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
/** Lines of at least this pitch have room for facts below their label, which need so much width. */
export const FACTS_FROM = 34;
const FACTS_PX = 116;
/** Labels stand beside cells of at least this pitch. */
const LABEL_PITCH = 14;

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
  const blocks = kind === 'groups' ? byCoordinates(rows, axes) : byPlace(rows, axes, kind);
  const measured = measure(blocks);
  let best: { readonly step: PlaceStep; readonly score: number } | undefined;
  // Blocks side by side, or below each other where their cells then have room for words.
  for (const beside of rows.length > LARGE_UP_TO || blocks.length < 2 ? [Infinity] : [Infinity, 2, 1])
    for (const most of heightsOf(blocks)) {
      const square = largestSquare(measured, { most, beside }, room, rows.length);
      if (square === undefined) continue;
      const step = grown(measured, square);
      const score = scoreOf(step);
      if (best === undefined || score > best.score) best = { step, score };
    }
  if (best !== undefined) return place(measured, rows, best.step);
  // Larger than the room at any size: the smallest that can still be pointed at, and it scrolls.
  return place(measured, rows, {
    ...SMALLEST,
    pitchX: SMALLEST.pitch,
    sizeX: SMALLEST.size,
    most: 64,
    beside: Infinity,
    room,
  });
}

/** Lines above each other that are tried: blocks whole, in halves, thirds and so on, some usual heights, and as many as there is room for. */
function heightsOf(blocks: readonly Block[]): readonly number[] {
  const lines = Math.max(1, ...blocks.map((block) => block.lines.length));
  const parts = Array.from({ length: Math.min(MOST_PARTS, lines) }, (_, i) => Math.ceil(lines / (i + 1)));
  return [...new Set([...parts, 16, 32, 64, AS_MANY_AS_FIT])];
}
const MOST_PARTS = 8;
const AS_MANY_AS_FIT = Number.POSITIVE_INFINITY;

function largestSquare(
  measured: Measured,
  { most, beside }: { readonly most: number; readonly beside: number },
  room: LayoutRoom,
  ranks: number,
): PlaceStep | undefined {
  for (const step of ranks <= LARGE_UP_TO ? [...LARGE, ...STEPS] : STEPS) {
    const head = (step.pitch >= LABEL_PITCH ? HEAD : SMALL_HEAD) + TOP;
    const fitting = Math.max(1, Math.floor((room.height / room.scale - head) / step.pitch));
    const lines = most === AS_MANY_AS_FIT ? fitting : most;
    const tried = { ...step, pitchX: step.pitch, sizeX: step.size, most: lines, beside, room };
    if (fits(measured, tried)) return tried;
  }
  return undefined;
}

const fits = (measured: Measured, step: PlaceStep): boolean => {
  const size = eachPart(measured, step, () => undefined);
  return size.width <= step.room.width && size.height <= step.room.height;
};

/** From this pitch on a cell that is wider than high holds more: its number beside its mark, and words. px at normal text size. */
const GROW_FROM = 24;
const [WIDEST, HIGHEST, STEP] = [176, 92, 4];

/** First as wide as there is room for, then as high. */
function grown(measured: Measured, square: PlaceStep): PlaceStep {
  let step = square;
  if (step.pitch < GROW_FROM) return step;
  const grow = (by: { readonly x: number; readonly y: number }): boolean => {
    const next = {
      ...step,
      ...{ pitchX: step.pitchX + by.x, sizeX: step.sizeX + by.x, pitch: step.pitch + by.y, size: step.size + by.y },
    };
    // Higher than wide is no room for words.
    if (next.size > next.sizeX || next.pitchX > WIDEST || next.pitch > Math.max(HIGHEST, square.pitch)) return false;
    if (!fits(measured, next)) return false;
    step = next;
    return true;
  };
  while (grow({ x: STEP, y: 0 }));
  while (grow({ x: 0, y: STEP }));
  return step;
}

/** What a cell can hold; more width or height than words need counts for nothing, a second line of them for more. */
const scoreOf = ({ sizeX, size }: PlaceStep): number =>
  Math.min(sizeX, 150) * Math.min(size, 72) * (size >= TWO_LINES && sizeX >= A_WORD ? 1.3 : 1);
const [TWO_LINES, A_WORD] = [34, 54];

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

interface PlaceStep {
  readonly pitch: number;
  readonly pitchX: number;
  readonly size: number;
  readonly sizeX: number;
  /** Lines above each other at most. */
  readonly most: number;
  /** Blocks beside each other at most. */
  readonly beside: number;
  readonly room: LayoutRoom;
}

/** Blocks from left to right, on a new band where the room ends: `see` gets each part of one. The size of all of them. */
function eachPart(
  { blocks, acrossOf, gutterOf: gutterFor }: Measured,
  step: PlaceStep,
  see: (part: Omit<Part, 'rows'>) => void,
): { readonly width: number; readonly height: number; readonly gutter: number } {
  const { scale } = step.room;
  const [pitch, pitchX, sizeX] = [step.pitch * scale, step.pitchX * scale, step.sizeX * scale];
  const labelled = step.pitch >= LABEL_PITCH;
  const head = (labelled ? HEAD : SMALL_HEAD) * scale;
  const own = gutterFor(step.pitch >= 24 ? 7 : 6.4);
  // Beside high lines there is room for what is known of the node.
  const gutter = (labelled ? (step.pitch >= FACTS_FROM ? Math.max(own, FACTS_PX) : own) : 4) * scale;
  let [x, y, band, right, inBand] = [MARGIN * scale, TOP * scale, 0, 0, 0];
  for (const block of blocks) {
    const parts = Math.max(1, Math.ceil(block.lines.length / step.most));
    const per = Math.ceil(block.lines.length / parts);
    for (let part = 0; part < parts; part++) {
      const lines = block.lines.slice(part * per, (part + 1) * per);
      if (lines.length === 0) continue;
      const across = lines.reduce((most, line) => Math.max(most, acrossOf.get(line) ?? 0), 0);
      const width = gutter + across * pitchX - (pitchX - sizeX);
      const height = head + lines.length * pitch;
      if (x > MARGIN * scale && (inBand >= step.beside || x + width + MARGIN * scale > step.room.width)) {
        inBand = 0;
        x = MARGIN * scale;
        y += band + BLOCK_GAP * scale;
        band = 0;
      }
      see({ block, lines, part, parts, x, y, width, across, head, gutter, pitch, pitchX, labelled, scale });
      right = Math.max(right, x + width);
      band = Math.max(band, height);
      x += width + BLOCK_GAP * scale;
      inBand += 1;
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
  const sizes = {
    ...{ pitch: step.pitch * scale, pitchX: step.pitchX * scale },
    ...{ size: step.size * scale, sizeX: step.sizeX * scale },
  };
  return { ...out, ...sizes, gutter, width, height, cellOf };
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
  readonly pitchX: number;
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
  const { block, lines, x, y, width, head, gutter, pitch, pitchX, labelled, scale, rows } = part;
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
      const cell = { row, x: x + gutter + column * pitchX, y: top };
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
      x: x + gutter + column * pitchX,
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
