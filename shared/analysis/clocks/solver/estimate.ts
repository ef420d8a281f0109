/**
 * One value inside the bounds for each clock, better than their middle: a straight line through what all operations say.
 *
 *   Y_k   middle of what the clocks say of the moment of operation k
 *   c(t)  line that lies above all points (high, Y − high) and below all (low, Y − low), with the largest margin
 *
 * in turn a few times. Then the slopes are taken out, bounds are solved again with hardly any slack from many clocks, and
 * the mean of their middles is a second opinion. The estimate is half-way between the two: their errors differ.
 */
import { boundsFrom, type System } from './bounds.ts';
import { median } from './median.ts';

export interface Estimate {
  /** Correction of each clock at its moment; only differences inside a component mean something. */
  readonly correction: Float64Array;
  /** Slope of the correction against the source's; 0 if the data are too short to tell. */
  readonly slope: Float64Array;
}

const PASSES = 5;
/** Rows that one pass looks at. */
const SAMPLED_ROWS = 500_000;
/** Slopes looked at: ± 250 ppm. */
const MAX_SLOPE = 250e-6;
/** Slack of the last step: rest of the slope's error, and of the spread of one operation's ends. */
const REST_RATE = 2e-6;
const REST_NS = 200_000;
/** A slope is told only if the rows reach over this much time. */
const MIN_SPAN_NS = 20e9;
const BINS = 512;

export interface EstimateInput {
  /** Bounds of the likely system before they were widened by drift, with left-out rows at ∓∞. */
  readonly tight: System;
  readonly moments: Float64Array;
  readonly source: number;
  /** Clocks of the source's component. */
  readonly members: readonly number[];
  /** A first value for each clock, such as the middle of its likely bounds. */
  readonly start: Float64Array;
}

export function estimate({ tight, moments, source, members, start }: EstimateInput): Estimate {
  const correction = start.slice();
  const slope = new Float64Array(start.length);
  const inside = new Uint8Array(start.length);
  for (const d of members) inside[d] = 1;
  const spans = spansOf(tight, inside);
  for (let pass = 0; pass < PASSES; pass++) fitOnce(tight, { moments, correction, slope, inside, spans });
  const base = slope[source] ?? 0;
  for (const d of members) slope[d] = (slope[d] ?? 0) - base;
  const middle = middlesWithoutDrift(tight, { moments, slope, source, members });
  if (middle !== undefined) {
    const shift = median(members.map((d) => (middle[d] ?? 0) - (correction[d] ?? 0)));
    for (const d of members) correction[d] = ((correction[d] ?? 0) + (middle[d] ?? 0) - shift) / 2;
  }
  return { correction, slope };
}

interface Fit {
  readonly moments: Float64Array;
  readonly correction: Float64Array;
  readonly slope: Float64Array;
  readonly inside: Uint8Array;
  readonly spans: { readonly from: Float64Array; readonly to: Float64Array };
}

function spansOf({ operations, low, high }: System, inside: Uint8Array): Fit['spans'] {
  const from = new Float64Array(inside.length).fill(Infinity);
  const to = new Float64Array(inside.length).fill(-Infinity);
  for (let row = 0; row < operations.domain.length; row++) {
    const d = operations.domain[row] ?? 0;
    for (const t of [low[row] ?? 0, high[row] ?? 0]) {
      if (!Number.isFinite(t)) continue;
      if (t < (from[d] ?? 0)) from[d] = t;
      if (t > (to[d] ?? 0)) to[d] = t;
    }
  }
  return { from, to };
}

/** One turn: moments of the operations by the present lines, then each clock's line by these moments. */
function fitOnce(tight: System, fit: Fit): void {
  const { operations, low, high } = tight;
  const { moments, correction, slope, inside, spans } = fit;
  const { start, domain, count } = operations;
  const at = (d: number, t: number): number => t + (correction[d] ?? 0) + (slope[d] ?? 0) * (t - (moments[d] ?? 0));
  const bins = new Map<number, Bands>();
  // Beyond this many rows a part of the operations is enough: the second opinion looks at all of them.
  const stride = Math.max(1, Math.floor(domain.length / SAMPLED_ROWS));
  for (let k = 0; k < count; k += stride) {
    const from = start[k] ?? 0;
    const to = start[k + 1] ?? 0;
    let a = -Infinity;
    let b = Infinity;
    for (let row = from; row < to; row++) {
      const d = domain[row] ?? 0;
      if (inside[d] === 0) continue;
      const x = at(d, low[row] ?? 0);
      const y = at(d, high[row] ?? 0);
      if (x > a) a = x;
      if (y < b) b = y;
    }
    if (a === -Infinity || b === Infinity) continue;
    const middle = (a + b) / 2;
    for (let row = from; row < to; row++) {
      const d = domain[row] ?? 0;
      if (inside[d] === 0) continue;
      let band = bins.get(d);
      if (band === undefined) {
        band = newBands(spans.from[d] ?? 0, spans.to[d] ?? 0, moments[d] ?? 0);
        bins.set(d, band);
      }
      see(band, low[row] ?? 0, high[row] ?? 0, middle);
    }
  }
  for (const [d, band] of bins) {
    const line = bestLine(band);
    if (line === undefined) continue;
    correction[d] = line.value;
    slope[d] = line.slope;
  }
}

/** Extreme points of one clock by bins of its time: all that a line can touch. */
interface Bands {
  readonly from: number;
  readonly width: number;
  readonly moment: number;
  /** Largest Y − high, with its time; smallest Y − low, with its time. */
  readonly floor: Float64Array;
  readonly floorAt: Float64Array;
  readonly ceiling: Float64Array;
  readonly ceilingAt: Float64Array;
}

function newBands(from: number, to: number, moment: number): Bands {
  return {
    from,
    width: Math.max(1, (to - from) / (BINS - 1)),
    moment,
    floor: new Float64Array(BINS).fill(-Infinity),
    floorAt: new Float64Array(BINS),
    ceiling: new Float64Array(BINS).fill(Infinity),
    ceilingAt: new Float64Array(BINS),
  };
}

function see(band: Bands, low: number, high: number, middle: number): void {
  if (high !== Infinity) {
    const bin = Math.floor((high - band.from) / band.width);
    if (middle - high > (band.floor[bin] ?? 0)) {
      band.floor[bin] = middle - high;
      band.floorAt[bin] = high - band.moment;
    }
  }
  if (low !== -Infinity) {
    const bin = Math.floor((low - band.from) / band.width);
    if (middle - low < (band.ceiling[bin] ?? 0)) {
      band.ceiling[bin] = middle - low;
      band.ceilingAt[bin] = low - band.moment;
    }
  }
}

interface Line {
  readonly value: number;
  readonly slope: number;
  readonly margin: number;
}

/** The margin is a concave function of the slope: a search by thirds finds its top. Flat lines are preferred. */
function bestLine(band: Bands): Line | undefined {
  const flat = lineAt(band, 0);
  if (flat === undefined || band.width * BINS < MIN_SPAN_NS) return flat;
  const score = (slope: number): number =>
    (lineAt(band, slope)?.margin ?? -Infinity) - Math.abs(slope) * band.width * BINS * 0.01;
  let from = -MAX_SLOPE;
  let to = MAX_SLOPE;
  for (let i = 0; i < 30; i++) {
    const a = from + (to - from) / 3;
    const b = to - (to - from) / 3;
    if (score(a) < score(b)) from = a;
    else to = b;
  }
  return lineAt(band, (from + to) / 2) ?? flat;
}

function lineAt(band: Bands, slope: number): Line | undefined {
  let floor = -Infinity;
  let ceiling = Infinity;
  for (let i = 0; i < BINS; i++) {
    const f = (band.floor[i] ?? 0) - slope * (band.floorAt[i] ?? 0);
    const c = (band.ceiling[i] ?? 0) - slope * (band.ceilingAt[i] ?? 0);
    if (f > floor) floor = f;
    if (c < ceiling) ceiling = c;
  }
  if (floor === -Infinity || ceiling === Infinity) return undefined;
  return { value: (floor + ceiling) / 2, slope, margin: (ceiling - floor) / 2 };
}

/** Rows that all sources together may look at. */
const ROW_BUDGET = 15e6;

interface Without {
  readonly moments: Float64Array;
  readonly slope: Float64Array;
  readonly source: number;
  readonly members: readonly number[];
}

/**
 * Middle of the bounds after the slopes are taken out, as the mean over many sources: what is near to one clock is known
 * best from there. Slack grows until the bounds hold; undefined if they never do.
 */
function middlesWithoutDrift(tight: System, without: Without): Float64Array | undefined {
  for (let slack = 1; slack <= 256; slack *= 4) {
    const system = withoutDrift(tight, without, slack);
    const first = boundsFrom(system, without.source);
    if (!first.feasible) continue;
    const sources = spread(without.members, Math.max(1, Math.floor(ROW_BUDGET / (1 + 8 * system.low.length))));
    const sum = new Float64Array(without.slope.length);
    for (const source of sources) {
      const { upper, lower } = boundsFrom(system, source);
      const middle = without.members.map((d) => ((upper[d] ?? 0) + (lower[d] ?? 0)) / 2);
      const mean = middle.reduce((total, value) => total + value, 0) / middle.length;
      for (const [i, d] of without.members.entries()) sum[d] = (sum[d] ?? 0) + (middle[i] ?? 0) - mean;
    }
    return sum.map((total) => total / sources.length);
  }
  return undefined;
}

function withoutDrift(
  { operations, low: lows, high: highs }: System,
  { moments, slope }: Without,
  slack: number,
): System {
  const { domain } = operations;
  const low = new Float64Array(domain.length);
  const high = new Float64Array(domain.length);
  for (let row = 0; row < domain.length; row++) {
    const d = domain[row] ?? 0;
    const [moment, s] = [moments[d] ?? 0, slope[d] ?? 0];
    const a = (lows[row] ?? 0) - moment;
    const b = (highs[row] ?? 0) - moment;
    low[row] = a === -Infinity ? a : a + moment + s * a - slack * (REST_RATE * Math.abs(a) + REST_NS);
    high[row] = b === Infinity ? b : b + moment + s * b + slack * (REST_RATE * Math.abs(b) + REST_NS);
  }
  return { operations, low, high };
}

/** At most `count` of the members, evenly. */
const spread = (members: readonly number[], count: number): readonly number[] =>
  members.length <= count
    ? members
    : Array.from({ length: count }, (_, i) => members[Math.floor((i * members.length) / count)] ?? 0);
