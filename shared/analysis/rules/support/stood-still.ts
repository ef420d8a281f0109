/** Whether a rank had stood still before it printed something: then it was waiting, and what it printed may be its answer to that. */
import type { PlacedEvent } from '../../../model/facts.ts';
import { msBetween } from './order.ts';
import { eventsOfRank } from './ranks.ts';

/** Fewer told steps show no rhythm. */
const FEWEST_STEPS = 3;
/** A pause counts from here on, and only if it is this many times the longest pause before. Chosen, not measured. */
const LEAST_MS = 5_000;
const TIMES = 3;

export interface Pause {
  readonly since: PlacedEvent;
  readonly ms: number;
}

/**
 * The pause between the last step that the rank (by default the printer) told of and this line, if it is far longer than any before, and at least
 * `leastMs`; on one clock only.
 */
export function pauseBefore(
  placed: PlacedEvent,
  events: readonly PlacedEvent[],
  rank = placed.rank,
  leastMs = LEAST_MS,
): Pause | undefined {
  if (rank === undefined) return undefined;
  const steps = eventsOfRank(events, rank)
    .filter((other) => other.event.body.kind === 'progress' && other.attempt === placed.attempt)
    .flatMap((since) => {
      const ms = msBetween(since, placed);
      return ms === undefined || ms < 0 ? [] : [{ since, ms }];
    })
    .sort((a, b) => b.ms - a.ms);
  const last = steps.at(-1);
  if (last === undefined || steps.length < FEWEST_STEPS) return undefined;
  let usual = 0;
  for (let i = 1; i < steps.length; i++) usual = Math.max(usual, (steps[i - 1]?.ms ?? 0) - (steps[i]?.ms ?? 0));
  return last.ms >= leastMs && last.ms > TIMES * usual ? last : undefined;
}
