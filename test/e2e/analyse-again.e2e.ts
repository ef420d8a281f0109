/** A case that an older version wrote: what tells of it, how the present rules are applied, and what stays. The real engine throughout. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CasesPage } from './pages/cases-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { EXAMPLE } from './support/bundles.ts';
import { launch, type RunningApp } from './support/launch.ts';

const home = mkdtempSync(join(tmpdir(), 'firstfault-home-'));
let app: RunningApp;
afterEach(async () => {
  await app.close();
  rmSync(home, { recursive: true, force: true });
});

describe('a case of an older version', () => {
  it('says so, is analysed again, and keeps what was noted', { timeout: 180_000 }, async () => {
    app = await launch({ home });
    const first = new CasesPage(app.page, app.electron);
    await first.answerDialog([EXAMPLE]);
    await first.openByKey();
    await new OverviewPage(app.page).shown();
    const statement = await new OverviewPage(app.page).statement();
    await app.close();

    const folder = join(home, 'cases');
    const id = readdirSync(folder).find((name) => !name.startsWith('.')) ?? '';
    const row = join(folder, id, 'case.json');
    const said = JSON.parse(readFileSync(row, 'utf8'));
    const old = { toolVersion: '0.0.1', status: 'hypothesis', firstRanks: [], summary: 'What an older rule said.' };
    writeFileSync(row, JSON.stringify({ ...said, ...old }));

    app = await launch({ home, width: 1440, height: 900 });
    const { page } = app;
    const cases = new CasesPage(page, app.electron);
    expect((await cases.rows()).join('\n')).toMatch(/What an older rule said[\s\S]*older/);
    await page.locator('.case-open').click();
    await new OverviewPage(page).shown();
    const badge = page.locator('.status-bar').getByRole('button', { name: 'Made by version 0.0.1 · analyse again' });
    await badge.dblclick();
    await expect.poll(() => page.locator('.toast').innerText(), { timeout: 60_000 }).toMatch(/the verdict changed/);
    await expect.poll(() => badge.count()).toBe(0);
    expect(await new OverviewPage(page).statement()).toBe(statement);
    expect(JSON.parse(readFileSync(row, 'utf8'))).toEqual(said);

    await page.keyboard.press('Control+7');
    await page.getByRole('button', { name: 'Custody log 2' }).click();
    const lines = await page.getByRole('dialog', { name: 'Custody log' }).locator('li').allInnerTexts();
    expect(lines[0]).toMatch(/analyse again[\s\S]*result of version 0\.0\.1/);
    expect(lines[1]).toMatch(/import[\s\S]*SHA-256/);
    expect(lines).toHaveLength(2);
    await page.keyboard.press('Escape');

    await page.keyboard.press('Control+Shift+O');
    const rows = (await cases.rows()).join('\n');
    expect(rows).not.toMatch(/older/);
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete case…' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Analyse again/ }).count()).toBe(0);
    expect(app.errors).toEqual([]);
  });

  it('stays as it was where it cannot be analysed, and says what to do', { timeout: 180_000 }, async () => {
    app = await launch({ home });
    const cases = new CasesPage(app.page, app.electron);
    await cases.answerDialog([EXAMPLE]);
    await cases.openByKey();
    await new OverviewPage(app.page).shown();
    await app.close();
    const folder = join(home, 'cases');
    const id = readdirSync(folder).find((name) => !name.startsWith('.')) ?? '';
    const row = join(folder, id, 'case.json');
    const old = JSON.stringify({ ...JSON.parse(readFileSync(row, 'utf8')), toolVersion: '0.0.1' });
    writeFileSync(row, old);
    writeFileSync(join(folder, id, 'notes.db'), 'not a database, and long enough to be taken for a file that had one');

    app = await launch({ home });
    await app.page.waitForSelector('.case-row');
    await app.page.getByRole('button', { name: /^Actions for/ }).click();
    await app.page.getByRole('menuitem', { name: 'Analyse again with the present rules' }).click();
    await expect
      .poll(() => app.page.locator('.toast').innerText(), { timeout: 60_000 })
      .toMatch(/^Not analysed again, the case is as it was\. The case file is damaged\. Import the bundle again\.$/);
    expect(readFileSync(row, 'utf8')).toBe(old);
  });
});
