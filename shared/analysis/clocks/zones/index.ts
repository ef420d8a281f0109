/**
 * Zones of logs whose stamps name none. A zone belongs to a stream (the image's TZ and the program's logger), not to a node,
 * and is a multiple of 15 minutes from −12:00 to +14:00. Four things prove one:
 *
 *   same line    the line stands elsewhere with a runtime's stamp as well:        written − runtime = zone − delay
 *   call         "ran for N ms" counts back to a call of the rank's own recorder: written − N − created = zone + lateness
 *   copy         the line stands, as written, in a log whose zone is proven by one of these (its own Pod's, or three lines)
 *   container    start ≤ all lines ≤ end, on the one clock of the node: if a single zone fits, it is that one
 *
 * Proven: three lines that agree within two minutes, one exact call, or a single zone left over; nothing else in the bundle may
 * contradict it. Then the stream's stamps carry their zone from here on (`kind` zoned), and compare like any others. What is
 * not proven stays as written, with the zones that are left.
 *
 * Cost: O(events + streams + dump rows that are asked for).
 */
import type { LogEvent, LogStream } from '../../../model/events.ts';
import type { IncidentInput } from '../../../model/incident.ts';
import { epochNs, type Stamp } from '../../../model/time.ts';
import type { StreamZone } from '../../../model/zone.ts';
import { type Anchor, callAnchors, lineAnchors } from './anchors.ts';
import { containerRange } from './container-range.ts';
import { copiedZones } from './copies.ts';
import { decideZone, MINUTE_NS } from './decide.ts';
import { lacksZone, type Part, partFinder, partOfStream, partsOf } from './parts.ts';

export type ZoneInput = Pick<IncidentInput, 'events' | 'streams' | 'pods' | 'dumps'>;
export interface Zoned {
  readonly events: readonly LogEvent[];
  readonly streams: readonly LogStream[];
  /** One for each stream with stamps of unknown zone, by entry and Pod. */
  readonly zones: readonly StreamZone[];
}

/** Streams whose stamps all carry a zone are handed on as they are. */
export function bindZones(input: ZoneInput): Zoned {
  const parts = partsOf(input);
  if (parts.size === 0) return { events: input.events, streams: input.streams, zones: [] };
  const shared = [...parts.values()];
  const anchors = new Map<Part, Anchor[]>(shared.map((part) => [part, []]));
  lineAnchors(input.events, partFinder(parts), anchors);
  callAnchors(input.dumps, shared, anchors);
  const minutes = new Map<Part, number>();
  const zones = shared.map((part): StreamZone => {
    const zone = decideZone(anchors.get(part) ?? [], containerRange(part, input.pods));
    if (zone.minutes !== undefined) minutes.set(part, zone.minutes);
    return { entry: part.entry, pod: part.pod, ...zone };
  });
  for (const [i, found] of copiedZones(shared, minutes).entries()) {
    const part = shared[i];
    if (found === undefined || part === undefined) continue;
    minutes.set(part, found.minutes ?? 0);
    zones[i] = { entry: part.entry, pod: part.pod, ...found };
  }
  if (minutes.size === 0) return { events: input.events, streams: input.streams, zones };
  const partOf = partFinder(parts);
  const shiftOf = (part: Part | undefined): number | undefined => (part === undefined ? undefined : minutes.get(part));
  return {
    events: input.events.map((event) => shiftEvent(event, shiftOf(partOf(event)))),
    streams: input.streams.map((stream) => shiftStream(stream, shiftOf(partOfStream(parts, stream)))),
    zones,
  };
}

function shiftStamp<T extends Stamp | undefined>(stamp: T, minutes: number): T | Stamp {
  if (!lacksZone(stamp)) return stamp;
  return { ...stamp, ns: epochNs(stamp.ns - BigInt(minutes) * MINUTE_NS), kind: 'zoned', zoneAssumed: false };
}

const shiftEvent = (event: LogEvent, minutes: number | undefined): LogEvent =>
  minutes === undefined || !lacksZone(event.stamp) ? event : { ...event, stamp: shiftStamp(event.stamp, minutes) };

function shiftStream(stream: LogStream, minutes: number | undefined): LogStream {
  if (minutes === undefined) return stream;
  return {
    ...stream,
    first: stream.first && { ...stream.first, stamp: shiftStamp(stream.first.stamp, minutes) },
    last: stream.last && { ...stream.last, stamp: shiftStamp(stream.last.stamp, minutes) },
    ranks: stream.ranks.map((rank) => ({
      ...rank,
      first: shiftStamp(rank.first, minutes),
      last: shiftStamp(rank.last, minutes),
    })),
  };
}
