/**
 * Whether a rank had stood still before it printed something: then it was waiting, and what it printed may be its answer to that.
 *
 *   steps told every 0.4 s … step 40 ──────── 15.2 s ──────── raise StepFailed          limit that a peer tells: 15 s
 *
 * The measure is the job's own, on one clock: a pause is longer than any between its steps before.
 *
 * - Where any rank of the attempt tells the time limit of its collectives, it is also not shorter than that: who answers a wait that ran out has
 *   waited it through after its last step. A shorter one cannot have been such a wait.
 * - Where none does, it is at least five seconds and three times the longest before. Measured on real runs, ordinary pauses stay within 1.4 times
 *   the longest before, and waits that ran out are more than 20 times as long; in between lie checkpoints and evaluations. So three stands
 *   twice above the one and far below the other; five seconds, because limits below that are not in use.
 *
 * At the edge: what is no pause leaves an error to its printer, who is then named; what is one makes it a question, told as a group or left open. A pause that
 * was a checkpoint therefore costs a name and never gives a wrong one; a wait that is missed here may give one, so the measure is kept low.
 */
import type { PlacedEvent } from '../../../model/facts.ts';
import { eventsOf } from './events.ts';
import { msBetween } from './order.ts';
import { eventsOfRank } from './ranks.ts';

/** Fewer told steps show no rhythm: two pauses at least are compared with. */
const FEWEST_STEPS = 3;
/** Where no limit is told; argued above. */
const LEAST_MS = 5_000;
const TIMES = 3;

export interface Pause {
  readonly since: PlacedEvent;
  readonly ms: number;
}

/**
 * The pause between the last step that the rank (by default the printer) told of and this line, if it is one. With `leastMs` it is at least so long, whatever limit
 * is told.
 */
export function pauseBefore(
  placed: PlacedEvent,
  events: readonly PlacedEvent[],
  rank = placed.rank,
  leastMs?: number,
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
  const limit = leastMs === undefined ? toldLimit(events, placed.attempt) : undefined;
  const counts = limit === undefined ? last.ms >= (leastMs ?? LEAST_MS) && last.ms > TIMES * usual : last.ms >= limit;
  return counts && last.ms > usual ? last : undefined;
}

/** The shortest time limit that a wait of the attempt ran into, ms. */
function toldLimit(events: readonly PlacedEvent[], attempt: number): number | undefined {
  const limits = [
    ...eventsOf(events, 'gloo-timeout').map(({ attempt: at, event }) => ({ at, ms: event.body.ms })),
    ...eventsOf(events, 'collective-timeout').map(({ attempt: at, event }) => ({ at, ms: event.body.timeoutMs })),
  ].flatMap(({ at, ms }) => (at === attempt && ms !== undefined && ms > 0 ? ms : []));
  return limits.length === 0 ? undefined : Math.min(...limits);
}
