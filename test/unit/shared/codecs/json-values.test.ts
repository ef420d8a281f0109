import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonValues } from '#shared/codecs/json-values/index.ts';
import {
  DEFAULT_ARENA_LIMITS,
  DICT,
  FALSE,
  FLOAT,
  INT,
  LIST,
  NONE,
  STRING,
  TRUE,
  type ValueArena,
} from '#shared/codecs/value-arena/index.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function plain(arena: ValueArena, kind: number, num: number): unknown {
  if (kind === NONE) return null;
  if (kind === TRUE || kind === FALSE) return kind === TRUE;
  if (kind === INT || kind === FLOAT) return num;
  if (kind === STRING) return arena.text(num);
  if (kind === LIST) {
    const items: unknown[] = [];
    arena.each(num, (at) => {
      items.push(plain(arena, arena.kindAt(at), arena.numAt(at)));
      return true;
    });
    return items;
  }
  if (kind !== DICT) return arena.bigInt(kind, num);
  const pairs: [string, unknown][] = [];
  arena.pairs(num, (keyAt, at) => {
    pairs.push([arena.text(arena.numAt(keyAt)), plain(arena, arena.kindAt(at), arena.numAt(at))]);
  });
  return new Map(pairs);
}

function decode(text: string): unknown {
  const read = readJsonValues(bytes(text));
  if (read.kind !== 'value') throw new Error(`${read.kind} ${JSON.stringify({ ...read, arena: undefined })}`);
  return plain(read.arena, read.rootKind, read.rootNum);
}

const asMap = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asMap);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, asMap(item)]));
};

/** Whole numbers beyond 2^53 as doubles: exact here, rounded by JSON.parse. Beyond 64 bits they have no value here. */
const rounded = (value: unknown): unknown => {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) >= 2 ** 63 && Math.abs(value) < 1e21)
    return undefined;
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  return value instanceof Map ? new Map([...value].map(([key, item]) => [key, rounded(item)])) : value;
};

describe('JSON values', () => {
  it('agrees with JSON.parse on anything that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        expect(rounded(decode(text))).toEqual(rounded(asMap(JSON.parse(text))));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [
      'exact nanoseconds',
      '[1758581237532111217,-1758581237532111217,9007199254740991,9007199254740993]',
      [1_758_581_237_532_111_217n, -1_758_581_237_532_111_217n, 9_007_199_254_740_991, 9_007_199_254_740_993n],
    ],
    ['beyond 64 bits: an integer without a value', '[99999999999999999999999]', [undefined]],
    ['floats', '[1.5,-2e3,0.0]', [1.5, -2000, 0]],
    [
      'what Python writes',
      '[NaN,Infinity,-Infinity]',
      [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    ],
    ['escapes', '["a\\"b\\\\\\u00e9\\n\\/"]', ['a"b\\é\n/']],
    [
      'blanks and a byte order mark',
      '\ufeff { "a" : [ ] , "b" : { } } ',
      new Map<string, unknown>([
        ['a', []],
        ['b', new Map()],
      ]),
    ],
  ])('%s', (_name, text, value) => {
    expect(decode(text)).toEqual(value);
  });

  it('stores equal strings once', () => {
    const read = readJsonValues(
      bytes(JSON.stringify(Array.from({ length: 5_000 }, (_, i) => ({ name: 'same', other: `v${i % 50}` })))),
    );
    expect(read.kind === 'value' && read.arena.stringCount).toBe(53);
  });

  it.each(['{"a":1,}', '[1 2]', '{"a" 1}', '{a:1}', '[tru]', '[-]', '[1', ']', '[}', '{"a":}', '[1,]', '"abc', ''])(
    'does not accept %s',
    (text) => {
      expect(readJsonValues(bytes(text)).kind).not.toBe('value');
    },
  );

  it('tells where the value ends when more follows', () => {
    expect(readJsonValues(bytes('{} x'))).toMatchObject({ kind: 'value', end: 2 });
    expect(readJsonValues(bytes('{}\n\n'))).toMatchObject({ kind: 'value', end: 4 });
  });

  it('limits nesting', () => {
    expect(readJsonValues(bytes('['.repeat(100_000)))).toMatchObject({
      kind: 'limit',
      what: '64 containers inside each other',
    });
    expect(readJsonValues(bytes(`[${'1,'.repeat(99)}1]`), { ...DEFAULT_ARENA_LIMITS, maxItems: 50 })).toMatchObject({
      kind: 'limit',
    });
  });

  it('keeps whole values of a cut text', () => {
    const text = '{"version":"2.9","entries":[{"a":1},{"a":2},{"a":3';
    const read = readJsonValues(bytes(text));
    if (read.kind !== 'truncated') throw new Error(read.kind);
    const [root, list, entry] = read.open;
    expect(root && plain(read.arena, root.kind, root.container)).toEqual(new Map([['version', '2.9']]));
    expect(list && plain(read.arena, list.kind, list.container)).toEqual([new Map([['a', 1]]), new Map([['a', 2]])]);
    // The number may go on behind the cut: not kept.
    expect(entry && plain(read.arena, entry.kind, entry.container)).toEqual(new Map());
  });

  it('never throws, whatever the bytes', () => {
    const text = JSON.stringify({ version: '2.10', entries: [{ a: [1, 'x\n'], b: null }] });
    for (let cut = 0; cut < text.length; cut++)
      expect(readJsonValues(bytes(text.slice(0, cut))).kind).toBe('truncated');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'{}[]",:0123456789-+.eEtrufalsn\\ \n'), { maxLength: 200 }),
        (letters) => {
          expect(['value', 'truncated', 'invalid', 'limit']).toContain(readJsonValues(bytes(letters.join(''))).kind);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
