import { existsSync } from 'node:fs';
import { fileSlug } from '#shared/lib/file-names.ts';
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { ReportDocument } from '#shared/report/sections/index.ts';
import { parseStoredReport } from '#shared/report/stored-report.ts';
import type { ReportPreview } from '#shared/rpc/areas/export.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import type { EngineContext } from '../engine.ts';
import { writePackage } from '../export/case-package.ts';
import { type CaseSource, keepTable, type PreparedReport, prepareReport, redactText } from '../export/prepare.ts';
import { renderForm } from '../export/render.ts';
import { writeTables } from '../export/tables/write-tables.ts';
import { addCustody, listCustody, storeChoices } from '../store/export-log.ts';
import { NotesDb } from '../store/notes-db.ts';
import { TOOL_NAME } from '../tool-name.ts';
import { askNotes, caseFileError, reportOf } from './case-question.ts';
import type { HandlerTable } from './handler-table.ts';

/** Rows of one table that the preview shows; an export has all. */
const PREVIEW_ROWS = 200;

export const exportHandlers: HandlerTable<'export'> = {
  'export.preview': async ({ caseId }, ctx) =>
    withSource(ctx, caseId, (source) => ok(previewOf(prepareReport(source)))),

  'export.choose': async ({ caseId, choices }, ctx) =>
    askNotes(ctx, caseId, (notesDb) => {
      storeChoices(notesDb, JSON.stringify(choices));
      return ok(null);
    }),

  'export.redact': async ({ caseId, text }, ctx) =>
    withSource(ctx, caseId, (source) => {
      const redacted = redactText(source, text);
      return redacted === undefined ? err({ code: 'export-stopped', detail: 'copied text' }) : ok({ text: redacted });
    }),

  'export.custody': async ({ caseId }, ctx) =>
    askNotes(ctx, caseId, (notesDb) => ok({ entries: listCustody(notesDb) })),

  'export.render': async ({ caseId, form, text }, ctx) =>
    withSource(ctx, caseId, (source) => {
      const prepared = prepareReport(source);
      const rendered = renderForm(prepared, form, text);
      if (rendered.ok) keepTable(source, prepared);
      return rendered;
    }),

  'export.packageName': async ({ caseId }, ctx) => {
    const title = ctx.cases.summary(caseId)?.name;
    return title === undefined
      ? err({ code: 'case-not-found', detail: caseId })
      : ok({ fileName: `${fileSlug(title)}.firstfault` });
  },

  'export.package': async ({ caseId, file }, ctx) => {
    const place = ctx.cases.place(caseId);
    if (place === undefined || !existsSync(place.caseDb)) return err({ code: 'case-not-found', detail: caseId });
    try {
      const name = ctx.cases.summary(caseId)?.name ?? 'case';
      return ok(await writePackage({ ...place, name, tool: `${TOOL_NAME} ${ctx.options.version}` }, file));
    } catch (error) {
      return caseFileError(error);
    }
  },

  'export.tables': async ({ caseId, folder }, ctx) => {
    const reader = ctx.cases.reader(caseId);
    if (!reader.ok) return reader;
    const report = reportOf(reader.value);
    if (!report.ok) return report;
    try {
      const tool = `${TOOL_NAME} ${ctx.options.version}`;
      return ok({ tables: await writeTables({ reader: reader.value, report: report.value, tool }, folder) });
    } catch (error) {
      return caseFileError(error);
    }
  },

  'export.record': async ({ caseId, action, inputs, result }, ctx) =>
    askNotes(ctx, caseId, (notesDb) => {
      addCustody(notesDb, { at: new Date().toISOString(), version: ctx.options.version, action, inputs, result });
      return ok(null);
    }),
};

function previewOf(prepared: PreparedReport): ReportPreview {
  const { choices, sections, document, redactor, unscanned, stoppedBy, reply, patch, input } = prepared;
  const byId = new Map(sections.map((section) => [section.id, section]));
  const blocked = new Set(unscanned.map(({ section }) => section));
  const cut = cutTables(document);
  const groups = redactor?.summary() ?? [];
  return {
    choices,
    rows: choices.sections.map(({ id, on }) => {
      const section = byId.get(id);
      return {
        id,
        on,
        title: section?.title ?? id,
        count: section?.count ?? '',
        empty: (section?.blocks.length ?? 0) === 0,
        unscanned: blocked.has(id),
      };
    }),
    document: cut.document,
    cutRows: cut.rows,
    redaction:
      redactor === null
        ? null
        : {
            groups,
            places: groups.reduce((sum, group) => sum + group.places, 0),
            originals: groups.reduce((sum, group) => sum + group.originals, 0),
            unscanned,
            kept: redactor.kept,
          },
    stoppedBy,
    reply,
    hasPatch: patch !== null,
    gaps: input.report.gaps.filter(({ state }) => state !== 'present').length,
  };
}

function cutTables(document: ReportDocument): { readonly document: ReportDocument; readonly rows: number } {
  let rows = 0;
  const sections = document.sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block) => {
      if (block.kind !== 'table' || block.rows.length <= PREVIEW_ROWS) return block;
      rows += block.rows.length - PREVIEW_ROWS;
      return { ...block, rows: block.rows.slice(0, PREVIEW_ROWS) };
    }),
  }));
  return { document: { ...document, sections }, rows };
}

function withSource<T>(
  ctx: EngineContext,
  caseId: CaseId,
  act: (source: CaseSource) => Result<T, RpcError>,
): Result<T, RpcError> {
  const reader = ctx.cases.reader(caseId);
  if (!reader.ok) return reader;
  return askNotes(ctx, caseId, (notesDb) => {
    const report = parseStoredReport(reader.value.reportJson());
    if (!report.ok) return report;
    const title = ctx.cases.summary(caseId)?.name ?? report.value.bundle.name;
    return act({ reader: reader.value, notesDb, title, report: report.value, notes: NotesDb.list(notesDb) });
  });
}
