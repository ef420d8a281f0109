import type { Collected } from '../collected.ts';
import { type FaultContext, type FaultPlan, provenBy } from './plan.ts';

/**
 * Nothing goes wrong.
 *
 * Proof: every Pod's good end (its object, or `Completed` in the table). That every rank says that it finished is none: a job that hangs at its
 * exit, or whose launcher was killed, leaves the same lines.
 */
export const planHealthy = (context: FaultContext): FaultPlan =>
  noFailure(context, (bundle) => bundle.podObjects || bundle.podTable);

/**
 * Collected in mid-run.
 *
 * Proof: steps up to the end in every Pod's log, Kubernetes' word that all Pods run, and a moment of the taking on the clocks of the logs: else
 * it may have stood still for an hour. Without that word a log that stops in mid-run looks the
 * same when the job was killed as a whole. With one log missing, the traceback of a rank that has just failed would stand in it: the
 * others show nothing before their time limit.
 */
export const planStillRunning = (context: FaultContext): FaultPlan =>
  noFailure(
    context,
    (bundle) =>
      (bundle.podObjects || bundle.podTable) && bundle.ranks.every(bundle.reachesTaking) && bundle.momentOfTaking,
  );

const noFailure = (context: FaultContext, whole: (bundle: Collected) => boolean): FaultPlan => ({
  programs: context.programs,
  truth: {
    outcome: 'no-failure',
    alsoRight: [],
    firstRanks: [],
    stages: ['unknown'],
    causes: ['none'],
    node: undefined,
    proof: provenBy(whole),
  },
});
