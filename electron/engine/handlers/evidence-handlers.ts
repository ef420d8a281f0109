import { ok } from '#shared/lib/result.ts';
import { COVERAGE_VIEW } from '#shared/views/coverage/types.ts';
import { asCoverageView } from '#shared/views/stored.ts';
import { askCase } from './case-question.ts';
import type { HandlerTable } from './handler-table.ts';

export const evidenceHandlers: HandlerTable<'evidence'> = {
  'evidence.coverage': async ({ caseId }, ctx) =>
    askCase(ctx, caseId, (reader) => ok(asCoverageView(reader.view(COVERAGE_VIEW)) ?? null)),
};
