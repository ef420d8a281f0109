/**
 * The analysis of one incident: pure, no clock, no I/O. Facts first (who was where, how each rank lived, what the recorders compare to,
 * what the clocks allow), then rules over the facts, then the choice of what to say first.
 *
 * Empty input is fine: the answer is then `cannot-tell` with everything under gaps.
 */
import type { AnalysisResult, Facts } from '../model/finding.ts';
import type { IncidentInput } from '../model/incident.ts';
import { markCaught } from './caught/index.ts';
import { type ClockOverride, computeClocks } from './clocks/index.ts';
import { computeCollectives, rankDumps } from './collectives/index.ts';
import { conclude } from './conclude.ts';
import { markEchoes } from './echoes/index.ts';
import { computeLifeLines } from './life-lines/index.ts';
import { computeRankMap } from './rank-map/index.ts';
import { lowerIfPartial } from './so-far/index.ts';

export { conclude } from './conclude.ts';

/** What the analyst knows beyond the bundle. */
export interface Given {
  readonly clockOverrides?: readonly ClockOverride[];
}

export function analyseIncident(input: IncidentInput, given: Given = {}): AnalysisResult {
  return lowerIfPartial(conclude(computeFacts(input, given)));
}

export function computeFacts(input: IncidentInput, given: Given = {}): Facts {
  const { rankMap, events: found } = computeRankMap(input);
  const placed = markEchoes(found);
  const errorFiles = new Set(
    input.entries.filter((entry) => entry.format === 'torch-error-file').map((entry) => Number(entry.id)),
  );
  const { events, lifeLines } = markCaught({
    rankMap,
    events: placed,
    lifeLines: computeLifeLines(input, rankMap, placed),
    errorFiles,
  });
  const { ranked, conflicts } = rankDumps(input.dumps, rankMap, events);
  return {
    input,
    rankMap,
    events,
    lifeLines,
    collectives: computeCollectives({ dumps: ranked, events, worldSize: rankMap.worldSize, conflicts }),
    clocks: computeClocks(input, rankMap, events, given.clockOverrides),
  };
}
