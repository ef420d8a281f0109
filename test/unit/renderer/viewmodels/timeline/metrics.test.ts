import { describe, expect, it } from 'vitest';
import { formatCount } from '#shared/text/format.ts';
import type { MetricCurve, MetricInfo } from '#shared/views/lanes/index.ts';
import {
  columnOf,
  metricNote,
  metricRange,
  metricSummary,
  metricTable,
  metricTitle,
  metricValue,
  orderMetrics,
  readingAt,
  shownAtFirst,
} from '../../../../../renderer/viewmodels/timeline/metrics.ts';

const info = (id: string, more: Partial<MetricInfo> = {}): MetricInfo => ({
  ...{ id, name: id.split(':').at(-1) ?? '', unit: '', source: 'lines', members: 4, unplaced: 0 },
  ...more,
});
const MADE: readonly MetricInfo[] = [
  info('step-time', { unit: 'ms' }),
  info('step'),
  info('time-in-calls', { unit: '%', source: 'recorder' }),
  info('clock-bound', { unit: 'ms', source: 'clocks' }),
];
const curve = (low: number[], median: number[], high: number[], own: number[] | null = null): MetricCurve => ({
  ...{ id: 'x', members: 3, low: Float64Array.from(low), median: Float64Array.from(median) },
  high: Float64Array.from(high),
  own: own === null ? [] : [{ rank: 7, values: Float64Array.from(own) }],
});

describe('curves in words', () => {
  it('come in the order of what they tell; three are shown until one chooses', () => {
    const ordered = orderMetrics([
      ...MADE,
      info('line::zeta'),
      info('line::lr'),
      info('line::tps'),
      info('line::loss'),
    ]);
    expect(ordered.map(({ id }) => id)).toEqual([
      ...['step-time', 'step', 'line::loss', 'line::tps', 'line::lr', 'line::zeta', 'time-in-calls', 'clock-bound'],
    ]);
    expect([...shownAtFirst(ordered)]).toEqual(['step-time', 'line::loss', 'line::tps']);
    expect([...shownAtFirst(orderMetrics(MADE))]).toEqual(['step-time', 'time-in-calls']);
  });

  it('are named as they are printed, escaped, with who prints them', () => {
    expect(
      ['grad_norm', 'lr', 'Acc@1', 'lm loss', 'a\u202eb'].map((name) => metricTitle(info(`line::${name}`, { name }))),
    ).toEqual([...['Grad norm', 'lr', 'Acc@1', 'Lm loss'], expect.not.stringContaining('\u202e')]);
    expect(metricNote(info('line::loss'))).toBe('printed, 4 ranks');
    expect(metricNote(info('line::loss', { members: 1, unplaced: 1 }))).toBe('printed, rank not known');
    expect(metricTitle(info('__proto__', { name: '__proto__' }))).toBe('__proto__');
  });

  it('have values with as many digits as tell them apart', () => {
    expect([0.0123, 38.456, 1234.5, 0.00001, 2.5].map((value) => metricValue(value))).toEqual([
      '0.0123',
      '38.46',
      formatCount(1235),
      '1.00e-5',
      '2.5',
    ]);
    expect([0, 0.5, 9.876, 212.4, 1840, 61_000].map((ms) => metricValue(ms, 'ms'))).toEqual([
      '0 ms',
      '500 µs',
      '9.88 ms',
      '212 ms',
      '1.84 s',
      '61 s',
    ]);
    expect(metricValue(Number.NaN, 'ms')).toBe('–');
    expect([metricValue(98.5, '%'), metricValue(3, 'calls/s')]).toEqual(['98.5 %', '3 calls/s']);
  });

  it('say the median with its spread, a unit once, and each own rank; nothing where nothing is known', () => {
    const ms = info('step-time', { unit: 'ms' });
    const known = curve(
      [180, Number.NaN, 200],
      [212, Number.NaN, 200],
      [410, Number.NaN, 200],
      [410, Number.NaN, Number.NaN],
    );
    expect(readingAt(known, ms, 0)).toEqual({ all: '212 ms (180–410 ms)', own: [{ rank: 7, text: '410 ms' }] });
    expect(readingAt(known, ms, 1)).toBeNull();
    expect(readingAt(known, ms, 2)).toEqual({ all: '200 ms', own: [] });
    // Groups of a number are no unit.
    expect(readingAt(curve([5243], [5243], [11_243]), info('line::tps'), 0)?.all).toBe(
      `${formatCount(5243)} (${formatCount(5243)}–${formatCount(11_243)})`,
    );
    expect(metricSummary(known, ms)).toBe(
      'Step time, by progress lines: median 200 ms, 3 ranks, from 180 ms to 410 ms.',
    );
  });

  it('stand on an axis with round ends that hold them all', () => {
    expect(metricRange(curve([180], [212], [410]), info('step-time', { unit: 'ms' }))).toEqual([0, 500]);
    expect(metricRange(curve([2.31], [2.33], [2.39]), info('line::loss'))).toEqual([2.31, 2.39]);
    expect(metricRange(curve([20], [30], [40]), info('time-in-calls', { unit: '%' }))).toEqual([0, 100]);
    expect(metricRange(curve([7], [7], [7]), info('line::x'))).toEqual([6.3, 7.7]);
    expect(metricRange(curve([Number.NaN], [Number.NaN], [Number.NaN]), info('line::x'))).toBeNull();
    const [from, to] = metricRange(curve([2], [3], [4], [9]), info('line::x')) ?? [0, 0];
    expect(from <= 2 && to >= 9).toBe(true);
  });

  it('are found by the time under the cursor, the end outside', () => {
    const span = { from: 100, to: 200 };
    expect([99, 100, 149, 150, 199, 200].map((at) => columnOf(at, span, 2))).toEqual([-1, 0, 0, 1, 1, -1]);
  });

  it('are a table with a row where any of them changes', () => {
    const one = { curve: curve([1, 1, 2], [1, 1, 2], [3, 3, 3], [1, 1, 2]), info: info('line::loss') };
    const { head, rows } = metricTable([one], 3, (column) => `t${column}`);
    expect(head).toEqual(['Time', 'Loss', 'Loss, rank 7']);
    expect(rows).toEqual([
      ['t0', '1 (1–3)', '1'],
      ['t2', '2 (2–3)', '2'],
    ]);
  });
});
