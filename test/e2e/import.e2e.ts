import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CasesPage } from './pages/cases-page.ts';
import { ImportPage } from './pages/import-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { largeBundle, photos, scratchFolder } from './support/bundles.ts';
import { failedImportScenario, importScenario } from './support/incidents.ts';
import { launch, type RunningApp } from './support/launch.ts';
import { launchScenario } from './support/scenario.ts';

let scratch: string;
let app: RunningApp;
beforeAll(() => {
  scratch = scratchFolder();
});
afterEach(() => app.close());
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const open = async (path: string): Promise<ImportPage> => {
  const cases = new CasesPage(app.page, app.electron);
  await cases.isFirstRun();
  await cases.answerDialog([path]);
  await cases.openByKey();
  const page = new ImportPage(app.page);
  await page.shown();
  return page;
};

describe('import', () => {
  it('shows its progress by file and can be cancelled; nothing is left', async () => {
    app = await launch();
    const page = await open(largeBundle(scratch, 160));
    await expect.poll(() => page.percent(), { timeout: 20_000 }).toBeGreaterThan(3);
    expect((await page.files()).join('\n')).toMatch(/pod-\d\.log/);
    const start = performance.now();
    await page.cancel();
    expect(await page.failure()).toMatch(/The import was cancelled\s+Nothing of it was kept/);
    expect(performance.now() - start).toBeLessThan(2500);
    const folder = join(app.home, 'cases');
    await expect.poll(() => (existsSync(folder) ? readdirSync(folder) : [])).toEqual([]);
    await app.page.getByRole('button', { name: 'Show all cases' }).click();
    expect(await new CasesPage(app.page, app.electron).isFirstRun()).toBe(true);
    expect(app.errors).toEqual([]);
  });

  it('says why there is no case when nothing can be read', async () => {
    app = await launch();
    const page = await open(photos(scratch));
    expect(await page.failure()).toMatch(/Nothing in this bundle could be read/);
    expect(await page.failure()).toMatch(/Expected are Pod logs/);
    expect(await page.failure()).toMatch(/IMG_0001\.jpg: image, skipped/);
  });

  it('says that a bundle is not there', async () => {
    app = await launch();
    const page = await open(join(scratch, 'gone.tar.gz'));
    expect(await page.failure()).toMatch(/The bundle is not there/);
  });

  it('keeps what was reached when it stops', async () => {
    app = await launchScenario(failedImportScenario());
    await new CasesPage(app.page, app.electron).openExample();
    const page = new ImportPage(app.page);
    expect(await page.failure()).toMatch(/3 files, all of them pictures/);
    expect(await page.percent()).toBe(50);
    expect(await app.page.locator('.import-stage').allInnerTexts()).toEqual([
      'Inventory',
      expect.stringMatching(/^Files/),
      'Findings',
      'Case file',
    ]);
    expect(await app.page.locator('.import-stage[data-state="stopped"]').innerText()).toMatch(/^Files/);
  });

  it('stays in sight from other screens, and shows only what was not plainly read on demand', async () => {
    app = await launchScenario(importScenario());
    await new CasesPage(app.page, app.electron).openExample();
    const page = new ImportPage(app.page);
    await expect.poll(() => page.percent()).toBe(53);
    expect(await page.files()).toHaveLength(10);
    await app.page.getByRole('radio', { name: 'Not plainly read' }).click();
    expect(await page.files()).toHaveLength(5);
    await app.page.keyboard.press('Control+Shift+O');
    await app.page.getByRole('button', { name: /Importing 53 %/ }).click();
    await page.shown();
    expect(await page.title()).toBe('vit-large-ddp-20260218.tar.gz');
  });

  it('ends in the overview by itself', async () => {
    app = await launch();
    await new CasesPage(app.page, app.electron).openExample();
    await new OverviewPage(app.page).shown();
    await app.page.keyboard.press('Alt+ArrowLeft');
    expect(await app.page.locator('.import').count()).toBe(0);
  });
});
