/**
 * YAML streams as parts: documents between `---`, and a list document as its head and its items one by one.
 *
 * The grammar is js-yaml's (YAML 1.2, parser events); values are built here, since the events carry offsets and the
 * limits are ours: depth, values per document or item, size of one piece, number of problems. Aliases are shared
 * values, never expanded; tags construct nothing; keys live in `Map`s. A document or an item that breaks is told and
 * left out, the others stay. Not covered: merge keys (`<<` is an ordinary key), aliases from one item of a list to
 * another, a list in flow style of more than MAX_PIECE characters.
 */
import { parseEvents, YAMLException } from 'js-yaml';
import {
  DOC_LIMITS,
  type DocLimits,
  type DocMap,
  type DocPart,
  type DocProblem,
  type DocValue,
  isList,
  isMap,
  placeOf,
} from '../document-tree.ts';
import { constructDocument, YamlFault, type YamlNote } from './construct.ts';
import { type ItemSpans, type Span, splitDocuments, splitItems } from './split.ts';

/** Characters in one document or item. A Pod with all its managedFields is below 100,000; events cost about 100 bytes each. */
const MAX_PIECE = 8_000_000;

export function* readYamlParts(text: string, limits: DocLimits = DOC_LIMITS): Generator<DocPart> {
  const reader = new YamlReader(text, limits);
  for (const document of splitDocuments(text)) {
    yield* reader.document(document);
    if (reader.lost >= limits.maxProblems) return;
  }
}

type Piece =
  | { readonly ok: true; readonly value: DocValue; readonly notes: readonly YamlNote[] }
  | { readonly ok: false; readonly at: number; readonly reason: string };

class YamlReader {
  private readonly text: string;
  private readonly limits: DocLimits;
  lost = 0;

  constructor(text: string, limits: DocLimits) {
    this.text = text;
    this.limits = limits;
  }

  *document(span: Span): Generator<DocPart> {
    const split = splitItems(this.text, span);
    if (split !== undefined) {
      yield* this.list(span, split);
      return;
    }
    const piece = readPiece(this.text.slice(span.from, span.to), span.from, this.limits);
    yield* this.problems(piece);
    if (!piece.ok) return;
    if (!isList(piece.value)) {
      yield { kind: 'document', value: piece.value };
      return;
    }
    for (const value of piece.value.items) yield { kind: 'document', value };
  }

  private *list(span: Span, split: ItemSpans): Generator<DocPart> {
    const head = this.text.slice(span.from, split.region.from);
    const envelope = readPiece(`${head}${this.text.slice(split.region.to, span.to)}`, span.from, this.limits);
    const cut = span.from + head.length;
    const shift = split.region.to - split.region.from;
    yield* this.problems(envelope.ok || envelope.at < cut ? envelope : { ...envelope, at: envelope.at + shift });
    yield {
      kind: 'list',
      envelope: envelope.ok && isMap(envelope.value) ? withoutItems(envelope.value) : emptyMap(span.from),
    };
    for (const item of split.items) {
      const piece = readPiece(this.text.slice(item.from, item.to), item.from, this.limits);
      yield* this.problems(piece);
      if (piece.ok && isList(piece.value)) for (const value of piece.value.items) yield { kind: 'item', value };
      if (this.lost >= this.limits.maxProblems) return;
    }
  }

  private *problems(piece: Piece): Generator<DocPart> {
    if (piece.ok) {
      for (const note of piece.notes) yield { kind: 'problem', problem: this.problem(note.at, note.reason, 'note') };
      return;
    }
    this.lost += 1;
    yield { kind: 'problem', problem: this.problem(piece.at, piece.reason, 'lost') };
  }

  private problem(at: number, reason: string, effect: DocProblem['effect']): DocProblem {
    return { at, ...placeOf(this.text, at), reason, effect };
  }
}

const MAX_NOTES = 5;

function readPiece(source: string, base: number, limits: DocLimits): Piece {
  if (source.length > MAX_PIECE)
    return { ok: false, at: base, reason: `one document of more than ${MAX_PIECE} characters` };
  const notes: YamlNote[] = [];
  try {
    const events = parseEvents(source, { maxDepth: limits.maxDepth });
    const value = constructDocument(
      events,
      source,
      base,
      limits,
      (note) => notes.length < MAX_NOTES && notes.push(note),
    );
    return { ok: true, value, notes };
  } catch (error) {
    if (error instanceof YamlFault) return { ok: false, at: error.at, reason: error.message };
    if (error instanceof YAMLException)
      return { ok: false, at: base + (error.mark?.position ?? 0), reason: error.reason };
    throw error;
  }
}

const emptyMap = (at: number): DocMap => ({ kind: 'map', at, end: at, entries: new Map() });

/** The head is read with its `items:` line, whose value is then null. */
function withoutItems(map: DocMap): DocMap {
  return { ...map, entries: new Map([...map.entries].filter(([key]) => key !== 'items')) };
}
