/**
 * Writes what the engine made to a place that the user chose in a dialog. Only here a path is named; the page learns the name of the
 * file, never where it is. Each result is told to the custody log of the case.
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import type { CaseId } from '#shared/model/ids.ts';
import type { ExportForm } from '#shared/rpc/areas/export.ts';
import type { SaveAnswer, SaveForm } from '#shared/rpc/bridge.ts';
import type { EngineLink } from './engine-link.ts';
import { printToPdf } from './print-pdf.ts';
import { writeAtomically } from './write-atomically.ts';

export interface SaveRequest {
  readonly caseId: CaseId;
  readonly form: SaveForm;
  /** The reply as it was edited, else null. */
  readonly text: string | null;
}

type Engine = Pick<EngineLink<Electron.MessagePortMain>, 'request'>;

const FORM_NAME: Readonly<Record<SaveForm, string>> = {
  pdf: 'PDF',
  html: 'HTML',
  markdown: 'Markdown',
  json: 'JSON',
  patch: 'Patch',
  reply: 'Reply to the sender',
  package: 'Case package',
};

export async function saveReport(window: BrowserWindow, request: SaveRequest, engine: Engine): Promise<SaveAnswer> {
  const answer =
    request.form === 'package'
      ? await savePackage(window, request, engine)
      : await saveForm(window, { ...request, form: request.form }, engine);
  if (answer.state !== 'closed') {
    const result = answer.state === 'saved' ? `${answer.name}, ${answer.detail}` : `failed: ${answer.code}`;
    const { caseId, form } = request;
    const inputs = answer.state === 'saved' ? (answer.redacted ? 'redacted' : 'not redacted') : '';
    await engine.request('export.record', { caseId, action: `export ${FORM_NAME[form]}`, inputs, result });
  }
  return answer;
}

async function saveForm(
  window: BrowserWindow,
  request: SaveRequest & { readonly form: ExportForm },
  engine: Engine,
): Promise<SaveAnswer> {
  const rendered = await engine.request('export.render', request);
  if (!rendered.ok) return { state: 'failed', ...rendered.error };
  const { fileName, text, redacted } = rendered.value;
  const path = await choosePath(window, request.form, fileName);
  if (path === null) return { state: 'closed' };
  try {
    const bytes = request.form === 'pdf' ? await printToPdf(text) : Buffer.from(text, 'utf8');
    await writeAtomically(path, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { state: 'saved', name: basename(path), redacted, detail: `${bytes.length} bytes, SHA-256 ${sha256}` };
  } catch (error) {
    return failed(error);
  }
}

async function savePackage(window: BrowserWindow, { caseId }: SaveRequest, engine: Engine): Promise<SaveAnswer> {
  const named = await engine.request('export.packageName', { caseId });
  if (!named.ok) return { state: 'failed', ...named.error };
  const path = await choosePath(window, 'package', named.value.fileName);
  if (path === null) return { state: 'closed' };
  const written = await engine.request('export.package', { caseId, file: path });
  if (!written.ok) return { state: 'failed', ...written.error };
  const { bytes, sha256 } = written.value;
  return { state: 'saved', name: basename(path), redacted: false, detail: `${bytes} bytes, SHA-256 ${sha256}` };
}

async function choosePath(window: BrowserWindow, form: SaveForm, fileName: string): Promise<string | null> {
  const extension = fileName.split('.').at(-1) ?? '';
  const answer = await dialog.showSaveDialog(window, {
    title: `Save ${FORM_NAME[form]}`,
    defaultPath: fileName,
    filters: [{ name: FORM_NAME[form], extensions: [extension] }],
    properties: ['showOverwriteConfirmation', 'createDirectory'],
  });
  return answer.canceled || answer.filePath === '' ? null : answer.filePath;
}

function failed(error: unknown): SaveAnswer {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return {
    state: 'failed',
    code: full ? 'disk-full' : 'write-failed',
    detail: code === '' && error instanceof Error ? error.message : code,
  };
}
