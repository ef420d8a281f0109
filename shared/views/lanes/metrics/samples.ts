/**
 * Members out of the lines of progress: how long a step took, which step was reached, and each number that is printed.
 *
 *   step 40 loss 2.31 at 10.0 s     step 50 loss 2.28 at 12.5 s
 *
 *   step time   0.25 s from 10.0 to 12.5: an average between two lines is all that they tell
 *   step        40 from 10.0 on, 50 from 12.5 on, to the end of what the rank wrote
 *   loss        2.28 from 10.0 to 12.5: a line tells of the steps that ended with it
 *
 * Two stamps of one rank come from one clock, so that a difference needs no bound; where it lies needs the clock's offset, as everything
 * on the lanes does. Nothing is interpolated: behind the last line, and in a pause of many lines, there is nothing. O(points + columns).
 */
import { shiftOf } from '../clock-correction.ts';
import type { LanesView } from '../types.ts';
import type { Member, MetricRequest, Row } from './types.ts';

/** Ascending in raw time. */
export interface Samples {
  readonly rank: number | null;
  /** Index into the clocks of the view; -1 = unknown. */
  readonly clock: number;
  /** Raw, ns from the origin. */
  readonly atNs: Float64Array;
  readonly value: Float64Array;
}

/** A pause this many times as long as usual is one: the line after it tells of its own last steps only. */
const PAUSE = 4;

type Span = Omit<MetricRequest, 'ranks'>;

/** Writes one value from `start` to `end`, in the time of the span. True if it touches the span. */
function put(
  { values, extreme }: Row,
  { from, to, columns }: Span,
  start: number,
  end: number,
  value: number,
): boolean {
  if (!(end > start) || end <= from || start >= to) return false;
  const x = (ns: number): number => Math.max(0, Math.min(columns, ((ns - from) / (to - from)) * columns));
  const [a, b] = [Math.ceil(x(start)), Math.ceil(x(end))];
  if (b > a) {
    values.fill(value, a, b);
    return true;
  }
  const column = Math.min(columns - 1, Math.floor(x(start)));
  values[column] = value;
  extreme(column, value);
  return true;
}

export const stepTimeMember = (view: LanesView, samples: Samples): Member => ({
  rank: samples.rank,
  fill(row, span) {
    const { atNs, value } = samples;
    const shift = shiftOf(view, samples.clock, span.basis);
    let found = false;
    let last = -1;
    for (let i = 0; i < atNs.length; i++) {
      const [steps, ns] =
        last < 0 ? [0, 0] : [(value[i] ?? 0) - (value[last] ?? 0), (atNs[i] ?? 0) - (atNs[last] ?? 0)];
      // Steps that fall (a restart) and stamps that do are passed over.
      if (steps > 0 && ns > 0) {
        const [start, end] = [(atNs[last] ?? 0) - shift, (atNs[i] ?? 0) - shift];
        if (put(row, span, start, end, ns / steps / 1e6)) found = true;
      }
      if (steps !== 0 || last < 0) last = i;
    }
    return found;
  },
});

/** `untilNs`: raw, when the rank wrote its last line. */
export const stepMember = (view: LanesView, samples: Samples, untilNs: number): Member => ({
  rank: samples.rank,
  fill(row, span) {
    const { atNs, value } = samples;
    const shift = shiftOf(view, samples.clock, span.basis);
    let found = false;
    for (let i = 0; i < atNs.length; i++) {
      const end = i + 1 < atNs.length ? (atNs[i + 1] ?? 0) : Math.max(untilNs, atNs[i] ?? 0);
      if (put(row, span, (atNs[i] ?? 0) - shift, end - shift, value[i] ?? Number.NaN)) found = true;
    }
    return found;
  },
});

export function printedMember(view: LanesView, samples: Samples): Member {
  const usual = usualGap(samples.atNs);
  return {
    rank: samples.rank,
    fill(row, span) {
      const { atNs, value } = samples;
      const shift = shiftOf(view, samples.clock, span.basis);
      let found = false;
      for (let i = 0; i < atNs.length; i++) {
        const end = atNs[i] ?? 0;
        const gap = i === 0 ? Number.POSITIVE_INFINITY : end - (atNs[i - 1] ?? 0);
        const start = end - (gap <= usual * PAUSE ? gap : usual);
        if (put(row, span, start - shift, end - shift, value[i] ?? Number.NaN)) found = true;
      }
      return found;
    },
  };
}

/** The median distance of two lines, ns; a second where there are not two. */
function usualGap(atNs: Float64Array): number {
  const gaps = atNs.subarray(1).map((at, i) => at - (atNs[i] ?? 0));
  const known = gaps.filter((gap) => gap > 0).sort();
  return known[(known.length - 1) >> 1] ?? 1e9;
}
