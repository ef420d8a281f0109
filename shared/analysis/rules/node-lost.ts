/**
 * A node stopped answering the control plane while it ran Pods of the job.
 *
 *   Node gpu-a17: Ready Unknown (NodeStatusUnknown) "Kubelet stopped posting node status."
 */
import { nameRanks, without } from '../../lib/rank-set.ts';
import { defineRule, type Evidence } from '../../model/finding.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { cite, citeSource, draft, quote } from './support/draft.ts';
import { eventsOf } from './support/events.ts';
import { consequenceReports, ranksOfNode } from './support/ranks.ts';
import { timeInJob } from './support/span.ts';

export default defineRule({
  id: 'node-lost',
  title: 'A node was lost',
  needs: ['input', 'events', 'rankMap'],
  explain: `
The control plane marks a node whose kubelet no longer reports as Ready=Unknown or gives it the taint \`unreachable\`, and writes Events (NodeNotReady, Rebooted, Shutdown); a kernel panic or a reboot is told by the node's own kernel log. All ranks on that node are a group. The state is as of
the moment when it was collected, and Events are kept for an hour: a node may have been lost *after* the incident, rebooted before it, or be cordoned by a person in reaction. So it is *supported* only if ranks of the job on other nodes report lost or late peers and none of the node's own ranks reports either; else it is context.

How sure: *supported* at most. When it can be wrong: a node that lost the control plane alone and went on training, and a state or Event of another time than the failure.`,
  remedy: `When it became unreachable: kubectl get node NODE -o yaml (lastTransitionTime of Ready, timeAdded of the taint), against the last line of its ranks. Then the console or BMC (ipmitool sel elist), the cloud's maintenance events, and journalctl -k -b -1 once it is back.`,
  run: ({ input, events, rankMap }) => {
    const used = [
      ...new Set([
        ...rankMap.places.flatMap((place) => place.node ?? []),
        ...rankMap.pods.flatMap((place) => place.node ?? []),
      ]),
    ].sort();
    const attempt = 0;
    const reports = consequenceReports(events, attempt);
    return used.flatMap((node) => {
      const evidence = lostEvidence(node, input);
      const panics = eventsOf(events, 'kernel-note').filter(
        (placed) =>
          placed.node === node &&
          (placed.event.body.what === 'panic' || placed.event.body.what === 'reboot') &&
          timeInJob(placed, events) !== 'outside',
      );
      const because = [...evidence, ...panics.slice(0, 2).map((placed) => cite(placed, quote(placed.event.text, 160)))];
      if (because.length === 0) return [];
      const ranks = ranksOfNode(rankMap, node);
      const others = without(reports.keys(), ranks);
      const silent = !ranks.some((rank) => reports.has(rank));
      const cause = others.length > 0 && silent;
      return [
        draft({
          outcome: 'group',
          status: cause ? 'supported' : 'hypothesis',
          stage: 'host',
          cause: 'node-lost',
          strength: cause ? 'direct' : 'context',
          firstRanks: ranks,
          symptomRanks: others,
          node,
          attempt,
          summary: `Node ${node} was lost${ranks.length > 0 ? ` with ${nameRanks(ranks)}` : ''}.`,
          because,
          wouldChange: ['the time at which the node was lost against the last progress of the job'],
          nextChecks: [
            `Console, power and kernel log of ${node}`,
            'When the node became unreachable (lastTransitionTime)',
          ],
        }),
      ];
    });
  },
});

function lostEvidence(node: string, input: Pick<IncidentInput, 'nodes' | 'kubeEvents'>): Evidence[] {
  const object = input.nodes.find((candidate) => candidate.name === node);
  const ready = object?.conditions.find((condition) => condition.type === 'Ready');
  const unreachable = object?.taints.find((taint) => taint.key.includes('unreachable'));
  const events = input.kubeEvents.filter(
    (event) =>
      event.object.kind === 'Node' &&
      event.object.name === node &&
      (event.reason === 'NodeNotReady' || event.reason === 'Rebooted' || event.reason === 'Shutdown'),
  );
  return [
    ...(object !== undefined && ready?.status === 'Unknown'
      ? [
          citeSource(
            object.source,
            `Node ${node}: Ready is Unknown${ready.message === undefined ? '' : ` (${quote(ready.message, 100)})`}`,
          ),
        ]
      : []),
    ...(object !== undefined && unreachable !== undefined
      ? [citeSource(object.source, `Node ${node} has the taint ${unreachable.key}`)]
      : []),
    ...events
      .slice(0, 2)
      .map((event) => citeSource(event.source, `Event ${event.reason} for node ${node}: ${quote(event.message, 120)}`)),
  ];
}
