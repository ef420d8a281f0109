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
import type { PodObject } from '../../model/kubernetes.ts';
import { cite, citeSource, type Draft, draft, quote } from './support/draft.ts';
import { attemptsOf, consequenceOf, eventsOf, inAttempt, isPrimaryClass } from './support/events.ts';
import { type HostPlace, peerHost, placeOfHost, sameHost } from './support/hosts.ts';
import { consequenceReports, podByName } from './support/ranks.ts';

export default defineRule({
  id: 'node-vanished',
  title: 'The processes of one node ended without a word',
  needs: ['input', 'events', 'rankMap', 'lifeLines'],
  explain: `
A killed process prints nothing. What survives is that others saw their connection to its host close, and that its own log stops without an error. The survivors are witnesses: the host that **they name** is accused, not
they. Of all hosts that are named, those whose ranks or launcher told how it went on are out. One must remain whose log is there and stops without a word; if another one without a log remains (it may have told everything in it), nobody is named. Its
container must have ended by force: a launcher that ends by itself with code 1 prints why, so a log without that is only cut. Without a Pod object, NCCL's lines count, which name the host; gloo's closed connections alone do not. Only the node is known, so its ranks are a group; whether they were killed, the node lost power or the Pod was removed is for Kubernetes and the kernel log to say.

It can be wrong if the named host is only the neighbour in a ring of the one that failed first and had its log cut; a consequence printed by its ranks therefore excludes it.

How sure: *supported*, since nothing tells the end itself.`,
  remedy:
    'Pod status and exit code first (kubectl get pod POD -o yaml, lastState), then kernel log, uptime and power events of that node (journalctl -k -b -1, last -x, the BMC), and scheduler or operator actions at that moment.',
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
  const hosts = new Map<string, Accusation[]>();
  for (const accusation of accusationsIn(attempt, events)) {
    const known = [...hosts.keys()].find((host) => sameHost(host, accusation.host)) ?? accusation.host;
    hosts.set(known, [...(hosts.get(known) ?? []), accusation]);
  }
  const suspects = [...hosts].map(([host, here]) =>
    suspectOf(host, here, attempt, events, rankMap, lifeLines, entries),
  );
  const open = suspects.filter((suspect) => suspect.kind !== 'spoke');
  const [only] = open;
  return open.length === 1 && only?.kind === 'silent' ? [vanishedDraft({ ...only, attempt, events })] : [];
}

type Suspect =
  | { readonly kind: 'spoke' | 'not-heard' }
  | ({ readonly kind: 'silent' } & Omit<Vanished, 'attempt' | 'events'>);

/** `spoke`: its ranks or its launcher told how it went on; `not-heard`: nothing of it is in the bundle; `silent`: its log is there and stops without a word. */
function suspectOf(
  host: string,
  here: readonly Accusation[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
  entries: readonly EntryInfo[],
): Suspect {
  const place = placeOfHost(host, rankMap, events, entries);
  const ranks = place?.ranks ?? [];
  const own = inAttempt(events, attempt).filter(
    (placed) => isOnHost(placed, host, ranks) || (place?.pod !== undefined && placed.pod === place.pod),
  );
  if (own.some((placed) => isEnd(placed)) || launcherLives(place, attempt, events, lifeLines)) return { kind: 'spoke' };
  if (here.some(({ placed }) => isOnHost(placed, host, ranks))) return { kind: 'spoke' };
  const lives = lifeLines.filter(
    (life) => life.attempt === attempt && ranks.includes(life.rank) && life.lastSeen !== undefined,
  );
  if (own.length + lives.length === 0) return { kind: 'not-heard' };
  const object = podByName(rankMap, place?.pod)?.object;
  if (!endedByForce(object, here)) return { kind: 'not-heard' };
  return {
    kind: 'silent',
    host,
    here,
    ranks,
    pod: place?.pod,
    node:
      place?.node ?? own.map((placed) => placed.node ?? placed.event.host).find((name) => name !== undefined) ?? host,
    lives,
    own,
    object,
  };
}

/** Printed by a rank of that host, or in a log that carries its name. */
function isOnHost(placed: PlacedEvent, host: string, ranks: readonly number[]): boolean {
  if (placed.rank !== undefined) return ranks.includes(placed.rank);
  return [placed.pod, placed.node, placed.event.host].some((name) => name !== undefined && sameHost(name, host));
}

/** Codes from here on are ends by signals: 128 + number; 255 and no code at all are ends that nobody saw. */
const SIGNAL_CODES_FROM = 129;

/**
 * A launcher that ends by itself (code 0 or 1) prints why; if its log does not hold that, the log is cut and says nothing. Without a Pod object
 * only NCCL's word counts, which names the host itself: gloo's closed connections spread around the ring.
 */
function endedByForce(object: PodObject | undefined, here: readonly Accusation[]): boolean {
  if (object === undefined) return here.some(({ placed }) => placed.event.body.kind === 'nccl-warning');
  const codes = object.containers
    .filter((container) => !container.init)
    .flatMap((container) => container.terminated?.exitCode ?? []);
  return codes.length > 0 && codes.every((code) => code >= SIGNAL_CODES_FROM);
}

/** Who saw a connection to whom close: NCCL names the host, gloo the address. */
function accusationsIn(attempt: number, events: readonly PlacedEvent[]): Accusation[] {
  const nccl = inAttempt(eventsOf(events, 'nccl-warning'), attempt).filter(
    (placed) => placed.event.body.class === 'peer-closed',
  );
  const gloo = inAttempt(eventsOf(events, 'gloo-closed'), attempt).filter(
    (placed) => placed.event.body.how !== 'timeout-closure',
  );
  const named = [...nccl, ...gloo].flatMap((placed): Accusation[] =>
    placed.event.body.peer === undefined ? [] : [{ host: peerHost(placed.event.body.peer), placed }],
  );
  const quoted = inAttempt(eventsOf(events, 'exception'), attempt).flatMap((placed): Accusation[] => {
    const address =
      consequenceOf(placed.event.body) === 'closed' ? ADDRESS.exec(placed.event.body.message)?.[1] : undefined;
    return address === undefined ? [] : [{ host: address, placed }];
  });
  return [...named, ...quoted];
}

/** `Connection closed by peer [10.244.1.17]:14734`, `Read error [10.244.1.17]:7811: Connection reset by peer`. */
const ADDRESS = /(?:by peer|Read error) \[([0-9a-fA-F.:]{2,45})\]/;

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
  readonly object: PodObject | undefined;
  readonly attempt: number;
  readonly events: readonly PlacedEvent[];
}

function vanishedDraft({ host, here, ranks, pod, node, lives, own, object, attempt, events }: Vanished): Draft {
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
      ...(object ? [citeSource(object.source, endText(object))] : []),
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

function endText(object: PodObject): string {
  const ended = object.containers.find((container) => container.terminated !== undefined)?.terminated;
  return ended === undefined
    ? `Pod ${object.name}: no end of its container is recorded`
    : `Pod ${object.name}: its container ended with code ${ended.exitCode ?? 'unknown'} (${ended.reason ?? 'no reason'})`;
}
