import { afterEach, describe, expect, it } from 'vitest';
import { CasesPage } from './pages/cases-page.ts';
import { EvidencePage } from './pages/evidence-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { listScenario, vitScenario } from './support/incidents.ts';
import type { RunningApp } from './support/launch.ts';
import { noRankReport } from './support/outcome-reports.ts';
import { launchScenario, summaryOf } from './support/scenario.ts';

let app: RunningApp;
afterEach(() => app.close());

const openCase = async (name: string): Promise<OverviewPage> => {
  await new CasesPage(app.page, app.electron).open(name);
  const overview = new OverviewPage(app.page);
  await overview.shown();
  return overview;
};
const openList = async (): Promise<void> => {
  app = await launchScenario(listScenario());
};

describe('outcomes in the overview', () => {
  it('shows what would decide it first where nothing can be told, without red', async () => {
    await openList();
    const overview = await openCase('unet-3d upload');
    expect(await overview.chip()).toBeNull();
    expect(await overview.status()).toBe('Not determinable');
    const order = await app.page.locator('.overview-scroll').innerText();
    expect(order.indexOf('What would decide it')).toBeLessThan(order.indexOf('What the bundle does show'));
    expect(order.indexOf('What the bundle does show')).toBeLessThan(order.indexOf('Leads, none of them a verdict'));
    expect(await app.page.getByRole('button', { name: 'Ask for these…' }).getAttribute('data-kind')).toBe('primary');
    expect(await app.page.locator('[data-state="first"], [data-look="first"]').count()).toBe(0);
  });

  it('says that the job ended well, with what was checked, without a primary button', async () => {
    await openList();
    const overview = await openCase('resnet50 nightly');
    expect(await overview.status()).toBe('No failure');
    expect(await overview.section('Checked')).toMatch(/Every container ended with exit code 0/);
    expect(await app.page.locator('.overview [data-kind="primary"]').count()).toBe(0);
    expect(await overview.section('Gaps')).toMatch(/Everything a complete bundle holds is here/);
  });

  it('names a group in one chip and its members in the map', async () => {
    await openList();
    const overview = await openCase('bert-small eviction');
    expect(await overview.chip()).toBe('Ranks 4–7');
    expect(await app.page.locator('.map-cell[data-state="first"]').count()).toBe(4);
    expect(await overview.section('Leads')).toMatch(/rank 5 \?/);
  });

  it('starts with the cause where it lies outside the ranks', async () => {
    await openList();
    const overview = await openCase('preempted-run');
    expect(await overview.chip()).toBeNull();
    expect(await overview.statement()).toMatch(/^A SIGTERM from outside/);
  });

  it('says that a case rests on part of its bundle', async () => {
    await openList();
    await openCase('llama-70b-ft no progress');
    expect(await app.page.locator('.banner').innerText()).toMatch(/640 of 812 files were read/);
  });

  it('folds 4 096 ranks into sets and scrolls through all of them', async () => {
    await openList();
    await openCase('llama-4k stall');
    await app.page.getByRole('radio', { name: 'Ranks', exact: true }).click();
    expect(await app.page.getByRole('grid', { name: 'Ranks' }).getAttribute('aria-rowcount')).toBe('4097');
    await app.page.locator('.overview-scroll').evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect.poll(() => app.page.locator('.rank-row').last().getAttribute('aria-rowindex')).toBe('4097');
    expect(await app.page.locator('.rank-row').count()).toBeLessThan(120);
  });

  it('never shows a raw time without its clock', async () => {
    await openList();
    const overview = await openCase('vit-large hang');
    for (const text of await app.page.locator('.evidence-time').allInnerTexts()) {
      if (text.trim() !== '') expect(text.replaceAll('\n', ' ')).toMatch(/^\d\d:\d\d:\d\d\.\d{3}\s+raw,\s*\S+/);
    }
    expect(await overview.section('Clocks')).toMatch(/not compared between them/);
    expect(await app.page.locator('.context-part[data-basis="raw"]').innerText()).toBe('Raw clocks');
  });
});

describe('states of a view', () => {
  it('waits in words, then shows the case', async () => {
    app = await launchScenario({ ...vitScenario(), delayMs: { 'case.open': 1600 } });
    await new CasesPage(app.page, app.electron).open('vit-large hang');
    await app.page.waitForSelector('.skeleton-words');
    expect(await app.page.locator('.skeleton-words').innerText()).toBe('Opening the case');
    await new OverviewPage(app.page).shown();
  });

  it('waits in words on each screen, says what cannot be read, and leaves the others usable', async () => {
    const screens = [
      ['Control+2', 'timeline.index', 'Reading the lanes', 'The lanes of this case cannot be read'],
      ['Control+3', 'collectives.job', 'Folding ranks into sets', 'The calls cannot be read'],
      ['Control+4', 'logs.open', 'Opening the logs', 'The logs cannot be read'],
      ['Control+5', 'ranks.index', 'Placing the ranks', 'The ranks of this case cannot be read'],
      ['Control+6', 'clocks.view', 'Reading what is known of the clocks', 'The clocks cannot be read'],
      ['Control+8', 'export.preview', 'Preparing the report', 'The report cannot be prepared'],
    ] as const;
    const delayMs = Object.fromEntries(screens.map(([, method]) => [method, 1300]));
    app = await launchScenario({ ...vitScenario(), delayMs });
    await new CasesPage(app.page, app.electron).open('vit-large hang');
    await new OverviewPage(app.page).shown();
    // The Overview asks for the lanes as well: their answer is waited for, then asked anew.
    await app.page.waitForTimeout(1500);
    for (const [keys, , waiting, failed] of screens) {
      await app.page.keyboard.press(keys);
      await app.page.getByRole('status', { name: waiting }).waitFor();
      const alert = app.page.locator('.case-shell-body').getByRole('alert');
      await alert.waitFor();
      expect(await alert.innerText()).toContain(failed);
      expect(await alert.getByRole('button', { name: 'Copy details' }).count()).toBe(1);
    }
    await app.page.keyboard.press('Control+1');
    await new OverviewPage(app.page).shown();
  });

  it('says why a case cannot be opened, and leads back', async () => {
    const scenario = vitScenario();
    app = await launchScenario({ ...scenario, reports: {} });
    await new CasesPage(app.page, app.electron).open('vit-large hang');
    expect(await app.page.getByRole('alert').innerText()).toMatch(
      /The case cannot be opened\s+The case is not in the case folder any more/,
    );
    await app.page.getByRole('button', { name: 'Show all cases' }).click();
    await new CasesPage(app.page, app.electron).rows();
  });

  it('says why the list cannot be read', async () => {
    app = await launchScenario({ ...vitScenario(), errors: { 'case.list': 'disk-full' } });
    expect(await app.page.getByRole('alert').innerText()).toMatch(/The case list cannot be read\s+The disk is full/);
  });

  it('names the filter that leaves nothing, and removes exactly that', async () => {
    await openList();
    await app.page.getByRole('textbox', { name: 'Find case' }).fill('zebra');
    expect(await app.page.locator('.empty').innerText()).toMatch(/0 of 8 cases match/);
    await app.page.getByRole('button', { name: 'Show all cases' }).click();
    expect(await new CasesPage(app.page, app.electron).rows()).toHaveLength(8);

    await openCase('vit-large hang');
    await app.page.getByRole('button', { name: '1 refused' }).click();
    const evidence = new EvidencePage(app.page);
    expect(await evidence.paths()).toEqual(['flight-recorder/nccl_trace_rank_15.bak']);
    await app.page.getByRole('textbox', { name: 'Find file' }).fill('zebra');
    expect(await app.page.locator('.empty').innerText()).toMatch(/The filter “zebra”, refused leaves nothing/);
    await app.page.getByRole('button', { name: 'Show all files' }).click();
    expect(await evidence.paths()).toHaveLength(12);
  });

  it('says that the engine stopped and was started again, and goes on', async () => {
    const scenario = vitScenario();
    const crash = summaryOf('crash', 'crash', noRankReport());
    app = await launchScenario({ ...scenario, cases: [...scenario.cases, crash] });
    const cases = new CasesPage(app.page, app.electron);
    await cases.open(/^crash$/);
    await expect.poll(() => app.page.locator('.banner').innerText()).toMatch(/stopped and was started again/);
    await app.page.keyboard.press('Control+Shift+O');
    await cases.open('vit-large hang');
    await new OverviewPage(app.page).shown();
    await app.page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await app.page.locator('.banner').count()).toBe(0);
  });

  it('deletes a case only after asking, with the safe choice in focus', async () => {
    await openList();
    await app.page.getByRole('button', { name: 'Actions for preempted-run' }).click();
    await app.page.getByRole('menuitem', { name: 'Delete case…' }).click();
    expect(await app.page.evaluate(() => document.activeElement?.textContent)).toBe('Keep');
    await app.page.getByRole('button', { name: 'Delete case' }).click();
    await expect.poll(() => app.page.locator('.case-row').count()).toBe(7);
  });
});

describe('the raw viewer', () => {
  it('opens evidence of a dump at its record, and steps through records', async () => {
    await openList();
    const overview = await openCase('vit-large hang');
    await overview.openBytes('Because', 1);
    const evidence = new EvidencePage(app.page);
    await expect.poll(() => evidence.place()).toBe('record 1\u2009999 of 2\u2009000');
    expect(await evidence.content()).toMatch(/train\.py:140 save_checkpoint/);
    await app.page.getByRole('button', { name: 'Previous record' }).click();
    await expect.poll(() => evidence.place()).toBe('record 1\u2009998 of 2\u2009000');
  });

  it('shows a refused dump as bytes only, with what was found', async () => {
    await openList();
    await openCase('vit-large hang');
    await app.page.keyboard.press('Control+7');
    const evidence = new EvidencePage(app.page);
    await evidence.shown();
    await evidence.openFile('flight-recorder/nccl_trace_rank_15.bak');
    await expect.poll(() => evidence.mode()).toBe('Hex');
    expect(await app.page.locator('.raw-status').innerText()).toMatch(
      /refused\s+asks to construct builtins\.eval, at byte 2\. Nothing ran\./,
    );
    expect(await app.page.getByRole('radio', { name: 'Records' }).getAttribute('aria-disabled')).toBe('true');
    await evidence.goTo('0x12');
    await expect.poll(() => evidence.place()).toBe('byte 18 of 160');
  });

  it('goes anywhere in a file that is longer than a browser can scroll', async () => {
    const lines = 40_000_000;
    const scenario = vitScenario();
    const entries = scenario.entries.map((entry) => (entry.id === 1 ? { ...entry, lines } : entry));
    app = await launchScenario({ ...scenario, entries, generatedLines: { 1: lines } });
    const overview = await openCase('vit-large hang');
    await overview.openBytes('Because', 3);
    const evidence = new EvidencePage(app.page);
    expect(await evidence.selectedLine()).toMatchObject({ number: 43_902, inSight: true });
    await evidence.goTo('39999998');
    expect(await evidence.selectedLine()).toMatchObject({ number: 39_999_998, inSight: true });
    await app.page.locator('.row-scroller').focus();
    for (let i = 0; i < 3; i++) await app.page.keyboard.press('ArrowDown');
    expect(await evidence.selectedLine()).toMatchObject({ number: 40_000_000, inSight: true });
    await app.page.mouse.move(700, 700);
    await app.page.mouse.wheel(0, -240);
    await expect
      .poll(() => app.page.locator('.raw-line-number').first().innerText().then(Number))
      .toBeLessThan(39_999_975);
    await expect
      .poll(() => app.page.locator('.raw-line-number').last().innerText().then(Number))
      .toBeGreaterThan(39_999_980);
  });

  it('says when the case does not keep the bytes', async () => {
    app = await launchScenario({ ...vitScenario(), notStored: [10] });
    await openCase('vit-large hang');
    await app.page.keyboard.press('Control+7');
    const evidence = new EvidencePage(app.page);
    await evidence.shown();
    await evidence.openFile('misc/core.21019');
    await expect.poll(() => evidence.content()).toMatch(/The case does not keep these bytes/);
  });
});
