import { err, ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { ClockSetting } from '#shared/rpc/areas/clocks.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { CLOCKS_VIEW } from '#shared/views/clocks/types.ts';
import { asClocksView } from '#shared/views/stored.ts';
import type { OnStep, ReanalysisRequest } from '../analysis/reanalyse.ts';
import { caseSummary } from '../case-summary.ts';
import { clocksDeed, keepCustody } from '../custody.ts';
import type { EngineContext } from '../engine.ts';
import { type Reanalysed, startReanalysis } from '../jobs/reanalysis-worker.ts';
import { listOverrides, type OverrideRow, storeOverrides } from '../store/clock-overrides.ts';
import { askCase, askNotes } from './case-question.ts';
import type { HandlerTable } from './handler-table.ts';

export const clocksHandlers: HandlerTable<'clocks'> = {
  'clocks.view': async ({ caseId }, ctx) =>
    askCase(ctx, caseId, (reader) =>
      askNotes(ctx, caseId, (notesDb) =>
        ok({
          view: asClocksView(reader.view(CLOCKS_VIEW)) ?? null,
          settings: listOverrides(notesDb).map(settingOf),
        }),
      ),
    ),

  'clocks.set': async ({ caseId, settings }, ctx) => {
    const before = waiting.get(caseId) ?? Promise.resolve();
    const done = before.then(() => change(caseId, settings, ctx));
    // A change that throws must not stop those that come after it.
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    waiting.set(caseId, settled);
    try {
      return await done;
    } finally {
      if (waiting.get(caseId) === settled) waiting.delete(caseId);
    }
  },

  'clocks.stop': async ({ caseId }) => {
    const found = running.get(caseId);
    found?.stop.abort();
    return ok({ stopping: found !== undefined && !found.isWriting });
  },
};

interface RunningChange {
  readonly stop: AbortController;
  isWriting: boolean;
}
const running = new Map<CaseId, RunningChange>();

/** Changes of one case run one after the other: the last one that was asked for is what stands in the end. */
const waiting = new Map<CaseId, Promise<void>>();

async function change(
  caseId: CaseId,
  settings: readonly ClockSetting[],
  ctx: EngineContext,
): Promise<Result<{ readonly settings: readonly ClockSetting[] }, RpcError>> {
  const place = ctx.cases.place(caseId);
  if (place === undefined) return err({ code: 'case-not-found', detail: caseId });
  const known = askNotes(ctx, caseId, (notesDb) => ok(listOverrides(notesDb)));
  if (!known.ok) return known;
  const now = new Date().toISOString();
  const rows = settings.map((setting): OverrideRow => {
    const same = known.value.find((row) => row.clock === setting.clock && row.reason === setting.reason);
    return { ...setting, created: same?.created ?? now };
  });
  const stored = askNotes(ctx, caseId, (notesDb) => ok(storeOverrides(notesDb, rows)));
  if (!stored.ok) return stored;
  const report = await analyse(caseId, { caseFile: place.caseDb, overrides: settings }, ctx);
  const reader = ctx.cases.reader(caseId);
  if (reader.ok) reader.value.forgetViews();
  if (!report.ok) {
    // The report does not know of them: then nobody does.
    askNotes(ctx, caseId, (notesDb) => ok(storeOverrides(notesDb, known.value)));
    if (report.error.code === 'internal') ctx.log(`clocks.set: ${report.error.detail}`);
    return report;
  }
  const local = { importedAt: new Date(0).toISOString(), example: false, toolVersion: report.value.tool.version };
  const { outcome, status, firstRanks, summary } = caseSummary(report.value, local);
  ctx.library.revise(caseId, { outcome, status, firstRanks, summary });
  keepCustody(place.notesDb, clocksDeed(report.value, settings), { version: ctx.options.version, log: ctx.log });
  ctx.publish('cases.changed', null);
  ctx.publish('case.revised', { caseId });
  return ok({ settings });
}

/** Tells all windows how far it is, and can be stopped by any of them. */
async function analyse(caseId: CaseId, request: ReanalysisRequest, ctx: EngineContext): Promise<Reanalysed> {
  const own: RunningChange = { stop: new AbortController(), isWriting: false };
  running.set(caseId, own);
  let fraction = 0;
  const onStep: OnStep = (step, done) => {
    fraction = done;
    own.isWriting = step === 'writing';
    ctx.publish('clocks.progress', { caseId, step, fraction });
  };
  try {
    return await startReanalysis(ctx.options.workerEntry, request, { onStep, signal: own.stop.signal });
  } finally {
    running.delete(caseId);
    ctx.publish('clocks.progress', { caseId, step: 'ended', fraction });
  }
}

const settingOf = ({ clock, against, offsetMs, boundMs, reason }: OverrideRow): ClockSetting => ({
  clock,
  against,
  offsetMs,
  boundMs,
  reason,
});
