/**
 * A rank stays alive and never makes its next call: its data does not come, its disk does not answer, a lock is held.
 *
 * Proof, for all of them: `absenceShows`. Where the rank says that it begins to save, and never that it ended, its own words show where it
 * stands: one other rank that is shown to wait is then enough.
 */

import type { Fault } from '../spec.ts';
import { absenceShows, editPhase, type FaultContext, type FaultPlan, type Proof, planTruth } from './plan.ts';

const openOperationShows =
  (rank: number): Proof =>
  (bundle) =>
    bundle.heard(rank) && bundle.ranks.some((other) => other !== rank && bundle.shown(other))
      ? 'answer'
      : absenceShows(rank)(bundle);

export function planStall(context: FaultContext, fault: Extract<Fault, { kind: 'stall' }>): FaultPlan {
  const truth = planTruth(fault, context.topology, {
    stages: ['straggler'],
    causes:
      fault.where === 'checkpoint'
        ? ['slow-checkpoint', 'stalled-unknown']
        : ['stalled-unknown', 'slow-input', 'gil-held', 'cpu-contention'],
    proof: fault.where === 'checkpoint' ? openOperationShows(fault.rank) : absenceShows(fault.rank),
  });
  if (fault.where === 'checkpoint') {
    // The line that announces the save is there, the one that ends it never comes.
    const programs = editPhase(context, { ...fault, phase: 'checkpoint' }, (phase) => [
      ...phase.filter((action) => action.do === 'log' && action.text.startsWith('saving')),
      { do: 'hang' },
    ]);
    return { programs, truth };
  }
  return {
    programs: editPhase(context, { ...fault, phase: 'data' }, () => [{ do: 'hang' }]),
    truth,
    holdsLock: fault.where === 'gil',
  };
}

/** A waiting rank's program turns the time-out into an error of its own: its words are louder than the stall and follow from it. */
export const planWrappedTimeout = (
  context: FaultContext,
  fault: Extract<Fault, { kind: 'wrapped-timeout' }>,
): FaultPlan => ({ ...planStall(context, { ...fault, kind: 'stall', where: 'data' }), wraps: true });

/** The kernel of the node says that the file server does not answer; that names the node, and the silence the rank. */
export const planStorageStall = (
  context: FaultContext,
  fault: Extract<Fault, { kind: 'storage-stall' }>,
): FaultPlan => ({
  programs: editPhase(context, { ...fault, phase: 'data' }, () => [{ do: 'hang' }]),
  truth: planTruth(fault, context.topology, {
    stages: ['straggler', 'host'],
    causes: ['storage', 'slow-input', 'stalled-unknown'],
    proof: absenceShows(fault.rank),
  }),
  fileServerGone: { rank: fault.rank },
});
