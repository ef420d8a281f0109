/**
 * An InfiniBand or RoCE queue pair gave up: its retries ran out without an answer from the peer.
 *
 *   node-204:71213:73302 [7] transport/net_ib.cc:2458 NCCL WARN NET/IB: Got completion from peer 10.20.232.172<39936> with status=12 opcode=129 len=0 vendor err 129 (Recv) hca mlx5_15
 */
import { nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { peerHost, placeOfHost, rankOfProcess } from './support/hosts.ts';
import { consequenceReports } from './support/ranks.ts';

/** Verbs completion status: transport retry counter exceeded. 5 (flushed) is always an echo of an earlier completion. */
const RETRY_EXCEEDED = 12;

export default defineRule({
  id: 'ib-retry-exceeded',
  title: 'An InfiniBand transport ran out of retries',
  needs: ['events', 'rankMap'],
  explain: `
Status 12 says that the adapter sent again and again and the other end did not answer: the path or the peer is dead. It is the first trace of a fabric failure unless the peer's process had died before for a reason of its own (then that is the cause).
Status 5 (flushed) only follows an earlier completion on the same queue pair and is never counted. "Connection closed by remote peer" of other ranks comes later, when the observer's process has ended. Where NCCL's own warning is not here, ranks whose exception quotes it as the last error stand for it.

The process that prints it is an **observer**. Either end of the link may be the bad one, so the peer stays a candidate and the status is at most *supported*. With several observers, which of them was first is not looked at: they are a group.

How sure: *supported* for one observer, a *hypothesis* for several. When it can be wrong: if the peer's process had ended before in a log that is not here, the dead path is its consequence.`,
  remedy:
    'Read the end of the log of the peer first. Then check both ends: ibstat and perfquery -x (or ethtool -S for RoCE) on the named adapter and on the peer, twice, since only what grows counts (link_downed, symbol_error, local_ack_timeout_err); cables and switch port; kernel log (mlx5) of both nodes. Repeat ib_write_bw, or all_reduce_perf of nccl-tests, over that pair.',
  run: ({ events, rankMap }) => {
    const failed = eventsOf(events, 'nccl-warning').filter(
      (placed) => placed.event.body.class === 'ib-completion' && placed.event.body.status === RETRY_EXCEEDED,
    );
    const quoted = quotedBy(events);
    const all: readonly PlacedEvent[] = failed.length > 0 ? failed : quoted;
    return attemptsOf(all).map((attempt) =>
      observed(inAttempt(failed, attempt), inAttempt(quoted, attempt), attempt, events, rankMap),
    );
  },
});

const QUOTED = /Got completion from peer (\S+) with (?:status|error)[ =](\S*\(?12\)?)[, ]/;

/** Ranks whose exception or async error quotes the completion as its "Last error". */
function quotedBy(events: readonly PlacedEvent[]): PlacedEvent[] {
  return events.filter((placed) => {
    const { body } = placed.event;
    const text =
      body.kind === 'exception'
        ? body.message
        : body.kind === 'async-error'
          ? `${body.error} ${body.lastError ?? ''}`
          : undefined;
    return text !== undefined && placed.rank !== undefined && (QUOTED.test(text) || QUOTED.test(placed.event.text));
  });
}

function observed(
  failed: readonly PlacedOf<'nccl-warning'>[],
  quoted: readonly PlacedEvent[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const byProcess = failed.flatMap(
    (placed) => rankOfProcess(placed, placed.event.body.host, placed.event.body.pid, events, rankMap) ?? [],
  );
  const ranks = rankSet(byProcess.length > 0 ? byProcess : quoted.flatMap((placed) => placed.rank ?? []));
  const [first] = [...failed, ...quoted];
  const warning = failed[0]?.event.body;
  const peer = warning?.peer === undefined ? undefined : peerHost(warning.peer);
  const peerPlace = peer === undefined ? undefined : placeOfHost(peer, rankMap, events);
  const node = first?.node ?? warning?.host;
  const where = `${node === undefined ? '' : ` on ${node}`}${warning?.device === undefined ? '' : `, adapter ${warning.device}`}`;
  return draft({
    outcome: ranks.length === 1 ? 'named' : ranks.length > 1 ? 'group' : node === undefined ? 'cannot-tell' : 'group',
    status: ranks.length <= 1 ? 'supported' : 'hypothesis',
    stage: 'fabric',
    cause: 'transport',
    strength: 'direct',
    firstRanks: ranks,
    candidates:
      peer === undefined
        ? []
        : [
            {
              ranks: peerPlace?.ranks ?? [],
              why: `the other end of the link (${peer}): it did not answer, and may be the bad end`,
            },
          ],
    symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
    node,
    attempt,
    at: momentOf(first),
    summary: `${ranks.length > 0 ? nameRanksAtStart(ranks) : 'A process'}${where} lost a link: ${ranks.length > 1 ? 'their' : 'its'} retries ran out${peer === undefined ? '' : ` towards ${peer}`}. Either end may be at fault.`,
    because: [
      ...failed.slice(0, 3).map((placed) => cite(placed, quote(placed.event.text, 220))),
      ...quoted.slice(0, 2).map((placed) => cite(placed, `Rank ${placed.rank} ended with this as its last error`)),
    ],
    wouldChange: [
      `the log of ${peer ?? 'the peer'}: if its process had died before, that is the cause`,
      'port events in the kernel logs of both nodes',
    ],
    nextChecks: [
      `Port counters and link state of ${warning?.device ?? 'the adapter'}${node === undefined ? '' : ` on ${node}`} and of ${peer ?? 'the peer'}`,
      'Kernel logs (mlx5) and switch logs of both ends',
      'A bandwidth test over that pair',
    ],
  });
}
