/** The review of settings for people: a table of what is not as it should be, and the patch that fits the job. */
import { SETTING_STATE_WORD } from '../text/setting-text.ts';
import type { Report } from './schema.ts';
import type { ReportSetting, ReportSettings } from './settings-schema.ts';

/** Rows worth showing: `good` ones say nothing to do. */
export const openSettings = ({ items }: ReportSettings): ReportSetting[] =>
  items.filter((item) => item.state !== 'good');

/** The form for the job at hand, else plain lines: one is enough for a reader, all stand in the JSON report. */
export function fittingForm({ patch }: ReportSettings): { readonly title: string; readonly text: string } | undefined {
  return patch?.forms.find((form) => form.fits) ?? patch?.forms.find((form) => form.kind === 'shell');
}

export function settingsMarkdown(report: Report, cell: (text: string) => string): string {
  const { settings } = report;
  if (settings === undefined) return '';
  const open = openSettings(settings);
  const rows = open.map(
    (item) =>
      `| ${cell(item.name)} | ${SETTING_STATE_WORD[item.state]} | ${cell(item.found)} | ${cell(item.want ?? '')} | ${cell(item.why)} |`,
  );
  const table =
    rows.length === 0
      ? ''
      : `| setting | state | found | should be | why |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}`;
  const form = fittingForm(settings);
  // A fence longer than any run of backticks inside: nothing of the text ends it.
  const fence = form === undefined ? '' : '`'.repeat(Math.max(3, longestRun(form.text) + 1));
  const patch =
    form === undefined
      ? ''
      : `### What to set before the next run (${form.title})\n\n${fence}\n${form.text}${fence}\n\n${(settings.patch?.notes ?? []).map((note) => `- ${cell(note)}`).join('\n')}`;
  const parts = [table, patch].filter((part) => part !== '');
  return parts.length === 0 ? '' : `## Settings\n\n${parts.join('\n\n')}`;
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));

/** `escape` for text, `table` as the page writes its tables. */
export function settingsHtml(
  report: Report,
  asHtml: (text: string) => string,
  table: (title: string, head: readonly string[], rows: readonly (readonly string[])[]) => string,
): string {
  const { settings } = report;
  if (settings === undefined) return '';
  const rows = openSettings(settings).map((item) => [
    item.name,
    SETTING_STATE_WORD[item.state],
    item.found,
    item.want ?? '',
    item.why,
  ]);
  const form = fittingForm(settings);
  const patch =
    form === undefined
      ? ''
      : `<h3>What to set before the next run (${asHtml(form.title)})</h3><pre><code>${form.text.split('\n').map(asHtml).join('\n')}</code></pre><ul>${(settings.patch?.notes ?? []).map((note) => `<li>${asHtml(note)}</li>`).join('')}</ul>`;
  return `${table('Settings', ['setting', 'state', 'found', 'should be', 'why'], rows)}${patch}`;
}
