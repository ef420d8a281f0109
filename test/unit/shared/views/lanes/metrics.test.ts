import { describe, expect, it } from 'vitest';
import {
  buildMetrics,
  type GpuSeries,
  type LanesView,
  type MetricCurve,
  metricCurve,
  type ProgressLine,
  STATE,
} from '#shared/views/lanes/index.ts';

/** Two ranks on clocks of their own: that of rank 1 is a second ahead, known to half a second. */
const lane = (rank: number, clock: number, role: string, more: object = {}): object => ({
  ...{ id: `rank-${rank}`, kind: 'rank', rank, clock, role, dump: 'absent', log: 'own', logToNs: 9e9 },
  ...{ heldFromNs: null, openUntilNs: null, callFrom: 0, callTo: 0, instantFrom: 0, instantTo: 0 },
  ...more,
});
const NO_CALLS = {
  ...{ length: 0, startNs: new Float64Array(0), endNs: new Float64Array(0), state: new Uint8Array(0) },
  ...{ group: new Int16Array(0), seq: new Int32Array(0), op: new Int16Array(0), record: new Int16Array(0) },
};
const VIEW = {
  clocks: [
    { id: 'a', reference: true, offsetNs: null, momentNs: null, drift: 0 },
    { id: 'b', reference: false, offsetNs: { estimate: 1e9, low: 0.5e9, high: 1.5e9 }, momentNs: 0, drift: 0.1 },
  ],
  lanes: [lane(0, 0, 'victim'), lane(1, 1, 'first')],
  files: [
    { entry: 1, clock: 0 },
    { entry: 2, clock: 1 },
  ],
  calls: NO_CALLS,
} as unknown as LanesView;

const line = (
  rank: number | null,
  step: number | null,
  s: number,
  text = '',
  entry = (rank ?? 0) + 1,
): ProgressLine => ({
  ...{ rank, entry, step, rawNs: s * 1e9, text },
});
/** One column a second. */
const curve = (
  id: string,
  lines: readonly ProgressLine[],
  { basis = 'raw', view = VIEW, ranks = [1] }: { basis?: 'raw' | 'corrected'; view?: LanesView; ranks?: number[] } = {},
): MetricCurve | null => metricCurve(buildMetrics(view, lines), id, { basis, from: 0, to: 10e9, columns: 10, ranks });
const gaps = (values: Float64Array | undefined): (number | null)[] =>
  [...(values ?? [])].map((value) => (Number.isNaN(value) ? null : value));

describe('step times', () => {
  it('are what lies between two lines, a step, and nothing behind the last one', () => {
    const found = curve('step-time', [line(0, 10, 1), line(0, 20, 3), line(0, 30, 6)]);
    expect(gaps(found?.median)).toEqual([null, 200, 200, 300, 300, 300, null, null, null, null]);
    expect(found).toMatchObject({ members: 1, own: [] });
  });

  it('spread over the ranks, with the first one apart', () => {
    const found = curve('step-time', [line(0, 0, 0), line(0, 10, 4), line(1, 0, 0), line(1, 10, 8)]);
    expect([found?.low[0], found?.high[0], found?.median[0]]).toEqual([400, 800, 400]);
    expect([found?.low[5], found?.high[5]]).toEqual([800, 800]);
    expect(found?.own.map(({ rank, values }) => [rank, values[0]])).toEqual([[1, 800]]);
  });

  it('stand where the clock of their rank is moved to', () => {
    const found = curve('step-time', [line(1, 0, 3), line(1, 10, 5)], { basis: 'corrected' });
    expect(found?.median.findIndex((value) => !Number.isNaN(value))).toBe(2);
  });

  it('pass over restarts, and lines of one step', () => {
    const found = curve('step-time', [line(0, 90, 0), line(0, 100, 1), line(0, 0, 3), line(0, 0, 4), line(0, 10, 5)]);
    expect(gaps(found?.median).slice(0, 6)).toEqual([100, null, null, 200, 200, null]);
  });

  it('are none without two steps, and known nowhere outside of the span', () => {
    expect(curve('step-time', [line(0, 1, 1)])).toBeNull();
    expect(curve('step-time', [line(0, 1, 100), line(0, 2, 200)])?.members).toBe(0);
    expect(curve('step-time', [line(7, 1, 1), line(7, 2, 2)])).toBeNull();
  });

  it('show the longest of many in one column in the band', () => {
    const times = [0, 0.1, 0.2, 0.9, 1, 2];
    const found = curve(
      'step-time',
      times.map((s, i) => line(0, i, s)),
    );
    expect(found?.high[0]).toBeCloseTo(700);
    expect(found?.low[0]).toBeCloseTo(100);
  });
});

describe('the step that was reached', () => {
  it('holds until the rank wrote its last line, so that who falls behind stands still', () => {
    const found = curve('step', [line(0, 1, 0), line(0, 2, 2), line(0, 3, 4), line(1, 1, 0), line(1, 2, 2)]);
    expect(gaps(found?.high)).toEqual([1, 1, 2, 2, 3, 3, 3, 3, 3, null]);
    expect(gaps(found?.own[0]?.values)).toEqual([1, 1, 2, 2, 2, 2, 2, 2, 2, null]);
    expect(gaps(found?.low)[8]).toBe(2);
  });
});

describe('printed measures', () => {
  const loss = (rank: number | null, step: number, s: number, value: number, entry?: number): ProgressLine =>
    line(rank, step, s, `step ${step} loss ${value}`, entry);

  it('tell of the time before their line, and of a pause nothing', () => {
    const lines = [loss(0, 1, 1, 9), loss(0, 2, 2, 8), loss(0, 3, 3, 7), loss(0, 4, 9, 6)];
    expect(gaps(curve('line::loss', lines)?.median)).toEqual([9, 8, 7, null, null, null, null, null, 6, null]);
  });

  it('are listed with who prints them; what stands once is no curve', () => {
    const lines = [loss(0, 1, 1, 9), loss(0, 2, 2, 8), loss(1, 2, 2, 8), line(0, 3, 3, 'step 3 accuracy=3')];
    const { infos } = buildMetrics(VIEW, lines);
    expect(infos.map(({ id, members }) => [id, members])).toEqual([
      ['step-time', 1],
      ['step', 1],
      ['clock-bound', 1],
      ['line::loss', 2],
    ]);
  });

  it('come from a printer without a rank too, on the clock of its file', () => {
    const lines = [loss(null, 1, 3, 9, 2), loss(null, 2, 4, 8, 2)];
    expect(buildMetrics(VIEW, lines).infos.find(({ id }) => id === 'line::loss')).toMatchObject({
      members: 1,
      unplaced: 1,
    });
    expect(gaps(curve('line::loss', lines, { basis: 'corrected' })?.median).slice(0, 5)).toEqual([
      null,
      9,
      8,
      null,
      null,
    ]);
  });

  it('are the same in any order of lines, and few of many names', () => {
    const lines = Array.from({ length: 300 }, (_, i) => line(0, i, i / 10, `step ${i} m${i % 60}x=${i}`));
    const forwards = buildMetrics(VIEW, lines);
    expect(buildMetrics(VIEW, [...lines].reverse()).infos).toEqual(forwards.infos);
    expect(forwards.infos.filter(({ id }) => id.startsWith('line:'))).toHaveLength(24);
    expect(forwards.leftOut).toBe(36);
  });

  it('have a name of the language as any other', () => {
    const lines = [line(0, 1, 1, 'step 1 constructor=4'), line(0, 2, 2, 'step 2 constructor=5')];
    expect(curve('line::constructor', lines)?.high[1]).toBe(5);
    expect(curve('__proto__', lines)).toBeNull();
  });
});

/** Rank 0 makes a call a second of half a second each from 1 s on; that at 6 s does not end. Its records before 2 s were overwritten. */
const starts = [1, 2, 3, 4, 5, 6];
const RECORDED = {
  ...VIEW,
  lanes: [
    lane(0, 0, 'victim', { dump: 'present', callTo: 6, openUntilNs: 8e9, heldFromNs: 2e9 }),
    lane(1, 1, 'first', { dump: 'present', callFrom: 6, callTo: 8 }),
  ],
  calls: {
    length: 8,
    // Rank 1: one call, then the one that it never made.
    startNs: Float64Array.from([...starts, 3, 6], (s) => s * 1e9),
    endNs: Float64Array.from([...starts.slice(0, 5).map((s) => s + 0.5), Number.NaN, 5, Number.NaN], (s) => s * 1e9),
    state: Uint8Array.from([1, 1, 1, 1, 1, STATE.waiting, 1, STATE.first]),
    group: new Int16Array(8),
    seq: new Int32Array(8),
    op: new Int16Array(8),
    record: Int16Array.from([0, 1, 2, 3, 4, 5, 0, -1]),
  },
} as unknown as LanesView;

describe('what recorders tell', () => {
  const of = (id: string, rank: number): (number | null)[] =>
    gaps(curve(id, [], { view: RECORDED, ranks: [rank] })?.own[0]?.values);

  it('is the share of a second with a call open, from what the ring still holds to where the rank was last seen', () => {
    expect(of('time-in-calls', 0)).toEqual([null, null, 50, 50, 50, 50, 100, 100, null, null]);
  });

  it('is nothing behind the last record of a rank that waits in no call: its dump may be older than that', () => {
    expect(of('time-in-calls', 1)).toEqual([null, null, null, 100, 100, null, null, null, null, null]);
  });

  it('counts calls that were enqueued, not those that a rank never made', () => {
    expect(of('calls-per-second', 0)).toEqual([null, null, 1, 1, 1, 1, 1, 0, null, null]);
    expect(of('calls-per-second', 1)).toEqual([null, null, null, 1, 0, null, null, null, null, null]);
  });

  it('looks back less where recorders hold only a moment', () => {
    const { calls, lanes } = RECORDED;
    const short = {
      ...RECORDED,
      lanes: lanes.map((one) => ({ ...one, openUntilNs: 8e7, heldFromNs: 2e7 })),
      calls: { ...calls, startNs: calls.startNs.map((ns) => ns / 100), endNs: calls.endNs.map((ns) => ns / 100) },
    } as unknown as LanesView;
    const store = buildMetrics(short, []);
    const found = metricCurve(store, 'time-in-calls', { basis: 'raw', from: 0, to: 1e8, columns: 10, ranks: [0] });
    expect(gaps(found?.own[0]?.values)).toEqual([null, null, 50, 50, 50, 50, 100, 100, null, null]);
  });

  it('is not asked of lanes without a dump', () => {
    expect(buildMetrics(VIEW, []).infos.map(({ id }) => id)).toEqual(['clock-bound']);
  });
});

describe('bounds of clocks', () => {
  it('widen with the distance from their moment, and belong to the ranks on that clock', () => {
    const found = curve('clock-bound', []);
    expect(found?.members).toBe(1);
    expect(found?.own[0]?.values[0]).toBeCloseTo(500 + 50);
    expect(found?.own[0]?.values[9]).toBeCloseTo(500 + 950);
  });
});

describe('a curve of many ranks', () => {
  it('does not depend on how many columns are made at once', () => {
    const many = {
      ...VIEW,
      lanes: Array.from({ length: 3000 }, (_, rank) => lane(rank, 0, 'victim')),
    } as unknown as LanesView;
    const lines = Array.from({ length: 3000 }, (_, rank) => [
      line(rank, 0, 0, '', 1),
      line(rank, 10, 1 + (rank % 7), '', 1),
    ]).flat();
    const store = buildMetrics(many, lines);
    const request = { basis: 'raw' as const, from: 0, to: 8e9, ranks: [5] };
    const wide = metricCurve(store, 'step-time', { ...request, columns: 1600 });
    const narrow = metricCurve(store, 'step-time', { ...request, columns: 8 });
    for (const part of ['low', 'median', 'high'] as const)
      expect(gaps(wide?.[part]).filter((_, i) => i % 200 === 0)).toEqual(gaps(narrow?.[part]));
    expect(narrow?.median[0]).toBe(400);
    expect(wide?.own[0]?.values[1199]).toBe(600);
    expect(wide?.own[0]?.values[1200]).toBeNaN();
  });
});

describe('GPUs', () => {
  const measured = (part: Partial<GpuSeries>, values: readonly number[] = [10, 90, 90]): GpuSeries => ({
    ...{ node: 'gpu-0', clock: 0, index: 0, pci: null, beside: 2 },
    measures: new Map([
      [
        'utilization.gpu',
        { atNs: Float64Array.from(values, (_, i) => (i + 1) * 1e9), value: Float64Array.from(values) },
      ],
    ]),
    ...part,
  });
  const view = (gpus: readonly (string | null)[]): LanesView =>
    ({
      ...VIEW,
      lanes: gpus.map((gpu, rank) => lane(rank, 0, 'victim', { node: 'gpu-0', gpu })),
    }) as unknown as LanesView;
  const ranksOf = (gpus: readonly (string | null)[], series: readonly GpuSeries[]) =>
    buildMetrics(view(gpus), [], series)
      .members('gpu:utilization.gpu')
      .map(({ rank }) => rank);

  it('are a band over all of them, each value over the time before its stamp', () => {
    const store = buildMetrics(view(['0', '1']), [], [measured({}), measured({ index: 1 }, [10, 90, 0])]);
    expect(store.infos.filter(({ source }) => source === 'gpu')).toEqual([
      { id: 'gpu:utilization.gpu', name: 'GPU utilisation', unit: '%', source: 'gpu', members: 2, unplaced: 0 },
    ]);
    const request = { basis: 'raw', from: 0, to: 4e9, columns: 4, ranks: [1] } as const;
    const found = metricCurve(store, 'gpu:utilization.gpu', request);
    expect(gaps(found?.low)).toEqual([10, 90, 0, null]);
    expect(gaps(found?.high)).toEqual([10, 90, 90, null]);
    expect(found?.own.map(({ rank, values }) => [rank, gaps(values)])).toEqual([[1, [10, 90, 0, null]]]);
  });

  it('belong to a rank by their address, or by their number where the ranks have all GPUs of the node', () => {
    expect(ranksOf(['1 (0000:9d:00.0)', '0 (0000:1b:00.0)'], [measured({ index: 0, pci: '0000:9d:00.0' })])).toEqual([
      0,
    ]);
    expect(ranksOf(['1', '0'], [measured({ index: 0 }), measured({ index: 1 })])).toEqual([1, 0]);
  });

  it.each([
    ['the ranks have a part of the node', ['0', '1'], measured({ beside: 8 })],
    ['two ranks give one number', ['0', '0'], measured({})],
    ['nothing tells the GPU of a rank', [null, '0'], measured({})],
    ['the file names no node', ['0', '1'], measured({ node: null })],
  ] as const)('belong to no rank where %s', (_what, gpus, series) => {
    expect(ranksOf(gpus, [series])).toEqual([null]);
  });

  it('make no curve of one measurement', () => {
    expect(buildMetrics(view(['0', '1']), [], [measured({}, [50])]).infos.map(({ source }) => source)).toEqual([
      'clocks',
    ]);
  });
});
