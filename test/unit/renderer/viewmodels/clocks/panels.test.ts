import { describe, expect, it } from 'vitest';
import type { ReportClockDomain } from '#shared/report/clock-schema.ts';
import type { Report } from '#shared/report/schema.ts';
import type { ClockBandView, ClocksView } from '#shared/views/clocks/types.ts';
import { isFlatOnOneScale, panelsPicture, spreadLabels } from '../../../../../renderer/viewmodels/clocks/panels.ts';
import {
  clockTableRows,
  sortClocks,
  tableScale,
  troubleOrder,
} from '../../../../../renderer/viewmodels/clocks/table.ts';
import { offsetTicks, tickWords } from '../../../../../renderer/viewmodels/clocks/ticks.ts';

type Offset = NonNullable<ReportClockDomain['offsetMs']>;
const within = (estimate: number, half: number): Offset => ({
  estimate,
  low: estimate - half,
  high: estimate + half,
  likelyLow: estimate - half / 4,
  likelyHigh: estimate + half / 4,
});
const domain = (
  id: string,
  offsetMs: Offset | null,
  quality: ReportClockDomain['quality'] = 'loose',
): ReportClockDomain => ({ id, kind: 'node', offsetMs, driftPpm: 127.5, quality, anchors: 3, basis: [], component: 0 });
const reportOf = (domains: readonly ReportClockDomain[]): Report =>
  // The view models of this screen read nothing else.
  ({ clock: { reference: 'a', domains: [...domains] } }) as unknown as Report;

const MOMENTS = 20;
const flat = (value: number): Float64Array => new Float64Array(MOMENTS).fill(value);
const band = (clock: string, at: Offset, of: Partial<ClockBandView> = {}): ClockBandView => ({
  clock,
  low: flat(at.low ?? -Infinity),
  high: flat(at.high ?? Infinity),
  likelyLow: flat(at.likelyLow ?? -Infinity),
  likelyHigh: flat(at.likelyHigh ?? Infinity),
  estimate: flat(at.estimate),
  anchors: [],
  rejected: [],
  ...of,
});
const viewOf = (bands: readonly ClockBandView[], of: Partial<ClocksView> = {}): ClocksView => ({
  originNs: '1771410505000000000',
  momentsNs: Float64Array.from({ length: MOMENTS }, (_, i) => i * 1e9),
  bands,
  firstFault: null,
  against: null,
  steps: [],
  ...of,
});

const FAR = within(57_930, 800);
const NEAR = within(-267, 735);
const REFERENCE = domain('a', within(0, 0), 'good');
const OPEN: Offset = { ...within(10, 4), high: null, likelyHigh: null };
const ALL = [REFERENCE, domain('far', FAR), domain('near', NEAR), domain('lost', null, 'none')];

describe('clocks at scales of their own', () => {
  it('show a band of some hundred ms whatever the offset, the chosen clock first', () => {
    const view = viewOf([band('a', within(0, 0)), band('far', FAR), band('near', NEAR)]);
    const picture = panelsPicture(view, reportOf(ALL), { chosen: 'near', withPoints: true });
    expect(picture.panels.map(({ clock }) => clock)).toEqual(['near', 'far']);
    const far = picture.panels[1];
    expect(far?.offset).toBe('+57\u2009930 ms');
    expect(far?.bounds).toBe('±800 ms, likely ±200 ms');
    expect([far?.low[0], far?.high[0], far?.estimate[0]]).toEqual([-800, 800, 0]);
    expect(far?.least).toBeCloseTo(-960);
    expect(far?.most).toBeCloseTo(960);
    expect(far?.words).toBe('far: +57\u2009930 ms, ±800 ms, likely ±200 ms, drift 127.5 ppm, 3 anchors');
    expect(picture.offsets.map(({ clock, ms }) => [clock, ms])).toEqual([
      ['far', 57_930],
      ['a', 0],
      ['near', -267],
    ]);
  });

  it('say which side is open, and let it leave the scale', () => {
    const view = viewOf([band('b', OPEN)]);
    const [panel] = panelsPicture(view, reportOf([REFERENCE, domain('b', OPEN, 'incomplete')]), {
      chosen: 'b',
      withPoints: true,
    }).panels;
    expect(panel?.bounds).toBe('upper side open');
    expect(panel?.trouble).toBe('incomplete');
    expect(panel?.high[0]).toBe(Infinity);
    expect(panel?.most).toBeLessThan(3);
  });

  it('make room for evidence that lies just outside, and none for what lies far off', () => {
    const anchor = (valueMs: number) => ({
      ...{ side: 'upper', atNs: 1, valueMs, certainty: 'guaranteed', text: '' },
      ...{ before: null, after: null, place: null },
    });
    const view = viewOf([
      band('far', FAR, {
        anchors: [anchor(57_930 + 1300), anchor(57_930 + 9000)] as unknown as ClockBandView['anchors'],
      }),
    ]);
    const picture = panelsPicture(view, reportOf(ALL), { chosen: 'far', withPoints: true });
    expect(picture.panels[0]?.points.map(({ valueMs }) => valueMs)).toEqual([1300, 9000]);
    expect(picture.panels[0]?.most).toBeGreaterThan(1300);
    expect(picture.panels[0]?.most).toBeLessThan(2000);
    expect(panelsPicture(view, reportOf(ALL), { chosen: 'far', withPoints: false }).panels[0]?.points).toEqual([]);
  });

  it('break where the clock was set, and reach to a fault that lies outside', () => {
    const view = viewOf([band('far', FAR)], {
      steps: [{ clock: 'far', fromNs: 2e9, toNs: 3e9, sizeMs: 50 }],
      firstFault: { clock: 'far', atNs: 40e9 },
    });
    const picture = panelsPicture(view, reportOf(ALL), { chosen: 'far', withPoints: true });
    expect([...(picture.panels[0]?.estimate ?? [])].map(Number.isNaN).slice(0, 5)).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
    expect(picture.fromNs).toBe(0);
    expect(picture.toNs).toBeGreaterThan(40e9);
  });

  it('are the first choice only where one scale would flatten the bands', () => {
    expect(isFlatOnOneScale(reportOf(ALL))).toBe(true);
    expect(isFlatOnOneScale(reportOf([REFERENCE, domain('near', NEAR), domain('b', within(300, 600))]))).toBe(false);
    const wide = [REFERENCE, domain('b', within(1, 10)), domain('c', within(2, 12)), domain('d', within(3, 3000))];
    expect(isFlatOnOneScale(reportOf(wide))).toBe(true);
    expect(isFlatOnOneScale(reportOf([REFERENCE, domain('lost', null)]))).toBe(false);
  });
});

describe('the order of trouble', () => {
  const domains = [
    domain('wide', within(5, 900)),
    REFERENCE,
    domain('good', within(1, 2), 'good'),
    domain('torn', within(1, 2), 'contradictory'),
    domain('lost', null, 'none'),
    domain('open', OPEN, 'incomplete'),
    domain('loose', within(5, 90)),
  ];

  it('has contradictions first and the reference last, whatever the order of the report', () => {
    const wanted = ['torn', 'lost', 'open', 'wide', 'loose', 'good', 'a'];
    expect(troubleOrder(reportOf(domains))).toEqual(wanted);
    expect(troubleOrder(reportOf([...domains].reverse()))).toEqual(wanted);
  });

  it('sorts by any column, unknown values last both ways', () => {
    const rows = clockTableRows(reportOf(domains), []);
    const ids = (by: 'offset' | 'width', descending: boolean) => sortClocks(rows, by, descending).map(({ id }) => id);
    expect(ids('width', true)).toEqual(['open', 'wide', 'loose', 'good', 'torn', 'a', 'lost']);
    expect(ids('offset', false).at(-1)).toBe('lost');
    expect(ids('offset', true).at(-1)).toBe('lost');
  });

  it('measures whiskers around the offset, and lets a clock out of all proportion leave the scale', () => {
    expect(tableScale(clockTableRows(reportOf([REFERENCE, domain('far', FAR), domain('near', NEAR)]), []))).toBe(800);
    const wild = [REFERENCE, domain('b', within(0, 10)), domain('c', within(0, 10)), domain('d', within(0, 90_000))];
    expect(tableScale(clockTableRows(reportOf(wild), []))).toBe(80);
    expect(tableScale(clockTableRows(reportOf([REFERENCE, domain('lost', null)]), []))).toBeNull();
  });
});

describe('marks of the axis', () => {
  it('stand at round values, hold 0, and carry the unit once', () => {
    expect(offsetTicks(-860, 860, 3)).toEqual([
      { at: -500, label: '−500' },
      { at: 0, label: '0' },
      { at: 500, label: '+500 ms' },
    ]);
    expect(offsetTicks(-4600, 4600, 3).map(({ label }) => label)).toEqual(['−2.5', '0', '+2.5 s']);
    expect(offsetTicks(-0.02, 0.02, 3).map(({ label }) => label)).toEqual(['−0.02', '0', '+0.02 ms']);
    expect(offsetTicks(1, 1, 3)).toEqual([]);
  });

  it('are written in ms where seconds would lose something', () => {
    expect(tickWords([-1250, 0, 1250])).toEqual(['−1250', '0', '+1250 ms']);
    expect(tickWords([-2000, 0, 2000])).toEqual(['−2', '0', '+2 s']);
  });
});

describe('labels beside an axis', () => {
  it('stay near their value, do not lie on each other, and stay inside', () => {
    expect(spreadLabels([50, 52, 54], 10, 100)).toEqual([45, 55, 65]);
    expect(spreadLabels([95, 97, 99], 10, 100)).toEqual([70, 80, 90]);
  });
});
