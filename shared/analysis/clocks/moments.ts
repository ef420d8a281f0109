/** Stamps by clock: the moment that offsets are given for, and the first sign of trouble. */
import type { EventKind } from '../../model/events.ts';
import type { PlacedEvent } from '../../model/facts.ts';

/** A stamp of these events may be compared with the recorder's on the same clock: it carries its zone. */
const isWall = ({ event }: PlacedEvent): boolean =>
  event.stamp !== undefined && !event.stamp.zoneAssumed && event.stamp.kind !== 'boot' && event.stamp.kind !== 'api';

/** Newest stamp with a zone on each clock. */
export function newestStamps(events: readonly PlacedEvent[]): Map<string, bigint> {
  const newest = new Map<string, bigint>();
  for (const placed of events) {
    const { clock, event } = placed;
    if (clock === undefined || event.stamp === undefined || !isWall(placed)) continue;
    // A time service goes on for days after the job.
    if (event.body.kind === 'clock-note') continue;
    const before = newest.get(clock);
    if (before === undefined || event.stamp.ns > before) newest.set(clock, event.stamp.ns);
  }
  return newest;
}

/** Lines after which a call may have been ended by an abort or by a failure instead of by the others' arrival. */
const TROUBLE: ReadonlySet<EventKind> = new Set<EventKind>([
  'collective-timeout',
  'watchdog-terminated',
  'async-error',
  'communicator-aborted',
  'teardown',
  'heartbeat-stuck',
  'dump-signal',
  'exception',
  'native-terminate',
  'worker-failed',
  'closing-signal',
  'agent-signal',
  'failure-summary',
]);

/** First stamp of trouble on each clock, of the newest attempt seen there. */
export function firstTrouble(events: readonly PlacedEvent[]): Map<string, bigint> {
  const attempts = new Map<string, number>();
  for (const { clock, attempt } of events)
    if (clock !== undefined) attempts.set(clock, Math.max(attempts.get(clock) ?? 0, attempt));
  const first = new Map<string, bigint>();
  for (const placed of events) {
    const { clock, event } = placed;
    if (clock === undefined || event.stamp === undefined || !isWall(placed) || !TROUBLE.has(event.body.kind)) continue;
    if (placed.attempt !== attempts.get(clock)) continue;
    if (event.body.kind === 'exception' && event.body.handled) continue;
    const known = first.get(clock);
    if (known === undefined || event.stamp.ns < known) first.set(clock, event.stamp.ns);
  }
  return first;
}
