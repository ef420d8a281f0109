import { ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { callDetail, type LoadedEntry } from '#shared/views/collectives/call-detail.ts';
import { callTimes } from '#shared/views/collectives/call-times.ts';
import { groupTable } from '#shared/views/collectives/group-table.ts';
import { COLLECTIVES_VIEW, type CollectiveGroup, type CollectivesView } from '#shared/views/collectives/index.ts';
import { jobTable } from '#shared/views/collectives/job-table.ts';
import { matrixOf } from '#shared/views/collectives/matrix.ts';
import { asCollectivesView } from '#shared/views/stored.ts';
import type { EngineContext } from '../engine.ts';
import type { CaseReader } from '../store/case-reader.ts';
import { isStoredDump } from '../store/stored-dump.ts';
import { askCase } from './case-question.ts';
import type { HandlerTable } from './handler-table.ts';

export const collectivesHandlers: HandlerTable<'collectives'> = {
  'collectives.job': async ({ caseId, split }, ctx) =>
    withView(ctx, caseId, (view) =>
      view.groups.length === 0 && view.ranks.length === 0 ? null : jobTable(view, split),
    ),

  'collectives.group': async ({ caseId, group, ...asked }, ctx) =>
    withGroup(ctx, caseId, group, (view, found) => groupTable(view, found, asked)),

  'collectives.call': async ({ caseId, group, ...asked }, ctx) =>
    withGroup(ctx, caseId, group, (view, found, reader) =>
      callDetail(view, found, asked, (entry) => loadEntry(reader, entry)),
    ),

  'collectives.times': async ({ caseId, group, ...asked }, ctx) =>
    withGroup(ctx, caseId, group, (view, found, reader) =>
      callTimes(view, found, asked, (entry) => loadEntry(reader, entry)),
    ),

  'collectives.matrix': async ({ caseId, group, from, columns }, ctx) =>
    withGroup(ctx, caseId, group, (view, found) => matrixOf(view, found, { from, columns })),
};

/** Null where the case has no such view: its bundle tells of no collectives. */
function withView<T>(
  ctx: EngineContext,
  caseId: CaseId,
  query: (view: CollectivesView, reader: CaseReader) => T | null,
): Result<T | null, RpcError> {
  return askCase(ctx, caseId, (reader) => {
    const view = asCollectivesView(reader.view(COLLECTIVES_VIEW));
    return ok(view === undefined ? null : query(view, reader));
  });
}

const withGroup = <T>(
  ctx: EngineContext,
  caseId: CaseId,
  id: string,
  query: (view: CollectivesView, group: CollectiveGroup, reader: CaseReader) => T,
): Result<T | null, RpcError> =>
  withView(ctx, caseId, (view, reader) => {
    const group = view.groups.find((one) => one.id === id);
    return group === undefined ? null : query(view, group, reader);
  });

function loadEntry(reader: CaseReader, id: number): LoadedEntry | undefined {
  const entry = reader.entry(id);
  if (entry === undefined) return undefined;
  const dump = reader.dump(entry.contentSlot);
  return { dump: isStoredDump(dump) ? dump : undefined, path: entry.path };
}
