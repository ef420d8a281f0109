/** Lines that are counted as bytes and lines that are read as text must say the same, whatever a log holds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineBlockSinks, LineBlocks } from '#engine/import/line-blocks.ts';
import podLog from '#shared/formats/log/pod-log.ts';
import type { FormatOutput, LineReader } from '#shared/model/format.ts';
import { entryId } from '#shared/model/ids.ts';
import { rankLog } from '../../../../perf/training-logs.ts';

interface Said {
  readonly outputs: readonly FormatOutput[];
  readonly blocks: readonly unknown[];
  readonly times: readonly (readonly [second: number, lines: number])[];
  /** Lines that were given to the reader as text. */
  readonly read: number;
}

/** As text; as bytes by the reader's own code; the same by the machine code that is its twin. */
type Way = 'text' | 'bytes' | 'machine-code';

function readLog(bytes: Buffer, path: string, way: Way, chunk: number): Said {
  const outputs: FormatOutput[] = [];
  const blocks: unknown[] = [];
  const seconds = new Map<number, number>();
  let read = 0;
  const reader: LineReader = podLog.open({ entry: entryId(3), path }, (output) => outputs.push(output));
  const onTime = (ms: number, lines = 1) => {
    if (ms >= 0) seconds.set(Math.floor(ms / 1000), (seconds.get(Math.floor(ms / 1000)) ?? 0) + lines);
  };
  const sinks: LineBlockSinks = {
    onBlock: ({ bytes: _bytes, ...block }) => blocks.push(block),
    onLine: (text, line, byte, length) => {
      read += 1;
      const ms = reader.line(text, line, byte, length);
      onTime(ms);
      return ms;
    },
    ...(way === 'text' ? {} : { onTime, skim: (run) => reader.skim?.(run) }),
  };
  const cutter = new LineBlocks(sinks, 'utf-8', way === 'machine-code');
  for (let at = 0; at < bytes.length; at += chunk) cutter.push(bytes.subarray(at, at + chunk));
  cutter.end();
  reader.end();
  return { outputs, blocks, times: [...seconds].sort((a, b) => a[0] - b[0]), read };
}

function expectSame(text: string, path = 'logs/train-worker-3.log'): Said {
  const bytes = Buffer.from(text);
  const said = (way: Way) => readLog(bytes, path, way, bytes.length + 1);
  const plain = said('text');
  const own = said('bytes');
  const quick = said('machine-code');
  expect({ ...own, read: 0 }).toEqual({ ...plain, read: 0 });
  // The very same lines are left to be read.
  expect(quick).toEqual(own);
  return quick;
}

const number = (max: number): fc.Arbitrary<string> => fc.integer({ min: 0, max }).map(String);
const two = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));
const clock = fc.tuple(two(1), two(60), two(60)).map(([h, m, s]) => `1${h.slice(1)}:${m}:${s}`);
const date = fc.constantFrom('2026-11-29', '2026-11-29', '2026-11-30', '2026-02-30', '2026/11/29');
const digits = (length: number) =>
  fc.integer({ min: 0, max: 10 ** length - 1 }).map((n) => String(n).padStart(length, '0'));

const carrier = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(date, clock, digits(9)).map(([d, c, n]) => `${d}T${c}.${n}Z `) },
  { weight: 2, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .tuple(clock, digits(9), fc.constantFrom('out', 'err', 'xxx'), fc.constantFrom('F ', 'P ', 'F', 'F:x '))
      .map(([c, n, out, tag]) => `2026-11-29T${c}.${n}Z std${out} ${tag}`),
  },
  { weight: 1, arbitrary: fc.tuple(clock, digits(3)).map(([c, n]) => `2026-11-29T${c}.${n}Z `) },
  { weight: 1, arbitrary: clock.map((c) => `2026-11-29T${c}.123456789+02:00 `) },
  { weight: 1, arbitrary: fc.constantFrom('[pod/w-1/trainer] ', '[pod/w-2/trainer] 2026-11-29T10:00:00.000000001Z ') },
  { weight: 1, arbitrary: clock.map((c) => `2026-11-29T${c}.123456789Z`) },
);

const layer = fc.oneof(
  fc.constant(''),
  fc.tuple(date, clock, digits(3)).map(([d, c, n]) => `${d} ${c},${n} `),
  fc.tuple(date, clock, digits(3)).map(([d, c, n]) => `[${d} ${c},${n}] `),
  clock.map((c) => `[2026-11-29 ${c}] [INFO] `),
  number(5).map((rank) => `[rank${rank}]: `),
  number(5).map((rank) => `[rank${rank}]:`),
  number(5).map((rank) => `[rank${rank}] `),
  fc.constantFrom(
    '[rank07]: ',
    '[Rank 3] ',
    '[rank: 2] ',
    '[rank-1 x] ',
    '[default3]:',
    '[w-0] ',
    '[trainer] ',
    '[c10d] ',
  ),
  fc.constantFrom('INFO:train:', 'INFO 08-25 07:22:14 ', 'Nov  9 11:17:40 ', '03/14 11:17:40 ', 'node-a:110:697 [0] '),
  fc.constantFrom(' ', '  ', ' 3: ', '12: ', 'P1  3: ', '(RayTrainWorker pid=12) ', '=', '== ', '{"a":1}', 'host-7: '),
  fc.constantFrom('[INFO] [logging.py:96:log_dist] [Rank 3] ', '[INFO] [metrics.py:4:emit] '),
  fc.constantFrom('[E1129 10:00:01.123456789 x.cpp:1] ', 'E1129 10:00:01.123000 12 a/b.py:3] ', '1773482289.123 '),
  number(5).map((rank) => `| ${rank} | train.py:176 | `),
  number(5).map((rank) => `|${rank}|`),
);

const words = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'loader queue 4',
      'x',
      '',
      ' ',
      'all is well',
      'NCCL INFO Channel 00 : 0 -> 1',
      'Total: 4',
      '512 samples',
      'time=3',
    ),
  },
  { weight: 2, arbitrary: number(40).map((step) => `step ${step} loss 2.3`) },
  { weight: 1, arbitrary: number(5).map((rank) => `rank ${rank} of 6 (local 0) pid 12`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'Traceback (most recent call last):',
      '  File "/w/train.py", line 4, in main',
      '    raise ValueError("no")',
      'ValueError: no',
      'saving /ckpt/step-9.pt',
      'NCCL WARN Cuda failure 999',
      'Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1) ran for 2 milliseconds before timing out.',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'a\rb',
      'a\u001b[31mred',
      'n\0l',
      'caché',
      '==> logs/w-9.log <==',
      '█| 3/10',
      'x'.repeat(9000),
      '+ w-1 › trainer',
    ),
  },
);

const line = fc
  .tuple(carrier, fc.array(layer, { maxLength: 3 }), words)
  .map(([c, layers, text]) => c + layers.join('') + text);

/** A log of steps by several printers, with what may stand between them. */
function stepLog(seed: number, lines: number): string {
  let state = seed >>> 0;
  const dice = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = (...texts: readonly string[]): string => texts[dice(texts.length)] ?? '';
  const carried = dice(3) > 0;
  const marks = [
    ['', ''],
    ['[rank1]: ', '[rank1]: '],
    ['| 1 | train.py:176 | ', '| 2 | train.py:176 | '],
    ['[rank1] ', '[rank2] '],
  ];
  const [one = '', other = ''] = marks[dice(marks.length)] ?? [];
  const out: string[] = [];
  let ms = 1_773_480_300_000;
  let step = dice(9_000);
  for (let i = 0; i < lines; i += 1) {
    ms += dice(400) === 0 ? 30_000 : dice(90);
    const iso = new Date(ms).toISOString();
    const stamp = carried ? `${iso.slice(0, 23)}${String(dice(1_000_000)).padStart(6, '0')}Z ` : '';
    const own = `${iso.slice(0, 19).replace('T', ' ')},${iso.slice(20, 23)} `;
    const mark = dice(4) === 0 ? other : one;
    step += dice(20) === 0 ? 0 : dice(3);
    const loss = `${dice(12)}.${String(dice(10_000)).padStart(4, '0')}`;
    const usual = pick(
      `step ${step} loss ${loss} lr 0.000${dice(1000)} tokens/s ${dice(90_000)}`,
      `step ${step} loss ${loss}`,
      `epoch ${Math.floor(step / 5000)} iteration ${step}, loss ${loss}`,
      `{'loss': ${loss}, 'epoch': ${dice(3)}.${dice(100)}}`,
    );
    const odd = pick(
      `step ${step} rank=${dice(4)} loss ${loss}`,
      `it ${dice(30)}: loss ${loss}`,
      'rank 1 of 6 (local 0) pid 12',
      'Traceback (most recent call last):',
      'ValueError: no',
      `saving /ckpt/step-${step}.pt`,
      `w-0:12:${dice(99)} [0] step ${step} loss ${loss}`,
      `resuming from step ${step}`,
      `step ${step} caché ${loss}`,
      `step ${step}\rstep ${step + 1}`,
    );
    const isOdd = dice(40) === 0;
    out.push(`${stamp}${dice(30) === 0 ? '' : own}${isOdd && dice(3) === 0 ? '' : mark}${isOdd ? odd : usual}`);
  }
  return `${out.join('\n')}\n`;
}

describe('lines that are skimmed', () => {
  it('say what they say as text, in any mixture', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.boolean(), (lines, ends) => {
        expectSame(lines.join('\n') + (ends ? '\n' : ''));
      }),
      { numRuns: 1500, seed: 4711 },
    );
  });

  it('say the same where most lines have one form, as in a real log', () => {
    fc.assert(
      fc.property(
        carrier,
        layer,
        fc.array(fc.tuple(words, fc.option(line, { freq: 6 })), { maxLength: 80 }),
        (c, l, all) => {
          const text = all.map(([said, odd]) => odd ?? c + l + said).join('\n');
          expectSame(text);
          expectSame(text, 'torchrun/attempt_0/3/stderr.log');
        },
      ),
      { numRuns: 800, seed: 4711 },
    );
  });

  it('say the same where a loop says its step by the thousand', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
        const text = stepLog(seed, 5000);
        expectSame(text);
        expectSame(text, 'torchrun/attempt_0/3/stderr.log');
      }),
      { numRuns: 16, seed: 4711 },
    );
  });

  it('are most steps of a log of steps, too: after the first two thousand', { timeout: 60_000 }, () => {
    const log = Buffer.concat([...rankLog(1, 1_500_000, 'steps', 64)]).toString('latin1');
    const { read } = expectSame(log, 'logs/train-worker-1.log');
    expect(log.split('\n').length).toBeGreaterThan(10_000);
    expect(read).toBeGreaterThan(2000);
    expect(read).toBeLessThan(3000);
  });

  it('are nearly all lines of a usual log', () => {
    const lines = Array.from({ length: 5000 }, (_, i) => {
      const second = String(Math.floor(i / 100)).padStart(2, '0');
      const stamp = `2026-11-29T18:33:${second}.${String(i).padStart(9, '0')}Z `;
      return i % 500 === 0 ? `${stamp}[rank3]: INFO step ${i} loss 2.1` : `${stamp}[rank3]: INFO loader queue ${i}`;
    });
    const { read } = expectSame(`${lines.join('\n')}\n`);
    expect(read).toBeGreaterThan(9);
    expect(read).toBeLessThan(20);
  });

  it('do not depend on how the bytes arrive', () => {
    const bytes = Buffer.from(
      Array.from(
        { length: 3000 },
        (_, i) => `2026-11-29T18:33:15.${String(i).padStart(9, '0')}Z [rank${i % 4}]: note ${i}\n`,
      ).join(''),
    );
    const whole = readLog(bytes, 'a.log', 'machine-code', bytes.length);
    expect(readLog(bytes, 'a.log', 'machine-code', 4096)).toEqual(whole);
  });
});
