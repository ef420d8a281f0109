/** Offsets of clocks over time: guaranteed and likely bands with their estimate, the evidence as points, the first fault as a line. */
import 'uplot/dist/uPlot.min.css';
import './clock-bands.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { BandsPicture, DrawnBand, DrawnPoint } from '../viewmodels/clocks/bands.ts';
import { tickWords } from '../viewmodels/clocks/ticks.ts';
import type { Palette } from './palette.ts';

interface ClockBandsProps {
  readonly picture: BandsPicture;
  readonly palette: Palette;
  readonly height: number;
  readonly ticksFor: (widthPx: number) => readonly { readonly at: number; readonly label: string }[];
  readonly fault: { readonly atNs: number; readonly label: string } | null;
  /** Point that is looked at. */
  readonly point: string | null;
  readonly onPoint: (key: string) => void;
  readonly onClock: (clock: string) => void;
  readonly onHover: (atNs: number | null) => void;
  readonly listenCursor: (listener: (atNs: number | null) => void) => () => void;
}

/** Room for the names at the right end, CSS px at normal text size. */
const LABELS_PX = 190;
const LABELS_NARROW_PX = 132;
const NARROW_PX = 620;
/** A click this near to a point means it. */
const CLICK_PX = 10;
const COLUMNS = 5;

export function ClockBands(props: ClockBandsProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { picture, palette, height, point } = props;
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const plot = new uPlot(
      optionsOf(latest, { picture, palette, width: element.clientWidth, height }),
      dataOf(picture),
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    const stop = latest.current.listenCursor((at) => {
      const left = at === null ? -10 : plot.valToPos(at, 'x');
      if (Math.abs((plot.cursor.left ?? -10) - left) > 0.5) plot.setCursor({ left, top: -10 }, false);
    });
    drawn.set(element, plot);
    return () => {
      stop();
      observer.disconnect();
      plot.destroy();
      drawn.delete(element);
    };
  }, [picture, palette, height]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another point is another drawing of the same plot
  useEffect(() => {
    if (host.current !== null) drawn.get(host.current)?.redraw(false);
  }, [point]);
  return <div className="clock-bands" ref={host} role="img" aria-label={picture.summary} style={{ height }} />;
}

const drawn = new WeakMap<Element, uPlot>();

function dataOf({ momentsNs, bands }: BandsPicture): uPlot.AlignedData {
  const columns = bands.flatMap((band) => [band.low, band.high, band.likelyLow, band.likelyHigh, band.estimate]);
  return [momentsNs, ...columns].map((column) => [...column]) as uPlot.AlignedData;
}

type Latest = { readonly current: ClockBandsProps };
interface Shape {
  readonly picture: BandsPicture;
  readonly palette: Palette;
  readonly width: number;
  readonly height: number;
}

function optionsOf(latest: Latest, { picture, palette, width, height }: Shape): uPlot.Options {
  const { momentsNs, least, most, bands } = picture;
  const labels = (width < NARROW_PX ? LABELS_NARROW_PX : LABELS_PX) * palette.scale;
  return {
    width,
    height,
    padding: [18 * palette.scale, labels, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, bind: bindings(latest) },
    scales: {
      x: { time: false, auto: false, range: () => [momentsNs[0] ?? 0, momentsNs.at(-1) ?? 1] },
      y: { auto: false, range: () => [least, most] },
    },
    axes: axesOf(latest, palette),
    series: [{}, ...bands.flatMap((band) => seriesOf(band, palette))],
    bands: bands.flatMap((band, i): uPlot.Band[] => {
      const first = 1 + i * COLUMNS;
      const tint = (share: number): string => withAlpha(palette.seriesEdge, band.isChosen ? share : share / 3);
      return [
        { series: [first + 1, first], fill: tint(0.22) },
        { series: [first + 3, first + 2], fill: tint(0.55) },
      ];
    }),
    hooks: { draw: [(plot) => drawOver(plot, latest.current)] },
  };
}

function bindings(latest: Latest): uPlot.Cursor.Bind {
  return {
    mousemove: (plot, _target, handler) => (event) => {
      handler(event);
      latest.current.onHover(plot.posToVal(event.offsetX, 'x'));
      return null;
    },
    mouseleave: (_plot, _target, handler) => (event) => {
      handler(event);
      latest.current.onHover(null);
      return null;
    },
    click: (plot, _target, handler) => (event) => {
      handler(event);
      pick(plot, latest.current, event.offsetX, event.offsetY);
      return null;
    },
  };
}

/** The nearest point within reach, else the band whose estimate is nearest. */
function pick(plot: uPlot, { picture, onPoint, onClock }: ClockBandsProps, x: number, y: number): void {
  let best: { readonly key: string; readonly px: number } | undefined;
  for (const { points } of picture.bands) {
    for (const point of points) {
      const [left, top] = placeOf(plot, picture, point, 'css');
      const px = Math.hypot(left - x, top - y);
      if (px <= CLICK_PX && (best === undefined || px < best.px)) best = { key: point.key, px };
    }
  }
  if (best !== undefined) {
    onPoint(best.key);
    return;
  }
  const at = plot.posToIdx(x);
  const value = plot.posToVal(y, 'y');
  const inside = picture.bands
    .filter(({ low, high }) => (low[at] ?? Infinity) <= value && (high[at] ?? -Infinity) >= value)
    .sort((a, b) => Math.abs((a.estimate[at] ?? 0) - value) - Math.abs((b.estimate[at] ?? 0) - value))[0];
  if (inside !== undefined) onClock(inside.clock);
}

function axesOf(latest: Latest, palette: Palette): uPlot.Axis[] {
  const ticks = (plot: uPlot) => latest.current.ticksFor(plot.bbox.width / devicePixelRatio);
  const common = { stroke: palette.text3, font: palette.font11, ticks: { show: false } } as const;
  return [
    {
      ...common,
      size: 26 * palette.scale,
      gap: 6,
      grid: { stroke: palette.grid, width: 1 },
      splits: (plot) => ticks(plot).map((tick) => tick.at),
      values: (plot) => ticks(plot).map((tick) => tick.label),
    },
    {
      ...common,
      size: 66 * palette.scale,
      gap: 8,
      space: 44,
      grid: { stroke: palette.grid, width: 1 },
      values: (_plot, splits) => tickWords(splits),
    },
  ];
}

function seriesOf(band: DrawnBand, palette: Palette): uPlot.Series[] {
  const line = (stroke: string, width: number, dash?: number[]): uPlot.Series => ({
    stroke,
    width,
    points: { show: false },
    spanGaps: false,
    ...(dash === undefined ? {} : { dash }),
  });
  const edge = band.isChosen ? palette.series1 : palette.seriesEdge;
  const dash = band.isChosen ? undefined : [2, 3];
  const core = band.isReference ? palette.orderCertain : palette.series1;
  return [
    line(edge, 1, dash),
    line(edge, 1, dash),
    line('transparent', 0),
    line('transparent', 0),
    line(core, band.isReference || band.isChosen ? 1.5 : 1),
  ];
}

function drawOver(plot: uPlot, props: ClockBandsProps): void {
  const { ctx } = plot;
  ctx.save();
  drawFault(plot, props);
  for (const band of props.picture.bands) for (const point of band.points) drawPoint(plot, props, point);
  drawLabels(plot, props);
  ctx.restore();
}

function drawFault(plot: uPlot, { fault, palette }: ClockBandsProps): void {
  if (fault === null) return;
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const x = plot.valToPos(fault.atNs, 'x', true);
  if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) return;
  ctx.fillStyle = palette.roleFirst;
  ctx.fillRect(x - 0.75 * ratio, bbox.top - 4 * ratio, 1.5 * ratio, bbox.height + 4 * ratio);
  triangle(ctx, x, bbox.top - 6 * ratio, 4 * ratio, 'down');
  ctx.font = scaled(palette.font11Medium, ratio);
  ctx.fillStyle = palette.roleFirstText;
  ctx.textBaseline = 'middle';
  const left = x - bbox.left > ctx.measureText(fault.label).width + 12 * ratio;
  ctx.textAlign = left ? 'right' : 'left';
  ctx.fillText(fault.label, x + (left ? -8 : 8) * ratio, bbox.top - 8 * ratio);
}

function drawPoint(plot: uPlot, { picture, palette, point: chosen }: ClockBandsProps, point: DrawnPoint): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const [x, y] = placeOf(plot, picture, point, 'canvas');
  ctx.lineWidth = 1.25 * ratio;
  if (point.shape === 'hollow') {
    ctx.beginPath();
    ctx.arc(x, y, 3.25 * ratio, 0, 2 * Math.PI);
    ctx.fillStyle = palette.surface0;
    ctx.fill();
    ctx.strokeStyle = palette.text2;
    ctx.stroke();
  } else {
    ctx.fillStyle = palette.text2;
    triangle(ctx, x, y, 4 * ratio, point.shape);
  }
  if (point.key !== chosen) return;
  ctx.beginPath();
  ctx.arc(x, y, 8 * ratio, 0, 2 * Math.PI);
  ctx.strokeStyle = palette.focus;
  ctx.lineWidth = 1.75 * ratio;
  ctx.stroke();
}

/** Points beyond the picture stand at its edge. */
function placeOf(
  plot: uPlot,
  { momentsNs, least, most }: BandsPicture,
  point: DrawnPoint,
  pixels: 'canvas' | 'css',
): [number, number] {
  const at = Math.min(Math.max(point.atNs, momentsNs[0] ?? 0), momentsNs.at(-1) ?? 0);
  const value = Math.min(Math.max(point.valueMs, least), most);
  const onCanvas = pixels === 'canvas';
  return [plot.valToPos(at, 'x', onCanvas), plot.valToPos(value, 'y', onCanvas)];
}

function triangle(ctx: CanvasRenderingContext2D, x: number, y: number, r: number, way: 'down' | 'up'): void {
  const tip = way === 'down' ? r : -r;
  ctx.beginPath();
  ctx.moveTo(x - r, y - tip);
  ctx.lineTo(x + r, y - tip);
  ctx.lineTo(x, y + tip * 0.8);
  ctx.closePath();
  ctx.fill();
}

/** Names at the right end, moved apart where they would lie on each other. */
function drawLabels(plot: uPlot, { picture, palette }: ClockBandsProps): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const line = 16 * palette.scale * ratio;
  const left = bbox.left + bbox.width + 12 * ratio;
  const room = plot.width * ratio - left - 4 * ratio;
  const wanted = picture.bands
    .map((band) => ({ band, y: plot.valToPos(band.estimate.findLast((value) => value !== null) ?? 0, 'y', true) }))
    .sort((a, b) => a.y - b.y || (a.band.clock < b.band.clock ? -1 : 1));
  // Names alone where there is no room for what stands in the table too.
  const withNotes = wanted.length * (line * 2 + 6 * ratio) <= bbox.height;
  const tall = withNotes ? line * 2 : line;
  const step = tall + (withNotes ? 6 : 1) * ratio;
  const fits = Math.max(1, Math.floor(bbox.height / step));
  const shown = wanted.length <= fits ? wanted : keepMostTelling(wanted, fits);
  let next = bbox.top;
  const tops = shown.map(({ y }) => {
    const top = Math.max(next, y - tall / 2);
    next = top + step;
    return top;
  });
  const over = Math.max(0, next - step + tall - (bbox.top + bbox.height));
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  for (const [i, { band }] of shown.entries()) {
    const top = Math.max(bbox.top + i * step, (tops[i] ?? 0) - over);
    ctx.font = scaled(palette.font12Medium, ratio);
    ctx.fillStyle = band.isChosen || band.isReference ? palette.text1 : palette.text2;
    ctx.fillText(cut(ctx, band.title, room), left, top);
    if (!withNotes) continue;
    ctx.font = scaled(palette.font11, ratio);
    ctx.fillStyle = palette.text3;
    ctx.fillText(cut(ctx, band.note, room), left, top + line);
  }
}

/** The chosen clock and the reference keep their names; then from the top. */
function keepMostTelling<T extends { readonly band: DrawnBand }>(all: readonly T[], count: number): readonly T[] {
  const ranked = [...all].sort((a, b) => weight(b.band) - weight(a.band)).slice(0, count);
  return all.filter((one) => ranked.includes(one));
}
const weight = ({ isChosen, isReference }: DrawnBand): number => (isChosen ? 2 : 0) + (isReference ? 1 : 0);

function cut(ctx: CanvasRenderingContext2D, text: string, room: number): string {
  if (ctx.measureText(text).width <= room) return text;
  let from = 0;
  let to = text.length;
  while (from < to) {
    const half = (from + to + 1) >> 1;
    if (ctx.measureText(`${text.slice(0, half)}…`).width <= room) from = half;
    else to = half - 1;
  }
  return `${text.slice(0, from)}…`;
}

const scaled = (font: string, ratio: number): string =>
  font.replace(/([\d.]+)px/, (_, px: string) => `${Number(px) * ratio}px`);

function withAlpha(colour: string, alpha: number): string {
  return `color-mix(in srgb, ${colour} ${Math.round(alpha * 100)}%, transparent)`;
}
