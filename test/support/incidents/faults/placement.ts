/** Kubernetes decides: a Pod that never gets a node, a Pod that is told to go. */

import type { Fault } from '../spec.ts';
import { nodeAt } from '../topology.ts';
import { editPhase, type FaultContext, type FaultPlan } from './plan.ts';

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
      node: fault.node,
    },
  };
}

/** All ranks of the Pod stop in the same step; the agent got the signal. */
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
      node: fault.node,
    },
  };
}
