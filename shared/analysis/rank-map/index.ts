/**
 * The rank map: which process was which global rank, in which Pod, on which node, in which attempt; and each log event
 * with that place.
 *
 * Order of trust: what a rank says of itself (announcement, `[rankN]:`, NCCL's communicator of the whole job), what its
 * agent says (failure summary, rendezvous), the launcher's folders, then the Pods' definitions, names last. A number of
 * the Pod's env or labels is a NODE rank: its ranks are node rank × processes + local rank. Two sources that disagree are
 * both told; the better one is used. With a dynamic rendezvous nothing is derived from definitions.
 *
 * Pure and independent of the order of files. O(events × log) time; memory of one claim per line that names a rank.
 */
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { resolveDumpRanks } from '../collectives/dump-ranks.ts';
import { type Attempts, findAttempts } from './attempts.ts';
import { type Claim, collectClaims, type EvidenceContext, seenProcesses } from './evidence.ts';
import { withGpus } from './gpus.ts';
import { type JobSpec, jobSpec } from './job-spec.ts';
import { buildJoins, type Joins } from './joins.ts';
import { placeEvents } from './placed-events.ts';
import { placePods, placeRanks } from './places.ts';
import { podTable } from './pod-table.ts';
import { agentOf, findSites, loggedPods, type PodNames, podNames, recordOf, type Site } from './sites.ts';
import { worldSize } from './world-size.ts';

export function computeRankMap(input: IncidentInput): {
  readonly rankMap: RankMapFact;
  readonly events: readonly PlacedEvent[];
} {
  const names = podNames(podTable(input.pods, input.kubeEvents));
  const sites = findSites(input, names);
  const job = jobSpec(names.table, loggedPods(sites), input.workloads);
  const attempts = findAttempts(sites, names, job);
  const evidence = { input, sites, names, job, attempts };
  const world = worldSize(input.events, input.dumps, job);
  const claims = [...collectClaims(evidence), ...dumpClaims(evidence, world.size)];
  const nproc = job.nproc ?? seenProcesses(claims);
  const joins = buildJoins(claims, job, nproc);
  const nodeOf = nodeLookup(sites, names, attempts);
  const containerOf = containerLookup(sites, names);
  const context = {
    claims: [...claims, ...pathClaims(evidence, joins)],
    joins,
    job,
    names,
    nproc,
    worldSize: world.size,
    attempts: attempts.count,
    attemptOfContainer: attempts.ofContainer,
    nodeOf,
    containerOf,
  };
  const places = placeRanks(context);
  const pods = new Map(places.map((place) => [`${place.rank}@${place.attempt}`, place.pod]));
  const events = placeEvents({
    ...evidence,
    joins,
    nproc,
    worldSize: world.size,
    nodeOf,
    podOfRank: (rank, attempt) => pods.get(`${rank}@${attempt}`),
    nodes: knownNodes(input, names),
  });
  return {
    events,
    rankMap: {
      worldSize: world.size,
      worldSizeBasis: world.basis,
      specWorldSize: specWorldSize(job, nproc),
      nprocPerNode: nproc,
      nnodes: job.nnodes,
      attempts: attempts.count,
      places: withGpus(places, { events, job, nodes: input.nodes }),
      pods: placePods(context),
    },
  };
}

function specWorldSize(job: JobSpec, nproc: number | undefined): number | undefined {
  return job.worldSize ?? (job.nnodes !== undefined && nproc !== undefined ? job.nnodes * nproc : undefined);
}

/**
 * Dumps carry their rank in the file name, unless their own groups contradict it: then it is the one that the comparison of dumps takes.
 * A path is written over by later attempts, so a dump is of the last one.
 */
function dumpClaims({ input, attempts }: EvidenceContext, world: number | undefined): readonly Claim[] {
  const attempt = attempts.count - 1;
  return resolveDumpRanks(input.dumps, world).ranked.flatMap(({ rank, dump: { source } }) =>
    rank === undefined
      ? []
      : [
          {
            rank,
            attempt,
            basis: 'dump-file' as const,
            pod: undefined,
            agent: undefined,
            localRank: undefined,
            pid: undefined,
            gpu: undefined,
            entry: source.entry,
            own: true,
          },
        ],
  );
}

/** Folders of `torchrun --log-dir`: local rank by name, global rank by what the file says or by its Pod's first rank. */
function pathClaims({ sites, attempts }: EvidenceContext, joins: Joins): readonly Claim[] {
  return sites.flatMap((site) => {
    const localRank = site.stream?.localRank;
    if (localRank === undefined) return [];
    const attempt = attempts.lastOf(site);
    const [only, ...more] = joins.ranksOfEntry(site.entry, attempt);
    const agent = agentOf(site, site.pod);
    const first = agent === undefined ? undefined : joins.firstRank(agent, attempt);
    const rank =
      only !== undefined && more.length === 0 ? only : first === undefined ? undefined : first.rank + localRank;
    if (rank === undefined) return [];
    return [
      {
        rank,
        attempt,
        basis: 'torchrun-path' as const,
        pod: site.pod,
        agent,
        localRank,
        pid: undefined,
        gpu: undefined,
        entry: site.entry,
        own: true,
      },
    ];
  });
}

/** A Pod's node; of a Pod that was created again, the one of the generation whose log lies in that attempt. */
function nodeLookup(
  sites: readonly Site[],
  names: PodNames,
  attempts: Attempts,
): (pod: string, attempt: number) => string | undefined {
  const byAttempt = new Map<string, string>();
  for (const site of sites) {
    if (site.pod === undefined || site.podUid === undefined) continue;
    const node = recordOf(names, site.pod, site.podUid)?.node;
    if (node !== undefined) byAttempt.set(`${site.pod}@${attempts.lastOf(site)}`, node);
  }
  return (pod, attempt) => byAttempt.get(`${pod}@${attempt}`) ?? names.table.get(pod)?.at(-1)?.node;
}

/** The container whose log was read, else the one that trains by the Pod's definition. */
function containerLookup(sites: readonly Site[], names: PodNames): (pod: string) => string | undefined {
  const logged = new Map<string, Set<string>>();
  for (const { pod, container } of sites) {
    if (pod !== undefined && container !== undefined) logged.set(pod, (logged.get(pod) ?? new Set()).add(container));
  }
  return (pod) => {
    const trains = names.table.get(pod)?.at(-1)?.object.trainingContainer;
    const seen = [...(logged.get(pod) ?? [])];
    return trains ?? (seen.length === 1 ? seen[0] : undefined);
  };
}

function knownNodes(input: IncidentInput, names: PodNames): ReadonlySet<string> {
  const nodes = new Set<string>();
  for (const generations of names.table.values())
    for (const { node } of generations) if (node !== undefined) nodes.add(node);
  for (const { name } of input.nodes) nodes.add(name);
  for (const { node } of input.leases) nodes.add(node);
  return nodes;
}
