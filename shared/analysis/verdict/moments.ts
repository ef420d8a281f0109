/** Order of two findings' moments through the clock model. Raw stamps of two clocks are never subtracted. */
import type { ClocksFact } from '../../model/facts.ts';
import type { Finding } from '../../model/finding.ts';
import { NS_PER_MS } from '../../model/time.ts';
import { leastMsBetween } from '../clocks/index.ts';

/** Stamps of one clock closer than this say nothing about order: tracebacks take their time to be printed. Chosen, not measured. */
const SAME_MOMENT_MS = 20;

/**
 * True if `a` surely came before `b`: on one clock by its stamps, on two clocks of one component only if the intervals that
 * their guaranteed offsets leave do not overlap. False means "not surely", not "after".
 */
export function surelyBefore(a: Finding['at'], b: Finding['at'], clocks: ClocksFact): boolean {
  if (a === undefined || b === undefined) return false;
  if (a.clock === b.clock) return Number((b.rawNs - a.rawNs) / NS_PER_MS) > SAME_MOMENT_MS;
  if (a.zoneAssumed === true || b.zoneAssumed === true) return false;
  const least = leastMsBetween(a, b, clocks);
  return least !== undefined && least > SAME_MOMENT_MS;
}
