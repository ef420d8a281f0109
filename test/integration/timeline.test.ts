import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { caseId } from '#shared/model/ids.ts';
import { connect } from './engine-client.ts';
import { scratchFolder } from './scratch.ts';

const EXAMPLE = fileURLToPath(new URL('../../build/resources/example/small', import.meta.url));
const scratch = scratchFolder();

describe('the timeline of an imported case', async () => {
  const home = join(scratch.path, 'home');
  mkdirSync(join(home, 'tmp'), { recursive: true });
  const { engine, window, importCase } = connect({ home, version: '1.2.3', temporaryFolder: join(home, 'tmp') });
  afterAll(() => engine.close());
  const id = await importCase(EXAMPLE);
  const answer = await window.request('timeline.index', { caseId: id });
  if (!answer.ok || answer.value === null) throw new Error('no lanes');
  const index = answer.value;
  const all = index.lanes.map((_, i) => i);
  const span = { caseId: id, basis: 'corrected' as const, ...index.spans.corrected };

  it('lists its lanes with the first rank named, and the moment of the fault', () => {
    expect(index.lanes.filter((lane) => lane.role === 'first').map((lane) => lane.rank)).toEqual([1]);
    expect(index.marks[0]).toMatchObject({ kind: 'fault', lane: index.lanes.findIndex((lane) => lane.rank === 1) });
    expect(index.spans.corrected.to).toBeGreaterThan(index.spans.corrected.from);
    expect(BigInt(index.originNs)).toBeGreaterThan(0n);
  });

  it('answers slices, or cells where they were asked for or would be too many', async () => {
    const ask = { ...span, columns: 400, lanes: all, lanesPerRow: 1, maxSlices: 5000 };
    const slices = await window.request('timeline.lanes', { ...ask, tier: 'slices' });
    expect(slices).toMatchObject({ ok: true, value: { kind: 'slices' } });
    const cells = await window.request('timeline.lanes', { ...ask, tier: 'cells' });
    expect(cells.ok && cells.value.kind === 'cells' && cells.value.cells).toHaveLength(400 * all.length);
  });

  it('counts every stored line once, wherever its clock puts it', async () => {
    const listed = await window.request('entry.list', { caseId: id, offset: 0, maxRows: 1000 });
    const strips = await window.request('timeline.strips', {
      ...span,
      from: span.from - 1e12,
      to: span.to + 1e12,
      columns: 100,
    });
    if (!listed.ok || !strips.ok || strips.value.lines === null) throw new Error('no lines');
    const drawn = strips.value.lines.reduce((sum, lines) => sum + lines, 0);
    const stored = listed.value.rows.reduce((sum, row) => sum + (row.duplicateOf === null ? (row.lines ?? 0) : 0), 0);
    expect(drawn).toBeGreaterThan(0);
    expect(drawn).toBeLessThanOrEqual(stored + 1e-6);
  });

  it('tells how long steps took and what they printed, by the progress lines of the ranks', async () => {
    const known = await window.request('timeline.metrics', { caseId: id });
    if (!known.ok) throw new Error('no metrics');
    const ids = known.value.metrics.map((metric) => metric.id);
    expect(ids).toEqual(
      expect.arrayContaining(['step-time', 'step', 'time-in-calls', 'calls-per-second', 'line::loss']),
    );
    const ask = { ...span, columns: 200, ranks: [0, 1] };
    const answer = await window.request('timeline.curves', {
      ...ask,
      ids: ['line::loss', 'step-time', 'gone', 'time-in-calls'],
    });
    if (!answer.ok) throw new Error('no curves');
    const [loss, steps, calls] = answer.value.curves;
    expect(answer.value.curves.map((curve) => curve.id)).toEqual(['line::loss', 'step-time', 'time-in-calls']);
    // Rank 0 alone logs its progress: step 4 at 14.032 s, 6 at 14.104 s, 9 at 14.216 s.
    expect({ ranks: steps?.members, own: steps?.own.map(({ rank }) => rank) }).toEqual({ ranks: 1, own: [0] });
    const times = [...(steps?.median ?? [])].filter((value) => !Number.isNaN(value));
    expect(times.length).toBeGreaterThan(0);
    for (const value of times) expect(value).toSatisfy((ms: number) => ms > 35 && ms < 38);
    for (const value of loss?.median ?? [])
      if (!Number.isNaN(value)) expect(value).toSatisfy((x: number) => x > 2 && x < 3);
    // The dump of rank 1 is missing.
    expect(calls?.own.map(({ rank }) => rank)).toEqual([0]);
    expect(calls?.members).toBe(3);
    expect(await window.request('timeline.curves', { ...ask, to: ask.from, ids: [] })).toMatchObject({
      ok: false,
      error: { code: 'invalid-params' },
    });
  });

  it('refuses spans of nothing, pictures beyond all screens, and unknown cases', async () => {
    const ask = { ...span, columns: 400, lanes: all, lanesPerRow: 1, tier: 'cells' as const, maxSlices: 1 };
    expect(await window.request('timeline.lanes', { ...ask, to: ask.from })).toMatchObject({
      ok: false,
      error: { code: 'invalid-params' },
    });
    const many = Array.from({ length: 10_000 }, () => 0);
    expect(await window.request('timeline.lanes', { ...ask, lanes: many, columns: 8000 })).toMatchObject({
      ok: false,
      error: { code: 'invalid-params' },
    });
    expect(await window.request('timeline.index', { caseId: caseId('gone') })).toMatchObject({
      ok: false,
      error: { code: 'case-not-found' },
    });
  });
});
