import { describe, expect, it } from 'vitest';
import type { ReportClock, ReportClockDomain } from '#shared/report/clock-schema.ts';
import type { Report } from '#shared/report/schema.ts';
import type { ClockBandView, ClocksView } from '#shared/views/clocks/types.ts';
import { anchorRows } from '../../../../../renderer/viewmodels/clocks/anchors.ts';
import { bandsPicture, MAX_BANDS } from '../../../../../renderer/viewmodels/clocks/bands.ts';
import { checkDraft, readMs } from '../../../../../renderer/viewmodels/clocks/setting-draft.ts';
import {
  clockStatements,
  clockTableRows,
  orderSentence,
  qualityCounts,
} from '../../../../../renderer/viewmodels/clocks/table.ts';

const ZERO = { estimate: 0, low: 0, high: 0, likelyLow: 0, likelyHigh: 0 };
const domain = (id: string, of: Partial<ReportClockDomain> = {}): ReportClockDomain => ({
  id,
  kind: 'node',
  offsetMs: null,
  driftPpm: null,
  quality: 'none',
  anchors: 0,
  basis: [],
  component: 9,
  ...of,
});
const at = (id: string, estimate: number, half: number, of: Partial<ReportClockDomain> = {}): ReportClockDomain =>
  domain(id, {
    offsetMs: {
      estimate,
      low: estimate - half,
      high: estimate + half,
      likelyLow: estimate - half / 4,
      likelyHigh: estimate + half / 4,
    },
    quality: half <= 50 ? 'good' : 'loose',
    component: 0,
    ...of,
  });
const reportOf = (clock: Partial<ReportClock>): Report =>
  // The view models of this screen read nothing else.
  ({ clock: { reference: 'a', domains: [], ...clock } }) as Report;

const THREE = [domain('a', { offsetMs: ZERO, quality: 'good', component: 0 }), at('b', 55.9, 38), domain('c\u202e')];

const MOMENTS = 5;
const flat = (value: number): Float64Array => new Float64Array(MOMENTS).fill(value);
const band = (clock: string, estimate: number, half: number, of: Partial<ClockBandView> = {}): ClockBandView => ({
  clock,
  low: flat(estimate - half),
  high: flat(estimate + half),
  likelyLow: flat(estimate - half / 4),
  likelyHigh: flat(estimate + half / 4),
  estimate: flat(estimate),
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
const pair = (clock: string, half: number | null, likely = 5) => ({
  clock,
  estimate: 0,
  low: half === null ? null : -half,
  high: half,
  likelyLow: -likely,
  likelyHigh: likely,
});

describe('the table of clocks', () => {
  it('names the reference, shows both intervals, keeps unknown in words, and escapes names', () => {
    const rows = clockTableRows(reportOf({ domains: THREE }), []);
    expect(rows.map(({ title, offset, guaranteed, quality }) => [title, offset, guaranteed, quality])).toEqual([
      ['a', 'reference', '—', 'reference'],
      ['b', '+55.9 ms', '[+17.9, +93.9]', 'good'],
      ['c\\u202e', 'unknown', '—', 'none'],
    ]);
    expect(rows.map(({ bounds }) => bounds === null)).toEqual([false, false, true]);
  });

  it('says what an offset is against where that is not the reference', () => {
    const other = domain('x', { offsetMs: ZERO, quality: 'good', component: 1 });
    const rows = clockTableRows(reportOf({ domains: [...THREE, other, at('y', 3, 10, { component: 1 })] }), []);
    expect(rows.at(-1)?.quality).toBe('good, against x');
  });

  it('counts qualities without the reference', () => {
    expect(qualityCounts(reportOf({ domains: [...THREE, at('d', 1, 400)] }))).toBe('1 good, 1 loose, 1 none');
  });
});

describe('the sentence on order', () => {
  const report = reportOf({ domains: THREE });
  const against = (others: readonly ReturnType<typeof pair>[]) => viewOf([], { against: { clock: 'a', others } });

  it('gives the farthest bound, outwards, and counts what is unknown', () => {
    const view = { ...against([pair('b', 38.01)]), firstFault: { clock: 'a', atNs: 1 } };
    expect(orderSentence(report, view)).toBe(
      'Order against the first fault on a is certain from 39 ms on, unknown for 1 clock.',
    );
  });

  it('is not certain where a side is open', () => {
    expect(orderSentence(report, against([pair('b', null)]))).toBe(
      'Order against a is certain for no other clock, likely from 5.0 ms on.',
    );
    expect(orderSentence(report, null)).toBe('Order across clocks cannot be told from their times.');
    expect(orderSentence(reportOf({ domains: THREE.slice(0, 1) }), null)).toMatch(/^One clock/);
  });
});

describe('statements', () => {
  it('say which way stamps are moved and how wrong that may be', () => {
    const [first] = clockStatements(reportOf({ domains: THREE }), 'b');
    expect(`${first?.lead} ${first?.text}`).toBe(
      'b is ahead of a. Its stamps are moved back by 55.9 ms. They can still be wrong by 38 ms either way; away from the evidence by more, as drawn.',
    );
    expect(clockStatements(reportOf({ domains: THREE }), 'c\u202e')[0]?.lead).toBe('c\\u202e keeps raw time.');
  });

  it('list what was set, faults with what excludes each other, and open zones', () => {
    const all = clockStatements(
      reportOf({
        domains: THREE,
        overrides: [{ clock: 'b', against: 'a', offsetMs: 3, boundMs: 1, reason: 'seen \u202eon the wall' }],
        faults: [
          {
            kind: 'step',
            clocks: ['b'],
            sizeMs: 50,
            after: null,
            before: null,
            cycle: ['call 7'],
            text: 'The clock of b jumped.',
          },
        ],
        zones: [
          { file: 'x/a.log', pod: null, minutes: null, candidates: [], proof: null, anchors: 0, text: 'nothing' },
          { file: 'b.log', pod: null, minutes: 0, candidates: [0], proof: 'container', anchors: 0, text: 'only one' },
        ],
      }),
      null,
    );
    expect(all.map(({ lead, text }) => `${lead} ${text}`)).toEqual([
      'b is set by an analyst to +3.00 ms against a, ±1 ms. seen \\u202eon the wall',
      'A clock was set. The clock of b jumped.',
      '1 log of unknown zone. Their times are compared with nothing outside of them: a.log.',
    ]);
    expect(all[1]).toMatchObject({ tone: 'fault', cycle: ['call 7'] });
  });
});

describe('the picture', () => {
  const many = Array.from({ length: 20 }, (_, i) => band(`n${10 + i}`, 0, i + 1));
  const report = reportOf({
    domains: [domain('a', { offsetMs: ZERO, component: 0 }), ...many.map(({ clock }) => at(clock, 0, 5))],
  });

  it('draws the reference, the chosen clock and the least certain ones', () => {
    const picture = bandsPicture(viewOf([band('a', 0, 0), ...many]), report, { chosen: 'n10', choice: 'uncertain' });
    expect(picture.bands).toHaveLength(MAX_BANDS);
    expect(picture.hidden).toBe(9);
    expect(picture.bands.map(({ clock }) => clock)).toEqual(expect.arrayContaining(['a', 'n10', 'n29', 'n20']));
    expect(picture.bands.some(({ clock }) => clock === 'n11')).toBe(false);
  });

  it('breaks a band where the clock was set, and lets an open side leave the picture', () => {
    const view = viewOf([band('a', 0, 0), band('b', 10, 5, { high: flat(Infinity) })], {
      steps: [{ clock: 'b', fromNs: 1.9e9, toNs: 2.1e9, sizeMs: 50 }],
    });
    const picture = bandsPicture(view, reportOf({ domains: THREE }), { chosen: 'b', choice: 'uncertain' });
    const drawn = picture.bands.find(({ clock }) => clock === 'b');
    expect(drawn?.estimate).toEqual([10, 10, null, 10, 10]);
    expect(drawn?.high[0]).toBeGreaterThan(picture.most);
    expect(picture.bands.find(({ clock }) => clock === 'a')?.estimate).toEqual([0, 0, 0, 0, 0]);
  });

  it('shows zero and every band of all clocks, however far one is off', () => {
    const view = viewOf([band('a', 0, 0), band('b', 60_000, 5), band('c', -300, 700)]);
    const report = reportOf({ domains: [...THREE, at('c', -300, 700)] });
    const all = bandsPicture(view, report, { chosen: 'b', choice: 'uncertain' });
    expect(all.least).toBeLessThan(-1000);
    expect(all.most).toBeGreaterThan(60_005);
  });

  it('shows one clock as far as its band reaches nearly all the time, not at its narrowest', () => {
    const wide = Float64Array.from({ length: MOMENTS }, (_, i) => (i === 2 ? 58_009 : i === 4 ? Infinity : 58_700));
    const view = viewOf([band('a', 0, 0), band('b', 58_005, 4, { high: wide })]);
    const alone = bandsPicture(view, reportOf({ domains: THREE }), { chosen: 'b', choice: 'chosen' });
    expect(alone.most).toBeGreaterThan(58_700);
    expect(alone.most).toBeLessThan(59_000);
    expect(alone.least).toBeGreaterThan(57_000);
    expect(alone.bands.map(({ clock }) => clock)).toEqual(['b']);
  });
});

describe('anchors', () => {
  it('stand by side, the tightest first, rejected ones last, each side with its clock', () => {
    const anchor = (side: 'upper' | 'lower', valueMs: number) => ({
      side,
      atNs: 1,
      valueMs,
      certainty: 'guaranteed' as const,
      text: `call ${valueMs}`,
      before: { clock: 'a', rawNs: '1771410505497123000', rank: 3, place: null },
      after: { clock: null, rawNs: '1771410505497123000', rank: null, place: null },
      place: null,
    });
    const rows = anchorRows(
      reportOf({ domains: THREE }),
      band('b', 50, 40, {
        anchors: [anchor('lower', 10), anchor('upper', 97), anchor('upper', 93.9), anchor('lower', 17.9)],
        rejected: [anchor('upper', 4)],
      }),
    );
    expect(rows.map(({ value }) => value)).toEqual(['+93.9', '+97.0', '+17.9', '+10.0', '+4.00']);
    expect(rows.map(({ rejected }) => rejected)).toEqual([false, false, false, false, true]);
    expect(rows[0]?.sentence).toBe('offset ≤ +93.9 ms');
    expect(rows[0]?.sides.map(({ clock }) => clock)).toEqual(['rank 3, a', 'true time']);
  });
});

describe('what is typed to set a clock', () => {
  it.each([
    ['−4 690.5', -4690.5],
    ['+12', 12],
    ['4,69 ms', 4.69],
    ['0', 0],
    ['', null],
    ['1e9', null],
    ['12 s', null],
  ])('reads %s as %s', (text, ms) => expect(readMs(text)).toBe(ms));

  it('is taken only with a number, a bound of at least 0 and a reason', () => {
    const draft = { against: 'a', offset: '−250', bound: '5', reason: ' chronyc ' };
    expect(checkDraft('b', draft).setting).toEqual({
      clock: 'b',
      against: 'a',
      offsetMs: -250,
      boundMs: 5,
      reason: 'chronyc',
    });
    for (const bad of [{ offset: 'x' }, { bound: '-1' }, { reason: ' ' }])
      expect(checkDraft('b', { ...draft, ...bad }).setting).toBeNull();
  });
});
