/** From raw to common time: corrected = raw − offset of the clock. A clock that nothing relates to the others keeps its raw time. */
import type { LaneClock, LanesView } from './types.ts';

export type LaneBasis = 'raw' | 'corrected';

/** What to subtract from a raw time of `clock` (index), ns; 0 for the raw basis and where the offset is unknown. */
export function shiftOf(view: Pick<LanesView, 'clocks'>, clock: number, basis: LaneBasis): number {
  return basis === 'raw' ? 0 : (view.clocks[clock]?.offsetNs?.estimate ?? 0);
}

/** Around a corrected time: guaranteed and likely interval, ns relative to it; null = not bounded on that side. */
export interface TimeBound {
  readonly low: number | null;
  readonly high: number | null;
  readonly likelyLow: number | null;
  readonly likelyHigh: number | null;
}

/**
 * How far the corrected time of `rawNs` may be off. Undefined: the clock is unknown, nothing bounds it. All four are 0 for the reference.
 * A larger offset means an earlier corrected time, hence the crossed ends.
 */
export function boundOf(clock: LaneClock | undefined, rawNs: number): TimeBound | undefined {
  const offset = clock?.offsetNs;
  if (clock === undefined || offset === null || offset === undefined) return undefined;
  const fixed = offset.low === 0 && offset.high === 0;
  const drift = fixed || clock.momentNs === null ? 0 : Math.abs(rawNs - clock.momentNs) * clock.drift;
  const side = (end: number | null, slack: number): number | null =>
    end === null ? null : offset.estimate - end + slack;
  return {
    low: side(offset.high, -drift),
    high: side(offset.low, drift),
    likelyLow: side(offset.likelyHigh, -drift),
    likelyHigh: side(offset.likelyLow, drift),
  };
}

/** Half width of the guaranteed interval, ns; null = unbounded or unknown. */
export function boundHalfNs(clock: LaneClock | undefined, rawNs: number): number | null {
  const bound = boundOf(clock, rawNs);
  if (bound === undefined || bound.low === null || bound.high === null) return null;
  return Math.max(-bound.low, bound.high);
}
