import { assertNever } from '#shared/lib/assert.ts';
import { planCudaOom, planException, planHostOom, planSigkill } from './exits.ts';
import { planHealthy } from './healthy.ts';
import { planOpMismatch, planSizeMismatch, planSkippedCall } from './mismatch.ts';
import { planEvicted, planMissingWorker } from './placement.ts';
import type { FaultContext, FaultPlan } from './plan.ts';
import { planStall } from './stall.ts';

export type { FaultPlan } from './plan.ts';

export function planFault(context: FaultContext): FaultPlan {
  const { fault } = context.spec;
  switch (fault.kind) {
    case 'healthy':
    case 'still-running':
      return planHealthy(context);
    case 'exception':
      return planException(context, fault);
    case 'cuda-oom':
      return planCudaOom(context, fault);
    case 'sigkill':
      return planSigkill(context, fault);
    case 'host-oom':
      return planHostOom(context, fault);
    case 'stall':
      return planStall(context, fault);
    case 'op-mismatch':
      return planOpMismatch(context, fault);
    case 'size-mismatch':
      return planSizeMismatch(context, fault);
    case 'skipped-call':
      return planSkippedCall(context, fault);
    case 'missing-worker':
      return planMissingWorker(context, fault);
    case 'evicted':
      return planEvicted(context, fault);
    default:
      return assertNever(fault, 'fault');
  }
}
