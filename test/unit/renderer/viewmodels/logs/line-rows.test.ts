import { describe, expect, it } from 'vitest';
import { entryId } from '#shared/model/ids.ts';
import type { LineRow, LogFileInfo } from '#shared/rpc/areas/logs.ts';
import { makeHighlighter } from '#shared/search/highlight.ts';
import { parseQuery } from '#shared/search/parse-query.ts';
import { densityScene } from '../../../../../renderer/viewmodels/logs/density-view.ts';
import {
  escapeLine,
  foldWords,
  gapWords,
  linePieces,
  orderAfter,
  rowTime,
  timeHead,
  timeNote,
} from '../../../../../renderer/viewmodels/logs/line-rows.ts';

const ORIGIN = '1773478800000000000';
const file = (clock: string | null, more: Partial<LogFileInfo> = {}): LogFileInfo => ({
  entryId: entryId(0),
  path: 'a.log',
  lines: 1,
  pod: null,
  node: null,
  rank: null,
  clock,
  component: 0,
  offset: null,
  untimed: false,
  ...more,
});
const offset = (estimate: number, half: number, likely = half) => ({
  estimate,
  low: estimate - half,
  high: estimate + half,
  likelyLow: estimate - likely,
  likelyHigh: estimate + likely,
});
const row = (at: number, timeMs: number | null, more: Partial<LineRow> = {}): LineRow => ({
  kind: 'line',
  key: `${at}:1`,
  entryId: entryId(at),
  file: at,
  line: 1,
  byte: 0,
  bytes: 10,
  timeNs: timeMs === null ? null : timeMs * 1e6,
  rawNs: timeMs === null ? null : timeMs * 1e6,
  keyNs: (timeMs ?? 0) * 1e6,
  corrected: true,
  zoneAssumed: false,
  resolutionNs: 1,
  rank: null,
  rankBy: null,
  pod: null,
  level: null,
  continues: false,
  folded: false,
  text: '',
  before: '',
  more: 0,
  unreadable: false,
  ...more,
});

describe('order of two lines', () => {
  const near = [file('a', { offset: offset(0, 0) }), file('b', { offset: offset(0, 50, 5) })];
  it.each<[string, LineRow, LineRow, readonly LogFileInfo[], string | null]>([
    ['the same file', row(0, 5), row(0, 4), near, 'certain'],
    ['the bounds do not touch', row(0, 0), row(1, 60), near, 'certain'],
    ['only the likely bounds do not touch', row(0, 0), row(1, 20), near, 'likely'],
    ['the bounds overlap', row(0, 0), row(1, 3), near, 'undecided'],
    ['a line without a time', row(0, 0), row(1, null), near, null],
    ['raw times of two clocks', row(0, 0, { corrected: false }), row(1, 9e6, { corrected: false }), near, 'undecided'],
    [
      'clocks that nothing relates',
      row(0, 0),
      row(1, 9e6),
      [near[0] ?? file('a'), file('b', { offset: offset(0, 1), component: 1 })],
      'undecided',
    ],
    ['two files of one clock', row(0, 0), row(1, 1), [file('a'), file('a')], 'certain'],
    [
      'one clock, the first stamp in whole seconds',
      row(0, 0, { resolutionNs: 1e9 }),
      row(1, 900),
      [file('a'), file('a')],
      'undecided',
    ],
    [
      'an open bound',
      row(0, 0),
      row(1, 9e6),
      [near[0] ?? file('a'), file('b', { offset: { ...offset(0, 1), high: null, likelyHigh: null } })],
      'undecided',
    ],
  ])('%s', (_, before, after, files, mark) => expect(orderAfter(before, after, files)).toBe(mark));
});

describe('times', () => {
  it('are as fine as they were written', () => {
    expect(rowTime(ORIGIN, 1_234_000_000)).toBe('09:00:01.234');
    expect(rowTime(ORIGIN, 1_000_000_000, 1e9)).toBe('09:00:01');
    expect(rowTime(ORIGIN, null)).toBe('–');
  });

  it('say in the head what holds for all, else beside each', () => {
    const logCase = { originNs: ORIGIN, totalLines: 2, totalBytes: 1, span: null };
    const raw = { ...logCase, files: [file('a'), file('b')] };
    const same = { ...logCase, files: [file('a', { offset: offset(0, 38) }), file('b', { offset: offset(9, 38) })] };
    const mixed = { ...logCase, files: [file('a', { offset: offset(0, 38) }), file('b')] };
    expect(timeHead(raw, 'corrected')).toBe('raw');
    expect(timeHead(same, 'corrected')).toBe('corrected, ±38 ms');
    expect(timeHead(same, 'raw')).toBe('raw');
    expect(timeHead(mixed, 'corrected')).toBe('corrected');
    const head = { allRaw: false, commonBound: null };
    const reference = file('a', { offset: offset(0, 0) });
    const unbounded = file('a', { offset: { ...offset(0, 1), high: null } });
    expect(timeNote(row(0, 1), mixed.files[0], head)).toBe('±38 ms');
    expect(timeNote(row(0, 1), reference, head)).toBe('ref.');
    expect(timeNote(row(0, 1), unbounded, head)).toBe('±?');
    expect(timeNote(row(1, 1, { corrected: false }), mixed.files[1], head)).toBe('raw');
    expect(timeNote(row(1, 1, { corrected: false, zoneAssumed: true }), mixed.files[1], head)).toBe('zone?');
  });
});

describe('text', () => {
  const highlight = (query: string) => {
    const parsed = parseQuery(query);
    return makeHighlighter(parsed.ok ? parsed.value.query : { kind: 'all' }, false);
  };
  it('lights what the query is about and never what it leaves out', () => {
    const pieces = linePieces('Watchdog saw a watchdog heartbeat', highlight('watchdog -heartbeat'), 100);
    expect(pieces.filter(({ hit }) => hit).map(({ text }) => text)).toEqual(['Watchdog', 'watchdog']);
    expect(pieces.map(({ text }) => text).join('')).toBe('Watchdog saw a watchdog heartbeat');
  });

  it('shows hidden characters and bytes that are no text as escapes, also inside a hit', () => {
    const pieces = linePieces('a\u202eb\udcffc\u001b', highlight('"b\udcffc"'), 100);
    expect(pieces.map((piece) => [piece.text, piece.escape, piece.hit])).toEqual([
      ['a', false, false],
      ['\\u202e', true, false],
      ['b', false, true],
      ['\\xff', true, true],
      ['c', false, true],
      ['\\x1b', true, false],
    ]);
    expect(escapeLine('\udc9b x')).toBe('\\x9b x');
  });

  it('says what was folded and how long nothing was written', () => {
    const fold = { kind: 'fold', key: '', files: 2, spanNs: 86e6, open: false } as const;
    expect(foldWords({ ...fold, count: 3, ranks: [1, 2, 3] })).toBe('3 similar lines from ranks 1–3 in 86 ms');
    expect(foldWords({ ...fold, count: 3, ranks: [] })).toBe('3 similar lines from 2 other files in 86 ms');
    const gap = { kind: 'gap', fromNs: 0, toNs: 600e9 } as const;
    expect(gapWords(gap, true)).toBe('10 m 0 s without a line');
    expect(gapWords(gap, false)).toBe('10 m 0 s without a matching line');
  });
});

describe('lines by time', () => {
  it('tells the peak and puts ticks on round moments', () => {
    const columns = {
      errors: Uint32Array.of(0, 5, 0),
      warnings: Uint32Array.of(1, 0, 0),
      others: Uint32Array.of(0, 2, 1),
    };
    const scene = densityScene(columns, { originNs: ORIGIN, fromNs: 30e9, toNs: 330e9 }, 700);
    expect(scene).toMatchObject({ peak: 7, tallest: 5, peakAt: 1 });
    expect(scene.words).toBe('Lines by time: peak 7 lines in 1 m 40 s at 09:02:10.000.');
    expect(scene.ticks.map(({ label }) => label)).toEqual(['09:01', '09:02', '09:03', '09:04', '09:05']);
    expect(scene.ticks[0]?.share).toBeCloseTo(0.1);
  });
});
