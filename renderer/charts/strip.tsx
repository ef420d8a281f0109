/** uPlot as a component: bars, steps or a band over a span of time. It never zooms by itself: what is dragged is told. */
import 'uplot/dist/uPlot.min.css';
import './strip.css';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { TimeSpan } from '../viewmodels/timeline/span.ts';
import { inTurn } from './in-turn.ts';
import type { Palette } from './palette.ts';

export interface StripSeries {
  readonly name: string;
  readonly colour: string;
  /** Under steps; the colour itself if absent. */
  readonly fill?: string;
  /** A line has nothing under it. */
  readonly kind: 'bars' | 'steps' | 'line';
  /** px; 1 if absent. */
  readonly width?: number;
  /** Null = a gap. */
  readonly values: Float64Array | (number | null)[];
}

export interface StripWalk {
  readonly label: string;
  readonly columns: number;
  /** What is said of a column. */
  readonly textAt: (column: number) => string;
}

interface StripProps {
  readonly palette: Palette;
  readonly height: number;
  readonly span: TimeSpan;
  /** Start of each column. */
  readonly times: Float64Array;
  /** Back to front. Heights share one scale. */
  readonly series: readonly StripSeries[];
  readonly ticks?: readonly { readonly at: number; readonly label: string }[];
  /** The first fault, through every strip. */
  readonly faultAt: number | null;
  /** What another view shows of it. */
  readonly window?: TimeSpan;
  /** Ends of the height; absent = from 0 to the greatest value. */
  readonly range?: readonly [number, number];
  /** Between two of the series, by their index: what lies between is filled. */
  readonly band?: { readonly high: number; readonly low: number; readonly fill: string };
  /** Heights with a line of the grid. */
  readonly grid?: readonly number[];
  /** Steps through its columns by key and is spoken as it does. */
  readonly walk?: StripWalk;
  readonly summary: string;
  readonly onSelect: (span: TimeSpan) => void;
  readonly onHover: (at: number | null) => void;
  /** Calls back with the shared cursor; returns what ends it. */
  readonly listenCursor: (listener: (at: number | null) => void) => () => void;
}

export function Strip(props: StripProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const drawn = useRef<StripProps | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const { palette, height, series } = props;
  const shape = series.map((one) => `${one.name}/${one.kind}`).join(' ');

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new theme, size or set of series makes a new plot; data and span are set below
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let unmake: (() => void) | undefined;
    const takeBack = inTurn(() => {
      const made = new uPlot(optionsOf(latest, element.clientWidth), dataOf(latest.current), element);
      plot.current = made;
      drawn.current = latest.current;
      const observer = new ResizeObserver(() =>
        made.setSize({ width: element.clientWidth, height: latest.current.height }),
      );
      observer.observe(element);
      const stop = latest.current.listenCursor((at) => showCursor(made, at));
      unmake = () => {
        stop();
        observer.disconnect();
        made.destroy();
        plot.current = null;
      };
    });
    return () => {
      takeBack();
      unmake?.();
    };
  }, [palette, height, shape]);

  useEffect(() => {
    const made = plot.current;
    if (made === null) return;
    const last = drawn.current;
    drawn.current = props;
    // Each of these draws once: data rebuild the paths, a new span moves them, the rest only lies over them.
    const isNew = last?.times !== props.times || last.series !== props.series || last.range !== props.range;
    if (isNew) made.setData(dataOf(props), false);
    if (isNew || last?.span !== props.span) made.setScale('x', { min: props.span.from, max: props.span.to });
    else if (last.window !== props.window || last.faultAt !== props.faultAt || last.ticks !== props.ticks)
      made.redraw(false);
  });
  const style = { height: `${height}px` };
  const { walk } = props;
  if (walk === undefined)
    return <div className="strip" ref={host} role="img" aria-label={props.summary} style={style} />;
  return (
    <div
      className="strip"
      ref={host}
      role="slider"
      tabIndex={0}
      aria-label={walk.label}
      aria-valuemin={0}
      aria-valuemax={walk.columns - 1}
      aria-valuenow={0}
      aria-valuetext={props.summary}
      style={style}
      onKeyDown={(event) => walkColumns(event, latest.current, walk)}
      onBlur={() => latest.current.onHover(null)}
    />
  );
}

/** Left and right by a column, with Page keys by a tenth, Home and End; the cursor of all views goes along. */
function walkColumns(event: KeyboardEvent<HTMLDivElement>, { span, onHover }: StripProps, walk: StripWalk): void {
  const { columns } = walk;
  const host = event.currentTarget;
  const now = Number(host.getAttribute('aria-valuenow'));
  const tenth = Math.max(1, Math.round(columns / 10));
  const to: Readonly<Record<string, number>> = {
    ...{
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      PageUp: now - tenth,
      PageDown: now + tenth,
      Home: 0,
      End: columns - 1,
    },
  };
  const wanted = event.ctrlKey || event.metaKey || event.altKey ? undefined : to[event.key];
  if (wanted === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const column = Math.max(0, Math.min(columns - 1, wanted));
  // Hover does not pass through React, and this is one.
  host.setAttribute('aria-valuenow', `${column}`);
  host.setAttribute('aria-valuetext', walk.textAt(column));
  onHover(span.from + ((column + 0.5) / columns) * (span.to - span.from));
}

const dataOf = ({ times, series }: StripProps): uPlot.AlignedData => [times, ...series.map((one) => one.values)];

function showCursor(plot: uPlot, at: number | null): void {
  const left = at === null ? -10 : plot.valToPos(at, 'x');
  if (Math.abs((plot.cursor.left ?? -10) - left) > 0.5) plot.setCursor({ left, top: 0 }, false);
}

function optionsOf(latest: { readonly current: StripProps }, width: number): uPlot.Options {
  const { palette, height, series, ticks } = latest.current;
  const bars = uPlot.paths.bars;
  const steps = uPlot.paths.stepped;
  return {
    width,
    height,
    padding: [2, 0, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false },
      bind: {
        mousemove: (plot, _, handler) => (event) => {
          handler(event);
          const at = plot.posToVal(event.offsetX, 'x');
          latest.current.onHover(at);
          return null;
        },
        mouseleave: (_plot, _target, handler) => (event) => {
          handler(event);
          latest.current.onHover(null);
          return null;
        },
      },
    },
    scales: {
      x: { time: false, auto: false, range: () => [latest.current.span.from, latest.current.span.to] },
      y: {
        range: (_, __, max) => {
          const [from, to] = latest.current.range ?? [0, Math.max(1, max)];
          return [from, to];
        },
      },
    },
    axes: [
      ticks === undefined
        ? { show: false }
        : {
            stroke: palette.text3,
            font: palette.font11,
            size: Math.round(18 * palette.scale),
            gap: 2,
            grid: { show: false },
            ticks: { show: false },
            splits: () => (latest.current.ticks ?? []).map((tick) => tick.at),
            values: () => (latest.current.ticks ?? []).map((tick) => tick.label),
          },
      { show: false },
    ],
    series: [
      {},
      ...series.map(
        (one): uPlot.Series => ({
          label: one.name,
          stroke: one.colour,
          ...(one.kind === 'line' ? {} : { fill: one.fill ?? one.colour }),
          width: one.kind === 'bars' ? 0 : (one.width ?? 1),
          points: { show: false },
          spanGaps: false,
          ...pathsOf(one.kind === 'bars' ? bars?.({ size: [0.8, 100, 1], align: 1 }) : steps?.({ align: 1 })),
        }),
      ),
    ],
    ...bandOf(latest.current),
    hooks: {
      drawClear: [(plot) => drawGrid(plot, latest.current)],
      draw: [(plot) => drawOver(plot, latest.current)],
      setSelect: [
        (plot) => {
          const { left, width: w } = plot.select;
          if (w < 3) return;
          latest.current.onSelect({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + w, 'x') });
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

const bandOf = ({ band }: StripProps): Pick<uPlot.Options, 'bands'> =>
  band === undefined ? {} : { bands: [{ series: [band.high + 1, band.low + 1], fill: band.fill }] };

function drawGrid(plot: uPlot, { grid, palette }: StripProps): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  // uPlot remembers which colours it set last.
  ctx.save();
  ctx.fillStyle = palette.grid;
  for (const value of grid ?? []) {
    const y = Math.round(plot.valToPos(value, 'y', true));
    ctx.fillRect(bbox.left, Math.min(y, bbox.top + bbox.height - ratio), bbox.width, ratio);
  }
  ctx.restore();
}

const pathsOf = (paths: uPlot.Series.PathBuilder | undefined): Pick<uPlot.Series, 'paths'> =>
  paths === undefined ? {} : { paths };

/** Fault line and the window of the lanes, in the canvas's own pixels. */
function drawOver(plot: uPlot, { faultAt, palette, window: shown }: StripProps): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height);
  ctx.clip();
  if (
    shown !== undefined &&
    shown.to - shown.from < 0.98 * ((plot.scales['x']?.max ?? 0) - (plot.scales['x']?.min ?? 0))
  ) {
    const x0 = plot.valToPos(shown.from, 'x', true);
    const x1 = Math.max(x0 + 3 * ratio, plot.valToPos(shown.to, 'x', true));
    ctx.globalAlpha = 0.2;
    ctx.fillStyle = palette.selectionLine;
    ctx.fillRect(x0, 0, x1 - x0, bbox.top + bbox.height);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = palette.selectionLine;
    ctx.lineWidth = ratio;
    ctx.strokeRect(x0 + ratio / 2, ratio / 2, x1 - x0 - ratio, bbox.top + bbox.height - ratio);
  }
  if (faultAt !== null) {
    const x = plot.valToPos(faultAt, 'x', true);
    ctx.fillStyle = palette.roleFirst;
    ctx.fillRect(x - 0.75 * ratio, 0, 1.5 * ratio, bbox.top + bbox.height);
  }
  ctx.restore();
}
