/**
 * How long a training step took, by the progress lines of each rank.
 *
 *   step 40 at 10.0 s   step 50 at 12.5 s   →   0.25 s a step, from 10.0 s to 12.5 s on that rank
 *
 * Two stamps of one rank come from one clock, so that their difference needs no bound; where the interval lies needs the clock's
 * offset, as everything else on the lanes does. Steps that fall (a restart) and stamps that do are passed over. An average between
 * two lines is all that such lines tell: nothing is interpolated, and behind the last line there is nothing.
 * O(points + ranks × columns · log ranks).
 */
import { shiftOf } from './clock-correction.ts';
import type { Columns } from './reduce-strips.ts';
import type { LanesView } from './types.ts';

export interface ProgressPoint {
  readonly rank: number;
  readonly step: number;
  /** Raw, ns from the origin of the lanes. */
  readonly rawNs: number;
}

export interface StepTimes {
  /** Ranks with an interval in the span. */
  readonly ranks: number;
  /** ms a column; NaN where no interval covers its start. */
  readonly low: Float64Array;
  readonly median: Float64Array;
  readonly high: Float64Array;
  /** Of the first rank; null = its lines tell none, or no rank is named. */
  readonly first: Float64Array | null;
}

/** Null if no rank told two steps. */
export function stepTimes(view: LanesView, points: readonly ProgressPoint[], columns: Columns): StepTimes | null {
  const byRank = new Map<number, ProgressPoint[]>();
  for (const point of points) {
    const own = byRank.get(point.rank) ?? [];
    byRank.set(point.rank, own);
    own.push(point);
  }
  const rows: Float64Array[] = [];
  let first: Float64Array | null = null;
  for (const [rank, own] of [...byRank].sort(([a], [b]) => a - b)) {
    const lane = view.lanes.find((one) => one.rank === rank);
    if (lane === undefined) continue;
    const row = rowOf(own, shiftOf(view, lane.clock, columns.basis), columns);
    if (row === null) continue;
    rows.push(row);
    if (lane.role === 'first') first = row;
  }
  if (rows.length === 0) return null;
  return { ranks: rows.length, ...spread(rows, columns.columns), first };
}

/** Null where no interval touches the span. */
function rowOf(points: readonly ProgressPoint[], shift: number, { from, to, columns }: Columns): Float64Array | null {
  const sorted = [...points].sort((a, b) => a.rawNs - b.rawNs || a.step - b.step);
  const row = new Float64Array(columns).fill(Number.NaN);
  const x = (ns: number): number => Math.max(0, Math.min(columns, Math.ceil(((ns - from) / (to - from)) * columns)));
  let found = false;
  let last: ProgressPoint | undefined;
  for (const point of sorted) {
    if (last !== undefined && point.step > last.step && point.rawNs > last.rawNs) {
      const [a, b] = [x(last.rawNs - shift), x(point.rawNs - shift)];
      row.fill((point.rawNs - last.rawNs) / (point.step - last.step) / 1e6, a, b);
      if (b > a) found = true;
    }
    if (last === undefined || point.step !== last.step) last = point;
  }
  return found ? row : null;
}

function spread(rows: readonly Float64Array[], columns: number): Pick<StepTimes, 'low' | 'median' | 'high'> {
  const out = {
    low: new Float64Array(columns).fill(Number.NaN),
    median: new Float64Array(columns).fill(Number.NaN),
    high: new Float64Array(columns).fill(Number.NaN),
  };
  for (let column = 0; column < columns; column++) {
    const values = rows.flatMap((row) => {
      const value = row[column] ?? Number.NaN;
      return Number.isNaN(value) ? [] : [value];
    });
    if (values.length === 0) continue;
    values.sort((a, b) => a - b);
    out.low[column] = values[0] ?? Number.NaN;
    out.median[column] = values[(values.length - 1) >> 1] ?? Number.NaN;
    out.high[column] = values.at(-1) ?? Number.NaN;
  }
  return out;
}
