/** What speaks against the claim that nothing failed. */
import type { LifeLine, PlacedEvent } from '../../../model/facts.ts';
import { consequenceOf, isPrimaryClass } from './events.ts';
import { precedes } from './order.ts';

/**
 * An error, a lost or late peer, an end by force or a launcher's complaint; not what a rank prints after it has said that it finished (warnings of
 * stores and groups that go away), not exceptions that were caught.
 */
export function speaksAgainstHealth(placed: PlacedEvent, lifeLines: readonly LifeLine[]): boolean {
  const { body } = placed.event;
  const life =
    placed.rank === undefined
      ? undefined
      : lifeLines.find((line) => line.rank === placed.rank && line.attempt === placed.attempt);
  if (life?.finished !== undefined && precedes(life.finished, placed)) return false;
  if (
    body.kind === 'worker-failed' ||
    body.kind === 'failure-summary' ||
    body.kind === 'agent-signal' ||
    body.kind === 'oom-kill' ||
    body.kind === 'collective-mismatch' ||
    body.kind === 'gloo-size-mismatch'
  )
    return true;
  if (body.kind === 'exception')
    return (
      !body.handled &&
      (isPrimaryClass(body.class) ||
        body.class === 'distributed' ||
        body.class === 'wrapper' ||
        body.class === 'rendezvous' ||
        body.class === 'signal')
    );
  const how = consequenceOf(body);
  return how === 'timeout' || how === 'closed' || how === 'abort';
}
