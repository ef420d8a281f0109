/**
 * Errors that look like causes and are not: caught by the program, printed while objects are thrown away, or followed by training that went on.
 *
 *   WARNING retry 1/3 after OSError: [Errno 5] Input/output error          … step 1200 … step 1210 …
 */
import { nameRanks, rankSet } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, isPrimaryClass } from './support/events.ts';
import { wentOnTraining } from './support/went-on.ts';

export default defineRule({
  id: 'errors-without-effect',
  title: 'Errors that had no effect',
  needs: ['events'],
  explain: `
Logs of healthy jobs hold tracebacks: a download that is tried again, a worker's clean-up ("Exception ignored in … __del__"), an optional import. Such an error is no cause if the program says that it caught it, or if the same rank is seen to make
steps well afterwards on the same clock (a single late flush of buffered output does not count). They are listed as ruled out because people stumble over them; they never lower or raise the status of anything.

How sure: it only rules out, and only what is seen to have had no effect. When it can be wrong: an error that was caught and still left a rank in another state than its peers; what then went wrong has findings of its own.`,
  remedy:
    'Nothing to do for this incident. If the retries are many, look at the storage or service that they are about.',
  run: ({ events }) => {
    const harmless = eventsOf(events, 'exception').filter(
      (placed) =>
        isPrimaryClass(placed.event.body.class) && (placed.event.body.handled || wentOnTraining(placed, events)),
    );
    return attemptsOf(harmless).map((attempt) => {
      const here = inAttempt(harmless, attempt);
      const ranks = rankSet(here.flatMap((placed) => placed.rank ?? []));
      const [first] = here;
      const { type = '', message = '' } = first?.event.body ?? {};
      return draft({
        outcome: 'cannot-tell',
        status: 'ruled-out',
        stage: 'unknown',
        cause: 'none',
        strength: 'context',
        attempt,
        summary: `${here.length === 1 ? 'One error' : `${here.length} errors`}${ranks.length > 0 ? ` of ${nameRanks(ranks)}` : ''} had no effect: caught by the program, or training went on (${quote(`${type}: ${message}`, 80)}${here.length > 1 ? ', …' : ''}).`,
        because: here
          .slice(0, 4)
          .map((placed) =>
            cite(
              placed,
              `${placed.event.body.handled ? 'Caught' : 'Followed by more steps of the same rank'}: ${quote(placed.event.text, 160)}`,
            ),
          ),
      });
    });
  },
});
