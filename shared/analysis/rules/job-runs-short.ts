/**
 * The job ran, but with fewer ranks than its Pods ask for: an agent was left out of the rendezvous, as happens to a node whose clock is behind.
 *
 *   rank 0 of 4 …                                     although 3 nodes × 2 processes were asked for
 *   Lease node-b25-2: renewTime 19:05:56.07, written by the API server at 19:06:18
 */
import { nameRanks, rankSet } from '../../lib/rank-set.ts';
import type { ClocksFact, PlacedEvent, PodPlace, RankMapFact } from '../../model/facts.ts';
import { defineRule, type Evidence } from '../../model/finding.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { NS_PER_MS } from '../../model/time.ts';
import { cite, citeSource, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { eventsOf } from './support/events.ts';
import { neverRan } from './support/pods.ts';

/** Keep-alive interval (5 s) × attempts (3): the rendezvous takes a participant with an older stamp for dead. Measured with torch 2.13. */
const KEEP_ALIVE_LIMIT_MS = 15_000;
/** Guards against a log that announces billions of ranks. */
const MOST_RANKS = 65_536;

export default defineRule({
  id: 'job-runs-short',
  title: 'The job ran with fewer ranks than its Pods ask for',
  needs: ['input', 'events', 'rankMap', 'clocks'],
  explain: `
The number of ranks in the workers' own lines ("rank 0 of 4") against nodes × processes in the Pod specs: if the job ran with fewer, some Pod was left out, and it is the Pod none of whose processes ever got a rank: it never ran, its launcher says that the rendezvous failed, or it is silent while all ranks that ran are seen in other Pods. This
holds even if the job then ended well: training with part of the machines is a failure that no exit code shows. The left-out Pod's ranks never existed, so they form a group.

Why it was left out: the c10d rendezvous compares heartbeats by each node's own wall clock and drops a participant whose stamp is more than 15 s old (keep-alive interval 5 s × 3). A node whose clock is behind by more than that can be dropped without a word; or it is dropped and comes back, and the round closes without another one. The
offset is taken from the lease (the kubelet's stamp against the API server's) or from the clock model, against the median of the other nodes; without such an offset the cause is only that the worker is missing.

How sure: *supported*; the count is direct, the reason is not. A *hypothesis* where a Pod's command or PET_NNODES gives a range of nodes (\`--nnodes 2:3\`): then fewer are allowed. When it can be wrong: specs of Pods that belong to another job, or a log of an earlier, smaller run in the same files.`,
  remedy:
    'Compare the clocks (chronyc tracking on the node that was left out and on one that ran); set that clock, watch the offset, and restart the job. Read the end of the log of the launcher that was left out. Let the program compare WORLD_SIZE with what was asked for and stop; use the static rendezvous or a longer keep_alive_interval in --rdzv-conf until then.',
  run: ({ input, events, rankMap, clocks }) => {
    const { worldSize, specWorldSize } = rankMap;
    const announced = announcedSize(events) ?? worldSize;
    if (announced === undefined || specWorldSize === undefined || announced >= specWorldSize) return [];
    if (
      !events.some((placed) =>
        ['group-ready', 'progress', 'finished', 'rank-announced'].includes(placed.event.body.kind),
      )
    )
      return [];
    const left = leftOut(announced, events, rankMap);
    return left.length === 0 ? [] : [shortDraft(left, announced, specWorldSize, input, events, rankMap, clocks)];
  },
});

/** World size by the workers' own words; the largest if attempts differ. */
function announcedSize(events: readonly PlacedEvent[]): number | undefined {
  const sizes = eventsOf(events, 'rank-announced').flatMap((placed) => placed.event.body.worldSize ?? []);
  return sizes.length === 0 ? undefined : Math.max(...sizes);
}

/**
 * Pods that held none of the ranks that ran: those that never ran, and those whose agent says that the rendezvous failed. Silence counts only if
 * all ranks that ran are seen in other Pods, so that none is left for it: a log may have lost the lines in which its ranks were told.
 */
function leftOut(announced: number, events: readonly PlacedEvent[], rankMap: RankMapFact): PodPlace[] {
  const told = eventsOf(events, 'rank-announced');
  const ran = new Set(told.map((placed) => placed.event.body.rank));
  const allSeen = Array.from({ length: Math.min(announced, MOST_RANKS) }, (_, rank) => rank).every((rank) =>
    ran.has(rank),
  );
  const refused = new Set(
    events.flatMap((placed) => (placed.event.body.kind === 'rendezvous-failed' ? (placed.pod ?? []) : [])),
  );
  const withRanks = new Set(told.flatMap((placed) => placed.pod ?? []));
  return rankMap.pods.filter((place) => {
    if (withRanks.has(place.pod)) return false;
    return neverRan(place) !== undefined || refused.has(place.pod) || allSeen;
  });
}

function shortDraft(
  left: readonly PodPlace[],
  announced: number,
  asked: number,
  input: IncidentInput,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  clocks: ClocksFact,
): Draft {
  const running = new Set(eventsOf(events, 'rank-announced').map((placed) => placed.event.body.rank));
  const ranks = rankSet(left.flatMap((place) => place.expectedRanks)).filter((rank) => !running.has(rank));
  const [first] = left;
  const own = left.flatMap((place) => skewOf(place.node, input, clocks, rankMap) ?? [])[0];
  const ownSkewed = own !== undefined && own.ms < -KEEP_ALIVE_LIMIT_MS;
  const came = left.every((place) => neverRan(place) === undefined);
  const behind = ownSkewed || !came ? own : furthestBehind(left, input, clocks, rankMap);
  const skewed = behind !== undefined && behind.ms < -KEEP_ALIVE_LIMIT_MS;
  const announcement = eventsOf(events, 'rank-announced').find((placed) => placed.event.body.worldSize === announced);
  const farewell = events.find(
    (placed) =>
      placed.pod === first?.pod &&
      (placed.event.body.kind === 'rendezvous-failed' ||
        placed.event.body.kind === 'exception' ||
        placed.event.body.kind === 'store-lost'),
  );
  const names = left.map((place) => place.pod);
  return draft({
    outcome: 'group',
    // A range of nodes allows for fewer: whether that was meant is not for the bundle to say.
    status: isElastic(rankMap) ? 'hypothesis' : 'supported',
    stage: 'rendezvous',
    cause: skewed ? 'clock-skew' : 'missing-worker',
    strength: 'direct',
    firstRanks: ranks,
    pod: left.length === 1 ? first?.pod : undefined,
    node: left.length === 1 ? first?.node : undefined,
    attempt: 0,
    at: momentOf(farewell),
    summary: `The job ran with ${announced} ranks although its Pods ask for ${asked}: Pod ${names.join(', ')} was left out${ranks.length > 0 ? ` (${nameRanks(ranks)})` : ''}${skewed ? `; the clock of ${ownSkewed ? 'its node' : `node ${behind.node}, which ran,`} is ${Math.round(-behind.ms / 1000)} s behind, more than the rendezvous forgives` : ''}.`,
    because: [
      ...(announcement
        ? [cite(announcement, `The workers say how many they are: ${quote(announcement.event.text, 100)}`)]
        : []),
      ...left
        .slice(0, 2)
        .flatMap((place): Evidence[] =>
          place.object
            ? [
                citeSource(
                  place.object.source,
                  `The Pods ask for ${asked} ranks${rankMap.nnodes === undefined ? '' : ` (${rankMap.nnodes} nodes × ${rankMap.nprocPerNode ?? '?'})`}; Pod ${place.pod} belongs to the job and none of its processes got a rank`,
                ),
              ]
            : [],
        ),
      ...(skewed ? [behind.evidence] : []),
      ...(farewell
        ? [cite(farewell, `The agent of Pod ${first?.pod} ended with: ${quote(farewell.event.text, 140)}`)]
        : []),
    ],
    wouldChange: skewed
      ? ['another reason in the log of that agent']
      : ['clock offsets between the nodes (leases with managedFields)', 'the log of the agent that was left out'],
    nextChecks: [
      `Clock of ${first?.node ?? 'the node of that Pod'} against the others (chronyc tracking)`,
      'Log of the agent of the Pod that was left out',
      'Compare nnodes and world size at the start of training and stop if they differ',
    ],
  });
}

const NODE_RANGE = /(?:--nnodes[= ]"?|^)(\d{1,6}):(\d{1,6})(?!\d)/;

/** `--nnodes 2:3`, or the same in PET_NNODES, in any Pod. */
function isElastic({ pods }: RankMapFact): boolean {
  return pods.some(({ object }) => {
    const asked = [
      object?.command.join(' ') ?? '',
      ...(object?.env.flatMap(({ name, value }) => (name === 'PET_NNODES' ? (value ?? '') : [])) ?? []),
    ];
    return asked.some((text) => {
      const [, least, most] = NODE_RANGE.exec(text) ?? [];
      return least !== undefined && Number(least) < Number(most);
    });
  });
}

interface Skew {
  readonly node: string;
  /** That node's clock minus the others, ms. */
  readonly ms: number;
  readonly evidence: Evidence;
}

/** Of the nodes that ran: while one of them is taken for dead and comes back, the round may close without another. Seen with torch 2.13. */
function furthestBehind(
  left: readonly PodPlace[],
  input: IncidentInput,
  clocks: ClocksFact,
  rankMap: RankMapFact,
): Skew | undefined {
  const nodes = [...new Set(rankMap.pods.flatMap((place) => (left.includes(place) ? [] : (place.node ?? []))))].sort();
  return nodes
    .flatMap((node) => skewOf(node, input, clocks, rankMap) ?? [])
    .reduce<Skew | undefined>((most, one) => (most === undefined || one.ms < most.ms ? one : most), undefined);
}

/** By the leases (each kubelet's stamp against the API server's, to a second), else by the clock model: this node against the nodes that ran. */
function skewOf(
  node: string | undefined,
  input: IncidentInput,
  clocks: ClocksFact,
  rankMap: RankMapFact,
): Skew | undefined {
  if (node === undefined) return undefined;
  return skewByLease(node, input) ?? skewByModel(node, clocks, rankMap);
}

function skewByLease(node: string, input: IncidentInput): Skew | undefined {
  const offsets = input.leases.flatMap((lease) =>
    lease.renewTime === undefined || lease.managedAt === undefined
      ? []
      : [{ lease, ms: Number((lease.renewTime - lease.managedAt) / NS_PER_MS) }],
  );
  const own = offsets.find(({ lease }) => lease.node === node);
  if (own === undefined) return undefined;
  const others = median(offsets.filter(({ lease }) => lease.node !== node).map(({ ms }) => ms)) ?? 0;
  return {
    node,
    ms: own.ms - others,
    evidence: citeSource(
      own.lease.source,
      `The lease of node ${node} carries a stamp of its own clock that is ${(Math.abs(own.ms) / 1000).toFixed(1)} s ${own.ms < 0 ? 'behind' : 'ahead of'} the clock of the API server`,
    ),
  };
}

function skewByModel(node: string, clocks: ClocksFact, rankMap: RankMapFact): Skew | undefined {
  const own = clocks.domains.find((domain) => domain.id === node);
  const pod = rankMap.pods.find((place) => place.node === node)?.object;
  const others = clocks.domains.filter(
    (domain) =>
      domain.id !== node &&
      domain.component === own?.component &&
      rankMap.pods.some((place) => place.node === domain.id),
  );
  const reference = median(others.flatMap((domain) => domain.offset?.estimate ?? []));
  if (own?.offset === undefined || reference === undefined || pod === undefined) return undefined;
  const ms = own.offset.estimate - reference;
  return {
    node,
    ms,
    evidence: citeSource(
      pod.source,
      `The clock of node ${node} is ${(Math.abs(ms) / 1000).toFixed(1)} s ${ms < 0 ? 'behind' : 'ahead of'} the nodes that ran (${own.basis[0] ?? 'clock model'})`,
    ),
  };
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
