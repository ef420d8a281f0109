/** Which node's clock a dump carries. */
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';

/** The id of the clock that a rank's dump was written on; undefined if nothing tells the node. */
export type ClockOfDump = (rank: number, dump: FlightRecorderDump) => string | undefined;

/**
 * Clock of the node that a rank's dump was written on: that of the place whose files hold the dump, else of the rank's
 * last attempt, else of its lines. The dump's own path stands for a node that nothing tells.
 */
export function clocksOfDumps(rankMap: RankMapFact, events: readonly PlacedEvent[]): ClockOfDump {
  const ofEvents = new Map<number, string>();
  for (const { rank, clock } of events) if (rank !== undefined && clock !== undefined) ofEvents.set(rank, clock);
  const places = new Map<number, RankMapFact['places'][number][]>();
  for (const place of rankMap.places) places.set(place.rank, [...(places.get(place.rank) ?? []), place]);
  return (rank, dump) => {
    const own = places.get(rank) ?? [];
    const place = own.find(({ entries }) => entries.includes(dump.source.entry)) ?? own.at(-1);
    const nodes = new Set(own.flatMap(({ node }) => (node === undefined ? [] : [node])));
    // A rank that moved between attempts: only its dump's own place tells.
    const node = place?.node ?? (nodes.size === 1 ? [...nodes][0] : undefined);
    return node ?? place?.pod ?? ofEvents.get(rank);
  };
}
