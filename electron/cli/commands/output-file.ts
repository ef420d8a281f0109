import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { renderHtml } from '#shared/report/render-html.ts';
import { renderMarkdown } from '#shared/report/render-markdown.ts';
import type { Report } from '#shared/report/schema.ts';

export const OUTPUT_FORMS = ['json', 'md', 'html'] as const;
export type OutputForm = (typeof OUTPUT_FORMS)[number];

/** The form by the file's ending; undefined for any other ending. */
export function outputForm(file: string): OutputForm | undefined {
  const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  return OUTPUT_FORMS.find((form) => form === ending);
}

export const reportJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;

function render(report: Report, form: OutputForm): string {
  switch (form) {
    case 'json':
      return reportJson(report);
    case 'md':
      return renderMarkdown(report);
    case 'html':
      return renderHtml(report);
  }
}

export const writeReport = (report: Report, file: string, form: OutputForm): void =>
  writeText(render(report, form), file);

/** Written beside and renamed: there is never half a report under the name. Throws the system's error. */
export function writeText(text: string, file: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
