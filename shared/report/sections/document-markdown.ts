/** Document → Markdown for a ticket. Text of the bundle is escaped: it starts no markup, no link and no HTML. The figure stays behind; its caption says so. */
import { STATUS_WORD } from '../../text/verdict-text.ts';
import { md, printable } from '../render-markdown.ts';
import type { Block, ListItem, ReportDocument, Section } from './types.ts';

export function documentMarkdown(document: ReportDocument): string {
  const parts = [
    `# Incident report, ${md(document.title)}${document.redacted ? ', redacted' : ''}`,
    ...document.sections.map(section),
    `---\n${md(document.foot)}${document.redacted ? ' Names, addresses, paths and secrets were replaced; one original has one stand-in.' : ''}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function section({ id, title, blocks }: Section): string {
  const parts = blocks.map(block).filter((part) => part !== '');
  return (id === 'verdict' ? parts : [`## ${md(title)}`, ...parts]).join('\n\n');
}

function block(item: Block): string {
  switch (item.kind) {
    case 'statement':
      return `**${md(STATUS_WORD[item.status])}.** ${md(item.meaning)}\n\n**${item.ranks === '' ? '' : `${md(item.ranks)} `}${md(item.text)}**`;
    case 'facts':
      return item.rows.map(([label, value]) => `- ${md(label)}: ${md(value)}`).join('\n');
    case 'heading':
      return `### ${md(item.text)}`;
    case 'text':
      return item.text.split('\n').map(md).join('  \n');
    case 'list':
      return item.items.map((one, i) => `${item.ordered ? `${i + 1}.` : '-'} ${listItem(one)}`).join('\n');
    case 'table':
      return [item.head, item.head.map(() => '---'), ...item.rows]
        .map((row, i) => `| ${row.map((cell) => (i === 1 ? cell : md(cell))).join(' | ')} |`)
        .join('\n');
    case 'code':
      return [item.title === '' ? '' : `### ${md(item.title)}`, fenced(item.text)]
        .filter((part) => part !== '')
        .join('\n\n');
    case 'figure':
      return `Figure: ${md(item.figure.caption)} (drawn in the HTML and PDF forms)`;
  }
}

const listItem = ({ text, time, place }: ListItem): string =>
  [md(text), time === null ? '' : `(${md(time)})`, place === null ? '' : `\`${printable(place).replaceAll('`', "'")}\``]
    .filter((part) => part !== '')
    .join(' ');

const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A fence longer than any run of backticks inside: nothing of the text ends it. */
function fenced(text: string): string {
  const plain = text.replace(CONTROLS, ' ');
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${plain}\n${fence}`;
}
