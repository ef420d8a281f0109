import { err, ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { caseSummary } from '../case-summary.ts';
import { analysisDeed, keepCustody } from '../custody.ts';
import type { EngineContext } from '../engine.ts';
import { listOverrides } from '../store/clock-overrides.ts';
import { TOOL_NAME } from '../tool-name.ts';
import { startReanalysis } from './reanalysis-worker.ts';

/** Applies the rules of this version to a case of an older one, with the analyst's clock settings as they stand. */
export async function reanalyseCase(caseId: CaseId, ctx: EngineContext): Promise<Result<null, RpcError>> {
  const place = ctx.cases.place(caseId);
  if (place === undefined) return err({ code: 'case-not-found', detail: caseId });
  let overrides: ReturnType<typeof listOverrides>;
  try {
    overrides = listOverrides(place.notesDb);
  } catch (error) {
    return err({ code: 'case-damaged', detail: error instanceof Error ? error.message : String(error) });
  }
  const { version } = ctx.options;
  const before = ctx.library.summary(caseId)?.toolVersion;
  const report = await startReanalysis(ctx.options.workerEntry, {
    caseFile: place.caseDb,
    overrides,
    tool: { name: TOOL_NAME, version },
  });
  const reader = ctx.cases.reader(caseId);
  if (reader.ok) reader.value.forgetViews();
  if (!report.ok) {
    if (report.error.code === 'internal') ctx.log(`job.reanalyse: ${report.error.detail}`);
    return report;
  }
  const local = { importedAt: new Date(0).toISOString(), example: false, toolVersion: version };
  const { outcome, status, firstRanks, summary, toolVersion } = caseSummary(report.value, local);
  ctx.library.revise(caseId, { outcome, status, firstRanks, summary, toolVersion });
  keepCustody(place.notesDb, analysisDeed(report.value, before, overrides.length), { version, log: ctx.log });
  ctx.publish('cases.changed', null);
  ctx.publish('case.revised', { caseId });
  return ok(null);
}
