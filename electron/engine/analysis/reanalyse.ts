/**
 * Runs the analysis of a finished case again with what the analyst set, from what the case itself holds, and replaces report and views. Raw
 * stamps, bytes and everything that was read stay as they are.
 */

import type { ClockOverride } from '#shared/analysis/clocks/index.ts';
import { analyseIncident } from '#shared/analysis/index.ts';
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import { buildReport } from '#shared/report/build-report.ts';
import type { Report } from '#shared/report/schema.ts';
import { parseStoredReport } from '#shared/report/stored-report.ts';
import type { AnalysisStep } from '#shared/rpc/areas/clocks.ts';
import { INCIDENT_VIEW, isStoredIncident } from '#shared/views/incident/index.ts';
import { CASE_VIEWS } from '#shared/views/index.ts';
import { CaseReader } from '../store/case-reader.ts';
import { reviseCase } from '../store/revise-case.ts';
import { isDiskFull } from '../store/sqlite.ts';
import { isStoredDump } from '../store/stored-dump.ts';

export interface ReanalysisRequest {
  readonly caseFile: string;
  readonly overrides: readonly ClockOverride[];
  /** The report names it as what made it; absent = as before. */
  readonly tool?: { readonly name: string; readonly version: string };
}

export type ReanalysisError = {
  readonly code: 'case-not-found' | 'case-damaged' | 'case-version' | 'disk-full' | 'internal';
  readonly detail: string;
};

export type OnStep = (step: AnalysisStep, fraction: number) => void;

/** Shares of the whole as measured on a large case: reading what is stored, the analysis, then each view. */
const READ_SHARE = 0.15;
const ANALYSED_SHARE = 0.6;
const DRAWN_SHARE = 0.95;

/** Synchronous and as long as the analysis: call it in a thread of its own. Never throws. */
export function reanalyse(
  { caseFile, overrides, tool }: ReanalysisRequest,
  onStep: OnStep = () => undefined,
): Result<Report, ReanalysisError> {
  try {
    onStep('reading', 0);
    const loaded = load(caseFile);
    if (!loaded.ok) return loaded;
    const { input, before } = loaded.value;
    onStep('analysing', READ_SHARE);
    const result = analyseIncident(input, { clockOverrides: overrides });
    const report = buildReport({ input, result, bundle: before.bundle, tool: tool ?? before.tool });
    const views = CASE_VIEWS.filter(({ name }) => name !== INCIDENT_VIEW).map(({ name, build }, i, all) => {
      onStep('drawing', ANALYSED_SHARE + ((DRAWN_SHARE - ANALYSED_SHARE) * i) / all.length);
      return { name, value: build({ input, result, report }) };
    });
    onStep('writing', DRAWN_SHARE);
    reviseCase(caseFile, { reportJson: JSON.stringify(report), views });
    return ok(report);
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return err({ code: isDiskFull(error) ? 'disk-full' : 'internal', detail });
  }
}

interface Loaded {
  readonly input: IncidentInput;
  readonly before: Report;
}

function load(caseFile: string): Result<Loaded, ReanalysisError> {
  const opened = CaseReader.open(caseFile);
  if (!opened.ok) return opened;
  const reader = opened.value;
  try {
    const stored = reader.view(INCIDENT_VIEW);
    if (stored === undefined) return err({ code: 'case-version', detail: 'imported before clocks could be set' });
    if (!isStoredIncident(stored)) return err({ code: 'case-damaged', detail: 'its input does not fit' });
    const before = parseStoredReport(reader.reportJson());
    if (!before.ok) return before;
    const dumps = stored.dumps.map((source): FlightRecorderDump => {
      const slot = reader.entry(source.entry)?.slot;
      const dump = slot === undefined ? undefined : reader.dump(slot);
      if (!isStoredDump(dump)) throw new Error(`the dump of entry ${source.entry} is missing`);
      return { ...dump, source };
    });
    return ok({ input: { ...stored.input, dumps }, before: before.value });
  } finally {
    reader.close();
  }
}
