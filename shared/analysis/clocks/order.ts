/**
 * Order of two stamps of ONE clock. Whatever needs the difference of two clocks is undecided here.
 *
 * Kinds that can be compared on one clock: stamps that carry their zone (runtime, zoned, epoch). A stamp without zone
 * is compared only with its like, and then only if both streams are known to write the same zone: here never across
 * sources, since the zone belongs to the stream. Boot times and API stamps keep to themselves.
 */
import type { Order, PlacedEvent } from '../../model/facts.ts';
import type { Stamp, StampKind } from '../../model/time.ts';

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
 * `before` or `after` only if it must be so: the true instants lie in [ns, ns + resolution), and these do not overlap.
 * `undecided` for two clocks, two kinds of stamps, or overlapping intervals.
 */
export function canCompare(a: Clocked, b: Clocked): Order {
  if (a.clock === undefined || a.clock !== b.clock) return 'undecided';
  const kind = classOf(a.stamp);
  if (kind !== classOf(b.stamp)) return 'undecided';
  if ((kind === 'local' || kind === 'boot') && (a.stream === undefined || a.stream !== b.stream)) return 'undecided';
  if (endOf(a.stamp) <= b.stamp.ns) return 'before';
  return endOf(b.stamp) <= a.stamp.ns ? 'after' : 'undecided';
}

/** First instant behind the stamp's interval; a stamp is an interval of one nanosecond at least. */
const endOf = (stamp: Stamp): bigint => stamp.ns + BigInt(Math.max(1, Math.ceil(stamp.resolutionNs)));

/** The clocked stamp of a placed event; undefined if it has no stamp. */
export function clockOf(event: PlacedEvent): Clocked | undefined {
  const { stamp } = event.event;
  return stamp === undefined ? undefined : { clock: event.clock, stamp, stream: event.stream };
}
