/** The two ways of reading a pickled dump, straight to columns and through the arena, must never tell anything different. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPickle, readPickleDirectly } from '#shared/codecs/pickle/index.ts';
import { DirectEntries } from '#shared/formats/flight-recorder/direct-entries.ts';
import pickle, { pickleOutputs } from '#shared/formats/flight-recorder/pickle.ts';
import type { FormatOutput } from '#shared/model/format.ts';
import { entryId } from '#shared/model/ids.ts';
import { benchDump } from '../../../../perf/recorder-files.ts';
import {
  call,
  dumpOf,
  encodeDump,
  recv,
  sameProgram,
  send,
  simulate,
  times,
} from '../../../../support/dump-builder.ts';
import { Float, type Plain, pickleBytes, Tuple, writePickle } from '../../../../support/pickle-writer.ts';

const context = { entry: entryId(3), path: 'nccl_trace_rank_1' };
const asUsual = (bytes: Uint8Array): FormatOutput[] => [...pickle.parse(bytes, context, false)];
const generally = (bytes: Uint8Array): FormatOutput[] => [...pickleOutputs(readPickle(bytes), context, bytes)];
const isDirect = (bytes: Uint8Array): boolean => readPickleDirectly(bytes, new DirectEntries())?.kind === 'value';

const hasEntries = (outputs: readonly FormatOutput[]): boolean =>
  outputs.some((output) => output.kind === 'dump' && output.dump.columns.length > 0);

const DUMPS = new URL('../../../../fixtures/dumps/', import.meta.url);
const fixtures = readdirSync(DUMPS, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile())
  .map((file): [string, Uint8Array] => [
    `${file.parentPath.slice(file.parentPath.lastIndexOf('/', file.parentPath.length - 2) + 1)}/${file.name}`,
    readFileSync(`${file.parentPath}/${file.name}`),
  ])
  .filter(([, bytes]) => bytes[0] === 0x80);

const run = simulate(
  sameProgram(
    4,
    [
      ...times(3, call('all_reduce', 8), call('all_gather', 4, { group: 'tp', output: [[8], [8]] })),
      send(1),
      recv(1),
      call('barrier'),
    ],
    { groups: { tp: { desc: 'TENSOR', ranks: [0, 1] } } },
  ),
);
const VERSIONS = ['list', '1.0', '1.4', '2.0', '2.3', '2.9', '2.10'] as const;
const STYLES = ['cpp', 'python2', 'python4', 'python5'] as const;

/** Entries after one good entry, or instead of it. */
const withEntries = (...entries: readonly Plain[]): Uint8Array =>
  writePickle({ version: '2.9', pg_config: {}, entries: [...entries] });
const good = (more: Record<string, Plain> = {}): Plain => ({
  record_id: 1,
  process_group: new Tuple('0', 'default_pg'),
  collective_seq_id: 7,
  profiling_name: 'nccl:all_reduce',
  time_created_ns: 1_795_979_461_000_000_123n,
  input_sizes: [[1, 2], []],
  state: 'completed',
  ...more,
});

describe('dumps as PyTorch writes them are read directly', () => {
  it.each(fixtures)('%s', (_, bytes) => {
    // A dump without entries has nothing to read directly.
    expect(isDirect(bytes)).toBe(hasEntries(generally(bytes)));
    expect(asUsual(bytes)).toEqual(generally(bytes));
  });

  it('also when they are large', () => {
    const bytes = benchDump(3, { ranks: 8, entries: 6000 });
    expect(isDirect(bytes)).toBe(true);
    expect(asUsual(bytes)).toEqual(generally(bytes));
  });

  it.each(['2.0', '2.3', '2.9', '2.10'])('also version %s, with and without frames', (version) => {
    // Lists of their own for every entry, as the recorder makes them.
    const steps = Array.from({ length: 9 }, (_, i) => call('all_reduce', i % 3, { output: [[i % 3]] }));
    const once = simulate(sameProgram(2, steps));
    for (const frames of [true, false]) {
      const bytes = encodeDump(dumpOf(once, 0, { version, frames }));
      expect(isDirect(bytes)).toBe(true);
      expect(asUsual(bytes)).toEqual(generally(bytes));
    }
  });
});

describe('both ways tell the same', () => {
  it.each(STYLES.flatMap((style) => VERSIONS.map((version) => [style, version] as const)))(
    '%s %s',
    (style, version) => {
      for (const options of [{}, { onlyActive: true }, { ring: 2 }, { config: 'none' as const }]) {
        const bytes = encodeDump(dumpOf(run, 1, { version, ...options }), style);
        expect(asUsual(bytes)).toEqual(generally(bytes));
      }
    },
  );

  it.each<[string, Plain]>([
    ['other fields of every plain type', good({ a: 1, b: 'x', c: null, d: true, e: false, f: new Float(1.5), g: -3 })],
    ['another field that is a list', good({ input_split_sizes: [4, 4, 5], z: [] })],
    ['another field that is a table', good({ z: { a: 1 } })],
    ['another field with a large number', good({ z: 2n ** 62n })],
    ['a time that is a small number', good({ time_created_ns: 5 })],
    ['a time before 1970', good({ time_created_ns: -(2n ** 60n) })],
    ['a text for a group id', good({ pg_id: 'a' })],
    ['a large group id', good({ pg_id: 70_000 })],
    ['a group as a list', good({ process_group: ['0', 'default_pg'] })],
    ['flags as numbers', good({ retired: 1, is_p2p: 0 })],
    ['a flag that is none', good({ retired: null })],
    ['a wrong type', good({ state: 4 })],
    ['a missing name', { record_id: 1, collective_seq_id: 3 }],
    ['a missing number', { record_id: 1, profiling_name: 'nccl:all_reduce' }],
    ['sizes that would look alike', good({ input_sizes: [[-1]], output_sizes: [[], []] })],
    ['sizes that are no numbers', good({ input_sizes: [['a']] })],
    ['sizes far apart', good({ input_sizes: [[2 ** 40, 3]], output_sizes: [[2 ** 40 + 1, 3]] })],
    ['several element types', good({ input_dtypes: ['Float', 'Long'], output_dtypes: [] })],
    ['element types longer than allowed', good({ input_dtypes: ['x'.repeat(40_000), 'y'.repeat(40_000)] })],
    ['no frames', good({ frames: [] })],
    ['frames without a line', good({ frames: [{ name: 'f', filename: 'a.py' }] })],
    ['frames that are unknown', good({ frames: [{ name: 'f', filename: 'a.py', line: 3, more: 1 }] })],
    ['an entry that is no table', 7],
    ['forty other fields', good(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, i])))],
    ['other fields longer than shown', good({ z: 'z'.repeat(3000), y: 'y'.repeat(3000) })],
    ['__proto__ as a key', good(JSON.parse('{"__proto__":1,"constructor":2}') as Record<string, Plain>)],
  ])('%s', (_, entry) => {
    for (const bytes of [withEntries(entry), withEntries(good(), entry, good({ record_id: 2 }))])
      expect(asUsual(bytes)).toEqual(generally(bytes));
  });

  it('where one entry stands in the list twice', () => {
    const shared = good();
    const bytes = withEntries(shared, shared);
    expect(asUsual(bytes)).toEqual(generally(bytes));
  });

  it('where the list is given more afterwards, or stands there twice', () => {
    const head = [0x80, 2, 0x7d, 0x28, 0x58, 7, 0, 0, 0, 'entries', 0x71, 0];
    const name = [0x58, 14, 0, 0, 0, 'profiling_name', 0x71, 1, 0x58, 6, 0, 0, 0, 'nccl:x', 0x71, 2];
    const entry = [0x7d, 0x28, ...name, 0x58, 5, 0, 0, 0, 'op_id', 0x71, 3, 0x4b, 1, 0x75];
    const list = [0x5d, 0x28, ...entry, 0x65];
    const again = [0x7d, 0x28, 0x68, 1, 0x68, 2, 0x68, 3, 0x4b, 9, 0x75];
    for (const rest of [
      [0x75, 0x2e],
      [...again, 0x61, 0x75, 0x2e],
      [0x28, ...again, 0x65, 0x75, 0x2e],
      [0x71, 4, 0x68, 0, 0x68, 4, 0x75, 0x2e],
      [0x68, 0, 0x5d, 0x28, ...again, 0x65, 0x75, 0x2e],
      [0x68, 0, 0x4e, 0x75, 0x2e],
      [0x68, 0, 0x86, 0x4e, 0x75, 0x2e],
      [0x68, 0, 0x61, 0x75, 0x2e],
      [0x75, 0x85, 0x2e],
      [0x75, 0x2e, 1, 2],
    ]) {
      const bytes = pickleBytes(...head, ...list, ...rest);
      expect(asUsual(bytes)).toEqual(generally(bytes));
    }
  });
});

describe('damage is told by both ways alike', () => {
  const small = encodeDump(dumpOf(run, 0));

  it('at every cut', () => {
    for (let length = 0; length < small.length; length += 3) {
      const bytes = small.slice(0, length);
      if (length > 0) expect(asUsual(bytes)).toEqual(generally(bytes));
    }
  });

  it('with any bytes changed', () => {
    const change = fc.record({
      at: fc.integer({ min: 2, max: small.length - 1 }),
      to: fc.integer({ min: 0, max: 255 }),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const bytes = small.slice();
        for (const { at, to } of changes) bytes[at] = to;
        expect(asUsual(bytes)).toEqual(generally(bytes));
      }),
      { numRuns: 400, seed: 7 },
    );
  });

  it('with an opcode in place of any other', () => {
    const opcodes = [0x28, 0x2e, 0x4b, 0x4e, 0x58, 0x5d, 0x61, 0x65, 0x68, 0x71, 0x75, 0x7d, 0x85, 0x86, 0x88, 0x8a];
    const other = fc.record({
      at: fc.integer({ min: 2, max: small.length - 1 }),
      to: fc.constantFrom(...opcodes),
      insert: fc.boolean(),
    });
    fc.assert(
      fc.property(other, ({ at, to, insert }) => {
        const bytes = Uint8Array.from([...small.slice(0, at), to, ...small.slice(insert ? at : at + 1)]);
        expect(asUsual(bytes)).toEqual(generally(bytes));
      }),
      { numRuns: 400, seed: 11 },
    );
  });
});
