/** The mark of one rank: as a cell with its form, and solid where cells are a few px. */
import type { CellLook } from '../viewmodels/ranks/looks.ts';
import type { Palette } from './palette.ts';
import type { Patterns } from './patterns.ts';

export interface CellParts {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Width; the mark inside is as high as it is wide. */
  readonly sizeX: number;
  readonly palette: Palette;
  readonly patterns: Patterns | null;
}

const STEP_ALPHA = [0.16, 0.34, 0.54, 0.76, 1] as const;

export function drawCell(
  on: CanvasRenderingContext2D,
  look: CellLook,
  parts: CellParts & { readonly rank: number },
): void {
  const { x, y, size, sizeX, palette, patterns } = parts;
  const box = (fill: string | CanvasPattern | null, edge: string | null, dash = false): void => {
    on.beginPath();
    on.roundRect(x + 0.5, y + 0.5, sizeX - 1, size - 1, 2.5);
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
    on.fillRect(Math.round(x + (sizeX - s) / 2), Math.round(y + (size - s) / 2), s, s);
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
      on.fillRect(x + sizeX / 2 - size * 0.2, Math.round(y + size / 2) - 1, size * 0.4, 2);
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

export function edge(
  on: CanvasRenderingContext2D,
  { x, y, size, sizeX }: CellParts,
  colour: string,
  alpha: number,
): void {
  const kept = on.globalAlpha;
  on.globalAlpha = kept * alpha;
  on.strokeStyle = colour;
  on.lineWidth = 1;
  on.beginPath();
  on.roundRect(x + 0.5, y + 0.5, sizeX - 1, size - 1, 2.5);
  on.stroke();
  on.globalAlpha = kept;
}

function cross(on: CanvasRenderingContext2D, { x, y, size, sizeX }: CellParts, colour: string): void {
  const [across, down, half] = [x + sizeX / 2, y + size / 2, size * 0.2];
  on.strokeStyle = colour;
  on.lineWidth = 1.5;
  on.beginPath();
  on.moveTo(across - half, down - half);
  on.lineTo(across + half, down + half);
  on.moveTo(across + half, down - half);
  on.lineTo(across - half, down + half);
  on.stroke();
}

function centred(
  on: CanvasRenderingContext2D,
  text: string,
  { x, y, size, sizeX, palette }: CellParts,
  colour: string,
): void {
  on.font =
    text.length > 3 ? `${palette.font11Medium.replace(/[\d.]+px/, `${8 * palette.scale}px`)}` : palette.font11Medium;
  if (on.measureText(text).width > sizeX - 1) return;
  on.fillStyle = colour;
  on.textAlign = 'center';
  on.textBaseline = 'middle';
  on.fillText(text, x + sizeX / 2, y + size / 2 + 0.5);
  on.textBaseline = 'alphabetic';
}

/** Six px and less: a solid fill each; what waits is quiet with an edge, what is missing a pattern in pixels. */
export function drawSmall(
  on: CanvasRenderingContext2D,
  look: CellLook,
  { x, y, size, palette, patterns }: CellParts,
): void {
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
