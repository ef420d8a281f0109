/**
 * The report for a person at a terminal: the answer first, then why, what speaks against it, what is missing and what to do next.
 * Plain enough to paste into a ticket. Every string of the bundle passes `visibleText`.
 */
import { nameRanks } from '#shared/lib/rank-set.ts';
import type { Status } from '#shared/model/finding.ts';
import type { Report, ReportEvidence } from '#shared/report/schema.ts';
import { boundText } from '#shared/text/clock-text.ts';
import { ENTRY_STATUS_WORD, GAP_STATE_WORD } from '#shared/text/entry-text.ts';
import { formatBytes, shortenHash } from '#shared/text/format.ts';
import { whenLine } from '#shared/text/moment-text.ts';
import { filesText } from '#shared/text/partial-text.ts';
import { CAUSE_WORD, OUTCOME_WORD, STAGE_WORD, STATUS_MEANING, STATUS_WORD } from '#shared/text/verdict-text.ts';
import { clockLines } from './clock-table.ts';
import { divergenceLines } from './divergence-table.ts';
import type { Style } from './paint.ts';
import type { PrintContext } from './print-context.ts';
import { rankLines } from './rank-rows.ts';
import { hangText, textWidth, wrapText } from './text-layout.ts';
import { visibleText } from './visible-text.ts';

const STATUS_GLYPH: Record<Status, { readonly unicode: string; readonly ascii: string; readonly style: Style }> = {
  established: { unicode: '●', ascii: '[x]', style: 'red' },
  supported: { unicode: '◐', ascii: '[/]', style: 'yellow' },
  hypothesis: { unicode: '◌', ascii: '[?]', style: 'yellow' },
  'not-determinable': { unicode: '○', ascii: '[ ]', style: 'cyan' },
  'ruled-out': { unicode: '⊘', ascii: '[-]', style: 'dim' },
};

/** Lists are cut here; the report file has everything. */
const MAX_EVIDENCE = 12;
const MAX_GAPS = 10;
const MAX_ISSUES = 12;
const MAX_FINDINGS = 6;

export function printReport(report: Report, context: PrintContext): string {
  const parts = [
    headPart(report, context),
    evidencePart('Because', report.verdict.because, context),
    evidencePart('Against, or not explained', report.verdict.against, context),
    candidatesPart(report, context),
    section('Calls around the first divergence', divergenceLines(report, context), context),
    gapsPart(report, context),
    listPart('Would change this', report.verdict.wouldChange, context),
    numberedPart('Next checks, most telling first', report.verdict.nextChecks, context),
    otherFindingsPart(report, context),
    section('Ranks', rankLines(report, context), context),
    section('Clocks', clockLines(report, context), context),
    filesPart(report, context),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[], { paint }: PrintContext): string[] {
  return lines.length === 0 ? [] : [paint(['bold'], title), ...lines];
}

function headPart(report: Report, context: PrintContext): string[] {
  const { verdict } = report;
  const { paint, unicode, width } = context;
  const glyph = STATUS_GLYPH[verdict.status];
  const styles: Style[] = ['bold', verdict.outcome === 'no-failure' ? 'green' : glyph.style];
  const word = `${unicode ? glyph.unicode : glyph.ascii} ${STATUS_WORD[verdict.status]}`;
  const first = verdict.firstRanks.length > 0 ? `: ${nameRanks(verdict.firstRanks)}` : '';
  const facts: [string, string][] = [
    ['Outcome', `${OUTCOME_WORD[verdict.outcome]}${first}`],
    ['Cause', verdict.stage === 'unknown' ? '' : `${CAUSE_WORD[verdict.cause]} (${STAGE_WORD[verdict.stage]})`],
    ['Where', whereText(report)],
    ['When', whenLine(verdict, (time) => time)],
    ['Symptoms', verdict.symptomRanks.length > 0 ? `${nameRanks(verdict.symptomRanks)} failed as a consequence` : ''],
  ];
  return [
    `${paint(styles, word)}  ${paint(['dim'], STATUS_MEANING[verdict.status])}`,
    ...wrapText(visibleText(verdict.summary), width).map((line) => paint(['bold'], line)),
    '',
    ...facts
      .filter(([, text]) => text !== '')
      .flatMap(([name, text]) => hangText(`  ${name.padEnd(9)}`, visibleText(text), width)),
  ];
}

function whereText({ verdict }: Report): string {
  const parts = [
    verdict.pod === null ? '' : `Pod ${verdict.pod}`,
    verdict.node === null ? '' : `node ${verdict.node}`,
    verdict.attempt === null || verdict.attempt === 0 ? '' : `attempt ${verdict.attempt}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function evidencePart(title: string, items: readonly ReportEvidence[], context: PrintContext): string[] {
  const { width } = context;
  const lines = items
    .slice(0, MAX_EVIDENCE)
    .flatMap((item, i) => [
      ...hangText(`  ${String(i + 1).padStart(2)}. `, visibleText(item.text), width),
      ...placeLines(item, context),
    ]);
  return section(title, [...lines, ...moreLine(items.length - MAX_EVIDENCE)], context);
}

/** The place to open, then rank and time: on a line of their own if the first is too long for both. */
function placeLines(item: ReportEvidence, { width, paint }: PrintContext): string[] {
  const place = `      ${visibleText(placeText(item))}`;
  const detail = visibleText(detailText(item));
  const [painted, rest] = [paint(['cyan'], place), paint(['dim'], detail)];
  return textWidth(place + detail) <= width ? [painted + rest] : [painted, `    ${rest}`];
}

const moreLine = (count: number): string[] => (count > 0 ? [`      and ${count} more in the report`] : []);

/** `logs/worker-1.log:57`: what an editor opens. Bytes and records are named as such. */
function placeText({ file, line, byte, record }: ReportEvidence): string {
  if (line !== null) return `${file}:${line}`;
  if (record !== null) return `${file} record ${record}`;
  return byte === null ? file : `${file} byte ${byte}`;
}

function detailText({ rank, time, boundMs, timeBasis }: ReportEvidence): string {
  const bound = boundMs === null ? '' : ` ${boundText(boundMs)}`;
  const when = time === null ? '' : `  ${time}${timeBasis === 'raw' ? ' (raw)' : bound}`;
  return `${rank === null ? '' : `  rank ${rank}`}${when}`;
}

function candidatesPart(report: Report, context: PrintContext): string[] {
  const lines = report.verdict.candidates.map(({ ranks, why }) =>
    ranks.length === 0 ? why : `${nameRanks(ranks)}: ${why}`,
  );
  return listPart('Leads that could not be separated', lines, context);
}

function listPart(title: string, items: readonly string[], context: PrintContext): string[] {
  const bullet = context.unicode ? '  • ' : '  - ';
  return section(
    title,
    items.flatMap((item) => hangText(bullet, visibleText(item), context.width)),
    context,
  );
}

function numberedPart(title: string, items: readonly string[], context: PrintContext): string[] {
  const lines = items.flatMap((item, i) =>
    hangText(`  ${String(i + 1).padStart(2)}. `, visibleText(item), context.width),
  );
  return section(title, lines, context);
}

function gapsPart(report: Report, context: PrintContext): string[] {
  const missing = report.gaps.filter((gap) => gap.state !== 'present');
  const lines = missing.slice(0, MAX_GAPS).map((gap) => {
    const where = gap.where === '' ? '' : ` (${gap.where})`;
    const collect = gap.collect === '' ? '' : ` Collect: ${gap.collect}`;
    return `${gap.item}: ${GAP_STATE_WORD[gap.state]}${where}. ${gap.matters}${collect}`;
  });
  const more = missing.length - MAX_GAPS;
  return listPart('What is missing', more > 0 ? [...lines, `and ${more} more in the report`] : lines, context);
}

function otherFindingsPart(report: Report, context: PrintContext): string[] {
  const others = report.findings.slice(1).map((finding) => `${STATUS_WORD[finding.status]}: ${finding.summary}`);
  const more = others.length - MAX_FINDINGS;
  const shown = more > 0 ? [...others.slice(0, MAX_FINDINGS), `and ${more} more in the report`] : others;
  return listPart('Other findings', shown, context);
}

const FILE_STATUSES = ['read', 'warned', 'empty', 'truncated', 'duplicate', 'skipped', 'refused', 'failed'] as const;

function filesPart(report: Report, context: PrintContext): string[] {
  const { bundle } = report;
  const counts = FILE_STATUSES.filter((status) => bundle.files[status] > 0).map(
    (status) => `${bundle.files[status]} ${ENTRY_STATUS_WORD[status]}`,
  );
  const telling = report.issues.filter((issue) => issue.severity !== 'info');
  const issues = telling.slice(0, MAX_ISSUES).flatMap((issue) => {
    const where = issue.file === null ? '' : `${issue.file}${issue.where === null ? '' : ` ${issue.where}`}: `;
    const times = issue.count > 1 ? ` (${issue.count} times)` : '';
    return hangText(context.unicode ? '  • ' : '  - ', visibleText(`${where}${issue.text}${times}`), context.width);
  });
  const size = `${formatBytes(bundle.bytes)}${bundle.unpackedBytes > bundle.bytes ? `, ${formatBytes(bundle.unpackedBytes)} unpacked` : ''}`;
  return section(
    'Bundle',
    [
      ...hangText(
        '  ',
        visibleText(
          `${bundle.name}: ${size}, ${filesText(bundle)}${counts.length > 0 ? ` (${counts.join(', ')})` : ''}`,
        ),
        context.width,
      ),
      context.paint(
        ['dim'],
        `  SHA-256 ${shortenHash(bundle.sha256)} · ${visibleText(report.tool.name)} ${visibleText(report.tool.version)}`,
      ),
      ...issues,
      ...(telling.length > MAX_ISSUES ? [`    and ${telling.length - MAX_ISSUES} more in the report`] : []),
    ],
    context,
  );
}
