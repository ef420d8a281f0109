import { ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { CompareSide } from '#shared/rpc/areas/compare.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { compareReports } from '#shared/views/compare/index.ts';
import type { EngineContext } from '../engine.ts';
import { caseHandlers } from './case-handlers.ts';
import type { HandlerTable } from './handler-table.ts';
import { ranksHandlers } from './ranks-handlers.ts';

export const compareHandlers: HandlerTable<'compare'> = {
  'compare.cases': async ({ a, b }, ctx) => {
    const [one, two] = [await sideOf(a, ctx), await sideOf(b, ctx)];
    if (!one.ok) return one;
    if (!two.ok) return two;
    return ok({
      a: one.value.side,
      b: two.value.side,
      rows: compareReports(one.value.report, two.value.report),
    });
  },
};

interface Side {
  readonly side: CompareSide;
  readonly report: Report;
}

async function sideOf(caseId: CaseId, ctx: EngineContext): Promise<Result<Side, RpcError>> {
  const opened = await caseHandlers['case.open']({ caseId }, ctx);
  if (!opened.ok) return opened;
  const index = await ranksHandlers['ranks.index']({ caseId }, ctx);
  if (!index.ok) return index;
  const { summary, report } = opened.value;
  const { time } = index.value;
  return ok({
    report,
    side: {
      summary,
      gaps: report.gaps.filter(({ state }) => state !== 'present').length,
      originNs: time?.originNs ?? null,
      spans: time?.spans ?? null,
      onset: time?.fault == null ? null : { kind: time.fault.kind, at: time.fault.at, boundNs: time.fault.boundNs },
      ranks: time?.ranks.length ?? report.ranks.length,
    },
  });
}
