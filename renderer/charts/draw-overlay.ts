/** The overlay: axis, fault line and band, marks, order marks with whiskers, area, selection ring. And the cursor's own layer. */
import type { FaultOrder, LaneMark } from '#shared/views/lanes/index.ts';
import type { Tick } from '../viewmodels/timeline/axis.ts';
import type { TimeSpan } from '../viewmodels/timeline/span.ts';
import { areaWords } from '../viewmodels/timeline/words.ts';
import { headHeight, type LaneScene, visibleRows, xOf } from './lane-scene.ts';

export interface OverlayFault {
  readonly at: number;
  /** Guaranteed interval in the shown basis; null = not bounded. */
  readonly band: TimeSpan | null;
  readonly label: string;
}

export interface OverlayMark {
  readonly kind: LaneMark['kind'] | 'own';
  readonly at: number;
  /** End of a mark over a span. */
  readonly to?: number | null;
  readonly chosen?: boolean;
  readonly label: string;
}

/** The front of a waiting call, or the record that is selected, seen from the first fault. */
export interface OverlayOrder {
  readonly lane: number;
  readonly at: number;
  /** Undefined: nothing relates its clock to the fault's. */
  readonly order: FaultOrder | undefined;
}

export interface OverlayScene {
  readonly ticks: readonly Tick[];
  readonly fault: OverlayFault | null;
  readonly marks: readonly OverlayMark[];
  readonly orders: readonly OverlayOrder[];
  readonly area: {
    readonly span: TimeSpan;
    readonly top: number;
    readonly bottom: number;
    readonly lanes: readonly number[];
  } | null;
  /** The range filter, if there is one: what lies outside is dimmed. */
  readonly range: TimeSpan | null;
  readonly selected: { readonly lane: number; readonly from: number; readonly to: number } | null;
}

export function drawOverlay(on: CanvasRenderingContext2D, scene: LaneScene, overlay: OverlayScene): void {
  const { size, palette } = scene;
  drawAxis(on, scene, overlay);
  on.save();
  on.beginPath();
  on.rect(size.gutter, 0, size.width - size.gutter, size.height);
  on.clip();
  if (overlay.range !== null) dimOutside(on, scene, overlay.range);
  let free = Number.NEGATIVE_INFINITY;
  for (const mark of [...overlay.marks].sort((a, b) => a.at - b.at)) free = drawMark(on, scene, mark, free);
  if (overlay.fault !== null) drawFault(on, scene, overlay.fault);
  on.beginPath();
  on.rect(size.gutter, size.axis, size.width - size.gutter, size.height);
  on.clip();
  drawOrders(on, scene, overlay.orders);
  if (overlay.selected !== null) drawSelected(on, scene, overlay.selected);
  if (overlay.area !== null) {
    const { span, top, bottom } = overlay.area;
    const [x0, x1] = [xOf(scene, span.from), xOf(scene, span.to)];
    on.globalAlpha = 0.35;
    on.fillStyle = palette.selection;
    on.fillRect(x0, top, x1 - x0, bottom - top);
    on.globalAlpha = 1;
    on.strokeStyle = palette.selectionLine;
    on.lineWidth = 1;
    on.strokeRect(x0 + 0.5, top + 0.5, Math.max(1, x1 - x0 - 1), Math.max(1, bottom - top - 1));
    drawAreaLabel(on, scene, areaWords(span.to - span.from, overlay.area.lanes.length), (x0 + x1) / 2, top);
  }
  on.restore();
}

/** How long the area is, and what can be done with it. */
function drawAreaLabel(on: CanvasRenderingContext2D, scene: LaneScene, duration: string, x: number, top: number): void {
  const { palette, size } = scene;
  const text = `${duration} · Z zooms, R filters all screens`;
  on.font = palette.font11;
  const width = on.measureText(text).width + 12;
  const left = Math.min(Math.max(x - width / 2, size.gutter + 2), size.width - width - 2);
  on.fillStyle = palette.surface2;
  on.beginPath();
  on.roundRect(left, top + 3, width, 18 * palette.scale, 3);
  on.fill();
  on.fillStyle = palette.text1;
  on.fillText(text, left + 6, top + 3 + 13 * palette.scale);
}

function drawAxis(on: CanvasRenderingContext2D, scene: LaneScene, { ticks, fault }: OverlayScene): void {
  const { size, palette } = scene;
  on.fillStyle = palette.line2;
  on.fillRect(0, size.axis - 1, size.width, 1);
  on.font = palette.font11;
  on.textAlign = 'center';
  const faultX = fault === null ? Number.NaN : faultMiddle(on, scene, fault);
  const faultRoom = fault === null ? 0 : on.measureText(fault.label).width / 2 + 8;
  for (const tick of ticks) {
    const x = Math.round(xOf(scene, tick.at));
    if (x < size.gutter) continue;
    on.fillStyle = palette.line2;
    on.fillRect(x, size.axis - (tick.major ? 7 : 4), 1, tick.major ? 7 : 4);
    const half = on.measureText(tick.label).width / 2;
    if (!tick.major || x + half > size.width - 4 || Math.abs(x - faultX) < faultRoom + half) continue;
    on.fillStyle = palette.text3;
    on.fillText(tick.label, Math.max(x, size.gutter + half), size.axis - 14 * palette.scale);
  }
  on.textAlign = 'left';
}

/** Middle of the fault's label: over its line, but never cut by an edge. */
function faultMiddle(on: CanvasRenderingContext2D, scene: LaneScene, fault: OverlayFault): number {
  const { size } = scene;
  const half = on.measureText(fault.label).width / 2;
  return Math.min(Math.max(xOf(scene, fault.at), size.gutter + half + 2), size.width - half - 4);
}

function drawFault(on: CanvasRenderingContext2D, scene: LaneScene, fault: OverlayFault): void {
  const { size, palette } = scene;
  const x = xOf(scene, fault.at);
  if (fault.band !== null) {
    const [x0, x1] = [xOf(scene, fault.band.from), xOf(scene, fault.band.to)];
    if (x1 - x0 >= 2) {
      on.globalAlpha = 0.1;
      on.fillStyle = palette.roleFirst;
      on.fillRect(x0, size.axis, x1 - x0, size.height);
      on.globalAlpha = 1;
    }
  }
  on.fillStyle = palette.roleFirst;
  on.fillRect(Math.round(x) - 0.75, size.axis, 1.5, size.height);
  on.beginPath();
  on.moveTo(x - 5, size.axis - 6);
  on.lineTo(x + 5, size.axis - 6);
  on.lineTo(x, size.axis);
  on.fill();
  on.font = palette.font11Medium;
  on.fillStyle = palette.roleFirstText;
  const half = on.measureText(fault.label).width / 2;
  on.textAlign = 'center';
  const middle = faultMiddle(on, scene, fault);
  if (x > size.gutter - half && x < size.width + half) on.fillText(fault.label, middle, size.axis - 14 * palette.scale);
  on.textAlign = 'left';
}

/** Returns where the next label may begin. */
function drawMark(on: CanvasRenderingContext2D, scene: LaneScene, mark: OverlayMark, free: number): number {
  const { size, palette } = scene;
  const x = Math.round(xOf(scene, mark.at)) + 0.5;
  const end = mark.to == null ? x : Math.round(xOf(scene, mark.to)) + 0.5;
  if (end < size.gutter || x > size.width) return free;
  const own = mark.kind === 'own';
  on.strokeStyle = own ? palette.accent : palette.text3;
  if (end > x) drawSpan(on, scene, x, end);
  if (x < size.gutter) return free;
  on.lineWidth = mark.chosen === true ? 2 : 1;
  on.setLineDash(own ? [] : [2, 3]);
  on.beginPath();
  on.moveTo(x, size.axis - 6);
  on.lineTo(x, size.height);
  on.stroke();
  on.setLineDash([]);
  on.fillStyle = own ? palette.accent : palette.text3;
  const half = mark.chosen === true ? 4 : 2.5;
  on.fillRect(x - half, size.axis - 3.5 - half, 2 * half, 2 * half);
  on.font = palette.font11;
  const width = on.measureText(mark.label).width;
  if (x + 8 + width > size.width || x < free) return free;
  on.fillText(mark.label, x + 6, size.axis - 2);
  return x + width + 12;
}

/** A mark over a span: a bar on the axis, and a faint band over the lanes. */
function drawSpan(on: CanvasRenderingContext2D, { size, palette }: LaneScene, from: number, to: number): void {
  on.fillStyle = palette.accent;
  on.fillRect(from, size.axis - 4, to - from, 3);
  on.globalAlpha = 0.08;
  on.fillRect(from, size.axis, to - from, size.height);
  on.globalAlpha = 1;
  on.fillRect(to - 0.5, size.axis - 6, 1, size.height);
}

/** At most so many: more would hide what they mark. */
const MOST_ORDERS = 200;

function drawOrders(on: CanvasRenderingContext2D, scene: LaneScene, orders: readonly OverlayOrder[]): void {
  const tops = new Map<number, { top: number; h: number }>();
  for (const { row, top } of visibleRows(scene))
    if (row.kind === 'lane' && row.h >= 16) tops.set(row.lane, { top, h: row.h });
  const head = headHeight(scene);
  let drawn = 0;
  for (const one of orders) {
    const at = tops.get(one.lane);
    if (at === undefined || at.top + at.h / 2 < head || drawn >= MOST_ORDERS) continue;
    drawn += 1;
    drawOrder(on, scene, one, at.top + at.h / 2);
  }
}

function drawOrder(on: CanvasRenderingContext2D, scene: LaneScene, { at, order }: OverlayOrder, y: number): void {
  const { palette, span, size } = scene;
  const x = xOf(scene, at);
  if (x < size.gutter - 20 || x > size.width + 20) return;
  const perPx = (span.to - span.from) / (size.width - size.gutter);
  const kind = order?.order ?? 'undecided';
  const colour =
    kind === 'certain' ? palette.orderCertain : kind === 'likely' ? palette.orderLikely : palette.orderUndecided;
  on.strokeStyle = colour;
  on.fillStyle = colour;
  let left = x;
  if (order !== undefined && !order.sameClock) {
    // Ends of the gap, drawn around the moment: the estimate sits at `at`.
    const end = (value: number | null, open: number): number =>
      value === null ? open : x + (value - order.gapNs) / perPx;
    const [low, high] = [end(order.low, size.gutter), end(order.high, size.width)];
    if (high - low > WIDEST * (size.width - size.gutter)) {
      left = x - 14;
      drawBeyond(on, x, y);
    } else if (high - low > 4) {
      left = low;
      on.lineWidth = 1;
      on.beginPath();
      on.moveTo(low, y);
      on.lineTo(high, y);
      if (order.low !== null) capAt(on, low, y);
      if (order.high !== null) capAt(on, high, y);
      on.stroke();
      const [a, b] = [end(order.likelyLow, low), end(order.likelyHigh, high)];
      if (b - a > 2 && b - a < high - low - 2) on.fillRect(a, y - 2, b - a, 4);
    }
  }
  drawDiamond(on, scene, x, y, kind, colour);
  if (kind === 'undecided') {
    on.font = palette.font12;
    on.textAlign = 'right';
    on.fillText('≈', Math.max(left, size.gutter + 12) - 8, y + 4);
    on.textAlign = 'left';
  }
}

/** Share of the lanes' width from which on a whisker would only strike through everything. */
const WIDEST = 0.6;

/** The bound reaches further than is of use on screen: two arrows instead of a line through the whole lane. */
function drawBeyond(on: CanvasRenderingContext2D, x: number, y: number): void {
  on.lineWidth = 1;
  on.beginPath();
  for (const side of [-1, 1]) {
    on.moveTo(x + side * 6, y);
    on.lineTo(x + side * 14, y);
    on.moveTo(x + side * 11, y - 3);
    on.lineTo(x + side * 14, y);
    on.lineTo(x + side * 11, y + 3);
  }
  on.stroke();
}

function capAt(on: CanvasRenderingContext2D, x: number, y: number): void {
  on.moveTo(x, y - 4);
  on.lineTo(x, y + 4);
}

function drawDiamond(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  x: number,
  y: number,
  kind: 'certain' | 'likely' | 'undecided',
  colour: string,
): void {
  const r = 5;
  const path = (): void => {
    on.beginPath();
    on.moveTo(x, y - r);
    on.lineTo(x + r, y);
    on.lineTo(x, y + r);
    on.lineTo(x - r, y);
    on.closePath();
  };
  path();
  on.fillStyle = kind === 'certain' ? colour : scene.palette.surface0;
  on.fill();
  if (kind === 'certain') return;
  on.strokeStyle = colour;
  on.lineWidth = 1.3;
  on.setLineDash(kind === 'undecided' ? [2, 1.6] : []);
  path();
  on.stroke();
  on.setLineDash([]);
  if (kind === 'undecided') {
    on.fillStyle = colour;
    return;
  }
  on.beginPath();
  on.moveTo(x, y - r);
  on.lineTo(x, y + r);
  on.lineTo(x - r, y);
  on.closePath();
  on.fillStyle = colour;
  on.fill();
}

function dimOutside(on: CanvasRenderingContext2D, scene: LaneScene, range: TimeSpan): void {
  const { size, palette } = scene;
  const [x0, x1] = [xOf(scene, range.from), xOf(scene, range.to)];
  on.globalAlpha = 0.6;
  on.fillStyle = palette.surface0;
  on.fillRect(size.gutter, size.axis, Math.max(0, x0 - size.gutter), size.height);
  on.fillRect(x1, size.axis, Math.max(0, size.width - x1), size.height);
  on.globalAlpha = 1;
  on.fillStyle = palette.accent;
  on.fillRect(x0, size.axis - 3, 1, size.height);
  on.fillRect(x1 - 1, size.axis - 3, 1, size.height);
}

function drawSelected(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  selected: NonNullable<OverlayScene['selected']>,
): void {
  const { size, palette } = scene;
  for (const { row, top } of visibleRows(scene)) {
    if (row.kind !== 'lane' || row.lane !== selected.lane) continue;
    const inset = row.h >= 20 ? 4 : row.h >= 14 ? 2 : 1;
    const x0 = Math.max(size.gutter - 4, xOf(scene, selected.from));
    const x1 = Math.min(size.width + 4, Math.max(x0 + 3, xOf(scene, selected.to)));
    on.strokeStyle = palette.focus;
    on.lineWidth = 2;
    on.beginPath();
    on.roundRect(x0 - 3, top + inset - 3, x1 - x0 + 6, row.h - 2 * inset + 6, 4);
    on.stroke();
  }
}

/** Only the cursor: this layer alone is redrawn while the pointer moves. */
export function drawCursor(on: CanvasRenderingContext2D, scene: LaneScene, at: number | null, label: string): void {
  const { size, palette } = scene;
  if (at === null) return;
  const x = Math.round(xOf(scene, at)) + 0.5;
  if (x < size.gutter || x > size.width) return;
  on.strokeStyle = palette.text2;
  on.lineWidth = 1;
  on.beginPath();
  on.moveTo(x, size.axis - 4);
  on.lineTo(x, size.height);
  on.stroke();
  on.font = palette.font11;
  const width = on.measureText(label).width + 10;
  const left = Math.min(Math.max(x - width / 2, size.gutter), size.width - width - 2);
  on.fillStyle = palette.surface2;
  on.beginPath();
  on.roundRect(left, size.axis - 26 * palette.scale, width, 18 * palette.scale, 3);
  on.fill();
  on.fillStyle = palette.text1;
  on.fillText(label, left + 5, size.axis - 13 * palette.scale);
}
