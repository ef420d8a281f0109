import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DOC_LIMITS, type DocPart, type DocValue, isList, isMap } from '#shared/codecs/document-tree.ts';
import { readJsonParts } from '#shared/codecs/json/index.ts';
import { itemTexts, keysOf } from './doc-parts.ts';

/** Values as JSON.parse would give them. */
function plain(value: DocValue): unknown {
  if (isList(value)) return value.items.map(plain);
  if (isMap(value)) return Object.fromEntries([...value.entries].map(([key, item]) => [key, plain(item)]));
  return value;
}

const shown = (part: DocPart): unknown => {
  switch (part.kind) {
    case 'list':
      return ['list', plain(part.envelope)];
    case 'problem':
      return ['problem', part.problem.line, part.problem.column, part.problem.reason];
    default:
      return [part.kind, plain(part.value)];
  }
};
const read = (text: string): unknown[] => [...readJsonParts(text)].map(shown);

describe('JSON parts', () => {
  const cases: readonly [name: string, text: string, parts: unknown[]][] = [
    ['one object', '{"a":1}', [['document', { a: 1 }]]],
    [
      'a list gives its head, then its items',
      '{"items":[{"a":1},{"a":2}],"kind":"List"}',
      [
        ['list', { kind: 'List' }],
        ['item', { a: 1 }],
        ['item', { a: 2 }],
      ],
    ],
    ['an empty list', '{"kind":"List","items":[]}', [['list', { kind: 'List' }]]],
    ['items that are no array stay a field', '{"items":3}', [['document', { items: 3 }]]],
    [
      'JSON lines',
      '{"a":1}\n{"a":2}\n',
      [
        ['document', { a: 1 }],
        ['document', { a: 2 }],
      ],
    ],
    [
      'concatenated',
      '{"a":1}{"a":2}',
      [
        ['document', { a: 1 }],
        ['document', { a: 2 }],
      ],
    ],
    [
      'a bare array',
      '[{"a":1},{"a":2}]',
      [
        ['document', { a: 1 }],
        ['document', { a: 2 }],
      ],
    ],
    ['nothing', ' \n', []],
    ['a byte order mark', '\uFEFF{"a":1}', [['document', { a: 1 }]]],
    ['escapes', '{"a":"\\u00e9\\n\\"\\\\"}', [['document', { a: 'é\n"\\' }]]],
    ['a large integer stays text', '{"a":12345678901234567890}', [['document', { a: '12345678901234567890' }]]],
    ['no JSON at all', 'hello', [['problem', 1, 1, "'{' or '[' expected"]]],
    [
      'a broken document keeps those before and after',
      '{"a":1}\n{"b":}\n{"c":3}',
      [
        ['document', { a: 1 }],
        ['problem', 2, 6, 'a value expected'],
        ['document', { c: 3 }],
      ],
    ],
    [
      'a list that is cut keeps the whole items',
      '{"kind":"List","items":[\n{"a":1},\n{"a":',
      [
        ['list', { kind: 'List' }],
        ['item', { a: 1 }],
        ['problem', 3, 6, 'the text ends too early'],
      ],
    ],
    [
      'a list whose head breaks behind the items',
      '{"items":[{"a":1}],"kind":}',
      [
        ['list', {}],
        ['item', { a: 1 }],
        ['problem', 1, 27, 'a value expected'],
      ],
    ],
    ['a raw line feed in a string', '{"a":"x\ny"}', [['problem', 1, 8, 'a control character inside a string']]],
  ];
  it.each(cases)('%s', (_name, text, parts) => {
    expect(read(text)).toEqual(parts);
  });

  it('keeps a foreign key a key', () => {
    const [part] = readJsonParts('{"__proto__":{"polluted":true},"constructor":1}');
    expect(keysOf(part)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('knows where an object stands', () => {
    const text = '{"items":[ {"a":1},\n  {"a":2}]}';
    expect(itemTexts(readJsonParts(text), text)).toEqual(['{"a":1}', '{"a":2}']);
  });

  it('bounds depth and values', () => {
    const deep = '{"a":'.repeat(200) + '1' + '}'.repeat(200);
    expect(read(deep)).toEqual([['problem', 1, 501, 'nested deeper than 100']]);
    const wide = `{"a":[${'1,'.repeat(50)}1]}`;
    expect([...readJsonParts(wide, { ...DOC_LIMITS, maxNodes: 10 })].map(shown)).toEqual([
      ['problem', 1, 25, 'more than 10 values'],
    ]);
  });

  it('gives up after the allowed number of problems', () => {
    const parts = [...readJsonParts('{x}\n'.repeat(500), { ...DOC_LIMITS, maxProblems: 3 })];
    expect(parts).toHaveLength(3);
  });

  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), (value) => {
        const { items, ...rest } = value;
        const text = JSON.stringify(rest, null, 1);
        const unsafeAsText = (_key: string, item: unknown) =>
          Number.isInteger(item) && !Number.isSafeInteger(item) ? JSON.stringify(item) : item;
        expect(read(text)).toEqual([['document', JSON.parse(text, unsafeAsText)]]);
      }),
      { numRuns: 200 },
    );
  });

  it('never throws and never invents an item, wherever the text is cut', () => {
    const text = JSON.stringify({ kind: 'List', items: [{ a: 'é' }, { b: [1, { c: null }] }, { d: true }] }, null, 1);
    const whole = [...readJsonParts(text)].filter((part) => part.kind === 'item').map(shown);
    for (let cut = 0; cut < text.length; cut += 1) {
      const items = [...readJsonParts(text.slice(0, cut))].filter((part) => part.kind === 'item').map(shown);
      expect(whole.slice(0, items.length)).toEqual(items);
    }
  });
});
