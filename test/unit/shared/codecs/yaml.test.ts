import fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import {
  DOC_LIMITS,
  type DocPart,
  type DocValue,
  isList,
  isMap,
  numberAt,
  textAt,
} from '#shared/codecs/document-tree.ts';
import { readYamlParts } from '#shared/codecs/yaml/index.ts';
import { itemTexts, keysOf } from './doc-parts.ts';

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
      return [part.problem.effect, part.problem.line, part.problem.column];
    default:
      return [part.kind, plain(part.value)];
  }
};
const read = (text: string): unknown[] => [...readYamlParts(text)].map(shown);

describe('YAML parts', () => {
  const cases: readonly [name: string, text: string, parts: unknown[]][] = [
    ['one document', 'a: x\nb:\n  c: y\n', [['document', { a: 'x', b: { c: 'y' } }]]],
    [
      'several documents',
      '---\na: x\n---\n# only a comment\n---\nb: y\n...\n',
      [
        ['document', { a: 'x' }],
        ['document', { b: 'y' }],
      ],
    ],
    [
      'a directive in front of its document',
      'a: x\n...\n%YAML 1.2\n---\nb: y\n',
      [
        ['document', { a: 'x' }],
        ['document', { b: 'y' }],
      ],
    ],
    [
      'content on the separator line',
      '--- {a: x}\n--- {b: y}\n',
      [
        ['document', { a: 'x' }],
        ['document', { b: 'y' }],
      ],
    ],
    ['nothing', '# nothing\n\n', []],
    ['numbers stay as written', 'a: 65e7\nb: 1.10\nc: 012\n', [['document', { a: '65e7', b: '1.10', c: '012' }]]],
    [
      'null and booleans',
      'a: ~\nb:\nc: null\nd: true\ne: "true"\nf: no\n',
      [['document', { a: null, b: null, c: null, d: true, e: 'true', f: 'no' }]],
    ],
    ['block scalars', 'a: |\n  x\n   y\nb: >-\n  x\n  y\n', [['document', { a: 'x\n y\n', b: 'x y' }]]],
    [
      'a list: head, then items',
      'apiVersion: v1\nitems:\n- a: x\n  b: y\n- a: z\nkind: List\n',
      [
        ['list', { apiVersion: 'v1', kind: 'List' }],
        ['item', { a: 'x', b: 'y' }],
        ['item', { a: 'z' }],
      ],
    ],
    [
      'a list with indented items',
      'kind: List\nitems:\n  - a: x\n  # note\n  - a: z\nmetadata: {}\n',
      [
        ['list', { kind: 'List', metadata: {} }],
        ['item', { a: 'x' }],
        ['item', { a: 'z' }],
      ],
    ],
    ['an empty list', 'kind: List\nitems: []\n', [['document', { kind: 'List', items: [] }]]],
    [
      'dashes deeper inside an item do not end it',
      'items:\n- a:\n  - x\n  - y\n- b: |\n    - not an item\n',
      [
        ['list', {}],
        ['item', { a: ['x', 'y'] }],
        ['item', { b: '- not an item\n' }],
      ],
    ],
    [
      'a top-level sequence',
      '- a: x\n- a: y\n',
      [
        ['document', { a: 'x' }],
        ['document', { a: 'y' }],
      ],
    ],
    [
      'a broken document keeps those before and after',
      'a: x\n---\nb: [1\n---\nc: y\n',
      [
        ['document', { a: 'x' }],
        ['lost', 4, 1],
        ['document', { c: 'y' }],
      ],
    ],
    [
      'a broken item keeps the others',
      'items:\n- a: x\n- b: "y\n- c: z\n',
      [
        ['list', {}],
        ['item', { a: 'x' }],
        ['lost', 4, 1],
        ['item', { c: 'z' }],
      ],
    ],
    [
      'a head that breaks behind the items',
      'items:\n- a: x\nkind: "y\n',
      [
        ['lost', 4, 1],
        ['list', {}],
        ['item', { a: 'x' }],
      ],
    ],
    [
      'of two equal keys the later one',
      'a: x\na: y\n',
      [
        ['note', 2, 5],
        ['document', { a: 'y' }],
      ],
    ],
    [
      'a tag builds nothing',
      'a: !!python/object/apply:os.system ["x"]\n',
      [
        ['note', 1, 4],
        ['document', { a: ['x'] }],
      ],
    ],
    ['an alias is its value', 'a: &x {b: c}\nd: *x\n', [['document', { a: { b: 'c' }, d: { b: 'c' } }]]],
    ['an alias into itself', 'a: &x [*x]\n', [['lost', 1, 9]]],
    ['an alias to nothing', 'a: *x\n', [['lost', 1, 5]]],
    ['a NUL', 'a: x\0\n', [['lost', 1, 5]]],
  ];
  it.each(cases)('%s', (_name, text, parts) => {
    expect(read(text)).toEqual(parts);
  });

  it('shares what an alias points at instead of copying it', () => {
    let bomb = 'a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n';
    for (let i = 1; i < 20; i += 1) bomb += `a${i}: &a${i} [${`*a${i - 1},`.repeat(10)}]\n`;
    const [part] = readYamlParts(bomb);
    const value = part?.kind === 'document' && isMap(part.value) ? part.value.entries.get('a19') : undefined;
    expect(isList(value) && value.items[0] === value.items[9]).toBe(true);
  });

  it('keeps a foreign key a key', () => {
    const [part] = readYamlParts('__proto__:\n  polluted: true\nconstructor: x\n');
    expect(keysOf(part)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('knows where each item stands', () => {
    const text = 'kind: List\nitems:\n- a: x\n- a: y\n';
    expect(itemTexts(readYamlParts(text), text)).toEqual(['a: x', 'a: y']);
  });

  it('bounds depth, values and problems', () => {
    expect(read(`a: ${'['.repeat(150)}${']'.repeat(150)}\n`)[0]).toEqual(['lost', 1, 103]);
    expect([...readYamlParts('a: [1,2,3,4]\n', { ...DOC_LIMITS, maxNodes: 4 })].map(shown)[0]).toEqual(['lost', 1, 6]);
    expect([...readYamlParts('a: [\n---\n'.repeat(100), { ...DOC_LIMITS, maxProblems: 4 })]).toHaveLength(4);
  });

  it('reads back what js-yaml writes', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(text, tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(fc.dictionary(text, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true }), (document) => {
        const { items, ...rest } = document;
        fc.pre(Object.keys(rest).length > 0);
        expect(read(`---\n${dump(rest)}`)).toEqual([['document', JSON.parse(JSON.stringify(rest))]]);
      }),
      { numRuns: 200 },
    );
  });

  it('never throws, wherever the text is cut', () => {
    const text =
      'apiVersion: v1\nitems:\n- a: "x\\n"\n  b: |\n    y\n- c: [1, {d: e}]\n  f: &g h\nkind: List\n---\ni: *g\n';
    for (let cut = 0; cut <= text.length; cut += 1) expect(() => read(text.slice(0, cut))).not.toThrow();
  });

  it('is linear in the number of items', () => {
    const item = '- metadata:\n    name: x\n    labels:\n      a: b\n';
    const count = [...readYamlParts(`items:\n${item.repeat(20_000)}`)].filter((part) => part.kind === 'item').length;
    expect(count).toBe(20_000);
  });
});

describe('accessors', () => {
  const [part] = readYamlParts('a:\n  n: "12"\n  m: 3.5\n  t: x\n  u: ~\n');
  const value = part?.kind === 'document' ? part.value : undefined;
  it.each([
    [numberAt(value, 'a', 'n'), 12],
    [numberAt(value, 'a', 'm'), 3.5],
    [numberAt(value, 'a', 't'), undefined],
    [textAt(value, 'a', 'm'), '3.5'],
    [textAt(value, 'a', 'u'), undefined],
    [textAt(value, 'a', 'x', 'y'), undefined],
  ])('%#', (got, expected) => {
    expect(got).toBe(expected);
  });
});
