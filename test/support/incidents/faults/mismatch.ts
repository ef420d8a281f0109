/**
 * One rank makes another call than the rest: another operation, another size, or it leaves one out.
 *
 * Proof, for all three: the calls themselves, of the rank and of two others of the group in which it strayed. Recorders and time-out lines
 * both show them; where the left-out call lets the rank go on to another group, only recorders do.
 */

import { otherOperation, otherSize } from '../calls.ts';
import type { Action } from '../loop.ts';
import type { Fault } from '../spec.ts';
import {
  editPhase,
  type FaultContext,
  type FaultPlan,
  majorityShows,
  orderShows,
  planTruth,
  sizeShows,
} from './plan.ts';

type Of<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

export const planOpMismatch = (context: FaultContext, fault: Of<'op-mismatch'>): FaultPlan => ({
  programs: editPhase(context, { ...fault, phase: 'optimizer' }, (phase, rest) => [
    ...editFirstCall(phase, (action) => [{ do: 'call', call: otherOperation(context.spec.backend, action.call) }]),
    ...rest,
  ]),
  truth: planTruth(fault, context.topology, {
    stages: ['mismatched-collective'],
    causes: ['collective-type', 'collective-order', 'collective-skipped'],
    proof: majorityShows(fault.rank, context.topology.world.ranks),
  }),
});

export const planSizeMismatch = (context: FaultContext, fault: Of<'size-mismatch'>): FaultPlan => ({
  programs: editPhase(context, { ...fault, phase: 'backward' }, (phase, rest) => [
    ...editFirstCall(phase, (action) => [{ do: 'call', call: otherSize(action.call, context.random) }]),
    ...rest,
  ]),
  truth: planTruth(fault, context.topology, {
    stages: ['mismatched-collective'],
    causes: ['collective-size', 'uneven-inputs'],
    proof: sizeShows(fault.rank, context.topology),
  }),
});

/** The rank leaves out the call that ends its step; the next one it makes meets the others' left-out one. */
export const planSkippedCall = (context: FaultContext, fault: Of<'skipped-call'>): FaultPlan => ({
  programs: editPhase(context, { ...fault, phase: 'optimizer' }, (phase, rest) => [
    ...editFirstCall(phase, () => []),
    ...rest,
  ]),
  truth: planTruth(fault, context.topology, {
    stages: ['mismatched-collective', 'straggler'],
    causes: ['collective-skipped', 'collective-order', 'collective-type', 'collective-size', 'uneven-inputs'],
    proof: orderShows(fault.rank, context.topology),
  }),
});

function editFirstCall(
  phase: readonly Action[],
  edit: (action: Extract<Action, { do: 'call' }>) => readonly Action[],
): Action[] {
  const index = phase.findIndex((action) => action.do === 'call');
  const action = phase[index];
  if (action?.do !== 'call') throw new Error('the phase has no call');
  return [...phase.slice(0, index), ...edit(action), ...phase.slice(index + 1)];
}
