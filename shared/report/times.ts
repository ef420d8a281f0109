/** Stamps as the report writes them: corrected to the reference clock where its offset is known, else raw and marked so. */
import type { ClockDomain, ClocksFact } from '../model/facts.ts';
import { type EpochNs, epochNs, formatEpochNs, type Stamp } from '../model/time.ts';

export interface ReportTime {
  readonly time: string;
  /** Half width of what is not known about the clock, ms; null while the clock is unknown. */
  readonly boundMs: number | null;
  readonly timeBasis: 'raw' | 'corrected';
}

export interface ClockBook {
  /** A stamp whose zone was assumed stays as it is. */
  readonly at: (rawNs: EpochNs, clock: string | undefined, zoneAssumed?: boolean) => ReportTime;
  readonly domain: (clock: string | undefined) => ClockDomain | undefined;
}

/** Corrected = raw − offset. A clock whose offset is not known leaves the stamp as it is. */
export function openClockBook(clocks: ClocksFact): ClockBook {
  const byId = new Map(clocks.domains.map((domain) => [domain.id, domain]));
  const domain = (clock: string | undefined) => (clock === undefined ? undefined : byId.get(clock));
  return {
    domain,
    at(rawNs, clock, zoneAssumed) {
      const offset = domain(clock)?.offset;
      if (offset === undefined || zoneAssumed === true)
        return { time: formatEpochNs(rawNs, 6), boundMs: null, timeBasis: 'raw' };
      const correctedNs = epochNs(rawNs - BigInt(Math.round(offset.estimate * 1_000_000)));
      const { low, high, estimate } = offset;
      const boundMs =
        low === undefined || high === undefined
          ? null
          : Math.max(estimate - low, high - estimate) + driftMs(domain(clock), rawNs, clocks.largestDriftPpm ?? 0);
      return { time: formatEpochNs(correctedNs, 6), boundMs, timeBasis: 'corrected' };
    },
  };
}

/** What a clock may have moved between a stamp and the moment that its offset is given for. The reference defines the time. */
function driftMs(domain: ClockDomain | undefined, rawNs: EpochNs, ppm: number): number {
  const { offset, momentNs } = domain ?? {};
  if (offset === undefined || momentNs === undefined || (offset.low === 0 && offset.high === 0)) return 0;
  return (Math.abs(Number(rawNs - momentNs)) / 1e6) * ppm * 1e-6;
}

/** Null for stamps that are not wall-clock times. */
export function wallTime(stamp: Stamp | undefined, clock: string | undefined, book: ClockBook): ReportTime | null {
  return stamp === undefined || stamp.kind === 'boot' ? null : book.at(stamp.ns, clock, stamp.zoneAssumed);
}
