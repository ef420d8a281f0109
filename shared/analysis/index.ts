/**
 * The analysis of one incident: pure, no clock, no I/O. Facts first (who was where, how each rank lived, what the recorders compare to,
 * what the clocks allow), then rules over the facts, then the choice of what to say first.
 *
 * Empty input is fine: the answer is then `cannot-tell` with everything under gaps.
 */
import type { AnalysisResult, Facts } from '../model/finding.ts';
import type { IncidentInput } from '../model/incident.ts';
import { conclude } from './conclude.ts';

export { conclude } from './conclude.ts';

export function analyseIncident(input: IncidentInput): AnalysisResult {
  return conclude(computeFacts(input));
}

function computeFacts(input: IncidentInput): Facts {
  return {
    input,
    rankMap: {
      worldSize: undefined,
      worldSizeBasis: undefined,
      specWorldSize: undefined,
      nprocPerNode: undefined,
      nnodes: undefined,
      attempts: 0,
      places: [],
      pods: [],
    },
    events: [],
    lifeLines: [],
    collectives: {
      groups: [],
      waits: [],
      roots: [],
      cycle: [],
      first: undefined,
      dumpsPresent: [],
      dumpsExpected: undefined,
      onlyActive: false,
      allJoined: undefined,
    },
    clocks: { reference: undefined, domains: [] },
  };
}
