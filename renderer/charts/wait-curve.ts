/** The scrubber of the map: ranks that wait as a stepped area, the first fault, the handle. */
import type { TimeSpan } from '../viewmodels/timeline/span.ts';
import type { Palette } from './palette.ts';

export interface CurveScene {
  readonly span: TimeSpan;
  /** One a column over the span; null while it is counted. */
  readonly values: Float64Array | null;
  readonly most: number;
  readonly ticks: readonly { readonly at: number; readonly label: string; readonly major: boolean }[];
  readonly fault: { readonly at: number; readonly halfNs: number } | null;
  readonly handle: number;
  /** Under the pointer; null = none. */
  readonly hover: number | null;
  readonly gutter: number;
}

const AXIS = 20;
const TOP = 8;

export function drawCurve(
  on: CanvasRenderingContext2D,
  scene: CurveScene,
  palette: Palette,
  { width, height }: { readonly width: number; readonly height: number },
): void {
  const { span, values, most, gutter } = scene;
  const right = width - 16 * palette.scale;
  const bottom = height - AXIS * palette.scale;
  const x = (at: number): number => gutter + ((at - span.from) / (span.to - span.from)) * (right - gutter);
  const y = (value: number): number => bottom - (value / Math.max(1, most)) * (bottom - TOP - 2);
  on.lineWidth = 1;
  on.strokeStyle = palette.grid;
  for (const share of [0, 0.5, 1]) line(on, gutter, Math.round(y(most * share)) + 0.5, right, true);
  on.font = palette.font11;
  on.fillStyle = palette.text3;
  on.textAlign = 'right';
  on.textBaseline = 'middle';
  on.fillText(String(most), gutter - 8, y(most) + 2);
  on.fillText('0', gutter - 8, bottom - 2);
  on.textAlign = 'center';
  for (const tick of scene.ticks) {
    const at = Math.round(x(tick.at)) + 0.5;
    on.strokeStyle = palette.line2;
    line(on, at, bottom, bottom + (tick.major ? 4 : 2), false);
    const half = on.measureText(tick.label).width / 2;
    if (tick.major && at - half > gutter - 8 && at + half < right + 14)
      on.fillText(tick.label, at, height - (AXIS * palette.scale) / 2 + 2);
  }
  if (values !== null) area(on, values, { gutter, right, bottom, y, palette });
  if (scene.fault !== null && scene.fault.at >= span.from && scene.fault.at <= span.to) {
    const { at, halfNs } = scene.fault;
    on.fillStyle = palette.roleFirst;
    if (x(at + halfNs) - x(at) >= 1) {
      on.globalAlpha = 0.14;
      const [a, b] = [Math.max(gutter, x(at - halfNs)), Math.min(right, x(at + halfNs))];
      on.fillRect(a, TOP, b - a, bottom - TOP);
      on.globalAlpha = 1;
    }
    on.fillRect(x(at) - 0.75, 2, 1.5, bottom - 2);
    on.beginPath();
    on.moveTo(x(at) - 4, 0);
    on.lineTo(x(at) + 4, 0);
    on.lineTo(x(at), 6);
    on.fill();
  }
  if (scene.hover !== null) {
    on.strokeStyle = palette.text3;
    line(on, Math.round(x(scene.hover)) + 0.5, TOP, bottom, false);
  }
  handle(on, Math.max(gutter, Math.min(right, x(scene.handle))), bottom, palette);
}

function area(
  on: CanvasRenderingContext2D,
  values: Float64Array,
  box: {
    readonly gutter: number;
    readonly right: number;
    readonly bottom: number;
    readonly y: (value: number) => number;
    readonly palette: Palette;
  },
): void {
  const step = (box.right - box.gutter) / values.length;
  const trace = (): void => {
    on.beginPath();
    values.forEach((value, i) => {
      const at = box.gutter + i * step;
      if (i === 0) on.moveTo(at, box.y(value));
      else on.lineTo(at, box.y(values[i - 1] ?? 0));
      on.lineTo(at, box.y(value));
    });
    on.lineTo(box.right, box.y(values.at(-1) ?? 0));
  };
  trace();
  on.lineTo(box.right, box.bottom);
  on.lineTo(box.gutter, box.bottom);
  on.fillStyle = box.palette.roleVictimTint;
  on.fill();
  trace();
  on.strokeStyle = box.palette.collRunning;
  on.stroke();
}

function handle(on: CanvasRenderingContext2D, x: number, bottom: number, palette: Palette): void {
  on.fillStyle = palette.accent;
  on.fillRect(Math.round(x) - 1, 0, 2, bottom);
  const middle = (TOP + bottom) / 2;
  on.beginPath();
  on.roundRect(x - 4.5, middle - 9, 9, 18, 3);
  on.fill();
  on.fillStyle = palette.surface0;
  on.fillRect(x - 2, middle - 4, 1, 8);
  on.fillRect(x + 1, middle - 4, 1, 8);
}

function line(on: CanvasRenderingContext2D, x: number, y: number, end: number, across: boolean): void {
  on.beginPath();
  on.moveTo(x, y);
  on.lineTo(across ? end : x, across ? y : end);
  on.stroke();
}
