/** What the user can do to an import while it runs, and what becomes of one that was interrupted. The real engine throughout. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CasesPage } from './pages/cases-page.ts';
import { ImportPage } from './pages/import-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { EXAMPLE, largeBundle, scratchFolder, tarOf } from './support/bundles.ts';
import { launch, type RunningApp } from './support/launch.ts';

let scratch: string;
let bundle: string;
let app: RunningApp;
beforeAll(() => {
  scratch = scratchFolder();
  bundle = largeBundle(scratch, 240);
  cpSync(EXAMPLE, join(bundle, 'cluster'), { recursive: true });
});
afterEach(() => app.close());
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const open = async (path: string): Promise<ImportPage> => {
  const cases = new CasesPage(app.page, app.electron);
  await cases.answerDialog([path]);
  await cases.openByKey();
  const page = new ImportPage(app.page);
  await page.shown();
  return page;
};
const started = (page: ImportPage): Promise<unknown> =>
  expect.poll(() => page.percent(), { timeout: 30_000 }).toBeGreaterThan(10);

describe('an import under way', () => {
  it('says who is suspected so far, stands still, goes on, and is kept as partial', { timeout: 120_000 }, async () => {
    app = await launch({ width: 1440, height: 900, theme: 'dark' });
    const page = await open(bundle);
    await app.page.locator('.import-so-far').waitFor({ timeout: 30_000 });
    expect(await page.soFar()).toMatch(/So far[\s\S]*based on \d+ of 16 files(?: and the ends of \d+ logs)? so far/);
    expect(await page.soFar()).not.toMatch(/Established/);
    await page.press('Pause');
    await page.hasButton('Resume');
    const at = await page.percent();
    await app.page.waitForTimeout(700);
    expect(await page.percent()).toBe(at);
    await page.press('Resume');
    await page.hasButton('Pause');
    await page.press('Cancel');
    await page.press('Keep as partial');
    await new OverviewPage(app.page).shown();
    expect(await app.page.locator('.banner').innerText()).toMatch(
      /Based on part of the bundle: \d+ of 16 files were read/,
    );
    expect(await app.page.locator('.status-bar').innerText()).toMatch(/Partial: \d+ of 16 files/);
    expect(await new OverviewPage(app.page).status()).not.toBe('Established');
    await app.page.keyboard.press('Control+Shift+O');
    expect((await new CasesPage(app.page, app.electron).rows()).join('\n')).toMatch(/partial/);
    expect(app.errors).toEqual([]);
  });

  it('goes on by itself when the engine process dies', { timeout: 120_000 }, async () => {
    app = await launch();
    const page = await open(bundle);
    await started(page);
    const pid = await app.electron.evaluate(
      ({ app: electron }) => electron.getAppMetrics().find((one) => one.name === 'Firstfault engine')?.pid ?? 0,
    );
    expect(pid).toBeGreaterThan(0);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => app.page.locator('.banner').innerText()).toMatch(/goes on where it stopped/);
    await app.page.waitForSelector('.overview', { timeout: 90_000 });
    const folder = join(app.home, 'cases');
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('paused before the window is closed, is offered at the next start', { timeout: 120_000 }, async () => {
    const home = mkdtempSync(join(tmpdir(), 'firstfault-home-'));
    try {
      app = await launch({ home });
      const page = await open(bundle);
      await started(page);
      await page.press('Pause');
      await page.hasButton('Resume');
      await app.close();
      app = await launch({ home, width: 1024, height: 640, theme: 'light' });
      const row = app.page.locator('.unfinished-row');
      await row.waitFor();
      expect(await row.innerText()).toMatch(/Paused on .* of 16 files; finished files are not read again/);
      await app.page.getByRole('button', { name: 'Resume import' }).click();
      await new ImportPage(app.page).shown();
      await app.page.waitForSelector('.overview', { timeout: 90_000 });
      expect(existsSync(join(home, 'cases'))).toBe(true);
      await app.page.keyboard.press('Control+Shift+O');
      await app.page.waitForSelector('.case-row');
      expect(await app.page.locator('.unfinished-row').count()).toBe(0);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

describe('questions of an import', () => {
  it('says that a bundle is a case already, and opens it or imports it again', async () => {
    app = await launch();
    const archive = tarOf(EXAMPLE, scratch, 'again.tar.gz');
    await open(archive);
    await new OverviewPage(app.page).shown();
    await app.page.keyboard.press('Control+Shift+O');
    await open(archive);
    await app.page.getByText(/This bundle is a case already: again/).waitFor();
    await new ImportPage(app.page).press('Open the case');
    await new OverviewPage(app.page).shown();
    await app.page.keyboard.press('Control+Shift+O');
    expect(await new CasesPage(app.page, app.electron).rows()).toHaveLength(1);
    await open(archive);
    await new ImportPage(app.page).press('Import again');
    await new OverviewPage(app.page).shown();
    await app.page.keyboard.press('Control+Shift+O');
    await expect.poll(() => app.page.locator('.case-row').count()).toBe(2);
  });

  it('asks for the password of a zip until it fits, and keeps it nowhere', async () => {
    app = await launch({ width: 1440, height: 900, theme: 'light' });
    const page = await open(join(import.meta.dirname, '..', 'fixtures', 'compressed', 'secret.aes256.zip'));
    const field = app.page.getByLabel('Password of the zip');
    await field.fill('falsch');
    await page.press('Open with password');
    await app.page.getByText('This password does not open the zip').waitFor();
    await field.fill('geheim');
    await app.page.keyboard.press('Enter');
    await new OverviewPage(app.page).shown();
    const kept = readdirSync(app.home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    for (const one of kept) {
      if (!one.parentPath.includes('cases')) continue;
      expect(readFileSync(join(one.parentPath, one.name)).includes('geheim'), one.name).toBe(false);
    }
  });
});
