/**
 * Years for stamps that neither their line nor their file names (see `isYearUnknown`): known only once the whole bundle
 * has been read. Each takes the year that brings it nearest to the newest dated moment of the incident.
 */
import type { LogEvent, LogStream } from '../../model/events.ts';
import { type EpochNs, isYearUnknown, placeInYear, type Stamp } from '../../model/time.ts';

export interface Stamped {
  readonly events: readonly LogEvent[];
  readonly streams: readonly LogStream[];
}

/**
 * `otherTimes` are dated moments from outside the logs (Pods, Kubernetes events, dumps). Without any dated moment the
 * stamps stay as they are. Order and everything else is kept. O(events + streams).
 */
export function completeYears(stamped: Stamped, otherTimes: readonly EpochNs[]): Stamped {
  const near = newestDated(stamped, otherTimes);
  if (near === undefined) return stamped;
  const place = (stamp: Stamp): Stamp => placeInYear(stamp, near);
  return {
    events: stamped.events.map((event) => completeEvent(event, place)),
    streams: stamped.streams.map((stream) => completeStream(stream, place)),
  };
}

function newestDated({ events, streams }: Stamped, otherTimes: readonly EpochNs[]): EpochNs | undefined {
  let newest: EpochNs | undefined;
  const see = (ns: EpochNs): void => {
    if (newest === undefined || ns > newest) newest = ns;
  };
  const seeStamp = (stamp: Stamp | undefined): void => {
    if (stamp !== undefined && stamp.kind !== 'boot' && !isYearUnknown(stamp)) see(stamp.ns);
  };
  for (const event of events) seeStamp(event.stamp);
  for (const stream of streams) seeStamp(stream.last?.stamp);
  for (const ns of otherTimes) see(ns);
  return newest;
}

const lacksYear = (stamp: Stamp | undefined): boolean => stamp !== undefined && isYearUnknown(stamp);

function completeEvent(event: LogEvent, place: (stamp: Stamp) => Stamp): LogEvent {
  if (!lacksYear(event.stamp) && !lacksYear(event.innerStamp)) return event;
  return {
    ...event,
    stamp: event.stamp && place(event.stamp),
    innerStamp: event.innerStamp && place(event.innerStamp),
  };
}

function completeStream(stream: LogStream, place: (stamp: Stamp) => Stamp): LogStream {
  if (!lacksYear(stream.first?.stamp) && !lacksYear(stream.last?.stamp)) return stream;
  return {
    ...stream,
    first: stream.first && { ...stream.first, stamp: place(stream.first.stamp) },
    last: stream.last && { ...stream.last, stamp: place(stream.last.stamp) },
    ranks: stream.ranks.map((rank) => ({
      ...rank,
      first: rank.first && place(rank.first),
      last: rank.last && place(rank.last),
    })),
  };
}
