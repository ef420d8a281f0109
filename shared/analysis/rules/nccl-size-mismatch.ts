/** NCCL received more or less data than it expected: `Message truncated : received 2048 bytes instead of 1024`. */
import { nameRanks, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { peerHost, placeOfHost, rankOfProcess } from './support/hosts.ts';
import { commonPlace, consequenceReports } from './support/ranks.ts';

export default defineRule({
  id: 'nccl-size-mismatch',
  title: 'Two NCCL peers disagree about sizes',
  needs: ['events', 'rankMap'],
  explain: `
The receiving side of a connection compares the size of what arrives with what it expects. A difference proves that **this pair** runs different operations or sizes; it does not say which of the two is wrong. The printer and the peer it names are
a group; the peer is named by its address, so where that host holds several ranks all of them are in it. Where the line names both hosts and no ranks are known for both, the pair of hosts is the answer. Dumps or fingerprints can decide.

How sure: *supported* where ranks of both ends are known, a *hypothesis* where only their hosts are, or one of them. When it can be wrong: settings that differ between hosts (NCCL_PROTO, NCCL_ALGO, versions) give the same message with equal calls.`,
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
      const place = commonPlace(rankMap, ranks, attempt);
      const ends = namedEnds(here);
      return draft({
        outcome: ranks.length > 1 || ends !== undefined ? 'group' : 'cannot-tell',
        status: ranks.length > 1 ? 'supported' : 'hypothesis',
        stage: 'mismatched-collective',
        cause: 'collective-size',
        strength: 'direct',
        firstRanks: ranks.length > 1 ? ranks : [],
        candidates:
          ranks.length > 1
            ? []
            : [
                {
                  ranks,
                  why:
                    ends === undefined
                      ? 'one side of a pair that disagrees about sizes; the other side is not known'
                      : `${ends.printer} and ${ends.peer} disagree about a size; which ranks they are is not told`,
                },
              ],
        symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
        pod: place.pod,
        node: place.node ?? (ranks.length > 1 ? undefined : ends?.printer),
        attempt,
        at: momentOf(here[0]),
        summary: `Two NCCL peers disagree about the size of a message${ranks.length > 0 ? ` (${nameRanks(ranks)})` : ends === undefined ? '' : ` (${ends.printer} and ${ends.peer})`}: they run different operations or sizes.`,
        because: here.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 200))),
        wouldChange: [`Flight Recorder dumps of ${nameRanks(ranks)}`],
        nextChecks: ['Last collectives of both peers'],
      });
    });
  },
});

interface Ends {
  readonly printer: string;
  readonly peer: string;
}

/** The two hosts, if all these lines are of one pair. */
function namedEnds(here: readonly PlacedOf<'nccl-warning'>[]): Ends | undefined {
  const printers = new Set(here.map((placed) => placed.node ?? placed.event.body.host));
  const peers = new Set(here.map((placed) => placed.event.body.peer && peerHost(placed.event.body.peer)));
  const [printer] = printers;
  const [peer] = peers;
  return printers.size === 1 && peers.size === 1 && printer !== undefined && peer !== undefined
    ? { printer, peer }
    : undefined;
}
