/**
 * Order of two stamps: of one clock by what is written, of two clocks by what is known of their difference.
 *
 *   certain   `before`, `after`                  holds over the whole guaranteed interval of the difference
 *   likely    `likely-before`, `likely-after`    holds over the likely one
 *   undecided                                    neither, or nothing relates the clocks
 *
 * Kinds that can be compared on one clock: stamps that carry their zone (runtime, zoned, epoch). A stamp without zone
 * is compared only with its like, and then only if both streams are known to write the same zone: here never across
 * sources, since the zone belongs to the stream. Boot times and API stamps keep to themselves.
 */
import type { ClocksFact, Order, PlacedEvent } from '../../model/facts.ts';
import type { EpochNs, Stamp, StampKind } from '../../model/time.ts';
import { offsetBetween } from './pair-bounds.ts';
import { MAX_RATE } from './solver/align.ts';

export interface Clocked {
  /** Id of the clock that wrote the stamp; undefined = none is known. */
  readonly clock: string | undefined;
  readonly stamp: Stamp;
  /** The stream that it stands in; two local stamps compare only inside one. Undefined = not known. */
  readonly stream?: object | undefined;
}

type KindClass = 'wall' | 'local' | 'api' | 'boot';
const CLASSES: Readonly<Record<StampKind, KindClass>> = {
  runtime: 'wall',
  zoned: 'wall',
  epoch: 'wall',
  local: 'local',
  api: 'api',
  boot: 'boot',
};

const classOf = (stamp: Stamp): KindClass => (stamp.zoneAssumed ? 'local' : CLASSES[stamp.kind]);

/**
 * Order of two stamps of ONE clock: `before` or `after` only if it must be so: the true instants lie in
 * [ns, ns + resolution), and these do not overlap. `undecided` for two clocks, two kinds of stamps, or overlapping intervals.
 */
export function canCompare(a: Clocked, b: Clocked): Order {
  if (a.clock === undefined || a.clock !== b.clock) return 'undecided';
  const kind = classOf(a.stamp);
  if (kind !== classOf(b.stamp)) return 'undecided';
  if ((kind === 'local' || kind === 'boot') && (a.stream === undefined || a.stream !== b.stream)) return 'undecided';
  if (endOf(a.stamp) <= b.stamp.ns) return 'before';
  return endOf(b.stamp) <= a.stamp.ns ? 'after' : 'undecided';
}

/**
 * Order of any two stamps. On two clocks only stamps that carry their zone (and the API server's on its own clock) can be
 * compared. The difference is given for a moment on each clock; with the distance from it the bounds widen by the largest
 * drift.
 */
export function orderOf(a: Clocked, b: Clocked, clocks: ClocksFact): Order {
  if (a.clock === undefined || b.clock === undefined) return 'undecided';
  if (a.clock === b.clock) return canCompare(a, b);
  if (!crossesClocks(a) || !crossesClocks(b)) return 'undecided';
  const offset = offsetBetween(clocks, a.clock, b.clock);
  if (offset === undefined) return 'undecided';
  const slack = driftMs(a, clocks) + driftMs(b, clocks);
  // The stamp of a, moved onto the clock of b: at least …, at most …
  const ms = (ns: bigint): number => Number(ns) / 1e6;
  const fromAToB = ms(b.stamp.ns - endOf(a.stamp));
  const fromBToA = ms(a.stamp.ns - endOf(b.stamp));
  if (fromAToB + offset.low - slack >= 0) return 'before';
  if (fromBToA - offset.high - slack >= 0) return 'after';
  if (fromAToB + offset.likelyLow - slack >= 0) return 'likely-before';
  if (fromBToA - offset.likelyHigh - slack >= 0) return 'likely-after';
  return 'undecided';
}

const crossesClocks = ({ clock, stamp }: Clocked): boolean =>
  classOf(stamp) === 'wall' || (classOf(stamp) === 'api' && clock === 'api');

const driftMs = ({ clock, stamp }: Clocked, clocks: ClocksFact): number => drift(clock, stamp.ns, clocks);

/** What the clock may have moved between a stamp and the moment that its offset is given for, ms. */
function drift(clock: string | undefined, ns: bigint, { domains }: ClocksFact): number {
  const moment = domains.find(({ id }) => id === clock)?.momentNs;
  if (moment === undefined || clock === 'api') return 0;
  return (Math.abs(Number(ns - moment)) / 1e6) * MAX_RATE;
}

/**
 * Milliseconds from `a` to `b` at least, whatever the true difference of the clocks is inside its guaranteed interval;
 * negative = `b` may lie before `a`. Undefined if nothing relates the clocks. Raw stamps without a resolution of their own.
 */
export function leastMsBetween(
  a: { readonly clock: string; readonly rawNs: EpochNs },
  b: { readonly clock: string; readonly rawNs: EpochNs },
  clocks: ClocksFact,
): number | undefined {
  const raw = Number(b.rawNs - a.rawNs) / 1e6;
  if (a.clock === b.clock) return raw;
  const offset = offsetBetween(clocks, a.clock, b.clock);
  if (offset === undefined || offset.low === -Infinity) return undefined;
  return raw + offset.low - drift(a.clock, a.rawNs, clocks) - drift(b.clock, b.rawNs, clocks);
}

/** First instant behind the stamp's interval; a stamp is an interval of one nanosecond at least. */
const endOf = (stamp: Stamp): bigint => stamp.ns + BigInt(Math.max(1, Math.ceil(stamp.resolutionNs)));

/** The clocked stamp of a placed event; undefined if it has no stamp. */
export function clockOf(event: PlacedEvent): Clocked | undefined {
  const { stamp } = event.event;
  return stamp === undefined ? undefined : { clock: event.clock, stamp, stream: event.stream };
}
