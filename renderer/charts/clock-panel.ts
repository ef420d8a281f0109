/** One clock at its own scale: guaranteed and likely band around its offset, the estimate with its drift, evidence, first fault. */
import type { ClockPanel } from '../viewmodels/clocks/panels.ts';
import type { OffsetTick } from '../viewmodels/clocks/ticks.ts';
import type { Palette } from './palette.ts';

export interface PanelScene {
  readonly panel: ClockPanel;
  readonly momentsNs: Float64Array;
  readonly fromNs: number;
  readonly toNs: number;
  readonly width: number;
  readonly height: number;
  /** Room for the marks of the scale at the left, of time below; px. */
  readonly gutter: number;
  readonly foot: number;
  readonly marks: readonly OffsetTick[];
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  readonly faultNs: number | null;
  readonly cursorNs: number | null;
  /** Key of the evidence that is looked at. */
  readonly point: string | null;
  /** Marks of evidence are large enough to be pointed at. */
  readonly large: boolean;
}

const TOP = 8;

export const panelX = ({ fromNs, toNs, width, gutter }: PanelScene, ns: number): number =>
  gutter + ((ns - fromNs) / Math.max(1, toNs - fromNs)) * (width - gutter - 1);

export const panelNs = ({ fromNs, toNs, width, gutter }: PanelScene, x: number): number =>
  fromNs + ((x - gutter) / Math.max(1, width - gutter - 1)) * (toNs - fromNs);

/** What lies beyond the scale stands at its edge. */
export const panelY = ({ panel: { least, most }, height, foot }: PanelScene, ms: number): number => {
  const inside = Math.max(least, Math.min(most, ms));
  return TOP + ((most - inside) / (most - least)) * (height - foot - TOP);
};

export function drawClockPanel(on: CanvasRenderingContext2D, scene: PanelScene, palette: Palette): void {
  drawGrid(on, scene, palette);
  const { panel, width, height, gutter, foot } = scene;
  on.save();
  on.beginPath();
  on.rect(gutter, TOP, width - gutter, height - foot - TOP);
  on.clip();
  drawBand(on, scene, panel.low, panel.high, withAlpha(palette.seriesEdge, 0.24));
  drawBand(on, scene, panel.likelyLow, panel.likelyHigh, withAlpha(palette.seriesEdge, 0.55));
  drawGaps(on, scene, palette);
  on.lineWidth = 1;
  on.strokeStyle = palette.series1;
  drawLine(on, scene, panel.low);
  drawLine(on, scene, panel.high);
  on.lineWidth = 1.5;
  on.strokeStyle = palette.series1;
  drawLine(on, scene, panel.estimate);
  on.restore();
  drawMoments(on, scene, palette);
  for (const point of panel.points) {
    const [x, y] = [panelX(scene, clampNs(scene, point.atNs)), panelY(scene, point.valueMs)];
    // Beyond the scale it stands at the edge, fainter: there is no value to read off.
    on.globalAlpha = point.valueMs < panel.least || point.valueMs > panel.most ? 0.55 : 1;
    drawPoint(on, { x, y, shape: point.shape, large: scene.large }, palette);
    on.globalAlpha = 1;
    if (point.key !== scene.point) continue;
    on.beginPath();
    on.arc(x, y, 8, 0, 2 * Math.PI);
    on.strokeStyle = palette.focus;
    on.lineWidth = 1.75;
    on.stroke();
  }
}

export const clampNs = ({ fromNs, toNs }: PanelScene, ns: number): number => Math.max(fromNs, Math.min(toNs, ns));

function drawGrid(on: CanvasRenderingContext2D, scene: PanelScene, palette: Palette): void {
  const { width, height, gutter, foot, marks, ticks } = scene;
  on.font = palette.font11;
  on.lineWidth = 1;
  on.textBaseline = 'middle';
  on.textAlign = 'right';
  for (const mark of marks) {
    const y = Math.round(panelY(scene, mark.at)) + 0.5;
    on.strokeStyle = mark.at === 0 ? palette.line2 : palette.grid;
    line(on, gutter, y, width, y);
    on.fillStyle = palette.text3;
    const inside = Math.max(6 * palette.scale, Math.min(height - foot - 6 * palette.scale, y));
    on.fillText(mark.label, gutter - 6 * palette.scale, inside);
  }
  on.textAlign = 'center';
  for (const tick of ticks) {
    const x = Math.round(panelX(scene, tick.at)) + 0.5;
    on.strokeStyle = palette.grid;
    line(on, x, TOP, x, height - foot);
    if (foot === 0) continue;
    on.fillStyle = palette.text3;
    on.fillText(tick.label, Math.min(x, width - 16 * palette.scale), height - foot / 2 + 1);
  }
}

/** Runs of moments without a gap. */
function* runs(column: Float64Array): Generator<readonly [number, number]> {
  let from = -1;
  for (let i = 0; i <= column.length; i++) {
    const gone = i === column.length || Number.isNaN(column[i]);
    if (!gone && from < 0) from = i;
    if (gone && from >= 0) {
      yield [from, i];
      from = -1;
    }
  }
}

function drawBand(
  on: CanvasRenderingContext2D,
  scene: PanelScene,
  low: Float64Array,
  high: Float64Array,
  fill: string,
): void {
  on.fillStyle = fill;
  for (const [from, to] of runs(low)) {
    on.beginPath();
    for (let i = from; i < to; i++) on.lineTo(panelX(scene, scene.momentsNs[i] ?? 0), panelY(scene, high[i] ?? 0));
    for (let i = to - 1; i >= from; i--) on.lineTo(panelX(scene, scene.momentsNs[i] ?? 0), panelY(scene, low[i] ?? 0));
    on.fill();
  }
}

/** Not where the side is open, or beyond the scale. */
function drawLine(on: CanvasRenderingContext2D, scene: PanelScene, column: Float64Array): void {
  const { least, most } = scene.panel;
  for (const [from, to] of runs(column)) {
    on.beginPath();
    let drawing = false;
    for (let i = from; i < to; i++) {
      const value = column[i] ?? 0;
      if (value < least || value > most) drawing = false;
      else {
        const [x, y] = [panelX(scene, scene.momentsNs[i] ?? 0), panelY(scene, value)];
        if (drawing) on.lineTo(x, y);
        else on.moveTo(x, y);
        drawing = true;
      }
    }
    on.stroke();
  }
}

/** Where the clock was being set: nothing is known between, and nothing is drawn through it. */
function drawGaps(on: CanvasRenderingContext2D, scene: PanelScene, palette: Palette): void {
  const { momentsNs, panel, height, foot } = scene;
  on.strokeStyle = palette.sevWarn;
  on.setLineDash([2, 3]);
  on.lineWidth = 1;
  panel.estimate.forEach((value, i) => {
    if (!Number.isNaN(value)) return;
    const x = Math.round(panelX(scene, momentsNs[i] ?? 0)) + 0.5;
    line(on, x, TOP, x, height - foot);
  });
  on.setLineDash([]);
}

function drawMoments(on: CanvasRenderingContext2D, scene: PanelScene, palette: Palette): void {
  const { faultNs, cursorNs, gutter, width, height, foot } = scene;
  const at = (ns: number): number => panelX(scene, ns);
  if (faultNs !== null && at(faultNs) >= gutter && at(faultNs) <= width) {
    on.fillStyle = palette.roleFirst;
    on.fillRect(at(faultNs) - 0.75, TOP, 1.5, height - foot - TOP);
  }
  if (cursorNs === null || at(cursorNs) < gutter || at(cursorNs) > width) return;
  on.strokeStyle = palette.text2;
  on.lineWidth = 1;
  line(on, Math.round(at(cursorNs)) + 0.5, TOP, Math.round(at(cursorNs)) + 0.5, height - foot);
}

interface Mark {
  readonly x: number;
  readonly y: number;
  readonly shape: 'down' | 'up' | 'hollow';
  readonly large: boolean;
}

function drawPoint(on: CanvasRenderingContext2D, { x, y, shape, large }: Mark, palette: Palette): void {
  const r = large ? 4 : 2.5;
  if (shape === 'hollow') {
    on.beginPath();
    on.arc(x, y, r * 0.8, 0, 2 * Math.PI);
    on.fillStyle = palette.surface0;
    on.fill();
    on.strokeStyle = large ? palette.text1 : palette.text2;
    on.lineWidth = 1.25;
    on.stroke();
    return;
  }
  // The tip lies on the value: what is on the other side of it is excluded.
  const back = shape === 'down' ? -1.6 * r : 1.6 * r;
  on.fillStyle = large ? palette.text1 : palette.text2;
  on.beginPath();
  on.moveTo(x, y);
  on.lineTo(x - r, y + back);
  on.lineTo(x + r, y + back);
  on.fill();
}

function line(on: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  on.beginPath();
  on.moveTo(x0, y0);
  on.lineTo(x1, y1);
  on.stroke();
}

const withAlpha = (colour: string, alpha: number): string =>
  `color-mix(in srgb, ${colour} ${Math.round(alpha * 100)}%, transparent)`;
