/**
 * What may be said when only a part of the files was read: while an import runs, and of one that was ended early. Nothing is established
 * then: what was not read may hold the earlier fault, or the sign of life of a rank that seems silent.
 */
import type { AnalysisResult, Finding, Status } from '../../model/finding.ts';

/** The first suspect by what was read so far. Never a verdict. */
export interface SoFar {
  readonly outcome: Finding['outcome'];
  readonly status: 'supported' | 'hypothesis' | 'not-determinable';
  readonly firstRanks: readonly number[];
  readonly pod: string | undefined;
  readonly summary: string;
}

/** Evidence that stands by itself, whatever else there is; the others compare files, or draw on what is absent. */
const STANDS_ALONE: ReadonlySet<Finding['strength']> = new Set(['direct', 'witness']);

function loweredStatus({ status, strength }: Finding): Status {
  if (status !== 'established' && status !== 'supported') return status;
  return status === 'established' && STANDS_ALONE.has(strength) ? 'supported' : 'hypothesis';
}

export function soFarOf(verdict: Finding): SoFar {
  const status = loweredStatus(verdict);
  const { outcome, firstRanks, pod, summary } = verdict;
  const tellsNothing = outcome === 'no-failure' || outcome === 'cannot-tell';
  if (tellsNothing || status === 'not-determinable' || status === 'established' || status === 'ruled-out') {
    const said = outcome === 'no-failure' ? 'Nothing that was read so far tells of a failure.' : summary;
    return { outcome: 'cannot-tell', status: 'not-determinable', firstRanks: [], pod: undefined, summary: said };
  }
  return { outcome, status, firstRanks, pod, summary };
}

const NOT_READ = 'The files that were not read: the import was ended before them';

/** The result for a case whose reading was ended early; any other result as it is. */
export function lowerIfPartial(result: AnalysisResult): AnalysisResult {
  if (!result.facts.input.issues.some(({ code }) => code === 'import-stopped')) return result;
  const verdict = lowered(result.verdict);
  return {
    ...result,
    verdict,
    findings: result.findings.map((finding) => (finding === result.verdict ? verdict : lowered(finding))),
  };
}

function lowered(finding: Finding): Finding {
  const wouldChange = [NOT_READ, ...finding.wouldChange];
  if (finding.outcome !== 'no-failure') return { ...finding, status: loweredStatus(finding), wouldChange };
  return {
    ...finding,
    outcome: 'cannot-tell',
    status: 'not-determinable',
    stage: 'unknown',
    cause: 'none',
    firstRanks: [],
    at: undefined,
    summary: 'What was read tells of no failure, but the import was ended before every file was read.',
    wouldChange,
  };
}
