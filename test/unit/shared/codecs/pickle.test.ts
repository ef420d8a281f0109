import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPickle } from '#shared/codecs/pickle/index.ts';
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
  TUPLE,
  type ValueArena,
} from '#shared/codecs/value-arena/index.ts';
import {
  Float,
  type PickleStyle,
  type Plain,
  pickleBytes,
  Tuple,
  writePickle,
} from '../../../support/pickle-writer.ts';

const STYLES: readonly PickleStyle[] = ['cpp', 'python2', 'python4', 'python5'];

/** Values of an arena as plain data, for small results only. */
function plain(arena: ValueArena, kind: number, num: number): unknown {
  if (kind === NONE) return null;
  if (kind === TRUE || kind === FALSE) return kind === TRUE;
  if (kind === INT) return BigInt(num);
  if (kind === FLOAT) return new Float(num);
  if (kind === STRING) return arena.text(num);
  if (kind !== LIST && kind !== TUPLE && kind !== DICT) return arena.bigInt(kind, num);
  const items: unknown[] = [];
  arena.each(num, (at) => {
    items.push(plain(arena, arena.kindAt(at), arena.numAt(at)));
    return true;
  });
  if (kind === LIST) return items;
  return kind === TUPLE ? { tuple: items } : { dict: items };
}

function expected(value: Plain): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (typeof value !== 'object' || value === null || value instanceof Float) return value;
  if (value instanceof Tuple) return { tuple: value.items.map(expected) };
  if (Array.isArray(value)) return value.map(expected);
  const pairs = value instanceof Map ? [...value] : Object.entries(value);
  return { dict: pairs.flatMap(([key, item]) => [expected(key), expected(item as Plain)]) };
}

function decode(bytes: Uint8Array): unknown {
  const read = readPickle(bytes);
  if (read.kind !== 'value') throw new Error(JSON.stringify({ ...read, arena: undefined }));
  return plain(read.arena, read.rootKind, read.rootNum);
}

const VALUES: readonly (readonly [string, Plain])[] = [
  ['small integers', [0, 1, 255, 256, 65_535, 65_536, -1, -(2 ** 31), 2 ** 31 - 1]],
  ['integers beyond 32 bits', [2 ** 31, -(2 ** 31) - 1, 2n ** 53n - 1n, -(2n ** 53n) + 1n]],
  [
    'nanoseconds: exact beyond 2^53',
    [1_758_581_237_532_111_217n, -1_758_581_237_532_111_217n, 2n ** 63n - 1n, -(2n ** 63n)],
  ],
  ['scalars', [null, true, false, new Float(1.25), new Float(-0.5), 'text', '', 'Ωμ𝄞']],
  ['empty containers', [[], {}, new Tuple()]],
  ['tuples of every size', [new Tuple('a'), new Tuple('a', 'b'), new Tuple('a', 'b', 3)]],
  [
    'nested dicts with text and number keys',
    {
      a: { b: [1, { c: 2 }] },
      d: new Map<Plain, Plain>([
        [0, [1]],
        [1, []],
      ]),
    },
  ],
  ['one item, which Python appends singly', { only: [7] }],
  ['more items than one batch of Python', Array.from({ length: 2_345 }, (_, i) => i)],
  ['a key that is special in JavaScript', { __proto__x: 1, constructor: 2, ['__proto__']: 3 }],
];

describe('what honest producers write', () => {
  for (const style of STYLES) {
    it.each(VALUES)(`${style}: %s`, (_name, value) => {
      expect(decode(writePickle(value, style))).toEqual(expected(value));
    });
  }

  it('keeps a shared container one container', () => {
    const frame = { name: 'f', line: 1 };
    for (const style of STYLES) {
      const read = readPickle(writePickle([frame, frame, frame], style));
      if (read.kind !== 'value') throw new Error(read.kind);
      const ids: number[] = [];
      read.arena.each(read.rootNum, (at) => {
        ids.push(read.arena.numAt(at));
        return true;
      });
      expect(new Set(ids).size).toBe(1);
      expect(ids).toHaveLength(3);
    }
  });

  it('decodes invalid UTF-8 with replacement', () => {
    expect(decode(pickleBytes(0x80, 2, 0x58, 2, 0, 0, 0, 0xff, 0x41, 0x2e))).toBe('\ufffdA');
  });

  it('tells where the value ends when more bytes follow', () => {
    expect(readPickle(pickleBytes(0x80, 2, 0x4e, 0x2e, 'rest'))).toMatchObject({ kind: 'value', end: 4 });
  });

  it('reads integers beyond 64 bits as integers without a value', () => {
    const read = readPickle(pickleBytes(0x80, 2, 0x8a, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x2e));
    expect(read.kind === 'value' && read.arena.bigInt(read.rootKind, read.rootNum)).toBe(undefined);
  });
});

const NAMED: readonly (readonly [string, Uint8Array, object])[] = [
  [
    'GLOBAL',
    pickleBytes(0x80, 2, 'cos\nsystem\n', 'q', 0, 'X', 2, 0, 0, 0, 'id', 0x85, 'R.'),
    { opcode: 'GLOBAL', at: 2, named: 'os.system' },
  ],
  [
    'GLOBAL inside a dump',
    pickleBytes(0x80, 2, '}(X', 7, 0, 0, 0, 'entries]', '(cposix\nsystem\neu.'),
    { opcode: 'GLOBAL', at: 18, named: 'posix.system' },
  ],
  [
    'STACK_GLOBAL',
    pickleBytes(0x80, 4, 0x8c, 2, 'os', 0x94, 0x8c, 6, 'system', 0x94, 0x93, 0x94, '.'),
    { opcode: 'STACK_GLOBAL', at: 16, named: 'os.system' },
  ],
  [
    'STACK_GLOBAL with other values',
    pickleBytes(0x80, 4, 'NN', 0x93, '.'),
    { opcode: 'STACK_GLOBAL', at: 4, named: undefined },
  ],
  ['INST', pickleBytes(0x80, 2, '(ios\nsystem\n.'), { opcode: 'INST', at: 3, named: 'os.system' }],
  ['REDUCE', pickleBytes(0x80, 2, 'N)R.'), { opcode: 'REDUCE', at: 4, named: undefined }],
  ['BUILD', pickleBytes(0x80, 2, 'N}b.'), { opcode: 'BUILD', at: 4, named: undefined }],
  [
    'a name with control characters',
    pickleBytes(0x80, 2, 'co\u001b[31ms\nsys\ttem\n.'),
    { opcode: 'GLOBAL', at: 2, named: 'o?[31ms.sys?tem' },
  ],
];

describe('what is refused', () => {
  it.each(NAMED)('%s, with its place and what it asked for', (_name, bytes, outcome) => {
    expect(readPickle(bytes)).toEqual({ kind: 'refused', ...outcome });
  });

  const OTHERS: readonly (readonly [string, number])[] = [
    ['OBJ', 0x6f],
    ['NEWOBJ', 0x81],
    ['NEWOBJ_EX', 0x92],
    ['PERSID', 0x50],
    ['BINPERSID', 0x51],
    ['EXT1', 0x82],
    ['EXT2', 0x83],
    ['EXT4', 0x84],
    ['NEXT_BUFFER', 0x97],
    ['READONLY_BUFFER', 0x98],
    ['BYTEARRAY8', 0x96],
    ['POP', 0x30],
    ['POP_MARK', 0x31],
    ['DUP', 0x32],
    ['BINBYTES', 0x42],
    ['SHORT_BINBYTES', 0x43],
    ['BINBYTES8', 0x8e],
    ['EMPTY_SET', 0x8f],
    ['ADDITEMS', 0x90],
    ['FROZENSET', 0x91],
    ['BINSTRING', 0x54],
    ['SHORT_BINSTRING', 0x55],
    ['INT', 0x49],
    ['PUT', 0x70],
    ['GET', 0x67],
  ];
  it.each(OTHERS)('%s', (name, opcode) => {
    expect(readPickle(pickleBytes(0x80, 2, 'N', opcode, 0, 0, 0, 0, '.'))).toEqual({
      kind: 'refused',
      opcode: name,
      at: 3,
      named: undefined,
    });
  });

  const INVALID: readonly (readonly [string, Uint8Array, string])[] = [
    ['no PROTO', pickleBytes('(dp0\n.'), 'the first byte is not the PROTO opcode'],
    ['protocol 0', pickleBytes(0x80, 0, 'N.'), 'protocol 0 is not read (2 to 5 are)'],
    ['protocol 6', pickleBytes(0x80, 6, 'N.'), 'protocol 6 is not read (2 to 5 are)'],
    ['a byte that is no opcode', pickleBytes(0x80, 2, 0xff), 'byte 0xff is not an opcode'],
    ['a second PROTO', pickleBytes(0x80, 2, 0x80, 2, 'N.'), 'a second PROTO opcode'],
    ['STOP on nothing', pickleBytes(0x80, 2, '.'), 'STOP with an unfinished value'],
    ['STOP inside a list', pickleBytes(0x80, 2, '](N.'), 'STOP with an unfinished value'],
    ['APPENDS to a dict', pickleBytes(0x80, 2, '}(Ne.'), 'APPENDS without a list'],
    ['SETITEMS on a list', pickleBytes(0x80, 2, '](NNu.'), 'SETITEMS without a dict'],
    ['a key without a value', pickleBytes(0x80, 2, '}(Nu.'), 'SETITEMS with a key without a value'],
    ['APPENDS without MARK', pickleBytes(0x80, 2, ']e.'), 'no MARK for the end of a container'],
    ['TUPLE2 of one', pickleBytes(0x80, 2, 'N', 0x86, '.'), 'too few values for a tuple'],
    ['TUPLE2 across a MARK', pickleBytes(0x80, 2, 'N(N', 0x86, '.'), 'too few values for a tuple'],
    ['APPEND across a MARK', pickleBytes(0x80, 2, '](Na.'), 'APPEND without a list'],
    ['a memo entry that was never written', pickleBytes(0x80, 2, 'h', 3, '.'), 'memo entry 3 was never written'],
    ['PUT on nothing', pickleBytes(0x80, 2, 'q', 0, '.'), 'nothing on the stack to remember'],
    ['a negative LONG4', pickleBytes(0x80, 2, 0x8b, 255, 255, 255, 255, '.'), 'LONG4 with a negative length'],
    ['a list in itself', pickleBytes(0x80, 2, ']q', 0, 'h', 0, 'a.'), 'a container that holds itself'],
    ['a dict in itself', pickleBytes(0x80, 2, '}q', 0, '(Nh', 0, 'u.'), 'a container that holds itself'],
    [
      'two lists in each other',
      pickleBytes(0x80, 2, ']q', 0, ']q', 1, 'h', 0, 'aah', 1, 'h', 0, 'a.'),
      'a container that changes after it was stored (a cycle)',
    ],
  ];
  it.each(INVALID)('%s', (_name, bytes, why) => {
    expect(readPickle(bytes)).toMatchObject({ kind: 'invalid', why });
  });
});

describe('limits', () => {
  it('nesting', () => {
    const deep = pickleBytes(0x80, 2, ']('.repeat(100_000));
    expect(readPickle(deep)).toMatchObject({ kind: 'limit', what: '64 containers inside each other' });
    const singly = pickleBytes(
      0x80,
      2,
      ...Array.from({ length: 70 }, () => 0x5d),
      ...Array.from({ length: 69 }, () => 0x61),
      '.',
    );
    expect(readPickle(singly)).toMatchObject({ kind: 'limit', what: '64 containers inside each other' });
  });

  it('lengths are compared with what is left before anything is made', () => {
    for (const bytes of [
      pickleBytes(0x80, 2, 'X', 255, 255, 255, 255, 'abc'),
      pickleBytes(0x80, 4, 0x8d, 255, 255, 255, 255, 255, 255, 255, 255, 'abc'),
      pickleBytes(0x80, 2, 0x8b, 255, 255, 255, 127, 'abc'),
    ]) {
      expect(readPickle(bytes).kind).toBe('truncated');
    }
  });

  it('what an earlier file left in the memo', () => {
    const before = pickleBytes(0x80, 2, '](', ...[0, 1, 2, 3, 4, 5].flatMap((i) => ['Nq', i]), 'e.');
    expect(readPickle(before).kind).toBe('value');
    expect(readPickle(pickleBytes(0x80, 2, 'NNNNNNq', 5, 'h', 3, '.'))).toMatchObject({
      kind: 'invalid',
      why: 'memo entry 3 was never written',
    });
  });

  it('memo indices beyond the bytes read', () => {
    expect(readPickle(pickleBytes(0x80, 2, 'Nr', 255, 255, 255, 255, '.'))).toMatchObject({
      kind: 'limit',
      what: 'memo index 4294967295',
    });
  });

  it('values, containers and strings', () => {
    const limits = { ...DEFAULT_ARENA_LIMITS, maxItems: 10, maxContainers: 3, maxStrings: 3 };
    expect(readPickle(writePickle(Array.from({ length: 11 }, () => 1)), limits)).toMatchObject({
      kind: 'limit',
      what: '10 values',
    });
    expect(readPickle(writePickle([[], [], []]), limits)).toMatchObject({ kind: 'limit', what: '3 containers' });
    expect(readPickle(writePickle(['a', 'b', 'c', 'd']), limits)).toMatchObject({ kind: 'limit', what: '3 strings' });
  });

  it('a memo bomb stays as small as its bytes', () => {
    // Each list holds the one before ten times: 10^60 leaves if anybody expanded it.
    const bytes: (number | string)[] = [0x80, 2, ']q', 0];
    for (let i = 1; i <= 60; i++)
      bytes.push(']q', i, '(', ...Array.from({ length: 10 }, () => ['h', i - 1] as const).flat(), 'e');
    // The outermost list is left: drop the others by putting all into one.
    const read = readPickle(pickleBytes(...bytes));
    expect(read.kind).toBe('truncated');
    if (read.kind === 'truncated') expect(read.arena.itemCount).toBe(600);
  });
});

describe('files that end early', () => {
  const whole = writePickle({ version: '2.9', list: [{ a: 1 }, { a: 2 }, { a: 3 }] });

  it('keeps whole values of every open container', () => {
    const at = whole.lastIndexOf(0x4b);
    const read = readPickle(whole.subarray(0, at));
    if (read.kind !== 'truncated') throw new Error(read.kind);
    expect(read.at).toBe(at);
    const [root, list] = read.open;
    expect(root && plain(read.arena, root.kind, root.container)).toEqual({ dict: ['version', '2.9'] });
    expect(list && read.arena.text(list.key)).toBe('list');
    expect(list && plain(read.arena, list.kind, list.container)).toEqual([{ dict: ['a', 1n] }, { dict: ['a', 2n] }]);
  });

  it('every cut of every style is truncated, and never more is kept than was there', () => {
    const value: Plain = {
      version: '2.9',
      entries: Array.from({ length: 5 }, (_, i) => ({ record_id: i, process_group: new Tuple('0', 'x') })),
    };
    for (const style of STYLES) {
      const bytes = writePickle(value, style);
      for (let cut = 0; cut < bytes.length; cut++) expect(readPickle(bytes.subarray(0, cut)).kind).toBe('truncated');
    }
  });
});

describe('any bytes', () => {
  const outcome = (bytes: Uint8Array): string => readPickle(bytes).kind;

  it('never throws on random bytes behind a pickle head', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5 }), fc.uint8Array({ maxLength: 400 }), (protocol, bytes) => {
        expect(['value', 'truncated', 'refused', 'invalid', 'limit']).toContain(
          outcome(Uint8Array.from([0x80, protocol, ...bytes])),
        );
      }),
      { numRuns: 3_000 },
    );
  });

  it('never throws on opcodes of the subset in any order', () => {
    const opcodes = [
      0x28, 0x2e, 0x47, 0x4a, 0x4b, 0x4d, 0x4e, 0x58, 0x5d, 0x61, 0x65, 0x68, 0x6a, 0x71, 0x72, 0x73, 0x74, 0x75, 0x7d,
      0x29, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x94, 0x95, 0, 1, 2,
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...opcodes), { maxLength: 300 }), (bytes) => {
        expect(['value', 'truncated', 'invalid', 'limit', 'refused']).toContain(
          outcome(Uint8Array.from([0x80, 4, ...bytes])),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it('never throws when bytes of a valid pickle change', () => {
    const bytes = writePickle({
      version: '2.9',
      entries: Array.from({ length: 8 }, (_, i) => ({ record_id: i, frames: [{ name: 'f' }] })),
    });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        (changes) => {
          const changed = bytes.slice();
          for (const [at, value] of changes) changed[at] = value;
          expect(['value', 'truncated', 'invalid', 'limit', 'refused']).toContain(outcome(changed));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('plain values survive any writer', () => {
    const { value } = fc.letrec<{ value: Plain }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constant(null),
        fc.boolean(),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.string(),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(...STYLES), (given, style) => {
        expect(decode(writePickle(given, style))).toEqual(expected(given));
      }),
      { numRuns: 500 },
    );
  });
});
