/**
 * A search for log lines as a tree.
 *
 *   word "exact phrase" -not a OR b (…) /regex/i rank:0-7,12 level>=warn t:12:03..12:05
 *
 * Terms side by side must all hold; OR binds weaker than that. Plain text is a substring, not a word.
 */

export const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
/** Severity of a log line, mildest first in `LEVELS`. */
export type Level = (typeof LEVELS)[number];

export const NUMBER_FIELDS = ['rank', 'seq'] as const;
export const NAME_FIELDS = ['pod', 'node', 'file', 'group', 'src', 'tag'] as const;
export type NumberField = (typeof NUMBER_FIELDS)[number];
export type NameField = (typeof NAME_FIELDS)[number];

/** Both ends inside. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

export type Comparison = '>' | '>=' | '<' | '<=';

/** A moment as it was written: with a day, or a time of day that the case gives the day to. */
export interface TimeText {
  /** `2026-03-14`, or null. */
  readonly day: string | null;
  /** ns since midnight UTC. */
  readonly ofDayNs: number;
  /** Length of what was left out: `12:03` is a minute. ns. */
  readonly unitNs: number;
}

export type Query =
  | { readonly kind: 'all' }
  | { readonly kind: 'and'; readonly items: readonly Query[] }
  | { readonly kind: 'or'; readonly items: readonly Query[] }
  | { readonly kind: 'not'; readonly item: Query }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'regex'; readonly source: string; readonly ignoreCase: boolean }
  /** `none`: also lines of which the number is not known. */
  | {
      readonly kind: 'number';
      readonly field: NumberField;
      readonly ranges: readonly NumberRange[];
      readonly none: boolean;
    }
  | { readonly kind: 'number-compare'; readonly field: NumberField; readonly op: Comparison; readonly value: number }
  | { readonly kind: 'level'; readonly levels: readonly Level[]; readonly none: boolean }
  | { readonly kind: 'level-compare'; readonly op: Comparison; readonly level: Level }
  /** Whole names, `*` for any characters; of files a part of the path is enough. */
  | { readonly kind: 'name'; readonly field: NameField; readonly patterns: readonly string[]; readonly none: boolean }
  /** `from` is inside, `to` is outside; null = open. A single moment is its whole unit. */
  | { readonly kind: 'time'; readonly from: TimeText | null; readonly to: TimeText | null; readonly single: boolean }
  | { readonly kind: 'time-compare'; readonly op: Comparison; readonly at: TimeText }
  | { readonly kind: 'has'; readonly what: 'star' | 'note' };

/** The text that parses to this tree again. */
export function printQuery(query: Query): string {
  return print(query, 'top');
}

type Around = 'top' | 'or' | 'and' | 'not';

function print(query: Query, around: Around): string {
  switch (query.kind) {
    case 'all':
      return around === 'top' ? '' : '()';
    case 'or': {
      const text = query.items.map((item) => print(item, 'or')).join(' OR ');
      return around === 'top' ? text : `(${text})`;
    }
    case 'and': {
      const text = query.items.map((item) => print(item, 'and')).join(' ');
      return around === 'top' || around === 'or' ? text : `(${text})`;
    }
    case 'not':
      return `-${print(query.item, 'not')}`;
    default:
      return printTerm(query);
  }
}

type Term = Exclude<Query, { readonly kind: 'all' | 'and' | 'or' | 'not' }>;

function printTerm(term: Term): string {
  switch (term.kind) {
    case 'text':
      return isPlainWord(term.text) ? term.text : quote(term.text);
    case 'regex':
      return `/${term.source}/${term.ignoreCase ? 'i' : ''}`;
    case 'number': {
      const parts = term.ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
      return `${term.field}:${(term.none ? [...parts, 'none'] : parts).join(',')}`;
    }
    case 'number-compare':
      return `${term.field}${term.op}${term.value}`;
    case 'level':
      return `level:${(term.none ? [...term.levels, 'none'] : term.levels).join(',')}`;
    case 'level-compare':
      return `level${term.op}${term.level}`;
    case 'name': {
      const parts = term.patterns.map((pattern) => (isPlainValue(pattern) ? pattern : quote(pattern)));
      return `${term.field}:${(term.none ? [...parts, 'none'] : parts).join(',')}`;
    }
    case 'time':
      return term.single
        ? `t:${term.from === null ? '' : printTime(term.from)}`
        : `t:${term.from === null ? '' : printTime(term.from)}..${term.to === null ? '' : printTime(term.to)}`;
    case 'time-compare':
      return `t${term.op}${printTime(term.at)}`;
    case 'has':
      return `has:${term.what}`;
  }
}

const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const FIELD_LIKE = /^(?:rank|seq|level|pod|node|file|group|src|tag|t|has)(?::|>|<)/i;

/** True for text that parses as one word without quotes. */
export const isPlainWord = (text: string): boolean =>
  /^[^\s"()/\\-][^\s"()\\]*$/.test(text) && !/^(?:OR|AND|NOT)$/.test(text) && !FIELD_LIKE.test(text);

const isPlainValue = (text: string): boolean => /^[^\s",()\\]+$/.test(text) && text !== 'none';

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

const NS_PER_SECOND = 1e9;

export function printTime({ day, ofDayNs, unitNs }: TimeText): string {
  const whole = Math.floor(ofDayNs / NS_PER_SECOND);
  const clock = `${pad(Math.floor(whole / 3600), 2)}:${pad(Math.floor(whole / 60) % 60, 2)}`;
  const digits = unitNs < NS_PER_SECOND ? Math.round(9 - Math.log10(unitNs)) : 0;
  const fraction = digits === 0 ? '' : `.${pad(Math.round((ofDayNs - whole * NS_PER_SECOND) / unitNs), digits)}`;
  const seconds = unitNs > NS_PER_SECOND ? '' : `:${pad(whole % 60, 2)}${fraction}`;
  return `${day === null ? '' : `${day}T`}${clock}${seconds}`;
}
