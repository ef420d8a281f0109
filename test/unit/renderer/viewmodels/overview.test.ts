import { describe, expect, it } from 'vitest';
import type { Report } from '#shared/report/schema.ts';
import { evidenceRows, statementText, timeColumnHead } from '../../../../renderer/viewmodels/evidence-rows.ts';
import { momentNote, verdictMoment } from '../../../../renderer/viewmodels/moment.ts';
import { clocksModel, overviewModel, scopeRows } from '../../../../renderer/viewmodels/overview.ts';
import { hostileReport } from '../../../e2e/support/hostile-report.ts';
import { correctedReport, namedReport } from '../../../e2e/support/named-report.ts';
import { cannotTellReport, groupReport, noFailureReport, noRankReport } from '../../../e2e/support/outcome-reports.ts';

describe('overviewModel', () => {
  it('tells when, where and which stage of a named rank, with the clock of a raw time', () => {
    const { header } = overviewModel(namedReport());
    expect(header).toMatchObject({
      glyph: 'established',
      word: 'Established',
      rule: 'collective-type',
      statement: { chip: 'Rank 11' },
    });
    expect(header.facts.map((fact) => [fact.label, fact.value, fact.note, fact.detail])).toEqual([
      ['When, raw', '10:28:25.552', 'raw', '18 Feb 2026, clock of node-d69-1'],
      ['Where', 'vit-large-1', 'local rank 3', 'node-d69-1, GPU 3'],
      ['Stage', 'Ranks that disagree on a collective', '', 'different operations at the same call; 15 followed'],
    ]);
  });

  it('gives a corrected time its bound and no clock', () => {
    const [when] = overviewModel(correctedReport()).header.facts;
    expect(when).toEqual({ label: 'When, corrected', value: '10:28:25.552', note: '±38 ms', detail: '18 Feb 2026' });
  });

  it('calls a bound of nothing what it is: the reference clock', () => {
    const report = correctedReport();
    const at = { time: '2026-02-18T10:28:25.552Z', boundMs: 0 };
    const [when] = overviewModel({ ...report, verdict: { ...report.verdict, at } }).header.facts;
    expect(when?.note).toBe('reference clock');
  });

  it('takes place and clock of a rank that was started again from the attempt that the verdict is about', () => {
    const base = namedReport();
    const rank = base.ranks.find((row) => row.rank === 11);
    if (rank === undefined) throw new Error('the report has no rank 11');
    const again = {
      ...rank,
      attempt: 1,
      node: 'node-new',
      pod: 'vit-large-again',
      clock: 'node-new',
      files: ['again.log'],
    };
    const item = { ...base.verdict.because[0], rank: 11, file: 'again.log', time: '2026-02-18T10:28:25.552Z' };
    const report = {
      ...base,
      ranks: [...base.ranks, again],
      verdict: { ...base.verdict, attempt: 1, pod: null, node: null, because: [item] },
    } as Report;
    expect(overviewModel(report).header.facts.find((fact) => fact.label === 'Where')).toMatchObject({
      value: 'vit-large-again',
      detail: expect.stringContaining('node-new'),
    });
    expect(evidenceRows(report, report.verdict.because, 'x')[0]?.moment).toMatchObject({
      basis: 'raw',
      clock: 'node-new',
    });
  });

  it('names the members of a group in one chip, with the attempt where there were several', () => {
    const { header, leads } = overviewModel(groupReport());
    expect(header.statement.chip).toBe('Ranks 4–7');
    expect(header.facts.find((fact) => fact.label === 'Where')).toMatchObject({
      value: 'bert-small-1',
      detail: 'worker-c17-2, attempt 1',
    });
    expect(leads).toMatchObject([
      { key: 'lead-0', label: 'rank 5', why: 'its log ends 40 ms before those of 4, 6 and 7, on the same clock' },
    ]);
  });

  it('gives each lead what speaks for it: of one candidate nothing that is about another', () => {
    const base = cannotTellReport();
    const about = (rank: number | null, text: string) => ({
      ...{ text, file: 'logs/a.log', line: 1, byte: null, record: null, rank },
      ...{ time: null, boundMs: null, timeBasis: null, entryId: 0 },
    });
    const candidates = [
      { ranks: [4], why: 'rank 4 left no dump' },
      { ranks: [5], why: 'rank 5 left no dump' },
      { ranks: [6], why: 'Rank 6 was killed.' },
    ];
    const [sample] = base.findings;
    if (sample === undefined) throw new Error('no finding');
    const stall = {
      ...sample,
      ...{ summary: 'Ranks 4 and 5 did not join.', firstRanks: [], candidates: candidates.slice(0, 2) },
      because: [
        about(null, 'rank 4 left no dump'),
        about(4, 'own line of 4'),
        about(5, 'own line of 5'),
        about(null, 'all wait'),
      ],
      against: [about(null, 'rank 5 left no dump')],
    };
    const kill = {
      ...sample,
      summary: 'Rank 6 was killed.',
      firstRanks: [6],
      candidates: [],
      because: [about(6, 'SIGKILL')],
      against: [],
    };
    const report = { ...base, verdict: { ...base.verdict, candidates }, findings: [stall, kill] };
    const [four, five, six] = overviewModel(report).leads;
    expect(four?.because.map(({ text }) => text)).toEqual(['rank 4 left no dump', 'own line of 4', 'all wait']);
    expect(four?.counts).toBe('3 for, 0 against');
    expect(five?.because.map(({ text }) => text)).toEqual(['own line of 5', 'all wait']);
    expect(five?.against.map(({ text }) => text)).toEqual(['rank 5 left no dump']);
    expect(six?.because.map(({ text }) => text)).toEqual(['SIGKILL']);
  });

  it('tells which attempt a verdict without a rank is about, and which left no file', () => {
    const base = cannotTellReport();
    const row = base.ranks[0];
    if (row === undefined) throw new Error('no rank');
    const again = (files: readonly string[]) => ({
      ...base,
      incident: { ...base.incident, attempts: 2 },
      verdict: { ...base.verdict, attempt: 1 },
      ranks: [
        { ...row, attempt: 0, files: [...files] },
        { ...row, attempt: 1, files: ['logs/a.log'] },
      ],
    });
    const factOf = (report: Report) => overviewModel(report).header.facts.find(({ label }) => label === 'Attempts');
    expect(factOf(again([]))).toMatchObject({
      value: '2',
      detail: 'this is about attempt 1',
      more: 'no file of attempt 0',
    });
    expect(factOf(again(['logs/b.log']))?.more).toBeUndefined();
    expect(factOf(base)).toBeUndefined();
  });

  it.each([
    ['cannot-tell', cannotTellReport(), 'not-determinable'],
    ['no-failure', noFailureReport(), 'no-failure'],
    ['no-rank', noRankReport(), 'hypothesis'],
  ] as const)('shows no chip for %s', (outcome, report, glyph) => {
    const model = overviewModel(report);
    expect(model.outcome).toBe(outcome);
    expect(model.header.statement.chip).toBeNull();
    expect(model.header.glyph).toBe(glyph);
  });

  it('tells what a bundle covers where nothing is named', () => {
    expect(overviewModel(cannotTellReport()).header.facts.map((fact) => `${fact.label}: ${fact.value}`)).toEqual([
      'Ranks seen: 1 of 8',
      'Recorder dumps: 0',
      'Files read: 4 of 9',
    ]);
    expect(overviewModel(noFailureReport()).header.facts.at(-1)).toMatchObject({
      label: 'Exit codes',
      value: '0 on 32',
      detail: 'known for 32 of 32 ranks',
    });
  });

  it('lists every finding but the verdict, and every gap but what is there', () => {
    const model = overviewModel(namedReport());
    expect(model.findings.map((row) => row.status)).toEqual(['supported', 'not-determinable', 'ruled-out']);
    expect(model.gaps.map((row) => row.word)).toEqual(['absent', 'unreadable', 'not collected', 'partial']);
  });

  it('lets no hidden character of a bundle through', () => {
    const text = JSON.stringify([
      overviewModel(hostileReport()),
      scopeRows(hostileReport()),
      clocksModel(hostileReport()),
    ]);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|\\u001b|\\u0000/);
    expect(text).toContain('\\\\u202e');
  });
});

describe('times of evidence', () => {
  it('carry clock and basis, or a bound', () => {
    const report = namedReport();
    const rows = evidenceRows(report, report.verdict.because, 'b');
    expect(rows.map((row) => (row.moment ? momentNote(row.moment) : null))).toEqual([
      'raw, worker-c92-0',
      'raw, node-d69-1',
      null,
      'raw, node-d69-1',
      'raw, worker-c92-0',
    ]);
    expect(timeColumnHead(rows)).toBe('raw time, clock');
    const corrected = correctedReport();
    const moved = evidenceRows(corrected, corrected.verdict.because, 'b');
    expect(moved[0]?.moment && momentNote(moved[0].moment)).toBe('±38 ms');
    expect(timeColumnHead(moved)).toBe('corrected time');
  });

  it('fall back to the file where no rank has the clock', () => {
    expect(verdictMoment(groupReport())?.clock).toBe('worker-c17-2');
    const report = groupReport();
    const [row] = evidenceRows(report, report.verdict.because, 'b');
    expect(row?.moment && momentNote(row.moment)).toBe('raw, pods.yaml');
  });

  it('count as raw where nothing says that they were corrected', () => {
    const report = namedReport();
    const noWitness = { ...report, verdict: { ...report.verdict, because: [] } };
    expect(verdictMoment(noWitness)).toMatchObject({ basis: 'raw', clock: 'node-d69-1' });
  });

  it('open at their exact place', () => {
    const report = namedReport();
    const rows = evidenceRows(report, report.verdict.because, 'b');
    expect(rows.map((row) => row.target)).toEqual([
      { kind: 'record', record: 1999 },
      { kind: 'record', record: 1999 },
      { kind: 'record', record: 1999 },
      { kind: 'line', line: 43_902 },
      { kind: 'line', line: 44_120 },
    ]);
    expect(rows[3]?.place).toBe('line 43\u2009902');
  });

  it('cut an overlong statement and say how long it was', () => {
    expect(statementText('x'.repeat(20_000))).toBe(`${'x'.repeat(600)}… (20\u2009000 characters)`);
    expect(statementText('short')).toBe('short');
  });
});

describe('clocksModel', () => {
  it.each([
    [
      'several without a reference',
      namedReport(),
      'unknown',
      '3 clocks, offsets unknown. Times are raw and not compared between them.',
    ],
    ['a single one', cannotTellReport(), 'unknown', 'One clock, no second one to compare it with. All times are raw.'],
    ['aligned', correctedReport(), 'loose, ±50 ms', ''],
  ] as const)('%s', (_name, report, quality, sentence) => {
    expect(clocksModel(report)).toMatchObject({ quality, sentence });
  });

  it('none at all', () => {
    expect(clocksModel({ ...namedReport(), clock: { reference: null, domains: [] } })).toMatchObject({
      quality: 'none',
      sentence: 'No file carries a time.',
    });
  });
});
