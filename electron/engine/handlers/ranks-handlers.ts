import { err, ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { COLLECTIVES_VIEW, type CollectivesView } from '#shared/views/collectives/index.ts';
import { LANES_VIEW, type LanesView } from '#shared/views/lanes/index.ts';
import {
  momentOf,
  RANKS_VIEW,
  type RanksSources,
  ranksIndex,
  type StoredRanks,
  waitingCurve,
} from '#shared/views/ranks/index.ts';
import type { EngineContext } from '../engine.ts';
import { UnreadableBlockError } from '../store/block-codec.ts';
import type { CaseReader } from '../store/case-reader.ts';
import { isDamaged } from '../store/sqlite.ts';
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

function withSources<T>(ctx: EngineContext, caseId: CaseId, query: (sources: RanksSources) => T): Result<T, RpcError> {
  const reader = ctx.cases.reader(caseId);
  if (!reader.ok) return reader;
  try {
    return ok(query(ranksSources(reader.value)));
  } catch (error) {
    if (error instanceof UnreadableBlockError)
      return err({ code: error.why === 'damaged' ? 'case-damaged' : 'case-version', detail: error.message });
    if (isDamaged(error)) return err({ code: 'case-damaged', detail: error instanceof Error ? error.message : '' });
    throw error;
  }
}

/** Views were written by this program's own import; the schema version of the case stands for the rest of their shape. */
export function ranksSources(reader: CaseReader): RanksSources {
  const lanes = reader.view(LANES_VIEW);
  const collectives = reader.view(COLLECTIVES_VIEW);
  const stored = reader.view(RANKS_VIEW);
  return {
    lanes: isLanes(lanes) ? lanes : undefined,
    collectives: isCollectives(collectives) ? collectives : undefined,
    stored: isStored(stored) ? stored : undefined,
  };
}

const isLanes = (value: unknown): value is LanesView =>
  typeof value === 'object' && value !== null && 'version' in value && value.version === 1 && 'lanes' in value;

const isCollectives = (value: unknown): value is CollectivesView =>
  typeof value === 'object' && value !== null && 'shape' in value && value.shape === 2 && 'job' in value;

const isStored = (value: unknown): value is StoredRanks =>
  typeof value === 'object' && value !== null && 'version' in value && value.version === 1 && 'lost' in value;
