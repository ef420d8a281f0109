/** A hint that a thread held Python's interpreter lock: `Could not acquire GIL within 300 ms on exit, possible GIL induced hang`. */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { commonPlace, consequenceReports, timedOut } from './support/ranks.ts';
import { stallChecks } from './support/stall.ts';

export default defineRule({
  id: 'interpreter-lock-held',
  title: 'A rank may have held the interpreter lock',
  needs: ['events', 'rankMap'],
  explain: `
The monitor thread prints this when it cannot get the interpreter lock at the end. On the rank that others wait for it explains the stall; on a rank that itself waited it is an effect of being inside a blocking call. So it
names a rank only if that rank is the one that printed it, did **not** report a time-out, and others did; and it stays a hypothesis, because the line is printed at exit, not when the hang began. Several such ranks are leads, and none is named.

How sure: a *hypothesis*. When it can be wrong: a long call into a library that holds the lock while the process ends prints the same.`,
  remedy:
    'While it hangs, take py-spy dump --native --pid PID (the Pod needs CAP_SYS_PTRACE): the thread marked "active+gil" holds the lock. Look for native extensions that do not release it (tokenizers, image codecs, file systems), and for a debugger or profiler that is attached.',
  run: ({ events, rankMap }) => {
    const hints = eventsOf(events, 'gil-suspected').filter((placed) => placed.rank !== undefined);
    return attemptsOf(hints).flatMap((attempt) => {
      const reports = consequenceReports(events, attempt);
      const here = inAttempt(hints, attempt).filter(
        (placed) => placed.rank !== undefined && reports.get(placed.rank)?.how !== 'timeout',
      );
      const ranks = rankSet(here.flatMap((placed) => placed.rank ?? []));
      if (ranks.length === 0 || timedOut(reports).length === 0) return [];
      return [
        draft({
          outcome: ranks.length === 1 ? 'named' : 'cannot-tell',
          status: 'hypothesis',
          stage: 'straggler',
          cause: 'gil-held',
          strength: 'context',
          firstRanks: ranks.length === 1 ? ranks : [],
          candidates: ranks.map((rank) => ({ ranks: [rank], why: 'hint at a held interpreter lock' })),
          symptomRanks: without(reports.keys(), ranks),
          ...commonPlace(rankMap, ranks, attempt),
          attempt,
          summary: `${nameRanksAtStart(ranks)} could not get the interpreter lock and reported no time-out of ${ranks.length === 1 ? 'its' : 'their'} own.`,
          because: here.slice(0, 3).map((placed) => cite(placed, quote(placed.event.text, 160))),
          nextChecks: stallChecks('gil-held', nameRanks(ranks)),
        }),
      ];
    });
  },
});
