/** The first minute of a new user, by keyboard alone: from the example of 64 ranks to a report. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CollectivesPage } from './pages/collectives-page.ts';
import { LogsPage } from './pages/logs-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { ReportPage } from './pages/report-page.ts';
import { TimelinePage } from './pages/timeline-page.ts';
import { scratchFolder } from './support/bundles.ts';
import { launch, type RunningApp } from './support/launch.ts';

let app: RunningApp;
let folder: string;
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The system's dialog is not part of the page: it is answered with the name that it offers. */
async function answerSaveDialog(): Promise<void> {
  folder = scratchFolder();
  await app.electron.evaluate(({ dialog }, to) => {
    dialog.showSaveDialog = (async (_window: unknown, options: { defaultPath?: string }) => ({
      canceled: false,
      filePath: `${to}/${options.defaultPath ?? ''}`,
    })) as typeof dialog.showSaveDialog;
  }, folder);
}

/** Seconds of each step, printed: what they may be is said by nobody, and machines differ. */
const steps: { readonly step: string; readonly s: number }[] = [];
async function step(name: string, run: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await run();
  steps.push({ step: name, s: (performance.now() - start) / 1000 });
}

async function command(words: string): Promise<void> {
  await app.page.keyboard.press('Control+K');
  await app.page.keyboard.type(words);
  await app.page.waitForSelector('.palette-item');
  await app.page.keyboard.press('Enter');
}

/** Tab, until the focus stands on a control of that name. */
async function tabTo(name: RegExp): Promise<void> {
  for (let i = 0; i < 80; i++) {
    const words = await app.page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
    );
    if (name.test(words)) return;
    await app.page.keyboard.press('Tab');
  }
  throw new Error(`no control ${String(name)} within 80 tabs`);
}

describe('the first minute, without a pointer', () => {
  it('leads from a bundle to its verdict, the moment, the call, the line and the report', async () => {
    app = await launch({ theme: 'dark' });
    await answerSaveDialog();
    const { page } = app;
    const overview = new OverviewPage(page);
    await step('example of 64 ranks → verdict', async () => {
      await command('example of 64');
      await overview.shown();
      expect(await overview.chip()).toBe('Rank 43');
      expect(await overview.statement()).toMatch(/did not join the collective/);
      await page.getByRole('img', { name: /^Log lines over the whole case: 2.660 lines, .* errors/ }).waitFor();
    });
    await step('verdict → moment on the timeline', async () => {
      await tabTo(/^Open (?:at the moment|on the timeline)$/);
      await page.keyboard.press('Enter');
      const timeline = new TimelinePage(page);
      await timeline.shown();
      await timeline.focus();
      expect(await timeline.speaks(/rank 43/)).toMatch(/^rank 43/);
    });
    await step('timeline → first difference', async () => {
      await page.keyboard.press('Control+3');
      const collectives = new CollectivesPage(page, app.electron);
      await collectives.shown();
      const row = await collectives.focusRow();
      expect(row[0]).toBe('426');
      expect(row.at(-1)).toMatch(/never enqueued/);
      expect(await collectives.focusInSight()).toBe(true);
    });
    await step('difference → log line', async () => {
      const logs = new LogsPage(page);
      await logs.open();
      await page.keyboard.press('/');
      await page.keyboard.type('rank:43');
      await page.keyboard.press('Enter');
      await expect.poll(() => logs.count()).toMatch(/^\d+ of 2 660 lines$/);
      await page.keyboard.press('End');
      await page.keyboard.press('c');
      await expect.poll(() => logs.detail()).toMatch(/line \d+, byte/);
    });
    await step('log line → redacted report on the disk', async () => {
      const report = new ReportPage(page);
      await report.open();
      expect(await report.head()).toMatch(/Redaction\s*\d+ places/);
      await page.keyboard.press('Control+p');
      await page.waitForSelector('.export-saved');
      const [file = ''] = readdirSync(folder);
      expect(file).toMatch(/-redacted-report\.pdf$/);
      expect(readFileSync(join(folder, file)).subarray(0, 5).toString('latin1')).toBe('%PDF-');
    });
    for (const { step: name, s } of steps) console.log(`${s.toFixed(1).padStart(5)} s  ${name}`);
    expect(app.errors).toEqual([]);
  });
});
