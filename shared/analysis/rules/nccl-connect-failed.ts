/**
 * NCCL could not connect to a peer while it set up a communicator.
 *
 *   misc/socket.cc:533 NCCL WARN socketPollConnect: Connect to 10.0.0.4<56849> returned 113(No route to host) errno 115(Operation now in progress)
 */
import { nameRanks, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { peerHost, placeOfHost, rankOfProcess } from './support/hosts.ts';
import { consequenceReports } from './support/ranks.ts';

/** The network has no way there. Refused is another matter: the host answers, and nobody listens. */
const NO_WAY = /No route to host|Network is unreachable|timed? ?out|EHOSTUNREACH|ENETUNREACH/i;

export default defineRule({
  id: 'nccl-connect-failed',
  title: 'NCCL could not connect to a peer',
  needs: ['events', 'rankMap'],
  explain: `
To set up a communicator each process connects to addresses that its peers gave out. If that fails, the line names the address. "No route to host", "Network is unreachable" and a time-out say that **this** host has no way to that address: a wrong interface on either side, a firewall, a node that is gone. "Connection refused" says that the host answers and nobody listens there: the process has ended, or the address belongs to another host.
The process that prints it is an observer; the pair is what is known. A job whose ranks had trained before lost its peer, and this says nothing of why.

How sure: a *hypothesis* about the pair where there is no way, else only a lead. When it can be wrong: if the process at the other end had died before.`,
  remedy:
    'Compare the interface and address that every host prints (NET/Socket : Using …, Bootstrap : Using …) and set NCCL_SOCKET_IFNAME to the one they share. From the printing host: ip route get ADDRESS, ping ADDRESS, then a connection to a high port (nc -vz ADDRESS PORT while nc -l PORT listens there); firewalls must let all ports pass between the hosts. Read the end of the log of the process at that address first.',
  run: ({ events, rankMap }) => {
    const found = eventsOf(events, 'nccl-warning').filter((placed) => placed.event.body.class === 'connect-failed');
    return attemptsOf(found).flatMap((attempt) => {
      const here = inAttempt(found, attempt);
      const trained = events.some(
        (placed) => placed.attempt === attempt && ['progress', 'group-ready'].includes(placed.event.body.kind),
      );
      if (trained) return [];
      const ranks = rankSet(
        here.flatMap(
          (placed) => rankOfProcess(placed, placed.event.body.host, placed.event.body.pid, events, rankMap) ?? [],
        ),
      );
      const hosts = [...new Set(here.flatMap((placed) => placed.node ?? placed.event.body.host ?? []))].sort();
      const peers = [...new Set(here.flatMap((placed) => placed.event.body.peer ?? []))];
      const [peer] = peers;
      const oneWay = hosts.length === 1 && here.every((placed) => NO_WAY.test(placed.event.body.text));
      const place = peer === undefined ? undefined : placeOfHost(peerHost(peer), rankMap, events);
      const from = hosts.length === 1 ? ` on ${hosts[0]}` : hosts.length > 1 ? ` on ${hosts.length} hosts` : '';
      return [
        draft({
          outcome: oneWay ? 'group' : 'cannot-tell',
          status: 'hypothesis',
          stage: 'rendezvous',
          cause: 'address-unreachable',
          strength: 'witness',
          firstRanks: oneWay ? rankSet([...ranks, ...(place?.ranks ?? [])]) : [],
          candidates: [
            {
              ranks: place?.ranks ?? [],
              why:
                peer === undefined
                  ? 'the end that could not be reached is not printed'
                  : `${peer}${peers.length > 1 ? ` and ${peers.length - 1} more` : ''} could not be reached`,
            },
          ],
          symptomRanks: oneWay ? [] : without(consequenceReports(events, attempt).keys(), []),
          node: oneWay ? hosts[0] : undefined,
          attempt,
          at: momentOf(here[0]),
          summary: `NCCL${ranks.length > 0 ? ` of ${nameRanks(ranks)}` : ''}${from} could not connect to ${peer ?? 'a peer'}: ${oneWay ? 'there is no way from that host to it' : 'whether a process listened there is not shown'}.`,
          because: here.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 220))),
          wouldChange: [
            `the log of the process at ${peer ?? 'the other end'}: if it had ended before, that is the cause`,
          ],
          nextChecks: [
            'Interface and address that each host printed, and NCCL_SOCKET_IFNAME',
            `Route and firewall from ${hosts[0] ?? 'the printing host'} to ${peer === undefined ? 'its peers' : peerHost(peer)}`,
          ],
        }),
      ];
    });
  },
});
