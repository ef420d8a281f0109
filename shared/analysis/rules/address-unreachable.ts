/**
 * Workers could not reach the address of the store, and the process that should listen there shows no failure of its own.
 *
 *   The client socket has timed out after 60000ms while trying to connect to (trainer-master-0, 29500).
 */
import { nameRanks, nameRanksAtStart, rankSet } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { eventsOf } from './support/events.ts';
import { jobRanks, ranksOfPod } from './support/ranks.ts';

export default defineRule({
  id: 'address-unreachable',
  title: 'The address of the rendezvous could not be reached',
  needs: ['input', 'events', 'rankMap'],
  explain: `
Before the process group exists a worker connects to the store at MASTER_ADDR or the rendezvous endpoint. If it cannot, it says so and names the address. That proves that *this* worker did not get through, not why: wrong address, DNS,
firewall, or nobody listening. If the listener failed by itself (port taken, exception, never started) that is the cause and this is a consequence.

Where one Pod alone complains, and the logs of at least two others are here and do not, the address works and the trouble is on that Pod's side: its ranks are the group. Where several Pods complain, where all ranks but one do, or where the others' logs are not here, it cannot be said on which side it is: a lead about the connection. Only the first attempt counts, and a connection that is lost
after any rank had joined the group or told of a step is never this.

How sure: *supported* for one Pod among others that are heard; else a *hypothesis* that names nobody. When it can be wrong: the listener may have come up late, its own failure may stand in a log that is not here, and a Pod that does not complain may not have come so far.`,
  remedy: `From inside the failing Pod resolve and connect to the printed host and port: kubectl exec POD -- sh -c "getent hosts HOST; timeout 5 bash -c '</dev/tcp/HOST/PORT' && echo open". Compare MASTER_ADDR and the endpoint between Pods; then check that the listener runs (ss -ltn in its Pod), the headless Service and its endpoints (kubectl get endpointslices), network policies, and the interface choice.`,
  run: ({ input, events, rankMap }) => {
    if (
      events.some(
        (placed) =>
          placed.attempt === 0 && (placed.event.body.kind === 'group-ready' || placed.event.body.kind === 'progress'),
      )
    )
      return [];
    // Who counts how many came has reached the store.
    const failed = eventsOf(events, 'store-unreachable').filter(
      (placed) => placed.attempt === 0 && placed.event.body.joined === undefined,
    );
    const [first] = failed;
    if (first === undefined) return [];
    const pods = [...new Set(failed.flatMap((placed) => placed.pod ?? []))].sort();
    const ranks = rankSet([
      ...failed.flatMap((placed) => placed.rank ?? []),
      ...pods.flatMap((pod) => ranksOfPod(rankMap, pod)),
    ]);
    const { host, port } = first.event.body;
    const heard = new Set([...events, ...input.streams].flatMap(({ pod }) => pod ?? []));
    const others = rankMap.pods.filter(({ pod }) => pod !== pods[0]);
    // That the others got through is told by their logs: without these, one that complains is only the one that is heard.
    const onePod = pods.length === 1 && others.length > 1 && others.every(({ pod }) => heard.has(pod));
    const address = host === undefined ? 'the store' : `${host}${port === undefined ? '' : `:${port}`}`;
    const everyone = ranks.length === 0 || ranks.length >= jobRanks(rankMap).length - 1;
    return [
      draft({
        outcome: onePod && !everyone ? 'group' : 'cannot-tell',
        status: onePod && !everyone ? 'supported' : 'hypothesis',
        stage: 'rendezvous',
        cause: 'address-unreachable',
        strength: 'absence',
        firstRanks: onePod && !everyone ? ranks : [],
        candidates: onePod && !everyone ? [] : [{ ranks, why: `could not reach ${address}` }],
        pod: onePod ? pods[0] : undefined,
        attempt: 0,
        at: momentOf(first),
        summary: `${ranks.length > 0 ? nameRanksAtStart(ranks) : 'Workers'} could not reach ${address}; ${onePod && !everyone ? 'the others do not complain of it' : 'the bundle does not show whether it was listening'}.`,
        because: failed.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 200))),
        wouldChange: [`the log of the Pod that should listen at ${address}`],
        nextChecks: [
          `Resolve and connect to ${address} from ${pods[0] ?? 'a failing Pod'}`,
          `Compare MASTER_ADDR and the endpoint of ${nameRanks(ranks)} with the others`,
        ],
      }),
    ];
  },
});
