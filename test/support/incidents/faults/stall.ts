/** A rank stays alive and never makes its next call: its data does not come, its disk does not answer, a lock is held. */

import type { Fault } from '../spec.ts';
import { editPhase, type FaultContext, type FaultPlan, planTruth } from './plan.ts';

export function planStall(context: FaultContext, fault: Extract<Fault, { kind: 'stall' }>): FaultPlan {
  const truth = planTruth(fault, context.topology, {
    stages: ['straggler'],
    causes:
      fault.where === 'checkpoint'
        ? ['slow-checkpoint', 'stalled-unknown']
        : ['stalled-unknown', 'slow-input', 'gil-held', 'cpu-contention'],
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
