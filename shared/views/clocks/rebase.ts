/**
 * The same clocks against another one of them. Bounds of differences come from the matrix that was solved pair by pair where the case holds
 * it, and from the difference of two intervals where that is tighter or the matrix is missing; both hold, so the tighter end of each does.
 *
 *   d − r ≥ low(d) − high(r)      the difference of two intervals: always true, seldom tight
 *   d − r ≥ matrix(d, r)          shortest paths from d: what all the evidence says of the pair, at the moment of the incident
 *
 * Away from that moment the matrix widens by what both clocks may drift.
 */
import type { ClockBandView, ClockPair, ClocksView } from './types.ts';

/** ms; null = open. */
export interface Ends {
  readonly estimate: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly likelyLow: number | null;
  readonly likelyHigh: number | null;
}

/** (clock − reference) at the moment that the offsets are for. `own` and `other` are both against the stored reference. */
export function differenceOf(own: Ends, other: Ends, pair: ClockPair | undefined): Ends {
  const [low, high] = tighter(
    [less(own.low, other.high), less(own.high, other.low)],
    pair === undefined ? [null, null] : [pair.low, pair.high],
  );
  const [likelyLow, likelyHigh] = tighter(
    [less(own.likelyLow, other.likelyHigh), less(own.likelyHigh, other.likelyLow)],
    pair === undefined ? [null, null] : [pair.likelyLow, pair.likelyHigh],
  );
  const estimate = clamp(own.estimate - other.estimate, likelyLow, likelyHigh);
  return { estimate, low, high, likelyLow, likelyHigh };
}

type Interval = readonly [number | null, number | null];

const less = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a - b);

function tighter([a, b]: Interval, [c, d]: Interval): Interval {
  return [a === null || c === null ? (a ?? c) : Math.max(a, c), b === null || d === null ? (b ?? d) : Math.min(b, d)];
}

const clamp = (value: number, low: number | null, high: number | null): number =>
  Math.min(Math.max(value, low ?? -Infinity), high ?? Infinity);

/** Interval of (clock − reference) in the matrix; undefined if the case holds none for them. */
export function pairIn(view: ClocksView, clock: string, reference: string): ClockPair | undefined {
  const matrix = view.matrix;
  if (matrix == null) return undefined;
  const [i, j] = [matrix.clocks.indexOf(clock), matrix.clocks.indexOf(reference)];
  if (i < 0 || j < 0 || i === j) return undefined;
  const at = i * matrix.clocks.length + j;
  const of = (column: Float64Array): number | null => {
    const value = column[at] ?? Number.NaN;
    return Number.isFinite(value) ? value : null;
  };
  return {
    clock,
    low: of(matrix.low),
    high: of(matrix.high),
    likelyLow: of(matrix.likelyLow),
    likelyHigh: of(matrix.likelyHigh),
    estimate: matrix.estimate[at] ?? 0,
  };
}

/** All bands against the given clock, which must have one; the view as it is if it has none. Evidence stays as it was stored. */
export function rebaseView(view: ClocksView, reference: string): ClocksView {
  const base = view.bands.find(({ clock }) => clock === reference);
  if (base === undefined) return view;
  return { ...view, bands: view.bands.map((band) => rebaseBand(view, band, base)) };
}

function rebaseBand(view: ClocksView, band: ClockBandView, base: ClockBandView): ClockBandView {
  const count = view.momentsNs.length;
  const column = (): Float64Array => new Float64Array(count);
  const made = { low: column(), high: column(), likelyLow: column(), likelyHigh: column(), estimate: column() };
  if (band === base) return { ...band, ...made };
  const pair = pairIn(view, band.clock, base.clock);
  for (let i = 0; i < count; i++) {
    const drift =
      driftBetween(view, band.clock, view.momentsNs[i] ?? 0) + driftBetween(view, base.clock, view.momentsNs[i] ?? 0);
    const ends = differenceOf(endsAt(band, i), endsAt(base, i), pair && widened(pair, drift));
    made.low[i] = ends.low ?? -Infinity;
    made.high[i] = ends.high ?? Infinity;
    made.likelyLow[i] = ends.likelyLow ?? -Infinity;
    made.likelyHigh[i] = ends.likelyHigh ?? Infinity;
    made.estimate[i] = ends.estimate;
  }
  return { ...band, ...made };
}

/** What a clock may have moved between a moment and the one that its row of the matrix is for, ms. */
function driftBetween({ matrix }: ClocksView, clock: string, momentNs: number): number {
  const at = matrix?.atNs[matrix.clocks.indexOf(clock)] ?? momentNs;
  return (Math.abs(momentNs - at) / 1e6) * (matrix?.driftPpm ?? 0) * 1e-6;
}

function endsAt(band: ClockBandView, i: number): Ends {
  const of = (values: Float64Array): number | null => {
    const value = values[i] ?? Number.NaN;
    return Number.isFinite(value) ? value : null;
  };
  return {
    estimate: band.estimate[i] ?? 0,
    low: of(band.low),
    high: of(band.high),
    likelyLow: of(band.likelyLow),
    likelyHigh: of(band.likelyHigh),
  };
}

function widened(pair: ClockPair, by: number): ClockPair {
  const move = (value: number | null, step: number): number | null => (value === null ? null : value + step);
  return {
    ...pair,
    low: move(pair.low, -by),
    high: move(pair.high, by),
    likelyLow: move(pair.likelyLow, -by),
    likelyHigh: move(pair.likelyHigh, by),
  };
}
