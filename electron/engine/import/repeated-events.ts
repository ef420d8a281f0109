/**
 * Lines that stand in two files of one container's log: a tail beside the whole log, the API's answer beside the node's rotated parts. A
 * stamp of the container runtime, to the nanosecond, never repeats across containers; with the same kind and text it is the same line.
 */
import type { LogEvent } from '#shared/model/events.ts';
import type { EntryRecord } from './entry-record.ts';
import { knownPlaces } from './find-duplicates.ts';

/** Slot → its events without those that another file tells. The file whose path says more keeps them; else the first. `sorted`: by path. */
export function withoutRepeatedEvents(sorted: readonly EntryRecord[]): Map<number, readonly LogEvent[]> {
  const seen = new Map<string, { readonly slot: number; readonly place: Place }[]>();
  const events = new Map<number, readonly LogEvent[]>();
  const byKnowledge = sorted
    .map((record, index) => ({ record, index }))
    .sort((a, b) => knownPlaces(b.record) - knownPlaces(a.record) || a.index - b.index);
  for (const { record } of byKnowledge) {
    const kept = record.outputs.events.filter((event) => {
      const key = keyOf(event);
      if (key === undefined) return true;
      const place = placeOf(event, record);
      const tellers = seen.get(key) ?? [];
      if (tellers.some((one) => one.slot !== record.slot && agree(one.place, place))) return false;
      seen.set(key, [...tellers, { slot: record.slot, place }]);
      return true;
    });
    events.set(record.slot, kept);
  }
  return events;
}

const keyOf = ({ body, stamp, text }: LogEvent): string | undefined =>
  stamp?.kind === 'runtime' && stamp.resolutionNs === 1 ? `${stamp.ns} ${body.kind} ${text}` : undefined;

interface Place {
  readonly pod: string | undefined;
  readonly container: string | undefined;
}

/** Of the line's own prefix, else of the file's only stream. */
function placeOf(event: LogEvent, { outputs: { streams } }: EntryRecord): Place {
  const only = streams.length === 1 ? streams[0] : undefined;
  return { pod: event.pod ?? only?.pod, container: event.container ?? only?.container };
}

const agree = (a: Place, b: Place): boolean =>
  (['pod', 'container'] as const).every((key) => a[key] === undefined || b[key] === undefined || a[key] === b[key]);
