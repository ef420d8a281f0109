/** Which parts of a line a query is about: its texts and expressions that must occur, not those that must not. */
import { compileRegex } from './plan.ts';
import type { Query } from './query.ts';

export interface Span {
  readonly at: number;
  readonly length: number;
}

/** Enough to see; a line of a megabyte may have more. */
const MAX_SPANS = 60;
/** Expressions are run in the window on short pieces only: one that backtracks must not stop it. */
const MAX_REGEX_TEXT = 2_000;

export type Highlighter = (text: string) => readonly Span[];

/** Spans in order, not overlapping. */
export function makeHighlighter(query: Query, matchCase: boolean): Highlighter {
  const texts: string[] = [];
  const regexes: RegExp[] = [];
  collect(query, texts, regexes, matchCase);
  return (text) => {
    const spans: Span[] = [];
    const within = matchCase ? text : text.toLowerCase();
    // Lower case of a few letters is longer than themselves: then places would not fit.
    if (within.length === text.length) for (const needle of texts) addText(within, needle, spans);
    if (text.length <= MAX_REGEX_TEXT) for (const regex of regexes) addRegex(text, regex, spans);
    return joined(spans);
  };
}

function collect(query: Query, texts: string[], regexes: RegExp[], matchCase: boolean): void {
  switch (query.kind) {
    case 'text':
      texts.push(matchCase ? query.text : query.text.toLowerCase());
      return;
    case 'regex':
      if (isTame(query.source)) regexes.push(compileRegex(query.source, query.ignoreCase || !matchCase, 'g'));
      return;
    case 'and':
    case 'or':
      for (const item of query.items) collect(item, texts, regexes, matchCase);
      return;
    default:
  }
}

/** Without repetition inside repetition and without references: such an expression takes polynomial time at most. */
export const isTame = (source: string): boolean =>
  !/\)[*+{]/.test(source) && !/\\[1-9k]/.test(source) && (source.match(/[*+{]/g)?.length ?? 0) <= 3;

function addText(text: string, needle: string, spans: Span[]): void {
  for (
    let at = text.indexOf(needle);
    at >= 0 && spans.length < MAX_SPANS;
    at = text.indexOf(needle, at + needle.length)
  )
    spans.push({ at, length: needle.length });
}

function addRegex(text: string, regex: RegExp, spans: Span[]): void {
  for (const match of text.matchAll(regex)) {
    if (spans.length >= MAX_SPANS) return;
    if (match[0].length > 0) spans.push({ at: match.index, length: match[0].length });
  }
}

function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.at - b.at || b.length - a.length)) {
    const last = result.at(-1);
    if (last === undefined || span.at >= last.at + last.length) result.push(span);
    else if (span.at + span.length > last.at + last.length)
      result[result.length - 1] = { at: last.at, length: span.at + span.length - last.at };
  }
  return result;
}
