/** Who was told to stop by the launcher, so that what a process printed or how it ended afterwards is no cause. */
import type { LifeLine, PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import { eventsOf, type PlacedOf } from './events.ts';
import { precedes } from './order.ts';
import { placeOf } from './ranks.ts';

/** Signals with which an agent ends the rest of its workers: SIGKILL after it lost patience with the first. */
const AGENT_SIGNALS: ReadonlySet<number> = new Set([2, 9, 15]);

export interface Stops {
  /** The agent's closing signal to this rank's process, or the signal its agent got itself. */
  readonly toldToStop: (rank: number, attempt: number) => PlacedEvent | undefined;
  /** True if the printer had been told to stop before it printed this. */
  readonly afterStop: (placed: PlacedEvent) => boolean;
}

const caches = new WeakMap<readonly PlacedEvent[], Stops>();

export function stopsOf(events: readonly PlacedEvent[], rankMap: RankMapFact): Stops {
  const known = caches.get(events);
  if (known !== undefined) return known;
  const stops = collectStops(events, rankMap);
  caches.set(events, stops);
  return stops;
}

function collectStops(events: readonly PlacedEvent[], rankMap: RankMapFact): Stops {
  const closings = new Map<number, PlacedOf<'closing-signal'>[]>();
  for (const placed of eventsOf(events, 'closing-signal'))
    closings.set(placed.event.body.pid, [...(closings.get(placed.event.body.pid) ?? []), placed]);
  const agentSignals = eventsOf(events, 'agent-signal');
  const toldToStop = (rank: number, attempt: number): PlacedEvent | undefined => {
    const place = placeOf(rankMap, rank, attempt);
    if (place === undefined) return undefined;
    const closing = place.pids
      .flatMap((pid) => closings.get(pid) ?? [])
      .find((placed) => placed.attempt === attempt && samePod(placed, place.pod));
    return (
      closing ??
      agentSignals.find((placed) => placed.attempt === attempt && place.pod !== undefined && placed.pod === place.pod)
    );
  };
  return {
    toldToStop,
    afterStop(placed) {
      const stop = placed.rank === undefined ? undefined : toldToStop(placed.rank, placed.attempt);
      if (stop !== undefined) return precedes(stop, placed);
      return agentSignals.some(
        (signal) =>
          signal.attempt === placed.attempt &&
          precedes(signal, placed) &&
          signal.event.source.entry === placed.event.source.entry,
      );
    },
  };
}

function samePod(placed: PlacedOf<'closing-signal'>, pod: string | undefined): boolean {
  return placed.pod === undefined || pod === undefined || placed.pod === pod;
}

/** True if the end of this rank was the launcher's doing, by its flag or because it had been told to stop before. */
export function endedByLauncher(life: LifeLine, signal: number | undefined, stops: Stops): boolean {
  if (life.exit?.terminatedByAgent === true) return true;
  return signal !== undefined && AGENT_SIGNALS.has(signal) && stops.toldToStop(life.rank, life.attempt) !== undefined;
}
