import type { FaultContext, FaultPlan } from './plan.ts';

/** Nothing goes wrong; `still-running` differs only in when the bundle is collected. */
export const planHealthy = (context: FaultContext): FaultPlan => ({
  programs: context.programs,
  truth: {
    outcome: 'no-failure',
    alsoRight: [],
    firstRanks: [],
    stages: ['unknown'],
    causes: ['none'],
    node: undefined,
  },
});
