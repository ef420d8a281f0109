/** Both runs on one axis, 0 at the moment they are aligned by: of each a curve of waiting ranks and the lanes of sets of ranks. */
import { SEVERITIES } from '#shared/views/lanes/index.ts';
import type { LaneRow, SideLayout } from '../viewmodels/compare/lanes.ts';
import { collectSlices, SliceBatch } from './draw-slices.ts';
import type { SlicePicture, StageSpan } from './lane-scene.ts';
import type { Palette } from './palette.ts';
import { type Patterns, patternsOf } from './patterns.ts';

export interface LaneSide {
  readonly layout: SideLayout;
  /** Ranks that wait at the start of each column; null = it is not known who waits. */
  readonly waiting: Float64Array | null;
  readonly ranks: number;
  /** Slices on the time of the case, and its zero; null = they are not there yet. */
  readonly picture: SlicePicture | null;
  readonly zero: number;
  /** Half width of what stands at 0, ns; null = not known. */
  readonly halfNs: number | null;
  /** Where the case begins and ends on the axis. */
  readonly from: number;
  readonly to: number;
}

export interface CompareScene {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  readonly sides: readonly LaneSide[];
  readonly zero: 'fault' | 'other';
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  readonly gutter: number;
  readonly axis: number;
  readonly row: number;
  readonly strip: number;
  readonly hover: number | null;
}

const RIGHT = 16;

export const compareX = (scene: CompareScene, at: number): number =>
  scene.gutter + ((at - scene.from) / (scene.to - scene.from)) * (scene.width - RIGHT - scene.gutter);

export function drawCompare(on: CanvasRenderingContext2D, scene: CompareScene, palette: Palette): void {
  const patterns = patternsOf(on, palette, scene.ratio);
  drawAxis(on, scene, palette);
  for (const side of scene.sides) {
    rule(on, palette.line2, side.layout.top, scene.width);
    for (const row of side.layout.rows) drawRowGround(on, scene, row, palette);
    on.save();
    on.beginPath();
    on.rect(scene.gutter, side.layout.top, scene.width - RIGHT - scene.gutter, side.layout.end - side.layout.top);
    on.clip();
    drawOutside(on, scene, side, palette);
    drawBound(on, scene, side, palette);
    drawWaiting(on, scene, side, palette);
    if (side.picture !== null && patterns !== null)
      drawLanes(on, scene, { side, picture: side.picture }, palette, patterns);
    on.restore();
  }
  rule(on, palette.line2, scene.height - 0.5, scene.width);
  drawZero(on, scene, palette);
  if (scene.hover !== null) {
    on.strokeStyle = palette.text3;
    vertical(on, Math.round(compareX(scene, scene.hover)) + 0.5, scene.axis, scene.height);
  }
}

function drawAxis(on: CanvasRenderingContext2D, scene: CompareScene, palette: Palette): void {
  on.lineWidth = 1;
  on.font = palette.font11;
  on.textBaseline = 'middle';
  on.textAlign = 'center';
  for (const tick of scene.ticks) {
    const at = Math.round(compareX(scene, tick.at)) + 0.5;
    on.strokeStyle = palette.grid;
    vertical(on, at, scene.axis, scene.height);
    on.strokeStyle = palette.line2;
    vertical(on, at, scene.axis - 4, scene.axis);
    const isZero = tick.at === 0 && scene.zero === 'fault';
    on.font = isZero ? palette.font11Medium : palette.font11;
    on.fillStyle = isZero ? palette.roleFirstText : palette.text3;
    const half = on.measureText(tick.label).width / 2;
    on.fillText(tick.label, Math.min(at, scene.width - half - 2), scene.axis / 2 - 2);
  }
}

function drawRowGround(on: CanvasRenderingContext2D, scene: CompareScene, row: LaneRow, palette: Palette): void {
  if (row.isFirst) {
    on.fillStyle = palette.roleFirstTint;
    on.fillRect(0, row.y, scene.width, scene.row);
    on.fillStyle = palette.roleFirst;
    on.fillRect(0, row.y, 3, scene.row);
  }
  rule(on, palette.line1, row.y, scene.width);
}

/** Outside of its own time a case has nothing to show: the ground says so. */
function drawOutside(on: CanvasRenderingContext2D, scene: CompareScene, side: LaneSide, palette: Palette): void {
  const { top, end } = side.layout;
  on.fillStyle = palette.surface1;
  const [left, right] = [compareX(scene, side.from), compareX(scene, side.to)];
  if (side.from > scene.from) on.fillRect(scene.gutter, top + 1, left - scene.gutter, end - top - 1);
  if (side.to < scene.to) on.fillRect(right, top + 1, scene.width - right, end - top - 1);
}

function drawBound(on: CanvasRenderingContext2D, scene: CompareScene, side: LaneSide, palette: Palette): void {
  if (side.halfNs === null || side.halfNs <= 0) return;
  const [left, right] = [compareX(scene, -side.halfNs), compareX(scene, side.halfNs)];
  on.globalAlpha = 0.12;
  on.fillStyle = palette.roleFirst;
  on.fillRect(left, side.layout.strip, right - left, side.layout.end - side.layout.strip);
  on.globalAlpha = 1;
}

function drawWaiting(on: CanvasRenderingContext2D, scene: CompareScene, side: LaneSide, palette: Palette): void {
  const { waiting, ranks, layout } = side;
  if (waiting === null || scene.strip === 0) return;
  const right = scene.width - RIGHT;
  const base = layout.strip + scene.strip - 1;
  const step = (right - scene.gutter) / waiting.length;
  on.beginPath();
  on.moveTo(scene.gutter, base);
  waiting.forEach((value, i) => {
    const y = base - (value / Math.max(1, ranks)) * (scene.strip - 5);
    on.lineTo(scene.gutter + i * step, y);
    on.lineTo(scene.gutter + (i + 1) * step, y);
  });
  on.lineTo(right, base);
  on.fillStyle = palette.collRunningBody;
  on.fill();
  on.strokeStyle = palette.collRunning;
  on.lineWidth = 1;
  on.stroke();
}

interface Drawn {
  readonly side: LaneSide;
  readonly picture: SlicePicture;
}

function drawLanes(
  on: CanvasRenderingContext2D,
  scene: CompareScene,
  { side, picture }: Drawn,
  palette: Palette,
  patterns: Patterns,
): void {
  const stage = stageOf(scene, side);
  // What has no end is known as far as the case goes.
  on.beginPath();
  on.rect(scene.gutter, side.layout.top, Math.max(0, compareX(scene, side.to) - scene.gutter), side.layout.end);
  on.clip();
  const batch = new SliceBatch();
  const inset = Math.max(2, Math.round(scene.row / 6));
  const low = scene.row < 20 * palette.scale;
  on.textAlign = 'left';
  on.textBaseline = 'alphabetic';
  for (const row of side.layout.rows)
    if (row.recorded)
      collectSlices(stage, picture, row.lane, { y: row.y + inset, h: scene.row - 2 * inset, labels: !low }, batch);
    else drawUnrecorded(on, scene, { side, row }, palette, patterns);
  batch.draw(on, palette, patterns);
  for (const row of side.layout.rows) drawInstants(on, scene, { side, picture, row }, palette);
}

/** The stage as slices are placed on: in the time of the case. */
const stageOf = (scene: CompareScene, side: LaneSide): StageSpan => ({
  size: {
    width: scene.width - RIGHT,
    height: scene.height,
    gutter: scene.gutter,
    axis: scene.axis,
    ratio: scene.ratio,
  },
  span: { from: scene.from + side.zero, to: scene.to + side.zero },
});

/** No recorder file: the pattern says so, with its reason at the left; the log's lines lie over it. */
function drawUnrecorded(
  on: CanvasRenderingContext2D,
  scene: CompareScene,
  { side, row }: { readonly side: LaneSide; readonly row: LaneRow },
  palette: Palette,
  patterns: Patterns,
): void {
  const left = Math.max(scene.gutter, compareX(scene, side.from));
  const right = Math.min(scene.width - RIGHT, compareX(scene, side.to));
  if (right <= left) return;
  on.fillStyle = patterns.noFile;
  on.fillRect(left, row.y + 4, right - left, scene.row - 8);
  const text = 'no recorded call, marks are log lines';
  on.font = palette.font11;
  const width = on.measureText(text).width;
  if (width + 28 > right - left) return;
  on.fillStyle = palette.surface0;
  on.fillRect(left + 8, row.y + 2, width + 12, scene.row - 4);
  on.fillStyle = palette.text2;
  on.fillText(text, left + 14, row.y + scene.row / 2 + 4 * palette.scale);
}

const WARN = SEVERITIES.indexOf('warn');
const ERROR = SEVERITIES.indexOf('error');

/** Lines of the log: short and grey, warnings and errors from top to bottom of the row. */
function drawInstants(
  on: CanvasRenderingContext2D,
  scene: CompareScene,
  { side, picture, row }: Drawn & { readonly row: LaneRow },
  palette: Palette,
): void {
  const rows = picture.instantsOf.get(row.lane);
  if (rows === undefined) return;
  for (let i = rows[0]; i < rows[1]; i++) {
    const severity = picture.instants.severity[i] ?? 0;
    if (severity < WARN && row.recorded) continue;
    const x = compareX(scene, (picture.instants.atNs[i] ?? 0) - side.zero);
    if (x < scene.gutter || x > scene.width - RIGHT) continue;
    on.fillStyle = severity >= ERROR ? palette.sevError : severity >= WARN ? palette.sevWarn : palette.text2;
    const height = severity >= WARN ? scene.row - 4 : scene.row / 2;
    on.fillRect(Math.round(x) - 1, row.y + scene.row - 2 - height, 2, height);
  }
}

function drawZero(on: CanvasRenderingContext2D, scene: CompareScene, palette: Palette): void {
  if (scene.from > 0 || scene.to < 0) return;
  const at = compareX(scene, 0);
  on.fillStyle = scene.zero === 'fault' ? palette.roleFirst : palette.text2;
  on.fillRect(at - 0.75, scene.axis - 6, 1.5, scene.height - scene.axis + 6);
  on.beginPath();
  on.moveTo(at - 4, scene.axis - 8);
  on.lineTo(at + 4, scene.axis - 8);
  on.lineTo(at, scene.axis - 1);
  on.fill();
}

function rule(on: CanvasRenderingContext2D, colour: string, y: number, width: number): void {
  on.strokeStyle = colour;
  on.lineWidth = 1;
  on.beginPath();
  on.moveTo(0, Math.floor(y) + 0.5);
  on.lineTo(width, Math.floor(y) + 0.5);
  on.stroke();
}

function vertical(on: CanvasRenderingContext2D, x: number, from: number, to: number): void {
  on.beginPath();
  on.moveTo(x, from);
  on.lineTo(x, to);
  on.stroke();
}

/** The row and the slice under a point; null = none. */
export function sliceAt(
  scene: CompareScene,
  x: number,
  y: number,
): { readonly side: number; readonly row: LaneRow; readonly slice: number } | null {
  for (const [i, side] of scene.sides.entries()) {
    const row = side.layout.rows.find((one) => y >= one.y && y < one.y + scene.row);
    const rows = row === undefined ? undefined : side.picture?.rowsOf.get(row.lane);
    if (row === undefined || rows === undefined || side.picture === null) continue;
    const share = (x - scene.gutter) / Math.max(1, scene.width - RIGHT - scene.gutter);
    const at = scene.from + share * (scene.to - scene.from) + side.zero;
    for (let slice = rows[0]; slice < rows[1]; slice++)
      if ((side.picture.startNs[slice] ?? 0) <= at && at < (side.picture.endNs[slice] ?? 0))
        return { side: i, row, slice };
  }
  return null;
}
