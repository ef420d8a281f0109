/** Where each rank ran in each attempt: the statements of the logs first, the Pods' definitions where logs are silent. */
import type { PlacementBasis, PodPlace, RankPlace } from '../../model/facts.ts';
import type { EntryId } from '../../model/ids.ts';
import { terminationOf } from './attempts.ts';
import { basisOrder, type Claim } from './evidence.ts';
import type { JobSpec } from './job-spec.ts';
import type { Joins } from './joins.ts';
import { addTo, byText, listIn, rangesText, sortedNumbers } from './order.ts';
import type { PodNames } from './sites.ts';

export interface PlacesContext {
  readonly claims: readonly Claim[];
  readonly joins: Joins;
  readonly job: JobSpec;
  readonly names: PodNames;
  readonly nproc: number | undefined;
  readonly worldSize: number | undefined;
  readonly attempts: number;
  readonly attemptOfContainer: (pod: string, which: 'current' | 'previous') => number;
  /** Node of a Pod in an attempt. */
  readonly nodeOf: (pod: string, attempt: number) => string | undefined;
  readonly containerOf: (pod: string) => string | undefined;
}

/** Ranks of jobs larger than this are placed only where something speaks of them: a spec may ask for absurdly many. */
const MAX_RANKS = 16_384;

/** Places of earlier attempts are filled up with ranks that nothing speaks of only while there are fewer than this. */
const MAX_FILLED = 50_000;

/** All places, by rank, then attempt. */
export function placeRanks(context: PlacesContext): readonly RankPlace[] {
  const byAttempt = new Map<number, Map<number, Claim[]>>();
  for (const claim of context.claims) {
    const ranks = byAttempt.get(claim.attempt) ?? new Map<number, Claim[]>();
    byAttempt.set(claim.attempt, ranks);
    listIn(ranks, claim.rank).push(claim);
  }
  const places: RankPlace[] = [];
  const last = context.attempts - 1;
  for (const attempt of sortedNumbers([...byAttempt.keys(), last])) {
    const claims = byAttempt.get(attempt) ?? new Map<number, Claim[]>();
    const homes = homesOfAttempt(context, attempt);
    const isFull = attempt === last || places.length < MAX_FILLED;
    const ranks = isFull ? ranksOf(context.worldSize, claims, homes) : sortedNumbers(claims.keys());
    for (const rank of ranks) places.push(place(context, attempt, rank, claims.get(rank) ?? [], homes.get(rank)));
  }
  return places.sort((a, b) => a.rank - b.rank || a.attempt - b.attempt);
}

/** A rank's Pod as the Pod's range of ranks gives it. */
interface Home {
  readonly pod: string;
  readonly localRank: number;
  readonly basis: PlacementBasis;
}

/** Ranks of each Pod by its first rank; a rank that two Pods would hold has none. */
function homesOfAttempt(context: PlacesContext, attempt: number): ReadonlyMap<number, Home> {
  const { joins, job, nproc } = context;
  const homes = new Map<number, Home>();
  const several = new Set<number>();
  if (nproc === undefined) return homes;
  for (const [pod, { spec }] of job.pods) {
    const said = spec?.isLauncher === true ? undefined : joins.firstRank(pod, attempt);
    if (said === undefined) continue;
    // Where the Pod's definition says the same as its logs, it is what speaks for the ranks that no line names.
    const defined = specRanks(context, pod);
    const first = defined?.ranks[0] === said.rank ? { ...said, basis: defined.basis } : said;
    const count = Math.min(spec?.nproc ?? nproc, MAX_RANKS);
    for (let localRank = 0; localRank < count; localRank += 1) {
      const rank = first.rank + localRank;
      const other = homes.get(rank);
      if (other === undefined || basisOrder(first.basis) < basisOrder(other.basis))
        homes.set(rank, { pod, localRank, basis: first.basis });
      if (other !== undefined && other.basis === first.basis) several.add(rank);
    }
  }
  for (const rank of several) homes.delete(rank);
  return homes;
}

function ranksOf(
  worldSize: number | undefined,
  claims: ReadonlyMap<number, unknown>,
  homes: ReadonlyMap<number, Home>,
): readonly number[] {
  const ranks = new Set(claims.keys());
  for (const rank of homes.keys()) if (worldSize === undefined || rank < worldSize) ranks.add(rank);
  for (let rank = 0; rank < Math.min(worldSize ?? 0, MAX_RANKS); rank += 1) ranks.add(rank);
  return sortedNumbers(ranks);
}

function place(
  context: PlacesContext,
  attempt: number,
  rank: number,
  claims: readonly Claim[],
  home: Home | undefined,
): RankPlace {
  const conflicts: string[] = [];
  const podChoice = choose(claims, (claim) => claim.pod);
  const pod = podChoice.value ?? home?.pod;
  if (podChoice.others.length > 0) {
    conflicts.push(
      `rank ${rank} shows in the logs of ${[pod, ...podChoice.others].join(' and of ')}; ${pod} was taken (${podChoice.basis})`,
    );
  }
  const spec = pod === undefined ? undefined : specRanks(context, pod);
  if (podChoice.value !== undefined && spec !== undefined && !spec.ranks.includes(rank)) {
    conflicts.push(
      `the logs put rank ${rank} in ${pod} (${podChoice.basis}); by its ${basisWords(spec.basis)} that Pod should hold ranks ${rangesText(spec.ranks)}; the logs were taken`,
    );
  }
  const localChoice = choose(claims, (claim) => claim.localRank);
  if (localChoice.others.length > 0)
    conflicts.push(
      `rank ${rank} has local rank ${localChoice.value} (${localChoice.basis}) and ${localChoice.others.join(', ')}`,
    );
  const localRank = localChoice.value ?? localInPod(context, attempt, rank, pod, home);
  const bases = new Set(claims.map((claim) => claim.basis));
  if (home !== undefined && (podChoice.value === undefined || localChoice.value === undefined)) bases.add(home.basis);
  return {
    rank,
    attempt,
    localRank,
    pod,
    container: pod === undefined ? undefined : context.containerOf(pod),
    node: pod === undefined ? undefined : context.nodeOf(pod, attempt),
    gpu: choose(claims, (claim) => claim.gpu).value,
    pids: sortedNumbers(claims.flatMap((claim) => (claim.pid === undefined ? [] : [claim.pid]))),
    basis: [...bases].sort((a, b) => basisOrder(a) - basisOrder(b)),
    conflicts,
    entries: [...new Set(claims.filter((claim) => claim.own).map((claim) => claim.entry))].sort(
      (a, b) => a - b,
    ) satisfies EntryId[],
  };
}

function localInPod(
  { joins }: PlacesContext,
  attempt: number,
  rank: number,
  pod: string | undefined,
  home: Home | undefined,
): number | undefined {
  if (pod === undefined) return undefined;
  if (home?.pod === pod) return home.localRank;
  const first = joins.firstRank(pod, attempt);
  return first === undefined || rank < first.rank ? undefined : rank - first.rank;
}

interface Choice<T> {
  readonly value: T | undefined;
  readonly basis: PlacementBasis | undefined;
  readonly others: readonly T[];
}

/** The value with the best basis, then the most statements; all other values too. */
function choose<T extends string | number>(claims: readonly Claim[], pick: (claim: Claim) => T | undefined): Choice<T> {
  const best = new Map<T, PlacementBasis>();
  const counts = new Map<T, number>();
  for (const claim of claims) {
    const value = pick(claim);
    if (value === undefined) continue;
    addTo(counts, value);
    const before = best.get(value);
    if (before === undefined || basisOrder(claim.basis) < basisOrder(before)) best.set(value, claim.basis);
  }
  const order = [...best].sort(
    ([a, basisA], [b, basisB]) =>
      basisOrder(basisA) - basisOrder(basisB) ||
      (counts.get(b) ?? 0) - (counts.get(a) ?? 0) ||
      byText(String(a), String(b)),
  );
  return { value: order[0]?.[0], basis: order[0]?.[1], others: order.slice(1).map(([value]) => value) };
}

const basisWords = (basis: PlacementBasis): string =>
  basis === 'pod-node-rank' ? 'node rank' : basis === 'pod-label' ? 'labels' : 'name';

/** Ranks that a Pod should hold by its definition. */
function specRanks(
  { job, nproc }: Pick<PlacesContext, 'job' | 'nproc'>,
  pod: string,
): { readonly ranks: readonly number[]; readonly basis: PlacementBasis } | undefined {
  const found = job.pods.get(pod);
  const count = found?.spec?.nproc ?? nproc;
  if (
    found?.nodeRank === undefined ||
    found.nodeRankBasis === undefined ||
    count === undefined ||
    nproc === undefined ||
    count > MAX_RANKS
  )
    return undefined;
  const first = found.nodeRank * nproc;
  return { basis: found.nodeRankBasis, ranks: Array.from({ length: count }, (_, i) => first + i) };
}

/** The job's Pods by name. */
export function placePods(context: PlacesContext): readonly PodPlace[] {
  const seen = new Map<string, Set<number>>();
  for (const { pod, rank } of context.claims)
    if (pod !== undefined) seen.set(pod, (seen.get(pod) ?? new Set()).add(rank));
  return [...context.job.pods].map(([pod, { record, nodeRank, nodeRankBasis, spec }]) => ({
    pod,
    namespace: record?.namespace,
    node: record?.node,
    ranks: sortedNumbers(seen.get(pod) ?? []),
    expectedRanks: spec?.isLauncher === true ? [] : (specRanks(context, pod)?.ranks ?? []),
    nodeRank,
    nodeRankBasis,
    object: record?.fromEvents === true ? undefined : record?.object,
    containerAttempts: {
      current: context.attemptOfContainer(pod, 'current'),
      previous:
        terminationOf(record?.object, 'previous') === undefined
          ? undefined
          : context.attemptOfContainer(pod, 'previous'),
    },
  }));
}
