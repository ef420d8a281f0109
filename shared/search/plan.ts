/**
 * A query made ready for one case. Three values for what is known before a line is read (file, block): true, false, null = perhaps.
 * Then yes or no for each line. Lines are only read where the answer is null.
 */
import { foldCase } from './fold-case.ts';
import type { Level, NameField, Query, TimeText } from './query.ts';
import { LEVELS } from './query.ts';

export type Perhaps = boolean | null;

/** What is known of a file before it is read. */
export interface FileScope {
  readonly path: string;
  /** Pods whose lines it may hold, with their nodes; empty = it is no Pod's. */
  readonly places: readonly { readonly pod: string | null; readonly node: string | null }[];
  /** Ranks whose lines it may hold; null = cannot be told. */
  readonly ranks: ReadonlySet<number> | null;
  /** Words for `src:`. */
  readonly sources: readonly string[];
}

/** Keys of the lines of a block: ns from the origin on the present basis, both ends inside. */
export interface KeySpan {
  readonly fromNs: number;
  readonly toNs: number;
}

export interface LineView {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  /** `text` in lower case, only asked for where case does not matter. */
  lower(): string;
  facts(): ResolvedFacts;
}

export interface ResolvedFacts {
  readonly rank: number | null;
  readonly pod: string | null;
  readonly node: string | null;
  level(): Level | null;
  /** Place in time, ns; that of the line before if it has no stamp of its own. */
  readonly keyNs: number;
}

export interface PlanContext {
  readonly matchCase: boolean;
  /** A moment to ns from the origin. */
  readonly resolveTime: (time: TimeText) => number;
  /** Lines of a file that a term about groups, numbers of calls or notes names; null = none in it. */
  readonly markedLines: (term: MarkTerm, path: string) => ReadonlySet<number> | null;
}

export type MarkTerm =
  | Extract<Query, { readonly kind: 'has' }>
  | (Extract<Query, { readonly kind: 'name' }> & { readonly field: 'group' | 'tag' })
  | (Extract<Query, { readonly kind: 'number' | 'number-compare' }> & { readonly field: 'seq' });

export interface Plan {
  readonly onFile: (file: FileScope) => Perhaps;
  readonly onBlock: (file: FileScope, span: KeySpan) => Perhaps;
  readonly onLine: (line: LineView, file: FileScope) => boolean;
  /** One of them occurs in every line that matches; null = nothing must occur. Lower case unless case matters. */
  readonly needles: readonly string[] | null;
  /** True if a line matches if and only if one of the needles occurs in it. */
  readonly needlesDecide: boolean;
  /** A line that matches is at least so severe; null if it need not have a severity. */
  readonly leastLevel: Level | null;
  /** Each finds something in ASCII text of several lines if one of the lines matches, at the line's match or before. Global: set `lastIndex`. */
  readonly blockTests: readonly RegExp[];
}

export function makePlan(query: Query, context: PlanContext): Plan {
  const node = prepare(query, context);
  const needles = needlesOf(query, context);
  return {
    onFile: (file) => node.scope(file, undefined),
    onBlock: (file, span) => node.scope(file, span),
    onLine: (line, file) => node.line(line, file),
    needles,
    needlesDecide: query.kind === 'text' || (query.kind === 'or' && query.items.every(({ kind }) => kind === 'text')),
    leastLevel: LEVELS[leastOf(query) ?? -1] ?? null,
    blockTests: blockTests(query, context.matchCase),
  };
}

interface Node {
  readonly scope: (file: FileScope, span: KeySpan | undefined) => Perhaps;
  readonly line: (line: LineView, file: FileScope) => boolean;
}

function prepare(query: Query, context: PlanContext): Node {
  switch (query.kind) {
    case 'all':
      return { scope: () => true, line: () => true };
    case 'and': {
      const items = query.items.map((item) => prepare(item, context));
      return {
        scope: (file, span) => allOf(items, (item) => item.scope(file, span)),
        line: (line, file) => items.every((item) => item.line(line, file)),
      };
    }
    case 'or': {
      const items = query.items.map((item) => prepare(item, context));
      return {
        scope: (file, span) => anyOf(items, (item) => item.scope(file, span)),
        line: (line, file) => items.some((item) => item.line(line, file)),
      };
    }
    case 'not': {
      const item = prepare(query.item, context);
      return {
        scope: (file, span) => {
          const known = item.scope(file, span);
          return known === null ? null : !known;
        },
        line: (line, file) => !item.line(line, file),
      };
    }
    case 'text': {
      const text = context.matchCase ? query.text : query.text.toLowerCase();
      return onText((line) => (context.matchCase ? line.text : line.lower()).includes(text));
    }
    case 'regex': {
      const regex = compileRegex(query.source, query.ignoreCase || !context.matchCase);
      return onText((line) => regex.test(line.text));
    }
    case 'level':
    case 'level-compare': {
      const wanted = wantedLevels(query);
      const none = query.kind === 'level' && query.none;
      return onText((line) => {
        const level = line.facts().level();
        return level === null ? none : wanted.has(level);
      });
    }
    case 'number':
    case 'number-compare':
      if (query.field === 'seq') return onMarks({ ...query, field: 'seq' }, context);
      return onRank(query);
    case 'name':
      return query.field === 'group' || query.field === 'tag'
        ? onMarks({ ...query, field: query.field }, context)
        : onName(query.field, query);
    case 'time':
    case 'time-compare':
      return onTime(timeSpan(query, context));
    case 'has':
      return onMarks(query, context);
  }
}

const onText = (test: (line: LineView) => boolean): Node => ({ scope: () => null, line: test });

/**
 * Without the flags `i` and `u` where they can be done without: with them V8 has no engine that is sure to end. The strict form
 * counts characters beyond 0xffff as one.
 */
export function compileRegex(source: string, ignoreCase: boolean, more = ''): RegExp {
  const folded = ignoreCase ? foldCase(source) : source;
  const flags = `${folded === undefined ? 'i' : ''}${more}`;
  if (/\\[pP]|\\u\{|[^\x00-\x7f]/.test(source)) {
    try {
      return new RegExp(source, `${ignoreCase ? 'i' : ''}${more}u`);
    } catch {
      // Only the other form is one.
    }
  }
  return new RegExp(folded ?? source, flags);
}

function allOf<T>(items: readonly T[], test: (item: T) => Perhaps): Perhaps {
  let result: Perhaps = true;
  for (const item of items) {
    const known = test(item);
    if (known === false) return false;
    if (known === null) result = null;
  }
  return result;
}

function anyOf<T>(items: readonly T[], test: (item: T) => Perhaps): Perhaps {
  let result: Perhaps = false;
  for (const item of items) {
    const known = test(item);
    if (known === true) return true;
    if (known === null) result = null;
  }
  return result;
}

type LevelTerm = Extract<Query, { readonly kind: 'level' | 'level-compare' }>;

export function wantedLevels(term: LevelTerm): ReadonlySet<Level> {
  if (term.kind === 'level') return new Set(term.levels);
  const at = LEVELS.indexOf(term.level);
  return new Set(LEVELS.filter((_, index) => compares(index, term.op, at)));
}

function compares(value: number, op: '>' | '>=' | '<' | '<=', other: number): boolean {
  switch (op) {
    case '>':
      return value > other;
    case '>=':
      return value >= other;
    case '<':
      return value < other;
    case '<=':
      return value <= other;
  }
}

type NumberTerm = Extract<Query, { readonly kind: 'number' | 'number-compare' }>;

export function numberTest(term: NumberTerm): (value: number) => boolean {
  if (term.kind === 'number-compare') return (value) => compares(value, term.op, term.value);
  return (value) => term.ranges.some(({ from, to }) => value >= from && value <= to);
}

function onRank(term: NumberTerm): Node {
  const test = numberTest(term);
  const none = term.kind === 'number' && term.none;
  return {
    scope: ({ ranks }) => (ranks === null || none || [...ranks].some(test) ? null : false),
    line: (line) => {
      const { rank } = line.facts();
      return rank === null ? none : test(rank);
    },
  };
}

type NameTerm = Extract<Query, { readonly kind: 'name' }>;

/** `*` stands for any characters; case does not matter in names. */
export function nameTest(patterns: readonly string[], part: boolean): (name: string) => boolean {
  const tests = patterns.map((pattern) => {
    const text = pattern.toLowerCase();
    const pieces = text.split('*');
    if (pieces.length === 1) return part ? (name: string) => name.includes(text) : (name: string) => name === text;
    return (name: string) => matchesPieces(name, pieces, part);
  });
  return (name) => {
    const lower = name.toLowerCase();
    return tests.some((test) => test(lower));
  };
}

/** Pieces in their order; the first and the last at the ends unless a part is enough. O(name · pieces). */
function matchesPieces(name: string, pieces: readonly string[], part: boolean): boolean {
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const last = index === pieces.length - 1;
    if (!part && last) return name.length - piece.length >= at && name.endsWith(piece);
    const found = !part && index === 0 ? (name.startsWith(piece) ? 0 : -1) : name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

function onName(field: Exclude<NameField, 'group' | 'tag'>, term: NameTerm): Node {
  const test = nameTest(term.patterns, field === 'file');
  if (field === 'file') return fixed(({ path }) => test(path));
  if (field === 'src') return fixed(({ sources }) => sources.some(test) || (term.none && sources.length === 0));
  const known = (name: string | null): boolean => (name === null ? term.none : test(name));
  return {
    scope: ({ places }) => {
      if (places.length === 0) return null;
      const results = places.map((place) => known(place[field]));
      return results.every(Boolean) ? true : results.some(Boolean) ? null : false;
    },
    line: (line) => known(line.facts()[field]),
  };
}

const fixed = (test: (file: FileScope) => boolean): Node => ({ scope: test, line: (_, file) => test(file) });

function onMarks(term: MarkTerm, context: PlanContext): Node {
  const lines = new Map<string, ReadonlySet<number> | null>();
  const of = (path: string): ReadonlySet<number> | null => {
    let known = lines.get(path);
    if (known === undefined) {
      known = context.markedLines(term, path);
      lines.set(path, known);
    }
    return known;
  };
  return {
    scope: ({ path }) => (of(path) === null ? false : null),
    line: (line, { path }) => of(path)?.has(line.line) === true,
  };
}

type TimeTerm = Extract<Query, { readonly kind: 'time' | 'time-compare' }>;

/** [from, to) in ns from the origin. */
function timeSpan(term: TimeTerm, { resolveTime }: PlanContext): { readonly from: number; readonly to: number } {
  if (term.kind === 'time-compare') {
    const at = resolveTime(term.at);
    const after = at + term.at.unitNs;
    if (term.op === '>=') return { from: at, to: Number.POSITIVE_INFINITY };
    if (term.op === '>') return { from: after, to: Number.POSITIVE_INFINITY };
    return { from: Number.NEGATIVE_INFINITY, to: term.op === '<' ? at : after };
  }
  const from = term.from === null ? Number.NEGATIVE_INFINITY : resolveTime(term.from);
  if (term.single) return { from, to: from + (term.from?.unitNs ?? 0) };
  return { from, to: term.to === null ? Number.POSITIVE_INFINITY : resolveTime(term.to) };
}

function onTime({ from, to }: { readonly from: number; readonly to: number }): Node {
  return {
    scope: (_, span) => {
      if (span === undefined) return null;
      if (span.toNs < from || span.fromNs >= to) return false;
      return span.fromNs >= from && span.toNs < to ? true : null;
    },
    line: (line) => {
      const { keyNs } = line.facts();
      return keyNs >= from && keyNs < to;
    },
  };
}

function needlesOf(query: Query, context: PlanContext): readonly string[] | null {
  switch (query.kind) {
    case 'text':
      return [context.matchCase ? query.text : query.text.toLowerCase()];
    case 'and': {
      let best: readonly string[] | null = null;
      for (const item of query.items) {
        const found = needlesOf(item, context);
        if (found !== null && (best === null || shortest(found) > shortest(best))) best = found;
      }
      return best;
    }
    case 'or': {
      const all: string[] = [];
      for (const item of query.items) {
        const found = needlesOf(item, context);
        if (found === null) return null;
        all.push(...found);
      }
      return all;
    }
    default:
      return null;
  }
}

const shortest = (needles: readonly string[]): number => Math.min(...needles.map(({ length }) => length));

/** Index of a level that every matching line has or exceeds; null = none. What no line fulfils asks for the worst. */
function leastOf(query: Query): number | null {
  switch (query.kind) {
    case 'level':
      return query.none ? null : mildest(query.levels);
    case 'level-compare':
      return mildest([...wantedLevels(query)]);
    case 'and': {
      const least = query.items.map(leastOf).filter((level) => level !== null);
      return least.length === 0 ? null : Math.max(...least);
    }
    case 'or': {
      const least = query.items.map(leastOf);
      return least.includes(null) ? null : Math.min(...least.map((level) => level ?? 0));
    }
    default:
      return null;
  }
}

const mildest = (levels: readonly Level[]): number =>
  Math.min(LEVELS.length - 1, ...levels.map((level) => LEVELS.indexOf(level)));

/**
 * Expressions that every matching line fulfils, for text of many lines: `^` and `$` mean lines there, and a match that spans lines
 * only lets a block through. What looks around would see other lines: such expressions are left to single lines.
 */
function blockTests(query: Query, matchCase: boolean): readonly RegExp[] {
  if (query.kind === 'and') return query.items.flatMap((item) => blockTests(item, matchCase));
  if (query.kind !== 'regex' || /\(\?[=!<]|\\[1-9kpP]/.test(query.source)) return [];
  return [compileRegex(query.source, query.ignoreCase || !matchCase, 'gm')];
}
