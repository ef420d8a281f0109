/**
 * What screens draw, derived once when a case is made and stored with it by name: typed arrays and plain data, no objects per record
 * where there may be millions. A view is one file or folder here and one line in the list.
 */
import type { AnalysisResult } from '../model/finding.ts';
import type { IncidentInput } from '../model/incident.ts';
import type { Report } from '../report/schema.ts';
import { buildClocksView, CLOCKS_VIEW } from './clocks/index.ts';
import { buildCollectivesView, COLLECTIVES_VIEW } from './collectives/index.ts';
import { buildCoverage, COVERAGE_VIEW } from './coverage/index.ts';
import { buildIncident, INCIDENT_VIEW } from './incident/index.ts';
import { buildLanes, LANES_VIEW } from './lanes/index.ts';
import { buildRanks, RANKS_VIEW } from './ranks/index.ts';

export interface ViewSource {
  readonly input: IncidentInput;
  readonly result: AnalysisResult;
  readonly report: Report;
}

export interface CaseView {
  /** Key in the case file. Stored views are derived: the schema version of the case rises when one changes its shape. */
  readonly name: string;
  /** Pure; anything that structured clone takes. Undefined = there is nothing to draw. */
  readonly build: (source: ViewSource) => unknown;
}

export const CASE_VIEWS: readonly CaseView[] = [
  { name: LANES_VIEW, build: buildLanes },
  { name: COLLECTIVES_VIEW, build: buildCollectivesView },
  { name: CLOCKS_VIEW, build: buildClocksView },
  { name: INCIDENT_VIEW, build: buildIncident },
  { name: RANKS_VIEW, build: buildRanks },
  { name: COVERAGE_VIEW, build: buildCoverage },
];
