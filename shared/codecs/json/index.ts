/**
 * JSON texts as parts: one object, several concatenated ones, JSON lines, or a bare array of objects.
 *
 *   {"kind":"List","items":[{…},{…}]}      → list, item, item
 *   {…}\n{…}\n                             → document, document
 *   [{…},{…}]                              → document, document
 *
 * A list's head is read first by skipping over its items, since `kind` may stand behind them; then item by item, so
 * the tree of only one item exists at a time. Where the text breaks, everything before the break is given, then the
 * problem; reading goes on at the next line that starts a document. Depth, values and problems are bounded.
 * Not covered: comments, trailing commas, NaN. Cost: each character is looked at twice at most.
 */
import { DOC_LIMITS, type DocLimits, type DocMap, type DocPart, type DocValue, placeOf } from '../document-tree.ts';
import { JsonFault, JsonParser } from './parser.ts';

export function* readJsonParts(text: string, limits: DocLimits = DOC_LIMITS): Generator<DocPart> {
  const parser = new JsonParser(text, limits);
  let problems = 0;
  for (;;) {
    skipBetween(parser);
    if (parser.atEnd) return;
    const start = parser.at;
    try {
      yield* oneDocument(parser);
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      yield {
        kind: 'problem',
        problem: { at: error.at, ...placeOf(text, error.at), reason: error.message, effect: 'lost' },
      };
      problems += 1;
      const next = nextDocument(text, Math.max(error.at, start + 1));
      if (next === undefined || problems >= limits.maxProblems) return;
      parser.at = next;
    }
  }
}

/** Space, and the commas that remain between documents when reading went on inside a broken list. */
function skipBetween(parser: JsonParser): void {
  parser.skipSpace();
  while (parser.text[parser.at] === ',') {
    parser.at += 1;
    parser.skipSpace();
  }
}

/** The next line that starts with `{` or `[`, or undefined. */
function nextDocument(text: string, from: number): number | undefined {
  const brace = text.indexOf('\n{', from);
  const bracket = text.indexOf('\n[', from);
  if (brace < 0 && bracket < 0) return undefined;
  return 1 + (brace < 0 ? bracket : bracket < 0 ? brace : Math.min(brace, bracket));
}

function* oneDocument(parser: JsonParser): Generator<DocPart> {
  const first = parser.text[parser.at];
  if (first === '[') yield* elements(parser, 'document');
  else if (first === '{') yield* object(parser);
  else parser.fault("'{' or '[' expected");
}

function* elements(parser: JsonParser, kind: 'document' | 'item'): Generator<DocPart> {
  parser.expect('[');
  parser.skipSpace();
  if (parser.text[parser.at] === ']') {
    parser.at += 1;
    return;
  }
  for (;;) {
    parser.skipSpace();
    parser.resetBudget();
    yield { kind, value: parser.value(2) };
    if (!parser.more(']')) return;
  }
}

function* object(parser: JsonParser): Generator<DocPart> {
  const head = readHead(parser);
  if (head.items === undefined) {
    if (head.fault !== undefined) throw head.fault;
    yield { kind: 'document', value: head.map };
    return;
  }
  yield { kind: 'list', envelope: head.map };
  const end = parser.at;
  parser.at = head.items;
  yield* elements(parser, 'item');
  if (head.fault !== undefined) throw head.fault;
  parser.at = end;
}

interface Head {
  readonly map: DocMap;
  /** Offset of the `[` of the top-level items. */
  readonly items: number | undefined;
  readonly fault: JsonFault | undefined;
}

/** Reads an object without its `items`; on a fault, what stood before it. */
function readHead(parser: JsonParser): Head {
  const at = parser.at;
  const entries = new Map<string, DocValue>();
  let items: number | undefined;
  let fault: JsonFault | undefined;
  parser.resetBudget();
  try {
    parser.members(0, (key) => {
      if (key === 'items' && parser.text[parser.at] === '[') {
        items = parser.at;
        parser.skipValue(1);
      } else entries.set(key, parser.value(1));
    });
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    fault = error;
  }
  return { map: { kind: 'map', at, end: parser.at, entries }, items, fault };
}
