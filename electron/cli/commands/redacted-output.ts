/** What `--redact` writes: the same texts that the window exports, or why there are none. */
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { ExportForm } from '#shared/rpc/areas/export.ts';
import type { Client } from '#shared/rpc/client.ts';
import { outputForm } from './output-file.ts';

export interface RedactedTexts {
  readonly out?: string;
  readonly reply?: string;
  readonly json?: string;
}

interface Wanted {
  readonly out: string | undefined;
  readonly reply: string | undefined;
  readonly json: boolean;
}

const FORM = { md: 'markdown', html: 'html', json: 'json' } as const;

/** Only what was asked for. The error is one line for the terminal. */
export async function redactedTexts(
  caseId: CaseId,
  wanted: Wanted,
  client: Client,
): Promise<Result<RedactedTexts, string>> {
  const outForm = wanted.out === undefined ? undefined : outputForm(wanted.out);
  const forms: [keyof RedactedTexts, ExportForm][] = [
    ...(outForm === undefined ? [] : [['out', FORM[outForm]] satisfies [keyof RedactedTexts, ExportForm]]),
    ...(wanted.reply === undefined ? [] : [['reply', 'reply'] satisfies [keyof RedactedTexts, ExportForm]]),
    ...(wanted.json ? [['json', 'json'] satisfies [keyof RedactedTexts, ExportForm]] : []),
  ];
  const texts: { -readonly [K in keyof RedactedTexts]: RedactedTexts[K] } = {};
  for (const [name, form] of forms) {
    const rendered = await client.request('export.render', { caseId, form, text: null });
    if (!rendered.ok) {
      const { code, detail } = rendered.error;
      return err(
        code === 'export-stopped'
          ? `analyze: --redact: could not be scanned, so nothing was written: ${detail}`
          : `analyze: --redact: ${code}: ${detail}`,
      );
    }
    texts[name] = rendered.value.text;
  }
  return ok(texts);
}
