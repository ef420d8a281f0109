/**
 * Cuts a YAML stream into documents, and a list document into its items, by looking at line starts only.
 *
 *   ---                      document separator: never inside a document, by the grammar
 *   items:                   key of the top-level mapping
 *   - apiVersion: v1         item: a dash at the sequence's own column
 *     kind: Pod              deeper lines belong to it
 *   kind: List               a line that is not deeper and not a dash ends the sequence
 *
 * Scalars of several lines must be indented deeper than the entry that holds them, so a dash at the sequence's column
 * is always an item. O(length).
 */

/** A range of the text, end exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface ItemSpans {
  readonly items: readonly Span[];
  /** From the line behind `items:` to the end of the last item. */
  readonly region: Span;
}

/** End of the line at `from`, its line feed included. */
export function lineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  return feed < 0 ? text.length : feed + 1;
}

const BLANK_LINE = /^[ \t\r]*(?:#.*)?$/;
const SEPARATOR_LINE = /^(?:---|\.\.\.)(?:[ \t\r]|$)/;

/** True for lines without content: blank, comments, directives, and the separators themselves. */
function isIdleLine(line: string): boolean {
  return BLANK_LINE.test(line) || line.startsWith('%') || /^(?:---|\.\.\.)[ \t\r]*$/.test(line);
}

/** Documents in order; spans that hold no content are left out. */
export function splitDocuments(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  let hasContent = false;
  let hasDirective = false;
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at);
    const line = text.slice(at, Math.min(end, at + 200)).replace(/\r?\n$/, '');
    if (SEPARATOR_LINE.test(line)) {
      if (hasContent) spans.push({ from, to: at });
      // Directives stand in front of the separator that begins their document.
      if (hasContent || !hasDirective) from = at;
      hasContent = !isIdleLine(line);
      hasDirective = false;
    } else if (!isIdleLine(line)) hasContent = true;
    else if (line.startsWith('%') && !hasContent) {
      if (!hasDirective) from = at;
      hasDirective = true;
    }
    at = end;
  }
  if (hasContent) spans.push({ from, to: text.length });
  return spans;
}

const ITEMS_LINE = /^(?:items|"items"|'items'):[ \t]*(?:#.*)?\r?$/;

/** Finds a top-level block sequence `items` inside a document; undefined if there is none. */
export function splitItems(text: string, document: Span): ItemSpans | undefined {
  const start = itemsStart(text, document);
  if (start === undefined) return undefined;
  const items: Span[] = [];
  let column: number | undefined;
  let itemFrom: number | undefined;
  let at = start;
  for (; at < document.to; ) {
    const end = lineEnd(text, at);
    const indent = indentOf(text, at, end);
    if (indent !== undefined) {
      const isDash = text[at + indent] === '-' && isGap(text[at + indent + 1]);
      if (column === undefined) {
        if (!isDash) return undefined;
        column = indent;
      }
      if (indent < column || (indent === column && !isDash)) break;
      if (indent === column) {
        if (itemFrom !== undefined) items.push({ from: itemFrom, to: at });
        itemFrom = at;
      }
    }
    at = end;
  }
  const to = Math.min(at, document.to);
  if (itemFrom === undefined) return undefined;
  items.push({ from: itemFrom, to });
  return { items, region: { from: start, to } };
}

const isGap = (char: string | undefined): boolean =>
  char === undefined || char === ' ' || char === '\n' || char === '\r' || char === '\t';

/** Offset of the line behind `items:`; the key must stand at column 0. */
function itemsStart(text: string, document: Span): number | undefined {
  for (let at = document.from; at < document.to; ) {
    const end = lineEnd(text, at);
    const char = text[at];
    if (char === 'i' || char === '"' || char === "'") {
      const line = text.slice(at, Math.min(end, at + 200)).replace(/\n$/, '');
      if (ITEMS_LINE.test(line)) return end;
    }
    at = end;
  }
  return undefined;
}

/** Column of the first character; undefined for blank lines and comments. */
function indentOf(text: string, from: number, end: number): number | undefined {
  let at = from;
  while (at < end && text[at] === ' ') at += 1;
  const char = text[at];
  if (at >= end || char === '\n' || char === '\r' || char === '#') return undefined;
  return at - from;
}
