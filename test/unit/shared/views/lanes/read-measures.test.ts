import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMeasures } from '#shared/views/lanes/metrics/index.ts';

const of = (text: string): string[] => readMeasures(text).map(({ name, value, unit }) => `${name}=${value}${unit}`);

describe('measures in lines of progress', () => {
  it.each([
    ['step 14 loss 2.2840', ['loss=2.284']],
    ['INFO:pretrain:step 13 eval loss 2.6264', ['eval loss=2.6264']],
    ['| 17 | train.py:176 | step 4083 loss 2.2840', ['loss=2.284']],
    ['epoch 1 iteration 940, G-Cycle: 0.42, G-L1: 1.93', ['G-Cycle=0.42', 'G-L1=1.93']],
    ['iter 1200: loss 2.3011, time 120.11ms, mfu 38.1%', ['loss=2.3011', 'time=120.11ms', 'mfu=38.1%']],
    ["{'loss': 2.3011, 'learning_rate': 1e-05, 'epoch': 1.27}", ['loss=2.3011', 'learning_rate=0.00001']],
    ['{"epoch": 1, "loss": "13.4", "wps": "1200"}', ['loss=13.4', 'wps=1200']],
    [
      'step: 10  loss: 7.1402  memory: 2.50GiB(51.22%)  tps: 1,234  mfu: 12.93%',
      ['loss=7.1402', 'memory=2684354560bytes', 'tps=1234', 'mfu=12.93%'],
    ],
    ['Epoch: [3][ 120/ 500]\tTime 0.1 (0.2)\tLoss 2.3 (2.5)\tAcc@1 10.1 (9.0)', ['Time=0.1', 'Loss=2.3', 'Acc@1=10.1']],
    ['pretrain:   2%|   | 410/20000 [03:55<3:07:01, 1.74it/s, loss=2.736]', ['it/s=1.74it/s', 'loss=2.736']],
    [
      'global_step=10, CurrSamplesPerSec=106.2, MemAllocated=1.5GB',
      ['CurrSamplesPerSec=106.2', 'MemAllocated=1500000000bytes'],
    ],
    [
      'iteration: 1 / 10 | consumed_tokens: 4.1K | tokens_per_sec: 10.5K | lr: 0.0001',
      ['tokens_per_sec=10500', 'lr=0.0001'],
    ],
    [
      ' iteration       32/      50 | consumed samples:         512 | elapsed time per iteration (ms): 27590.4 | lm loss: 7.61E+00 | grad norm: 2.341 | throughput per GPU (TFLOP/s/GPU): 123.4 |',
      ['elapsed time per iteration=27590.4ms', 'lm loss=7.61', 'grad norm=2.341', 'throughput per GPU=123.4'],
    ],
    ['step 100: train loss 2.5, val loss 2.7, took 3.5s', ['train loss=2.5', 'val loss=2.7']],
    ['elapsed_s: 3.5s took: 2s', ['elapsed_s=3500ms', 'took=2000ms']],
  ])('are read: %s', (text, measures) => expect(of(text)).toEqual(measures));

  it.each([
    'step 6 evaluated 24 rows',
    '# heartbeat rank=16 node=node-c iter=85 elapsed=21.9s',
    'Train Epoch: 3 [1280/60000 (2%)]',
    'step 10 at 10:22:33 from 10.0.0.1:29500 loss=nan',
    'step 4 of 2026-03-14 v1.2.3 commit=3fa9c1',
    'step=10, lr=1e-05x',
    'global_step 5 train.py:88 pid=41',
  ])('are not: counters, places, times, what is no number: %s', (text) => expect(of(text)).toEqual([]));

  it('stay few and finite in any text, quickly', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 600 }), (text) => {
        const found = readMeasures(text);
        expect(found.length).toBeLessThanOrEqual(32);
        for (const { name, value } of found) {
          expect(name.length).toBeLessThanOrEqual(40);
          expect(Number.isFinite(value)).toBe(true);
        }
      }),
    );
    const started = process.cpuUsage();
    for (const hostile of [
      'a '.repeat(300),
      '1,234'.repeat(120),
      'a=1 '.repeat(150),
      '9'.repeat(600),
      `${'a-b/c '.repeat(90)}: 5`,
    ])
      for (let i = 0; i < 200; i++) readMeasures(hostile);
    const { user, system } = process.cpuUsage(started);
    // A thousand lines of the worst kinds; a line that grows with its square would take seconds.
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});
