/** What single lines say about a rank's place. What follows from many of them together stands in `joins.ts`. */
import type { LogEvent } from '../../model/events.ts';
import type { PlacementBasis } from '../../model/facts.ts';
import type { EntryId } from '../../model/ids.ts';
import type { IncidentInput } from '../../model/incident.ts';
import type { Attempts } from './attempts.ts';
import { isLauncherPod, type JobSpec } from './job-spec.ts';
import { agentOf, type PodNames, placeIn, podOfEvent, podOfHost, type Site } from './sites.ts';

/** Best first: what is believed when two disagree. */
export const BASIS_ORDER: readonly PlacementBasis[] = [
  'announced',
  'rank-prefix',
  'nccl-init',
  'failure-summary',
  'rendezvous-result',
  'torchrun-path',
  'pod-node-rank',
  'pod-label',
  'pod-ordinal',
  'launcher-prefix',
  'file-name',
  'dump-file',
  'work-prefix',
];
export const basisOrder = (basis: PlacementBasis): number => BASIS_ORDER.indexOf(basis);

/** One statement: in this attempt, this rank … */
export interface Claim {
  readonly rank: number;
  readonly attempt: number;
  readonly basis: PlacementBasis;
  readonly pod: string | undefined;
  /** The Pod, or what stands for it where it is not known; local ranks count in it. */
  readonly agent: string | undefined;
  readonly localRank: number | undefined;
  readonly pid: number | undefined;
  readonly gpu: string | undefined;
  readonly entry: EntryId;
  /** The entry holds the rank's own output (not just a mention of it). */
  readonly own: boolean;
}

/** `9d000` → `0000:9d:00.0`: NCCL writes domain, bus, device and function without separators. */
export function busIdText(text: string): string | undefined {
  const hex = text.toLowerCase().replace(/^0x/, '');
  if (/^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}(?:\.[0-7])?$/.test(hex)) {
    const [domain = '', bus = '', rest = ''] = hex.split(':');
    return `${domain.slice(-4)}:${bus}:${rest.includes('.') ? rest : `${rest}.0`}`;
  }
  if (!/^[0-9a-f]{1,13}$/.test(hex)) return undefined;
  const digits = hex.padStart(9, '0');
  const domain = digits.slice(0, -5).slice(-4).padStart(4, '0');
  return `${domain}:${digits.slice(-5, -3)}:${digits.slice(-3, -1)}.${digits.slice(-1)}`;
}

/** Size of the largest NCCL communicator: the whole job, if the log shows its initialisation. */
export function largestCommunicator(events: readonly LogEvent[]): number | undefined {
  let largest: number | undefined;
  for (const { body } of events)
    if (body.kind === 'nccl-init' && (largest === undefined || body.nranks > largest)) largest = body.nranks;
  return largest;
}

export interface EvidenceContext {
  readonly input: IncidentInput;
  readonly sites: readonly Site[];
  readonly names: PodNames;
  readonly job: JobSpec;
  readonly attempts: Attempts;
}

/** True for a Pod that is not of the job, where the job's Pods are known. */
export const isOtherJob = (job: JobSpec, pod: string | undefined): boolean =>
  pod !== undefined && job.pods.size > 0 && !job.pods.has(pod);

/**
 * True if some line carries `[rankN]`. Then `[Rank r]` of a work object is a rank in some group and nothing else; in
 * versions without that mark it is all there is.
 */
export const isMarked = (events: readonly LogEvent[]): boolean =>
  events.some((event) => event.rankBasis === 'rank-prefix');

/** All statements of the logs, in the order of the sites. */
export function collectClaims(context: EvidenceContext): readonly Claim[] {
  const world = largestCommunicator(context.input.events);
  const marked = isMarked(context.input.events);
  const claims: Claim[] = [];
  for (const site of context.sites) {
    for (const event of site.events) {
      const attempt = context.attempts.at(site, placeIn(site, event.source));
      const pod = podOfEvent(event, site, context.names);
      if (isOtherJob(context.job, pod)) continue;
      const tied = isLauncherPod(context.job, pod) ? undefined : pod;
      const where = { attempt, pod: tied, world, marked, site, names: context.names };
      for (const claim of eventClaims(event, where)) claims.push(claim);
    }
    for (const claim of streamClaims(context, site)) claims.push(claim);
  }
  return claims;
}

interface Where {
  readonly attempt: number;
  readonly pod: string | undefined;
  readonly site: Site;
  readonly world: number | undefined;
  readonly marked: boolean;
  readonly names: PodNames;
}

function eventClaims(event: LogEvent, where: Where): readonly Claim[] {
  const { body } = event;
  const base = {
    attempt: where.attempt,
    pod: where.pod,
    agent: agentOf(where.site, where.pod),
    localRank: undefined,
    pid: undefined,
    gpu: undefined,
    entry: event.source.entry,
    own: false,
  };
  const inPod = (host: string | undefined) => {
    const pod = podOfHost(where.names, host) ?? where.pod;
    return { pod, agent: agentOf(where.site, pod) };
  };
  switch (body.kind) {
    case 'rank-announced':
      return [
        {
          ...base,
          rank: body.rank,
          basis: 'announced',
          localRank: body.localRank ?? localRankOf(event, where.site),
          pid: body.pid ?? event.pid,
          own: true,
        },
      ];
    case 'failure-summary':
      return body.failures.map((failure) => ({
        ...base,
        rank: failure.rank,
        basis: 'failure-summary',
        ...inPod(failure.host),
        localRank: failure.localRank,
        pid: failure.pid,
      }));
    case 'rendezvous-result':
      return body.globalRanks.map((rank, localRank) => ({ ...base, rank, basis: 'rendezvous-result', localRank }));
    case 'nccl-init':
      if (body.nranks !== where.world) return [];
      return [
        {
          ...base,
          rank: body.rank,
          basis: 'nccl-init',
          ...inPod(body.host),
          localRank: where.site.stream?.localRank,
          pid: body.pid ?? event.pid,
          gpu: gpuText(body.cudaDev, body.busId),
          own: true,
        },
      ];
    default:
      return printerClaim(event, base, where);
  }
}

/** A file of torchrun's log folder is of one local rank, whatever its lines say. */
const localRankOf = (event: LogEvent, site: Site): number | undefined => site.stream?.localRank ?? event.localRank;

function gpuText(cudaDev: number | undefined, busId: string | undefined): string | undefined {
  const bus = busId === undefined ? undefined : busIdText(busId);
  if (cudaDev === undefined) return bus;
  return bus === undefined ? String(cudaDev) : `${cudaDev} (${bus})`;
}

/** The rank that a line carries for its printer. */
function printerClaim(event: LogEvent, base: Omit<Claim, 'rank' | 'basis'>, where: Where): readonly Claim[] {
  const { body } = event;
  // The first of the two ranks in a mismatch report is always the one that prints it.
  const rank = event.rank ?? (body.kind === 'collective-mismatch' && !where.marked ? body.a.rank : undefined);
  if (rank === undefined) return [];
  const claim = { ...base, rank, localRank: localRankOf(event, where.site), pid: event.pid, own: true };
  switch (event.rankBasis) {
    case 'rank-prefix':
    case 'default-pg':
    case 'app-prefix':
      return [{ ...claim, basis: 'rank-prefix' }];
    case 'announced':
      return [{ ...claim, basis: 'announced' }];
    case 'launcher-prefix':
      // All tasks print into one place: it says nothing of the Pod.
      return [
        { ...claim, basis: 'launcher-prefix', pod: undefined, agent: undefined, localRank: undefined, pid: undefined },
      ];
    case 'file-name':
      return [];
    default:
      return where.marked ? [] : [{ ...claim, basis: 'work-prefix' }];
  }
}

const RANK_IN_PATH = /(?:^|[^A-Za-z0-9])(?:global)?rank[-_.=]?\d/i;

/** True if the file's NAME gives its rank; else `fileRank` only tells that all marked lines carry one rank. */
export const isNamedByRank = (site: Site): boolean =>
  site.stream?.fileRank !== undefined && RANK_IN_PATH.test(site.path);

function streamClaims(context: EvidenceContext, site: Site): readonly Claim[] {
  const { stream } = site;
  if (stream === undefined || isOtherJob(context.job, site.pod)) return [];
  const pod = isLauncherPod(context.job, site.pod) ? undefined : site.pod;
  const base = {
    pod,
    agent: agentOf(site, pod),
    localRank: undefined,
    pid: undefined,
    gpu: undefined,
    entry: site.entry,
    own: true,
  };
  const weak = weaklyNamed(site);
  const claims: Claim[] = stream.ranks
    .filter((item) => !weak.has(item.rank))
    .map((item) => ({
      ...base,
      rank: item.rank,
      basis: 'rank-prefix',
      localRank: stream.localRank,
      attempt: context.attempts.at(site, placeIn(site, item.lastSource)),
    }));
  if (stream.fileRank !== undefined && isNamedByRank(site)) {
    claims.push({ ...base, rank: stream.fileRank, basis: 'file-name', attempt: context.attempts.lastOf(site) });
  }
  return claims;
}

/** Ranks that only weak marks of a site name: a task number, a rank in some group. */
function weaklyNamed(site: Site): ReadonlySet<number> {
  const weak = new Set<number>();
  const direct = new Set<number>();
  for (const { rank, rankBasis, body } of site.events) {
    if (body.kind === 'rank-announced') direct.add(body.rank);
    if (rank === undefined) continue;
    (rankBasis === 'launcher-prefix' || rankBasis === 'work-prefix' || rankBasis === 'file-name' ? weak : direct).add(
      rank,
    );
  }
  for (const rank of direct) weak.delete(rank);
  return weak;
}

/**
 * Processes per Pod as the logs show them: the highest local rank of any Pod plus one, if all first ranks of Pods are
 * multiples of it.
 */
export function seenProcesses(claims: readonly Claim[]): number | undefined {
  let highest = -1;
  const firsts = new Set<number>();
  for (const { rank, localRank } of claims) {
    if (localRank === undefined) continue;
    highest = Math.max(highest, localRank);
    firsts.add(rank - localRank);
  }
  const count = highest + 1;
  return count > 0 && [...firsts].every((first) => first >= 0 && first % count === 0) ? count : undefined;
}
