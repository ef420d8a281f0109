import { ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { COLLECTIVES_VIEW } from '#shared/views/collectives/index.ts';
import { LANES_VIEW } from '#shared/views/lanes/index.ts';
import { momentOf, RANKS_VIEW, type RanksSources, ranksIndex, waitingCurve } from '#shared/views/ranks/index.ts';
import { asCollectivesView, asLanesView, asRanksView } from '#shared/views/stored.ts';
import type { EngineContext } from '../engine.ts';
import type { CaseReader } from '../store/case-reader.ts';
import { askCase } from './case-question.ts';
import type { HandlerTable } from './handler-table.ts';

export const ranksHandlers: HandlerTable<'ranks'> = {
  'ranks.index': async ({ caseId }, ctx) => withSources(ctx, caseId, ranksIndex),

  'ranks.at': async ({ caseId, ...question }, ctx) =>
    withSources(ctx, caseId, ({ lanes, stored }) => (lanes === undefined ? null : momentOf(lanes, stored, question))),

  'ranks.waiting': async ({ caseId, ...columns }, ctx) =>
    withSources(ctx, caseId, ({ lanes, stored }) =>
      // Without a record of any call it is not known that nobody waits.
      lanes === undefined || lanes.calls.length === 0 ? null : waitingCurve(lanes, stored, columns),
    ),
};

const withSources = <T>(
  ctx: EngineContext,
  caseId: CaseId,
  question: (sources: RanksSources) => T,
): Result<T, RpcError> => askCase(ctx, caseId, (reader) => ok(question(ranksSources(reader))));

export const ranksSources = (reader: CaseReader): RanksSources => ({
  lanes: asLanesView(reader.view(LANES_VIEW)),
  collectives: asCollectivesView(reader.view(COLLECTIVES_VIEW)),
  stored: asRanksView(reader.view(RANKS_VIEW)),
});
