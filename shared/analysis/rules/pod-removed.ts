/**
 * Kubernetes took a Pod of the job away: evicted, preempted, deleted because of a taint, drained.
 *
 *   Event TaintManagerEviction: Marking for deletion Pod ml/speech-ctc-workers-0-1-9mlk5
 *   conditions: DisruptionTarget True (PreemptionByScheduler)
 */
import { nameRanks, without } from '../../lib/rank-set.ts';
import type { PlacedEvent, PodPlace, RankMapFact } from '../../model/facts.ts';
import { type Cause, defineRule, type Evidence } from '../../model/finding.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { cite, citeSource, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { eventsOf, isPrimaryClass } from './support/events.ts';
import { precedes } from './support/order.ts';
import { eventsOfPod } from './support/pods.ts';
import { consequenceReports, ranksOfPod } from './support/ranks.ts';

const EVENT_CAUSE: ReadonlyMap<string, Cause> = new Map([
  ['TaintManagerEviction', 'evicted'],
  ['Evicted', 'evicted'],
  ['EvictionThresholdMet', 'evicted'],
  ['Preempted', 'preempted'],
  ['Preempting', 'preempted'],
  ['PreemptedByScheduler', 'preempted'],
  ['NodeShutdown', 'node-lost'],
  ['DeletingNode', 'node-lost'],
]);

const CONDITION_CAUSE: ReadonlyMap<string, Cause> = new Map([
  ['PreemptionByScheduler', 'preempted'],
  ['PreemptionByKubeScheduler', 'preempted'],
  ['DeletionByTaintManager', 'evicted'],
  ['EvictionByEvictionAPI', 'evicted'],
  ['TerminationByKubelet', 'evicted'],
  ['DeletionByPodGC', 'node-lost'],
]);

interface Removal {
  readonly cause: Cause;
  readonly evidence: readonly Evidence[];
}

export default defineRule({
  id: 'pod-removed',
  title: 'A Pod of the job was taken away',
  needs: ['input', 'events', 'rankMap'],
  explain: `
An eviction, preemption or taint-based deletion is written down by the component that did it: an event, a \`DisruptionTarget\` condition, or the Pod's status reason. All processes of that Pod get the same signal at the same time, so its ranks are a
group and no member is more guilty than another; the other Pods lose their peers. This is direct evidence of an act from outside **if the Pod was still healthy then**: when its log shows an own failure that did not surely come after its
launcher received the signal, or its launcher's failure block and no signal, the removal is only the clean-up and does not fire as a cause. When the launcher's "Received 15 death signal" is there, the act and its effect are both seen.

How sure: *established* where the launcher's word of the signal is there too, else *supported*. When it can be wrong: the Pod was removed long after the job had already failed elsewhere; the removal is then listed, and the order, where the clocks allow one, decides.`,
  remedy:
    'Who removed it, and why: kubectl get events -A --field-selector involvedObject.name=POD, kubectl describe node NODE (taints, MemoryPressure, DiskPressure), and for a preemption the Pod that took its place (kubectl get priorityclasses). Protect long jobs by a priority class, a PodDisruptionBudget (it holds for drains, not for node pressure), or by tolerating the taint; give requests equal to limits; checkpoint on SIGTERM within terminationGracePeriodSeconds.',
  run: ({ input, events, rankMap }) => rankMap.pods.flatMap((place) => removedDraft(place, input, events, rankMap)),
});

function removalOf(place: PodPlace, input: IncidentInput): Removal | undefined {
  const evidence: Evidence[] = [];
  let cause: Cause | undefined;
  for (const event of eventsOfPod(input, place.pod)) {
    const meaning = EVENT_CAUSE.get(event.reason);
    if (meaning === undefined) continue;
    cause ??= meaning;
    evidence.push(citeSource(event.source, `Event ${event.reason} for Pod ${place.pod}: ${quote(event.message, 140)}`));
  }
  const condition = place.object?.conditions.find(
    (candidate) => candidate.type === 'DisruptionTarget' && candidate.status === 'True',
  );
  if (place.object !== undefined && condition !== undefined) {
    cause ??= CONDITION_CAUSE.get(condition.reason ?? '') ?? 'evicted';
    evidence.push(
      citeSource(
        place.object.source,
        `Pod ${place.pod} has the condition DisruptionTarget (${condition.reason ?? 'no reason'})${condition.message === undefined ? '' : `: ${quote(condition.message, 120)}`}`,
      ),
    );
  }
  const reason = place.object?.reason;
  if (
    place.object !== undefined &&
    (reason === 'Evicted' ||
      reason === 'Preempting' ||
      reason === 'NodeLost' ||
      reason === 'NodeShutdown' ||
      reason === 'Terminated')
  ) {
    cause ??= reason === 'Evicted' ? 'evicted' : reason === 'Preempting' ? 'preempted' : 'node-lost';
    evidence.push(
      citeSource(
        place.object.source,
        `Pod ${place.pod} has status reason ${reason}${place.object.message === undefined ? '' : `: ${quote(place.object.message, 120)}`}`,
      ),
    );
  }
  return cause === undefined ? undefined : { cause, evidence };
}

function removedDraft(
  place: PodPlace,
  input: IncidentInput,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft[] {
  const removal = removalOf(place, input);
  if (removal === undefined) return [];
  const signal = eventsOf(events, 'agent-signal').find((placed) => placed.pod === place.pod);
  const ownFailure = eventsOf(events, 'exception').find(
    (placed) =>
      placed.pod === place.pod &&
      !placed.event.body.handled &&
      isPrimaryClass(placed.event.body.class) &&
      (signal === undefined || !precedes(signal, placed)),
  );
  const agentEnded = eventsOf(events, 'failure-summary').find(
    (placed) => placed.pod === place.pod && (signal === undefined || precedes(placed, signal)),
  );
  if (ownFailure !== undefined || (agentEnded !== undefined && signal === undefined)) return [];
  const ranks = ranksOfPod(rankMap, place.pod);
  const attempt = signal?.attempt ?? 0;
  return [
    draft({
      outcome: 'group',
      status: signal !== undefined ? 'established' : 'supported',
      stage: 'host',
      cause: removal.cause,
      strength: 'direct',
      firstRanks: ranks,
      symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
      pod: place.pod,
      node: place.node,
      attempt,
      at: momentOf(signal),
      summary: `Pod ${place.pod} was ${removal.cause === 'preempted' ? 'preempted' : removal.cause === 'evicted' ? 'evicted' : 'lost with its node'}${place.node === undefined ? '' : ` on node ${place.node}`}; ${ranks.length > 0 ? `its ${nameRanks(ranks)} ended together` : 'all its processes ended together'}, and the others lost their peers.`,
      because: [
        ...removal.evidence.slice(0, 3),
        ...(signal ? [cite(signal, `Its launcher: ${quote(signal.event.text, 120)}`)] : []),
      ],
      wouldChange: ['an error of another rank before the Pod was removed'],
      nextChecks: [
        'Taints, pressure conditions and drains of that node at that time',
        'Priority class of the job against what else was scheduled',
        'Whether the program checkpoints on SIGTERM',
      ],
    }),
  ];
}
