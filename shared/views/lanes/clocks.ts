/** Clocks of the case as lanes use them: offsets in ns, moments relative to the origin. */
import { offsetBetween } from '../../analysis/clocks/index.ts';
import type { ClocksFact } from '../../model/facts.ts';
import type { LaneClock } from './types.ts';
import type { TimeWindow } from './window.ts';

/** `faultClock`: the clock that stamped the first fault; undefined = there is none with a time. */
export function laneClocks(clocks: ClocksFact, window: TimeWindow, faultClock: string | undefined): LaneClock[] {
  return clocks.domains.map(({ id, kind, offset, momentNs }) => {
    const moment = window.ofEpoch(momentNs);
    return {
      id,
      kind,
      offsetNs: inNs(offset),
      momentNs: Number.isNaN(moment) ? null : moment,
      drift: (clocks.largestDriftPpm ?? 0) * 1e-6,
      reference: id === clocks.reference,
      toFaultNs: faultClock === undefined ? null : inNs(offsetBetween(clocks, id, faultClock)),
    };
  });
}

interface OffsetMs {
  readonly estimate: number;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly likelyLow: number | undefined;
  readonly likelyHigh: number | undefined;
}

const ns = (ms: number | undefined): number | null => (ms === undefined || !Number.isFinite(ms) ? null : ms * 1e6);

function inNs(offset: OffsetMs | undefined): LaneClock['offsetNs'] {
  if (offset === undefined || !Number.isFinite(offset.estimate)) return null;
  const { estimate, low, high, likelyLow, likelyHigh } = offset;
  return {
    estimate: Math.round(estimate * 1e6),
    low: ns(low),
    high: ns(high),
    likelyLow: ns(likelyLow),
    likelyHigh: ns(likelyHigh),
  };
}
