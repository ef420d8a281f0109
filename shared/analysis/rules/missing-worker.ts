/**
 * The job never came together: a worker that belongs to it did not join the rendezvous.
 *
 *   Pod vit-tiny-workers-0-1-bmk47: Pending, 0/3 nodes are available: 3 Insufficient cpu.
 *   torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError
 */
import { nameRanks, nameRanksAtStart, rankSet } from '../../lib/rank-set.ts';
import type { PlacedEvent, PodPlace, RankMapFact } from '../../model/facts.ts';
import { defineRule, type Evidence } from '../../model/finding.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { cite, citeSource, type Draft, draft, momentOf, quote, quoteInside } from './support/draft.ts';
import { eventsOf } from './support/events.ts';
import { eventsOfPod, neverPlaced, neverRan, ranksMissingWith } from './support/pods.ts';

/** More ranks than any job has; guards against a count that no job has. */
const MOST_COUNTED = 65_536;

export default defineRule({
  id: 'missing-worker',
  title: 'A worker never joined the job',
  needs: ['input', 'events', 'rankMap'],
  explain: `
A rendezvous that waits for a fixed number of nodes ends in a time-out on those that came; their error says nothing about who did not. Who is missing is told by Kubernetes: a Pod of the job that was never scheduled, or whose
container never started, could not join. Where the Pod itself was not collected, an Event that no node was found for it, with no later one of its start, says the same, if Pods of the same job ran. That is direct evidence, and with a time-out at the rendezvous it is the whole story. The Pod's ranks, as its specification gives them, are a
group: none of them ever existed, so none can be singled out. Where the store tells how many of how many came, and as many ranks say so as came, those that are left are the ones that did not, if they are not more than half. With \`nnodes\` above the number of Pods in the bundle, a Pod that is not there at all may be missing from the *bundle* only: then it is a lead, not an answer. Once any rank of the first attempt joined the group, told of a step or finished, the job had come together, and this rule is silent.

How sure: *established* for a Pod that never ran while the others failed at the rendezvous or could not reach the store; *supported* without their word, and by the count of the store; a count that leaves open who is missing is a lead. When it can be wrong: the missing Pod is a spare of an elastic job (\`--nnodes min:max\`), or it started after the bundle was taken and the time limit was too short.`,
  remedy:
    'Read why the Pod did not run: kubectl describe pod POD (the Events at its end: scheduling message, image pull, mounts), kubectl describe resourcequota and the queue (kubectl get workloads) of the namespace, taints of the free nodes. Fix that, or raise the time-out of the rendezvous (--rdzv-conf join_timeout=…) if Pods come up slowly; use gang scheduling so that a job starts whole or not at all.',
  run: ({ input, events, rankMap }) => {
    const failed = rendezvousFailures(events);
    if (events.some((placed) => placed.attempt === 0 && isRunning(placed))) return [];
    const ran = podsSeenRunning(input, events);
    const missing = rankMap.pods.flatMap((place) => {
      const why = neverRan(place) ?? neverPlaced(place, input, ran);
      return why === undefined ? [] : [{ place, why }];
    });
    const some = missing.length < rankMap.pods.length;
    if (missing.length > 0 && (failed.length > 0 || some)) return [missingDraft(missing, failed, input, rankMap)];
    const fewer = failed.length > 0 ? fewerPods(failed, rankMap) : [];
    return fewer.length > 0 ? fewer : byCount(events);
  },
});

/** By their logs, or by the Event of their container's start. */
function podsSeenRunning(input: IncidentInput, events: readonly PlacedEvent[]): ReadonlySet<string> {
  return new Set([
    ...events.flatMap((placed) => placed.pod ?? []),
    ...input.kubeEvents.flatMap((event) =>
      event.object.kind === 'Pod' && event.reason === 'Started' ? [event.object.name] : [],
    ),
  ]);
}

function isRunning(placed: PlacedEvent): boolean {
  const { kind } = placed.event.body;
  return kind === 'group-ready' || kind === 'progress' || kind === 'finished';
}

function rendezvousFailures(events: readonly PlacedEvent[]): PlacedEvent[] {
  const timeouts = eventsOf(events, 'rendezvous-failed').filter(
    (placed) =>
      placed.event.body.how === 'timeout' ||
      placed.event.body.how === 'closed' ||
      placed.event.body.how === 'connection',
  );
  const exceptions = eventsOf(events, 'exception').filter((placed) => placed.event.body.class === 'rendezvous');
  return [...timeouts, ...eventsOf(events, 'store-unreachable'), ...exceptions];
}

function missingDraft(
  missing: readonly { place: PodPlace; why: string }[],
  failed: readonly PlacedEvent[],
  input: IncidentInput,
  rankMap: RankMapFact,
): Draft {
  const ranks = rankSet(missing.flatMap(({ place }) => ranksMissingWith(place, rankMap)));
  const [first] = missing;
  const [failure] = failed;
  const one = missing.length === 1;
  const names = missing.map(({ place }) => place.pod);
  return draft({
    outcome: 'group',
    status: failed.length > 0 ? 'established' : 'supported',
    stage: 'rendezvous',
    cause: 'missing-worker',
    strength: 'direct',
    firstRanks: ranks,
    pod: one ? first?.place.pod : undefined,
    node: one ? first?.place.node : undefined,
    attempt: 0,
    at: momentOf(failure),
    summary: `${one ? `Pod ${names[0]}` : `${names.length} Pods (${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''})`} never ran${ranks.length > 0 ? `, so ${nameRanks(ranks)} never joined` : ''}: ${quoteInside(first?.why ?? '', 120)}.${failed.length > 0 ? ' The others waited for it at the rendezvous until their time limit.' : ''}`,
    because: [
      ...missing.slice(0, 3).flatMap(({ place, why }) => podEvidence(place, why, input)),
      ...failed
        .slice(0, 2)
        .map((placed) => cite(placed, `The rendezvous failed for those that came: ${quote(placed.event.text, 140)}`)),
    ],
    wouldChange: ['a later event that shows the Pod running before the time limit'],
    nextChecks: [
      'Scheduling message and quota of the Pod that did not run',
      'Whether the scheduler starts the Pods of this job together (gang scheduling)',
    ],
  });
}

function podEvidence(place: PodPlace, why: string, input: IncidentInput): Evidence[] {
  const warning = eventsOfPod(input, place.pod).find((event) => event.type === 'Warning');
  const own = place.object ? [citeSource(place.object.source, `Pod ${place.pod} never ran: ${quote(why, 160)}`)] : [];
  return warning
    ? [
        ...own,
        citeSource(warning.source, `Event ${warning.reason} of Pod ${place.pod}: ${quote(warning.message, 160)}`),
      ]
    : own;
}

function fewerPods(failed: readonly PlacedEvent[], rankMap: RankMapFact): Draft[] {
  const { nnodes, pods, nprocPerNode } = rankMap;
  const [failure] = failed;
  if (failure === undefined || nnodes === undefined || pods.length === 0 || pods.length >= nnodes) return [];
  const held = new Set(pods.flatMap((place) => [...place.ranks, ...place.expectedRanks]));
  const size = rankMap.specWorldSize ?? (nprocPerNode === undefined ? 0 : nnodes * nprocPerNode);
  const ranks = size > 65_536 ? [] : Array.from({ length: size }, (_, rank) => rank).filter((rank) => !held.has(rank));
  return [
    draft({
      outcome: 'cannot-tell',
      status: 'hypothesis',
      stage: 'rendezvous',
      cause: 'missing-worker',
      strength: 'absence',
      candidates: [
        {
          ranks,
          why: `the job asks for ${nnodes} nodes and the bundle holds ${pods.length} Pods: the others never ran, or were not collected`,
        },
      ],
      attempt: 0,
      summary: `The rendezvous waited for ${nnodes} nodes and the bundle shows ${pods.length}; whether the others never came or were only not collected cannot be told.`,
      because: [cite(failure, `The rendezvous failed: ${quote(failure.event.text, 140)}`)],
      wouldChange: ['Pod list and events of the whole job'],
      nextChecks: ['kubectl get pods of this job, and the events of those that are not in the bundle'],
    }),
  ];
}

/** Ranks that came to the store's barrier count each other; who is left did not come. */
function byCount(events: readonly PlacedEvent[]): Draft[] {
  const counts = eventsOf(events, 'store-unreachable').filter(
    ({ attempt, event: { body } }) => attempt === 0 && body.joined !== undefined && body.expected !== undefined,
  );
  const expected = Math.max(0, ...counts.map((placed) => placed.event.body.expected ?? 0));
  const joined = Math.max(0, ...counts.map((placed) => placed.event.body.joined ?? 0));
  const [first] = counts;
  if (first === undefined || joined >= expected || expected > MOST_COUNTED) return [];
  const came = rankSet(counts.flatMap((placed) => placed.rank ?? []));
  const sameJob = counts.every((placed) => placed.event.body.expected === expected);
  const left = Array.from({ length: expected }, (_, rank) => rank).filter((rank) => !came.includes(rank));
  const decided = sameJob && came.length === joined && left.length === expected - joined && left.length * 2 <= expected;
  return [
    draft({
      outcome: decided ? (left.length === 1 ? 'named' : 'group') : 'cannot-tell',
      status: decided ? 'supported' : 'hypothesis',
      stage: 'rendezvous',
      cause: 'missing-worker',
      strength: 'witness',
      firstRanks: decided ? left : [],
      symptomRanks: came,
      candidates: decided ? [] : [{ ranks: left, why: `${joined} of ${expected} joined before the time limit` }],
      attempt: 0,
      at: momentOf(first),
      summary: decided
        ? `${nameRanksAtStart(left)} did not come to the store: ${joined} of ${expected} joined before the time limit, and ${nameRanks(came)} ${came.length === 1 ? 'says' : 'say'} so.`
        : `Only ${joined} of ${expected} joined the store before the time limit; which of them did not come is not shown.`,
      because: counts.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 200))),
      wouldChange: ['a line of a rank that did not come, which shows how far it got and which store it asked'],
      nextChecks: [
        `The logs of ${decided ? nameRanks(left) : 'the ranks that did not come'} from their start`,
        'MASTER_ADDR, MASTER_PORT and WORLD_SIZE of all processes',
      ],
    }),
  ];
}
