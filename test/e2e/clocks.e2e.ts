import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { buildIncident } from '../support/incidents/index.ts';
import { saveAsFolder } from '../support/incidents/save.ts';
import { TWO_NODE_STALL } from '../support/two-node-stall.ts';
import { ClocksPage } from './pages/clocks-page.ts';
import { LARGE_EXAMPLE, scratchFolder } from './support/bundles.ts';
import { launchCase } from './support/cases.ts';
import { type RunningApp, resize, setTheme } from './support/launch.ts';
import { compareShot } from './support/shots.ts';

const SKEWED = fileURLToPath(new URL('../fixtures/clock-skew', import.meta.url));

/** A rank a node; one stalls. */
const manyNodes = (nodes: number) =>
  buildIncident({
    ...TWO_NODE_STALL,
    nodes,
    ranksPerNode: 1,
    clocks: 'skewed',
    loop: { steps: 40, stepMs: 410, buckets: [2_362_368], logEvery: 5, evaluateEvery: 20, checkpointEvery: 20 },
    ringEntries: 2000,
    fault: { kind: 'stall', rank: 5, step: 20, where: 'data' },
  });

let app: RunningApp;
afterEach(() => app.close());

async function openClocks(path: string): Promise<ClocksPage> {
  app = await launchCase(path, { theme: 'dark', width: 1440, height: 900 });
  const clocks = new ClocksPage(app.page);
  await clocks.open();
  return clocks;
}

describe('clocks', () => {
  it('tell by keyboard how far a node is off, on what evidence, and lead to its bytes', async () => {
    const clocks = await openClocks(SKEWED);
    const { page } = app;
    expect(await clocks.order()).toMatch(/incomplete.*Order against API server/s);
    await clocks.table().focus();
    for (let i = 0; i < 4 && (await clocks.chosen()) !== 'gpu-node-03'; i++) await page.keyboard.press('ArrowDown');
    expect(await clocks.chosen()).toBe('gpu-node-03');
    expect((await clocks.row('gpu-node-03'))[2]).toMatch(/^\+4\d{3} ms$/);
    expect((await clocks.row('API server'))[2]).toBe('reference');
    expect(await clocks.statements()).toMatch(
      /gpu-node-03 is ahead of API server\. Its stamps are moved back by 4\d{3} ms/,
    );
    expect(await clocks.drawingSummary()).toMatch(/gpu-node-03: \+4\d{3}/);
    const lower = (await clocks.anchors()).findIndex(
      (text) => text.includes('the Lease of gpu-node-03') && text.includes('≥'),
    );
    expect(lower).toBeGreaterThanOrEqual(0);
    await page.locator('.anchor-row').nth(lower).focus();
    await page.keyboard.press('Enter');
    expect(await clocks.evidence()).toMatch(
      /fixes the lower side .*before 10:.* gpu-node-03 after 10:.* API server offset ≥ \+\d{4} ms/,
    );
    await page.keyboard.press('Enter');
    await page.waitForSelector('.evidence');
    expect(await page.locator('.evidence').innerText()).toContain('leases-kube-node-lease.yaml');
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => clocks.chosen()).toBe('gpu-node-03');
    expect(app.errors).toEqual([]);
  });

  it('are set with a reason, analysed again, named, and set back by undo', async () => {
    const clocks = await openClocks(SKEWED);
    const { page } = app;
    const before = await clocks.row('gpu-node-02');
    await page.getByRole('button', { name: 'Set gpu-node-02' }).click();
    const save = page.getByRole('button', { name: 'Set and analyse again' });
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Offset, ms').fill('−250');
    await page.getByLabel('Right to within').fill('5');
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Reason').fill('chronyc of that minute, ticket 4711');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.dialog', { state: 'detached' });
    await expect
      .poll(() => clocks.statements())
      .toMatch(/gpu-node-02 is set by an analyst to −250\.0 ms .*ticket 4711/);
    const [, , offset, guaranteed] = await clocks.row('gpu-node-02');
    expect(offset).toBe('−250.0 ms');
    expect(guaranteed).toBe('[−255.0, −245.0]');
    await page.keyboard.press('Control+z');
    await expect.poll(() => clocks.row('gpu-node-02'), { timeout: 15_000 }).toEqual(before);
    expect(await clocks.statements()).not.toContain('analyst');
    expect(app.errors).toEqual([]);
  });

  it('are compared with any of them, on this screen only', async () => {
    const clocks = await openClocks(SKEWED);
    const { page } = app;
    const own = await clocks.row('gpu-node-01');
    await page.getByRole('button', { name: /^compared with/ }).click();
    await page.getByRole('menuitemradio', { name: 'gpu-node-03' }).click();
    await expect.poll(async () => (await clocks.row('gpu-node-03'))[2]).toBe('reference');
    expect((await clocks.row('gpu-node-01'))[2]).toMatch(/^−4\d{3} ms$/);
    expect((await clocks.row('API server'))[2]).toMatch(/^−4\d{3} ms$/);
    expect(await clocks.statements()).toMatch(/Times on other screens stay corrected to API server/);
    await page.getByRole('button', { name: /^compared with/ }).click();
    await page.getByRole('menuitemradio', { name: 'API server (reference)' }).click();
    await expect.poll(() => clocks.row('gpu-node-01')).toEqual(own);
    expect(await page.locator('.status-bar').innerText()).toContain('Clocks: 4 bounded on one side');
    expect(app.errors).toEqual([]);
  });

  it('that nothing relates are unknown, never zero', async () => {
    const scratch = scratchFolder();
    for (const rank of [0, 1]) {
      const lines = Array.from(
        { length: 20 },
        (_, i) =>
          `2026-03-14T10:0${rank}:${10 + i}.000000000Z [rank${rank}]: INFO loading shard ${String.fromCharCode(97 + i)}`,
      );
      writeFileSync(join(scratch, `worker-${rank}.log`), `${lines.join('\n')}\n`);
    }
    const clocks = await openClocks(scratch);
    const rows = await clocks.rows();
    expect(rows.length).toBe(2);
    for (const cells of rows) expect(cells[2]).toBe('unknown');
    expect(await app.page.locator('.clocks-scroll').innerText()).toContain('2 clocks, none related to another');
    expect(app.errors).toEqual([]);
    rmSync(scratch, { recursive: true, force: true });
  });

  it('of many nodes: the least certain are drawn, the others counted and in the table', async () => {
    const scratch = scratchFolder();
    await saveAsFolder(manyNodes(16), join(scratch, 'many-nodes'));
    const clocks = await openClocks(join(scratch, 'many-nodes'));
    const { page } = app;
    expect((await clocks.rows()).length).toBe(17);
    // Clocks seconds apart: each is drawn at its own scale. All but the reference, and no more than twelve.
    expect(await page.getByRole('radio', { name: 'own scales' }).getAttribute('aria-checked')).toBe('true');
    await page.waitForSelector('.own-panel canvas');
    expect(await page.locator('.own-panel').count()).toBe(12);
    expect(await page.locator('.clocks-hidden').innerText()).toBe('4 more related clocks are in the table only.');
    await page.getByRole('radio', { name: 'least certain 12' }).click();
    expect(await page.locator('.clocks-hidden').innerText()).toBe('5 more related clocks are in the table only.');
    expect((await clocks.drawingSummary()).match(/: /g)).toHaveLength(12);
    expect(app.errors).toEqual([]);
    rmSync(scratch, { recursive: true, force: true });
  });

  it('are chosen by their own panel, and sorted by any column', async () => {
    const clocks = await openClocks(LARGE_EXAMPLE);
    const { page } = app;
    const names = async () => (await clocks.rows()).map(([name]) => name?.replace(/\s/g, ''));
    expect((await names()).at(-1)).toBe('worker-d66-2');
    const second = page.locator('.own-panel').nth(1);
    const words = (await second.getAttribute('aria-label')) ?? '';
    expect(words).toMatch(/^[\w -]+: [+−][\d\u2009.]+ ms, ±.+, likely ±.+ anchors$/);
    await second.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => clocks.chosen()).toBe(words.slice(0, words.indexOf(':')));
    expect(await page.locator('.own-panel').first().getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Offset', exact: true }).click();
    await expect.poll(async () => (await names())[0]).toBe('worker-c89-5');
    expect(await page.getByRole('columnheader', { name: 'Offset' }).getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('button', { name: 'Offset', exact: true }).click();
    await expect.poll(async () => (await names())[0]).toBe('gpu-b34-1');
    expect(app.errors).toEqual([]);
  });

  it('pictures', async () => {
    await openClocks(LARGE_EXAMPLE);
    const { page } = app;
    const expectShot = async (name: string): Promise<void> => {
      const { difference, tolerance } = await compareShot(app, name);
      expect(difference, name).toBeLessThan(tolerance);
    };
    await page.waitForSelector('.clock-bands canvas');
    await expectShot('clocks-dark');
    await resize(app.electron, page, 1024, 640);
    await setTheme(page, 'light');
    await expectShot('clocks-light-1024x640');
    expect(app.errors).toEqual([]);
  });
});
