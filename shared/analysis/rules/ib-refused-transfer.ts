/**
 * An adapter gave up a transfer because memory could not be used as asked, not because the link was down.
 *
 *   NCCL WARN NET/IB : Got completion from peer 10.20.232.172<39936> with error 4, opcode 32564, len 32564, vendor err 81 (Send)
 *   NCCL WARN NET/IB : mlx5_0:1 Got async event : local access violation work queue error
 */
import { nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { rankOfProcess } from './support/hosts.ts';
import { consequenceReports } from './support/ranks.ts';

/** Verbs completion statuses that speak of a request or of memory. 12 and 13 are about the path, 5 follows another one. */
const REFUSED: ReadonlyMap<number, string> = new Map([
  [1, 'local length error'],
  [2, 'local queue pair operation error'],
  [4, 'local protection error'],
  [6, 'memory window bind error'],
  [9, 'remote invalid request'],
  [10, 'remote access error'],
  [11, 'remote operation error'],
]);
const ACCESS_EVENT = /access violation|invalid request local work queue|local work queue catastrophic/;

export default defineRule({
  id: 'ib-refused-transfer',
  title: 'An InfiniBand adapter refused a transfer',
  needs: ['events', 'rankMap'],
  explain: `
A completion with status 1, 2, 4 or 6 says that the adapter of **this** host could not use the memory or the request it was given, 9, 10 or 11 that the one at the other end could not. The link carried the message or was never asked, so cables and ports are not the matter: it is how GPU memory is reached by the adapter (GPUDirect RDMA, its kernel module, access control on the PCIe bridges), a wrong size, or software that does not fit together.
Such a fault lies in how hosts are set up. Where one host alone tells of it, that host is the answer; where several do, none of them is special, and nobody is named.

How sure: a *hypothesis*: the refusal is proven, its reason is not. When it can be wrong: a process that ended before takes its memory with it, and its peers then see remote errors.`,
  remedy:
    'Run the job with NCCL_NET_GDR_LEVEL=LOC (no GPUDirect): if it passes, the path between adapter and GPU is at fault. Then lsmod | grep -E "nvidia_peermem|nv_peer_mem", lspci -vvv | grep ACSCtl on the bridges above GPU and adapter, versions of driver, adapter firmware and NCCL on all hosts, and dmesg of the host at that time.',
  run: ({ events, rankMap }) => {
    const found = eventsOf(events, 'nccl-warning').filter(
      ({ event: { body } }) =>
        (body.class === 'ib-completion' && body.status !== undefined && REFUSED.has(body.status)) ||
        (body.class === 'ib-event' && ACCESS_EVENT.test(body.text)),
    );
    return attemptsOf(found).map((attempt) => {
      const here = inAttempt(found, attempt);
      const hosts = [...new Set(here.flatMap((placed) => placed.node ?? placed.event.body.host ?? []))].sort();
      const ranks = rankSet(
        here.flatMap(
          (placed) => rankOfProcess(placed, placed.event.body.host, placed.event.body.pid, events, rankMap) ?? [],
        ),
      );
      const one = hosts.length === 1;
      const who = ranks.length > 0 ? nameRanksAtStart(ranks) : one ? 'A process' : 'Processes';
      return draft({
        outcome: one ? 'group' : 'cannot-tell',
        status: 'hypothesis',
        stage: 'fabric',
        cause: 'transport',
        strength: 'direct',
        firstRanks: one ? ranks : [],
        candidates: one
          ? []
          : [{ ranks, why: `adapters of ${hosts.length} hosts refused transfers: ${hosts.slice(0, 4).join(', ')}` }],
        symptomRanks: without(consequenceReports(events, attempt).keys(), one ? ranks : []),
        node: one ? hosts[0] : undefined,
        attempt,
        at: momentOf(here[0]),
        summary: `${who} on ${one ? hosts[0] : `${hosts.length} hosts`} had a transfer refused by an adapter (${wordsOf(here)}): not a broken link, but memory or a request that could not be used.`,
        because: here.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 220))),
        wouldChange: ['an earlier end of the process at the other side', 'a run without GPUDirect RDMA'],
        nextChecks: [
          'A run with NCCL_NET_GDR_LEVEL=LOC, to tell whether GPUDirect RDMA is at fault',
          'PCIe access control, kernel modules and versions of the hosts that tell of it',
        ],
      });
    });
  },
});

function wordsOf(here: readonly PlacedOf<'nccl-warning'>[]): string {
  const statuses = rankSet(here.flatMap((placed) => placed.event.body.status ?? []));
  const words = statuses.flatMap((status) => REFUSED.get(status) ?? []);
  return words.length > 0 ? words.join(', ') : 'access violation';
}
