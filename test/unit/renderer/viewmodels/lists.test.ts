import { describe, expect, it } from 'vitest';
import { askDraft } from '../../../../renderer/viewmodels/ask-draft.ts';
import { caseRows } from '../../../../renderer/viewmodels/case-rows.ts';
import { contextParts } from '../../../../renderer/viewmodels/context-parts.ts';
import { divergenceModel } from '../../../../renderer/viewmodels/divergence.ts';
import {
  citationsByEntry,
  commonFolder,
  comparePaths,
  type FileFilter,
  fileRows,
  fileSummary,
} from '../../../../renderer/viewmodels/file-rows.ts';
import { statusParts } from '../../../../renderer/viewmodels/status-parts.ts';
import { listScenario, vitScenario } from '../../../e2e/support/incidents.ts';
import { correctedReport, namedReport } from '../../../e2e/support/named-report.ts';
import { cannotTellReport, noFailureReport } from '../../../e2e/support/outcome-reports.ts';

describe('caseRows', () => {
  const { cases } = listScenario();
  it('shows the newest import first, with chip and first clause', () => {
    const rows = caseRows(cases, { find: '', status: 'all', sort: 'imported' });
    expect(rows.map((row) => row.name)[0]).toBe('vit-large hang');
    expect(rows[0]).toMatchObject({ day: '18 Feb 2026', ranks: '16', chip: 'rank 11', word: 'Established', gaps: 4 });
    expect(rows[0]?.clause).toBe('entered broadcast #4812 while 15 ranks entered allreduce #4812 in default_pg');
  });

  it.each([
    ['text of the statement', { find: 'SIGTERM', status: 'all', sort: 'imported' }, ['preempted-run']],
    ['name, case ignored', { find: 'UNET', status: 'all', sort: 'imported' }, ['unet-3d upload']],
    ['status', { find: '', status: 'no-failure', sort: 'imported' }, ['resnet50 nightly']],
    ['nothing matches', { find: 'zzz', status: 'all', sort: 'imported' }, []],
  ] as const)('filters by %s', (_name, options, expected) => {
    expect(caseRows(cases, options).map((row) => row.name)).toEqual(expected);
  });

  it('sorts unknown rank counts last', () => {
    const rows = caseRows(cases, { find: '', status: 'all', sort: 'ranks' });
    expect(rows[0]?.ranks).toBe('4\u2009096');
    expect(rows.at(-1)?.ranks).toBe('?');
  });
});

describe('fileRows', () => {
  const { entries } = vitScenario();
  const citations = citationsByEntry(namedReport());
  const ALL: FileFilter = { find: '', kind: 'all', status: 'all' };
  const list = (filter: Partial<FileFilter>, column: 'status' | 'size' | 'cited' = 'status', descending = false) =>
    fileRows(entries, citations, { filter: { ...ALL, ...filter }, sort: { column, descending } }).map(
      (row) => row.path,
    );

  it('puts the worst status first', () => {
    expect(list({}).slice(0, 3)).toEqual([
      'flight-recorder/nccl_trace_rank_15.bak',
      'flight-recorder/nccl_trace_rank_13',
      'torchrun/attempt_0/13/stderr.log',
    ]);
  });

  it.each(['sha', 'covers'] as const)(
    'puts files of which nothing is known last, in either direction: %s',
    (column) => {
      const some = entries
        .slice(0, 6)
        .map((entry, i) => ({ ...entry, ...(i < 2 ? { sha256: null, first: null } : {}) }));
      for (const descending of [false, true]) {
        const rows = fileRows(some, citations, { filter: ALL, sort: { column, descending } });
        const known = rows.map(({ entry }) => (column === 'sha' ? entry.sha256 : entry.first) !== null);
        expect(known).toEqual([...known].sort((a, b) => Number(b) - Number(a)));
      }
    },
  );

  it('filters by text, kind and status together', () => {
    expect(list({ find: 'rank_1', kind: 'recorder dump', status: 'empty' })).toEqual([
      'flight-recorder/nccl_trace_rank_13',
    ]);
    expect(list({ find: 'nothing' })).toEqual([]);
  });

  it('counts each cited place once, however many findings name it', () => {
    expect(citations.get(4)).toHaveLength(2);
    expect(list({}, 'cited')[0]).toBe('flight-recorder/nccl_trace_rank_0');
  });

  it('adds the statuses up to all files', () => {
    expect(fileSummary(entries).reduce((sum, part) => sum + part.count, 0)).toBe(entries.length);
  });
});

describe('paths of files', () => {
  it('stand in the order of their numbers, whatever their length', () => {
    const paths = ['d/rank_10', 'd/rank_2', 'd/rank_02b', 'a', 'd/rank_2/x', 'd/rank_9007199254740993'];
    expect([...paths].sort(comparePaths)).toEqual([
      'a',
      'd/rank_02b',
      'd/rank_2',
      'd/rank_2/x',
      'd/rank_10',
      'd/rank_9007199254740993',
    ]);
  });

  it.each([
    [['b-7/logs/a', 'b-7/logs/b', 'b-7/c'], 'b-7/'],
    [['b-7/logs/a', 'b-7/logs/b'], 'b-7/logs/'],
    [['b-7/a', 'b-77/a'], ''],
    [['a'], ''],
    [[], ''],
  ])('of %j are below %j', (paths, folder) => {
    expect(commonFolder(paths.map((path) => ({ path })))).toBe(folder);
  });

  it('that a finding rests on come first among those of one status, and the worst status first in the sum', () => {
    const { entries } = vitScenario();
    const citations = citationsByEntry(namedReport());
    const filter = { find: '', kind: 'all', status: 'read' } as const;
    const rows = fileRows(entries, citations, { filter, sort: { column: 'status', descending: false } });
    const cited = rows.map((row) => row.cited);
    expect(cited[0]).toBeGreaterThan(0);
    expect(cited).toEqual([...cited].sort((a, b) => b - a));
    expect(fileSummary(entries)[0]?.status).toBe('refused');
    expect(fileSummary(entries).at(-1)?.status).toBe('read');
  });
});

describe('context and status bar', () => {
  it('claims no duration between different raw clocks', () => {
    expect(contextParts(namedReport())).toMatchObject({
      range: '09:57:50 – 10:40:10',
      duration: '',
      basis: 'Raw clocks',
      raw: true,
      ranks: 'All 16 ranks',
    });
    expect(contextParts(correctedReport())).toMatchObject({
      duration: '42 m 20 s',
      basis: 'Corrected, ±50 ms',
      raw: false,
    });
  });

  it('says where the zone was assumed and where ranks were not seen', () => {
    expect(contextParts(cannotTellReport())).toMatchObject({
      zone: 'UTC, partly assumed',
      ranks: '1 of 8 ranks seen',
      duration: '1 h 16 m',
    });
  });

  it('tells what was read, refused and hashed', () => {
    const parts = statusParts(namedReport(), vitScenario().entries);
    expect(parts.read).toBe('53 of 58 files read');
    expect(parts.statuses.map((part) => part.text)).toEqual([
      '1 refused',
      '1 empty',
      '1 truncated',
      '1 with warnings',
      '1 skipped',
    ]);
    expect(parts).toMatchObject({
      hashes: '12 hashes taken',
      gaps: '4 gaps',
      clocks: { text: '3 clocks, differences unknown' },
    });
    const whole = noFailureReport();
    const partial = { ...whole, bundle: { ...whole.bundle, stopped: { filesRead: 5, filesTotal: 640 } } };
    expect(statusParts(partial, null).read).toMatch(/ of 640 files read$/);
    expect(statusParts(whole, null)).toMatchObject({ hashes: null, gaps: '0 gaps' });
  });
});

describe('divergenceModel', () => {
  it('sets the deviating rank against the others and marks where stacks part', () => {
    const model = divergenceModel(namedReport());
    expect(model?.sides).toEqual([
      { key: 'deviating', ranks: 'rank 11', does: 'broadcast [1] int64', deviates: true },
      { key: 'others', ranks: 'ranks 0–10, 12–15', does: 'allreduce [25557032] bf16', deviates: false },
    ]);
    expect(model?.stacks[0]).toMatchObject({ ranks: 'rank 11', folded: 1 });
    expect(model?.stacks[0]?.frames.map((frame) => [frame.text, frame.differs])).toEqual([
      ['train.py:226 train', false],
      ['train.py:140 save_checkpoint', true],
      ['distributed.py:104 wrapper', true],
      ['distributed_c10d.py:2714 broadcast', true],
    ]);
  });

  it('turns stacks that were written innermost first, and shortens the paths of packages', () => {
    const report = namedReport();
    const found = report.collectives.firstDivergence;
    if (!found) throw new Error('no divergence');
    const frames = [
      {
        ranks: [11],
        frames: ['/opt/lib/site-packages/torch/c10d.py:9 broadcast', 'train.py:2 save', 'train.py:1 <module>'],
      },
      {
        ranks: [0],
        frames: ['/opt/lib/site-packages/torch/c10d.py:7 all_reduce', 'train.py:3 step', 'train.py:1 <module>'],
      },
    ];
    const model = divergenceModel({
      ...report,
      collectives: { ...report.collectives, firstDivergence: { ...found, frames } },
    });
    expect(model?.stacks[0]?.frames.map((frame) => [frame.text, frame.differs])).toEqual([
      ['train.py:1 <module>', false],
      ['train.py:2 save', true],
      ['torch/c10d.py:9 broadcast', true],
    ]);
    expect(model?.stacks[0]?.frames[2]?.whole).toBe('/opt/lib/site-packages/torch/c10d.py:9 broadcast');
  });

  it('has no deviating side where there is no majority', () => {
    const report = namedReport();
    const found = report.collectives.firstDivergence;
    if (!found) throw new Error('no divergence');
    const split = {
      ...found,
      ranks: [],
      sides: [
        [0, 1],
        [2, 3],
      ],
      frames: [],
    };
    const model = divergenceModel({ ...report, collectives: { ...report.collectives, firstDivergence: split } });
    expect(model?.sides.map((side) => [side.ranks, side.deviates])).toEqual([
      ['ranks 0, 1', false],
      ['ranks 2, 3', false],
    ]);
  });

  it('is absent where sequences agree', () => {
    expect(divergenceModel(noFailureReport())).toBeNull();
  });
});

describe('askDraft', () => {
  it('lists what is missing, why and how, in order', () => {
    const text = askDraft(namedReport());
    expect(text).toContain(
      '1. Dump of rank 6 (looked for, not there)\n   Why: 2 findings rest on its log instead\n   How: TORCH_NCCL_TRACE_BUFFER_SIZE=2000',
    );
    expect(text.indexOf('3. Kernel log')).toBeGreaterThan(text.indexOf('2. Dump of rank 13'));
    expect(text).not.toContain('Pod list');
  });

  it('says that nothing is missing', () => {
    expect(askDraft(noFailureReport())).toContain('Nothing is missing.');
  });
});
