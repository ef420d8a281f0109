/**
 * Leads one side of a piece of evidence (a clock and a raw stamp) back to the record or line that carries that stamp. Evidence keeps a
 * row for each clock, not for each rank; the records are looked up afterwards, all at once.
 */
import type { PlacedEvent } from '../../model/facts.ts';
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import type { AnchorPlace } from './types.ts';

export interface FoundSide {
  readonly place: AnchorPlace;
  readonly rank: number | null;
}

export interface Wanted {
  readonly clock: string;
  readonly ns: bigint;
}

interface DumpOfRank {
  readonly dump: FlightRecorderDump;
  readonly rank: number | undefined;
  readonly clock: string | undefined;
}

const keyOf = (clock: string, ns: bigint): string => `${ns} ${clock}`;

/** First match in the order of the lists. O(records + events). */
export function findSides(
  wanted: readonly Wanted[],
  dumps: readonly DumpOfRank[],
  events: readonly PlacedEvent[],
): (side: Wanted) => FoundSide | undefined {
  const keys = new Set(wanted.map(({ clock, ns }) => keyOf(clock, ns)));
  // The lower halves of the stamps sort out nearly all records without making a bigint of each.
  const halves = new Set(wanted.map(({ ns }) => Number(BigInt.asIntN(32, ns))));
  const found = new Map<string, FoundSide>();
  const see = (clock: string, ns: bigint, source: SourceRef, record: number | null, rank: number | undefined): void => {
    const key = keyOf(clock, ns);
    if (keys.has(key) && !found.has(key)) found.set(key, { place: placeOf(source, record), rank: rank ?? null });
  };
  for (const { dump, rank, clock } of dumps) {
    if (clock === undefined) continue;
    const { createdNs, completedNs, length } = dump.columns;
    for (const column of [createdNs, completedNs]) {
      const words = new Int32Array(column.buffer, column.byteOffset, column.length * 2);
      for (let i = 0; i < length; i++)
        if (halves.has(words[2 * i] ?? 0)) see(clock, column[i] ?? 0n, dump.source, i, rank);
    }
  }
  for (const { event, clock, rank } of events)
    if (clock !== undefined && event.stamp !== undefined) see(clock, event.stamp.ns, event.source, null, rank);
  return ({ clock, ns }) => found.get(keyOf(clock, ns));
}

export const placeOf = (source: SourceRef, record: number | null = null): AnchorPlace => ({
  entryId: source.entry,
  line: source.kind === 'line' && record === null ? source.line : null,
  byte: source.kind === 'byte' && record === null ? source.byte : null,
  record: record ?? (source.kind === 'record' ? source.record : null),
});
