import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LogsPage } from './pages/logs-page.ts';
import { LARGE_EXAMPLE, scratchFolder } from './support/bundles.ts';
import { launch, type RunningApp, resize, setTheme } from './support/launch.ts';
import { compareShot } from './support/shots.ts';

let app: RunningApp;
afterEach(() => app.close());

const open = async (path: string, width = 1440, height = 900): Promise<LogsPage> => {
  app = await launch({ args: [`--open=${path}`], theme: 'dark', width, height });
  const logs = new LogsPage(app.page);
  await logs.open();
  return logs;
};

describe('logs', () => {
  it('searches, steps, shows context, stars and opens the line in its file, by keyboard alone', async () => {
    const logs = await open(LARGE_EXAMPLE);
    await expect.poll(() => logs.count()).toBe('2 660 lines');
    await logs.search('watchdog level>=error -"First PG"');
    await expect.poll(() => logs.count()).toMatch(/^\d+ of 2 660 lines$/);
    // Rows follow their count.
    await expect.poll(() => logs.hits()).toContain('Watchdog');
    await app.page.keyboard.press('Enter');
    await expect.poll(() => logs.selected()).toMatch(/Watchdog caught collective operation timeout/);
    await app.page.keyboard.press('.');
    await app.page.keyboard.press('c');
    await expect.poll(() => logs.detail()).toMatch(/line \d+, byte/);
    await app.page.keyboard.press('b');
    await expect.poll(() => logs.stars()).toBe(1);
    const line = await logs.detailLine();
    await app.page.keyboard.press('Enter');
    await app.page.waitForSelector('.raw-line[aria-selected="true"]');
    expect(await app.page.locator('.raw-line[aria-selected="true"] .raw-line-number').innerText()).toBe(line);
    await app.page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => logs.query()).toBe('watchdog level>=error -"First PG"');
    expect(app.errors).toEqual([]);
  });

  it('tells where a query is wrong, keeps the last result, and which term leaves nothing over', async () => {
    const logs = await open(LARGE_EXAMPLE);
    await logs.search('level>=warn');
    await expect.poll(() => logs.count()).toMatch(/ of 2 660 lines/);
    const before = await logs.count();
    await logs.search('level>=wran');
    await expect.poll(() => logs.queryError()).toMatch(/Expected fatal, error, warn.*character 8/s);
    expect(await logs.count()).toBe(before);
    await logs.search('rank:3 nosuchword');
    await expect.poll(() => logs.dropButtons()).toEqual(['Drop nosuchword']);
    await app.page.getByRole('button', { name: 'Drop nosuchword' }).click();
    await expect.poll(() => logs.query()).toBe('rank:3');
    await expect.poll(() => logs.count()).toMatch(/^\d+ of 2 660 lines$/);
    expect(app.errors).toEqual([]);
  });

  it('folds similar lines, filters by a box, answers SQL and changes nothing by it', async () => {
    const logs = await open(LARGE_EXAMPLE);
    await expect.poll(() => logs.folds()).toBeGreaterThan(2);
    await app.page.getByRole('button', { name: 'Expand' }).first().click();
    await app.page.getByRole('button', { name: 'Fold', exact: true }).waitFor();
    await app.page.locator('.logs-facet-row', { hasText: 'Info' }).locator('.logs-box').click();
    await expect.poll(() => logs.query()).toBe('-level:info');
    await app.page.getByRole('button', { name: 'SQL' }).click();
    await app.page.getByLabel('SQL statement').fill('SELECT count(*) AS ranks FROM ranks');
    await app.page.keyboard.press('Control+Enter');
    await expect.poll(() => app.page.locator('.logs-sql-result td').innerText(), { timeout: 10_000 }).toBe('64');
    await app.page.getByLabel('SQL statement').fill('DELETE FROM entries');
    await app.page.keyboard.press('Control+Enter');
    await expect.poll(() => app.page.locator('.logs-sql-result').innerText()).toMatch(/Only SELECT/);
    expect(app.errors).toEqual([]);
  });

  it('shows hostile text as text, long lines in part', async () => {
    const folder = scratchFolder();
    const stamp = (second: number) => `2026-03-14T09:00:${String(second).padStart(2, '0')}.000000000Z `;
    const lines = [
      `${stamp(1)}[rank1]: <img src=x onerror=alert(1)> \u202ereversed \u001b]0;title\u0007 needle`,
      `${stamp(2)}${'A'.repeat(1_000_000)} needle-in-long`,
      `${stamp(3)}INFO the end needle`,
    ];
    writeFileSync(
      join(folder, '__proto__.log'),
      Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), Buffer.from([0xff, 0xfe, 10])]),
    );
    const logs = await open(folder, 1024, 640);
    await logs.search('"needle"');
    await expect.poll(() => logs.count()).toBe('2 of 4 lines');
    expect(await app.page.locator('img').count()).toBe(0);
    await expect.poll(() => logs.text()).toMatch(/<img src=x onerror=alert\(1\)> \\u202ereversed/);
    await logs.search('');
    await expect.poll(() => logs.text()).toMatch(/\\xff\\xfe/);
    await expect.poll(() => logs.text()).toMatch(/more bytes/);
    expect(app.errors).toEqual([]);
  });

  it('looks as it was reviewed', async () => {
    const logs = await open(LARGE_EXAMPLE);
    await logs.search('level>=warn OR saving');
    await expect.poll(() => logs.count()).toMatch(/ of 2 660 lines/);
    await app.page.keyboard.press('Enter');
    await app.page.keyboard.press('e');
    // The step is an answer of the engine: on a busy machine it takes its time.
    await expect.poll(() => logs.selected(), { timeout: 15_000 }).toMatch(/Watchdog caught/);
    const dark = await compareShot(app, 'logs-dark');
    expect(dark.difference).toBeLessThan(dark.tolerance);
    await resize(app.electron, app.page, 1024, 640);
    await setTheme(app.page, 'light');
    const light = await compareShot(app, 'logs-light-1024x640');
    expect(light.difference).toBeLessThan(light.tolerance);
  });
});
