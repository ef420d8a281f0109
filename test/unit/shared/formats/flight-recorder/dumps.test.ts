import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeRecord } from '#shared/formats/flight-recorder/describe-record.ts';
import json from '#shared/formats/flight-recorder/json.ts';
import pickle from '#shared/formats/flight-recorder/pickle.ts';
import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import type { DocumentFormat, EntryHead, FormatOutput } from '#shared/model/format.ts';
import { HEAD_BYTES } from '#shared/model/format.ts';
import {
  call,
  type DumpOptions,
  dumpOf,
  encodeDump,
  recv,
  sameProgram,
  send,
  simulate,
  times,
} from '../../../../support/dump-builder.ts';
import { Float, type Plain, pickleBytes, Tuple, writePickle } from '../../../../support/pickle-writer.ts';
import { readDumpFile } from '../../../../support/read-dumps.ts';

const STYLES = ['cpp', 'python2', 'python4', 'python5', 'json'] as const;

const job = sameProgram(
  4,
  [
    ...times(3, call('all_reduce', 8), call('all_gather', 4, { group: 'tp', output: [[8]] })),
    send(1),
    recv(1),
    call('barrier'),
  ],
  {
    groups: { tp: { desc: 'TENSOR', ranks: [0, 1] } },
  },
);
const run = simulate(job);

function read(bytes: Uint8Array, path = 'nccl_trace_rank_0'): { dump: FlightRecorderDump; outputs: FormatOutput[] } {
  const outputs = readDumpFile({ path, bytes });
  const found = outputs.find((output) => output.kind === 'dump');
  if (found?.kind !== 'dump') throw new Error(JSON.stringify(outputs));
  return { dump: found.dump, outputs };
}
const built = (options: DumpOptions = {}, rank = 0) => read(encodeDump(dumpOf(run, rank, options), options.style));
const texts = (dump: FlightRecorderDump, column: Int32Array): (string | undefined)[] =>
  [...column].map((index) => dump.strings[index]);
const status = (outputs: readonly FormatOutput[]) => outputs.find((output) => output.kind === 'status');
const issues = (outputs: readonly FormatOutput[]) =>
  outputs.flatMap((output) => (output.kind === 'issue' ? [output.code] : []));
/** Everything but what differs by encoding, for comparing two readings. */
const comparable = (dump: FlightRecorderDump) =>
  Array.from({ length: dump.columns.length }, (_, row) => describeRecord(dump, row)).map((record) => record?.fields);

describe('every encoding gives the same columns', () => {
  it.each(STYLES)('%s', (style) => {
    const { dump, outputs } = built({ style });
    expect(issues(outputs)).toEqual([]);
    expect(dump.encoding).toBe(style === 'json' ? 'json' : 'pickle');
    expect(comparable(dump)).toEqual(comparable(built().dump));
    expect(dump.version).toBe('2.9');
    expect(dump.library).toBe('2.27.3');
    expect([...dump.groups].sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      { key: '0', name: '0', desc: 'default_pg', ranks: [0, 1, 2, 3] },
      { key: 'tp', name: 'tp', desc: 'TENSOR', ranks: [0, 1] },
    ]);
    expect(dump.status).toEqual([
      { pgId: '0', lastEnqueued: 4, lastStarted: -1, lastCompleted: 4 },
      { pgId: '1', lastEnqueued: 3, lastStarted: -1, lastCompleted: 3 },
    ]);
  });

  it('keeps nanoseconds exact', () => {
    const { dump } = built();
    expect(dump.columns.createdNs[0]).toBe(1_795_979_461_000_000_000n);
    expect(dump.columns.createdNs[1]).toBe(1_795_979_461_100_000_000n);
    expect(built({ style: 'json' }).dump.columns.createdNs[1]).toBe(1_795_979_461_100_000_000n);
    expect(built({ style: 'json' }).dump.columns.startedNs[0]).toBe(0n);
  });

  it('reads names, states and shapes', () => {
    const { dump } = built();
    expect(texts(dump, dump.columns.op)).toEqual([
      ...times(3, 'stall').flatMap(() => ['nccl:all_reduce', 'nccl:all_gather']),
      'nccl:send 0->1',
      'nccl:recv 0<-1',
      'nccl:barrier',
    ]);
    expect(dump.columns.isP2p).toEqual(Uint8Array.from([0, 0, 0, 0, 0, 0, 1, 1, 0]));
    expect(dump.shapes[dump.columns.outputSizes[1] ?? -1]).toBe('[[8]]');
    expect(texts(dump, dump.columns.inputDtypes)[0]).toBe('Float');
  });

  it('shares frames and stacks', () => {
    const { dump } = built();
    expect(dump.frames).toHaveLength(6);
    expect(dump.stacks).toHaveLength(5);
    expect(describeRecord(dump, 0)?.frames).toEqual(['/app/train.py:100 all_reduce', '/app/train.py:50 train']);
    expect(built({ style: 'json' }).dump.stacks).toEqual([]);
  });

  it('is plain data that can be stored', () => {
    const { dump } = built();
    expect(structuredClone(dump)).toEqual(dump);
  });
});

describe('one ring that PyTorch 2.13 wrote in both encodings', () => {
  const fixture = (name: string) =>
    read(
      new Uint8Array(readFileSync(new URL(`../../../../fixtures/dumps/gloo-two-encodings/${name}`, import.meta.url))),
      name,
    );

  it('reads the same, but for the frames that JSON never has', () => {
    const [pickled, written] = [fixture('nccl_trace_rank_0'), fixture('nccl_trace_rank_0.json')];
    expect([issues(pickled.outputs), issues(written.outputs)]).toEqual([[], []]);
    expect(comparable(written.dump)).toEqual(comparable(pickled.dump));
    expect(written.dump.groups).toEqual(pickled.dump.groups);
    expect(written.dump.status).toEqual(pickled.dump.status);
    expect([written.dump.version, written.dump.nameRank, written.dump.columns.length]).toEqual(['2.10', 0, 13]);
    expect([written.dump.stacks.length, describeRecord(pickled.dump, 0)?.frames.at(-1)]).toEqual([
      0,
      '/tmp/job/train.py:7 <module>',
    ]);
    expect(pickled.outputs.find((output) => output.kind === 'summary')).toEqual({
      kind: 'summary',
      text: '13 records, default_pg #1–#9',
    });
  });
});

describe('versions', () => {
  const VERSIONS = ['list', '1.0', '1.1', '1.4', '2.0', '2.3', '2.4', '2.6', '2.9', '2.10'];
  it.each(VERSIONS)('%s', (version) => {
    const { dump, outputs } = built({ version });
    expect(issues(outputs)).toEqual([]);
    expect(dump.version).toBe(version === 'list' ? undefined : version);
    expect(dump.columns.length).toBe(9);
    expect([...dump.columns.collectiveSeq].slice(0, 6)).toEqual([1, 1, 2, 2, 3, 3]);
    expect(texts(dump, dump.columns.pgId)[1]).toBe('1');
    if (version === '1.4') expect(dump.groups[1]).toEqual({ key: '1', name: '1', desc: '', ranks: [0, 1] });
  });

  it('reads a newer major as far as it can, and says so', () => {
    expect(issues(built({ version: '3.0' }).outputs)).toEqual(['dump-version-unknown']);
  });

  it('reads entries without frames, status or config', () => {
    const { dump, outputs } = built({ frames: false, status: false, config: 'none' });
    expect(issues(outputs)).toEqual([]);
    expect([dump.groups.length, dump.status.length, dump.stacks.length]).toEqual([0, 0, 0]);
  });

  it('keeps names of top-level keys it does not know, and plain fields of entries', () => {
    const dump = dumpOf(run, 0) as { readonly [key: string]: Plain };
    const { dump: found } = read(writePickle({ ...dump, rank: 0, flavour: 'x' }));
    expect(found.unknownKeys).toEqual(['flavour']);
    expect(found.strings[found.columns.extra[0] ?? -1]).toBe('thread_id=140, thread_name=pt_main');
  });
});

describe('claims', () => {
  const head = (bytes: Uint8Array, path: string): EntryHead => ({
    bytes: bytes.subarray(0, HEAD_BYTES),
    text: new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)),
    path,
    whole: bytes.length <= HEAD_BYTES,
  });
  const scores = (bytes: Uint8Array, path = 'unknown') =>
    [pickle, json].map((format: DocumentFormat) => format.claim(head(bytes, path))?.score ?? 0);
  const text = (value: string) => new TextEncoder().encode(value);

  it.each([
    ['C++ pickle', encodeDump(dumpOf(run, 0)), [0.95, 0]],
    ['Python pickle', encodeDump(dumpOf(run, 0), 'python5'), [0.95, 0]],
    ['a pickle of something else', writePickle({ weights: [1] }), [0.5, 0]],
    ['JSON', encodeDump(dumpOf(run, 0), 'json'), [0, 0.95]],
    [
      'JSON whose telling keys come late',
      text(`{"nccl_comm_state":{"${'x'.repeat(5000)}":{}},"pg_config":{}}`),
      [0, 0.6],
    ],
    ['other JSON', text('{"kind":"List","items":[]}'), [0, 0]],
    ['a log', text('[rank0]: hello\n'), [0, 0]],
    ['nothing', new Uint8Array(0), [0, 0]],
  ])('%s', (_name, bytes, expected) => {
    expect(scores(bytes)).toEqual(expected);
  });

  it('an empty file is taken by its name only', () => {
    expect(scores(new Uint8Array(0), 'x/nccl_trace_rank_3')).toEqual([0.5, 0]);
    expect(scores(new Uint8Array(0), 'x/_dump_3')).toEqual([0.5, 0]);
    expect(scores(new Uint8Array(0), 'x/stdout.log')).toEqual([0, 0]);
  });
});

describe('ranks by name', () => {
  it.each([
    ['nccl_trace_rank_12', 12],
    ['a/b/_dump_3', 3],
    ['rank_7.json', 7],
    ['comm_lib_trace_rank_0', 0],
    ['nccl_trace_rank_host4_9', 9],
    ['fr_rank_3_20260107153000', 3],
    ['dump.pickle', undefined],
    ['x/12/dump', undefined],
    ['nccl_fr_rank_5.pkl', 5],
  ])('%s → %s', (path, rank) => {
    expect(read(encodeDump(dumpOf(run, 0)), path).dump.nameRank).toBe(rank);
  });
});

describe('damage', () => {
  it('an empty file is an empty dump', () => {
    const outputs = readDumpFile({ path: 'nccl_trace_rank_0', bytes: new Uint8Array(0) });
    expect(status(outputs)).toMatchObject({ status: 'empty' });
  });

  it('a refused pickle names opcode, place and what it asked for, and gives no dump', () => {
    const bytes = pickleBytes(0x80, 2, '}(X', 7, 0, 0, 0, 'entries](cos\nsystem\nX', 2, 0, 0, 0, 'id', 0x85, 'Reu.');
    const outputs = readDumpFile({ path: 'nccl_trace_rank_0', bytes });
    expect(status(outputs)).toEqual({
      kind: 'status',
      status: 'refused',
      detail: 'opcode GLOBAL os.system at byte 18: a recorder dump holds plain values only; nothing was run',
    });
    expect(outputs).toHaveLength(2);
    expect(outputs[0]).toMatchObject({
      code: 'pickle-refused',
      severity: 'refused',
      source: { kind: 'byte', byte: 18 },
    });
  });

  it('another shape is skipped with a reason', () => {
    for (const value of [{ weights: [1] }, [1, 2], 'text', { entries: [{ other: 1 }] }, [{ a: 1 }]]) {
      const outputs = readDumpFile({ path: 'x_1', bytes: writePickle(value) });
      expect([issues(outputs), status(outputs)]).toEqual([
        ['dump-shape-unknown'],
        expect.objectContaining({ status: 'skipped' }),
      ]);
    }
  });

  it('data after the end is ignored with a warning', () => {
    const bytes = Uint8Array.from([...encodeDump(dumpOf(run, 0)), 1, 2, 3]);
    const { dump, outputs } = read(bytes);
    expect(dump.columns.length).toBe(9);
    expect(issues(outputs)).toEqual(['dump-data-after-end']);
  });

  const WRONG: readonly (readonly [string, Plain])[] = [
    ['profiling_name', 7],
    ['profiling_name', undefined as unknown as Plain],
    ['time_created_ns', 'now'],
    ['time_created_ns', 2n ** 64n],
    ['state', 1],
    ['input_sizes', [1]],
    ['input_sizes', [['a']]],
    ['output_dtypes', [1]],
    ['frames', [{ name: 'f' }]],
    ['process_group', 'x'],
    ['process_group', new Tuple('a', 'b', 'c')],
    ['collective_seq_id', 'one'],
    ['retired', 'yes'],
    ['is_p2p', 2],
    ['record_id', new Float(1)],
    ['duration_ms', 'long'],
    ['pg_id', []],
    ['timeout_ms', new Float(0.5)],
  ];
  it.each(WRONG)('a wrong %s (%o) spoils its entry alone', (field, value) => {
    const whole = dumpOf(run, 0) as { readonly entries: readonly { readonly [key: string]: Plain }[] } & {
      readonly [key: string]: Plain;
    };
    const entries = whole.entries.map((entry, i) => (i === 2 ? { ...entry, [field]: value } : entry));
    const { dump, outputs } = read(writePickle({ ...whole, entries }));
    expect(issues(outputs)).toEqual(['dump-entry-invalid']);
    expect(outputs.find((output) => output.kind === 'issue')).toMatchObject({ source: { kind: 'record', record: 2 } });
    expect([...dump.columns.op].map((op) => op >= 0)).toEqual([true, true, false, true, true, true, true, true, true]);
    expect(describeRecord(dump, 2)?.fields[0]?.name).toBe('(invalid)');
    expect(comparable(dump).toSpliced(2, 1)).toEqual(comparable(built().dump).toSpliced(2, 1));
  });

  it('an entry that is no table, or the same table twice, spoils itself alone', () => {
    const whole = dumpOf(run, 0) as { readonly entries: readonly Plain[] } & { readonly [key: string]: Plain };
    const [first, second] = whole.entries;
    const { dump, outputs } = read(
      writePickle({ ...whole, entries: [first ?? null, 5, second ?? null, first ?? null] }),
    );
    expect([...dump.columns.op].map((op) => op >= 0)).toEqual([true, false, true, false]);
    expect(issues(outputs)).toHaveLength(2);
  });

  it('many invalid entries give a bounded list of issues', () => {
    const entries: Plain[] = [
      { record_id: 0, profiling_name: 'x', collective_seq_id: 1 },
      ...Array.from({ length: 5_000 }, () => 1),
    ];
    expect(issues(read(writePickle({ version: '2.9', entries })).outputs)).toHaveLength(51);
  });

  it('groups whose ranks are no plain list are kept without ranks', () => {
    const config = (ranks: Plain): Plain => ({
      version: '2.9',
      pg_config: { a: { name: 'a', desc: 'd', ranks } },
      entries: [],
    });
    for (const [ranks, found] of [
      ['[0, 1]', [0, 1]],
      ['[]', []],
      ['[7]', [7]],
      [
        [2, 3],
        [2, 3],
      ],
    ] as const) {
      expect(
        read(writePickle(config([...ranks].length === 0 ? '[]' : (ranks as Plain)))).dump.groups[0]?.ranks,
      ).toEqual(found);
    }
    for (const bad of [
      '__import__("os").system("id")',
      '[0, 1',
      '[0,,1]',
      '[0 1]',
      '[-1]',
      '[1e9]',
      '[99999999999]',
      7,
      [-1],
      ['a'],
      '[0,]',
    ]) {
      const { dump, outputs } = read(writePickle(config(bad)));
      expect([bad, dump.groups[0]?.ranks, issues(outputs)]).toEqual([bad, [], ['dump-entry-invalid']]);
    }
  });

  it('special keys stay inert', () => {
    const { dump } = read(
      writePickle({
        version: '2.9',
        ['__proto__']: 1,
        constructor: 2,
        pg_config: { ['__proto__']: { name: '__proto__', desc: '', ranks: '[0]' } },
        entries: [],
      }),
    );
    expect(dump.groups[0]?.name).toBe('__proto__');
    expect(dump.unknownKeys).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined);
  });
});

describe('files that end early', () => {
  it.each(STYLES)('every cut of a %s dump keeps whole entries and never invents one', (style) => {
    const bytes = encodeDump(dumpOf(run, 0, { style }), style);
    const whole = comparable(built({ style }).dump);
    let most = 0;
    for (let cut = 1; cut < bytes.length; cut++) {
      const outputs = readDumpFile({
        path: 'nccl_trace_rank_0',
        bytes: bytes.subarray(0, cut),
      });
      expect(status(outputs)).toMatchObject({ status: 'truncated' });
      const found = outputs.find((output) => output.kind === 'dump');
      if (found?.kind !== 'dump') continue;
      expect(found.dump.truncatedAt).toBe(cut);
      const kept = found.dump.columns.length;
      expect(kept).toBeGreaterThanOrEqual(most);
      if (kept > most) expect(comparable(found.dump)).toEqual(whole.slice(0, kept));
      most = kept;
    }
    expect(most).toBe(9);
  });

  it('keeps the head, which comes before the entries', () => {
    const bytes = encodeDump(dumpOf(run, 0));
    const cut = new TextDecoder('latin1').decode(bytes).indexOf('record_id');
    const { dump, outputs } = read(bytes.subarray(0, cut));
    expect([dump.groups.length, dump.status.length, dump.columns.length]).toEqual([2, 2, 0]);
    expect(issues(outputs)).toEqual(['file-truncated']);
  });
});

describe('hostile sizes', () => {
  it('shared shapes cannot stand for more text than the file is large', () => {
    // One inner list of 10 000 sizes, used by 6 000 entries through lists of their own.
    const inner = Array.from({ length: 10_000 }, () => 7);
    const entries = Array.from({ length: 6_000 }, (_, i) => ({
      record_id: i,
      profiling_name: 'x',
      collective_seq_id: i,
      input_sizes: [inner],
    }));
    const started = performance.now();
    const { dump } = read(writePickle({ version: '2.9', entries }));
    expect(dump.columns.length).toBe(6_000);
    expect(dump.shapes.reduce((sum, shape) => sum + shape.length, 0)).toBeLessThan(10_000_000);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('a million and one entries are refused before columns are made for them', () => {
    const head = pickleBytes(
      0x80,
      2,
      '}(X',
      7,
      0,
      0,
      0,
      'version',
      'X',
      3,
      0,
      0,
      0,
      '2.9',
      'X',
      7,
      0,
      0,
      0,
      'entries](}(X',
      14,
      0,
      0,
      0,
      'profiling_nameNu',
    );
    const tail = new Uint8Array(1_000_002).fill(0x4e);
    tail.set([0x65, 0x75], 1_000_000);
    const outputs = readDumpFile({ path: 'x_1', bytes: Uint8Array.from([...head, ...tail, 0x2e]) });
    expect(outputs.map((output) => output.kind)).toEqual(['issue', 'status']);
    expect(status(outputs)).toMatchObject({ status: 'refused', detail: 'more than 1000000 entries: 1000001' });
  });

  it('any bytes behind a dump head end in outputs, not in an exception', () => {
    const bytes = encodeDump(dumpOf(run, 1));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        (changes) => {
          const changed = bytes.slice();
          for (const [at, value] of changes) changed[at] = value;
          const outputs = [...pickle.parse(changed, { entry: 0 as never, path: 'x_1' }, false)];
          for (const output of outputs)
            if (output.kind === 'dump')
              for (let row = 0; row < output.dump.columns.length; row++) describeRecord(output.dump, row);
          expect(outputs.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
