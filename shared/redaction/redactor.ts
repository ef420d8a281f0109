/**
 * Finds originals and puts stand-ins in their place.
 *
 *   const redactor = new Redactor({ names, words, known });
 *   for (const text of texts) redactor.learn(text);          // names that context gives away
 *   redactor.redact(text, section, where);                   // any number of times, in a fixed order
 *
 * The same original gets the same stand-in for the life of the object, and over several lives if `known` is handed on. Stand-ins are
 * numbered in the order in which originals are met. Spans that overlap become one original: nothing of either is left.
 */

import { isFileName, LEARNED } from './learned-patterns.ts';
import { NameTrie } from './name-trie.ts';
import { isOwnWord } from './own-words.ts';
import { mayMatch, partsOf } from './pattern.ts';
import { PATTERNS } from './patterns.ts';
import {
  type NamedOriginal,
  REDACTION_KINDS,
  type RedactionGroup,
  type RedactionKind,
  type StandIn,
  type Unscanned,
} from './types.ts';
import { unscannable, visible } from './visible.ts';

export interface RedactorInput {
  /** Names that are known from structured fields. */
  readonly names: readonly NamedOriginal[];
  /** What the analyst added; replaced also where it is a common word. */
  readonly words: readonly string[];
  /** Words that the report writes itself, in lower case: a name that is one of them stays, and is told. */
  readonly vocabulary?: ReadonlySet<string>;
  /** Stand-ins given before, which stay. */
  readonly known: readonly StandIn[];
}

const PREFIX: Readonly<Record<RedactionKind, string>> = {
  host: 'host',
  pod: 'pod',
  namespace: 'namespace',
  user: 'user',
  ip: 'ip',
  mac: 'mac',
  path: 'path',
  email: 'email',
  secret: 'secret',
  url: 'url',
  bucket: 'bucket',
  image: 'image',
  device: 'device',
  uuid: 'id',
  object: 'object',
  bundle: 'bundle',
  word: 'word',
};

/** Put in place of a text that could not be scanned. */
export const NOT_SCANNED = '[not scanned]';
/** More different originals than any report has; beyond it nothing is exported. */
const MAX_ORIGINALS = 100_000;
const MIN_NAME = 2;
/** Namespaces are often as short as `ml`; other learned words of two letters are rather noise. */
const MIN_LEARNED = { namespace: 2, other: 3 } as const;
const MAX_REMEMBERED = 300;
const MAX_PLAIN = 50_000;
const NONE: ReadonlySet<string> = new Set();

interface Span {
  readonly from: number;
  readonly to: number;
  readonly kind: RedactionKind;
}

export class Redactor {
  readonly #trie = new NameTrie();
  readonly #vocabulary: ReadonlySet<string>;
  readonly #nameKinds = new Map<string, RedactionKind>();
  /** By original in lower case. */
  readonly #standIns = new Map<string, StandIn>();
  readonly #taken = new Set<string>();
  readonly #counters = new Map<RedactionKind, number>();
  /** Times each original was replaced, by its lower case. */
  readonly #used = new Map<string, number>();
  readonly #unscanned: Unscanned[] = [];
  readonly #kept = new Set<string>();
  /** Texts that were looked at and hold nothing: reports repeat themselves. */
  readonly #plain = new Set<string>();
  readonly #learned = new Set<string>();

  constructor({ names, words, known, vocabulary = NONE }: RedactorInput) {
    this.#vocabulary = vocabulary;
    for (const row of known) {
      this.#standIns.set(row.text.toLowerCase(), row);
      this.#taken.add(row.standIn);
      this.#name(row.kind, row.text);
    }
    for (const word of words) this.#name('word', word.trim());
    for (const { kind, text } of names) this.#name(kind, visible(text).trim());
  }

  /** Takes names out of a text by what stands beside them. Before the first `redact`, or names are found too late for earlier texts. */
  learn(text: string): void {
    if (this.#learned.has(text) || unscannable(text) !== undefined) return;
    if (text.length < MAX_REMEMBERED && this.#learned.size < MAX_PLAIN) this.#learned.add(text);
    const seen = visible(text);
    const lower = seen.toLowerCase();
    for (const pattern of LEARNED) {
      if (!mayMatch(pattern, lower)) continue;
      const least = MIN_LEARNED[pattern.kind === 'namespace' ? 'namespace' : 'other'];
      for (const { text: name } of partsOf(pattern, seen)) {
        if (!isFileName(name) && name.length >= least) this.#name(pattern.kind, name);
      }
    }
  }

  /** `section` and `where` tell an analyst which text it is, should it be one that cannot be scanned. `allowed` stays, stand-ins stay as well. */
  redact(text: string, section: string, where = '', allowed: ReadonlySet<string> = NONE): string {
    const why = unscannable(text);
    if (why !== undefined) {
      this.#unscanned.push({ section, where, why });
      return NOT_SCANNED;
    }
    if (this.#plain.has(text)) return text;
    const seen = visible(text);
    const spans = joinSpans([...this.#nameSpans(seen), ...patternSpans(seen)]);
    if (spans.length === 0) {
      if (seen === text && text.length < MAX_REMEMBERED && this.#plain.size < MAX_PLAIN) this.#plain.add(text);
      return seen;
    }
    let out = '';
    let at = 0;
    for (const span of spans) {
      const found = seen.slice(span.from, span.to);
      if (allowed.has(found) || this.#taken.has(found)) continue;
      out += seen.slice(at, span.from) + this.#standIn(found, span.kind);
      at = span.to;
    }
    if (this.#standIns.size > MAX_ORIGINALS) this.#unscanned.push({ section, where, why: 'too-many' });
    return out + seen.slice(at);
  }

  /** True if anything that would be replaced still stands in `text`, `allowed` aside. The last look before anything is written. */
  survives(text: string, allowed: ReadonlySet<string> = NONE): boolean {
    if (this.#plain.has(text)) return false;
    const seen = visible(text);
    for (const span of joinSpans([...this.#nameSpans(seen), ...patternSpans(seen)])) {
      const found = seen.slice(span.from, span.to);
      if (!this.#taken.has(found) && !allowed.has(found) && !this.#isStandInPart(found)) return true;
    }
    return false;
  }

  get unscanned(): readonly Unscanned[] {
    return this.#unscanned;
  }

  /** Names that stay because they are words that every report has: `worker`, `train`. In order of their text. */
  get kept(): readonly string[] {
    return [...this.#kept].sort();
  }

  /** The table, to be kept in the case. */
  table(): readonly StandIn[] {
    return [...this.#standIns.values()];
  }

  /** What was replaced so far, by kind. */
  summary(): readonly RedactionGroup[] {
    return REDACTION_KINDS.flatMap((kind): RedactionGroup[] => {
      const rows = [...this.#used].flatMap(([key, places]) => {
        const row = this.#standIns.get(key);
        return row?.kind === kind ? [{ ...row, places }] : [];
      });
      const most = rows.reduce<(typeof rows)[number] | undefined>(
        (best, row) => (best === undefined || row.places > best.places ? row : best),
        undefined,
      );
      if (most === undefined) return [];
      const places = rows.reduce((sum, row) => sum + row.places, 0);
      return [{ kind, places, originals: rows.length, sample: most.text, standIn: most.standIn }];
    });
  }

  #name(kind: RedactionKind, name: string): void {
    if (name.length < MIN_NAME || name.length > 512) return;
    if (kind !== 'word' && (isOwnWord(name) || this.#vocabulary.has(name.toLowerCase()))) {
      if (/\p{L}/u.test(name)) this.#kept.add(name);
      return;
    }
    const key = name.toLowerCase();
    if (this.#nameKinds.has(key)) return;
    this.#nameKinds.set(key, kind);
    this.#plain.clear();
    this.#trie.add(name);
  }

  *#nameSpans(text: string): Generator<Span> {
    for (const { from, to, name } of this.#trie.matches(text)) {
      yield { from, to, kind: this.#nameKinds.get(name) ?? 'word' };
    }
  }

  #standIn(original: string, kind: RedactionKind): string {
    const key = original.toLowerCase();
    this.#used.set(key, (this.#used.get(key) ?? 0) + 1);
    const known = this.#standIns.get(key);
    if (known !== undefined) return known.standIn;
    const standIn = this.#aliasOf(key, kind) ?? this.#newStandIn(kind);
    this.#standIns.set(key, { kind, text: original, standIn });
    return standIn;
  }

  /** `gpu-a17.cluster.internal` is `gpu-a17`. */
  #aliasOf(key: string, kind: RedactionKind): string | undefined {
    const short = key.split('.')[0] ?? '';
    if (kind !== 'host' || short === key || !this.#nameKinds.has(short)) return undefined;
    const known = this.#standIns.get(short);
    if (known !== undefined) return known.kind === 'host' ? known.standIn : undefined;
    const standIn = this.#newStandIn('host');
    this.#standIns.set(short, { kind, text: short, standIn });
    return standIn;
  }

  /** Never the name of anything real, and nothing that a later look would take for an original. */
  #newStandIn(kind: RedactionKind): string {
    // A word of the analyst's may be the very word that stand-ins begin with.
    const prefix = [PREFIX[kind], 'item', 'x'].find((one) => !this.#holdsName(`${one}-`)) ?? 'x';
    for (;;) {
      const count = (this.#counters.get(kind) ?? 0) + 1;
      this.#counters.set(kind, count);
      const standIn = `${prefix}-${count}`;
      if (this.#taken.has(standIn) || this.#holdsName(standIn)) continue;
      this.#taken.add(standIn);
      return standIn;
    }
  }

  #holdsName(text: string): boolean {
    return this.#trie.matches(text).next().done !== true;
  }

  /** A look over a finished text may join a stand-in with what stands beside it (`path-1/home`); only what is new counts. */
  #isStandInPart(found: string): boolean {
    return [...found.matchAll(/[a-z]+-\d+/g)].some(([part]) => this.#taken.has(part));
  }
}

function* patternSpans(text: string): Generator<Span> {
  const lower = text.toLowerCase();
  for (const pattern of PATTERNS) {
    if (!mayMatch(pattern, lower)) continue;
    for (const { from, to } of partsOf(pattern, text)) yield { from, to, kind: pattern.kind };
  }
}

/** In order; those that overlap become one of the kind of the first, the longer first. */
function joinSpans(spans: readonly Span[]): readonly Span[] {
  const sorted = [...spans].sort((a, b) => a.from - b.from || b.to - a.to || (a.kind < b.kind ? -1 : 1));
  const joined: Span[] = [];
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last === undefined || span.from >= last.to) joined.push(span);
    else if (span.to > last.to) joined[joined.length - 1] = { ...last, to: span.to };
  }
  return joined;
}
