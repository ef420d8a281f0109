/**
 * Workers could not look up the name of the store, and went on trying until the end of their log.
 *
 *   [c10d] The IPv6 network addresses of (trainer-0.trainer, 29500) cannot be retrieved (gai error: -2 - Name or service not known).
 */
import { nameRanks, nameRanksAtStart, rankSet } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule, type Evidence } from '../../model/finding.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { precedes } from './support/order.ts';
import { jobRanks, ranksOfPod } from './support/ranks.ts';

export default defineRule({
  id: 'name-unresolved',
  title: 'The name of the rendezvous could not be looked up',
  needs: ['input', 'events', 'rankMap'],
  explain: `
Before a worker or a launcher connects to the store it looks up the name in MASTER_ADDR or in the rendezvous endpoint. torch says so on every try that fails, and goes on trying until the time limit of the rendezvous. One such line means nothing: a name with addresses of the other family only prints it as well, and a Service whose record is not there yet often heals. So they count only if one Pod says it at least
three times, and nothing later shows that it got through: a rank of it that said anything else, or a process group, a step or a wait in a collective anywhere in the first attempt.

Where one Pod complains and the others are heard and do not, its ranks are the group: something about its own resolver, its namespace or the name it was given. Where several Pods complain of one name, nothing ties it to one of them: the name itself is not published, and the cause came to the job from outside. Where nobody else is heard it is a lead.

How sure: *supported* for one Pod beside at least two others that are heard, with one other a *hypothesis*, for the Pod that listens need not look up its own name; *hypothesis* for several.

When it can be wrong: a log that was taken before the name came up, and a Pod that got through without a word.`,
  remedy:
    'From inside the failing Pod: kubectl exec POD -- getent hosts NAME; compare NAME with MASTER_ADDR or the endpoint of the others (a headless Service gives names only within its namespace, and for Pods with subdomain set). kubectl get endpointslices of that Service (publishNotReadyAddresses for Pods that are not ready yet), then the cluster DNS: kubectl -n kube-system logs of CoreDNS.',
  run: ({ input, events, rankMap }) => {
    if (events.some((placed) => placed.attempt === 0 && CAME_TOGETHER.has(placed.event.body.kind))) return [];
    const told = inAttempt(eventsOf(events, 'name-unresolved'), 0);
    const pods = [...new Set(told.map(({ pod }) => pod))].sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1));
    const stuck = pods.filter((pod) =>
      isStuck(
        told.filter((placed) => placed.pod === pod),
        events,
      ),
    );
    const failed = told.filter(({ pod }) => stuck.includes(pod));
    const last = failed.at(-1);
    return last === undefined
      ? []
      : [
          unresolved(
            last,
            stuck.flatMap((pod) => pod ?? []),
            failed,
            input,
            events,
            rankMap,
          ),
        ];
  },
});

/** Nobody tells of these before all have met at the store. */
const CAME_TOGETHER: ReadonlySet<string> = new Set([
  'group-ready',
  'progress',
  'finished',
  'dump-written',
  'gloo-timeout',
  'gloo-closed',
  'collective-timeout',
]);

/** Fewer lines than these may be of as many processes that found an address of the other family. Chosen, not measured. */
const FEWEST_TRIES = 3;

function isStuck(told: readonly PlacedEvent[], events: readonly PlacedEvent[]): boolean {
  const last = told.at(-1);
  if (last === undefined || told.length < FEWEST_TRIES) return false;
  return !events.some(
    (placed) =>
      placed.pod === last.pod &&
      placed.rank !== undefined &&
      placed.event.body.kind !== 'name-unresolved' &&
      placed.event.body.kind !== 'exception' &&
      placed.event.body.kind !== 'store-unreachable' &&
      precedes(last, placed),
  );
}

function unresolved(
  last: PlacedOf<'name-unresolved'>,
  pods: readonly string[],
  failed: readonly PlacedOf<'name-unresolved'>[],
  input: IncidentInput,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const { name: host, port } = last.event.body;
  const name = port === undefined ? host : `${host}:${port}`;
  const ranks = rankSet(pods.flatMap((pod) => ranksOfPod(rankMap, pod)));
  const heard = new Set([...events, ...input.streams].flatMap(({ pod }) => pod ?? []));
  const others = rankMap.pods.filter(({ pod }) => !pods.includes(pod));
  const othersHeard = others.length > 0 && others.every(({ pod }) => heard.has(pod));
  const one = pods.length === 1 && othersHeard && ranks.length > 0 && ranks.length < jobRanks(rankMap).length - 1;
  const outside = pods.length > 1;
  return draft({
    outcome: one ? 'group' : outside ? 'no-rank' : 'cannot-tell',
    status: one && others.length > 1 ? 'supported' : 'hypothesis',
    stage: 'rendezvous',
    cause: 'address-unreachable',
    strength: 'absence',
    firstRanks: one ? ranks : [],
    candidates: one || outside ? [] : [{ ranks, why: `could not look up ${host}` }],
    pod: pods.length === 1 ? pods[0] : undefined,
    attempt: 0,
    at: momentOf(failed.find((placed) => placed.pod === last.pod)),
    summary: `${pods.length === 0 ? 'A worker' : pods.length === 1 ? `Pod ${pods[0]}` : `${pods.length} Pods`} could not look up ${name}, and nothing shows that this ever ended${ranks.length > 0 ? `: ${nameRanks(ranks)} never joined` : ''}. ${one ? 'The others do not complain of it.' : outside ? 'Nothing ties it to one of them.' : 'Whether others could is not in the bundle.'}`,
    because: [...evidenceOf(pods, failed), ...whoWaited(events, pods)].slice(0, 6),
    wouldChange: [
      'a later log of the same Pod: torch goes on trying, and the name may have come up',
      `whether ${host} could be looked up from the other Pods at that time`,
    ],
    nextChecks: [
      `kubectl exec ${pods[0] ?? 'POD'} -- getent hosts ${host}; compare the name with MASTER_ADDR or the endpoint of the other Pods`,
      `Endpoints of the Service behind ${host} and the logs of the cluster's DNS`,
      ...(ranks.length > 0 ? [`${nameRanksAtStart(ranks)}: resolver and search domains (/etc/resolv.conf)`] : []),
    ],
  });
}

function evidenceOf(pods: readonly string[], failed: readonly PlacedEvent[]): Evidence[] {
  return (pods.length === 0 ? [undefined] : pods.slice(0, 3)).flatMap((pod) => {
    const own = failed.filter((placed) => placed.pod === pod);
    const [first, last] = [own[0], own.at(-1)];
    return [
      ...(first === undefined || first === last
        ? []
        : [cite(first, `First failed look-up: ${quote(first.event.text, 200)}`)]),
      ...(last === undefined ? [] : [cite(last, `Last failed look-up: ${quote(last.event.text, 200)}`)]),
    ];
  });
}

/** The store that waited in vain says how many came. */
function whoWaited(events: readonly PlacedEvent[], pods: readonly string[]): Evidence[] {
  return inAttempt(eventsOf(events, 'store-unreachable'), 0)
    .filter(({ pod, event }) => event.body.joined !== undefined && !pods.includes(pod ?? ''))
    .slice(0, 1)
    .map((placed) => cite(placed, `The store waited for them: ${quote(placed.event.text, 160)}`));
}
