/** The base layer: rows, slices, heat, missing evidence, instants, names. */
import { isLaneMissing, STATE } from '#shared/views/lanes/index.ts';
import type { Tick } from '../viewmodels/timeline/axis.ts';
import type { Row } from '../viewmodels/timeline/rows.ts';
import { isBare, missingReason } from '../viewmodels/timeline/words.ts';
import { drawBandName, drawLaneName, drawSectionHead } from './draw-gutter.ts';
import { collectSlices, SliceBatch } from './draw-slices.ts';
import { type HeatPicture, headHeight, heatOf, type LaneScene, shiftOfLane, visibleRows, xOf } from './lane-scene.ts';
import { type Patterns, patternsOf } from './patterns.ts';

export interface Drawn {
  readonly slices: number;
  readonly rows: number;
}

/** Draws what is on screen; returns how much that was. */
export function drawLanes(on: CanvasRenderingContext2D, scene: LaneScene, ticks: readonly Tick[]): Drawn {
  const { size, palette } = scene;
  const patterns = patternsOf(on, palette, size.ratio);
  if (patterns === null) return { slices: 0, rows: 0 };
  const rows = [...visibleRows(scene)];
  drawGrid(on, scene, ticks);
  clipTo(on, 0, headHeight(scene), size.width, size.height, () =>
    drawRows(
      on,
      scene,
      patterns,
      rows.filter(({ row }) => !isPinned(row)),
    ),
  );
  clipTo(on, 0, size.axis, size.width, headHeight(scene), () => {
    const pinned = rows.filter(({ row }) => isPinned(row));
    if (pinned.length === 0) return;
    on.fillStyle = palette.surface0;
    on.fillRect(0, size.axis, size.width, headHeight(scene) - size.axis);
    drawGrid(on, scene, ticks);
    drawRows(on, scene, patterns, pinned);
    on.fillStyle = palette.line2;
    on.fillRect(0, headHeight(scene) - 1, size.width, 1);
  });
  return { slices: rows.length, rows: rows.length };
}

const isPinned = (row: Row): boolean => row.kind === 'lane' && row.pinned;

function clipTo(
  on: CanvasRenderingContext2D,
  x: number,
  top: number,
  width: number,
  bottom: number,
  draw: () => void,
): void {
  on.save();
  on.beginPath();
  on.rect(x, top, width, bottom - top);
  on.clip();
  draw();
  on.restore();
}

function drawGrid(on: CanvasRenderingContext2D, scene: LaneScene, ticks: readonly Tick[]): void {
  const { size, palette } = scene;
  on.fillStyle = palette.grid;
  for (const tick of ticks) if (tick.major) on.fillRect(Math.round(xOf(scene, tick.at)), size.axis, 1, size.height);
}

interface PlacedRow {
  readonly row: Row;
  readonly top: number;
}

function drawRows(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  patterns: Patterns,
  rows: readonly PlacedRow[],
): void {
  const { size, palette } = scene;
  const batch = new SliceBatch();
  for (const { row, top } of rows) {
    if (row.kind === 'lane') drawLaneGround(on, scene, patterns, row, top);
    if (row.kind === 'head') drawSectionHead(on, scene, row, top);
  }
  clipTo(on, size.gutter, size.axis, size.width - size.gutter, size.height, () => {
    for (const { row, top } of rows) if (row.kind === 'band') drawBand(on, scene, patterns, row, top);
    for (const { row, top } of rows) if (row.kind === 'lane') drawMissing(on, scene, patterns, row, top);
    for (const { row, top } of rows) {
      if (row.kind !== 'lane' || scene.slices === null) continue;
      const inset = row.h >= 20 ? 4 : row.h >= 14 ? 2 : 1;
      collectSlices(
        scene,
        scene.slices,
        row.lane,
        { y: top + inset, h: row.h - 2 * inset, labels: row.h >= 16 },
        batch,
      );
    }
    batch.draw(on, palette, patterns);
    for (const { row, top } of rows) {
      if (row.kind !== 'lane') continue;
      if (scene.slices === null || !scene.slices.rowsOf.has(row.lane)) drawLaneCells(on, scene, row.lane, top, row.h);
      drawInstants(on, scene, row.lane, top, row.h);
    }
  });
  let free = Number.NEGATIVE_INFINITY;
  let freeLow = Number.NEGATIVE_INFINITY;
  for (const { row, top } of rows) {
    const lane = row.kind === 'lane' ? scene.lanes[row.lane] : undefined;
    if (row.kind === 'lane' && lane !== undefined)
      freeLow = drawLaneName(on, scene, lane, { top, h: row.h, pinned: row.pinned, free: freeLow });
    else if (row.kind === 'band' && scene.layout.tier === 'heat') {
      const named = drawBandName(on, scene, row, top, free);
      if (named) free = top + 16 * palette.scale;
      on.fillStyle = palette.line2;
      if (row.h >= 12 || named) on.fillRect(0, Math.floor(top), row.h >= 12 ? size.width : 8, 1);
      drawFirstMarks(on, scene, row, top);
    }
  }
}

function drawLaneGround(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  patterns: Patterns,
  row: Extract<Row, { kind: 'lane' }>,
  top: number,
): void {
  const { size, palette } = scene;
  const lane = scene.lanes[row.lane];
  if (lane === undefined) return;
  if (lane.role === 'first') {
    on.fillStyle = palette.roleFirstTint;
    on.fillRect(0, top, size.width, row.h);
  }
  if (row.lane === scene.focusLane) {
    on.fillStyle = palette.selection;
    on.fillRect(0, top, size.width, row.h);
    on.fillStyle = palette.selectionLine;
    on.fillRect(0, top, 2, row.h);
  }
  if (row.h >= 8) {
    on.fillStyle = palette.line1;
    on.fillRect(0, top + row.h - 1, size.width, 1);
  }
  if (row.h >= 20 && lane.logFromNs !== null && lane.logToNs !== null && lane.kind === 'rank') {
    const shift = shiftOfLane(scene, lane);
    const from = Math.max(size.gutter, xOf(scene, lane.logFromNs - shift));
    const to = Math.min(size.width, xOf(scene, lane.logToNs - shift));
    on.fillStyle = palette.seriesOther;
    if (to > from) on.fillRect(from, top + row.h - 3, to - from, 1);
  }
  void patterns;
}

type LaneRow = Extract<Row, { kind: 'lane' }>;

function drawMissing(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  patterns: Patterns,
  row: LaneRow,
  top: number,
): void {
  const lane = scene.lanes[row.lane];
  if (lane === undefined || lane.kind !== 'rank') return;
  const { size } = scene;
  const reason = missingReason(lane);
  if (reason !== null) {
    // Where nobody recorded, missing files are no news; a lane with nothing on it still says why.
    if (!scene.anyDump && !isBare(lane)) return;
    const pattern = reason.pattern === 'no-file' ? patterns.noFile : patterns.noRecords;
    fillMissing(on, scene, {
      row,
      top,
      to: size.width,
      pattern,
      text: scene.anyDump ? reason.text : 'no recorder file, no line of its own',
    });
  } else if (lane.heldFromNs !== null) {
    const to = Math.min(size.width, xOf(scene, lane.heldFromNs - shiftOfLane(scene, lane)));
    if (to > size.gutter) fillMissing(on, scene, { row, top, to, pattern: patterns.overwritten, text: 'overwritten' });
  }
}

interface MissingBand {
  readonly row: LaneRow;
  readonly top: number;
  readonly to: number;
  readonly pattern: CanvasPattern;
  readonly text: string;
}

function fillMissing(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  { row, top, to, pattern, text }: MissingBand,
): void {
  const { gutter } = scene.size;
  if (row.h < 8) {
    drawThinMissing(on, scene, to, top + row.h / 2);
    return;
  }
  const inset = row.h >= 20 ? 5 : 1;
  on.fillStyle = pattern;
  on.fillRect(gutter, top + inset, to - gutter, row.h - 2 * inset - (row.h >= 20 ? 1 : 0));
  if (row.h >= 16 && to - gutter > 100) patchLabel(on, scene, text, gutter + 13, top, row.h);
}

/** Too low for a pattern: a line of its colour. */
function drawThinMissing(on: CanvasRenderingContext2D, scene: LaneScene, to: number, y: number): void {
  const { size, palette } = scene;
  on.fillStyle = palette.collMissing;
  on.fillRect(size.gutter, Math.floor(y), to - size.gutter, 1);
}

/** The reason on a patch of the ground, so that the pattern does not cross it. */
function patchLabel(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  text: string,
  x: number,
  top: number,
  h: number,
): void {
  const { palette } = scene;
  on.font = palette.font11;
  const width = on.measureText(text).width;
  on.fillStyle = palette.surface0;
  on.fillRect(x, top + 1, width + 10, h - 3);
  on.fillStyle = palette.text2;
  on.fillText(text, x + 5, top + h / 2 + 4);
}

function drawBand(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  patterns: Patterns,
  row: Extract<Row, { kind: 'band' }>,
  top: number,
): void {
  const { size, palette } = scene;
  const heat = heatOf(scene, row.lanes[0] ?? -1);
  const first = heat?.cells.rowOf.get(row.lanes[0] ?? -1);
  const last = heat?.cells.rowOf.get(row.lanes.at(-1) ?? -1);
  if (heat === undefined || first === undefined || last === undefined) return;
  const y0 = heat.image.imageRow[first] ?? 0;
  const y1 = (heat.image.imageRow[last] ?? y0) + 1;
  const tall = scene.layout.tier !== 'heat';
  const [y, h] = tall ? [top + 4, row.h - 8] : [top, row.h];
  blit(on, scene, heat, { from: y0, to: y1 }, { y, h });
  const missing = row.lanes.every((lane) => isMissing(scene, lane));
  if (missing && h >= 8) {
    on.fillStyle = palette.surface0;
    on.fillRect(size.gutter, y, size.width - size.gutter, h);
    on.fillStyle = patterns.noFile;
    on.fillRect(size.gutter, y, size.width - size.gutter, h);
    if (h >= 14) patchLabel(on, scene, 'no recorder files', size.gutter + 13, y, h);
  }
}

const isMissing = (scene: LaneScene, lane: number): boolean => {
  const one = scene.lanes[lane];
  return one !== undefined && isLaneMissing(one) && one.callFrom === one.callTo;
};

/** Rows of the image stretched to a place on the stage; the picture may be of another span than the one shown. */
function blit(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  { cells, image }: HeatPicture,
  rows: { readonly from: number; readonly to: number },
  place: { readonly y: number; readonly h: number },
): void {
  const left = xOf(scene, cells.span.from);
  const right = xOf(scene, cells.span.to);
  on.imageSmoothingEnabled = false;
  on.drawImage(image.canvas, 0, rows.from, image.columns, rows.to - rows.from, left, place.y, right - left, place.h);
}

/** A lane of its own for which only cells are there: too much for slices, or they are still on their way. */
function drawLaneCells(on: CanvasRenderingContext2D, scene: LaneScene, lane: number, top: number, h: number): void {
  const heat = heatOf(scene, lane);
  const row = heat?.cells.rowOf.get(lane);
  if (heat === undefined || row === undefined) return;
  const y = heat.image.imageRow[row] ?? 0;
  const inset = h >= 20 ? 4 : h >= 10 ? 2 : 0;
  blit(on, scene, heat, { from: y, to: y + 1 }, { y: top + inset, h: h - 2 * inset });
}

/** A first rank must be seen among thousands: at least three pixels high, and a mark in the gutter. */
function drawFirstMarks(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  row: Extract<Row, { kind: 'band' }>,
  top: number,
): void {
  const { palette, size } = scene;
  row.lanes.forEach((lane, i) => {
    if (scene.lanes[lane]?.role !== 'first') return;
    const y = top + (i * row.h) / row.lanes.length;
    on.fillStyle = palette.roleFirst;
    on.fillRect(size.gutter - 10, y - 1, 8, 3);
    const from = firstOn(scene, lane);
    if (from !== null) {
      const x = Math.max(size.gutter, xOf(scene, from));
      if (x < size.width) on.fillRect(x, y - 1, size.width - x, 3);
    }
  });
}

/** Where the red of a first rank begins, by the cells. */
function firstOn(scene: LaneScene, lane: number): number | null {
  const cells = heatOf(scene, lane)?.cells;
  const row = cells?.rowOf.get(lane);
  if (cells === undefined || row === undefined) return null;
  for (let x = 0; x < cells.columns; x++)
    if (((cells.cells[row * cells.columns + x] ?? 0) & 15) === STATE.first)
      return cells.span.from + (x / cells.columns) * (cells.span.to - cells.span.from);
  return null;
}

function drawInstants(on: CanvasRenderingContext2D, scene: LaneScene, lane: number, top: number, h: number): void {
  const { slices, palette, size } = scene;
  const rows = slices?.instantsOf.get(lane);
  if (slices === null || rows === undefined || h < 4) return;
  const y = top + h / 2;
  for (let i = rows[0]; i < rows[1]; i++) {
    const x = xOf(scene, slices.instants.atNs[i] ?? 0);
    if (x < size.gutter - 4 || x > size.width + 4) continue;
    const severity = slices.instants.severity[i] ?? 0;
    if (h < 16) {
      on.fillStyle = severity >= 3 ? palette.sevError : severity === 2 ? palette.sevWarn : palette.text2;
      on.fillRect(Math.round(x), top, 1.5, h - 1);
      continue;
    }
    drawGlyph(on, scene, x, y, severity);
  }
}

/** Ring = told something, triangle = warning, cross = error, boxed cross = fatal. */
function drawGlyph(on: CanvasRenderingContext2D, scene: LaneScene, x: number, y: number, severity: number): void {
  const { palette } = scene;
  on.fillStyle = palette.surface0;
  on.beginPath();
  on.arc(x, y, severity >= 4 ? 7 : 5.5, 0, 2 * Math.PI);
  on.fill();
  on.lineWidth = 1.5;
  if (severity <= 1) {
    on.strokeStyle = palette.text1;
    on.beginPath();
    on.arc(x, y, 3.2, 0, 2 * Math.PI);
    on.stroke();
    return;
  }
  if (severity === 2) {
    on.fillStyle = palette.sevWarn;
    on.beginPath();
    on.moveTo(x, y - 4);
    on.lineTo(x + 4.5, y + 3.5);
    on.lineTo(x - 4.5, y + 3.5);
    on.fill();
    return;
  }
  on.strokeStyle = severity >= 4 ? palette.sevFatal : palette.sevError;
  on.beginPath();
  on.moveTo(x - 3, y - 3);
  on.lineTo(x + 3, y + 3);
  on.moveTo(x + 3, y - 3);
  on.lineTo(x - 3, y + 3);
  if (severity >= 4) on.rect(x - 5.5, y - 5.5, 11, 11);
  on.stroke();
}
