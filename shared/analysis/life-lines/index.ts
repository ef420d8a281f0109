/**
 * One line of life per rank and attempt: started, ready, progressed, last seen, finished, failed, ended.
 *
 * Only what surely belongs to a rank is given to it. In a log that several ranks share, a line without a mark belongs
 * to none of them, with one exception: when as many workers of a Pod say the same thing as there are workers
 * ("process group ready", "finished"), each of them has said it; and when as many say that they finished as ended with success, while
 * the end of every other worker of the Pod is told too, those who ended well said it.
 *
 * Empty input gives no lines. O(events).
 */
import type { EventKind } from '../../model/events.ts';
import type { LifeLine, PlacedEvent, PodPlace, RankMapFact, RankPlace } from '../../model/facts.ts';
import type { EntryId } from '../../model/ids.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { AgentExits, containerExit } from './exits.ts';
import { isOwnStream, lastSeen, StreamIndex } from './last-seen.ts';

/** What counts as an error printed by a rank; the rules weigh them. */
const ERRORS = new Set<EventKind>([
  'exception',
  'native-terminate',
  'device-assert',
  'collective-timeout',
  'watchdog-terminated',
  'async-error',
  'communicator-aborted',
  'heartbeat-stuck',
  'gil-suspected',
  'store-lost',
  'unique-id-failed',
  'store-unreachable',
  'port-in-use',
  'collective-mismatch',
  'desync',
  'monitored-barrier-failed',
  'monitored-barrier-reached',
  'gloo-timeout',
  'gloo-closed',
  'gloo-size-mismatch',
  'gloo-connect-failed',
  'rendezvous-failed',
  'nccl-warning',
  'data-loader-killed',
]);

/** Ordered by rank, then attempt, one for each place of the rank map. */
export function computeLifeLines(
  input: IncidentInput,
  rankMap: RankMapFact,
  events: readonly PlacedEvent[],
): readonly LifeLine[] {
  const own = new Map<string, PlacedEvent[]>();
  const ofPod = new Map<string, PlacedEvent[]>();
  for (const event of events) {
    if (event.rank !== undefined) put(own, `${event.rank}@${event.attempt}`, event);
    if (event.pod !== undefined) put(ofPod, `${event.pod}@${event.attempt}`, event);
  }
  const exits = new AgentExits(events, rankMap.places);
  const index = new StreamIndex(input.streams, events);
  const pods = new Map(rankMap.pods.map((pod) => [pod.pod, pod]));
  const workers = workersPerPod(rankMap);
  const together = new Map<string, RankPlace[]>();
  for (const place of rankMap.places)
    if (place.pod !== undefined) put(together, `${place.pod}@${place.attempt}`, place);
  const bytes = new Map(input.entries.map((entry) => [entry.id, entry.bytes]));
  return rankMap.places.map((place) => {
    const key = `${place.pod ?? ''}@${place.attempt}`;
    const neighbours = together.get(key) ?? [];
    return lifeLine({
      place,
      own: own.get(`${place.rank}@${place.attempt}`) ?? [],
      podEvents: place.pod === undefined ? [] : (ofPod.get(key) ?? []),
      pod: place.pod === undefined ? undefined : pods.get(place.pod),
      workers: workers.get(key) ?? 0,
      neighbours: neighbours.length === workers.get(key) ? neighbours : [],
      exits,
      index,
      bytes,
    });
  });
}

function put<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** How many processes each Pod has in each attempt: as the definition says, or as many as are placed there. */
function workersPerPod(rankMap: RankMapFact): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { pod, attempt } of rankMap.places)
    if (pod !== undefined) counts.set(`${pod}@${attempt}`, (counts.get(`${pod}@${attempt}`) ?? 0) + 1);
  const { nprocPerNode } = rankMap;
  if (nprocPerNode !== undefined) for (const [key, count] of counts) counts.set(key, Math.max(count, nprocPerNode));
  return counts;
}

interface Parts {
  readonly place: RankPlace;
  /** Events of this rank, by path and position. */
  readonly own: readonly PlacedEvent[];
  readonly podEvents: readonly PlacedEvent[];
  readonly pod: PodPlace | undefined;
  readonly workers: number;
  /** Places of the same Pod and attempt, this one among them; as many as `workers`, else empty. */
  readonly neighbours: readonly RankPlace[];
  readonly exits: AgentExits;
  readonly index: StreamIndex;
  /** Size of each entry. */
  readonly bytes: ReadonlyMap<EntryId, number>;
}

function lifeLine(parts: Parts): LifeLine {
  const { place, own } = parts;
  return {
    rank: place.rank,
    attempt: place.attempt,
    log: logOf(parts),
    ...(endsInsideALine(parts) ? { endsInsideALine: true as const } : {}),
    started: own.find(({ event }) => event.body.kind === 'rank-announced') ?? own[0],
    ready:
      own.find(({ event }) => event.body.kind === 'group-ready') ?? initDone(own) ?? saidByAll(parts, 'group-ready'),
    lastProgress: own.findLast(({ event }) => event.body.kind === 'progress'),
    lastSeen: lastSeen(place, own, parts.index),
    finished:
      own.findLast(({ event }) => event.body.kind === 'finished') ??
      saidByAll(parts, 'finished') ??
      finishedWithSuccess(parts),
    openOperations: openOperations(own),
    errors: own.filter(({ event }) => ERRORS.has(event.body.kind)),
    exit: parts.exits.exitOf(place) ?? containerExit(parts.pod, place.attempt),
  };
}

const initDone = (own: readonly PlacedEvent[]): PlacedEvent | undefined =>
  own.find(({ event }) => event.body.kind === 'nccl-init' && event.body.complete);

/** Of a file that several share, whoever has lines in it. What rewrites itself with carriage returns has no end of line while it goes on. */
function endsInsideALine({ place, own, index, bytes }: Parts): boolean {
  const entries = [...new Set([...place.entries, ...own.map(({ event }) => event.source.entry)])];
  const all = entries.flatMap((entry) => index.streamsOf(entry).map((stream) => ({ entry, stream })));
  const ofItsOwn = all.filter(({ stream }) => isOwnStream(stream, place.rank));
  return (ofItsOwn.length > 0 ? ofItsOwn : all).some(({ entry, stream: { lastLine, newestFirst } }) => {
    const last = lastLine?.source;
    if (last?.kind !== 'line' || newestFirst === true || isProgressBar(lastLine?.text ?? '')) return false;
    return last.byte + last.length >= (bytes.get(entry) ?? Number.POSITIVE_INFINITY);
  });
}

const isProgressBar = (text: string): boolean => text.includes('\r') || /\d{1,3}%\|/.test(text);

function logOf({ place, own, podEvents, index }: Parts): LifeLine['log'] {
  const entries = new Set([...place.entries, ...own.map(({ event }) => event.source.entry)]);
  for (const entry of entries)
    if (index.streamsOf(entry).some((stream) => isOwnStream(stream, place.rank))) return 'own';
  const isMixed =
    own.length > 0 || podEvents.some(({ stream }) => stream !== undefined && stream.localRank === undefined);
  return isMixed || [...entries].some((entry) => index.streamsOf(entry).length > 0) ? 'mixed' : 'none';
}

/** The last of the unmarked lines of a kind, if every worker of the Pod has one. */
function saidByAll({ podEvents, workers }: Parts, kind: 'group-ready' | 'finished'): PlacedEvent | undefined {
  const said = podEvents.filter(({ event, rank }) => event.body.kind === kind && rank === undefined);
  return workers > 0 && said.length === workers ? said.at(-1) : undefined;
}

/** The last unmarked "finished" of the Pod, if exactly as many workers ended with success as said it, and this is one of them. */
function finishedWithSuccess({ podEvents, neighbours, place, exits }: Parts): PlacedEvent | undefined {
  const said = podEvents.filter(({ event, rank }) => event.body.kind === 'finished' && rank === undefined);
  if (said.length === 0) return undefined;
  const ends = neighbours.map((one) => ({ one, exit: exits.exitOf(one) }));
  if (ends.some(({ exit }) => exit === undefined)) return undefined;
  const well = ends.filter(({ exit }) => exit?.code === 0 && !exit.terminatedByAgent).map(({ one }) => one);
  return well.length === said.length && well.includes(place) ? said.at(-1) : undefined;
}

/** Starts without an end of the same label behind them; of a label that starts again, the last start. */
function openOperations(own: readonly PlacedEvent[]): readonly PlacedEvent[] {
  const open = new Map<string, PlacedEvent>();
  for (const event of own) {
    const { body } = event.event;
    if (body.kind !== 'operation-start' && body.kind !== 'operation-end') continue;
    const key = `${body.what}/${body.label}`;
    open.delete(key);
    if (body.kind === 'operation-start') open.set(key, event);
  }
  return [...open.values()];
}
