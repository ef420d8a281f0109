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

export type OrderToFault = 'certain' | 'likely' | 'undecided';

export interface FaultOrder {
  readonly order: OrderToFault;
  /** Before (-1) or after (1) the fault by the estimate; 0 = at the same moment. */
  readonly side: -1 | 0 | 1;
  /** Estimated gap to the fault, ns; negative = before. */
  readonly gapNs: number;
  /** Guaranteed and likely interval of the gap; null ends are open. */
  readonly low: number | null;
  readonly high: number | null;
  readonly likelyLow: number | null;
  readonly likelyHigh: number | null;
  /** One clock wrote both. */
  readonly sameClock: boolean;
}

/** How a raw moment of a clock stands to the first fault. Undefined: nothing relates the two clocks, or there is no fault with a time. */
export function orderToFault(
  clock: LaneClock | undefined,
  rawNs: number,
  fault: { readonly atNs: number; readonly clock: LaneClock | undefined },
): FaultOrder | undefined {
  const offset = clock?.toFaultNs;
  if (clock === undefined || offset === null || offset === undefined) return undefined;
  const raw = rawNs - fault.atNs;
  const same = clock.id === fault.clock?.id;
  const away = (of: LaneClock | undefined, at: number): number =>
    of === undefined || of.momentNs === null ? 0 : Math.abs(at - of.momentNs) * of.drift;
  const slack = same ? 0 : away(clock, rawNs) + away(fault.clock, fault.atNs);
  const end = (value: number | null, by: number): number | null => (value === null ? null : raw - value + by);
  const low = end(offset.high, -slack);
  const high = end(offset.low, slack);
  const likelyLow = end(offset.likelyHigh, -slack);
  const likelyHigh = end(offset.likelyLow, slack);
  const decided = (a: number | null, b: number | null): boolean => (a !== null && a > 0) || (b !== null && b < 0);
  const gapNs = raw - offset.estimate;
  const order =
    decided(low, high) || (same && raw === 0) ? 'certain' : decided(likelyLow, likelyHigh) ? 'likely' : 'undecided';
  return { order, side: gapNs < 0 ? -1 : gapNs > 0 ? 1 : 0, gapNs, low, high, likelyLow, likelyHigh, sameClock: same };
}
