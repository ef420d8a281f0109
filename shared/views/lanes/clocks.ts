/** Clocks of the case as lanes use them: offsets in ns, moments relative to the origin. */
import type { ClocksFact } from '../../model/facts.ts';
import type { LaneClock } from './types.ts';
import type { TimeWindow } from './window.ts';

export function laneClocks(clocks: ClocksFact, window: TimeWindow): LaneClock[] {
  const ns = (ms: number | undefined): number | null => (ms === undefined || !Number.isFinite(ms) ? null : ms * 1e6);
  return clocks.domains.map(({ id, kind, offset, momentNs }) => {
    const moment = window.ofEpoch(momentNs);
    return {
      id,
      kind,
      offsetNs:
        offset === undefined
          ? null
          : {
              estimate: Math.round(offset.estimate * 1e6),
              low: ns(offset.low),
              high: ns(offset.high),
              likelyLow: ns(offset.likelyLow),
              likelyHigh: ns(offset.likelyHigh),
            },
      momentNs: Number.isNaN(moment) ? null : moment,
      drift: (clocks.largestDriftPpm ?? 0) * 1e-6,
      reference: id === clocks.reference,
    };
  });
}
