/** What the drawing shows: which clocks, their columns, the scale, and the labels at the right end. */
import type { Report } from '#shared/report/schema.ts';
import { signedMs } from '#shared/text/clock-text.ts';
import type { ClockBandView, ClocksView } from '#shared/views/clocks/types.ts';
import { titleOf } from './table.ts';

/** More bands than this cannot be told apart. */
export const MAX_BANDS = 12;

export interface DrawnBand {
  readonly clock: string;
  readonly title: string;
  /** `+55.9 ±38.0, likely ±12.0`. */
  readonly note: string;
  readonly isReference: boolean;
  readonly isChosen: boolean;
  /** Null = a gap: the clock was set there. Open sides reach past the scale. */
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly likelyLow: readonly (number | null)[];
  readonly likelyHigh: readonly (number | null)[];
  readonly estimate: readonly (number | null)[];
  readonly points: readonly DrawnPoint[];
}

export interface DrawnPoint {
  /** As in the list of anchors. */
  readonly key: string;
  readonly atNs: number;
  readonly valueMs: number;
  readonly shape: 'down' | 'up' | 'hollow';
}

export interface BandsPicture {
  readonly momentsNs: readonly number[];
  readonly bands: readonly DrawnBand[];
  /** Related clocks that are not drawn. */
  readonly hidden: number;
  /** ms. */
  readonly least: number;
  readonly most: number;
  readonly summary: string;
}

export type BandChoice = 'uncertain' | 'chosen';

/** The reference and the chosen clock always; else the least certain ones first. */
export function bandsPicture(
  view: ClocksView,
  report: Report,
  {
    chosen,
    choice,
    withPoints = true,
  }: {
    readonly chosen: string | null;
    readonly choice: BandChoice;
    /** Evidence lies where it was put against the case's own reference: not on bands against another one. */
    readonly withPoints?: boolean;
  },
): BandsPicture {
  const { reference } = report.clock;
  const always = (band: ClockBandView): boolean => band.clock === reference || band.clock === chosen;
  const others = view.bands
    .filter((band) => !always(band))
    .sort((a, b) => widthOf(b) - widthOf(a) || (a.clock < b.clock ? -1 : 1));
  const kept = view.bands.filter(always);
  const alone = choice === 'chosen' ? view.bands.find((band) => band.clock === chosen) : undefined;
  const [least, most] =
    alone === undefined
      ? scaleOf([...kept, ...others.slice(0, MAX_BANDS - kept.length)], true)
      : scaleOf([alone], false);
  // Alone, it fills the picture; the reference is shown where it lies in it.
  const shown =
    alone === undefined
      ? [...kept, ...others.slice(0, MAX_BANDS - kept.length)]
      : kept.filter((band) => band === alone || (least <= 0 && most >= 0));
  const bands = shown.map((band) => drawn(view, report, band, { chosen, reach: [least, most], withPoints }));
  const names = bands.map(({ title, note }) => `${title}: ${note}`).join('; ');
  return {
    momentsNs: [...view.momentsNs],
    bands,
    hidden: view.bands.length - shown.length,
    least,
    most,
    summary: `Offset of ${bands.length} clocks over the incident, ms. ${names}. The table below has all of it.`,
  };
}

/** At the widest; an open side counts as endless. */
function widthOf({ low, high }: ClockBandView): number {
  let most = 0;
  for (let i = 0; i < low.length; i++) most = Math.max(most, (high[i] ?? 0) - (low[i] ?? 0));
  return most;
}

/** Share of a band's moments that its scale need not show at either side: far from all evidence a band opens without end. */
const OUTSIDE = 0.1;

/** Zero and what each band is nearly all the time, with room. Alone, a clock is shown as far as its band reaches. */
function scaleOf(bands: readonly ClockBandView[], withZero: boolean): readonly [number, number] {
  let [least, most] = withZero ? [0, 0] : [Infinity, -Infinity];
  for (const { low, high, likelyLow, likelyHigh, estimate } of bands) {
    for (const column of [low, high, likelyLow, likelyHigh, estimate]) {
      const sorted = column.filter(Number.isFinite).sort();
      if (sorted.length === 0) continue;
      least = Math.min(least, sorted[Math.floor(sorted.length * OUTSIDE)] ?? 0);
      most = Math.max(most, sorted[Math.ceil(sorted.length * (1 - OUTSIDE)) - 1] ?? 0);
    }
  }
  if (least > most) [least, most] = [0, 0];
  const room = Math.max(1, (most - least) * 0.1);
  return [least - room, most + room];
}

function drawn(
  view: ClocksView,
  report: Report,
  band: ClockBandView,
  {
    chosen,
    reach,
    withPoints,
  }: { readonly chosen: string | null; readonly reach: readonly [number, number]; readonly withPoints: boolean },
): DrawnBand {
  const gaps = gapsOf(view, band.clock);
  const [least, most] = reach;
  const past = (most - least) * 2;
  const column = (values: Float64Array): (number | null)[] =>
    Array.from(values, (value, i) =>
      gaps.has(i) ? null : value === Infinity ? most + past : value === -Infinity ? least - past : value,
    );
  const isReference = band.clock === report.clock.reference;
  const isChosen = band.clock === chosen;
  return {
    clock: band.clock,
    title: titleOf(report, band.clock),
    note: isReference ? 'reference, 0' : noteOf(report, band.clock),
    isReference,
    isChosen,
    low: column(band.low),
    high: column(band.high),
    likelyLow: column(band.likelyLow),
    likelyHigh: column(band.likelyHigh),
    estimate: column(band.estimate),
    points: isChosen && withPoints ? pointsOf(band) : [],
  };
}

export function pointsOf(band: ClockBandView): readonly DrawnPoint[] {
  return [
    ...band.anchors.map((one, i) => ({
      key: `anchor-${i}`,
      atNs: one.atNs,
      valueMs: one.valueMs,
      shape: one.side === 'upper' ? ('down' as const) : ('up' as const),
    })),
    ...band.rejected.map((one, i) => ({
      key: `rejected-${i}`,
      atNs: one.atNs,
      valueMs: one.valueMs,
      shape: 'hollow' as const,
    })),
  ];
}

function noteOf({ clock }: Report, id: string): string {
  const offset = clock.domains.find((one) => one.id === id)?.offsetMs;
  if (offset === null || offset === undefined) return 'unknown';
  const half = (low: number | null, high: number | null): string =>
    low === null || high === null ? 'open' : `±${bareMs(Math.max(high - offset.estimate, offset.estimate - low))}`;
  return `${signedMs(offset.estimate)} ${half(offset.low, offset.high)}, likely ${half(offset.likelyLow, offset.likelyHigh)}`;
}

/** Outwards, without its unit. */
const bareMs = (ms: number): string =>
  ms >= 10 ? String(Math.ceil(ms - 1e-6)) : (Math.ceil(ms * 10 - 1e-5) / 10).toFixed(1);

/** Positions of the moments at which the clock was being set: at least one, so that a break is seen. */
export function gapsOf({ momentsNs, steps }: ClocksView, clock: string): ReadonlySet<number> {
  const gaps = new Set<number>();
  for (const step of steps) {
    if (step.clock !== clock) continue;
    const [from, to] = [Math.min(step.fromNs, step.toNs), Math.max(step.fromNs, step.toNs)];
    let nearest = -1;
    momentsNs.forEach((at, i) => {
      if (at >= from && at <= to) gaps.add(i);
      if (nearest < 0 || Math.abs(at - to) < Math.abs((momentsNs[nearest] ?? 0) - to)) nearest = i;
    });
    if (nearest >= 0) gaps.add(nearest);
  }
  return gaps;
}
