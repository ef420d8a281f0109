/** Report object → Markdown for a ticket. Text from the bundle is escaped: it cannot start markup, links or HTML. */
import { formatRanks, nameRanks } from '../lib/rank-set.ts';
import { GAP_STATE_WORD } from '../text/entry-text.ts';
import { formatBytes, plural, shortenHash } from '../text/format.ts';
import { whenLine } from '../text/moment-text.ts';
import { filesText } from '../text/partial-text.ts';
import { CAUSE_WORD, OUTCOME_WORD, STAGE_WORD, STATUS_MEANING, STATUS_WORD } from '../text/verdict-text.ts';
import { clockMarkdown } from './clock-markdown.ts';
import { rankSets } from './rank-sets.ts';
import type { Report, ReportEvidence, ReportFinding } from './schema.ts';
import { settingsMarkdown } from './settings-text.ts';

export function renderMarkdown(report: Report): string {
  return [
    `# Incident report: ${md(report.bundle.name)}`,
    verdictPart(report),
    gapsPart(report),
    findingsPart(report),
    ranksPart(report),
    clockMarkdown(report, md),
    issuesPart(report),
    settingsMarkdown(report, cell),
    `---\n${md(report.tool.name)} ${md(report.tool.version)} · bundle ${formatBytes(report.bundle.bytes)}, SHA-256 \`${shortenHash(report.bundle.sha256)}\` · ${filesText(report.bundle)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function verdictPart(report: Report): string {
  const v = report.verdict;
  const facts = [
    `**Status:** ${STATUS_WORD[v.status]}. ${STATUS_MEANING[v.status]}`,
    `**Outcome:** ${OUTCOME_WORD[v.outcome]}${v.firstRanks.length > 0 ? ` (${v.firstRanks.length === 1 ? 'rank' : 'ranks'} ${formatRanks(v.firstRanks)})` : ''}`,
    v.stage === 'unknown' ? '' : `**Stage and cause:** ${STAGE_WORD[v.stage]}; ${CAUSE_WORD[v.cause]}`,
    placeText(report),
  ].filter((line) => line !== '');
  return [
    `**${md(v.summary)}**`,
    facts.map((line) => `- ${line}`).join('\n'),
    list('Because', v.because.map(evidenceText)),
    list('Against, or not explained', v.against.map(evidenceText)),
    list(
      'Leads that could not be separated',
      v.candidates.map((c) => `${c.ranks.length > 0 ? `${nameRanks(c.ranks)}: ` : ''}${md(c.why)}`),
    ),
    list('Would change this', v.wouldChange.map(md)),
    list('Next checks, most telling first', v.nextChecks.map(md)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function placeText(report: Report): string {
  const v = report.verdict;
  const where = [v.pod ? `Pod ${md(v.pod)}` : '', v.node ? `node ${md(v.node)}` : '']
    .filter((text) => text !== '')
    .join(', ');
  const parts = [where, md(whenLine(v, (time) => time))].filter((text) => text !== '');
  return parts.length === 0 ? '' : `**Where and when:** ${parts.join('; ')}`;
}

export function evidencePlace(item: ReportEvidence): string {
  if (item.line !== null) return `${item.file}:${item.line}`;
  if (item.record !== null) return `${item.file} record ${item.record}`;
  if (item.byte !== null) return `${item.file} byte ${item.byte}`;
  return item.file;
}

function evidenceText(item: ReportEvidence): string {
  const time = item.time === null ? '' : `, ${item.time}${item.timeBasis === 'raw' ? ' (raw)' : ''}`;
  return `${md(item.text)} — \`${evidencePlace(item).replaceAll('`', "'")}\`${time}`;
}

function gapsPart(report: Report): string {
  const missing = report.gaps.filter((gap) => gap.state !== 'present');
  if (missing.length === 0) return '';
  const rows = missing.map(
    (gap) => `| ${cell(gap.item)} | ${GAP_STATE_WORD[gap.state]} | ${cell(gap.matters)} | ${cell(gap.collect)} |`,
  );
  return `## What is missing\n\n| item | state | why it matters | how to get it |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
}

function findingsPart(report: Report): string {
  const others = report.findings.slice(1);
  return list('Other findings', others.map(findingText), '##');
}

function findingText(finding: ReportFinding): string {
  const first = finding.because[0];
  return `${STATUS_WORD[finding.status]}: ${md(finding.summary)}${first ? ` — \`${evidencePlace(first).replaceAll('`', "'")}\`` : ''}`;
}

/** Rows of a table that a ticket still shows well; the JSON form has all ranks. */
const MOST_SETS = 64;

function ranksPart(report: Report): string {
  const sets = rankSets(report);
  if (sets.length === 0) return '';
  const rows = sets
    .slice(0, MOST_SETS)
    .map(
      (set) =>
        `| ${set.ranks} | ${set.attempt} | ${set.role} | ${cell(set.pod)} | ${cell(set.node)} | ${set.dump} | ${cell(set.exit)} | ${set.lastSeen ?? ''} |`,
    );
  const more = sets.length - rows.length;
  const note = more > 0 ? `\n\n${plural(more, 'more row')} in the JSON form.` : '';
  return `## Ranks\n\n| ranks | attempt | role | Pod | node | dump | exit | last seen |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}${note}`;
}

function issuesPart(report: Report): string {
  const shown = report.issues.filter((issue) => issue.severity !== 'info');
  return list(
    'Files that could not be fully read',
    shown.map((issue) => `${issue.file === null ? '' : `\`${issue.file.replaceAll('`', "'")}\`: `}${md(issue.text)}`),
    '##',
  );
}

function list(title: string, items: readonly string[], level = '###'): string {
  return items.length === 0 ? '' : `${level} ${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`;
}

/** Escapes what Markdown or embedded HTML would act on; line breaks become spaces. */
export function md(text: string): string {
  return printable(text)
    .replace(/[\\`*_{}[\]<>|~]/g, (character) => `\\${character}`)
    .replace(/^(\s*)([#+-]|\d+[.)])(?=\s)/u, '$1\\$2');
}

function cell(text: string): string {
  return md(text);
}

/** Control characters as spaces: a terminal or a ticket must not act on them. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ');
}
