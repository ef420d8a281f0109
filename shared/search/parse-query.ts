/**
 * Text of a query → tree. Never throws; an error tells where it is and what was expected there.
 *
 *   or    := and ('OR' and)*
 *   and   := unary+                      an `AND` between is passed over
 *   unary := '-' unary | 'NOT' unary | '(' or ')' | '(' ')' | term
 *   term  := field (':' | '>' | '>=' | '<' | '<=') values | "…" | /…/i | word
 *
 * A name in front of a colon that is no field is plain text: `ProcessGroupNCCL.cpp:616`. Cost: O(n).
 */
import { err, ok, type Result } from '../lib/result.ts';
import {
  type Comparison,
  type Level,
  NAME_FIELDS,
  type NameField,
  NUMBER_FIELDS,
  type NumberField,
  type NumberRange,
  type Query,
} from './query.ts';
import { QueryCursor, type QueryToken } from './query-tokens.ts';
import { readLevel, readRange, readTime } from './query-values.ts';

export interface QueryError {
  /** Place in the text, in characters. */
  readonly at: number;
  /** At least 1, also at the end of the text. */
  readonly length: number;
  readonly expected: string;
}

export interface ParsedQuery {
  readonly query: Query;
  /** Parts in their order, for colouring. */
  readonly tokens: readonly QueryToken[];
  /** Places of the terms that must all hold; one for a query of alternatives. */
  readonly terms: readonly { readonly at: number; readonly length: number }[];
}

/** Longer queries are refused: nobody writes them by hand. */
export const MAX_QUERY = 4_000;
const MAX_DEPTH = 60;

class QueryFault extends Error {
  readonly fault: QueryError;
  constructor(at: number, length: number, expected: string) {
    super(expected);
    this.fault = { at, length: Math.max(1, length), expected };
  }
}

/** Empty text is every line. */
export function parseQuery(text: string): Result<ParsedQuery, QueryError> {
  if (text.length > MAX_QUERY) return err({ at: MAX_QUERY, length: 1, expected: `at most ${MAX_QUERY} characters` });
  const parser = new Parser(text);
  try {
    return ok(parser.whole());
  } catch (error) {
    if (error instanceof QueryFault) return err(error.fault);
    throw error;
  }
}

/** The whole text as one regular expression. */
export function parseAsRegex(text: string, ignoreCase: boolean): Result<ParsedQuery, QueryError> {
  if (text === '') return parseQuery('');
  const why = regexFault(text);
  if (why !== undefined) return err({ at: 0, length: text.length, expected: why });
  const place = { at: 0, length: text.length };
  return ok({
    query: { kind: 'regex', source: text, ignoreCase },
    tokens: [{ ...place, kind: 'regex' }],
    terms: [place],
  });
}

class Parser {
  private readonly cursor: QueryCursor;
  private depth = 0;
  private readonly terms: { at: number; length: number }[] = [];

  constructor(text: string) {
    this.cursor = new QueryCursor(text);
  }

  whole(): ParsedQuery {
    const { cursor } = this;
    cursor.skipSpace();
    if (cursor.done()) return { query: { kind: 'all' }, tokens: [], terms: [] };
    const query = this.or();
    if (!cursor.done()) throw new QueryFault(cursor.at, 1, 'no “)” here: none is open');
    const whole = { at: 0, length: cursor.text.length };
    return { query, tokens: cursor.tokens, terms: query.kind === 'or' ? [whole] : this.terms };
  }

  private or(): Query {
    const items = [this.and()];
    while (this.cursor.takeWord('OR')) items.push(this.and());
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'or', items };
  }

  private and(): Query {
    const { cursor } = this;
    const items: Query[] = [];
    for (;;) {
      cursor.skipSpace();
      if (cursor.done() || cursor.peek() === ')' || cursor.isWord('OR')) break;
      if (items.length > 0 && cursor.takeWord('AND')) continue;
      const at = cursor.at;
      items.push(this.unary());
      if (this.depth === 0) this.terms.push({ at, length: cursor.at - at });
    }
    if (items.length === 0) throw new QueryFault(cursor.at, 1, 'a word, “phrase”, /regex/ or field');
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'and', items };
  }

  private unary(): Query {
    const { cursor } = this;
    if (this.depth > MAX_DEPTH) throw new QueryFault(cursor.at, 1, `at most ${MAX_DEPTH} groups inside one another`);
    if (cursor.peek() === '-' || cursor.isWord('NOT')) {
      const at = cursor.at;
      if (cursor.peek() === '-') cursor.take(1, 'not');
      else {
        cursor.takeWord('NOT');
        cursor.skipSpace();
      }
      const next = cursor.peek();
      if (next === '' || next === ' ' || next === ')')
        throw new QueryFault(at, cursor.at - at, 'the term to leave out, right after “-”; “"-"” for a minus itself');
      this.depth += 1;
      const item = this.unary();
      this.depth -= 1;
      return { kind: 'not', item };
    }
    if (cursor.peek() === '(') return this.group();
    return this.term();
  }

  private group(): Query {
    const { cursor } = this;
    const open = cursor.at;
    cursor.take(1, 'group');
    this.depth += 1;
    cursor.skipSpace();
    const query: Query = cursor.peek() === ')' ? { kind: 'all' } : this.or();
    cursor.skipSpace();
    this.depth -= 1;
    if (cursor.peek() !== ')') throw new QueryFault(open, 1, 'a “)” that closes this group');
    cursor.take(1, 'group');
    return query;
  }

  private term(): Query {
    const { cursor } = this;
    if (cursor.peek() === '"') return { kind: 'text', text: this.quoted('text') };
    if (cursor.peek() === '/') {
      const regex = this.regex();
      if (regex !== undefined) return regex;
    }
    const field = /^([A-Za-z]{1,5})(:|>=|<=|>|<)/.exec(cursor.text.slice(cursor.at, cursor.at + 8));
    const name = field?.[1]?.toLowerCase();
    const op = field?.[2];
    if (name !== undefined && op !== undefined && isField(name)) return this.field(name, op);
    return { kind: 'text', text: cursor.takeTextWord() };
  }

  private quoted(kind: 'text' | 'value'): string {
    const { cursor } = this;
    const open = cursor.at;
    const text = cursor.takeQuoted(kind);
    if (text === undefined) throw new QueryFault(open, cursor.text.length - open, 'a closing “"”');
    if (text === '') throw new QueryFault(open, 2, 'text between the quotes');
    return text;
  }

  /** `/…/` or `/…/i`; undefined if no slash closes it before a space: then it is a path. */
  private regex(): Query | undefined {
    const { cursor } = this;
    const match = /^\/((?:[^/\\\n]|\\[^\n])+)\/(i?)(?=$|[\s)])/.exec(cursor.text.slice(cursor.at));
    if (match === null) {
      const isPath = /^\/[^\s/]+(?:\/[^\s/]+)*\/?(?=\s|$|\))/.test(cursor.text.slice(cursor.at));
      if (isPath) return undefined;
      throw new QueryFault(cursor.at, cursor.text.length - cursor.at, 'a closing “/” of the regular expression');
    }
    const source = match[1] ?? '';
    const why = regexFault(source);
    if (why !== undefined) throw new QueryFault(cursor.at, match[0].length, why);
    cursor.take(match[0].length, 'regex');
    return { kind: 'regex', source, ignoreCase: match[2] === 'i' };
  }

  private field(name: string, op: string): Query {
    const { cursor } = this;
    cursor.take(name.length + op.length, 'field');
    const at = cursor.at;
    if (op !== ':') return this.compared(name, toComparison(op), at);
    if (name === 't') return this.time();
    const values = this.values();
    const words = values.map(({ text }) => text);
    if (name === 'has') return this.has(words, at);
    const none = values.some(({ text, quoted }) => text === 'none' && !quoted);
    const known = values.filter(({ text, quoted }) => quoted || text !== 'none');
    if (name === 'level') {
      const levels = known.map((value) => this.need(readLevel(value.text), value, LEVEL_EXPECTED));
      return { kind: 'level', levels: [...new Set<Level>(levels)], none };
    }
    const numberField = NUMBER_FIELDS.find((field) => field === name);
    if (numberField !== undefined) {
      const ranges = known.map((value) => this.need(readRange(value.text), value, NUMBER_EXPECTED));
      return { kind: 'number', field: numberField, ranges, none } satisfies NumberTerm;
    }
    const nameField: NameField = NAME_FIELDS.find((field) => field === name) ?? 'file';
    return { kind: 'name', field: nameField, patterns: known.map(({ text }) => text), none };
  }

  private has(words: readonly string[], at: number): Query {
    const [what] = words;
    if (words.length === 1 && (what === 'star' || what === 'note')) return { kind: 'has', what };
    throw new QueryFault(at, this.cursor.at - at, '“star” or “note”');
  }

  private compared(name: string, op: Comparison, at: number): Query {
    const text = this.cursor.takeValue();
    const value = { text, at, quoted: false };
    if (name === 'level')
      return { kind: 'level-compare', op, level: this.need(readLevel(text), value, LEVEL_EXPECTED) };
    if (name === 't') return { kind: 'time-compare', op, at: this.need(readTime(text), value, TIME_EXPECTED) };
    const field: NumberField | undefined = NUMBER_FIELDS.find((known) => known === name);
    if (field === undefined) throw new QueryFault(at - op.length, op.length, '“:” after this field');
    const range = readRange(text);
    return {
      kind: 'number-compare',
      field,
      op,
      value: this.need(range?.from === range?.to ? range?.from : undefined, value, 'a number'),
    };
  }

  private time(): Query {
    const { cursor } = this;
    const at = cursor.at;
    const text = cursor.takeValue();
    const dots = text.indexOf('..');
    const value = { text, at, quoted: false };
    if (dots < 0) {
      return { kind: 'time', from: this.need(readTime(text), value, TIME_EXPECTED), to: null, single: true };
    }
    const [first, last] = [text.slice(0, dots), text.slice(dots + 2)];
    if (first === '' && last === '') throw new QueryFault(at, text.length, TIME_EXPECTED);
    const read = (part: string, from: number) =>
      part === '' ? null : this.need(readTime(part), { text: part, at: from, quoted: false }, TIME_EXPECTED);
    return { kind: 'time', from: read(first, at), to: read(last, at + dots + 2), single: false };
  }

  private values(): Value[] {
    const { cursor } = this;
    const values: Value[] = [];
    do {
      const at = cursor.at;
      const quoted = cursor.peek() === '"';
      const text = quoted ? this.quoted('value') : cursor.takeValue(',');
      if (text === '') throw new QueryFault(at, 1, 'a value');
      values.push({ text, at, quoted });
    } while (cursor.takeComma());
    return values;
  }

  private need<T>(read: T | undefined, value: Value, expected: string): T {
    if (read === undefined) throw new QueryFault(value.at, value.text.length, expected);
    return read;
  }
}

interface Value {
  readonly text: string;
  readonly at: number;
  readonly quoted: boolean;
}
type NumberTerm = { kind: 'number'; field: NumberField; ranges: NumberRange[]; none: boolean };

const LEVEL_EXPECTED = 'fatal, error, warn, info, debug or none';
const NUMBER_EXPECTED = 'a number or a range such as 0-7';
const TIME_EXPECTED = 'a time such as 12:03, 12:03:40.712 or 2026-03-14T12:03';

const isField = (name: string): boolean =>
  name === 'level' ||
  name === 't' ||
  name === 'has' ||
  NUMBER_FIELDS.some((field) => field === name) ||
  NAME_FIELDS.some((field) => field === name);

const toComparison = (op: string): Comparison => (op === '>' || op === '>=' || op === '<' ? op : '<=');

/** Why this is no regular expression that can be used; undefined if it is one. */
export function regexFault(source: string): string | undefined {
  try {
    return new RegExp(source, 'u') && undefined;
  } catch {
    // Many people escape what needs no escape, which only the strict form refuses.
  }
  try {
    return new RegExp(source) && undefined;
  } catch (error) {
    const why = error instanceof Error ? (error.message.split(': ').at(-1) ?? '') : '';
    return `a regular expression (${why.toLowerCase()})`;
  }
}
