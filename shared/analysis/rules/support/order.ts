/**
 * Order of two events where no correction between clocks is needed: the same file, or the same clock.
 * Two nodes' stamps are never subtracted here; across clocks the answer is `undefined`.
 */
import type { PlacedEvent } from '../../../model/facts.ts';
import { type EpochNs, NS_PER_MS } from '../../../model/time.ts';

/** Wall-clock stamp of an event, or undefined for boot-relative and missing ones. */
export function wallNs(placed: PlacedEvent): EpochNs | undefined {
  const { stamp } = placed.event;
  return stamp === undefined || stamp.kind === 'boot' ? undefined : stamp.ns;
}

/**
 * Milliseconds from `a` to `b` (positive: b later) if both stamps come from one clock, else undefined.
 * Stamps of unknown clocks are not comparable, even with themselves.
 */
export function msBetween(a: PlacedEvent, b: PlacedEvent): number | undefined {
  if (a.clock === undefined || a.clock !== b.clock || !sameWriting(a, b)) return undefined;
  const from = wallNs(a);
  const to = wallNs(b);
  if (from === undefined || to === undefined) return undefined;
  return Number((to - from) / NS_PER_MS);
}

/** True if `a` surely precedes `b`: an earlier stamp of one clock, or an earlier line of one file. */
export function precedes(a: PlacedEvent, b: PlacedEvent): boolean {
  const ms = msBetween(a, b);
  if (ms !== undefined && ms !== 0) return ms > 0;
  return precedesInFile(a, b);
}

export function precedesInFile(a: PlacedEvent, b: PlacedEvent): boolean {
  const [left, right] = [a.event.source, b.event.source];
  if (left.kind !== 'line' || right.kind !== 'line' || left.entry !== right.entry) return false;
  return a.stream?.newestFirst === true ? left.line > right.line : left.line < right.line;
}

/** Stamps that carry their zone compare on one clock; stamps without one only inside one stream, which has one zone. */
function sameWriting(a: PlacedEvent, b: PlacedEvent): boolean {
  const local = (placed: PlacedEvent) =>
    placed.event.stamp?.zoneAssumed === true || placed.event.stamp?.kind === 'local';
  if (local(a) !== local(b)) return false;
  return !local(a) || (a.stream !== undefined && a.stream === b.stream);
}
