/** How one incident fares: what may be said of it, and what is said. Shared by the table and the bar. */
import type { AnalysisResult } from '#shared/model/finding.ts';
import type { Report, ReportVerdict } from '#shared/report/schema.ts';
import { analyseFiles } from '../support/in-memory-import.ts';
import { buildIncident, type Incident, type IncidentSpec } from '../support/incidents/index.ts';
import { type Judgement, judge } from '../support/judge.ts';

export interface Fare {
  readonly incident: Incident;
  readonly report: Report;
  readonly result: AnalysisResult;
  readonly verdict: ReportVerdict;
  readonly judgement: Judgement;
  /** `right` only with the stage. */
  readonly answer: Judgement['answer'];
  /** More is said than what is in the bundle can prove. */
  readonly over: boolean;
  readonly said: string;
}

export function fareOf(spec: IncidentSpec): Fare {
  const incident = buildIncident({ ...spec, herrings: true });
  const { report, result } = analyseFiles(incident.files, incident.name);
  const { verdict } = report;
  const judgement = judge(verdict, incident.truth);
  return {
    incident,
    report,
    result,
    verdict,
    judgement,
    answer: judgement.answer === 'right' && !judgement.stage ? 'honest' : judgement.answer,
    over: isOver(incident, report, judgement),
    said: `${incident.name}: ${verdict.outcome} ${verdict.status} [${verdict.firstRanks.join(',')}] ${verdict.stage}/${verdict.cause}: ${verdict.summary}`,
  };
}

/**
 * Where nothing can be proven only `cannot-tell` is right; where a group can, also a group that holds the guilty, which is never sure. Sure may be only that all members of a group disagree, two against
 * none, where each of them shows its call.
 */
function isOver({ truth }: Incident, { verdict, collectives }: Report, { answer }: Judgement): boolean {
  if (truth.decidable || verdict.outcome === 'cannot-tell') return false;
  if (truth.provable === 'nothing' || verdict.outcome !== 'group' || answer === 'wrong') return true;
  const group = collectives.groups.find((one) => one.group === collectives.firstDivergence?.group);
  const allDisagree = group?.ranks.join() === verdict.firstRanks.join();
  return verdict.status === 'established' && !allDisagree;
}
