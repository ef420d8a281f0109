import { describe, expect, it } from 'vitest';
import type { Report, ReportRank, ReportVerdict } from '#shared/report/schema.ts';
import { createPaint } from '../../../../../electron/cli/print/paint.ts';
import { clampWidth } from '../../../../../electron/cli/print/print-context.ts';
import { printReport } from '../../../../../electron/cli/print/print-report.ts';

const PLAIN = { width: 80, paint: createPaint(false), unicode: true };

const evidence = {
  file: 'logs/w-1.log',
  line: 57,
  byte: null,
  record: null,
  rank: 7,
  time: '2026-03-14T10:00:00.000000Z',
  boundMs: null,
  timeBasis: 'raw',
  entryId: 0,
  text: 'killed',
} as const;

const verdict: ReportVerdict = {
  outcome: 'named',
  status: 'established',
  stage: 'exited-rank',
  cause: 'killed',
  firstRanks: [7],
  candidates: [],
  symptomRanks: [0, 1, 2, 3],
  pod: 'w-1',
  node: 'gpu-a19',
  attempt: 0,
  at: { time: '2026-03-14T10:00:00.000000Z', boundMs: null },
  summary: 'Rank 7 was killed.',
  because: [evidence],
  against: [],
  wouldChange: ['kernel logs'],
  nextChecks: ['dmesg of gpu-a19'],
};

const rank = (number: number, change: Partial<ReportRank> = {}): ReportRank => ({
  rank: number,
  localRank: null,
  pod: `w-${Math.floor(number / 8)}`,
  node: null,
  container: null,
  gpu: null,
  attempt: 0,
  clock: null,
  clockOffsetMs: null,
  dump: 'absent',
  role: 'victim',
  exit: null,
  lastSeen: null,
  files: [],
  basis: [],
  conflicts: [],
  ...change,
});

const report = (change: Partial<Report> = {}): Report => ({
  schema: 'firstfault-report/1',
  tool: { name: 'firstfault', version: '1.0.0' },
  bundle: {
    name: 'b.tgz',
    sha256: 'a'.repeat(64),
    bytes: 2048,
    unpackedBytes: 8192,
    files: { total: 3, read: 2, warned: 0, empty: 1, truncated: 0, skipped: 0, refused: 0, failed: 0, duplicate: 0 },
  },
  incident: {
    start: null,
    end: null,
    worldSize: 8,
    ranksSeen: 8,
    dumpsPresent: 0,
    dumpsExpected: null,
    attempts: 1,
    software: {},
  },
  clock: { reference: null, domains: [] },
  ranks: [],
  collectives: { groups: [], firstDivergence: null },
  verdict,
  findings: [],
  gaps: [],
  issues: [],
  ...change,
});

const lineOf = (text: string, part: string): string => text.split('\n').find((line) => line.includes(part)) ?? '';

describe('the printed verdict', () => {
  it('starts with status, glyph and statement, and leads to the lines', () => {
    const text = printReport(report(), PLAIN);
    expect(text.split('\n').slice(0, 2)).toEqual([
      '● Established  Direct evidence, and nothing in the bundle contradicts it.',
      'Rank 7 was killed.',
    ]);
    expect(lineOf(text, 'logs/w-1.log')).toBe('      logs/w-1.log:57  rank 7  2026-03-14T10:00:00.000000Z (raw)');
    expect(lineOf(text, 'Symptoms')).toContain('ranks 0–3');
    expect(lineOf(text, 'b.tgz')).toBe('  b.tgz: 2.0 KiB, 8.0 KiB unpacked, 3 files (2 read, 1 empty)');
  });

  it('gives a time with its bound, or the word raw, and the clock that stamped it', () => {
    const when = (changes: Partial<ReportVerdict>) =>
      lineOf(printReport(report({ verdict: { ...verdict, ...changes } }), PLAIN), 'When');
    const time = '2026-03-14T10:00:00Z';
    expect(when({})).toContain('(raw, clock not known)');
    expect(when({ at: { time, boundMs: null, clock: 'n1', timeBasis: 'raw' } })).toContain('Z (raw, clock of n1)');
    expect(when({ at: { time, boundMs: 3.2, clock: 'n1' } })).toContain('Z (±3.2 ms, clock of n1)');
    expect(when({ at: { time, boundMs: 0, clock: 'n1' } })).toContain('Z (reference clock n1)');
  });

  it('tells a stall as the two moments that it lies between, each with its clock and bound', () => {
    const end = { line: null, byte: null, record: 3, entryId: 1, file: 'dump', rawTime: '2026-03-14T10:00:09Z' };
    const between = {
      from: {
        ...{ ...end, text: 'step 30', rank: 7, clock: 'n1' },
        ...{ time: '2026-03-14T10:00:01Z', boundMs: 38, timeBasis: 'corrected' as const },
      },
      until: {
        ...{ ...end, text: 'all_reduce #31 of dp', rank: 3, clock: 'n2' },
        ...{ time: '2026-03-14T10:00:02Z', boundMs: null, timeBasis: 'raw' as const },
      },
      latenessMs: 1500,
    };
    const at = { time: '2026-03-14T10:00:01Z', boundMs: 2500 };
    const text = printReport(report({ verdict: { ...verdict, at, between } }), PLAIN).replace(/\s+/g, ' ');
    expect(text).toContain(
      'When stalled between 2026-03-14T10:00:01Z (±38 ms, clock of n1), its last sign, step 30, and 2026-03-14T10:00:02Z (raw, clock of n2), where rank 3 waits for it, all_reduce #31 of dp (or up to 1.5 s later: ranks of this job may come so late without a fault)',
    );
    const unseen = printReport(
      report({ verdict: { ...verdict, at: null, between: { ...between, from: null } } }),
      PLAIN,
    );
    expect(unseen.replace(/\s+/g, ' ')).toMatch(/When stalled before 2026.*; nothing that it did before has a time/);
  });

  it('needs no Unicode', () => {
    const text = printReport(report(), { ...PLAIN, unicode: false });
    expect(text.startsWith('[x] Established')).toBe(true);
    expect(text.slice(0, text.indexOf('Symptoms'))).not.toMatch(/[^\n -~]/);
  });

  it('names bytes and records where there is no line', () => {
    const items = [
      { ...evidence, line: null, record: 12 },
      { ...evidence, line: null, byte: 900 },
      { ...evidence, line: null },
    ];
    const text = printReport(report({ verdict: { ...verdict, because: items } }), PLAIN);
    expect(text).toContain('logs/w-1.log record 12');
    expect(text).toContain('logs/w-1.log byte 900');
  });

  it('puts rank and time on a line of their own where the place is long, and breaks no path', () => {
    const file = `support-bundle/${'deep/'.repeat(8)}w-1.log`;
    const text = printReport(report({ verdict: { ...verdict, because: [{ ...evidence, file }] } }), PLAIN);
    const at = text.split('\n').indexOf(`      ${file}:57`);
    expect(text.split('\n')[at + 1]).toBe('      rank 7  2026-03-14T10:00:00.000000Z (raw)');
  });

  it('counts what it leaves out', () => {
    const text = printReport(
      report({ verdict: { ...verdict, because: Array.from({ length: 20 }, () => evidence) } }),
      PLAIN,
    );
    expect(text).toContain('and 8 more in the report');
  });

  it('leaves out parts without content', () => {
    const text = printReport(report(), PLAIN);
    for (const title of ['Against', 'What is missing', 'Other findings', 'Ranks', 'Leads'])
      expect(text).not.toContain(title);
  });
});

describe('the rank table', () => {
  it('shows every rank while they fit, without empty columns', () => {
    const text = printReport(
      report({ ranks: [rank(0), rank(7, { role: 'first', exit: { code: null, signal: 9, reason: null, at: null } })] }),
      PLAIN,
    );
    const at = text.indexOf('Ranks');
    expect(text.slice(at).split('\n').slice(1, 4)).toEqual([
      '  Rank  Role    Pod  Exit      Dump',
      '  0     victim  w-0            absent',
      '  7     first   w-0  signal 9  absent',
    ]);
  });

  it('folds many ranks into sets that behave alike, the first on top', () => {
    const ranks = Array.from({ length: 4096 }, (_, i) =>
      rank(i, { node: `n-${i >> 3}`, ...(i === 2000 ? { role: 'first' } : {}) }),
    );
    const text = printReport(report({ ranks }), PLAIN);
    const lines = text.slice(text.indexOf('Ranks\n')).split('\n');
    expect(lines[2]).toMatch(/^ {2}2000 +first +absent +n-250$/);
    expect(lines[3]).toMatch(/^ {2}0–1999, 2001–4095 +victim +absent +512 nodes$/);
    expect(lines[4]).toBe('');
  });
});

describe('clampWidth', () => {
  it.each([
    [undefined, 100],
    [20, 60],
    [80, 80],
    [300, 120],
  ])('%s → %i', (columns, width) => {
    expect(clampWidth(columns)).toBe(width);
  });
});
