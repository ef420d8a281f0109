import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAsRegex, parseQuery } from '#shared/search/parse-query.ts';
import { type Comparison, LEVELS, printQuery, type Query, type TimeText } from '#shared/search/query.ts';
import { readTime } from '#shared/search/query-values.ts';

const parsed = (text: string): Query => {
  const result = parseQuery(text);
  if (!result.ok) throw new Error(`${text}: ${result.error.expected}`);
  return result.value.query;
};
const text = (value: string): Query => ({ kind: 'text', text: value });

describe('queries', () => {
  it.each<[string, Query]>([
    ['', { kind: 'all' }],
    ['   ', { kind: 'all' }],
    ['watchdog', text('watchdog')],
    ['"exact phrase"', text('exact phrase')],
    ['"a \\"b\\" \\\\"', text('a "b" \\')],
    ['a b', { kind: 'and', items: [text('a'), text('b')] }],
    ['a AND b', { kind: 'and', items: [text('a'), text('b')] }],
    ['a b OR c', { kind: 'or', items: [{ kind: 'and', items: [text('a'), text('b')] }, text('c')] }],
    ['-a', { kind: 'not', item: text('a') }],
    ['NOT a', { kind: 'not', item: text('a') }],
    ['-(a OR b)', { kind: 'not', item: { kind: 'or', items: [text('a'), text('b')] } }],
    ['/Seq(Num)?=\\d+/i', { kind: 'regex', source: 'Seq(Num)?=\\d+', ignoreCase: true }],
    ['/checkpoints/step-4.pt', text('/checkpoints/step-4.pt')],
    [
      'rank:0-7,12',
      {
        kind: 'number',
        field: 'rank',
        ranges: [
          { from: 0, to: 7 },
          { from: 12, to: 12 },
        ],
        none: false,
      },
    ],
    ['rank:none', { kind: 'number', field: 'rank', ranges: [], none: true }],
    ['rank>=8', { kind: 'number-compare', field: 'rank', op: '>=', value: 8 }],
    ['level>=warn', { kind: 'level-compare', op: '>=', level: 'warn' }],
    ['level:E,fatal', { kind: 'level', levels: ['error', 'fatal'], none: false }],
    ['pod:train-*', { kind: 'name', field: 'pod', patterns: ['train-*'], none: false }],
    ['file:"a b.log",c', { kind: 'name', field: 'file', patterns: ['a b.log', 'c'], none: false }],
    ['has:star', { kind: 'has', what: 'star' }],
    ['ProcessGroupNCCL.cpp:616', text('ProcessGroupNCCL.cpp:616')],
    ['foo(bar)', text('foo(bar)')],
    ['(foo(bar))', text('foo(bar)')],
    ['http://x', text('http://x')],
  ])('%s', (query, tree) => expect(parsed(query)).toEqual(tree));

  it('reads times with what they leave open', () => {
    const minute: TimeText = { day: null, ofDayNs: (12 * 3600 + 3 * 60) * 1e9, unitNs: 60e9 };
    expect(parsed('t:12:03..12:05')).toMatchObject({ kind: 'time', from: minute, single: false });
    expect(parsed('t:12:03')).toEqual({ kind: 'time', from: minute, to: null, single: true });
    expect(parsed('t:..12:03')).toEqual({ kind: 'time', from: null, to: minute, single: false });
    expect(parsed('t>=12:03')).toEqual({ kind: 'time-compare', op: '>=', at: minute });
    expect(readTime('2026-03-14T12:03:40.7120')).toEqual({
      day: '2026-03-14',
      ofDayNs: (12 * 3600 + 3 * 60 + 40) * 1e9 + 712e6,
      unitNs: 1e5,
    });
    for (const none of ['24:00', '12:60', '2026-02-30', '12', 'noon', '']) expect(readTime(none), none).toBeUndefined();
  });

  it.each<[string, number, number, RegExp]>([
    ['a (b', 2, 1, /“\)” that closes/],
    ['a )', 2, 1, /none is open/],
    ['"abc', 0, 4, /closing “"”/],
    ['rank:x', 5, 1, /a number or a range/],
    ['rank:7-3', 5, 3, /a number or a range/],
    ['rank:', 5, 1, /a value/],
    ['level>=wran', 7, 4, /fatal, error, warn/],
    ['pod>=a', 3, 2, /“:” after this field/],
    ['t:noon', 2, 4, /a time such as/],
    ['has:hat', 4, 3, /“star” or “note”/],
    ['a OR ', 5, 1, /a word/],
    ['- a', 0, 1, /right after “-”/],
    ['/(/', 0, 3, /a regular expression/],
    ['/ def', 0, 5, /closing “\/”/],
  ])('%s: error at %i', (query, at, length, expected) => {
    const result = parseQuery(query);
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect(result.error.at).toBe(at);
    expect(result.error.length).toBe(length);
    expect(result.error.expected).toMatch(expected);
  });

  it('names the places of terms that must all hold', () => {
    const result = parseQuery('level>=warn rank:0 "a b" -c');
    expect(
      result.ok && result.value.terms.map(({ at, length }) => 'level>=warn rank:0 "a b" -c'.slice(at, at + length)),
    ).toEqual(['level>=warn', 'rank:0', '"a b"', '-c']);
  });

  it('takes the whole text as an expression where that is asked for', () => {
    expect(parseAsRegex('a b|c', true)).toMatchObject({
      ok: true,
      value: { query: { source: 'a b|c', ignoreCase: true } },
    });
    expect(parseAsRegex('a(', true)).toMatchObject({ ok: false, error: { at: 0, length: 2 } });
  });
});

const op = fc.constantFrom<Comparison>('>', '>=', '<', '<=');
const level = fc.constantFrom(...LEVELS);
const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((value) => value !== 'none');
const range = fc.tuple(fc.nat(9999), fc.nat(9999)).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const numberField = fc.constantFrom('rank' as const, 'seq' as const);
const time: fc.Arbitrary<TimeText> = fc
  .record({
    day: fc.constantFrom(null, '2026-03-14', '2024-02-29'),
    seconds: fc.nat(86_399),
    digits: fc.constantFrom(-1, 0, 1, 3, 6, 9),
    fraction: fc.nat(999_999_999),
  })
  .map(({ day, seconds, digits, fraction }) => {
    const unitNs = digits < 0 ? 60e9 : 10 ** (9 - digits);
    return { day, unitNs, ofDayNs: Math.floor((seconds * 1e9 + fraction) / unitNs) * unitNs };
  });

const term: fc.Arbitrary<Query> = fc.oneof(
  word.map(text),
  fc
    .constantFrom('a+b', '\\d{2}', '[x y]', '\\/')
    .chain((source) => fc.boolean().map((ignoreCase): Query => ({ kind: 'regex', source, ignoreCase }))),
  fc.record({
    kind: fc.constant('number' as const),
    field: numberField,
    ranges: fc.array(range, { minLength: 1, maxLength: 3 }),
    none: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('number-compare' as const), field: numberField, op, value: fc.nat(9999) }),
  fc.record({ kind: fc.constant('level-compare' as const), op, level }),
  fc.record({
    kind: fc.constant('level' as const),
    levels: fc.uniqueArray(level, { minLength: 1 }),
    none: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('name' as const),
    field: fc.constantFrom(
      'pod' as const,
      'node' as const,
      'file' as const,
      'src' as const,
      'group' as const,
      'tag' as const,
    ),
    patterns: fc.array(word, { minLength: 1, maxLength: 3 }),
    none: fc.boolean(),
  }),
  time.map((from): Query => ({ kind: 'time', from, to: null, single: true })),
  fc.tuple(time, fc.option(time)).map(([from, to]): Query => ({ kind: 'time', from, to, single: false })),
  fc.record({ kind: fc.constant('time-compare' as const), op, at: time }),
  fc.constantFrom<Query>({ kind: 'has', what: 'star' }, { kind: 'has', what: 'note' }),
);

const { tree } = fc.letrec<{ tree: Query }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    term,
    fc.record({ kind: fc.constant('not' as const), item: tie('tree') }),
    fc.record({ kind: fc.constant('and' as const), items: fc.array(tie('tree'), { minLength: 2, maxLength: 4 }) }),
    fc.record({ kind: fc.constant('or' as const), items: fc.array(tie('tree'), { minLength: 2, maxLength: 4 }) }),
  ),
}));

describe('printed and parsed again', () => {
  it('gives the same tree', () => {
    fc.assert(
      fc.property(tree, (query) => {
        expect(parsed(printQuery(query))).toEqual(query);
      }),
      { numRuns: 400 },
    );
  });

  it('never throws, and places its errors inside the text', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      '"',
      '/',
      '-',
      'OR ',
      'rank:',
      't:',
      'level>=',
      'a',
      ' ',
      '\\',
      ',',
      '..',
      '7',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 30 }),
          fc.array(piece, { maxLength: 14 }).map((all) => all.join('')),
        ),
        (query) => {
          const result = parseQuery(query);
          if (result.ok) {
            let end = 0;
            for (const token of result.value.tokens) {
              expect(token.at).toBeGreaterThanOrEqual(end);
              end = token.at + token.length;
            }
            expect(end).toBeLessThanOrEqual(query.length);
            return;
          }
          expect(result.error.at).toBeGreaterThanOrEqual(0);
          expect(result.error.at).toBeLessThanOrEqual(query.length);
          expect(result.error.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 500 },
    );
  });
});
