/** Which ranks a Pod or node holds, which ranks there should be, and what each of them reported. */
import { isWithin, rankSet } from '../../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent, PodPlace, RankMapFact, RankPlace } from '../../../model/facts.ts';
import { type Consequence, consequenceOf } from './events.ts';
import { precedes } from './order.ts';

/** More ranks than any job has; guards against a spec that asks for billions. */
const MOST_RANKS = 65_536;

/** Ranks the job should have had: 0 to world size − 1, else the ranks that were seen. Sorted. */
export function jobRanks(rankMap: RankMapFact): number[] {
  const { worldSize } = rankMap;
  if (worldSize !== undefined && worldSize <= MOST_RANKS) return Array.from({ length: worldSize }, (_, rank) => rank);
  return rankSet(rankMap.places.map((place) => place.rank));
}

const placeIndexes = new WeakMap<readonly RankPlace[], Map<number, RankPlace[]>>();

/** Place of a rank in an attempt, else in any attempt (Pod and node of a static job do not change). */
export function placeOf(rankMap: RankMapFact, rank: number, attempt: number): RankPlace | undefined {
  const index = indexed(placeIndexes, rankMap.places, (place) => place.rank);
  const places = index.get(rank) ?? [];
  return places.find((place) => place.attempt === attempt) ?? places[0];
}

/** Groups a list by a number once and keeps the result as long as the list lives. */
function indexed<T>(
  cache: WeakMap<readonly T[], Map<number, T[]>>,
  list: readonly T[],
  keyOf: (item: T) => number | undefined,
): Map<number, T[]> {
  const known = cache.get(list);
  if (known !== undefined) return known;
  const index = new Map<number, T[]>();
  for (const item of list) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const same = index.get(key);
    if (same) same.push(item);
    else index.set(key, [item]);
  }
  cache.set(list, index);
  return index;
}

const eventIndexes = new WeakMap<readonly PlacedEvent[], Map<number, PlacedEvent[]>>();

/** Events that one rank printed, in their order, of all attempts. */
export function eventsOfRank(events: readonly PlacedEvent[], rank: number): readonly PlacedEvent[] {
  return indexed(eventIndexes, events, (placed) => placed.rank).get(rank) ?? [];
}

export function podByName(rankMap: RankMapFact, pod: string | undefined): PodPlace | undefined {
  return pod === undefined ? undefined : rankMap.pods.find((place) => place.pod === pod);
}

/**
 * Ranks of a Pod: those seen in it; where it is the only Pod without any, those that nobody else has; else those that its spec gives
 * it, if the Pods that were seen follow their specs (with a dynamic rendezvous they need not). Sorted; empty if it cannot be said.
 */
export function ranksOfPod(rankMap: RankMapFact, pod: string): number[] {
  const place = podByName(rankMap, pod);
  if (place === undefined) return rankSet(rankMap.places.filter((p) => p.pod === pod).map((p) => p.rank));
  const others = rankMap.pods.filter((other) => other !== place);
  const taken = new Set(others.flatMap((other) => other.ranks));
  if (place.ranks.length > 0) return withUnseen(place.ranks, taken, rankMap);
  if (others.length > 0 && others.every((other) => other.ranks.length > 0) && rankMap.worldSize !== undefined) {
    return jobRanks(rankMap).filter((rank) => !taken.has(rank));
  }
  const follow = others.every(
    (other) => other.expectedRanks.length === 0 || isWithin(other.ranks, other.expectedRanks),
  );
  return follow ? rankSet(place.expectedRanks.filter((rank) => !taken.has(rank))) : [];
}

/**
 * Ranks of a Pod that printed nothing belong to it as well: with P processes a Pod, a launcher numbers them from a multiple of P on.
 * Where what was seen does not fit that, only what was seen.
 */
function withUnseen(seen: readonly number[], taken: ReadonlySet<number>, rankMap: RankMapFact): number[] {
  const { nprocPerNode: each, worldSize } = rankMap;
  if (each === undefined || each <= seen.length || each > MOST_RANKS || worldSize === undefined) return rankSet(seen);
  const from = Math.floor(Math.min(...seen) / each) * each;
  const block = Array.from({ length: each }, (_, index) => from + index);
  const fits = isWithin(seen, block) && from + each <= worldSize && block.every((rank) => !taken.has(rank));
  return fits ? block : rankSet(seen);
}

/** Ranks on a node: by their places, else by its Pods. */
export function ranksOfNode(rankMap: RankMapFact, node: string): number[] {
  const seen = rankMap.places.filter((place) => place.node === node).map((place) => place.rank);
  if (seen.length > 0) return rankSet(seen);
  return rankSet(rankMap.pods.filter((pod) => pod.node === node).flatMap((pod) => ranksOfPod(rankMap, pod.pod)));
}

/** The Pod and node that hold all the given ranks, where there is just one. */
export function commonPlace(
  rankMap: RankMapFact,
  ranks: readonly number[],
  attempt: number,
): { pod: string | undefined; node: string | undefined } {
  const places = ranks.map((rank) => placeOf(rankMap, rank, attempt));
  return { pod: only(places.map((place) => place?.pod)), node: only(places.map((place) => place?.node)) };
}

function only(values: readonly (string | undefined)[]): string | undefined {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : undefined;
}

const lifeIndexes = new WeakMap<readonly LifeLine[], Map<number, LifeLine[]>>();

export function lifeOf(lifeLines: readonly LifeLine[], rank: number, attempt: number): LifeLine | undefined {
  return indexed(lifeIndexes, lifeLines, (life) => life.rank)
    .get(rank)
    ?.find((life) => life.attempt === attempt);
}

export interface RankReport {
  readonly how: Consequence;
  /** The first such line of this rank. */
  readonly placed: PlacedEvent;
}

/** For each rank of the attempt that reported a consequence: its first report, a time-out before others of the same rank. */
export function consequenceReports(events: readonly PlacedEvent[], attempt: number): ReadonlyMap<number, RankReport> {
  const cached = reportCaches.get(events) ?? new Map<number, ReadonlyMap<number, RankReport>>();
  reportCaches.set(events, cached);
  const known = cached.get(attempt) ?? collectReports(events, attempt);
  cached.set(attempt, known);
  return known;
}

const reportCaches = new WeakMap<readonly PlacedEvent[], Map<number, ReadonlyMap<number, RankReport>>>();

function collectReports(events: readonly PlacedEvent[], attempt: number): Map<number, RankReport> {
  const reports = new Map<number, RankReport>();
  for (const placed of events) {
    if (placed.rank === undefined || placed.attempt !== attempt) continue;
    const how = consequenceOf(placed.event.body);
    if (how === undefined) continue;
    const known = reports.get(placed.rank);
    if (
      known === undefined ||
      (known.how !== 'timeout' && how === 'timeout') ||
      (known.how === how && precedes(placed, known.placed))
    ) {
      reports.set(placed.rank, { how, placed });
    }
  }
  return reports;
}

/** Ranks whose first report is a time-out, sorted. */
export function timedOut(reports: ReadonlyMap<number, RankReport>): number[] {
  return rankSet([...reports].filter(([, report]) => report.how === 'timeout').map(([rank]) => rank));
}

/** Signal that ended a process, from either way of writing it. */
export function exitSignal(life: LifeLine | undefined): number | undefined {
  const exit = life?.exit;
  if (exit === undefined) return undefined;
  if (exit.signal !== undefined) return exit.signal;
  return exit.code !== undefined && exit.code < 0 ? -exit.code : undefined;
}

const SIGNAL_NAMES: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};

export function signalName(signal: number): string {
  return SIGNAL_NAMES[signal] ?? `signal ${signal}`;
}
