/** Which stamps share one zone. */
import type { LogEvent, LogStream } from '../../../model/events.ts';
import type { EntryId } from '../../../model/ids.ts';
import type { IncidentInput } from '../../../model/incident.ts';
import { isYearUnknown, type Stamp } from '../../../model/time.ts';

/** What shares one zone: a file, or one Pod's share of it. */
export interface Part {
  readonly entry: EntryId;
  readonly pod: string | undefined;
  readonly streams: readonly LogStream[];
  /** Those with a stamp that names no zone. */
  readonly events: readonly LogEvent[];
}

export type Parts = ReadonlyMap<string, Part>;

const keyOf = (entry: EntryId, pod: string | undefined): string => `${entry} ${pod ?? ''}`;
const entryOf = (stream: LogStream): EntryId | undefined =>
  (stream.first?.source ?? stream.lastLine?.source ?? stream.last?.source ?? stream.ranks[0]?.lastSource)?.entry;

export const lacksZone = (stamp: Stamp | undefined): stamp is Stamp =>
  stamp?.zoneAssumed === true && stamp.kind === 'local' && !isYearUnknown(stamp);

/** By entry, then Pod. */
export function partsOf({ events, streams }: Pick<IncidentInput, 'events' | 'streams'>): Parts {
  const found = new Map<
    string,
    { entry: EntryId; pod: string | undefined; streams: LogStream[]; events: LogEvent[] }
  >();
  const at = (entry: EntryId, pod: string | undefined) => {
    const key = keyOf(entry, pod);
    const known = found.get(key) ?? { entry, pod, streams: [], events: [] };
    found.set(key, known);
    return known;
  };
  const pods = podsByEntry(events);
  for (const event of events)
    if (lacksZone(event.stamp)) at(event.source.entry, podIn(pods, event.source.entry, event.pod)).events.push(event);
  for (const stream of streams) {
    const entry = entryOf(stream);
    if (entry === undefined) continue;
    const key = keyOf(entry, podIn(pods, entry, stream.pod));
    if (lacksZone(stream.first?.stamp) || lacksZone(stream.last?.stamp) || found.has(key))
      at(entry, podIn(pods, entry, stream.pod)).streams.push(stream);
  }
  return new Map([...found].sort(([, a], [, b]) => a.entry - b.entry || ((a.pod ?? '') < (b.pod ?? '') ? -1 : 1)));
}

/** Entries whose lines name their Pods: there a part is a Pod's share. */
function podsByEntry(events: readonly LogEvent[]): ReadonlySet<EntryId> {
  const named = new Set<EntryId>();
  for (const { source, pod } of events) if (pod !== undefined) named.add(source.entry);
  return named;
}

const podIn = (named: ReadonlySet<EntryId>, entry: EntryId, pod: string | undefined): string | undefined =>
  named.has(entry) ? pod : undefined;

export function partFinder(parts: Parts): (event: LogEvent) => Part | undefined {
  return ({ source, pod }) => parts.get(keyOf(source.entry, pod)) ?? parts.get(keyOf(source.entry, undefined));
}

export function partOfStream(parts: Parts, stream: LogStream): Part | undefined {
  const entry = entryOf(stream);
  if (entry === undefined) return undefined;
  return parts.get(keyOf(entry, stream.pod)) ?? parts.get(keyOf(entry, undefined));
}
