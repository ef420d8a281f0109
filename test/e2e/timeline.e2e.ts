import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildIncident } from '../support/incidents/index.ts';
import { saveAsFolder } from '../support/incidents/save.ts';
import { TWO_NODE_STALL } from '../support/two-node-stall.ts';
import { EvidencePage } from './pages/evidence-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { ReportPage } from './pages/report-page.ts';
import { TimelinePage } from './pages/timeline-page.ts';
import { scratchFolder } from './support/bundles.ts';
import { launchCase } from './support/cases.ts';
import { type LaunchOptions, launch, type RunningApp, resize, setTheme } from './support/launch.ts';
import { saveMeasuredBundle } from './support/measured-bundle.ts';
import { compareShot } from './support/shots.ts';

let scratch: string;
let stalled: string;
let measured: string;
let app: RunningApp;
let timeline: TimelinePage;

/** The dump of rank 6 is missing, that of rank 13 is empty. */
async function makeStall(): Promise<string> {
  const incident = buildIncident({ ...TWO_NODE_STALL, missing: { dumpsOfRanks: [6, 13] } });
  const folder = join(scratch, 'stall');
  await saveAsFolder(incident, folder);
  const dumps = [...incident.files.keys()].filter((path) => /_rank_12$/.test(path));
  for (const path of dumps) writeFileSync(join(folder, path.replace(/12$/, '13')), '');
  return folder;
}

beforeAll(async () => {
  scratch = scratchFolder();
  stalled = await makeStall();
  measured = join(scratch, 'measured');
  await saveMeasuredBundle(measured);
});
afterEach(() => app.close());
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function openTimeline(bundle: string, options: LaunchOptions = {}): Promise<void> {
  app = await launchCase(bundle, options);
  timeline = new TimelinePage(app.page);
  await timeline.open();
}

describe('the timeline', () => {
  it('draws the first rank red, the waiting, what is missing, and says so in the legend', async () => {
    await openTimeline(stalled);
    expect(await timeline.tier()).toBe('full');
    expect(await timeline.colourShare('--role-first')).toBeGreaterThan(0.001);
    expect(await timeline.colourShare('--coll-running')).toBeGreaterThan(0.001);
    expect(await timeline.colourShare('--coll-missing')).toBeGreaterThan(0.0005);
    const legend = await timeline.legend();
    for (const word of ['completed', 'waits', 'first rank', 'no file', 'no records']) expect(legend).toContain(word);
    expect(legend).not.toContain('overwritten');
    expect(app.errors).toEqual([]);
  });

  it('draws what ranks print and their recorders tell, with the first rank apart and values under the cursor', async () => {
    await openTimeline(measured);
    const { page } = app;
    const panel = page.getByRole('region', { name: 'Metrics' });
    await expect.poll(() => panel.locator('.metric-title').allInnerTexts()).toEqual(['Step time', 'Loss', 'tps']);
    expect(await panel.locator('.metrics-legend').innerText()).toMatch(/min–max band\s+rank 11/);
    const steps = page.getByRole('slider', { name: 'Step time over time' });
    expect(await steps.getAttribute('aria-valuetext')).toMatch(/median (?:19\d|2\d\d) ms, 16 ranks, from .* to /);
    // Each key a column: the values are spoken and stand beside the name.
    await steps.focus();
    for (let i = 0; i < 2; i++) await page.keyboard.press('PageDown');
    const reading = page.locator('[data-metric="step-time"] .metric-reading');
    await expect.poll(() => reading.innerText()).toMatch(/^\d+ (?:\(\d+–\d+ ms\)|ms)|ms/);
    expect(await steps.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d:\d\d\.\d+: .*rank 11 /);
    await expect.poll(() => page.locator('[data-metric="step-time"] .metric-own').innerText()).toMatch(/^rank 11\s+\d/);
    await timeline.focus();
    await expect.poll(() => reading.innerText()).toBe('by progress lines');
    expect(app.errors).toEqual([]);
  });

  it('remembers which strips are shown, and shows them as a table', async () => {
    const home = join(scratch, 'home-strips');
    mkdirSync(home, { recursive: true });
    await openTimeline(measured, { home });
    const { page } = app;
    const menu = page.locator('.metrics-menu');
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemcheckbox', { name: /^Memory/ }).click();
    await page.getByRole('menuitemcheckbox', { name: /^Log lines/ }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.metric-title').allInnerTexts()).toContain('Memory');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Show the curves as a table' }).click();
    const grid = page.getByRole('grid', { name: 'Metrics' });
    await grid.waitFor();
    const head = await grid.getByRole('columnheader').allInnerTexts();
    expect(head).toEqual(
      expect.arrayContaining(['Time', 'Step time', 'Step time, rank 11', 'Memory', 'Memory, rank 11']),
    );
    expect(await grid.innerText()).toMatch(/38\.\d+\sGiB \(3[78]\.\d+–\d\d\.?\d*\sGiB\)/);
    await page.keyboard.press('Escape');
    await grid.waitFor({ state: 'detached' });
    await app.close();
    app = await launch({ home });
    await app.page.locator('.case-open').first().click();
    await new OverviewPage(app.page).shown();
    timeline = new TimelinePage(app.page);
    await timeline.open();
    await expect.poll(() => app.page.locator('.metric-title').allInnerTexts()).toContain('Memory');
    expect(await app.page.getByText('Log lines', { exact: true }).count()).toBe(0);
    expect(app.errors).toEqual([]);
  });

  it('has keys that can be changed, not to one that does something else there, and names them as they are', async () => {
    await openTimeline(stalled);
    const { page } = app;
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.keyboard.press('Shift+?');
    await dialog.getByRole('button', { name: 'Change the key of Show as a table, V' }).click();
    await page.keyboard.press('s');
    await dialog.getByText('S is: Zoom out').waitFor();
    await page.keyboard.press('q');
    await dialog.getByRole('button', { name: 'Change the key of Show as a table, Q' }).waitFor();
    await page.keyboard.press('Escape');
    await timeline.focus();
    await timeline.press('v');
    await page.waitForTimeout(200);
    expect(await timeline.tableRows()).toEqual([]);
    await timeline.press('q');
    await page.getByRole('button', { name: /^Show the drawing/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Show the drawing/ }).innerText()).toMatch(/Q$/);
    await page.getByRole('grid', { name: 'Lanes' }).focus();
    await timeline.press('q');
    await expect.poll(() => timeline.tableRows()).toEqual([]);
    await page.keyboard.press('F1');
    await page.getByRole('dialog').getByRole('button', { name: 'Keyboard' }).first().click();
    await expect.poll(() => page.getByRole('dialog').innerText()).toMatch(/Q[\s:]+Timeline: Show as a table/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+?');
    await dialog.getByRole('button', { name: 'All keys as delivered' }).click();
    await dialog.getByRole('button', { name: 'Change the key of Show as a table, V' }).waitFor();
    expect(app.errors).toEqual([]);
  });

  it('keeps marks as notes: set, named, moved, found and taken away by key', async () => {
    await openTimeline(stalled);
    const { page } = app;
    const bar = page.getByRole('toolbar', { name: 'Mark' });
    await timeline.focus();
    await timeline.press('m');
    await expect.poll(() => bar.innerText()).toMatch(/corrected\s+no words yet/);
    const first = await bar.innerText();
    await timeline.press('F2');
    await page.getByRole('textbox', { name: 'Note' }).fill('step time doubles here');
    await timeline.press('Control+Enter');
    await expect.poll(() => bar.innerText()).toContain('step time doubles here');
    await timeline.focus();
    await timeline.press('Control+ArrowRight');
    await expect.poll(async () => (await bar.innerText()).slice(0, 12)).not.toBe(first.slice(0, 12));
    await timeline.press('Control+z');
    await expect.poll(async () => (await bar.innerText()).slice(0, 12)).toBe(first.slice(0, 12));
    await timeline.press('Escape');
    await expect.poll(() => bar.count()).toBe(0);
    await timeline.press('n');
    await expect.poll(() => bar.innerText()).toContain('step time doubles here');
    await page.keyboard.press('Control+1');
    await expect
      .poll(() => page.getByRole('region', { name: 'Notes' }).innerText())
      .toMatch(/step time doubles here\s+\d\d:\d\d:\d\d\.\d+, corrected/);
    const report = new ReportPage(page);
    await report.open();
    await report.bring('Starred');
    await expect.poll(() => report.paper()).toMatch(/Mark at .* UTC, corrected[\s\S]*step time doubles here/);
    await timeline.open();
    await timeline.focus();
    await timeline.press('n', 'Delete');
    await expect.poll(() => bar.count()).toBe(0);
    await timeline.press('n');
    await expect.poll(() => bar.count()).toBe(0);
    expect(app.errors).toEqual([]);
  });

  it('is walked by keyboard: lanes, records, what is related, then the record itself', async () => {
    await openTimeline(stalled);
    await timeline.focus();
    await timeline.press('End');
    expect(await timeline.speaks(/^rank 15/)).toContain('waits');
    await timeline.press('Home', 'ArrowDown', 'ArrowDown');
    await timeline.speaks(/^rank 0/);
    await timeline.press('.');
    expect(await timeline.speaks(/rank 0, .*#/)).toMatch(/plus or minus|reference|raw/);
    // The middle of the case lies behind the last record, so that the first step led to it.
    const first = await timeline.speech();
    await timeline.press(',');
    await app.page.waitForFunction(
      (old) => document.querySelector('[data-testid="timeline-speech"]')?.textContent !== old,
      first,
    );
    await timeline.press(']');
    await timeline.speaks(/^rank 1,/);
    await timeline.press('Enter');
    await expect.poll(() => new EvidencePage(app.page).place()).toMatch(/record/);
  });

  it('zooms, pans and comes back to the whole case', async () => {
    await openTimeline(stalled);
    await timeline.focus();
    const label = () => app.page.locator('.timeline-strip[data-kind="whole"]').innerText();
    await label();
    await timeline.press('w', 'w', 'w', 'd');
    await timeline.shown();
    await timeline.press('r');
    await app.page.waitForFunction(() => document.querySelector('.context-bar')?.textContent?.includes('–') === true);
    await timeline.press('0');
    await timeline.shown();
    expect(await timeline.colourShare('--role-first')).toBeGreaterThan(0.0005);
  });

  it('keeps an area over some lanes as a filter of time and ranks', async () => {
    await openTimeline(stalled);
    await timeline.focus();
    await timeline.drag({ x: 400, y: 80 }, { x: 700, y: 200 });
    await timeline.press('r');
    await app.page.locator('.context-chip').first().waitFor();
    await app.page.keyboard.press('Control+5');
    await app.page.getByText(/^\d of 16 ranks,/).waitFor();
    expect(app.errors).toEqual([]);
  });

  it('shows the same lanes as a table and back', async () => {
    await openTimeline(stalled);
    await timeline.focus();
    await timeline.press('v');
    await app.page.waitForSelector('.lane-table [role="row"][aria-rowindex="2"]');
    const rows = await timeline.tableRows();
    expect(rows.find((row) => row.startsWith('rank 11'))).toMatch(/first/);
    expect(rows.find((row) => row.startsWith('rank 6'))).toMatch(/no recorder file of rank 6/);
    expect(rows.find((row) => row.startsWith('rank 13'))).toMatch(/0 bytes/);
    await timeline.press('v');
    await timeline.shown();
  });

  it('pins, hides and says when a filter leaves nothing', async () => {
    await openTimeline(stalled);
    await timeline.focus();
    await timeline.press('End', 'p', 'h');
    await app.page.getByRole('button', { name: /15 of 16/ }).waitFor();
    await timeline.press('Shift+H');
    await app.page.getByRole('button', { name: /16 lanes/ }).waitFor();
  });

  it('opens at the moment from the overview', async () => {
    await openTimeline(stalled, { width: 1024, height: 640, theme: 'light' });
    await app.page.keyboard.press('Control+1');
    await app.page.getByRole('button', { name: /Open (at the moment|on the timeline)/ }).click();
    await timeline.shown();
    expect(await timeline.speaks(/^rank 11/)).toContain('first');
  });

  it('looks as it was reviewed', async () => {
    await openTimeline(stalled, { theme: 'dark' });
    for (const [name, theme, width, height] of [
      ['timeline-dark', 'dark', 1440, 900],
      ['timeline-light-1024x640', 'light', 1024, 640],
    ] as const) {
      await setTheme(app.page, theme);
      await resize(app.electron, app.page, width, height);
      await timeline.shown();
      const { difference, tolerance } = await compareShot(app, name);
      expect(difference, name).toBeLessThan(tolerance);
    }
  });

  it('says that nothing has a time where nothing has', async () => {
    const folder = join(scratch, 'untimed');
    mkdirSync(folder);
    writeFileSync(join(folder, 'train.log'), '[rank0]: ValueError: bad record\n'.repeat(3));
    app = await launchCase(folder);
    await app.page.keyboard.press('Control+2');
    await app.page.getByText('0 records with a time').waitFor();
  });
});
