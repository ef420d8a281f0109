/** One form of a prepared report as text, and what its file is called. */
import { fileSlug } from '#shared/lib/file-names.ts';
import { err, ok, type Result } from '#shared/lib/result.ts';
import { documentHtml, documentMarkdown } from '#shared/report/sections/index.ts';
import type { ExportForm } from '#shared/rpc/areas/export.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { jsonSurvives, type PreparedReport } from './prepare.ts';

export interface RenderedFile {
  readonly fileName: string;
  readonly text: string;
  readonly redacted: boolean;
}

/** What each form is called after the name of the case; the PDF is printed from the HTML by main. */
const ENDING: Readonly<Record<ExportForm, string>> = {
  pdf: 'report.pdf',
  html: 'report.html',
  markdown: 'report.md',
  json: 'report.json',
  patch: 'next-run.yaml',
  reply: 'reply.txt',
};

/** `text`: the reply as it was edited; it is scanned like everything else. */
export function renderForm(
  prepared: PreparedReport,
  form: ExportForm,
  text: string | null,
): Result<RenderedFile, RpcError> {
  if (prepared.stoppedBy.length > 0) return err({ code: 'export-stopped', detail: prepared.stoppedBy.join(', ') });
  const written = textOf(prepared, form, text);
  if (!written.ok) return written;
  const { redactor, hashes, document, choices } = prepared;
  if (redactor !== null && form === 'json' && jsonSurvives(prepared))
    return err({ code: 'export-stopped', detail: 'a name is still in the JSON form' });
  if (redactor !== null && (form === 'reply' || form === 'patch') && redactor.survives(written.value, hashes))
    return err({ code: 'export-stopped', detail: `a name is still in the ${form}` });
  const mark = choices.redact ? '-redacted' : '';
  return ok({
    fileName: `${fileSlug(document.title)}${mark}-${ENDING[form]}`,
    text: written.value,
    redacted: choices.redact,
  });
}

function textOf(
  { document, input, reply, patch, redactor }: PreparedReport,
  form: ExportForm,
  edited: string | null,
): Result<string, RpcError> {
  switch (form) {
    case 'pdf':
    case 'html':
      return document.sections.length === 0 ? nothing('no section is switched on') : ok(documentHtml(document));
    case 'markdown':
      return document.sections.length === 0 ? nothing('no section is switched on') : ok(documentMarkdown(document));
    case 'json':
      return ok(`${JSON.stringify(input.report, null, 2)}\n`);
    case 'patch':
      return patch === null ? nothing('no setting is missing') : ok(`${patch.trimEnd()}\n`);
    case 'reply': {
      const text = edited ?? reply;
      if (redactor === null) return ok(text);
      const before = redactor.unscanned.length;
      const safe = redactor.redact(text, 'gaps', 'reply to the sender');
      return redactor.unscanned.length > before
        ? err({ code: 'export-stopped', detail: 'the reply could not be scanned' })
        : ok(safe);
    }
  }
}

const nothing = (detail: string): Result<string, RpcError> => err({ code: 'nothing-to-export', detail });
