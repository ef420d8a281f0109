/** NCCL uses an interface that other hosts cannot reach, or another one than its peers: `Bootstrap : Using docker0:172.17.0.1<0>`. */
import { nameRanks, rankSet } from '../../lib/rank-set.ts';
import type { PlacedEvent } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, quote } from './support/draft.ts';
import { eventsOf } from './support/events.ts';
import { commonPlace, consequenceReports, ranksOfNode } from './support/ranks.ts';

/** Bridges and overlays that exist on every host with the same or an unroutable address. */
const LOCAL_ONLY = /^(?:docker|virbr|cni|flannel|br-|veth|tailscale|lo$|cilium|kube-)/;

export default defineRule({
  id: 'interface-choice',
  title: 'NCCL chose a doubtful network interface',
  needs: ['events', 'rankMap'],
  explain: `
NCCL picks an interface per host and prints it. A bridge or tunnel such as docker0, virbr0, cni0, flannel, veth, cilium or tailscale, or the loopback, mostly cannot be reached from other hosts. The choice is a
fact; that it broke the job is plausible only if connections failed (refused, no store, NCCL's own connect error) and no step of training was made. So it is a hypothesis, and mere context once the job had progressed or where nothing failed to connect. It looks only at jobs of which at least two hosts print their choice: on one host the loopback is right. Interfaces that merely have other names on other hosts do not fire it.

How sure: a *hypothesis* at most, about the hosts that chose so. When it can be wrong: networks in which such an interface does reach the other hosts (tailscale often does), or NCCL_SOCKET_IFNAME set on purpose.`,
  remedy:
    'Set NCCL_SOCKET_IFNAME (and GLOO_SOCKET_IFNAME) to the interface that the nodes share, as a prefix (eth, ens) or exactly (=eth0), or exclude with ^docker0,lo. Check with ip -br addr in every Pod, and that the printed address answers from another Pod.',
  run: ({ events, rankMap }) => {
    const chosen = eventsOf(events, 'nccl-network').filter((placed) => placed.event.body.interface !== undefined);
    const bad = chosen.filter((placed) => LOCAL_ONLY.test(placed.event.body.interface ?? ''));
    const hosts = [...new Set(bad.map(hostOf))].filter((host) => host !== '').sort();
    const all = new Set(chosen.map(hostOf));
    if (bad.length === 0 || all.size < 2) return [];
    const ranks = rankSet([
      ...bad.flatMap((placed) => placed.rank ?? []),
      ...hosts.flatMap((host) => ranksOfNode(rankMap, host)),
    ]);
    const failed =
      eventsOf(events, 'nccl-warning').some((placed) => placed.event.body.class === 'connect-failed') ||
      [...consequenceReports(events, 0).values()].some((report) => report.how === 'refused' || report.how === 'store');
    const started = events.some((placed) => placed.event.body.kind === 'progress');
    return [
      draft({
        outcome: 'group',
        status: 'hypothesis',
        stage: 'fabric',
        cause: 'interface-choice',
        strength: failed && !started ? 'direct' : 'context',
        firstRanks: ranks,
        node: hosts.length === 1 ? hosts[0] : undefined,
        ...(hosts.length === 1 ? {} : { pod: commonPlace(rankMap, ranks, 0).pod }),
        attempt: 0,
        summary: `NCCL chose ${bad[0]?.event.body.interface} on ${hosts.join(', ') || 'a host'}${ranks.length > 0 ? ` (${nameRanks(ranks)})` : ''}, an interface that other hosts cannot reach.`,
        because: bad.slice(0, 3).map((placed) => cite(placed, quote(placed.event.text, 160))),
        wouldChange: ['a connection that was made over that interface'],
        nextChecks: ['NCCL_SOCKET_IFNAME and GLOO_SOCKET_IFNAME', 'Interfaces and routes of all hosts'],
      }),
    ];
  },
});

function hostOf(placed: PlacedEvent): string {
  return (
    placed.node ??
    placed.event.host ??
    (placed.event.body.kind === 'nccl-network' ? (placed.event.body.host ?? '') : '')
  );
}
