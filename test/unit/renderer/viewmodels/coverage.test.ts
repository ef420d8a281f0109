import { describe, expect, it } from 'vitest';
import { entryId } from '#shared/model/ids.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import type { CoverageView, FileCoverage } from '#shared/views/coverage/types.ts';
import type { LaneClock } from '#shared/views/lanes/types.ts';
import { coverageModel, coverageNews, coverageRows } from '../../../../renderer/viewmodels/coverage.ts';

const S = 1e9;
const ORIGIN = 1_773_478_800n * 1_000_000_000n; // 2026-03-14T09:00:00Z

const clock = (id: string, offsetS: number | null, halfS = 0): LaneClock => ({
  ...{ id, kind: 'node', momentNs: 0, drift: 0, reference: offsetS === 0, toFaultNs: null },
  offsetNs:
    offsetS === null
      ? null
      : {
          estimate: offsetS * S,
          low: (offsetS - halfS) * S,
          high: (offsetS + halfS) * S,
          likelyLow: null,
          likelyHigh: null,
        },
});

const file = (entry: number, part: Partial<FileCoverage>): FileCoverage => ({
  ...{ entry, of: 'log', nodes: ['gpu-0'], pods: ['job-0'], ranks: [entry], clock: 0, fromNs: 0, toNs: 600 * S },
  ...part,
});

const entry = (id: number, path: string): EntryRow => ({
  ...{ id: entryId(id), path, kind: 'Pod log', format: 'pod-log', why: '', bytes: 1, sha256: null },
  ...{ status: 'read', detail: '', lines: 1, first: null, last: null, duplicateOf: null },
});

const view = (part: Partial<CoverageView>): CoverageView => ({
  ...{
    version: 1,
    originNs: ORIGIN.toString(),
    clocks: [clock('gpu-0', 0), clock('gpu-1', 60, 1), clock('gpu-2', null)],
  },
  ...{ files: [], pods: [], fault: null },
  ...part,
});

const FILES = [
  file(0, {}),
  // A minute ahead: by its own stamps it ends at 11 m, in truth with the first at 10 m, less three.
  file(1, { nodes: ['gpu-1'], pods: ['job-1'], clock: 1, fromNs: 60 * S, toNs: 480 * S }),
  file(2, { nodes: ['gpu-2'], pods: ['job-2'], clock: 2, fromNs: 0, toNs: 10 * S }),
];
const ENTRIES = FILES.map(({ entry: id }) => entry(id, `logs/job-${id}.log`));

describe('what files cover', () => {
  it('stands on the corrected axis, with words for what ends early', () => {
    const model = coverageModel(view({ files: FILES, fault: { atNs: 300 * S, clock: 0 } }), 'corrected');
    expect(model?.span).toEqual({ from: 0, to: 600 * S });
    expect(model?.fault).toBe(0.5);
    const second = model?.spans.get(1);
    expect(second?.bar).toEqual({ from: 0, to: 0.7, cutLeft: false, cutRight: false });
    expect(second?.times).toBe('09:00:00 – 09:07:00');
    expect(second?.basis).toBe('corrected, ±1 s');
    expect(second?.notes).toEqual(['ends 3 m 0 s early']);
    expect(model?.spans.get(0)?.notes).toEqual([]);
  });

  it('says nothing of early or late where the clock cannot be compared, and none of it in raw times', () => {
    const known = view({ files: FILES });
    const unrelated = coverageModel(known, 'corrected')?.spans.get(2);
    expect(unrelated?.notes).toEqual([]);
    expect(unrelated?.basis).toBe('raw, clock of gpu-2');
    const raw = coverageModel(known, 'raw');
    expect(raw?.spans.get(1)?.bar?.from).toBe(0.1);
    expect([...(raw?.spans.values() ?? [])].flatMap(({ notes }) => notes)).toEqual([]);
  });

  it('does not call an end early that lies inside of the bound', () => {
    const close = [file(0, {}), file(1, { clock: 1, fromNs: 60 * S, toNs: 620 * S })];
    const clocks = [clock('gpu-0', 0), clock('gpu-1', 60, 50)];
    expect(coverageModel(view({ files: close, clocks }), 'corrected')?.spans.get(1)?.notes).toEqual([]);
    const tight = [clock('gpu-0', 0), clock('gpu-1', 60, 1)];
    expect(coverageModel(view({ files: close, clocks: tight }), 'corrected')?.spans.get(1)?.notes).toEqual([
      'ends 40 s early',
    ]);
  });

  it('takes the axis from what ranks wrote: events before the job make no log late', () => {
    const events = file(3, { of: 'events', ranks: [], nodes: [], pods: [], fromNs: -3600 * S, toNs: 30 * S });
    const model = coverageModel(view({ files: [file(0, {}), events] }), 'corrected');
    expect(model?.span.from).toBe(0);
    expect(model?.spans.get(3)?.bar).toMatchObject({ from: 0, cutLeft: true, cutRight: false });
    expect(model?.spans.get(0)?.notes).toEqual([]);
  });

  it('is nothing where no file has a stamp', () => {
    expect(coverageModel(view({ files: [file(0, { fromNs: null, toNs: null })] }), 'corrected')).toBeNull();
  });
});

describe('rows of the coverage', () => {
  const pods = [
    { pod: 'job-0', node: 'gpu-0', ranks: [0], log: true, withoutDump: [] },
    { pod: 'job-3', node: 'gpu-3', ranks: [3, 4], log: false, withoutDump: [3, 4] },
    { pod: 'launcher', node: 'gpu-9', ranks: [], log: false, withoutDump: [] },
  ];
  const dumps = [7, 8].map((id) => file(id, { of: 'dump', ranks: [0], fromNs: 100 * S, toNs: (200 + id) * S }));
  const all = view({ files: [...FILES, ...dumps], pods });
  const entries = [...ENTRIES, ...[7, 8].map((id) => entry(id, `fr/nccl_trace_rank_${id}`))];
  const model = coverageModel(all, 'corrected');
  if (model === null) throw new Error('no model');

  it('go by place and rank; dumps of a place are one; what is not there has rows of its own', () => {
    const rows = coverageRows(model, entries, { node: null, whole: true });
    expect(rows.map((row) => ('title' in row ? row.title : 'label' in row ? row.label : row.name))).toEqual([
      ...['gpu-0', 'job-0.log', '2 recorder dumps'],
      ...['gpu-1', 'job-1.log', 'gpu-2', 'job-2.log'],
      ...['gpu-3', 'Log of job-3', 'Dump of ranks 3 and 4'],
    ]);
    const band = rows.find((row) => row.kind === 'dumps');
    expect(band).toMatchObject({
      bar: { from: 100 / 600, to: 208 / 600 },
      times: '09:01:40 – 09:03:28',
      node: 'gpu-0',
    });
    expect(coverageNews(rows)).toEqual(['1 log ends early', '1 Pod without a log', '2 dumps missing']);
  });

  it('tell of nothing missing while a filter hides files, and only of the chosen node', () => {
    expect(coverageRows(model, ENTRIES, { node: null, whole: false }).some(({ kind }) => kind === 'missing')).toBe(
      false,
    );
    const one = coverageRows(model, [], { node: 'gpu-3', whole: true });
    expect(one.map(({ kind }) => kind)).toEqual(['place', 'missing', 'missing']);
    expect(coverageRows(model, [], { node: 'gpu-0', whole: true })).toEqual([]);
  });

  it('tell the dumps of a place from the first moment to the last, also over midnight', () => {
    // 23:59:50 and 00:00:10 of the next day.
    const midnight = 15 * 3600 * S;
    const logs = [file(0, { fromNs: midnight - 600 * S, toNs: midnight + 600 * S })];
    const over = [
      file(7, { of: 'dump', ranks: [0], fromNs: midnight - 10 * S, toNs: midnight - 5 * S }),
      file(8, { of: 'dump', ranks: [0], fromNs: midnight + 3 * S, toNs: midnight + 10 * S }),
    ];
    const model = coverageModel(view({ files: [...logs, ...over] }), 'raw');
    if (model === null) throw new Error('no axis');
    const entries = [entry(0, 'a.log'), entry(7, 'nccl_trace_rank_0'), entry(8, 'nccl_trace_rank_0.bak')];
    const rows = coverageRows(model, entries, { node: null, whole: false });
    const band = rows.find((row) => row.kind === 'dumps');
    expect(band?.kind === 'dumps' && band.times).toMatch(/23:59:50 – .*00:00:10$/);
  });
});
