/** Prints, per producer of evidence: its sample → what is read of it → what is known not to be. `node build/scripts/producers-table.ts` */
import { importFiles } from '../../test/support/in-memory-import.ts';
import { PRODUCERS, producerFiles } from '../../test/support/producers.ts';

const { entries, issues } = importFiles(producerFiles());
const said = (text: string): string => text.replaceAll('|', '\\|');
const rows = PRODUCERS.flatMap(({ title, files, notRead }) =>
  entries
    .filter(({ path }) => files.test(path))
    .map(({ path, id, kind, status, detail }, index) => {
      const told = issues.filter((issue) => issue.entry === id && issue.severity !== 'info').map(({ code }) => code);
      const read = `${kind}: ${detail}${status === 'read' ? '' : ` (${[status, ...told].join(', ')})`}`;
      return `| ${index === 0 ? said(title) : ''} | ${said(path)} | ${said(read)} | ${index === 0 ? said(notRead) : ''} |`;
    }),
);
process.stdout.write(
  `${['| producer | sample | what is read | known not to be |', '| --- | --- | --- | --- |', ...rows].join('\n')}\n`,
);
