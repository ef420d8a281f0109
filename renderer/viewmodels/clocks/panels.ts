/**
 * Each clock at a scale of its own: what is left of its band when its offset is taken away, so that bounds, drift and evidence show however far
 * the clock is off; beside them all offsets on one axis. All text is escaped here.
 */
import type { ReportClockDomain } from '#shared/report/clock-schema.ts';
import type { Report } from '#shared/report/schema.ts';
import { plusMinus } from '#shared/text/clock-text.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import type { ClockBandView, ClocksView } from '#shared/views/clocks/types.ts';
import { type DrawnPoint, gapsOf, MAX_BANDS, pointsOf } from './bands.ts';
import { groupedMs, titleOf, troubleOrder } from './table.ts';

export interface ClockPanel {
  readonly clock: string;
  readonly title: string;
  /** `+57 930 ms`. */
  readonly offset: string;
  /** `±800 ms, likely ±379 ms`. */
  readonly bounds: string;
  /** `127.5 ppm`; empty = not known. */
  readonly drift: string;
  /** What is wrong or open with it, in a word; empty = nothing. */
  readonly trouble: string;
  readonly isFault: boolean;
  readonly isChosen: boolean;
  /** Residuals: ms minus the offset of the incident, one a moment; NaN = the clock was being set, ∓Infinity = open. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly likelyLow: Float64Array;
  readonly likelyHigh: Float64Array;
  readonly estimate: Float64Array;
  /** Residual ms as well. */
  readonly points: readonly DrawnPoint[];
  /** Scale, ms. */
  readonly least: number;
  readonly most: number;
  /** The same as a sentence. */
  readonly words: string;
}

export interface OffsetMark {
  readonly clock: string;
  readonly title: string;
  readonly offset: string;
  readonly ms: number;
  readonly isReference: boolean;
  readonly isChosen: boolean;
}

export interface PanelsPicture {
  readonly momentsNs: Float64Array;
  /** What is shown of time: all moments and the first fault. */
  readonly fromNs: number;
  readonly toNs: number;
  /** The chosen clock first, then by trouble; without the reference. */
  readonly panels: readonly ClockPanel[];
  /** Related clocks without a panel. */
  readonly hidden: number;
  /** All of the panels and the reference, the farthest ahead first. */
  readonly offsets: readonly OffsetMark[];
  readonly summary: string;
}

/** `withPoints`: evidence lies where it was put against the case's own reference, not against another one. */
export function panelsPicture(
  view: ClocksView,
  report: Report,
  { chosen, withPoints }: { readonly chosen: string | null; readonly withPoints: boolean },
): PanelsPicture {
  const { reference, domains } = report.clock;
  const order = new Map(troubleOrder(report).map((id, i) => [id, i]));
  const place = (id: string): number => (id === chosen ? -1 : (order.get(id) ?? order.size));
  const related = view.bands
    .filter(({ clock }) => clock !== reference)
    .sort((a, b) => place(a.clock) - place(b.clock) || (a.clock < b.clock ? -1 : 1));
  const shown = related.slice(0, MAX_BANDS);
  const panels = shown.flatMap((band) => {
    const domain = domains.find(({ id }) => id === band.clock);
    return domain === undefined ? [] : panelOf(view, report, band, domain, { chosen, withPoints });
  });
  return {
    momentsNs: view.momentsNs,
    ...spanOf(view),
    panels,
    hidden: related.length - shown.length,
    offsets: offsetMarks(report, panels, chosen),
    summary: `Offset of ${panels.length + 1} clocks, each at its own scale. ${[referenceWords(report), ...panels.map(({ title, offset, bounds }) => `${title}: ${offset}, ${bounds}`)].join('; ')}. The table below has all of it.`,
  };
}

/** Bands are told for the stamps of the bundle; moved onto the common time a fault may lie outside of them. */
function spanOf({ momentsNs, firstFault }: ClocksView): { readonly fromNs: number; readonly toNs: number } {
  const [from, to] = [momentsNs[0] ?? 0, momentsNs.at(-1) ?? 1];
  if (firstFault === null || (firstFault.atNs >= from && firstFault.atNs <= to)) return { fromNs: from, toNs: to };
  const room = Math.abs(to - from) * 0.05;
  return { fromNs: Math.min(from, firstFault.atNs - room), toNs: Math.max(to, firstFault.atNs + room) };
}

const referenceWords = (report: Report): string =>
  report.clock.reference === null ? '' : `${titleOf(report, report.clock.reference)}: reference, 0`;

function offsetMarks(report: Report, panels: readonly ClockPanel[], chosen: string | null): readonly OffsetMark[] {
  const { reference, domains } = report.clock;
  const marks = panels.flatMap(({ clock, title, offset }): OffsetMark[] => {
    const ms = domains.find(({ id }) => id === clock)?.offsetMs?.estimate;
    return ms === undefined ? [] : [{ clock, title, offset, ms, isReference: false, isChosen: clock === chosen }];
  });
  const own =
    reference === null
      ? []
      : [
          {
            ...{ clock: reference, title: titleOf(report, reference), offset: 'reference, 0', ms: 0 },
            ...{ isReference: true, isChosen: reference === chosen },
          },
        ];
  return [...marks, ...own].sort((a, b) => b.ms - a.ms || (a.clock < b.clock ? -1 : 1));
}

function panelOf(
  view: ClocksView,
  report: Report,
  band: ClockBandView,
  { offsetMs, quality, driftPpm, anchors }: ReportClockDomain,
  { chosen, withPoints }: { readonly chosen: string | null; readonly withPoints: boolean },
): readonly ClockPanel[] {
  if (offsetMs === null) return [];
  const centre = offsetMs.estimate;
  const gaps = gapsOf(view, band.clock);
  const residual = (values: Float64Array): Float64Array =>
    values.map((value, i) => (gaps.has(i) ? Number.NaN : value - centre));
  const columns = {
    low: residual(band.low),
    high: residual(band.high),
    likelyLow: residual(band.likelyLow),
    likelyHigh: residual(band.likelyHigh),
    estimate: residual(band.estimate),
  };
  const title = titleOf(report, band.clock);
  const offset = `${groupedMs(centre)} ms`;
  const bounds = boundsWords(offsetMs);
  const drift = driftPpm === null ? '' : `${Math.abs(driftPpm).toFixed(1)} ppm`;
  const trouble = quality === 'good' || quality === 'loose' ? '' : quality;
  const points = withPoints ? pointsOf(band).map((one) => ({ ...one, valueMs: one.valueMs - centre })) : [];
  const [least, most] = scaleOf(Object.values(columns), points);
  const words = [
    `${title}: ${offset}, ${bounds}`,
    drift === '' ? '' : `drift ${drift}`,
    plural(anchors, 'anchor'),
    band.rejected.length === 0 ? '' : `${formatCount(band.rejected.length)} rejected`,
    trouble,
  ];
  return [
    {
      ...{ clock: band.clock, title, offset, bounds, drift, trouble, points },
      ...columns,
      isFault: quality === 'contradictory',
      isChosen: band.clock === chosen,
      least,
      most,
      words: words.filter((part) => part !== '').join(', '),
    },
  ];
}

/** `±800 ms, likely ±379 ms`; `one side open`. */
export function boundsWords({
  estimate,
  low,
  high,
  likelyLow,
  likelyHigh,
}: NonNullable<ReportClockDomain['offsetMs']>): string {
  const half = (a: number | null, b: number | null): string | null =>
    a === null || b === null ? null : plusMinus(Math.max(b - estimate, estimate - a));
  const sure =
    half(low, high) ??
    (low === null && high === null ? 'both sides open' : `${low === null ? 'lower' : 'upper'} side open`);
  const likely = half(likelyLow, likelyHigh);
  return likely === null ? sure : `${sure}, likely ${likely}`;
}

/** Share of a band's moments that a scale need not show: far from all evidence a band opens without end. */
const OUTSIDE = 0.1;

/** Room beside what has to be seen, and how much more may be taken for evidence that lies just outside; shares of the scale. */
const ROOM = 0.1;
const FOR_POINTS = 0.5;

/** As far as the columns reach nearly all the time, and the offset itself, with room. */
function scaleOf(columns: readonly Float64Array[], points: readonly DrawnPoint[]): readonly [number, number] {
  let [least, most] = [0, 0];
  for (const column of columns) {
    const sorted = column.filter(Number.isFinite).sort();
    if (sorted.length === 0) continue;
    least = Math.min(least, sorted[Math.floor(sorted.length * OUTSIDE)] ?? 0);
    most = Math.max(most, sorted[Math.ceil(sorted.length * (1 - OUTSIDE)) - 1] ?? 0);
  }
  const more = (most - least) * FOR_POINTS;
  const near = points.flatMap(({ valueMs }) => (valueMs > least - more && valueMs < most + more ? [valueMs] : []));
  [least, most] = [Math.min(least, ...near), Math.max(most, ...near)];
  const room = Math.max(0.005, (most - least) * ROOM);
  return [least - room, most + room];
}

/** Offsets this many times as far apart as the bands are wide make a flat line of each band; so does one that is so many times wider. */
const FLAT_FROM = 8;

/** Whether one scale for all would hide the bands. */
export function isFlatOnOneScale({ clock }: Report): boolean {
  const known = clock.domains.flatMap(({ offsetMs }) => offsetMs ?? []);
  const spread =
    Math.max(...known.map(({ estimate }) => estimate)) - Math.min(...known.map(({ estimate }) => estimate));
  const widths = known.flatMap(({ low, high, likelyLow, likelyHigh }) => {
    const width = (a: number | null, b: number | null): number => (a === null || b === null ? Infinity : b - a);
    const own = Math.min(width(low, high), width(likelyLow, likelyHigh));
    return own > 0 && Number.isFinite(own) ? [own] : [];
  });
  if (known.length < 2) return false;
  const middle = widths.sort((a, b) => a - b)[widths.length >> 1];
  return middle !== undefined && Math.max(spread, widths.at(-1) ?? 0) > middle * FLAT_FROM;
}

/** Tops of labels of one height, moved apart where they would lie on each other, inside [0, height]; `wanted` ascending, their middles. */
export function spreadLabels(wanted: readonly number[], label: number, height: number): readonly number[] {
  let next = 0;
  const tops = wanted.map((middle) => {
    const top = Math.max(next, middle - label / 2);
    next = top + label;
    return top;
  });
  let limit = height;
  for (let i = tops.length - 1; i >= 0; i--) {
    const top = Math.min(tops[i] ?? 0, limit - label);
    tops[i] = top;
    limit = top;
  }
  return tops;
}
