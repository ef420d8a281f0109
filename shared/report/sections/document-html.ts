/**
 * Document → one self-contained HTML page, also the source of the PDF: no script, no link, nothing remote, and a policy that forbids
 * them. Every value passes `text()`; nothing of a bundle becomes markup.
 */
import { STATUS_WORD } from '../../text/verdict-text.ts';
import { text } from '../render-html.ts';
import { figurePlane, type Paint, type Shape } from './figure-shapes.ts';
import type { Block, Figure, ListItem, ReportDocument, Section } from './types.ts';
import { breakPieces } from './words.ts';

const STYLE = `
@page{size:A4;margin:16mm 15mm 18mm}
*{box-sizing:border-box}
body{font:10pt/1.5 "Inter Variable",Inter,system-ui,"Segoe UI",sans-serif;color:#16181c;background:#fff;margin:24pt auto;max-width:180mm;padding:0 12pt;font-variant-numeric:tabular-nums}
header{display:flex;justify-content:space-between;border-bottom:1px solid #c9ced6;padding-bottom:6pt;color:#5a6370;font-size:9pt}
h2{font-size:11pt;margin:18pt 0 5pt;break-after:avoid;font-weight:620}
h3{font-size:9.5pt;margin:10pt 0 3pt;break-after:avoid;font-weight:620}
p{margin:3pt 0}
.status{font-weight:620;margin-top:10pt}
.statement{font-size:15pt;line-height:1.3;font-weight:620;margin:4pt 0 2pt;letter-spacing:-.01em}
.chip{background:#c8102e;color:#fff;border-radius:3px;padding:0 5pt;margin-right:1pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.quiet,small{color:#5a6370}
dl{display:grid;grid-template-columns:max-content 1fr;margin:8pt 0;gap:2pt 6mm}dt{color:#5a6370}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;font-size:9pt;margin:4pt 0}
th{font-weight:530;color:#5a6370;text-align:left;border-bottom:1px solid #c9ced6;padding:2pt 6pt 2pt 0}
td{border-bottom:1px solid #e4e7ec;padding:2.5pt 6pt 2.5pt 0;vertical-align:top;overflow-wrap:break-word}td.mono{overflow-wrap:anywhere}
tr{break-inside:avoid}
.mono,pre,code{font-family:"JetBrains Mono Variable",ui-monospace,Menlo,Consolas,monospace;font-size:8pt;font-variant-ligatures:none}
pre{background:#f4f5f7;padding:6pt;border-radius:3px;white-space:pre-wrap;overflow-wrap:anywhere;margin:4pt 0;-webkit-print-color-adjust:exact;print-color-adjust:exact}
li small{white-space:nowrap}
.source{display:flex;justify-content:space-between;gap:10pt;color:#5a6370;overflow-wrap:anywhere}
ol,ul{margin:2pt 0;padding-left:16pt}li{margin:2pt 0}
figure{margin:6pt 0;break-inside:avoid}figcaption{font-size:8.5pt;color:#5a6370;margin-top:3pt}svg{width:100%;height:auto;display:block}
footer{margin-top:18pt;border-top:1px solid #c9ced6;padding-top:5pt;color:#5a6370;font-size:8.5pt;overflow-wrap:anywhere}
@media print{body{margin:0;max-width:none;padding:0}}`;

export function documentHtml(document: ReportDocument): string {
  const mark = document.redacted ? ', redacted' : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">
<title>Incident report, ${text(document.title)}${mark}</title>
<style>${STYLE}</style></head><body>
<header><span>Incident report, ${text(document.title)}${mark}</span></header>
<main>
${document.sections.map(section).join('\n')}
</main>
<footer>${text(document.foot)}${document.redacted ? ' Names, addresses, paths and secrets were replaced; one original has one stand-in.' : ''}</footer>
</body></html>
`;
}

function section({ id, title, blocks }: Section): string {
  const head = id === 'verdict' ? '' : `<h2>${text(title)}</h2>`;
  return `<section>${head}${blocks.map(block).join('')}</section>`;
}

function block(item: Block): string {
  switch (item.kind) {
    case 'statement':
      return `<p class="status">${text(STATUS_WORD[item.status])} <small>${text(item.meaning)}</small></p><p class="statement">${item.ranks === '' ? '' : `<span class="chip">${text(item.ranks)}</span> `}${text(item.text)}</p>`;
    case 'facts':
      return `<dl>${item.rows.map(([label, value]) => `<dt>${text(label)}</dt><dd>${text(value)}</dd>`).join('')}</dl>`;
    case 'heading':
      return `<h3>${text(item.text)}</h3>`;
    case 'text':
      return `<p>${lines(item.text, '<br>')}</p>`;
    case 'list': {
      const tag = item.ordered ? 'ol' : 'ul';
      return `<${tag}>${item.items.map((one) => `<li>${listItem(one)}</li>`).join('')}</${tag}>`;
    }
    case 'table':
      return table(item);
    case 'code':
      return `${item.title === '' ? '' : `<h3>${text(item.title)}</h3>`}<pre>${lines(item.text, '\n')}</pre>`;
    case 'figure':
      return `<figure>${figureSvg(item.figure)}<figcaption>${text(item.figure.caption)}</figcaption></figure>`;
  }
}

const lines = (value: string, feed: string): string => value.split('\n').map(text).join(feed);

function listItem({ text: words, time, place }: ListItem): string {
  if (time === null && place === null) return text(words);
  const parts = [
    place === null ? '' : `<code>${text(place)}</code>`,
    time === null ? '' : `<small>${text(time)}</small>`,
  ];
  return `${text(words)}<span class="source">${parts.filter((part) => part !== '').join(' ')}</span>`;
}

function table({ head, rows, mono }: Extract<Block, { kind: 'table' }>): string {
  const cell = (value: string, i: number): string =>
    `<td${mono.includes(i) ? ' class="mono"' : ''}>${breakPieces(value).map(text).join('<wbr>')}</td>`;
  return `<table><thead><tr>${head.map((name) => `<th>${text(name)}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map(cell).join('')}</tr>`)
    .join('')}</tbody></table>`;
}

const FILL: Readonly<Record<Paint, string>> = {
  completed: 'fill="#8a929d"',
  ended: 'fill="#aab1ba"',
  waiting: 'fill="url(#w)" stroke="#a87b16" stroke-width=".8"',
  enqueued: 'fill="#fff" stroke="#8a929d"',
  'never-enqueued': 'fill="#fff" stroke="#3a4049" stroke-dasharray="3 2"',
  differs: 'fill="#fff" stroke="#3a4049" stroke-width="1.6"',
  failed: 'fill="#fff" stroke="#c8102e" stroke-width="1.2"',
  first: 'fill="#c8102e"',
  missing: 'fill="url(#m)"',
  grid: 'stroke="#e4e7ec"',
  fault: 'stroke="#c8102e" stroke-width="1.2"',
  bound: 'fill="#c8102e" fill-opacity=".1"',
  none: 'fill="none"',
};

const PATTERNS = `<defs><pattern id="w" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="#fbf3dc"/><line x1="0" y1="0" x2="0" y2="5" stroke="#a87b16" stroke-width="1"/></pattern><pattern id="m" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="5" stroke="#7d8590" stroke-width=".8"/></pattern></defs>`;

function figureSvg(figure: Figure): string {
  const { width, height, shapes } = figurePlane(figure);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${text(figure.caption)}" font-size="9" font-family="inherit">${PATTERNS}${shapes.map(shape).join('')}</svg>`;
}

function shape(item: Shape): string {
  switch (item.kind) {
    case 'rect':
      return `<rect x="${item.x}" y="${item.y}" width="${item.width}" height="${item.height}" rx="1" ${FILL[item.paint]}/>`;
    case 'line':
      return `<line x1="${item.x1}" y1="${item.y1}" x2="${item.x2}" y2="${item.y2}" ${FILL[item.paint]}/>`;
    case 'text': {
      const fill = item.weight === 'on-first' ? '#fff' : item.weight === 'quiet' ? '#5a6370' : '#16181c';
      const halo = item.weight === 'quiet' ? ' stroke="#fff" stroke-width="3" paint-order="stroke"' : '';
      return `<text x="${item.x}" y="${item.y}" text-anchor="${item.anchor}" fill="${fill}"${item.weight === 'strong' ? ' font-weight="700"' : ''}${halo}>${text(item.text)}</text>`;
    }
  }
}
