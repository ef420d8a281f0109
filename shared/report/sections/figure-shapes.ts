/** The figure as rectangles, lines and words on a plane of fixed width, for page and window alike. No colours: names of paints. */
import type { BarState, Figure } from './types.ts';

export const FIGURE_WIDTH = 640;
const GUTTER = 84;
const LANE = 20;
const BAR = 12;
const AXIS = 20;

export type Paint = BarState | 'grid' | 'fault' | 'bound' | 'none';

export type Shape =
  | {
      readonly kind: 'rect';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly paint: Paint;
    }
  | {
      readonly kind: 'line';
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
      readonly paint: Paint;
    }
  | {
      readonly kind: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly weight: 'plain' | 'strong' | 'on-first' | 'quiet';
      readonly anchor: 'start' | 'middle';
    };

export interface FigurePlane {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

/** Two decimals: enough for paper, and the same text everywhere. */
const round = (value: number): number => Math.round(value * 100) / 100;

export function figurePlane(figure: Figure): FigurePlane {
  const height = figure.lanes.length * LANE + AXIS + 4;
  const bottom = figure.lanes.length * LANE + 4;
  const xOf = (at: number): number => round(GUTTER + Math.min(1, Math.max(0, at)) * (FIGURE_WIDTH - GUTTER));
  const shapes: Shape[] = figure.ticks.map(({ at }) => ({
    kind: 'line',
    x1: xOf(at),
    y1: 0,
    x2: xOf(at),
    y2: bottom,
    paint: 'grid',
  }));
  const { fault } = figure;
  if (fault !== null && fault.half > 0) {
    const x = xOf(fault.at - fault.half);
    shapes.push({
      kind: 'rect',
      x,
      y: 0,
      width: round(Math.max(1, xOf(fault.at + fault.half) - x)),
      height: bottom,
      paint: 'bound',
    });
  }
  figure.lanes.forEach((lane, i) => {
    const y = 4 + i * LANE;
    shapes.push({
      kind: 'text',
      x: 0,
      y: y + 10,
      text: lane.label,
      weight: lane.first ? 'strong' : 'plain',
      anchor: 'start',
    });
    if (lane.missing !== null) {
      shapes.push({ kind: 'rect', x: GUTTER, y, width: FIGURE_WIDTH - GUTTER, height: BAR, paint: 'missing' });
      shapes.push({ kind: 'text', x: GUTTER + 6, y: y + 10, text: lane.missing, weight: 'quiet', anchor: 'start' });
    }
    for (const bar of lane.bars) {
      const x = xOf(bar.from);
      const width = round(Math.max(1.5, xOf(bar.to) - x));
      shapes.push({ kind: 'rect', x, y, width, height: BAR, paint: bar.state });
      if (bar.state === 'first' && bar.label !== '' && width > bar.label.length * 5.5 + 8)
        shapes.push({ kind: 'text', x: x + 5, y: y + 9.5, text: bar.label, weight: 'on-first', anchor: 'start' });
    }
  });
  if (fault !== null)
    shapes.push({ kind: 'line', x1: xOf(fault.at), y1: 0, x2: xOf(fault.at), y2: bottom, paint: 'fault' });
  for (const { at, label } of figure.ticks) {
    const x = xOf(at);
    const inside = Math.min(FIGURE_WIDTH - label.length * 3, x);
    shapes.push({ kind: 'text', x: inside, y: bottom + 14, text: label, weight: 'quiet', anchor: 'middle' });
  }
  return { width: FIGURE_WIDTH, height, shapes };
}
