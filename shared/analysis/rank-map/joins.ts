/**
 * What follows from many statements taken together: process id → rank, first rank of an agent, ranks of a file.
 */
import type { PlacementBasis } from '../../model/facts.ts';
import type { EntryId } from '../../model/ids.ts';
import { basisOrder, type Claim } from './evidence.ts';
import type { JobSpec } from './job-spec.ts';
import { listIn, sortedNumbers } from './order.ts';

/** Keys of the joins: processes are numbered per Pod, or per entry where the Pod is not known. */
const scope = (pod: string | undefined, entry: EntryId, attempt: number): string => `${pod ?? `#${entry}`}@${attempt}`;

export interface Joins {
  /** Rank of a process; undefined if unknown or if two ranks claim it. */
  readonly rankOfPid: (pod: string | undefined, entry: EntryId, attempt: number, pid: number) => number | undefined;
  /** First global rank of an agent (a Pod, or what stands for it) in an attempt, with the basis that tells it. */
  readonly firstRank: (
    agent: string,
    attempt: number,
  ) => { readonly rank: number; readonly basis: PlacementBasis } | undefined;
  /** Ranks that the Pod's own lines name, sorted. */
  readonly ranksIn: (pod: string, attempt: number) => readonly number[];
  /** Ranks that a file's lines carry in an attempt, sorted. */
  readonly ranksOfEntry: (entry: EntryId, attempt: number) => readonly number[];
}

export function buildJoins(claims: readonly Claim[], job: JobSpec, nproc: number | undefined): Joins {
  const pids = new Map<string, Set<number>>();
  const firsts = new Map<string, { rank: number; basis: PlacementBasis }[]>();
  const inPod = new Map<string, Set<number>>();
  const inEntry = new Map<string, Set<number>>();
  const put = (map: Map<string, Set<number>>, key: string, rank: number) =>
    void map.set(key, (map.get(key) ?? new Set()).add(rank));
  for (const claim of claims) {
    const { pod, attempt, rank, entry } = claim;
    if (claim.pid !== undefined) put(pids, `${scope(pod, entry, attempt)}/${claim.pid}`, rank);
    if (claim.own && claim.basis !== 'file-name' && claim.basis !== 'work-prefix')
      put(inEntry, `${entry}@${attempt}`, rank);
    if (pod !== undefined) put(inPod, `${pod}@${attempt}`, rank);
    if (claim.localRank !== undefined && claim.agent !== undefined)
      listIn(firsts, `${claim.agent}@${attempt}`).push({ rank: rank - claim.localRank, basis: claim.basis });
  }
  const only = (ranks: ReadonlySet<number> | undefined): number | undefined =>
    ranks?.size === 1 ? [...ranks][0] : undefined;
  const ranksInKey = memo((key: string) => sortedNumbers(inPod.get(key) ?? []));
  const ranksIn = (pod: string, attempt: number) => ranksInKey(`${pod}@${attempt}`);
  const unordered = attemptsAgainstSpec(firsts, job, nproc);
  const firstRank = memo((key: string) => {
    const cut = key.lastIndexOf('@');
    const [agent, attempt] = [key.slice(0, cut), Number(key.slice(cut + 1))];
    return (
      firstOf(firsts.get(key)) ??
      (unordered.has(attempt) ? undefined : firstBySpec(job, nproc, agent, ranksIn(agent, attempt)))
    );
  });
  const ranksOfEntry = memo((key: string) => sortedNumbers(inEntry.get(key) ?? []));
  return {
    rankOfPid: (pod, entry, attempt, pid) => only(pids.get(`${scope(pod, entry, attempt)}/${pid}`)),
    firstRank: (agent, attempt) => firstRank(`${agent}@${attempt}`),
    ranksIn,
    ranksOfEntry: (entry, attempt) => ranksOfEntry(`${entry}@${attempt}`),
  };
}

/** Remembers what it computed. */
function memo<T>(compute: (key: string) => T): (key: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}

/** Attempts in which some Pod's logs contradict its definition: ranks were not given in that order, to nobody. */
function attemptsAgainstSpec(
  firsts: ReadonlyMap<string, readonly { readonly rank: number; readonly basis: PlacementBasis }[]>,
  job: JobSpec,
  nproc: number | undefined,
): ReadonlySet<number> {
  const attempts = new Set<number>();
  for (const [key, found] of firsts) {
    const cut = key.lastIndexOf('@');
    const nodeRank = job.pods.get(key.slice(0, cut))?.nodeRank;
    const first = firstOf(found);
    if (nodeRank === undefined || nproc === undefined || first === undefined) continue;
    if (first.rank !== nodeRank * nproc) attempts.add(Number(key.slice(cut + 1)));
  }
  return attempts;
}

/** All statements must agree: agents number their workers without gaps. */
function firstOf(
  found: readonly { readonly rank: number; readonly basis: PlacementBasis }[] | undefined,
): { readonly rank: number; readonly basis: PlacementBasis } | undefined {
  const [first, ...rest] = [...(found ?? [])].sort((a, b) => basisOrder(a.basis) - basisOrder(b.basis));
  return first !== undefined && first.rank >= 0 && rest.every(({ rank }) => rank === first.rank) ? first : undefined;
}

/** Node rank × processes, unless the Pod's own lines show a rank outside. */
function firstBySpec(
  job: JobSpec,
  nproc: number | undefined,
  pod: string,
  seen: readonly number[],
): { readonly rank: number; readonly basis: PlacementBasis } | undefined {
  const place = job.pods.get(pod);
  if (place?.nodeRank === undefined || place.nodeRankBasis === undefined || nproc === undefined) return undefined;
  const rank = place.nodeRank * nproc;
  return seen.every((value) => value >= rank && value < rank + nproc)
    ? { rank, basis: place.nodeRankBasis }
    : undefined;
}
