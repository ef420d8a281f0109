/**
 * Exceptions that only came out of dealing with somebody else's failure.
 *
 *   RuntimeError: [/…/gloo/…/pair.cc:553] Connection closed by peer [10.0.0.7]:4242
 *   During handling of the above exception, another exception occurred:
 *   AttributeError: 'Trainer' object has no attribute 'writer'          ← the last line, and an echo
 *
 * The last line of a traceback decides what an exception is about, except here: without the lost peer the clean-up would not have run, and
 * what is wrong with it is another bug than the one that ended the job. Such an exception is classed with what it came out of, so no rule takes
 * it for a beginning, and its frames (of the clean-up, not of the wait) are left out. O(n) in exceptions.
 */
import type { PlacedEvent } from '../../model/facts.ts';
import { beginningOf, isAboutOthers, type Link } from '../rules/support/chain.ts';
import { eventsOf, isPrimaryClass, type PlacedOf } from '../rules/support/events.ts';

/** The same list if there are none. */
export function markEchoes(events: readonly PlacedEvent[]): readonly PlacedEvent[] {
  const echoes = new Map<PlacedEvent, PlacedEvent>();
  for (const placed of eventsOf(events, 'exception')) {
    const beginning = beginningOf(placed);
    if (beginning === undefined || !isPrimaryClass(placed.event.body.class) || !isAboutOthers(beginning)) continue;
    echoes.set(placed, asEcho(placed, beginning));
  }
  return echoes.size === 0 ? events : events.map((placed) => echoes.get(placed) ?? placed);
}

function asEcho(placed: PlacedOf<'exception'>, { type, message }: Link): PlacedEvent {
  const { body } = placed.event;
  const echo = {
    ...body,
    class: 'distributed' as const,
    message: `${body.message} (while handling ${type}: ${message})`,
    frames: [],
  };
  return { ...placed, event: { ...placed.event, body: echo } };
}
