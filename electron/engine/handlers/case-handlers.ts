import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { err, ok } from '#shared/lib/result.ts';
import type { Report } from '#shared/report/schema.ts';
import { newCaseId, placeOfFile } from '../case-files.ts';
import { caseSummary } from '../case-summary.ts';
import { adoptionDeed, keepCustody } from '../custody.ts';
import { adoptPackage, isPackageFile } from '../export/adopt-package.ts';
import { CaseReader } from '../store/case-reader.ts';
import { reportOf } from './case-question.ts';
import type { HandlerTable } from './handler-table.ts';
import { closeLogs } from './logs-handlers.ts';

function isRegularFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export const caseHandlers: HandlerTable<'case'> = {
  'case.list': async (_params, ctx) => ok(ctx.library.list()),

  'case.open': async ({ caseId }, ctx) => {
    const reader = ctx.cases.reader(caseId);
    if (!reader.ok) return reader;
    const report = reportOf(reader.value);
    if (!report.ok) return report;
    const summary = ctx.cases.summary(caseId);
    // Its case.json is damaged, the case is not: everything but the date of import is in the report.
    const derived = () => ({
      caseId,
      ...caseSummary(report.value, { importedAt: new Date(0).toISOString(), example: false, toolVersion: '' }),
    });
    return ok({ summary: summary ?? derived(), report: report.value });
  },

  'case.delete': async ({ caseId }, ctx) => {
    closeLogs(ctx, caseId);
    ctx.cases.release(caseId);
    if (!ctx.library.remove(caseId)) return err({ code: 'case-not-found', detail: caseId });
    ctx.publish('cases.changed', null);
    return ok(null);
  },

  'case.edit': async ({ caseId, name, pinned }, ctx) => {
    const edited = ctx.library.edit(caseId, { name, pinned });
    if (edited === undefined) return err({ code: 'case-not-found', detail: caseId });
    ctx.publish('cases.changed', null);
    return ok(edited);
  },

  'case.adopt': async ({ caseFile }, ctx) => {
    const file = resolve(caseFile);
    // Opening a FIFO waits for somebody who writes into it.
    if (!isRegularFile(file))
      return err({ code: 'case-not-found', detail: 'there is no such file, or it is no regular file' });
    if (isPackageFile(file)) {
      const summaryOf = (report: Report, importedAt: string) =>
        caseSummary(report, { importedAt, example: false, toolVersion: report.tool.version });
      const adopted = await adoptPackage(file, { library: ctx.library, summaryOf });
      if (adopted.ok) {
        const { caseId } = adopted.value;
        const opened = ctx.cases.reader(caseId);
        const report = opened.ok ? reportOf(opened.value) : opened;
        const place = ctx.cases.place(caseId);
        const writer = { version: ctx.options.version, log: ctx.log };
        if (report.ok && place !== undefined)
          keepCustody(place.notesDb, adoptionDeed(basename(file), report.value), writer);
        ctx.publish('cases.changed', null);
      }
      return adopted;
    }
    const opened = CaseReader.open(file);
    if (!opened.ok) return opened;
    const report = reportOf(opened.value);
    opened.value.close();
    if (!report.ok) return report;
    const fileHash = createHash('sha256').update(file).digest('hex');
    const caseId = newCaseId(basename(file, '.db'), fileHash, () => false);
    const summary = caseSummary(report.value, {
      importedAt: new Date(0).toISOString(),
      example: false,
      toolVersion: report.value.tool.version,
    });
    ctx.cases.addElsewhere({ caseId, ...summary }, placeOfFile(file));
    return ok({ caseId });
  },
};
