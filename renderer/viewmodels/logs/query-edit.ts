/**
 * Facets as words of the query: a box that is taken away becomes `-level:info`, one that is chosen alone `level:error`. So the query
 * always says all that is filtered, and a locator keeps it.
 */
import { parseQuery } from '#shared/search/parse-query.ts';
import { nameTest, numberTest, wantedLevels } from '#shared/search/plan.ts';
import { LEVELS, type Level, printQuery, type Query } from '#shared/search/query.ts';

export type FacetField = 'level' | 'rank' | 'pod';

/** Null = not known: lines without a severity, rank or Pod. */
export type FacetValue = Level | number | string | null;

type Test = (value: FacetValue) => boolean;

/** The query as terms that must all hold; undefined if it is no query yet. */
function termsOf(text: string): readonly Query[] | undefined {
  const parsed = parseQuery(text);
  if (!parsed.ok) return undefined;
  const { query } = parsed.value;
  return query.kind === 'all' ? [] : query.kind === 'and' ? query.items : [query];
}

/** What a term says about a field alone; undefined if it is about something else. */
function testOf(term: Query, field: FacetField): Test | undefined {
  if (term.kind === 'not') {
    const inner = testOf(term.item, field);
    return inner && ((value) => !inner(value));
  }
  if (field === 'level' && (term.kind === 'level' || term.kind === 'level-compare')) {
    const wanted = wantedLevels(term);
    const none = term.kind === 'level' && term.none;
    return (value) => (value === null ? none : LEVELS.some((level) => level === value && wanted.has(level)));
  }
  if (field === 'rank' && (term.kind === 'number' || term.kind === 'number-compare') && term.field === 'rank') {
    const test = numberTest(term);
    const none = term.kind === 'number' && term.none;
    return (value) => (typeof value === 'number' ? test(value) : none);
  }
  if (field === 'pod' && term.kind === 'name' && term.field === 'pod') {
    const test = nameTest(term.patterns, false);
    return (value) => (typeof value === 'string' ? test(value) : term.none);
  }
  return undefined;
}

/** Whether lines of a value may be in the result, as far as plain terms about the field say. */
export function facetTest(text: string, field: FacetField): Test {
  const tests = (termsOf(text) ?? []).flatMap((term) => testOf(term, field) ?? []);
  return (value) => tests.every((test) => test(value));
}

interface FacetChange {
  readonly field: FacetField;
  /** All values that the facet shows. */
  readonly domain: readonly FacetValue[];
  readonly value: FacetValue;
}

/** The query with one value taken in or out. */
export function toggleFacet(text: string, { field, domain, value }: FacetChange): string {
  const test = facetTest(text, field);
  const allowed = new Set(domain.filter((item) => test(item)));
  if (allowed.has(value)) allowed.delete(value);
  else allowed.add(value);
  return withFacet(text, field, domain, allowed);
}

/** The query with one value alone, or with all if it is alone already. */
export function onlyFacet(text: string, { field, domain, value }: FacetChange): string {
  const test = facetTest(text, field);
  const allowed = domain.filter((item) => test(item));
  const alone = allowed.length === 1 && allowed[0] === value;
  return withFacet(text, field, domain, alone ? new Set(domain) : new Set([value]));
}

function withFacet(
  text: string,
  field: FacetField,
  domain: readonly FacetValue[],
  allowed: ReadonlySet<FacetValue>,
): string {
  const terms = termsOf(text);
  if (terms === undefined) return text;
  const others = terms.filter((term) => testOf(term, field) === undefined);
  const left = domain.filter((item) => allowed.has(item));
  const out = domain.filter((item) => !allowed.has(item));
  if (out.length === 0 || left.length === 0) return print(others);
  const negative = out.length <= left.length;
  const term = termFor(field, negative ? out : left);
  return print([...others, negative ? { kind: 'not', item: term } : term]);
}

const print = (terms: readonly Query[]): string => {
  const [only] = terms;
  if (only === undefined) return '';
  return printQuery(terms.length === 1 ? only : { kind: 'and', items: terms });
};

function termFor(field: FacetField, values: readonly FacetValue[]): Query {
  const none = values.includes(null);
  if (field === 'level') return { kind: 'level', levels: LEVELS.filter((level) => values.includes(level)), none };
  if (field === 'rank') {
    const numbers = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
    const ranges: { from: number; to: number }[] = [];
    for (const rank of numbers) {
      const last = ranges.at(-1);
      if (last !== undefined && last.to === rank - 1) last.to = rank;
      else ranges.push({ from: rank, to: rank });
    }
    return { kind: 'number', field: 'rank', ranges, none };
  }
  const patterns = values.filter((value) => typeof value === 'string');
  return { kind: 'name', field: 'pod', patterns, none };
}

/** The query without the characters of one term. */
export const withoutTerm = (text: string, term: { readonly at: number; readonly length: number }): string =>
  `${text.slice(0, term.at)} ${text.slice(term.at + term.length)}`.replaceAll(/\s+/g, ' ').trim();

/** Adds a term that must hold as well. */
export function withTerm(text: string, term: string): string {
  const parsed = parseQuery(text);
  if (!parsed.ok || parsed.value.query.kind === 'all') return term;
  return parsed.value.query.kind === 'or' ? `(${text.trim()}) ${term}` : `${text.trim()} ${term}`;
}
