/** NCCL received more or less data than it expected: `Message truncated : received 2048 bytes instead of 1024`. */
import { nameRanks, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { peerHost, placeOfHost, rankOfProcess } from './support/hosts.ts';
import { commonPlace, consequenceReports } from './support/ranks.ts';

export default defineRule({
  id: 'nccl-size-mismatch',
  title: 'Two NCCL peers disagree about sizes',
  needs: ['events', 'rankMap'],
  explain: `
The receiving side of a connection compares the size of what arrives with what it expects. A difference proves that **this pair** runs different operations or sizes; it does not say which of the two is wrong. The printer and the peer it names are
a group; the peer is named by its address, so where that host holds several ranks all of them are in it. Dumps or fingerprints can decide.

How sure: *supported* where ranks of both ends are known, a *hypothesis* that names nobody where one end has no rank. When it can be wrong: settings that differ between hosts (NCCL_PROTO, NCCL_ALGO, versions) give the same message with equal calls.`,
  remedy:
    'Compare the last collectives of both peers: Flight Recorder dumps, or NCCL_DEBUG=INFO with NCCL_DEBUG_SUBSYS=COLL in the next run. If they are equal, compare NCCL_* settings and the NCCL version line of both hosts.',
  run: ({ events, rankMap }) => {
    const found = eventsOf(events, 'nccl-warning').filter((placed) => placed.event.body.class === 'size-mismatch');
    return attemptsOf(found).map((attempt) => {
      const here = inAttempt(found, attempt);
      const printers = here.flatMap(
        (placed) => rankOfProcess(placed, placed.event.body.host, placed.event.body.pid, events, rankMap) ?? [],
      );
      const peers = here.flatMap((placed) =>
        placed.event.body.peer === undefined
          ? []
          : (placeOfHost(peerHost(placed.event.body.peer), rankMap, events)?.ranks ?? []),
      );
      const ranks = rankSet([...printers, ...peers]);
      return draft({
        outcome: ranks.length > 1 ? 'group' : 'cannot-tell',
        status: ranks.length > 1 ? 'supported' : 'hypothesis',
        stage: 'mismatched-collective',
        cause: 'collective-size',
        strength: 'direct',
        firstRanks: ranks.length > 1 ? ranks : [],
        candidates:
          ranks.length > 1
            ? []
            : [{ ranks, why: 'one side of a pair that disagrees about sizes; the other side is not known' }],
        symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
        ...commonPlace(rankMap, ranks, attempt),
        attempt,
        at: momentOf(here[0]),
        summary: `Two NCCL peers disagree about the size of a message${ranks.length > 0 ? ` (${nameRanks(ranks)})` : ''}: they run different operations or sizes.`,
        because: here.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 200))),
        wouldChange: [`Flight Recorder dumps of ${nameRanks(ranks)}`],
        nextChecks: ['Last collectives of both peers'],
      });
    });
  },
});
