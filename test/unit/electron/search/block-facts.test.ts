/** The short reading of a block's lines against the full one: the same in every field, whatever the lines are. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockFacts, LineColumns, MAX_FACT_BYTES } from '#engine/search/block-facts.ts';
import { BlockLines } from '#engine/search/block-lines.ts';
import { outlineOf, type TickBits } from '#engine/search/block-outline.ts';
import { LineFactsReader, type LineKind } from '#shared/search/line-facts.ts';
import { shapeHash } from '#shared/search/line-shape.ts';
import { caseOfOneBlock } from './one-block.ts';

const ROOT = fileURLToPath(new URL('../../../fixtures/', import.meta.url));

/** Every field of every line, read in full from the first on. */
function readInFull(bytes: Buffer, kind: LineKind): readonly unknown[] {
  const index = caseOfOneBlock(bytes, kind);
  const lines = new BlockLines(bytes, index, 0);
  const reader = new LineFactsReader({ kind, origin: index.origin, nearSeconds: index.files[0]?.nearSeconds ?? 0 });
  let keyNs = index.blocks.lo[0] ?? 0;
  return Array.from({ length: lines.count }, (_, line) => {
    const read = reader.read(lines.text(line, MAX_FACT_BYTES));
    const { plain, message, timeNs, zoneAssumed, resolutionNs, rank, pod, continues } = read;
    if (!continues && timeNs > keyNs) keyNs = Math.min(timeNs, index.blocks.hi[0] ?? 0);
    const facts = { plain, message, timeNs, zoneAssumed, resolutionNs, rank, pod, continues };
    return { ...facts, keyNs, level: read.level(), shape: shapeHash(message) };
  });
}

/** The same in short, the lines asked for in any order; with `bits` by the outline of the block. */
function readInShort(
  bytes: Buffer,
  kind: LineKind,
  order: (count: number) => readonly number[],
  bits?: TickBits,
): readonly unknown[] {
  const index = caseOfOneBlock(bytes, kind);
  const [lo = 0, hi = 0] = [index.blocks.lo[0], index.blocks.hi[0]];
  const read = bits && new BlockFacts(index, 0, new BlockLines(bytes, index, 0));
  const outline = read && outlineOf(read, lo, hi, bits);
  const lines = new BlockLines(bytes, index, 0, undefined, outline);
  const block = new BlockFacts(index, 0, lines, new LineColumns(), outline);
  const rows: unknown[] = Array.from({ length: block.lines.count });
  for (const line of order(block.lines.count)) {
    const { plain, message, timeNs, zoneAssumed, resolutionNs, rank, pod, continues } = block.facts(line);
    const facts = { plain, message, timeNs, zoneAssumed, resolutionNs, rank, pod, continues };
    rows[line] = { ...facts, keyNs: block.keyNs(line), level: block.level(line), shape: block.shapeHash(line) };
    expect(block.continues(line)).toBe(continues);
    expect(block.rank(line)).toBe(rank ?? -1);
    expect(block.pod(line)).toBe(pod);
  }
  return rows;
}

const inOrder = (count: number): readonly number[] => Array.from({ length: count }, (_, line) => line);
const fromTheEnd = (count: number): readonly number[] => inOrder(count).toReversed();

const everyThird = (count: number): readonly number[] =>
  [0, 1, 2].flatMap((first) => inOrder(count).filter((line) => line % 3 === first));

function expectSame(text: string | Buffer, kind: LineKind = 'log'): void {
  const bytes = Buffer.from(text);
  const full = readInFull(bytes, kind);
  expect(readInShort(bytes, kind, inOrder)).toEqual(full);
  expect(readInShort(bytes, kind, fromTheEnd)).toEqual(full);
  expect(readInShort(bytes, kind, fromTheEnd, 16)).toEqual(full);
  expect(readInShort(bytes, kind, everyThird, 32)).toEqual(full);
}

const second = fc.integer({ min: 0, max: 70_000 });
const iso = (ms: number): string => new Date(Date.UTC(2026, 10, 29, 18, 33) + ms).toISOString();
const STAMPS: readonly fc.Arbitrary<string>[] = [
  fc.constant(''),
  second.map((ms) => `${iso(ms).slice(0, 23)}369378Z `),
  second.map((ms) => `${iso(ms).slice(0, 23)}369378Z`),
  second.map((ms) => `${iso(ms)} `),
  second.map((ms) => `${iso(ms).slice(0, 19)}.5Z stdout F `),
  second.map((ms) => `${iso(ms).slice(0, 23)}000001Z stderr F `),
  second.map((ms) => `${iso(ms).slice(0, 23)}000001Z stdout P `),
  second.map((ms) => `${iso(ms).slice(0, 23)}000001+08:00 `),
  second.map((ms) => `${iso(ms).slice(0, 19).replace('T', ' ')},${ms % 1000} `),
  second.map((ms) => `${iso(ms).slice(0, 19).replace('T', ' ')} `),
  second.map((ms) => `[${iso(ms).slice(0, 19).replace('T', ' ')},842] `),
  second.map((ms) => `${iso(ms).slice(0, 17).replace('T', ' ')}60 `),
  second.map((ms) => `${iso(ms).slice(0, 16).replace('T', ' ')} `),
  second.map((ms) => `${iso(ms).slice(5, 19).replace('T', ' ')} `),
  fc.constantFrom(
    '2026-02-30 11:08:22 ',
    '[2026-11-29T18:33:15] ',
    '1773482289.123456 ',
    '[1773482289123] ',
    '2026/11/29 18:33:20.25 ',
  ),
];
const MARKS = fc.constantFrom(
  ...[
    '',
    '',
    '',
    '[rank3]: ',
    '[rank3]:',
    '[rank12] ',
    '[rank0]: ',
    '[rank03]: ',
    '[Rank 3] ',
    '[default5]:',
    '[trainer0]: ',
  ],
  ...[
    '[INFO] [logging.py:96:log_dist] [Rank 0] ',
    '[INFO] [metrics.py:41:emit] ',
    '[INFO] [rank 3] ',
    'INFO [Rank 12]: ',
    '- INFO - [Rank 1] ',
    'WARNING:  [x.py:4] [rank 2] ',
    'ERROR [Rank 0] Watchdog caught ',
    '[1,4]<stdout>:',
    '[host-1@1,4]<stderr>: ',
  ],
  ...[
    '[pod/w-1/pytorch] ',
    '[w-1 pytorch] ',
    '(RayTrainWorker pid=123, ip=10.0.0.4) ',
    'worker-0: ',
    'worker-0: [rank3]: ',
    ' 9: ',
    '12: ',
  ],
  ...[
    'train-worker-11:113:4008 [3] ',
    'train-worker-11:113:4008 ',
    '10.0.0.7:113:4008 [-1] ',
    'Host_7:1:2 [0] misc/socket.cc:50 ',
    'P1  3: ',
  ],
  ...[
    'ml/w-1[pytorch]: ',
    'w-1 pytorch ',
    '+ w-1 › pytorch',
    '[E1129 17:15:19.759853 4045 x.cpp:6] ',
    '[E321 17:15:19.314159265 x.cpp:616] ',
  ],
  ...[
    '[W socket.cpp:558] ',
    'E0813 06:19:49.809000 161210 torch/x.py:869] ',
    'INFO 08-25 07:22:14 ',
    'Mar 14 11:17:40 ',
    'time=2026-11-29T18:33:16Z ',
  ],
);
const MESSAGES = fc.constantFrom(
  ...[
    '',
    ' ',
    'step 4',
    'INFO:train:step 4',
    'NCCL INFO Channel 21/0 : 11[3] -> 58[6]',
    'NCCL WARN Cuda failure 999',
    '| 1 | train.py:176 | ERROR | no',
  ],
  ...[
    'Traceback (most recent call last):',
    '  File "train.py", line 4, in step',
    '    loss.backward()',
    'ValueError: bad',
    'torch.OutOfMemoryError: x',
  ],
  ...[
    'ValueError',
    'KeyError2: x',
    'frame #0: c10::Error',
    'Exception raised from check',
    'During handling of the above exception, x',
    'Fatal Python error: x',
  ],
  ...[
    'terminate called after',
    'Aborted (core dumped)',
    '*** SIGABRT received',
    'NVRM: Xid (PCI:0000:01): 79',
    'Out of memory: Killed process',
    '	at x',
  ],
  ...[
    'DEBUG buckets: launched',
    'level=warn msg=x',
    'a "severity": "error" b',
    'severity = FATAL',
    'lvl=debug',
    'UserWarning: x',
    'x FutureWarning: y',
    'WARNINGS x',
  ],
  ...[
    'INFORMATION',
    '(INFO)',
    'NOTICE: x',
    "'ERROR'",
    'several levels',
    'V100 E5',
    '\u001b[31mERROR\u001b[0m red',
    'a\rb\rc',
    'caf\u00e9 ERROR',
    'x\u0000y',
  ],
  ...[
    '{"level":"info","timestamp":"2026-11-29T18:33:18Z","rank":3,"message":"step 4"}',
    '{"log":"step 1\\n","stream":"stdout","time":"2026-11-29T18:33:15.5Z"}',
  ],
  ...[
    '==== START logs for container pytorch of pod ml/w-7 ====',
    '==== END logs for container pytorch of pod ml/w-7 ====',
    '==> logs/w-3.log <==',
    '=== x',
  ],
  ...[
    'std out',
    'stdout F x',
    '+ Exception Group Traceback (most recent call last):',
    '7 of 9',
    '123: x',
    '1234 x',
    '03/14 11:17:40 x',
    'Epoch 3',
    'Step 5',
    'I am',
  ],
);
const pick = (items: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> => fc.oneof(...items);
const mostly = (usual: fc.Arbitrary<string>, other: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 2, arbitrary: usual }, { weight: 1, arbitrary: other });
const NOTHING = fc.constant('');
const RUNTIME = second.map((ms) => `${iso(ms).slice(0, 23)}369378Z `);
/** Where a mark of a severity stands at the end of what is looked at. */
const PADDED = fc
  .tuple(fc.integer({ min: 190, max: 245 }), fc.constantFrom('ERROR x', 'WARN', 'level=error x', 'x INFO.'))
  .map(([pad, mark]) => `${'x'.repeat(pad)} ${mark}`);
const LINE = fc
  .tuple(
    mostly(RUNTIME, pick(STAMPS)),
    mostly(fc.constantFrom('', '', '[rank3]: '), MARKS),
    mostly(NOTHING, pick(STAMPS)),
    mostly(NOTHING, MARKS),
    fc.oneof({ weight: 9, arbitrary: MESSAGES }, { weight: 1, arbitrary: PADDED }),
  )
  .map((parts) => parts.join(''));
/** Bits of lines put together blindly. */
const NOISE = fc
  .array(fc.constantFrom(...'[]:.,- 0123456789TZrankEWIFDNe=/()'), { maxLength: 60 })
  .map((parts) => parts.join(''));
const END = fc.constantFrom('\n', '\n', '\n', '\r\n');

describe('the short reading', () => {
  it('is the full one over made lines', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(LINE, LINE, LINE, NOISE), END), { maxLength: 14 }), (lines) => {
        expectSame(lines.map((parts) => parts.join('')).join(''));
      }),
      { numRuns: 4_000, seed: 20_261_130 },
    );
  });

  it('is the full one over stamps with something blind behind them', () => {
    const stamp = '2026-11-29T18:33:15.457369378Z ';
    fc.assert(
      fc.property(fc.array(NOISE, { minLength: 1, maxLength: 8 }), (texts) => {
        expectSame(texts.map((text) => `${stamp}${text}\n`).join(''));
        expectSame(texts.map((text) => `[rank3]: ${text}\n`).join(''));
      }),
      { numRuns: 2_000, seed: 7 },
    );
  });

  it('is the full one over the lines of all recorded logs', () => {
    const logs = globSync('**/*.{log,txt,out,err}', { cwd: ROOT });
    expect(logs.length).toBeGreaterThan(20);
    for (const path of logs) {
      const bytes = readFileSync(ROOT + path).subarray(0, 120_000);
      for (const kind of ['log', 'text', 'kernel'] as const) expectSame(bytes, kind);
    }
  });

  it('is the full one where lines are long, broken or without an end', () => {
    expectSame(`2026-11-29T18:33:15.457369378Z ${'x'.repeat(9_000)}\nshort`);
    expectSame(`2026-11-29T18:33:15.457369378Z ${'x'.repeat(20_000)} ERROR\n`);
    expectSame(Buffer.from([0x61, 0xff, 0xfe, 0x0a, 0x62, 0x0a]));
    expectSame('\ufeffINFO:a:b\n\n\n');
  });
});
