/** Which run attempt the Flight Recorder dumps belong to. */
import { rankSet } from '../../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent } from '../../../model/facts.ts';
import { attemptsOf, consequenceOf, eventsOf } from './events.ts';

/**
 * A dump is overwritten by the next attempt that writes one: the last attempt that says it wrote a dump or was told to (an error of a
 * peer is a reason as good as a time-out), else the last one that timed out, else the last one that is not known to have ended well, since
 * what ends well has no reason to write any. 0 if nothing is known.
 */
export function dumpAttempt(events: readonly PlacedEvent[], lifeLines: readonly LifeLine[]): number {
  const written = [...attemptsOf(eventsOf(events, 'dump-written')), ...attemptsOf(eventsOf(events, 'dump-signal'))];
  if (written.length > 0) return Math.max(...written);
  let timedOut: number | undefined;
  for (const placed of events) {
    if (timedOut !== undefined && placed.attempt <= timedOut) continue;
    if (consequenceOf(placed.event.body) === 'timeout') timedOut = placed.attempt;
  }
  if (timedOut !== undefined) return timedOut;
  const all = rankSet([...attemptsOf(events), ...lifeLines.map(({ attempt }) => attempt)]);
  return all.findLast((attempt) => !endedWell(attempt, lifeLines)) ?? all.at(-1) ?? 0;
}

function endedWell(attempt: number, lifeLines: readonly LifeLine[]): boolean {
  const own = lifeLines.filter((life) => life.attempt === attempt);
  return own.length > 0 && own.every(({ exit }) => exit?.code === 0);
}
