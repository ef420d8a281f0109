/** A plain text that asks the sender for what is missing, made of the gaps. Nothing is sent; the user copies it. */
import type { Report } from '#shared/report/schema.ts';
import { formatCount } from '#shared/text/format.ts';
import { gapRows } from './overview.ts';

export function askDraft(report: Report): string {
  const rows = gapRows(report.gaps);
  const { files, name } = report.bundle;
  const head = [
    `Received: ${name}, ${formatCount(files.total)} files, ${formatCount(files.read + files.warned)} of them read.`,
    '',
    rows.length === 0 ? 'Nothing is missing.' : 'Missing, the most telling first:',
  ];
  const items = rows.flatMap((row, index) => [
    '',
    `${index + 1}. ${row.item} (${row.word}${row.where === '' ? '' : `; ${row.where}`})`,
    ...(row.matters === '' ? [] : [`   Why: ${row.matters}`]),
    ...(row.collect === '' ? [] : [`   How: ${row.collect}`]),
  ]);
  return `${[...head, ...items].join('\n')}\n`;
}
