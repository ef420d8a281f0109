/** What speaks against the claim that nothing failed. */
import type { ExceptionClass } from '../../../model/events.ts';
import type { LifeLine, PlacedEvent } from '../../../model/facts.ts';
import { consequenceOf, isPrimaryClass } from './events.ts';
import { precedes } from './order.ts';
import { lifeOf } from './ranks.ts';

/**
 * An error, a lost or late peer, an end by force or a launcher's complaint; not what a rank prints after it has said that it finished (warnings of
 * stores and groups that go away), not exceptions that were caught.
 */
export function speaksAgainstHealth(placed: PlacedEvent, lifeLines: readonly LifeLine[]): boolean {
  if (!isBad(placed)) return false;
  const life = placed.rank === undefined ? undefined : lifeOf(lifeLines, placed.rank, placed.attempt);
  return life?.finished === undefined || !precedes(life.finished, placed);
}

function isBad(placed: PlacedEvent): boolean {
  const { body } = placed.event;
  switch (body.kind) {
    case 'worker-failed':
    case 'failure-summary':
    case 'agent-signal':
    case 'collective-mismatch':
    case 'gloo-size-mismatch':
      return true;
    case 'oom-kill':
      return placed.rank !== undefined || placed.pod !== undefined;
    case 'exception':
      return !body.handled && (isPrimaryClass(body.class) || OF_OTHERS.has(body.class));
    default: {
      const how = consequenceOf(body);
      return how === 'timeout' || how === 'closed' || how === 'abort';
    }
  }
}

const OF_OTHERS: ReadonlySet<ExceptionClass> = new Set([
  'distributed',
  'wrapper',
  'rendezvous',
  'signal',
  'collective-mismatch',
]);
