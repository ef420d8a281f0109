/** Whether a rank went on training after it had printed something. */
import type { PlacedEvent } from '../../../model/facts.ts';
import { NS_PER_MS } from '../../../model/time.ts';
import { wallNs } from './order.ts';
import { eventsOfRank } from './ranks.ts';

/**
 * Steps after the line that prove it. Buffered output may be flushed after a traceback, all at one moment; steps that are told over this long, several of
 * them, are real. Chosen, not measured.
 */
const FEWEST_STEPS = 3;
const SPREAD_MS = 5_000;

/** True only where stamps of one clock show steps of the same rank and attempt well after the line. */
export function wentOnTraining(placed: PlacedEvent, events: readonly PlacedEvent[]): boolean {
  const at = wallNs(placed);
  if (placed.rank === undefined || at === undefined || placed.clock === undefined) return false;
  const later = eventsOfRank(events, placed.rank).flatMap((other) => {
    const ns =
      other.event.body.kind === 'progress' && other.attempt === placed.attempt && other.clock === placed.clock
        ? wallNs(other)
        : undefined;
    return ns !== undefined && ns > at ? [Number((ns - at) / NS_PER_MS)] : [];
  });
  return (
    later.length >= FEWEST_STEPS &&
    later.some((ms) => ms >= SPREAD_MS) &&
    Math.max(...later.slice(-FEWEST_STEPS)) - Math.min(...later.slice(-FEWEST_STEPS)) > 0
  );
}
