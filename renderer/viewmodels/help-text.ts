/**
 * Help pages are written in a small part of Markdown and drawn as text nodes: headings `##`, lists `-` and `1.`, fenced code,
 * `code`, **bold**, *a title* and [[page-id]] for another page. Anything else is plain text; nothing becomes markup.
 */
import { helpPages, type KeyRow, type HelpPage as SharedPage } from '#shared/help/index.ts';

export type HelpPiece =
  | { readonly kind: 'text' | 'bold' | 'code'; readonly text: string }
  | { readonly kind: 'page'; readonly page: string };

export type HelpBlock =
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly pieces: readonly HelpPiece[] }
  | { readonly kind: 'paragraph'; readonly pieces: readonly HelpPiece[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly HelpPiece[])[] }
  | { readonly kind: 'code'; readonly text: string };

export interface HelpPage {
  /** `screen/logs`, `rule/oom-kill`, `keys`. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Found by these too. */
  readonly keywords?: readonly string[];
}

export function helpBlocks(text: string): readonly HelpBlock[] {
  const blocks: HelpBlock[] = [];
  const lines = text.split('\n');
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.trim() === '') at += 1;
    else if (line.startsWith('```')) at = takeCode(lines, at, blocks);
    else if (/^#{1,6} /.test(line)) {
      const level = line.startsWith('###') ? 3 : 2;
      blocks.push({ kind: 'heading', level, pieces: helpPieces(line.replace(/^#+ /, '')) });
      at += 1;
    } else if (LIST.test(line)) at = takeList(lines, at, blocks);
    else at = takeParagraph(lines, at, blocks);
  }
  return blocks;
}

const LIST = /^\s{0,3}(?:[-*]|\d{1,3}\.) /;
const ORDERED = /^\s{0,3}\d/;

function takeCode(lines: readonly string[], from: number, blocks: HelpBlock[]): number {
  let to = from + 1;
  while (to < lines.length && !(lines[to] ?? '').startsWith('```')) to += 1;
  blocks.push({ kind: 'code', text: lines.slice(from + 1, to).join('\n') });
  return to + 1;
}

/** Lines that are set in belong to the item above them. */
function takeList(lines: readonly string[], from: number, blocks: HelpBlock[]): number {
  const items: string[] = [];
  let at = from;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (LIST.test(line)) items.push(line.replace(LIST, ''));
    else if (/^\s+\S/.test(line) && items.length > 0) items.push(`${items.pop()} ${line.trim()}`);
    else break;
  }
  blocks.push({ kind: 'list', ordered: ORDERED.test(lines[from] ?? ''), items: items.map(helpPieces) });
  return at;
}

function takeParagraph(lines: readonly string[], from: number, blocks: HelpBlock[]): number {
  let to = from;
  while (to < lines.length) {
    const line = lines[to] ?? '';
    if (line.trim() === '' || line.startsWith('```') || /^#{1,6} /.test(line) || (to > from && LIST.test(line))) break;
    to += 1;
  }
  blocks.push({ kind: 'paragraph', pieces: helpPieces(lines.slice(from, to).join(' ')) });
  return to;
}

const MARKS = /`([^`]+)`|\*\*([^*]+)\*\*|\[\[([a-z0-9/-]{1,80})\]\]|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g;

export function helpPieces(text: string): readonly HelpPiece[] {
  const pieces: HelpPiece[] = [];
  let at = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > at) pieces.push({ kind: 'text', text: text.slice(at, match.index) });
    if (match[1] !== undefined) pieces.push({ kind: 'code', text: match[1] });
    else if (match[2] !== undefined) pieces.push({ kind: 'bold', text: match[2] });
    else if (match[3] !== undefined) pieces.push({ kind: 'page', page: match[3] });
    else if (match[4] !== undefined) pieces.push({ kind: 'text', text: `“${match[4]}”` });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ kind: 'text', text: text.slice(at) });
  return pieces;
}

/** Pages that hold every word, those with it in the title first; without words all in their order. */
export function searchHelp(pages: readonly HelpPage[], query: string): readonly HelpPage[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const score = (page: HelpPage): number => {
    const title = page.title.toLowerCase();
    const text = page.text.toLowerCase();
    let sum = 0;
    for (const word of words) {
      if (title.includes(word)) sum += 10;
      else if (page.id.includes(word) || page.keywords?.some((known) => known.includes(word))) sum += 5;
      else if (text.includes(word)) sum += 1;
      else return -1;
    }
    return sum;
  };
  return pages
    .map((page, order) => ({ page, order, score: score(page) }))
    .filter((item) => item.score >= 0)
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .map((item) => item.page);
}

/** The pages on rules, causes, clocks and files, as the window shows them. `keys`: the key map of the window. */
export function sharedHelp(keys: readonly KeyRow[]): readonly HelpPage[] {
  const pages = helpPages(keys);
  const ids = new Set(pages.map((page) => page.id));
  return pages.map((page) => ({ id: page.id, title: page.title, text: textOf(page, ids), keywords: page.keywords }));
}

const plainText = (text: string): string => text.replace(/[*`]/g, '');

function textOf(page: SharedPage, ids: ReadonlySet<string>): string {
  const see = page.seeAlso.filter((id) => ids.has(id)).map((id) => `- [[${id}]]`);
  // The lead of many pages is the first sentence of their first section.
  const said = plainText(page.sections[0]?.text ?? '').startsWith(plainText(page.lead).replace(/\.$/, ''));
  return [
    ...(said ? [] : [page.lead]),
    ...page.sections.filter((section) => section.text.trim() !== '').map(({ title, text }) => `## ${title}\n${text}`),
    ...(see.length === 0 ? [] : [`## See also\n${see.join('\n')}`]),
  ].join('\n\n');
}
