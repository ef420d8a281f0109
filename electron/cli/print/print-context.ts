import type { Paint } from './paint.ts';

/** How to print: columns, colour, glyphs. */
export interface PrintContext {
  readonly width: number;
  readonly paint: Paint;
  readonly unicode: boolean;
}

/** Narrower and lines turn to confetti; wider and they cannot be read: chosen. */
export const clampWidth = (columns: number | undefined): number => Math.min(120, Math.max(60, columns ?? 100));
