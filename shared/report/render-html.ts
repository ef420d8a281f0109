/**
 * Report object → one self-contained HTML page: no script, no link, no remote resource, a policy that forbids them.
 * Every value passes `text()`; nothing from a bundle becomes markup.
 */

import { formatRanks, nameRanks } from '../lib/rank-set.ts';
import { intervalMs, signedMs } from '../text/clock-text.ts';
import { GAP_STATE_WORD } from '../text/entry-text.ts';
import { formatBytes, plural } from '../text/format.ts';
import { whenLine } from '../text/moment-text.ts';
import { filesText } from '../text/partial-text.ts';
import { CAUSE_WORD, OUTCOME_WORD, STAGE_WORD, STATUS_MEANING, STATUS_WORD } from '../text/verdict-text.ts';
import { clockItems } from './clock-markdown.ts';
import { rankSets } from './rank-sets.ts';
import { evidencePlace, printable } from './render-markdown.ts';
import type { Report, ReportEvidence, ReportFinding } from './schema.ts';
import { shownTime } from './sections/words.ts';
import { settingsHtml } from './settings-text.ts';

const STYLE = `
:root{color-scheme:light}
body{font:14px/1.5 system-ui,sans-serif;color:#1b2030;background:#fff;margin:2rem auto;max-width:70rem;padding:0 1.5rem}
h1{font-size:1.3rem;margin:0 0 .25rem}h2{font-size:1.05rem;margin:2rem 0 .5rem;border-bottom:1px solid #d6dae4}h3{font-size:.95rem;margin:1.2rem 0 .3rem}
.verdict{border:1px solid #b8bfd0;border-left:6px solid #5b6478;border-radius:6px;padding:1rem 1.25rem;margin:1rem 0}
.verdict.established{border-left-color:#0b6b53}.verdict.supported{border-left-color:#1c5fb8}.verdict.hypothesis{border-left-color:#8a5a00}
.status{font-weight:700}.summary{font-size:1.05rem;font-weight:600;margin:.4rem 0}
table{border-collapse:collapse;width:100%}th,td{border:1px solid #d6dae4;padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere;min-width:4.6rem}th{background:#f2f4f8}
li code,li code+small{display:inline-block;margin-right:.5rem;color:#596078}pre{overflow-x:auto}
code{font:12px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}li{margin:.2rem 0}small{color:#596078}
h2,h3{break-after:avoid}li,tr{break-inside:avoid}thead{display:table-header-group}
@page{margin:16mm 14mm}@media print{body{font-size:10.5pt;margin:0;max-width:none;padding:0}pre{white-space:pre-wrap}}`;

export function renderHtml(report: Report): string {
  const body = [
    header(report),
    verdict(report),
    gaps(report),
    findings(report),
    ranks(report),
    clocks(report),
    issues(report),
    settingsHtml(report, text, table),
    footer(report),
  ].join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>Incident report: ${text(report.bundle.name)}</title>
<style>${STYLE}</style></head><body>
${body}
</body></html>
`;
}

function header(report: Report): string {
  const i = report.incident;
  const span = i.start && i.end ? ` · ${text(i.start)} to ${text(i.end)}` : '';
  const size =
    i.worldSize === null ? '' : ` · ${plural(i.worldSize, 'rank')} expected, ${plural(i.ranksSeen, 'rank')} seen`;
  return `<h1>Incident report: ${text(report.bundle.name)}</h1><p><small>${filesText(report.bundle)}${size}${span}</small></p>`;
}

function verdict(report: Report): string {
  const v = report.verdict;
  const rankText =
    v.firstRanks.length > 0 ? ` (${v.firstRanks.length === 1 ? 'rank' : 'ranks'} ${formatRanks(v.firstRanks)})` : '';
  const where = [v.pod ? `Pod ${v.pod}` : '', v.node ? `node ${v.node}` : '', whenLine(v, (time) => time)]
    .filter((part) => part !== '')
    .join(' · ');
  return `<section class="verdict ${v.status}"><div class="status">${STATUS_WORD[v.status]}</div>
<div class="summary">${text(v.summary)}</div>
<p>${text(OUTCOME_WORD[v.outcome])}${text(rankText)}${v.stage === 'unknown' ? '' : ` · ${text(STAGE_WORD[v.stage])}: ${text(CAUSE_WORD[v.cause])}`}<br><small>${text(STATUS_MEANING[v.status])}${where === '' ? '' : ` ${text(where)}`}</small></p>
${list('Because', v.because.map(evidence), 'ol')}${list('Against, or not explained', v.against.map(evidence))}${list(
  'Leads that could not be separated',
  v.candidates.map((c) => text(`${c.ranks.length > 0 ? `${nameRanks(c.ranks)}: ` : ''}${c.why}`)),
)}${list('Would change this', v.wouldChange.map(text))}${list('Next checks, most telling first', v.nextChecks.map(text), 'ol')}</section>`;
}

function evidence(item: ReportEvidence): string {
  const time =
    item.time === null ? '' : ` <small>${text(item.time)}${item.timeBasis === 'raw' ? ' (raw)' : ''}</small>`;
  return `${text(item.text)} <code>${text(evidencePlace(item))}</code>${time}`;
}

function gaps(report: Report): string {
  const missing = report.gaps.filter((gap) => gap.state !== 'present');
  return table(
    'What is missing',
    ['item', 'state', 'why it matters', 'how to get it'],
    missing.map((gap) => [gap.item, GAP_STATE_WORD[gap.state], gap.matters, gap.collect]),
  );
}

function findings(report: Report): string {
  const others = report.findings.slice(1);
  return others.length === 0
    ? ''
    : `<h2>Other findings</h2><ul>${others.map((finding) => `<li>${findingItem(finding)}</li>`).join('')}</ul>`;
}

function findingItem(finding: ReportFinding): string {
  const first = finding.because[0];
  return `<b>${STATUS_WORD[finding.status]}</b>: ${text(finding.summary)}${first ? ` <code>${text(evidencePlace(first))}</code>` : ''} <small>${text(finding.rule)}</small>`;
}

function ranks(report: Report): string {
  const rows = rankSets(report).map(({ ranks: list, attempt, role, pod, node, dump, exit, lastSeen }) => [
    ...[list, String(attempt), role, pod, node, dump, exit],
    lastSeen === null ? '' : shownTime(lastSeen),
  ]);
  return table('Ranks', ['ranks', 'attempt', 'role', 'Pod', 'node', 'dump', 'exit', 'last seen'], rows);
}

function clocks({ clock }: Report): string {
  const rows = clock.domains.map(({ id, kind, offsetMs, anchors, quality }) => [
    id,
    kind,
    id === clock.reference ? 'reference' : offsetMs === null ? 'not known' : `${signedMs(offsetMs.estimate)} ms`,
    offsetMs === null || id === clock.reference ? '' : intervalMs(offsetMs.low, offsetMs.high),
    offsetMs === null || id === clock.reference ? '' : intervalMs(offsetMs.likelyLow, offsetMs.likelyHigh),
    String(anchors),
    quality,
  ]);
  const heads = ['clock', 'kind', 'offset to the reference', 'guaranteed, ms', 'likely, ms', 'anchors', 'quality'];
  return (
    table('Clocks', heads, rows) +
    table(
      'What was found about clocks',
      ['what'],
      clockItems({ clock }, (text) => text).map((item) => [item]),
    )
  );
}

function issues(report: Report): string {
  return table(
    'Files that could not be fully read',
    ['file', 'where', 'count', 'what'],
    report.issues.map((issue) => [issue.file ?? '', issue.where ?? '', String(issue.count), issue.text]),
  );
}

function footer(report: Report): string {
  return `<p><small>${text(report.tool.name)} ${text(report.tool.version)} · bundle ${formatBytes(report.bundle.bytes)}, SHA-256 <code>${text(report.bundle.sha256)}</code></small></p>`;
}

function list(title: string, items: readonly string[], tag: 'ul' | 'ol' = 'ul'): string {
  return items.length === 0
    ? ''
    : `<h3>${text(title)}</h3><${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`;
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const headRow = head.map((name) => `<th>${text(name)}</th>`).join('');
  const bodyRows = rows.map((row) => `<tr>${row.map((value) => `<td>${text(value)}</td>`).join('')}</tr>`).join('');
  return `<h2>${text(title)}</h2><table><thead><tr>${headRow}</tr></thead><tbody>${bodyRows}</tbody></table>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Untrusted text as HTML text or attribute value. */
export function text(value: string): string {
  return printable(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
