import { assertNever } from '#shared/lib/assert.ts';
import { planCudaOom, planException, planHostOom, planSigkill } from './exits.ts';
import { planHealthy, planStillRunning } from './healthy.ts';
import { planEarlyFinish, planLoggedExit, planSilentExit } from './leaving.ts';
import { planOpMismatch, planSizeMismatch, planSkippedCall } from './mismatch.ts';
import { planEvicted, planMissingWorker } from './placement.ts';
import type { FaultContext, FaultPlan } from './plan.ts';
import { planStall, planStorageStall, planWrappedTimeout } from './stall.ts';

export type { FaultPlan } from './plan.ts';

export function planFault(context: FaultContext): FaultPlan {
  const { fault } = context.spec;
  switch (fault.kind) {
    case 'healthy':
      return planHealthy(context);
    case 'still-running':
      return planStillRunning(context);
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
    case 'wrapped-timeout':
      return planWrappedTimeout(context, fault);
    case 'storage-stall':
      return planStorageStall(context, fault);
    case 'early-finish':
      return planEarlyFinish(context, fault);
    case 'silent-exit':
      return planSilentExit(context, fault);
    case 'logged-exit':
      return planLoggedExit(context, fault);
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
