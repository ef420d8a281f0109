/** Kubernetes decides: a Pod that never gets a node, a Pod that is told to go. */

import type { Fault } from '../spec.ts';
import { nodeAt } from '../topology.ts';
import { editPhase, type FaultContext, type FaultPlan, provenBy } from './plan.ts';

/**
 * Proof: Kubernetes' word that the Pod never ran (its object, the table, or the event that it could not be scheduled). The others only say that
 * somebody did not come.
 */
export function planMissingWorker(context: FaultContext, fault: Extract<Fault, { kind: 'missing-worker' }>): FaultPlan {
  const place = nodeAt(context.topology, fault.node);
  return {
    programs: context.programs.map(() => []),
    missingNode: fault.node,
    truth: {
      outcome: 'group',
      alsoRight: [],
      firstRanks: place.ranks,
      stages: ['rendezvous'],
      causes: ['missing-worker'],
      proof: provenBy((bundle) => bundle.podObjects || bundle.podTable || bundle.events),
      node: fault.node,
    },
  };
}

/**
 * All ranks of the Pod stop in the same step; the agent got the signal.
 *
 * Proof: Kubernetes' word (the Pod's condition, the event), or the launcher's that a signal came from outside. The table alone says
 * `Terminating`: that this Pod was told to go, not that it was so before the others failed.
 */
export function planEvicted(context: FaultContext, fault: Extract<Fault, { kind: 'evicted' }>): FaultPlan {
  const place = nodeAt(context.topology, fault.node);
  let programs = context.programs;
  for (const rank of place.ranks)
    programs = editPhase({ ...context, programs }, { rank, step: fault.step, phase: 'data' }, () => [{ do: 'hang' }]);
  return {
    programs,
    evictedNode: fault.node,
    truth: {
      outcome: 'group',
      alsoRight: ['no-rank'],
      firstRanks: place.ranks,
      stages: ['host'],
      causes: ['evicted', 'external-signal', 'preempted'],
      proof: (bundle) => {
        if (bundle.podObjects || bundle.events || bundle.launcher(fault.node)) return 'answer';
        return bundle.podTable ? 'group' : 'nothing';
      },
      node: fault.node,
    },
  };
}
