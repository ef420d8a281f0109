/** Both cases on one axis: what waits and what errs, 0 at the moment they are aligned by. */
import type { Palette } from './palette.ts';

export interface StripSide {
  /** Ranks that wait at the start of each column; null = nothing of the case has a time. */
  readonly waiting: Float64Array | null;
  readonly errors: Float64Array | null;
  readonly ranks: number;
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
  readonly sides: readonly StripSide[];
  readonly zero: 'fault' | 'start';
  readonly gutter: number;
  readonly rowHeight: number;
  readonly axis: number;
  readonly hover: number | null;
}

export function drawCompare(on: CanvasRenderingContext2D, scene: CompareScene, palette: Palette, width: number): void {
  const right = width - 16;
  const x = (at: number): number =>
    scene.gutter + ((at - scene.from) / (scene.to - scene.from)) * (right - scene.gutter);
  on.save();
  on.beginPath();
  on.rect(0, 0, right + 14, scene.axis + scene.rowHeight * scene.sides.length);
  on.clip();
  on.lineWidth = 1;
  on.font = palette.font11;
  on.textBaseline = 'middle';
  on.textAlign = 'center';
  for (const tick of scene.ticks) {
    const at = Math.round(x(tick.at)) + 0.5;
    on.strokeStyle = palette.grid;
    vertical(on, at, scene.axis, scene.axis + scene.rowHeight * scene.sides.length);
    on.strokeStyle = palette.line2;
    vertical(on, at, scene.axis - 4, scene.axis);
    on.fillStyle = tick.at === 0 && scene.zero === 'fault' ? palette.roleFirstText : palette.text3;
    on.fillText(tick.label, at, scene.axis / 2);
  }
  scene.sides.forEach((side, i) => {
    const top = scene.axis + i * scene.rowHeight;
    on.save();
    on.beginPath();
    on.rect(scene.gutter, top, right - scene.gutter, scene.rowHeight);
    on.clip();
    drawSide(on, side, { scene, palette, top, x, right });
    on.restore();
    on.strokeStyle = palette.line1;
    on.beginPath();
    on.moveTo(0, top + scene.rowHeight - 0.5);
    on.lineTo(right + 14, top + scene.rowHeight - 0.5);
    on.stroke();
  });
  on.restore();
  if (scene.from <= 0 && scene.to >= 0) {
    const colour = scene.zero === 'fault' ? palette.roleFirst : palette.text3;
    on.fillStyle = colour;
    on.fillRect(x(0) - 0.75, scene.axis - 6, 1.5, 6 + scene.rowHeight * scene.sides.length);
    on.beginPath();
    on.moveTo(x(0) - 4, scene.axis - 8);
    on.lineTo(x(0) + 4, scene.axis - 8);
    on.lineTo(x(0), scene.axis - 1);
    on.fill();
  }
  if (scene.hover !== null) {
    on.strokeStyle = palette.text3;
    vertical(on, Math.round(x(scene.hover)) + 0.5, scene.axis, scene.axis + scene.rowHeight * scene.sides.length);
  }
}

interface SideParts {
  readonly scene: CompareScene;
  readonly palette: Palette;
  readonly top: number;
  readonly x: (at: number) => number;
  readonly right: number;
}

function drawSide(on: CanvasRenderingContext2D, side: StripSide, parts: SideParts): void {
  const { scene, palette, top, x, right } = parts;
  const base = top + scene.rowHeight - 6;
  const high = scene.rowHeight - 34;
  // Outside of its own time a case has nothing to show: the ground says so.
  on.fillStyle = palette.surface1;
  if (side.from > scene.from) on.fillRect(scene.gutter, top, x(side.from) - scene.gutter, scene.rowHeight);
  if (side.to < scene.to) on.fillRect(x(side.to), top, right - x(side.to), scene.rowHeight);
  if (side.halfNs !== null && side.halfNs > 0) {
    on.globalAlpha = 0.12;
    on.fillStyle = palette.roleFirst;
    on.fillRect(x(-side.halfNs), top, x(side.halfNs) - x(-side.halfNs), scene.rowHeight);
    on.globalAlpha = 1;
  }
  const { waiting, errors } = side;
  if (waiting !== null) {
    const step = (right - scene.gutter) / waiting.length;
    const y = (value: number): number => base - (value / Math.max(1, side.ranks)) * high;
    on.beginPath();
    on.moveTo(scene.gutter, base);
    waiting.forEach((value, i) => {
      on.lineTo(scene.gutter + i * step, y(value));
      on.lineTo(scene.gutter + (i + 1) * step, y(value));
    });
    on.lineTo(right, base);
    on.fillStyle = palette.roleVictimTint;
    on.fill();
    on.strokeStyle = palette.collRunning;
    on.stroke();
  }
  if (errors === null) return;
  const step = (right - scene.gutter) / errors.length;
  const most = errors.reduce((a, b) => Math.max(a, b), 1);
  on.fillStyle = palette.sevError;
  errors.forEach((value, i) => {
    if (value === 0) return;
    const height = Math.max(3, Math.sqrt(value / most) * 14);
    on.fillRect(scene.gutter + i * step, top + 24 - height + 2, Math.max(1.5, step - 0.5), height);
  });
}

function vertical(on: CanvasRenderingContext2D, x: number, from: number, to: number): void {
  on.beginPath();
  on.moveTo(x, from);
  on.lineTo(x, to);
  on.stroke();
}
