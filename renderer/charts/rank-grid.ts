/** The map of ranks on a canvas: labels, cells, what is chosen. The mark in a cell grows with the trouble; small cells are solid. */
import type { MapLayout, MapLine } from '../viewmodels/ranks/layout.ts';
import type { CellLook } from '../viewmodels/ranks/looks.ts';
import type { Palette } from './palette.ts';
import { type Patterns, patternsOf } from './patterns.ts';
import { type CellParts, drawCell, drawSmall, edge } from './rank-cell.ts';

export interface GridScene {
  readonly layout: MapLayout;
  /** One a row of the map. */
  readonly looks: readonly CellLook[];
  readonly ranks: readonly number[];
  /** Two files claim the rank, or disagree on its place. */
  readonly flagged: readonly boolean[];
  /** What the verdict names, also while the fault is still to come. */
  readonly named: readonly boolean[];
  /** Index of the row under the keyboard; -1 = none. */
  readonly focus: number;
  /** Index of the row whose card is open; -1 = none. */
  readonly selected: number;
  /** Rows that a filter keeps; null = all. */
  readonly kept: ReadonlySet<number> | null;
  readonly area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null;
  /** Words on the band of a line whose node was lost; null = it is drawn cell by cell. */
  readonly lost: (line: MapLine) => string | null;
  /** Lines under the number of a large cell, one entry a row; empty where cells are small. */
  readonly captions: readonly (readonly string[])[];
  /** Beside the title of each block. */
  readonly notes: readonly string[];
  /** Below the label of a line, from the top; empty where lines are low. */
  readonly facts: readonly (readonly string[])[];
}

const LABELS_FROM = 12;
/** Cells of this height carry their number and a glyph; lower ones too where they are so wide. In px at normal text size. */
const NUMBERS_FROM = 34;
const WIDE_FROM = 42;
/** From this width on there is room for a short word besides. */
export const CAPTIONS_FROM = 54;

/** Whether the cells of a layout carry their numbers. */
export const isNumbered = ({ size, sizeX }: MapLayout, scale: number): boolean =>
  size >= NUMBERS_FROM * scale || (size >= 18 * scale && sizeX >= WIDE_FROM * scale);

export function drawGrid(on: CanvasRenderingContext2D, scene: GridScene, palette: Palette, ratio: number): void {
  const patterns = patternsOf(on, palette, ratio);
  const { layout } = scene;
  drawHeads(on, scene, palette);
  const banded = new Set<number>();
  const numbered = isNumbered(layout, palette.scale);
  const word = numbered && layout.size < NUMBERS_FROM * palette.scale ? fittingWord(on, scene, palette) : 'none';
  for (const [i, line] of layout.lines.entries()) {
    const first = line.members.some((row) => scene.named[row] === true);
    if (first) {
      on.fillStyle = palette.roleFirstTint;
      on.fillRect(line.x - 8, line.y - (layout.pitch - layout.size) / 2, line.width + 12, layout.pitch);
      if (layout.size < LABELS_FROM) {
        on.fillStyle = palette.roleFirst;
        on.fillRect(line.x - 8, line.y + layout.size / 2 - 1.5, 8, 3);
      }
    }
    const words = scene.lost(line);
    if (words !== null) for (const row of line.members) banded.add(row);
    if (layout.size >= LABELS_FROM * palette.scale)
      drawLabel(on, line, scene.facts[i] ?? [], { layout, palette, first, lost: words !== null });
    if (words !== null) drawBand(on, line, words, { layout, palette, patterns });
  }
  for (const cell of layout.cells) {
    if (banded.has(cell.row)) continue;
    on.globalAlpha = scene.kept === null || scene.kept.has(cell.row) ? 1 : 0.28;
    const look = scene.looks[cell.row] ?? 'unseen';
    const parts = { x: cell.x, y: cell.y, size: layout.size, sizeX: layout.sizeX, palette, patterns };
    if (layout.size < LABELS_FROM) drawSmall(on, look, parts);
    else if (numbered) {
      const words = { rank: scene.ranks[cell.row] ?? 0, lines: scene.captions[cell.row] ?? [] };
      if (layout.size >= NUMBERS_FROM * palette.scale) drawLarge(on, look, { ...parts, ...words });
      else {
        const text = word === 'none' ? '' : ((word === 'first' ? words.lines[0] : words.lines.at(-1)) ?? '');
        drawWide(on, look, { ...parts, rank: words.rank, lines: [text] });
      }
    } else drawCell(on, look, { ...parts, rank: scene.ranks[cell.row] ?? 0 });
    if (scene.named[cell.row] === true && look !== 'first') outline(on, parts);
    if (scene.flagged[cell.row] === true) drawFlag(on, parts);
  }
  on.globalAlpha = 1;
  ring(on, scene, scene.selected, palette.focus);
  if (scene.focus !== scene.selected) ring(on, scene, scene.focus, palette.focus);
  if (scene.area !== null) {
    const { x, y, width, height } = scene.area;
    on.fillStyle = palette.selectionLine;
    on.globalAlpha = 0.16;
    on.fillRect(x, y, width, height);
    on.globalAlpha = 1;
    on.strokeStyle = palette.selectionLine;
    on.lineWidth = 1;
    on.strokeRect(x + 0.5, y + 0.5, width, height);
  }
}

function drawHeads(on: CanvasRenderingContext2D, { layout, notes }: GridScene, palette: Palette): void {
  on.textBaseline = 'alphabetic';
  layout.blocks.forEach((block, i) => {
    const labelled = layout.size >= LABELS_FROM * palette.scale;
    const y = block.y + 14 * palette.scale;
    on.textAlign = 'left';
    on.font = palette.font12Medium;
    on.fillStyle = palette.text1;
    const title = cutTo(on, block.title, block.width);
    on.fillText(title, block.x, y);
    const left = block.x + on.measureText(title).width + 8 * palette.scale;
    on.font = palette.font12;
    on.fillStyle = palette.text3;
    const note = cutTo(on, notes[i] ?? '', block.x + block.width - left + 12);
    if (note.length > 2) on.fillText(note, left, y);
    if (!labelled || block.prefix === '') return;
    on.textAlign = 'right';
    on.font = palette.font11;
    const column = layout.columns.find((one) => one.x >= block.x);
    on.fillText(cutTo(on, block.prefix, layout.gutter - 8), block.x + layout.gutter - 8, (column?.y ?? y) + 12);
  });
  on.textAlign = 'center';
  on.font = palette.font11;
  on.fillStyle = palette.text3;
  for (const column of layout.columns)
    if (column.label.length * 6.5 < layout.pitchX)
      on.fillText(column.label, column.x + layout.sizeX / 2, column.y + 12);
}

interface LineParts {
  readonly layout: MapLayout;
  readonly palette: Palette;
}

function drawLabel(
  on: CanvasRenderingContext2D,
  line: MapLine,
  facts: readonly string[],
  { layout, palette, first, lost }: LineParts & { readonly first: boolean; readonly lost: boolean },
): void {
  on.textAlign = 'right';
  on.textBaseline = 'middle';
  const large = layout.size >= 20 * palette.scale;
  on.font =
    first || lost ? (large ? palette.font12Medium : palette.font11Medium) : large ? palette.font12 : palette.font11;
  on.fillStyle = first ? palette.roleFirstText : lost ? palette.text1 : palette.text2;
  const step = 14 * palette.scale;
  const shown = facts.slice(0, Math.max(0, Math.floor(layout.size / step) - 1));
  const right = line.x + layout.gutter - 10;
  const top = line.y + layout.size / 2 + 0.5 - (shown.length * step) / 2;
  on.fillText(cutTo(on, line.label, layout.gutter - 8), right, top);
  on.font = palette.font11;
  on.fillStyle = palette.text3;
  for (const [i, fact] of shown.entries()) on.fillText(cutTo(on, fact, layout.gutter - 8), right, top + (i + 1) * step);
  on.textBaseline = 'alphabetic';
}

/** One dashed band over all ranks of a node that is gone, with the time. */
function drawBand(
  on: CanvasRenderingContext2D,
  line: MapLine,
  words: string,
  { layout, palette, patterns }: LineParts & { readonly patterns: Patterns | null },
): void {
  const [x, y, width, height] = [line.x + layout.gutter, line.y, line.width - layout.gutter, layout.size];
  if (patterns !== null) {
    on.fillStyle = patterns.noFile;
    on.fillRect(x, y, width, height);
  }
  on.strokeStyle = palette.collMissing;
  on.lineWidth = 1;
  on.setLineDash([4, 3]);
  on.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  on.setLineDash([]);
  if (height < LABELS_FROM) return;
  on.font = height >= 18 ? palette.font12 : palette.font11;
  on.textAlign = 'left';
  on.textBaseline = 'middle';
  const text = cutTo(on, words, width - 16);
  on.fillStyle = palette.surface0;
  on.fillRect(x + 8, y + 2, on.measureText(text).width + 12, height - 4);
  on.fillStyle = palette.text1;
  on.fillText(text, x + 14, y + height / 2 + 0.5);
  on.textBaseline = 'alphabetic';
}

type WordParts = CellParts & { readonly rank: number; readonly lines: readonly string[] };

/** The ground of a cell that carries its number: solid for the first rank, tinted for one that waits. */
function drawGround(on: CanvasRenderingContext2D, look: CellLook, parts: CellParts): void {
  const { x, y, size, sizeX, palette } = parts;
  on.beginPath();
  on.roundRect(x + 0.5, y + 0.5, sizeX - 1, size - 1, 4);
  on.fillStyle = look === 'first' ? palette.roleFirst : look === 'waits' ? palette.roleVictimTint : palette.surface1;
  on.fill();
  if (look === 'waits') edge(on, parts, palette.collRunning, 0.4);
  else if (look !== 'first') edge(on, parts, palette.line2, 1);
}

/** The line that has room in all cells: a word here and there would look as if it meant something. */
function fittingWord(
  on: CanvasRenderingContext2D,
  { ranks, captions, layout }: GridScene,
  palette: Palette,
): 'first' | 'last' | 'none' {
  const longest = (texts: readonly string[]): string => texts.reduce((a, b) => (b.length > a.length ? b : a), '');
  on.font = palette.font11Medium;
  const room = layout.sizeX - 33 * palette.scale - on.measureText(longest(ranks.map(String))).width;
  on.font = palette.font11;
  const fits = (texts: readonly string[]): boolean => on.measureText(longest(texts)).width <= room;
  if (fits(captions.map(([line = '']) => line))) return 'first';
  return fits(captions.map((lines) => lines.at(-1) ?? '')) ? 'last' : 'none';
}

/** A low cell that is wide: the number, a word where there is room, the state as a glyph at the right. */
function drawWide(on: CanvasRenderingContext2D, look: CellLook, parts: WordParts): void {
  const { x, y, size, sizeX, palette, rank, lines } = parts;
  const { scale } = palette;
  const first = look === 'first';
  drawGround(on, look, parts);
  const glyph = Math.min(12 * scale, size - 6);
  if (!first)
    drawCell(on, look, {
      ...parts,
      x: x + sizeX - glyph - 5 * scale,
      y: y + (size - glyph) / 2,
      size: glyph,
      sizeX: glyph,
    });
  on.textAlign = 'left';
  on.textBaseline = 'middle';
  const middle = y + size / 2 + 0.5;
  on.font = palette.font11Medium;
  on.fillStyle = first ? palette.onRoleFirst : palette.text1;
  on.fillText(String(rank), x + 6 * scale, middle);
  const left = x + 11 * scale + on.measureText(String(rank)).width;
  const [word = ''] = lines;
  on.font = palette.font11;
  on.fillStyle = first ? palette.onRoleFirst : palette.text2;
  on.fillText(word, left, middle);
  on.textBaseline = 'alphabetic';
}

/** A small job: the state as a glyph in the corner, beside the number, and words where they fit. */
function drawLarge(on: CanvasRenderingContext2D, look: CellLook, parts: WordParts): void {
  const { x, y, size, sizeX, palette, rank, lines } = parts;
  const { scale } = palette;
  const first = look === 'first';
  drawGround(on, look, parts);
  // Beside the number, below it where there is no room for both.
  const small = sizeX < CAPTIONS_FROM * scale;
  const glyph = (Math.min(size, sizeX) < 60 * scale ? 12 : 16) * scale;
  const margin = (Math.min(size, sizeX) < 60 * scale ? 5 : 7) * scale;
  const top = small ? y + size - glyph - margin : y + margin;
  if (!first) drawCell(on, look, { ...parts, x: x + sizeX - glyph - margin, y: top, size: glyph, sizeX: glyph });
  const left = x + (small ? 6 : 8) * scale;
  on.textAlign = 'left';
  on.font = palette.font12Medium;
  on.fillStyle = first ? palette.onRoleFirst : palette.text1;
  on.fillText(String(rank), left, y + (size < 40 * scale || small ? 15 : 19) * scale);
  on.font = palette.font11;
  const room = sizeX - 14 * scale;
  const from = (size < 40 * scale ? 29 : size < 70 * scale ? 34 : 38) * scale;
  const step = (size < 70 * scale ? 14 : 15) * scale;
  const most = Math.max(0, Math.floor((size - from - 3 * scale) / step) + 1);
  // Beside a mark in its corner a word would be cut.
  lines.slice(0, small ? 0 : most).forEach((line, i) => {
    on.fillStyle = first ? palette.onRoleFirst : i === 0 && look === 'waits' ? palette.roleVictim : palette.text2;
    on.fillText(cutTo(on, line, room), left, y + from + i * step);
  });
}

/** The first rank before its fault: in the state it is in, and findable. */
function outline(on: CanvasRenderingContext2D, { x, y, size, sizeX, palette }: CellParts): void {
  on.strokeStyle = palette.roleFirst;
  on.lineWidth = size >= LABELS_FROM ? 1.5 : 1;
  on.strokeRect(x + 0.5, y + 0.5, sizeX - 1, size - 1);
}

function drawFlag(on: CanvasRenderingContext2D, { x, y, size, sizeX, palette }: CellParts): void {
  const side = Math.max(2, Math.min(12, size * 0.35));
  on.fillStyle = palette.sevWarn;
  on.beginPath();
  on.moveTo(x + sizeX - side, y);
  on.lineTo(x + sizeX, y);
  on.lineTo(x + sizeX, y + side);
  on.fill();
}

function ring(on: CanvasRenderingContext2D, { layout }: GridScene, row: number, colour: string): void {
  const cell = layout.cellOf[row];
  if (cell === undefined) return;
  on.strokeStyle = colour;
  on.lineWidth = 2;
  on.beginPath();
  on.roundRect(cell.x - 2, cell.y - 2, layout.sizeX + 4, layout.size + 4, 4);
  on.stroke();
}

/** The text cut to a width, with an ellipsis. */
function cutTo(on: CanvasRenderingContext2D, text: string, width: number): string {
  if (on.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (on.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : `${text.slice(0, low)}…`;
}
