/** Gives each log event its rank, attempt, Pod, node and clock, with the reason for the rank. */
import type { LogEvent, RankBasis } from '../../model/events.ts';
import type { PlacedEvent } from '../../model/facts.ts';
import { type EvidenceContext, isMarked, isNamedByRank, isOtherJob, largestCommunicator } from './evidence.ts';
import { isLauncherPod } from './job-spec.ts';
import type { Joins } from './joins.ts';
import { nodeAttempts } from './node-attempts.ts';
import { agentOf, isOfNode, placeIn, podOfEvent, type Site } from './sites.ts';

export interface PlacingContext extends EvidenceContext {
  readonly joins: Joins;
  readonly nproc: number | undefined;
  readonly worldSize: number | undefined;
  readonly nodeOf: (pod: string, attempt: number) => string | undefined;
  readonly podOfRank: (rank: number, attempt: number) => string | undefined;
  /** Node names that the bundle knows. */
  readonly nodes: ReadonlySet<string>;
}

interface RankSaid {
  readonly rank: number | undefined;
  readonly why: string;
}
const unknown = (why: string): RankSaid => ({ rank: undefined, why });

/** By path, then position. */
export function placeEvents(context: PlacingContext): readonly PlacedEvent[] {
  const world = largestCommunicator(context.input.events);
  const placer = new Placer(context, world);
  return context.sites.flatMap((site) => site.events.map((event) => placer.place(event, site)));
}

/** Kinds that the agent, the kernel, a scheduler or a collector prints; none is a rank's own word. */
const NOT_A_RANKS = new Set<LogEvent['body']['kind']>([
  'worker-failed',
  'closing-signal',
  'shutdown-stuck',
  'agent-signal',
  'failure-summary',
  'worker-restart',
  'rendezvous-result',
  'set-up-begun',
  'clock-note',
  'rendezvous-failed',
  'oom-kill',
  'xid',
  'link-event',
  'kernel-note',
  'gpu-state',
  'host-state',
  'scheduler-cancelled',
  'task-exit',
  'collector-note',
  'ras-count',
  'ras-dead',
]);
const AGENT_FRAMES =
  /torch\/distributed\/(?:run|launch(?:er\/\w+)?|elastic\/(?:agent|rendezvous|multiprocessing)\/?[\w/]*)(?:\.py)?$|torch\/distributed\/run\.py$|torch\/distributed\/launcher\/api\.py$/;

/** True if a line without its own mark may come from a worker process. */
function mayBeWorkers({ body }: LogEvent): boolean {
  if (NOT_A_RANKS.has(body.kind)) return false;
  if (body.kind !== 'exception') return true;
  if (body.class === 'wrapper' || body.class === 'signal') return false;
  return !body.frames.some(({ file }) => AGENT_FRAMES.test(file.slice(-300)));
}

const DIRECT: ReadonlySet<RankBasis> = new Set<RankBasis>(['rank-prefix', 'default-pg', 'app-prefix', 'announced']);
const DIRECT_WORDS: Partial<Record<RankBasis, string>> = {
  'rank-prefix': 'mark on the line',
  'default-pg': 'rank in the default group',
  'app-prefix': "the program's own mark",
  announced: 'the line announces it',
};

const MEMBER = /\[PG ID \d{1,6} PG GUID (\w{1,40})(?:\([^()]{0,100}\))? Rank (\d{1,7})\]/;
const GLOO_MEMBER = /\brank=(\d{1,7}), size=(\d{1,7})\b/;

/** `GUID/RANK`: the GUID is the same on all members of a group, the rank is the one inside it. */
function memberKey(text: string): string | undefined {
  const [, guid, rank] = MEMBER.exec(text) ?? [];
  return guid === undefined ? undefined : `${guid}/${rank}`;
}

/** Global rank of members of groups, from lines that carry both; without those that two ranks claim. */
function groupRanks(events: readonly LogEvent[]): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  const several = new Set<string>();
  for (const { rank, rankBasis, text } of events) {
    const member = rankBasis === 'rank-prefix' ? memberKey(text) : undefined;
    if (member === undefined || rank === undefined) continue;
    if ((ranks.get(member) ?? rank) !== rank) several.add(member);
    ranks.set(member, rank);
  }
  for (const member of several) ranks.delete(member);
  return ranks;
}

class Placer {
  private readonly context: PlacingContext;
  private readonly world: number | undefined;
  private readonly marked: boolean;
  private readonly groups: ReadonlyMap<string, number>;
  private readonly namedNodes = new Map<string, string | undefined>();
  private readonly attemptOnNode: ReturnType<typeof nodeAttempts>;

  constructor(context: PlacingContext, world: number | undefined) {
    this.context = context;
    this.world = world;
    this.marked = isMarked(context.input.events);
    this.groups = groupRanks(context.input.events);
    this.attemptOnNode = nodeAttempts(context);
  }

  place(event: LogEvent, site: Site): PlacedEvent {
    const { context } = this;
    const pod = podOfEvent(event, site, context.names) ?? podOfUid(context, event);
    const attempt = this.attemptOf(event, site, pod);
    const said = isOtherJob(context.job, pod)
      ? unknown(`of another job (${pod})`)
      : this.rankOf(event, site, pod, attempt);
    const ownPod = isLauncherPod(context.job, pod) && said.rank !== undefined ? undefined : pod;
    const place = said.rank === undefined ? this.podOfFile(site, attempt) : context.podOfRank(said.rank, attempt);
    const finalPod = ownPod ?? place ?? pod;
    const node =
      this.nodeOf(site, finalPod, attempt) ?? (finalPod === undefined ? this.nodeOfState(event, site) : undefined);
    return {
      event,
      stream: site.stream,
      rank: said.rank,
      rankWhy: said.why,
      attempt,
      pod: finalPod,
      node,
      clock: clockId(event, node, finalPod, site.path),
    };
  }

  /** The Pod of a file whose Pod nothing names, if all ranks that write in it are placed in one. */
  private podOfFile(site: Site, attempt: number): string | undefined {
    if (site.pod !== undefined || site.host !== undefined) return undefined;
    const { joins, nproc, podOfRank } = this.context;
    const ranks = joins.ranksOfEntry(site.entry, attempt);
    if (ranks.length === 0 || ranks.length > (nproc ?? 1)) return undefined;
    const pods = new Set(ranks.map((rank) => podOfRank(rank, attempt)));
    return pods.size === 1 ? [...pods][0] : undefined;
  }

  private attemptOf(event: LogEvent, site: Site, pod: string | undefined): number {
    const { attempts, names } = this.context;
    if (event.body.kind === 'host-state') return attempts.count - 1;
    if (isOfNode(event) && site.pod === undefined) {
      const byTime = this.attemptOnNode(this.nodeOf(site, undefined, 0), event.stamp);
      if (byTime !== undefined) return byTime;
      // A state is asked for when the bundle is collected.
      if (event.body.kind === 'gpu-state') return attempts.count - 1;
    }
    if (event.body.kind !== 'oom-kill' || site.pod !== undefined) return attempts.at(site, placeIn(site, event.source));
    const containerId = event.body.containerId;
    const object = pod === undefined ? undefined : names.table.get(pod)?.at(-1)?.object;
    const isPrevious =
      containerId !== undefined &&
      object?.containers.some((state) => state.lastTerminated?.containerId === containerId) === true;
    return pod === undefined ? attempts.count - 1 : attempts.ofContainer(pod, isPrevious ? 'previous' : 'current');
  }

  private nodeOf(site: Site, pod: string | undefined, attempt: number): string | undefined {
    const { context } = this;
    if (pod !== undefined && site.host === undefined) return context.nodeOf(pod, attempt);
    if (site.host !== undefined && site.pod === undefined) return site.host;
    return (
      site.path.split('/').find((part) => context.nodes.has(part)) ??
      (pod === undefined ? undefined : context.nodeOf(pod, attempt))
    );
  }

  /** A collection holds states and kernel lines of many nodes, each under its own heading. */
  private nodeOfState(event: LogEvent, site: Site): string | undefined {
    if (event.host === undefined) return event.body.kind === 'host-state' ? this.nodeInName(site.path) : undefined;
    if (event.body.kind !== 'host-state' && !isOfNode(event)) return undefined;
    return this.context.nodes.has(event.host) ? event.host : undefined;
  }

  /** `NODE.pressure.txt`, `df-NODE.txt`: the longest name of a node that stands in the file's own name as a whole. */
  private nodeInName(path: string): string | undefined {
    if (this.namedNodes.has(path)) return this.namedNodes.get(path);
    const name = `_${path.split('/').at(-1) ?? ''}.`;
    const found = [...this.context.nodes]
      .filter((node) => ['_', '-'].some((left) => ['.', '_'].some((right) => name.includes(left + node + right))))
      .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))[0];
    this.namedNodes.set(path, found);
    return found;
  }

  private rankOf(event: LogEvent, site: Site, pod: string | undefined, attempt: number): RankSaid {
    const { body, rank, rankBasis } = event;
    if (rank !== undefined && rankBasis !== undefined && DIRECT.has(rankBasis))
      return { rank, why: DIRECT_WORDS[rankBasis] ?? rankBasis };
    if (body.kind === 'rank-announced') return { rank: body.rank, why: 'the line announces it' };
    if (NOT_A_RANKS.has(body.kind)) return unknown('not printed by a rank');
    const pid =
      event.pid ??
      (body.kind === 'nccl-init' ||
      body.kind === 'nccl-warning' ||
      body.kind === 'nccl-network' ||
      body.kind === 'nccl-collective'
        ? body.pid
        : undefined);
    const byPid = pid === undefined ? undefined : this.context.joins.rankOfPid(pod, site.entry, attempt, pid);
    if (byPid !== undefined) return { rank: byPid, why: `process ${pid} is rank ${byPid}` };
    if (body.kind === 'nccl-init' && body.nranks === this.world)
      return { rank: body.rank, why: 'rank in the largest NCCL communicator' };
    const byGroup = this.byGroup(event);
    if (byGroup !== undefined) return byGroup;
    if (!mayBeWorkers(event)) return unknown('printed by the agent');
    return (
      this.byFile(event, site, pod, attempt) ??
      this.byMark(event, pod, attempt) ??
      unknown('several processes write here, and the line does not say which')
    );
  }

  /** A rank inside a group, where the group is the whole job or a marked line has told who has that rank in it. */
  private byGroup({ text, body }: LogEvent): RankSaid | undefined {
    const member = memberKey(text);
    const known = member === undefined ? undefined : this.groups.get(member);
    if (known !== undefined) return { rank: known, why: `member ${member} is rank ${known} by a marked line` };
    if (body.kind !== 'gloo-connect-failed') return undefined;
    const [, rank, size] = GLOO_MEMBER.exec(text) ?? [];
    const isWhole = size !== undefined && Number(size) === this.context.worldSize;
    return isWhole ? { rank: Number(rank), why: `rank ${rank} in a group of all ${size} ranks` } : undefined;
  }

  /** A file that one process wrote. */
  private byFile(event: LogEvent, site: Site, pod: string | undefined, attempt: number): RankSaid | undefined {
    const { joins } = this.context;
    const { stream } = site;
    const seen = joins.ranksOfEntry(site.entry, attempt);
    const [only] = seen.length === 1 ? seen : [];
    if (stream?.localRank !== undefined) {
      if (only !== undefined)
        return { rank: only, why: `the file of local rank ${stream.localRank}, whose lines name rank ${only}` };
      const agent = agentOf(site, pod);
      const first = agent === undefined ? undefined : joins.firstRank(agent, attempt);
      if (first !== undefined)
        return {
          rank: first.rank + stream.localRank,
          why: `the file of local rank ${stream.localRank} in ${pod ?? 'one folder'}, whose first rank is ${first.rank}`,
        };
      return unknown(`the file of local rank ${stream.localRank}; the first rank of its Pod is not known`);
    }
    if (isNamedByRank(site) && stream?.fileRank !== undefined) {
      if (seen.length > 1) return undefined;
      return only !== undefined && only !== stream.fileRank
        ? { rank: only, why: `the lines of the file name rank ${only}` }
        : { rank: stream.fileRank, why: 'name of the file' };
    }
    return event.localRank === undefined ? this.soleProcess(site, pod, attempt, only) : undefined;
  }

  /** A log with one rank, if one process is all there is. */
  private soleProcess(
    site: Site,
    pod: string | undefined,
    attempt: number,
    only: number | undefined,
  ): RankSaid | undefined {
    const { job, joins, nproc, worldSize } = this.context;
    if (pod === undefined) {
      const isOne = only !== undefined && (site.stream?.fileRank === only || worldSize === 1);
      return isOne ? { rank: only, why: `all marked lines of the file are of rank ${only}` } : undefined;
    }
    if ((job.pods.get(pod)?.spec?.nproc ?? nproc) !== 1 || isLauncherPod(job, pod)) return undefined;
    const ranks = joins.ranksIn(pod, attempt);
    const rank = ranks.length > 0 ? (ranks.length === 1 ? ranks[0] : undefined) : joins.firstRank(pod, attempt)?.rank;
    return rank === undefined ? undefined : { rank, why: `the only process of ${pod}` };
  }

  /** Marks of launchers and of work objects, the weaker signs. */
  private byMark(event: LogEvent, pod: string | undefined, attempt: number): RankSaid | undefined {
    const first =
      pod === undefined || event.localRank === undefined ? undefined : this.context.joins.firstRank(pod, attempt);
    if (first !== undefined && event.localRank !== undefined) {
      return {
        rank: first.rank + event.localRank,
        why: `local rank ${event.localRank} of ${pod}, whose first rank is ${first.rank}`,
      };
    }
    const ofWork = event.rankBasis === 'work-prefix' && !this.marked ? event.rank : undefined;
    if (event.localRank !== undefined && (ofWork === undefined || ofWork < event.localRank))
      return unknown(`local rank ${event.localRank}; the first rank of its Pod is not known`);
    if (event.rank === undefined) return undefined;
    if (event.rankBasis === 'launcher-prefix') return { rank: event.rank, why: 'task number of the launcher' };
    if (event.rankBasis === 'file-name') return { rank: event.rank, why: 'name of the file' };
    if (event.rankBasis !== 'work-prefix') return undefined;
    return this.marked
      ? unknown(`[Rank ${event.rank}] is a rank in some group`)
      : { rank: event.rank, why: '[Rank r] of the work, the only mark of this version' };
  }
}

/** Kernel lines and cgroups name a Pod by its uid. */
function podOfUid({ names }: PlacingContext, { body }: LogEvent): string | undefined {
  if (body.kind !== 'oom-kill' && body.kind !== 'host-state') return undefined;
  for (const [name, generations] of names.table) {
    for (const { object } of generations) {
      if (body.podUid !== undefined && object.uid === body.podUid) return name;
      const ids = object.containers.flatMap((state) => [
        state.containerId,
        state.terminated?.containerId,
        state.lastTerminated?.containerId,
      ]);
      if (body.containerId !== undefined && ids.includes(body.containerId)) return name;
    }
  }
  return undefined;
}

/** The node's clock; where the node is not known the Pod's, then the file's. A stamp since boot is no wall clock. */
function clockId(
  { stamp }: LogEvent,
  node: string | undefined,
  pod: string | undefined,
  path: string,
): string | undefined {
  if (stamp === undefined || stamp.kind === 'boot') return undefined;
  return stamp.kind === 'api' ? 'api' : (node ?? pod ?? path);
}
