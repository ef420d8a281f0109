/** What the analyst sets about clocks: stored beside the case, analysed again, named in the report, and gone without a trace when cleared. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { ClockSetting } from '#shared/rpc/areas/clocks.ts';
import { connect } from './engine-client.ts';
import { scratchFolder } from './scratch.ts';

const SKEWED = fileURLToPath(new URL('../fixtures/clock-skew', import.meta.url));
const CLI = new URL('../../electron/cli/cli.ts', import.meta.url);
const scratch = scratchFolder();

describe.each([
  ['in this thread', undefined],
  ['in a thread of its own', CLI],
])('clocks that the analyst sets, analysed %s', async (_, workerEntry) => {
  const home = join(scratch.path, workerEntry === undefined ? 'here' : 'worker');
  const connected = connect({ home, version: '1', ...(workerEntry === undefined ? {} : { workerEntry }) });
  afterAll(() => connected.engine.close());
  const caseId = await connected.importCase(SKEWED);
  const { window } = connected;
  const report = async () => {
    const opened = await window.request('case.open', { caseId });
    if (!opened.ok) throw new Error(opened.error.detail);
    return opened.value.report;
  };
  const view = async () => {
    const answer = await window.request('clocks.view', { caseId });
    if (!answer.ok) throw new Error(answer.error.detail);
    return answer.value;
  };
  const set = (settings: readonly ClockSetting[]) => window.request('clocks.set', { caseId, settings });
  const before = JSON.stringify(await report());
  const setting: ClockSetting = {
    clock: 'gpu-node-03',
    against: 'gpu-node-01',
    offsetMs: 4690,
    boundMs: 5,
    reason: 'read off both walls at 10:20',
  };

  it('are none at first, and the view has a band for each clock', async () => {
    const { view: drawn, settings } = await view();
    expect(settings).toEqual([]);
    expect(drawn?.bands.map(({ clock }) => clock)).toEqual([
      'api',
      'gpu-node-01',
      'gpu-node-02',
      'gpu-node-03',
      'gpu-node-04',
    ]);
    expect(drawn?.bands[3]?.estimate.length).toBe(drawn?.momentsNs.length);
  });

  it('stand in the report and move the clock, with their reason', async () => {
    expect(await set([setting])).toEqual({ ok: true, value: { settings: [setting] } });
    const { clock } = await report();
    expect(clock.overrides).toEqual([setting]);
    const domain = (id: string) => clock.domains.find((one) => one.id === id);
    expect(domain('gpu-node-03')?.anchorKinds).toContainEqual({ kind: 'override', count: 1 });
    const estimate = (id: string) => domain(id)?.offsetMs?.estimate ?? Number.NaN;
    expect(estimate('gpu-node-03') - estimate('gpu-node-01')).toBeGreaterThanOrEqual(4685);
    expect(estimate('gpu-node-03') - estimate('gpu-node-01')).toBeLessThanOrEqual(4695);
    expect((await view()).settings).toEqual([setting]);
    const band = (await view()).view?.bands.find((one) => one.clock === 'gpu-node-03');
    expect(band?.anchors.some(({ text }) => text.includes('set by the analyst'))).toBe(true);
  });

  it('can still be set after a fault of the program stopped one change', async () => {
    vi.spyOn(connected.engine.ctx.cases, 'place').mockImplementationOnce(() => {
      throw new Error('a fault');
    });
    expect(await set([setting])).toEqual({ ok: false, error: { code: 'internal', detail: 'clocks.set' } });
    expect(await set([setting])).toEqual({ ok: true, value: { settings: [setting] } });
  });

  it('tell all windows how far the analysis is, that it ended, and that the case has other answers', async () => {
    const seen: string[] = [];
    const stops = [
      window.subscribe('clocks.progress', (state) => seen.push(`${state.step} ${state.fraction}`)),
      window.subscribe('case.revised', (change) => seen.push(`revised ${change.caseId}`)),
    ];
    expect(await set([setting])).toMatchObject({ ok: true });
    for (const stop of stops) stop();
    const steps = seen.map((text) => text.split(' ')[0]);
    expect([...new Set(steps)]).toEqual(['reading', 'analysing', 'drawing', 'writing', 'ended', 'revised']);
    expect(seen.at(-1)).toBe(`revised ${caseId}`);
    const fractions = seen.slice(0, -1).map((text) => Number(text.split(' ')[1]));
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
  });

  if (workerEntry !== undefined)
    it('can be stopped, and then everything is as it was', async () => {
      const before = JSON.stringify(await report());
      const answer = set([{ ...setting, offsetMs: 1 }]);
      const stop = async (): Promise<boolean> => {
        const asked = await window.request('clocks.stop', { caseId });
        return asked.ok && asked.value.stopping;
      };
      while (!(await stop())) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await answer).toMatchObject({ ok: false, error: { code: 'analysis-stopped' } });
      expect(JSON.stringify(await report())).toBe(before);
      expect((await view()).settings).toEqual([setting]);
      expect(await stop()).toBe(false);
    });

  it('leave bytes and raw stamps alone', async () => {
    const listed = await window.request('entry.list', { caseId, offset: 0, maxRows: 100 });
    const lease = listed.ok ? listed.value.rows.find(({ path }) => path.includes('leases')) : undefined;
    if (lease === undefined) throw new Error('no leases');
    const answer = await window.request('entry.bytes', { caseId, entryId: lease.id, from: 0, maxBytes: 65_536 });
    expect(answer.ok && Buffer.from(answer.value.bytes).equals(readFileSync(join(SKEWED, lease.path)))).toBe(true);
  });

  it('are gone without a trace when they are cleared', async () => {
    expect(await set([])).toEqual({ ok: true, value: { settings: [] } });
    expect(JSON.stringify(await report())).toBe(before);
    expect((await view()).settings).toEqual([]);
  });

  it.each([
    ['a setting without a reason', [{ ...setting, reason: '  ' }]],
    ['a bound below zero', [{ ...setting, boundMs: -1 }]],
    ['two for one clock', [setting, { ...setting, offsetMs: 1 }]],
  ])('are not taken from %s', async (_name, settings) => {
    expect(await set(settings)).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    expect(JSON.stringify(await report())).toBe(before);
  });

  it('that name no clock of the bundle are refused in words, and change nothing else', async () => {
    await set([{ ...setting, clock: 'nobody' }]);
    const { clock } = await report();
    expect(clock.overrides).toEqual([]);
    expect(clock.rejected?.map(({ text }) => text)).toContain(
      'The setting for nobody was not used: the bundle has no such clock.',
    );
    await set([]);
    expect(JSON.stringify(await report())).toBe(before);
  });
});
