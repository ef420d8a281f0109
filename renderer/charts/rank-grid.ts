/** The map of ranks on a canvas: labels, cells, what is chosen. The mark in a cell grows with the trouble; small cells are solid. */
import type { MapLayout, MapLine } from '../viewmodels/ranks/layout.ts';
import type { CellLook } from '../viewmodels/ranks/looks.ts';
import type { Palette } from './palette.ts';
import { type Patterns, patternsOf } from './patterns.ts';

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
}

const LABELS_FROM = 12;
/** Cells of this side carry their number and a glyph; from the larger one on, words too. In px at normal text size. */
const NUMBERS_FROM = 34;
export const CAPTIONS_FROM = 54;

export function drawGrid(on: CanvasRenderingContext2D, scene: GridScene, palette: Palette, ratio: number): void {
  const patterns = patternsOf(on, palette, ratio);
  const { layout } = scene;
  drawHeads(on, scene, palette);
  const banded = new Set<number>();
  for (const line of layout.lines) {
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
      drawLabel(on, line, { layout, palette, first, lost: words !== null });
    if (words !== null) drawBand(on, line, words, { layout, palette, patterns });
  }
  for (const cell of layout.cells) {
    if (banded.has(cell.row)) continue;
    on.globalAlpha = scene.kept === null || scene.kept.has(cell.row) ? 1 : 0.28;
    const look = scene.looks[cell.row] ?? 'unseen';
    const parts = { x: cell.x, y: cell.y, size: layout.size, palette, patterns };
    if (layout.size < LABELS_FROM) drawSmall(on, look, parts);
    else if (layout.size >= NUMBERS_FROM * palette.scale)
      drawLarge(on, look, { ...parts, rank: scene.ranks[cell.row] ?? 0, lines: scene.captions[cell.row] ?? [] });
    else drawCell(on, look, { ...parts, rank: scene.ranks[cell.row] ?? 0 });
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
    if (column.label.length * 6.5 < layout.pitch) on.fillText(column.label, column.x + layout.size / 2, column.y + 12);
}

interface LineParts {
  readonly layout: MapLayout;
  readonly palette: Palette;
}

function drawLabel(
  on: CanvasRenderingContext2D,
  line: MapLine,
  { layout, palette, first, lost }: LineParts & { readonly first: boolean; readonly lost: boolean },
): void {
  on.textAlign = 'right';
  on.textBaseline = 'middle';
  const large = layout.size >= 20 * palette.scale;
  on.font =
    first || lost ? (large ? palette.font12Medium : palette.font11Medium) : large ? palette.font12 : palette.font11;
  on.fillStyle = first ? palette.roleFirstText : lost ? palette.text1 : palette.text2;
  on.fillText(cutTo(on, line.label, layout.gutter - 8), line.x + layout.gutter - 10, line.y + layout.size / 2 + 0.5);
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

interface CellParts {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly palette: Palette;
  readonly patterns: Patterns | null;
}

const STEP_ALPHA = [0.16, 0.34, 0.54, 0.76, 1] as const;

function drawCell(on: CanvasRenderingContext2D, look: CellLook, parts: CellParts & { readonly rank: number }): void {
  const { x, y, size, palette, patterns } = parts;
  const box = (fill: string | CanvasPattern | null, edge: string | null, dash = false): void => {
    on.beginPath();
    on.roundRect(x + 0.5, y + 0.5, size - 1, size - 1, 2.5);
    if (fill !== null) {
      on.fillStyle = fill;
      on.fill();
    }
    if (edge === null) return;
    on.strokeStyle = edge;
    on.lineWidth = 1;
    if (dash) on.setLineDash([3, 2]);
    on.stroke();
    if (dash) on.setLineDash([]);
  };
  const mark = (side: number, colour: string): void => {
    const s = Math.round(size * side);
    on.fillStyle = colour;
    on.fillRect(Math.round(x + (size - s) / 2), Math.round(y + (size - s) / 2), s, s);
  };
  switch (look) {
    case 'first':
      box(palette.roleFirst, null);
      if (size >= 18) centred(on, String(parts.rank), parts, palette.onRoleFirst);
      return;
    case 'waits':
      box(palette.roleVictimTint, null);
      if (patterns !== null) box(patterns.waiting, null);
      edge(on, parts, palette.collRunning, 0.68);
      return;
    case 'absent':
      box(null, palette.collNotEnqueued, true);
      return;
    case 'failed':
      box(null, palette.collFailed);
      cross(on, parts, palette.collFailed);
      return;
    case 'fine':
      box(palette.surface2, null);
      mark(0.3, palette.collCompleted);
      return;
    case 'in-call':
      box(palette.surface2, null);
      mark(0.5, palette.collCompleted);
      return;
    case 'ended':
      box(palette.surface2, null);
      on.fillStyle = palette.text3;
      on.fillRect(x + size * 0.3, Math.round(y + size / 2) - 1, size * 0.4, 2);
      return;
    case 'empty':
      box(palette.surface2, null);
      return;
    case 'lost':
    case 'no-file':
      box(patterns?.noFile ?? null, palette.collMissing, look === 'lost');
      return;
    case 'no-records':
      box(patterns?.noRecords ?? null, palette.collMissing);
      return;
    case 'overwritten':
      box(patterns?.overwritten ?? null, palette.collMissing);
      return;
    case 'silent':
      box(palette.surface2, palette.collMissing, true);
      return;
    case 'unseen':
      box(null, palette.collMissing, true);
      if (size >= 18) centred(on, '?', parts, palette.text3);
      return;
    default: {
      const step = Number(look.slice(5));
      box(palette.surface2, null);
      const kept = on.globalAlpha;
      on.globalAlpha = kept * (STEP_ALPHA[step] ?? 1);
      mark(0.3 + step * 0.15, palette.series1);
      on.globalAlpha = kept;
    }
  }
}

/** A small job: the state as a glyph in the corner, beside the number, and words where they fit. */
function drawLarge(
  on: CanvasRenderingContext2D,
  look: CellLook,
  parts: CellParts & { readonly rank: number; readonly lines: readonly string[] },
): void {
  const { x, y, size, palette, rank, lines } = parts;
  const { scale } = palette;
  const first = look === 'first';
  on.beginPath();
  on.roundRect(x + 0.5, y + 0.5, size - 1, size - 1, 4);
  on.fillStyle = first ? palette.roleFirst : look === 'waits' ? palette.roleVictimTint : palette.surface1;
  on.fill();
  if (look === 'waits') edge(on, parts, palette.collRunning, 0.4);
  else if (!first) edge(on, parts, palette.line2, 1);
  // Beside the number, below it where there is no room for both.
  const small = size < CAPTIONS_FROM * scale;
  const glyph = (size < 60 * scale ? 12 : 16) * scale;
  const margin = (size < 60 * scale ? 5 : 7) * scale;
  const top = small ? y + size - glyph - margin : y + margin;
  if (!first) drawCell(on, look, { ...parts, x: x + size - glyph - margin, y: top, size: glyph });
  const left = x + (small ? 6 : 8) * scale;
  on.textAlign = 'left';
  on.font = palette.font12Medium;
  on.fillStyle = first ? palette.onRoleFirst : palette.text1;
  on.fillText(String(rank), left, y + (small ? 16 : 19) * scale);
  on.font = palette.font11;
  const room = size - 14 * scale;
  const from = (size < 70 * scale ? 34 : 38) * scale;
  const step = (size < 70 * scale ? 14 : 15) * scale;
  const most = Math.max(0, Math.floor((size - from - 4 * scale) / step) + 1);
  lines.slice(0, most).forEach((line, i) => {
    on.fillStyle = first ? palette.onRoleFirst : i === 0 && look === 'waits' ? palette.roleVictim : palette.text2;
    on.fillText(cutTo(on, line, room), left, y + from + i * step);
  });
}

function edge(on: CanvasRenderingContext2D, { x, y, size }: CellParts, colour: string, alpha: number): void {
  const kept = on.globalAlpha;
  on.globalAlpha = kept * alpha;
  on.strokeStyle = colour;
  on.lineWidth = 1;
  on.beginPath();
  on.roundRect(x + 0.5, y + 0.5, size - 1, size - 1, 2.5);
  on.stroke();
  on.globalAlpha = kept;
}

function cross(on: CanvasRenderingContext2D, { x, y, size }: CellParts, colour: string): void {
  const inset = size * 0.3;
  on.strokeStyle = colour;
  on.lineWidth = 1.5;
  on.beginPath();
  on.moveTo(x + inset, y + inset);
  on.lineTo(x + size - inset, y + size - inset);
  on.moveTo(x + size - inset, y + inset);
  on.lineTo(x + inset, y + size - inset);
  on.stroke();
}

function centred(on: CanvasRenderingContext2D, text: string, { x, y, size, palette }: CellParts, colour: string): void {
  on.font =
    text.length > 3 ? `${palette.font11Medium.replace(/[\d.]+px/, `${8 * palette.scale}px`)}` : palette.font11Medium;
  if (on.measureText(text).width > size - 1) return;
  on.fillStyle = colour;
  on.textAlign = 'center';
  on.textBaseline = 'middle';
  on.fillText(text, x + size / 2, y + size / 2 + 0.5);
  on.textBaseline = 'alphabetic';
}

/** Six px and less: a solid fill each; what waits is quiet with an edge, what is missing a pattern in pixels. */
function drawSmall(on: CanvasRenderingContext2D, look: CellLook, { x, y, size, palette, patterns }: CellParts): void {
  const fill = (colour: string | CanvasPattern, alpha = 1, inset = 0): void => {
    const kept = on.globalAlpha;
    on.globalAlpha = kept * alpha;
    on.fillStyle = colour;
    on.fillRect(x + inset, y + inset, size - 2 * inset, size - 2 * inset);
    on.globalAlpha = kept;
  };
  switch (look) {
    case 'first':
      // One cell among thousands has to be found.
      fill(palette.roleFirst, 1, -1);
      return;
    case 'waits':
      fill(palette.roleVictim, size >= 6 ? 0.55 : 0.5);
      if (size >= 6) fill(palette.collRunningBody, 1, 1);
      return;
    case 'absent':
      fill(palette.collNotEnqueued);
      return;
    case 'failed':
      fill(palette.collFailed);
      return;
    case 'fine':
      fill(palette.collCompleted, 0.4);
      return;
    case 'in-call':
      fill(palette.collCompleted, 0.75);
      return;
    case 'ended':
      fill(palette.surface2);
      fill(palette.text3, 0.9, size / 3);
      return;
    case 'empty':
      fill(palette.surface2);
      return;
    case 'lost':
    case 'no-file':
    case 'no-records':
    case 'overwritten':
      fill(palette.surface2);
      if (size >= 6) fill(missingPattern(look, patterns) ?? palette.collMissing);
      else fill(palette.collMissing, 0.8);
      return;
    case 'silent':
    case 'unseen':
      fill(palette.collMissing, 0.7);
      if (size >= 6) fill(palette.surface0, 1, 1);
      return;
    default:
      fill(palette.surface2);
      fill(palette.series1, STEP_ALPHA[Number(look.slice(5))] ?? 1);
      return;
  }
}

const missingPattern = (look: CellLook, patterns: Patterns | null): CanvasPattern | undefined =>
  look === 'no-records' ? patterns?.noRecords : look === 'overwritten' ? patterns?.overwritten : patterns?.noFile;

/** The first rank before its fault: in the state it is in, and findable. */
function outline(on: CanvasRenderingContext2D, { x, y, size, palette }: CellParts): void {
  on.strokeStyle = palette.roleFirst;
  on.lineWidth = size >= LABELS_FROM ? 1.5 : 1;
  on.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
}

function drawFlag(on: CanvasRenderingContext2D, { x, y, size, palette }: CellParts): void {
  const side = Math.max(2, size * 0.35);
  on.fillStyle = palette.sevWarn;
  on.beginPath();
  on.moveTo(x + size - side, y);
  on.lineTo(x + size, y);
  on.lineTo(x + size, y + side);
  on.fill();
}

function ring(on: CanvasRenderingContext2D, { layout }: GridScene, row: number, colour: string): void {
  const cell = layout.cellOf[row];
  if (cell === undefined) return;
  on.strokeStyle = colour;
  on.lineWidth = 2;
  on.beginPath();
  on.roundRect(cell.x - 2, cell.y - 2, layout.size + 4, layout.size + 4, 4);
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
