/** NCCL uses an interface that other hosts cannot reach, or another one than its peers: `Bootstrap : Using docker0:172.17.0.1<0>`. */
import { nameRanks, rankSet } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, quote } from './support/draft.ts';
import { eventsOf, type PlacedOf } from './support/events.ts';
import { commonPlace, consequenceReports, ranksOfNode } from './support/ranks.ts';

/** Bridges and overlays that exist on every host with the same or an unroutable address. */
const LOCAL_ONLY = /^(?:docker|virbr|cni|flannel|br-|veth|tailscale|lo$|cilium|kube-)/;

export default defineRule({
  id: 'interface-choice',
  title: 'NCCL chose a doubtful network interface',
  needs: ['events', 'rankMap'],
  explain: `
NCCL picks an interface per host and prints it. A bridge or tunnel such as docker0, virbr0, cni0, flannel, veth, cilium or tailscale, or the loopback, mostly cannot be reached from other hosts. The choice is a
fact; that it broke the job is plausible only if connections failed (refused, no store, NCCL's own connect error) and no step of training was made. So it is a hypothesis, and mere context once the job had progressed or where nothing failed to connect. It looks only at jobs of which at least two hosts print their choice: on one host the loopback is right. Over gloo a peer that could not be reached at a loopback address is a lead: right on one host, wrong between two. Interfaces that merely have other names on other hosts do not fire it; where at least three hosts print theirs, one whose interface and network (the first half of its address) are both unlike those that all others share does.

How sure: a *hypothesis* at most, about the hosts that chose so. When it can be wrong: networks in which such an interface does reach the other hosts (tailscale often does), routed networks in which each host has its own, or NCCL_SOCKET_IFNAME set on purpose.`,
  remedy:
    'Set NCCL_SOCKET_IFNAME (and GLOO_SOCKET_IFNAME) to the interface that the nodes share, as a prefix (eth, ens) or exactly (=eth0), or exclude with ^docker0,lo. Check with ip -br addr in every Pod, and that the printed address answers from another Pod.',
  run: ({ events, rankMap }) => {
    const looped = loopbackDraft(events);
    const chosen = eventsOf(events, 'nccl-network').filter(
      (placed) => placed.event.body.interface !== undefined && hostOf(placed) !== '',
    );
    if (new Set(chosen.map(hostOf)).size < 2) return looped;
    const bad = chosen.filter((placed) => LOCAL_ONLY.test(placed.event.body.interface ?? ''));
    const apart = bad.length > 0 ? undefined : oddHost(chosen);
    const shown = apart === undefined ? bad : [apart.odd, apart.usual];
    return shown.length === 0 ? looped : [choiceDraft(shown, apart, events, rankMap)];
  },
});

/** `127.0.1.1:3210`, `::1:3210`, also as IPv6 writes them: `::ffff:127.0.0.1:3210` */
const LOOPBACK = /^(?:::ffff:)?127\.|^::1:/;

/** A peer of gloo gave out its own loopback: right where all ranks share a host, else reached by nobody. */
function loopbackDraft(events: readonly PlacedEvent[]): Draft[] {
  const [failed, ...more] = eventsOf(events, 'gloo-connect-failed').filter(({ event: { body } }) =>
    LOOPBACK.test(body.peer ?? ''),
  );
  if (failed === undefined || events.some((placed) => placed.event.body.kind === 'progress')) return [];
  return [
    draft({
      outcome: 'cannot-tell',
      status: 'hypothesis',
      stage: 'fabric',
      cause: 'interface-choice',
      strength: 'witness',
      candidates: [{ ranks: [], why: `a peer gave out ${failed.event.body.peer}, its own loopback` }],
      attempt: failed.attempt,
      summary: `gloo could not connect to ${failed.event.body.peer}: a loopback address, by which a process is reached on its own host only. If the job has several hosts, the name of one resolves to its loopback.`,
      because: [failed, ...more].slice(0, 3).map((placed) => cite(placed, quote(placed.event.text, 200))),
      wouldChange: ['a job whose ranks are all on one host: then the process there had ended'],
      nextChecks: [
        'What each host resolves its own name to (getent hosts $(hostname)), and /etc/hosts',
        'GLOO_SOCKET_IFNAME set to the interface that the hosts share',
      ],
    }),
  ];
}

type Chosen = PlacedOf<'nccl-network'>;
interface Apart {
  readonly odd: Chosen;
  readonly usual: Chosen;
}

/** With fewer hosts nobody is the odd one. */
const FEWEST_HOSTS = 3;
/** Interface and the first half of its address: `eth0 10.40`. */
const NETWORK = /\bUsing (?:\[\d{1,3}\])?([\w.@-]{1,40}):(\d{1,3}\.\d{1,3})\.\d{1,3}\.\d{1,3}</;

/** The one host whose interface and network are both unlike those that all others share. */
function oddHost(chosen: readonly Chosen[]): Apart | undefined {
  const byNetwork = new Map<string, Chosen[]>();
  for (const placed of chosen) {
    const [, name, network] = NETWORK.exec(placed.event.body.text) ?? [];
    if (name === undefined) continue;
    const key = `${name} ${network}`;
    byNetwork.set(key, [...(byNetwork.get(key) ?? []), placed]);
  }
  const [usual = [], odd = [], more] = [...byNetwork.values()].sort((a, b) => hostsIn(b).length - hostsIn(a).length);
  const [one] = odd;
  const [other] = usual;
  if (more !== undefined || one === undefined || other === undefined) return undefined;
  const isOdd = hostsIn(odd).length === 1 && hostsIn(usual).length >= FEWEST_HOSTS - 1;
  const both = hostsIn(usual).includes(hostOf(one));
  const [name, network] = NETWORK.exec(one.event.body.text)?.slice(1) ?? [];
  const [otherName, otherNetwork] = NETWORK.exec(other.event.body.text)?.slice(1) ?? [];
  return isOdd && !both && name !== otherName && network !== otherNetwork ? { odd: one, usual: other } : undefined;
}

const hostsIn = (chosen: readonly Chosen[]): string[] => [...new Set(chosen.map(hostOf))].sort();

function choiceDraft(
  shown: readonly Chosen[],
  apart: Apart | undefined,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const blamed = apart === undefined ? shown : [apart.odd];
  const hosts = hostsIn(blamed);
  const ranks = rankSet([
    ...blamed.flatMap((placed) => placed.rank ?? []),
    ...hosts.flatMap((host) => ranksOfNode(rankMap, host)),
  ]);
  const failed =
    eventsOf(events, 'nccl-warning').some((placed) => placed.event.body.class === 'connect-failed') ||
    [...consequenceReports(events, 0).values()].some((report) => report.how === 'refused' || report.how === 'store');
  const started = events.some((placed) => placed.event.body.kind === 'progress');
  const name = blamed[0]?.event.body.interface;
  return draft({
    outcome: 'group',
    status: 'hypothesis',
    stage: 'fabric',
    cause: 'interface-choice',
    strength: failed && !started ? 'direct' : 'context',
    firstRanks: ranks,
    node: hosts.length === 1 ? hosts[0] : undefined,
    ...(hosts.length === 1 ? {} : { pod: commonPlace(rankMap, ranks, 0).pod }),
    attempt: 0,
    summary: `NCCL chose ${name} on ${hosts.join(', ')}${ranks.length > 0 ? ` (${nameRanks(ranks)})` : ''}, ${apart === undefined ? 'an interface that other hosts mostly cannot reach' : `in another network than ${apart.usual.event.body.interface}, which all others chose`}.`,
    because: shown.slice(0, 3).map((placed) => cite(placed, quote(placed.event.text, 160))),
    wouldChange: ['a connection that was made over that interface'],
    nextChecks: [
      'NCCL_SOCKET_IFNAME and GLOO_SOCKET_IFNAME in every Pod',
      'Interfaces and routes of all hosts (ip -br addr, ip route get ADDRESS)',
    ],
  });
}

function hostOf(placed: PlacedEvent): string {
  return (
    placed.node ??
    placed.event.host ??
    (placed.event.body.kind === 'nccl-network' ? (placed.event.body.host ?? '') : '')
  );
}
