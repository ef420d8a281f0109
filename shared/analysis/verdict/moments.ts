/** Order of two findings' moments through the clock model. Raw stamps of two clocks are never subtracted. */
import type { ClocksFact } from '../../model/facts.ts';
import type { Finding } from '../../model/finding.ts';
import { NS_PER_MS } from '../../model/time.ts';

/** Stamps of one clock closer than this say nothing about order: tracebacks take their time to be printed. Chosen, not measured. */
const SAME_MOMENT_MS = 20;

/**
 * True if `a` surely came before `b`: on one clock by its stamps, on two clocks of one component only if the intervals that
 * their guaranteed offsets leave do not overlap. False means "not surely", not "after".
 */
export function surelyBefore(a: Finding['at'], b: Finding['at'], clocks: ClocksFact): boolean {
  if (a === undefined || b === undefined) return false;
  if (a.clock === b.clock) return Number((b.rawNs - a.rawNs) / NS_PER_MS) > SAME_MOMENT_MS;
  const [left, right] = [intervalMs(a, clocks), intervalMs(b, clocks)];
  if (left === undefined || right === undefined || left.component !== right.component) return false;
  return Number((b.rawNs - a.rawNs) / NS_PER_MS) - right.high + left.low > SAME_MOMENT_MS;
}

function intervalMs(
  at: NonNullable<Finding['at']>,
  clocks: ClocksFact,
): { low: number; high: number; component: number } | undefined {
  const domain = clocks.domains.find((candidate) => candidate.id === at.clock);
  const { low, high } = domain?.offset ?? {};
  if (domain === undefined || low === undefined || high === undefined) return undefined;
  return { low, high, component: domain.component };
}
