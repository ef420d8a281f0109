import { describe, expect, it } from 'vitest';
import { conclude } from '#shared/analysis/conclude.ts';
import type { EntryInfo, EntryStatus } from '#shared/model/entry.ts';
import type { Facts } from '#shared/model/finding.ts';
import { entryId } from '#shared/model/ids.ts';
import { buildReport } from '#shared/report/build-report.ts';
import { renderHtml } from '#shared/report/render-html.ts';
import { evidencePlace, renderMarkdown } from '#shared/report/render-markdown.ts';
import { replyToSender } from '#shared/report/reply/index.ts';
import { type Report, reportSchema } from '#shared/report/schema.ts';
import { buildFacts, type ShortFacts } from '../../../rules/build-facts.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'`|*_[x](javascript:1)\u0007\u202e';

const SHORT: ShortFacts = {
  world: 5,
  pods: [
    { pod: 'p0', node: 'n1', ranks: [0, 1] },
    { pod: 'p1', node: 'n2', ranks: [2, 3], object: {} },
  ],
  events: [
    { kind: 'rank-announced', rank: 1, worldSize: 5, at: 0 },
    { kind: 'exception', type: 'ValueError', message: HOSTILE, class: 'data-input', rank: 1, at: 1000 },
    { kind: 'gloo-closed', rank: 0, peer: '10.0.0.1', how: 'closed', at: 1500 },
    { kind: 'software', rank: 1, torch: '2.13.0', at: 2 },
    { kind: 'software', rank: 2, torch: '2.12.0', at: 2 },
  ],
  exits: [
    { rank: 1, code: 1 },
    { rank: 0, signal: 15, byLauncher: true },
  ],
};

function entry(id: number, path: string, status: EntryStatus = 'read'): EntryInfo {
  return {
    id: entryId(id),
    path,
    bytes: 10,
    sha256: null,
    format: null,
    kind: 'log',
    why: '',
    status,
    detail: '',
    lines: null,
    firstNs: null,
    lastNs: null,
    duplicateOf: null,
  };
}

const ENTRIES = [
  entry(0, 'z.log'),
  entry(1, 'logs/p0.log'),
  entry(2, 'logs/p1.log'),
  entry(3, 'fr/nccl_trace_rank_2', 'empty'),
  entry(4, 'fr/nccl_trace_rank_3', 'refused'),
  entry(900, 'pods.yaml', 'warned'),
];

function reportOf(
  change: (facts: Facts) => Facts = (facts) => facts,
  stopped?: { filesRead: number; filesTotal: number | null },
): Report {
  const base = buildFacts(SHORT);
  const facts = change({ ...base, input: { ...base.input, entries: ENTRIES } });
  return buildReport({
    input: facts.input,
    result: conclude(facts),
    bundle: { name: `b ${HOSTILE}`, sha256: 'ab'.repeat(32), bytes: 5, unpackedBytes: 9, ...(stopped && { stopped }) },
    tool: { name: 'firstfault', version: '1' },
  });
}

describe('buildReport', () => {
  const report = reportOf();

  it('is what the schema says, and stays it', () => {
    expect(reportSchema.parse(report)).toEqual(report);
    expect(JSON.stringify(reportOf())).toBe(JSON.stringify(report));
  });

  it('says the verdict twice: on its own and as the first finding', () => {
    const { id, rule, ...verdict } = report.findings[0] ?? { id: '', rule: '' };
    expect(verdict).toEqual(report.verdict);
    expect([id, rule]).toEqual(['f1', 'rank-raised']);
    expect(report.findings.map((finding) => finding.id)).toEqual(report.findings.map((_, i) => `f${i + 1}`));
  });

  it('opens evidence at its line, with the raw stamp while the clock is unknown', () => {
    expect(report.verdict.because[0]).toMatchObject({
      file: 'logs/p0.log',
      line: 2,
      byte: null,
      record: null,
      rank: 1,
      time: '2023-11-14T22:13:21.000000Z',
      boundMs: null,
      timeBasis: 'raw',
      entryId: 1,
    });
    expect(report.verdict.at).toEqual({
      time: '2023-11-14T22:13:21.000000Z',
      boundMs: null,
      clock: 'n1',
      timeBasis: 'raw',
    });
  });

  it('corrects times where the offset is known: corrected = raw − offset', () => {
    const corrected = reportOf((facts) => ({
      ...facts,
      clocks: {
        reference: 'n2',
        domains: [
          {
            id: 'n1',
            kind: 'node',
            offset: { estimate: 250, low: 240, high: 270, likelyLow: undefined, likelyHigh: undefined },
            driftPpm: undefined,
            quality: 'good',
            anchors: 3,
            basis: ['x'],
            component: 0,
          },
        ],
      },
    }));
    expect(corrected.verdict.because[0]).toMatchObject({
      time: '2023-11-14T22:13:20.750000Z',
      boundMs: 20,
      timeBasis: 'corrected',
    });
    expect(corrected.clock.domains[0]?.offsetMs).toEqual({
      estimate: 250,
      low: 240,
      high: 270,
      likelyLow: null,
      likelyHigh: null,
    });
    expect(corrected.ranks.find((rank) => rank.rank === 1)?.clockOffsetMs).toEqual({
      estimate: 250,
      low: 240,
      high: 270,
    });
  });

  it('lists every rank with its part, its exit and the state of its dump', () => {
    expect(report.ranks.map((rank) => [rank.rank, rank.role, rank.dump, rank.pod])).toEqual([
      [0, 'victim', 'absent', 'p0'],
      [1, 'first', 'absent', 'p0'],
      [2, 'bystander', 'empty', 'p1'],
      [3, 'bystander', 'refused', 'p1'],
      [4, 'bystander', 'absent', null],
    ]);
    expect(report.ranks[1]?.exit).toEqual({
      ...{ code: 1, signal: null, reason: null },
      ...{ at: null, by: 'agent', clock: null, boundMs: null, timeBasis: null },
    });
    expect(report.ranks[0]?.exit).toMatchObject({ signal: 15 });
    expect(report.ranks[4]?.basis.join()).toMatch(/never seen/);
  });

  it('counts files and says which software ran', () => {
    expect(report.bundle.files).toEqual({
      total: 6,
      read: 3,
      warned: 1,
      empty: 1,
      truncated: 0,
      skipped: 0,
      refused: 1,
      failed: 0,
      duplicate: 0,
    });
    expect(report.incident).toMatchObject({
      worldSize: 5,
      ranksSeen: 4,
      software: { torch: '2.12.0, 2.13.0' },
      start: '2023-11-14T22:13:20.000000Z',
      end: '2023-11-14T22:13:21.500000Z',
    });
  });

  it('does not count the time of a reading to the time of the incident', () => {
    const asked = buildFacts({
      ...SHORT,
      events: [
        ...(SHORT.events ?? []),
        { kind: 'host-state', what: 'disk', value: 100, of: '/', entry: 60, node: 'n1', at: 9_000_000, text: 'df' },
      ],
    });
    const { incident } = reportOf(() => ({ ...asked, input: { ...asked.input, entries: ENTRIES } }));
    expect(incident).toMatchObject({ start: report.incident.start, end: report.incident.end });
  });

  it('says out of how many files it was made where the import was ended early, and only there', () => {
    expect(report.bundle).not.toHaveProperty('stopped');
    const partial = reportOf(undefined, { filesRead: 6, filesTotal: 640 });
    expect(reportSchema.parse(partial).bundle.stopped).toEqual({ filesRead: 6, filesTotal: 640 });
    expect(renderMarkdown(partial)).toContain('6 of 640 files');
    expect(renderHtml(partial)).toContain('6 of 640 files');
    expect(replyToSender(partial).replace(/\s+/g, ' ')).toContain(
      'This rests on 6 of 640 files: reading was ended early.',
    );
    expect(replyToSender(report)).not.toMatch(/ended early/);
  });

  it('writes unknown as null for an empty bundle', () => {
    const facts = buildFacts({});
    const empty = buildReport({
      input: facts.input,
      result: conclude(facts),
      bundle: { name: '', sha256: '', bytes: 0, unpackedBytes: 0 },
      tool: { name: 'f', version: '0' },
    });
    expect(reportSchema.parse(empty)).toEqual(empty);
    expect(empty.incident).toMatchObject({ start: null, end: null, worldSize: null, dumpsExpected: null });
    expect(empty.verdict).toMatchObject({
      outcome: 'cannot-tell',
      status: 'not-determinable',
      firstRanks: [],
      pod: null,
      node: null,
    });
  });
});

describe('renderHtml', () => {
  const html = renderHtml(reportOf());

  it('lets nothing of the bundle become markup', () => {
    expect(html).not.toMatch(/<img|<script|onerror=alert\(1\)>|\u202e|\u0007/);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;');
  });

  it('needs nothing from outside and forbids it', () => {
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<[^>]{1,200}\s(?:src|href)=|url\(|@import|<link/i);
    expect(html.startsWith('<!doctype html>')).toBe(true);
  });

  it('shows verdict, status, evidence with its place, and gaps', () => {
    expect(html).toContain('Rank 1 failed on its input data');
    expect(html).toContain('logs/p0.log:2');
    expect(html).toContain('Flight Recorder dumps');
    expect(html).toMatch(/Supported/);
  });
});

describe('renderMarkdown', () => {
  const text = renderMarkdown(reportOf());

  it('escapes what Markdown or HTML would act on', () => {
    expect(text).not.toMatch(/(?<!\\)<img/);
    expect(text).not.toContain('[x](javascript');
    expect(text).not.toMatch(/[\u0007\u202e]/);
    expect(text).toContain('\\<img src=x');
  });

  it('keeps table rows on one line', () => {
    for (const line of text.split('\n').filter((one) => one.startsWith('|'))) expect(line.endsWith('|')).toBe(true);
  });

  it('tells status, place and gaps', () => {
    expect(text).toMatch(/\*\*Status:\*\* Supported/);
    expect(text).toContain('`logs/p0.log:2`');
    expect(text).toContain('## What is missing');
  });
});

it('names the place of evidence by line, record, byte or file', () => {
  const item = {
    text: '',
    file: 'f',
    line: null,
    byte: null,
    record: null,
    rank: null,
    time: null,
    boundMs: null,
    timeBasis: null,
    entryId: 0,
  };
  expect([{ line: 3 }, { record: 0 }, { byte: 9 }, {}].map((place) => evidencePlace({ ...item, ...place }))).toEqual([
    'f:3',
    'f record 0',
    'f byte 9',
    'f',
  ]);
});
