/** Whether the job went on after a line was printed: its own steps, or the good end of the run, on the same clock or in the same file. */
import type { PlacedEvent } from '../../model/facts.ts';
import { eventsOf } from '../rules/support/events.ts';
import { msBetween, precedes } from '../rules/support/order.ts';

/**
 * Steps after the line that prove it. Ranks run ahead of a lost peer by a step or two, and buffered output may come late, all at one moment;
 * several steps, told over this long, are the job's own. Chosen, not measured.
 */
const FEWEST_STEPS = 3;
const SPREAD_MS = 5_000;

/** Steps of any rank count: ranks that wait for each other in every step do not go on without one of them. */
export function createWentOn(events: readonly PlacedEvent[]): (placed: PlacedEvent) => boolean {
  const steps = byClock(eventsOf(events, 'progress'));
  const ends = byClock(eventsOf(events, 'finished'));
  return (placed) => {
    const key = keyOf(placed);
    if (key === undefined) return false;
    if ((ends.get(key) ?? []).some((end) => precedes(placed, end))) return true;
    const later = (steps.get(key) ?? []).flatMap((step) => {
      const ms = msBetween(placed, step);
      return ms !== undefined && ms > 0 ? [ms] : [];
    });
    return later.length >= FEWEST_STEPS && Math.max(...later) >= SPREAD_MS && new Set(later).size >= FEWEST_STEPS;
  };
}

const keyOf = ({ clock, attempt }: PlacedEvent): string | undefined =>
  clock === undefined ? undefined : `${clock} ${attempt}`;

function byClock(events: readonly PlacedEvent[]): Map<string, PlacedEvent[]> {
  const groups = new Map<string, PlacedEvent[]>();
  for (const placed of events) {
    const key = keyOf(placed);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(placed);
    else groups.set(key, [placed]);
  }
  return groups;
}
