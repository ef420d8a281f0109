import type { CaseSummary } from '#shared/model/case.ts';
import type { Report } from '#shared/report/schema.ts';
import { caseNameOf } from './case-files.ts';

/** The row of the case list: what the report says, and what only this machine knows. */
export function caseSummary(
  report: Report,
  local: {
    readonly importedAt: string;
    readonly example: boolean;
    readonly toolVersion: string;
    /** Where the bundle was; none for a case that comes as a file. */
    readonly paths?: readonly string[];
  },
): Omit<CaseSummary, 'caseId'> {
  const { verdict, incident, bundle } = report;
  return {
    name: caseNameOf(bundle.name, local.paths ?? []),
    incidentStart: incident.start,
    importedAt: local.importedAt,
    ranks: incident.worldSize ?? (incident.ranksSeen > 0 ? incident.ranksSeen : null),
    bytes: bundle.bytes,
    files: bundle.files.total,
    outcome: verdict.outcome,
    status: verdict.status,
    firstRanks: verdict.firstRanks,
    summary: verdict.summary,
    gaps: report.gaps.filter((gap) => gap.state !== 'present').length,
    partial: report.issues.some(({ code }) => code === 'import-stopped'),
    example: local.example,
    toolVersion: local.toolVersion,
    sha256: bundle.sha256,
  };
}
