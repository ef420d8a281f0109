/**
 * The analysis of one incident: pure, no clock, no I/O. Facts first (who was where, how each rank lived, what the recorders compare to,
 * what the clocks allow), then rules over the facts, then the choice of what to say first.
 *
 * Empty input is fine: the answer is then `cannot-tell` with everything under gaps.
 */
import type { AnalysisResult, Facts } from '../model/finding.ts';
import type { IncidentInput } from '../model/incident.ts';
import { computeClocks } from './clocks/index.ts';
import { computeCollectives, resolveDumpRanks } from './collectives/index.ts';
import { conclude } from './conclude.ts';
import { computeLifeLines } from './life-lines/index.ts';
import { computeRankMap } from './rank-map/index.ts';

export { conclude } from './conclude.ts';

export function analyseIncident(input: IncidentInput): AnalysisResult {
  return conclude(computeFacts(input));
}

export function computeFacts(input: IncidentInput): Facts {
  const { rankMap, events } = computeRankMap(input);
  const { ranked } = resolveDumpRanks(input.dumps, rankMap.worldSize);
  return {
    input,
    rankMap,
    events,
    lifeLines: computeLifeLines(input, rankMap, events),
    collectives: computeCollectives({ dumps: ranked, events, worldSize: rankMap.worldSize }),
    clocks: computeClocks(input, rankMap, events),
  };
}
