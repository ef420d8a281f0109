/** Patterns at the screen's own scale: missing evidence, and the hatch of waiting. Made once a theme and scale. */
import type { Palette } from './palette.ts';

export interface Patterns {
  /** 45° lines: there is no file. */
  readonly noFile: CanvasPattern;
  /** Dots: a file without records. */
  readonly noRecords: CanvasPattern;
  /** Cross-hatch: overwritten. */
  readonly overwritten: CanvasPattern;
  readonly waiting: CanvasPattern;
}

const cache = new WeakMap<Palette, Map<number, Patterns>>();

export function patternsOf(context: CanvasRenderingContext2D, palette: Palette, ratio: number): Patterns | null {
  const known = cache.get(palette)?.get(ratio);
  if (known !== undefined) return known;
  const made = makePatterns(context, palette, ratio);
  if (made === null) return null;
  const byRatio = cache.get(palette) ?? new Map<number, Patterns>();
  cache.set(palette, byRatio.set(ratio, made));
  return made;
}

function makePatterns(context: CanvasRenderingContext2D, palette: Palette, ratio: number): Patterns | null {
  const noFile = tile(context, 7, ratio, (on, s) => diagonal(on, s, palette.collMissing, ratio));
  const noRecords = tile(context, 5, ratio, (on, s) => {
    on.fillStyle = palette.collMissing;
    on.fillRect(Math.floor(s / 2), Math.floor(s / 2), Math.max(1, ratio), Math.max(1, ratio));
  });
  const overwritten = tile(context, 6, ratio, (on, s) => {
    diagonal(on, s, palette.collMissing, ratio);
    on.translate(s, 0);
    on.scale(-1, 1);
    diagonal(on, s, palette.collMissing, ratio);
  });
  const waiting = tile(context, 7, ratio, (on, s) => {
    on.globalAlpha = 0.45;
    diagonal(on, s, palette.collRunning, ratio);
  });
  return noFile && noRecords && overwritten && waiting ? { noFile, noRecords, overwritten, waiting } : null;
}

function tile(
  context: CanvasRenderingContext2D,
  size: number,
  ratio: number,
  draw: (on: OffscreenCanvasRenderingContext2D, size: number) => void,
): CanvasPattern | null {
  const side = Math.round(size * ratio);
  const canvas = new OffscreenCanvas(side, side);
  const on = canvas.getContext('2d');
  if (on === null) return null;
  draw(on, side);
  const pattern = context.createPattern(canvas, 'repeat');
  pattern?.setTransform(new DOMMatrix([1 / ratio, 0, 0, 1 / ratio, 0, 0]));
  return pattern;
}

/** Three lines, so that the ends of one tile meet those of its neighbours. */
function diagonal(on: OffscreenCanvasRenderingContext2D, size: number, colour: string, ratio: number): void {
  on.strokeStyle = colour;
  on.lineWidth = ratio;
  on.beginPath();
  for (const shift of [-size, 0, size]) {
    on.moveTo(shift - 1, size + 1);
    on.lineTo(shift + size + 1, -1);
  }
  on.stroke();
}
