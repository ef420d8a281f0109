/** View models of the shell: scope, Go to, inspector, help. */
import { describe, expect, it } from 'vitest';
import { goToMeanings } from '../../../../renderer/viewmodels/go-to.ts';
import { helpBlocks, helpPieces, searchHelp, sharedHelp } from '../../../../renderer/viewmodels/help-text.ts';
import { callInspector, clockInspector, rankInspector } from '../../../../renderer/viewmodels/inspector.ts';
import { hitPieces, paletteGroups } from '../../../../renderer/viewmodels/palette-items.ts';
import { parseScope, scopeChips } from '../../../../renderer/viewmodels/scope.ts';
import { WINDOW_PAGES } from '../../../../renderer/views/help/window-pages.ts';
import { vitScenario } from '../../../e2e/support/incidents.ts';
import { correctedReport, namedReport } from '../../../e2e/support/named-report.ts';

const HELP_PAGES = [...WINDOW_PAGES, ...sharedHelp([])];
const report = namedReport();
const context = {
  report,
  entries: vitScenario().entries,
  time: {
    start: report.incident.start,
    end: report.incident.end,
    onset: report.verdict.at?.time ?? null,
    zone: { kind: 'utc' as const },
  },
};
const meanings = (text: string) => goToMeanings(text, context).map((item) => `${item.kind} ${item.label}`);

describe('a typed scope', () => {
  it.each([
    ['37', { ok: false, why: 'Rank 37 is not in this job of 16 ranks.' }],
    ['3, 8-10', { ok: true, ranks: [3, 8, 9, 10] }],
    ['node-d69-1', { ok: true, ranks: [8, 9, 10, 11, 12, 13, 14, 15] }],
    ['d69, rank 0', { ok: true, ranks: [0, 8, 9, 10, 11, 12, 13, 14, 15] }],
    ['vit-large', { ok: false, why: '“vit-large” names 2 nodes, Pods or groups.' }],
    ['nowhere\u202e', { ok: false, why: 'Nothing here is called “nowhere\\u202e”.' }],
  ])('%s', (text, answer) => {
    expect(parseScope(text, report)).toEqual(answer);
  });

  it('is named by what it is exactly, else by its runs, and each chip takes its part away', () => {
    const node = [8, 9, 10, 11, 12, 13, 14, 15];
    expect(scopeChips(node, report).map((chip) => chip.label)).toEqual(['node node-d69-1']);
    const chips = scopeChips([1, 3, 5, 6, 8, 10, 12], report);
    expect(chips.map((chip) => chip.label)).toEqual(['ranks 1', '3', '5–6', 'and 3 more']);
    expect(chips[2]?.rest).toEqual([1, 3, 8, 10, 12]);
    expect(chips[3]?.rest).toEqual([1, 3, 5, 6]);
  });
});

describe('Go to', () => {
  it.each([
    ['10:28:25.5', ['time 10:28:25.500']],
    ['11', ['rank rank 11']],
    ['rank 11', ['rank rank 11']],
    ['99', []],
    ['default_pg#4812', ['call default_pg #4812']],
    ['vit-large-0.log:12', ['file logs/vit-large-0.log', 'file logs/vit-large-0.log.1']],
    ['pods.yaml', ['file pods.yaml']],
    ['\u202e', []],
  ])('%j', (text, expected) => {
    expect(meanings(text)).toEqual(expected);
  });

  it('says where a file or a group ends before it goes past it', () => {
    expect(goToMeanings('vit-large-0.log:99999999', context)[0]?.note).toMatch(/^ends at line/);
    expect(goToMeanings('pods.yaml@99999999', context)[0]?.note).toMatch(/^ends at byte/);
  });
});

describe('the inspector', () => {
  const value = (
    model: { readonly fields: readonly { readonly name: string; readonly value: string }[] },
    name: string,
  ) => model.fields.find((field) => field.name === name)?.value;

  it('tells of a rank what the report knows, with its clock beside each raw time', () => {
    const model = rankInspector(report, 11);
    expect(value(model, 'Node')).toBe('node-d69-1');
    expect(model.fields.find((field) => field.name === 'Last seen')?.note).toMatch(/^raw, /);
    expect(model.evidence.length).toBeGreaterThan(0);
    expect(model.evidence.every((row) => row.rank === 11)).toBe(true);
  });

  it('says that a rank is in no file', () => {
    expect(rankInspector(report, 4000).rank).toEqual({ rank: 4000, role: 'unknown' });
  });

  it('gives a clock its bound, and never 0 for what is unknown', () => {
    const corrected = correctedReport();
    const domain = corrected.clock.domains.find(
      (item) => item.offsetMs !== null && item.id !== corrected.clock.reference,
    );
    const model = clockInspector(corrected, domain?.id ?? '');
    expect(model.fields.find((field) => field.name === 'Offset')?.note).toMatch(/^±|bound unknown/);
    const unknown = report.clock.domains.find((item) => item.offsetMs === null && item.id !== report.clock.reference);
    expect(value(clockInspector(report, unknown?.id ?? ''), 'Offset')).toBe('unknown');
  });

  it('names a call by its operation once the record is there', () => {
    const call = { group: 'default_pg', seq: 4812, rank: 11 };
    const view = { record: 1, total: 2, frames: [], fields: [{ name: 'profiling_name', value: 'nccl:broadcast' }] };
    expect(callInspector(report, call, null).title).toBe('call #4812');
    expect(callInspector(report, call, view).title).toBe('broadcast #4812');
  });
});

describe('help', () => {
  it('keeps markup as text, and knows its own marks', () => {
    expect(helpPieces('<b>x</b> **y** `z` [[keys]] [[<x>]]')).toEqual([
      { kind: 'text', text: '<b>x</b> ' },
      { kind: 'bold', text: 'y' },
      { kind: 'text', text: ' ' },
      { kind: 'code', text: 'z' },
      { kind: 'text', text: ' ' },
      { kind: 'page', page: 'keys' },
      { kind: 'text', text: ' [[<x>]]' },
    ]);
    expect(helpPieces('see *Would change*, 2*3*4')).toEqual([
      { kind: 'text', text: 'see ' },
      { kind: 'text', text: '“Would change”' },
      { kind: 'text', text: ', 2*3*4' },
    ]);
    expect(helpBlocks('## A\ntext\nmore\n- one\n  two\n- three\n```\n# code\n').map((block) => block.kind)).toEqual([
      'heading',
      'paragraph',
      'list',
      'code',
    ]);
  });

  it('has no link that leads nowhere and no page twice', () => {
    const ids = HELP_PAGES.map((page) => page.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const page of HELP_PAGES)
      for (const match of page.text.matchAll(/\[\[([^\]]+)\]\]/g)) expect(ids, page.id).toContain(match[1]);
  });

  it('finds pages that hold every word, by title first', () => {
    expect(searchHelp(HELP_PAGES, 'raw time')[0]?.id).toBe('time');
    expect(searchHelp(HELP_PAGES, 'zzz')).toEqual([]);
  });
});

describe('the palette', () => {
  const sources = { commands: [], report, entries: vitScenario().entries, help: HELP_PAGES };
  const titles = (query: string) => paletteGroups(query, sources).map((group) => group.title);

  it('offers what can be done with a rank only where one rank is named', () => {
    expect(titles('rank 11')).toContain('Commands');
    expect(titles('vit-large')).not.toContain('Commands');
    expect(titles('default_pg')).toContain('Groups');
    expect(titles('?')).toEqual(['Help']);
  });

  it('marks the words where they stand', () => {
    expect(hitPieces('nccl_trace_rank_11', ['rank', '11'])).toEqual([
      { text: 'nccl_trace_', hit: false },
      { text: 'rank', hit: true },
      { text: '_', hit: false },
      { text: '11', hit: true },
    ]);
    expect(hitPieces('İx', ['x'])).toEqual([{ text: 'İx', hit: false }]);
  });
});
