import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { CasesPage } from './pages/cases-page.ts';
import { EvidencePage } from './pages/evidence-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { HOSTILE_LINE, hostileBundle, scratchFolder } from './support/bundles.ts';
import { hostileJob } from './support/hostile-bundle.ts';
import { hostileScenario } from './support/incidents.ts';
import { launch, type RunningApp } from './support/launch.ts';
import { launchScenario } from './support/scenario.ts';

let app: RunningApp;
afterEach(() => app.close());

/** Nothing of the bundle became an element, ran, or hides in the text. */
async function expectInert(): Promise<void> {
  const found = await app.page.evaluate(() => ({
    hacked: 'hacked' in window,
    elements: document.querySelectorAll('img, iframe, object, embed, a[href], script:not([type="module"]), [onerror]')
      .length,
    hidden: /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText),
    spoken: [...document.querySelectorAll('[title], [aria-label], [placeholder], [alt]')]
      .flatMap((element) =>
        ['title', 'aria-label', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      )
      .filter((text) => /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u202a-\u202e\u2066-\u2069]/.test(text)),
    polluted: 'x' in {} || Object.keys(Object.prototype).length > 0,
  }));
  expect(found).toEqual({ hacked: false, elements: 0, hidden: false, spoken: [], polluted: false });
  expect(app.errors).toEqual([]);
}

/** Bars keep their place and nothing makes the page wider or higher than the window, whatever a name holds. */
async function expectLayout(): Promise<void> {
  const found = await app.page.evaluate(() => {
    const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    const tooWide = [
      ...document.querySelectorAll<HTMLElement>('.case-shell-body, .inspector, .context-bar, .title-bar'),
    ];
    return {
      page: [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight],
      title: box('.title-bar')?.height ?? 0,
      context: box('.context-bar')?.height ?? 0,
      status: box('.status-bar')?.height ?? 0,
      outside: tooWide.filter((part) => part.getBoundingClientRect().right > innerWidth + 1).length,
    };
  });
  expect(found.page).toEqual([0, 0]);
  expect(found.outside).toBe(0);
  expect(found.title).toBeLessThan(60);
  expect(found.context).toBeLessThan(60);
  expect(found.status).toBeLessThan(40);
}

const SCREENS = [
  ['Overview', '.verdict-statement'],
  ['Timeline', '.timeline-stage[data-loading="false"]'],
  ['Calls, Collectives', '.sets-row .call-cell'],
  ['Logs', '.log-row'],
  ['Ranks', '.ranks canvas, .ranks-map'],
  ['Clocks', '.clocks-main'],
  ['Evidence', '.file-row'],
  ['Report', '.report .paper'],
] as const;

describe('a hostile bundle', () => {
  it('is inert on every screen, in tables, details and the inspector', async () => {
    const scratch = scratchFolder();
    app = await launch({ args: [`--open=${hostileJob(scratch)}`], width: 1024, height: 640 });
    const { page } = app;
    await new OverviewPage(page).shown();
    for (const [index, [name, ready]] of SCREENS.entries()) {
      await page.keyboard.press(`Control+${index + 1}`);
      await page
        .locator('.rail-item[aria-current="page"]')
        .and(page.getByLabel(name, { exact: true }))
        .waitFor();
      await page.waitForSelector(ready);
      await page.waitForTimeout(200);
      expect({ name, words: (await page.locator('.case-shell-body').innerText()).length > 40 }).toEqual({
        name,
        words: true,
      });
      await expectInert();
      await expectLayout();
    }
    await page.keyboard.press('Control+2');
    await page.locator('.timeline-stage').focus();
    await page.keyboard.press('v');
    await page.waitForSelector('.lane-table [role="row"]');
    await expectInert();
    await page.keyboard.press('v');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('.');
    await page.keyboard.press('i');
    await page.waitForSelector('.inspector');
    await expectInert();
    await expectLayout();
    await page.keyboard.press('Control+3');
    await page.locator('.sets-row .call-cell').last().click();
    await page.waitForSelector('.call-detail');
    await expectInert();
    await expectLayout();
    await page.keyboard.press('Control+4');
    await page.getByText('all text searched').waitFor();
    await page.getByLabel('Search logs').fill('yyyyyyyy');
    await page.locator('.log-hit').first().waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('.');
    await page.keyboard.press('c');
    await page.waitForSelector('.log-detail-bar');
    await expectInert();
    await expectLayout();
    rmSync(scratch, { recursive: true, force: true });
  });

  it('is inert beside another case', async () => {
    const scratch = scratchFolder();
    const home = scratchFolder();
    app = await launch({ home, args: [`--open=${hostileBundle(scratch)}`] });
    await new OverviewPage(app.page).shown();
    await app.close();
    app = await launch({ home, args: [`--open=${hostileJob(scratch)}`], width: 1024, height: 640 });
    await new OverviewPage(app.page).shown();
    await app.page.keyboard.press('Control+K');
    await app.page.getByRole('combobox').fill('compare with another');
    await app.page.keyboard.press('Enter');
    await app.page.locator('.compare-case').first().click();
    await app.page.waitForSelector('.compare-row[data-key="cause"]');
    await expectInert();
    await expectLayout();
    for (const folder of [scratch, home]) rmSync(folder, { recursive: true, force: true });
  });

  it('is shown as it is and does nothing, from the real engine', async () => {
    const scratch = scratchFolder();
    app = await launch({ args: [`--open=${hostileBundle(scratch)}`] });
    const overview = new OverviewPage(app.page);
    await overview.shown();
    await expectInert();
    expect(await overview.statement()).toContain('<script>');

    await app.page.keyboard.press('Control+7');
    const evidence = new EvidencePage(app.page);
    await evidence.shown();
    expect(await evidence.paths()).toContain('logs/__proto__');
    await evidence.openFile('logs/pod-0.log');
    await evidence.goTo('2');
    expect((await evidence.selectedLine()).text).toContain(HOSTILE_LINE);
    await evidence.goTo('3');
    expect((await evidence.selectedLine()).text).toContain('\\u202egnp.exe\\u202c \\x1b[31mred');
    await expectInert();

    await evidence.goTo('4');
    expect((await evidence.selectedLine()).text.length).toBeLessThan(1100);
    expect(await app.page.locator('.raw-piece-bar').innerText()).toMatch(/characters 1–2\u2009048 of 8\u2009192/);
    await app.page.getByRole('button', { name: 'Open the whole line as bytes' }).click();
    await expect.poll(() => evidence.mode()).toBe('Hex');
    await expect.poll(() => evidence.content()).toMatch(/(?:78\s+){8}/);
    await expectInert();
    rmSync(scratch, { recursive: true, force: true });
  });

  it('is inert while it is imported, and in the reason why that failed', async () => {
    app = await launchScenario({ ...hostileScenario(), cases: [] }, { width: 1024, height: 640 });
    await app.page.getByRole('button', { name: 'Open the example case' }).click();
    await app.page.waitForSelector('.import-file');
    expect(await app.page.locator('.import-file').first().innerText()).toContain('<img src=x');
    await expectInert();
    await expectLayout();
    await app.page.getByRole('alert').waitFor();
    expect(await app.page.getByRole('alert').innerText()).toContain('<img src=x');
    await expectInert();
    await expectLayout();
  });

  it('is inert in notes, where they are shown again, and in Go to', async () => {
    const scratch = scratchFolder();
    app = await launch({ args: [`--open=${hostileJob(scratch)}`], width: 1024, height: 640 });
    const { page } = app;
    await new OverviewPage(page).shown();
    await page.keyboard.press('Control+E');
    await page.getByRole('dialog').getByRole('textbox').fill(`${HOSTILE_LINE} \u202e\u0007 __proto__ {{7*7}}`);
    await expectInert();
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('[role="dialog"]', { state: 'detached' });
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox').fill('<img');
    await page.waitForSelector('.palette-list');
    await expectInert();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+G');
    await page.getByRole('combobox', { name: 'Go to' }).fill(`${HOSTILE_LINE}:1`);
    await expectInert();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.case-shell-main').innerText()).toContain('{{7*7}}');
    await page.keyboard.press('Control+8');
    await page.waitForSelector('.paper-pages[data-complete="true"]');
    await expectInert();
    await expectLayout();
    rmSync(scratch, { recursive: true, force: true });
  });

  it('stays inert in every text of a report', async () => {
    app = await launchScenario(hostileScenario());
    const cases = new CasesPage(app.page, app.electron);
    expect((await cases.rows())[0]).toContain('<img src=x');
    await expectInert();
    await cases.open(/case/);
    await new OverviewPage(app.page).shown();
    await app.page.locator('.finding-row').click();
    await expectInert();
    await app.page.getByRole('button', { name: 'Ask for these…' }).first().click();
    await expectInert();
    await app.page.keyboard.press('Escape');
    await app.page.keyboard.press('Control+K');
    await app.page.keyboard.type('img');
    await expect.poll(() => app.page.locator('.palette-item').count()).toBeGreaterThan(0);
    await expectInert();
  });
});
