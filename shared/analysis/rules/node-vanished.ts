/**
 * All processes of one node ended without a word; several others saw their connections to it close.
 *
 *   node-a:110:697 [0] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer node-c.internal<55912>
 *   node-b:98:640  [0] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer node-c.internal<41220>
 *   (node-c's own log stops in the middle of a steady rhythm)
 */
import { nameRanks, rankSet, without } from '../../lib/rank-set.ts';
import type { EntryInfo } from '../../model/entry.ts';
import type { LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, citeSource, type Draft, draft, quote } from './support/draft.ts';
import { attemptsOf, consequenceOf, eventsOf, inAttempt, isPrimaryClass } from './support/events.ts';
import { type HostPlace, peerHost, placeOfHost, sameHost } from './support/hosts.ts';
import { consequenceReports } from './support/ranks.ts';

export default defineRule({
  id: 'node-vanished',
  title: 'The processes of one node ended without a word',
  needs: ['input', 'events', 'rankMap', 'lifeLines'],
  explain: `
A killed process prints nothing. What survives is that others saw their connection to its host close, and that its own log stops without an error. The survivors are witnesses: the host that **they name** is accused, not
they. All witnesses must name the same host, a log of that host must be there and stop without a word (a host without a log may have told everything in it), and its own ranks must have
printed no error, no consequence and no end; nor may its launcher have lived to tell how its workers ended. Only the node is known, so its ranks are a group; whether they were killed, the node lost power or the Pod was removed is for Kubernetes and the kernel log to say.

It can be wrong if the named host is only the neighbour in a ring of the one that failed first and had its log cut; a consequence printed by its ranks therefore excludes it.`,
  remedy: 'Kernel log, uptime and Pod status of that node; scheduler or operator actions at that moment.',
  run: ({ input, events, rankMap, lifeLines }) =>
    attemptsOf(events).flatMap((attempt) => vanishedIn(attempt, events, rankMap, lifeLines, input.entries)),
});

interface Accusation {
  readonly host: string;
  readonly placed: PlacedEvent;
}

function vanishedIn(
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
  entries: readonly EntryInfo[],
): Draft[] {
  const accusations = accusationsIn(attempt, events);
  const hosts = new Map<string, Accusation[]>();
  for (const accusation of accusations) {
    const known = [...hosts.keys()].find((host) => sameHost(host, accusation.host)) ?? accusation.host;
    hosts.set(known, [...(hosts.get(known) ?? []), accusation]);
  }
  if (hosts.size !== 1) return [];
  const [[host, here] = ['', []]] = hosts;
  const place = placeOfHost(host, rankMap, events, entries);
  const ranks = place?.ranks ?? [];
  const own = inAttempt(events, attempt).filter((placed) => isOnHost(placed, host, ranks));
  if (own.some((placed) => isEnd(placed)) || here.some(({ placed }) => isOnHost(placed, host, ranks))) return [];
  const lives = lifeLines.filter(
    (life) => life.attempt === attempt && ranks.includes(life.rank) && life.lastSeen !== undefined,
  );
  if (own.length + lives.length === 0 || launcherLives(place, attempt, events, lifeLines)) return [];
  return [
    vanishedDraft({
      host,
      here,
      ranks,
      pod: place?.pod,
      node:
        place?.node ??
        own.map((placed) => placed.node ?? placed.event.host ?? placed.pod).find((name) => name !== undefined) ??
        host,
      lives,
      own,
      attempt,
      events,
    }),
  ];
}

/** Printed by a rank of that host, or in a log that carries its name. */
function isOnHost(placed: PlacedEvent, host: string, ranks: readonly number[]): boolean {
  if (placed.rank !== undefined) return ranks.includes(placed.rank);
  return [placed.pod, placed.node, placed.event.host].some((name) => name !== undefined && sameHost(name, host));
}

function accusationsIn(attempt: number, events: readonly PlacedEvent[]): Accusation[] {
  const closed = inAttempt(eventsOf(events, 'nccl-warning'), attempt).filter(
    (placed) => placed.event.body.class === 'peer-closed' && placed.event.body.peer !== undefined,
  );
  return closed.map((placed) => ({ host: peerHost(placed.event.body.peer ?? ''), placed }));
}

/** The launcher of that host went on to tell how its workers ended: then the host is there, and one of them is the reason. */
function launcherLives(
  place: HostPlace | undefined,
  attempt: number,
  events: readonly PlacedEvent[],
  lifeLines: readonly LifeLine[],
): boolean {
  const ranks = place?.ranks ?? [];
  if (lifeLines.some((life) => life.attempt === attempt && ranks.includes(life.rank) && life.exit?.by === 'agent'))
    return true;
  return inAttempt(events, attempt).some((placed) => {
    const { kind } = placed.event.body;
    if (kind !== 'worker-failed' && kind !== 'failure-summary' && kind !== 'closing-signal' && kind !== 'agent-signal')
      return false;
    return (
      (place?.pod !== undefined && placed.pod === place.pod) ||
      (place?.node !== undefined && placed.node === place.node)
    );
  });
}

function isEnd(placed: PlacedEvent): boolean {
  const { body } = placed.event;
  return (
    body.kind === 'finished' ||
    consequenceOf(body) !== undefined ||
    (body.kind === 'exception' && !body.handled && isPrimaryClass(body.class))
  );
}

interface Vanished {
  readonly host: string;
  readonly here: readonly Accusation[];
  readonly ranks: readonly number[];
  readonly pod: string | undefined;
  readonly node: string;
  readonly lives: readonly LifeLine[];
  readonly own: readonly PlacedEvent[];
  readonly attempt: number;
  readonly events: readonly PlacedEvent[];
}

function vanishedDraft({ host, here, ranks, pod, node, lives, own, attempt, events }: Vanished): Draft {
  const [life] = lives;
  const last = own[own.length - 1];
  return draft({
    outcome: 'group',
    status: 'supported',
    stage: 'exited-rank',
    cause: 'killed',
    strength: 'absence',
    firstRanks: rankSet(ranks),
    symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
    pod,
    node,
    attempt,
    summary: `The processes on ${host}${ranks.length > 0 ? ` (${nameRanks(ranks)} and whatever else ran there)` : ''} ended without a word: the others saw their connections to it close.`,
    because: [
      ...here
        .slice(0, 4)
        .map(({ placed }) =>
          cite(
            placed,
            `${placed.rank === undefined ? 'A process' : `Rank ${placed.rank}`} as witness: ${quote(placed.event.text, 140)}`,
          ),
        ),
      ...(life?.lastSeen
        ? [
            citeSource(
              life.lastSeen.source,
              `The last line of rank ${life.rank} is ordinary, without an error: ${quote(life.lastSeen.text, 120)}`,
              life.rank,
            ),
          ]
        : last
          ? [cite(last, `The log of that host ends without an error: ${quote(last.event.text, 120)}`)]
          : []),
    ],
    wouldChange: [`kernel log and Pod status of ${host}`, `logs of all ranks on ${host}`],
    nextChecks: [
      `Kernel log, uptime and power events of ${host}`,
      'Pod status and events: killed, evicted, out of memory?',
    ],
  });
}
