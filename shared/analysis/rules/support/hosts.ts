/** Joining the names that NCCL and gloo print (host, pid, peer address) to ranks, Pods and nodes of the job. */
import { rankSet } from '../../../lib/rank-set.ts';
import type { EntryInfo } from '../../../model/entry.ts';
import type { PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import { eventsOf } from './events.ts';
import { ranksOfNode, ranksOfPod } from './ranks.ts';

/** `node-c.internal<55912>` → `node-c.internal`; `[10.244.0.17]:29083` → `10.244.0.17`. */
export function peerHost(peer: string): string {
  return peer
    .replace(/<\d+>$/, '')
    .replace(/^\[([^\]]{0,80})\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');
}

/** Names that mean the same machine: equal, or equal up to the first dot (an address is compared whole). */
export function sameHost(a: string, b: string): boolean {
  if (a === b) return true;
  if (/^[\d.]+$/.test(a) || /^[\d.]+$/.test(b)) return false;
  return (a.split('.')[0] ?? a) === (b.split('.')[0] ?? b);
}

export interface HostPlace {
  readonly ranks: readonly number[];
  readonly pod: string | undefined;
  readonly node: string | undefined;
}

/**
 * Pod or node behind a name or address, with its ranks; undefined if nothing in the bundle knows it. Ranks are joined by Pods and
 * nodes of the rank map, by lines that carry the host, and at last by the names of the ranks' own files (`node-c-rank16.log`).
 */
export function placeOfHost(
  host: string,
  rankMap: RankMapFact,
  events: readonly PlacedEvent[],
  entries: readonly EntryInfo[] = [],
): HostPlace | undefined {
  const pod = rankMap.pods.find((place) => sameHost(place.pod, host) || place.object?.podIp === host);
  if (pod !== undefined) return { ranks: ranksOfPod(rankMap, pod.pod), pod: pod.pod, node: pod.node };
  const byIp = rankMap.pods.find(
    (place) => place.object?.hostIp === host || (place.node !== undefined && sameHost(place.node, host)),
  );
  const node =
    byIp?.node ?? rankMap.places.find((place) => place.node !== undefined && sameHost(place.node, host))?.node;
  if (node !== undefined) return { ranks: ranksOfNode(rankMap, node), pod: undefined, node };
  const printed = rankSet(
    events.flatMap((placed) =>
      placed.rank !== undefined &&
      [placed.event.host, placed.node, placed.pod].some((name) => name !== undefined && sameHost(name, host))
        ? [placed.rank]
        : [],
    ),
  );
  if (printed.length > 0) return { ranks: printed, pod: undefined, node: shortIfUsed(host, events) };
  const named = new Set(entries.filter((entry) => namesHost(entry.path, host)).map((entry) => entry.id));
  const ranks = rankSet(
    rankMap.places.filter((place) => place.entries.some((id) => named.has(id))).map((place) => place.rank),
  );
  return ranks.length === 0 ? undefined : { ranks, pod: undefined, node: host.split('.')[0] ?? host };
}

/** The host's short name as a whole word of the path, between separators. */
function namesHost(path: string, host: string): boolean {
  const short = (/^[\d.]+$/.test(host) ? host : (host.split('.')[0] ?? host)).toLowerCase();
  if (short.length < 3) return false;
  const text = path.toLowerCase();
  for (let at = text.indexOf(short); at >= 0; at = text.indexOf(short, at + 1)) {
    if (!/[a-z0-9]/.test(text.charAt(at - 1)) && !/[a-z0-9]/.test(text.charAt(at + short.length))) return true;
  }
  return false;
}

/** The name under which lines know the host, if it is the same machine. */
function shortIfUsed(host: string, events: readonly PlacedEvent[]): string {
  const known = events.find((placed) => placed.node !== undefined && sameHost(placed.node, host))?.node;
  return (
    known ??
    events.find((placed) => placed.event.host !== undefined && sameHost(placed.event.host, host))?.event.host ??
    host
  );
}

/** Rank of the process that printed an NCCL line: placed, or by host and pid of an init line. */
export function rankOfProcess(
  placed: PlacedEvent,
  host: string | undefined,
  pid: number | undefined,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): number | undefined {
  if (placed.rank !== undefined) return placed.rank;
  if (pid === undefined) return undefined;
  const init = eventsOf(events, 'nccl-init').find(
    (other) =>
      other.event.body.pid === pid &&
      other.rank !== undefined &&
      (host === undefined || other.event.body.host === undefined || sameHost(other.event.body.host, host)),
  );
  if (init?.rank !== undefined) return init.rank;
  const places = rankMap.places.filter(
    (place) =>
      place.pids.includes(pid) &&
      (host === undefined || [place.node, place.pod].some((name) => name !== undefined && sameHost(name, host))),
  );
  return places.length === 1 ? places[0]?.rank : undefined;
}
