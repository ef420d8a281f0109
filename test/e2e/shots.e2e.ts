import { afterEach, describe, expect, it } from 'vitest';
import { CasesPage } from './pages/cases-page.ts';
import { EvidencePage } from './pages/evidence-page.ts';
import { ImportPage } from './pages/import-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { importScenario, listScenario } from './support/incidents.ts';
import { type LaunchOptions, type RunningApp, resize, setTheme } from './support/launch.ts';
import { launchScenario } from './support/scenario.ts';
import { compareShot } from './support/shots.ts';

let app: RunningApp;
afterEach(() => app.close());

const LARGE: LaunchOptions = { width: 1440, height: 900 };
const expectShot = async (name: string): Promise<void> => {
  const { difference, tolerance } = await compareShot(app, name);
  expect(difference, name).toBeLessThan(tolerance);
};
const openCase = async (name: string): Promise<void> => {
  await app.page.keyboard.press('Control+Shift+O');
  await new CasesPage(app.page, app.electron).open(name);
  await new OverviewPage(app.page).shown();
};

describe('pictures', () => {
  it('first run and import', async () => {
    app = await launchScenario(importScenario(), { ...LARGE, theme: 'dark' });
    await new CasesPage(app.page, app.electron).isFirstRun();
    await expectShot('first-run-dark');
    await new CasesPage(app.page, app.electron).openExample();
    await expect.poll(() => new ImportPage(app.page).percent()).toBe(53);
    // The rate depends on the clock of the machine.
    await app.page
      .locator('.import-numbers span')
      .nth(2)
      .evaluate((element) => element.remove());
    await expectShot('import-dark');
  });

  it('case list and overview, dark and light, large and small', async () => {
    app = await launchScenario(listScenario(), { ...LARGE, theme: 'dark' });
    await new CasesPage(app.page, app.electron).rows();
    await expectShot('cases-dark');
    await openCase('vit-large hang');
    await expectShot('overview-dark');
    await resize(app.electron, app.page, 1024, 640);
    await expectShot('overview-dark-1024x640');
    await setTheme(app.page, 'light');
    await expectShot('overview-light-1024x640');
    await resize(app.electron, app.page, 1440, 900);
    await expectShot('overview-light');
    await setTheme(app.page, 'high-contrast');
    await expectShot('overview-high-contrast');
  });

  it('the other outcomes', async () => {
    app = await launchScenario(listScenario(), { ...LARGE, theme: 'dark' });
    await openCase('unet-3d upload');
    await expectShot('cannot-tell-dark');
    await openCase('resnet50 nightly');
    await expectShot('no-failure-dark');
    await openCase('llama-70b-ft no progress');
    await expectShot('many-ranks-dark');
  });

  it('evidence: a line, a record, a refused dump', async () => {
    app = await launchScenario(listScenario(), { ...LARGE, theme: 'dark' });
    await openCase('vit-large hang');
    await new OverviewPage(app.page).openBytes('Because', 3);
    await new EvidencePage(app.page).selectedLine();
    await expectShot('evidence-line-dark');
    await new EvidencePage(app.page).openFile('flight-recorder/nccl_trace_rank_15.bak');
    await expect.poll(() => new EvidencePage(app.page).content()).toMatch(/00000090/);
    await resize(app.electron, app.page, 1024, 640);
    await setTheme(app.page, 'light');
    await expectShot('evidence-refused-light-1024x640');
  });

  it('the shell: filters, inspector, palette, help', async () => {
    app = await launchScenario(listScenario(), { ...LARGE, theme: 'dark' });
    const press = (keys: string) => app.page.keyboard.press(keys);
    await openCase('vit-large, clocks aligned');
    await app.page.locator('.context-add').click();
    await app.page.getByLabel('Ranks, or a node, Pod or group').fill('3, 8-11');
    await press('Enter');
    await app.page.locator('.context-chip').first().waitFor();
    await press('Control+G');
    await app.page.getByRole('combobox', { name: 'Go to' }).fill('rank 11');
    await press('Enter');
    await press('Control+1');
    await new OverviewPage(app.page).shown();
    await app.page.waitForSelector('.inspector');
    await press('Control+E');
    await app.page.getByRole('dialog').getByRole('textbox').fill('Same node as on 12 March.');
    await press('Control+Enter');
    await app.page.waitForSelector('.inspector-note');
    await expectShot('inspector-dark');
    await resize(app.electron, app.page, 1024, 640);
    await setTheme(app.page, 'light');
    await expectShot('inspector-light-1024x640');
    await press('Control+K');
    await app.page.getByRole('combobox').fill('rank 11');
    await expectShot('palette-light-1024x640');
    await press('Escape');
    await app.page.waitForSelector('[role="dialog"]', { state: 'detached' });
    await setTheme(app.page, 'dark');
    await resize(app.electron, app.page, 1440, 900);
    await press('F1');
    await app.page.getByRole('textbox', { name: 'Search the help' }).fill('gpu');
    await expectShot('help-dark');
  });
});
