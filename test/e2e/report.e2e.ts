import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OverviewPage } from './pages/overview-page.ts';
import { ReportPage } from './pages/report-page.ts';
import { LARGE_EXAMPLE, scratchFolder } from './support/bundles.ts';
import { launchCase } from './support/cases.ts';
import { launch, type RunningApp, resize, setTheme } from './support/launch.ts';
import { compareShot } from './support/shots.ts';

const NAMES = /worker-c89|ranker|stall-nccl-kubectl|\/workspace/;

let app: RunningApp;
let folder: string;
beforeEach(() => {
  folder = scratchFolder();
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openReport(path: string): Promise<ReportPage> {
  app = await launchCase(path, { theme: 'dark', width: 1440, height: 900 });
  const report = new ReportPage(app.page);
  await report.open();
  return report;
}

/** Answers every save dialog as a user would who takes the name that is offered; `to` null closes it. */
async function answerDialogs(to: string | null): Promise<void> {
  await app.electron.evaluate(({ dialog }, target) => {
    dialog.showSaveDialog = (async (_window: unknown, options: { defaultPath?: string }) =>
      target === null
        ? { canceled: true, filePath: '' }
        : { canceled: false, filePath: `${target}/${options.defaultPath ?? ''}` }) as typeof dialog.showSaveDialog;
  }, to);
}

const written = (ending: string): string => readdirSync(folder).find((name) => name.endsWith(ending)) ?? '';

/** A job of two Pods; the first log holds a line with bytes that are no text. */
function bundleWithBrokenLine(): string {
  const path = join(folder, 'acme-run-7');
  mkdirSync(path);
  const line = (rank: number, i: number) =>
    `2026-03-14T10:00:${10 + i}.000000000Z [rank${rank}]: INFO <img src=x onerror=alert(1)> shard ${i} of gpu-a17.acme.internal 10.42.7.19`;
  for (const rank of [0, 1]) {
    const text = Array.from({ length: 12 }, (_, i) => line(rank, i)).join('\n');
    const tail = Buffer.from('\n2026-03-14T10:00:30.000000000Z [rank0]: ERROR \xff\xfe\xfa broken\n', 'latin1');
    writeFileSync(join(path, `acme-run-7-worker-${rank}.log`), Buffer.concat([Buffer.from(text), tail]));
  }
  return path;
}

describe('the report', () => {
  it('is put together, redacted and written in every form by keyboard alone', async () => {
    const report = await openReport(LARGE_EXAMPLE);
    const { page } = app;
    await answerDialogs(folder);
    expect(await report.head()).toMatch(/Redaction\s*\d+ places, \d+ originals/);
    expect(await report.paper()).not.toMatch(NAMES);
    expect(await report.paper()).toContain('host-8');
    await report.section('Verdict and status').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => report.order()).toEqual(expect.arrayContaining(['evidence', 'verdict']));
    expect((await report.order()).slice(0, 2)).toEqual(['evidence', 'verdict']);
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-row'))).toBe('manifest');
    await page.keyboard.press('Space');
    await expect.poll(() => report.paper()).not.toContain('Manifest of hashes');
    await page.keyboard.press('Control+p');
    await page.waitForSelector('.export-saved');
    const pdf = readFileSync(join(folder, written('-redacted-report.pdf')));
    expect(pdf.subarray(0, 5).toString('latin1')).toBe('%PDF-');
    expect(pdf.length).toBeGreaterThan(20_000);
    for (const [name, ending] of [
      ['HTML', '-redacted-report.html'],
      ['Markdown', '-redacted-report.md'],
      ['JSON', '-redacted-report.json'],
      ['Patch YAML', '-redacted-next-run.yaml'],
    ] as const) {
      await report.button(name).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => written(ending)).not.toBe('');
      await expect.poll(() => page.locator('.export-saved').innerText()).toContain(ending);
      expect(readFileSync(join(folder, written(ending)), 'utf8'), ending).not.toMatch(NAMES);
    }
    expect(readFileSync(join(folder, written('.html')), 'utf8')).not.toMatch(/<script|onerror=|href=/i);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await page.locator('.custody summary').click();
    expect(await page.locator('.custody li').count()).toBe(6);
    expect(await page.locator('.custody li').first().innerText()).toMatch(
      /export Patch\s+redacted\s+.*SHA-256 [0-9a-f]{64}\s+version \S+/,
    );
    expect(await page.locator('.custody li').last().innerText()).toMatch(/import\s+.*SHA-256.*\s+version \S+/s);
    // Chosen for the case, not for this visit.
    await page.keyboard.press('Control+1');
    await report.open();
    expect(await report.section('Manifest of hashes').getAttribute('aria-selected')).toBe('false');
    await page.getByRole('checkbox', { name: 'Redaction' }).press('Space');
    await expect.poll(() => report.paper()).toMatch(NAMES);
    expect(app.errors).toEqual([]);
  });

  it('says why nothing was written, and closes quietly with its dialog', async () => {
    const report = await openReport(LARGE_EXAMPLE);
    await answerDialogs(null);
    await report.button('Markdown').click();
    await expect.poll(() => report.button('Markdown').innerText()).toBe('Markdown');
    expect(await app.page.locator('.export-saved').count()).toBe(0);
    await answerDialogs(join(folder, 'not-there'));
    await report.button('Markdown').click();
    await expect
      .poll(() => app.page.locator('.report-redaction .failure').innerText())
      .toMatch(/Markdown was not saved[\s\S]*could not be written[\s\S]*ENOENT/);
    await report.button(/Case package/).click();
    await expect
      .poll(() => app.page.locator('.report-redaction .failure').innerText())
      .toMatch(/Case package was not saved/);
    expect(readdirSync(folder)).toEqual([]);
    expect(app.errors).toEqual([]);
  });

  it('is stopped by a record that cannot be scanned until that is left out', async () => {
    const report = await openReport(bundleWithBrokenLine());
    const { page } = app;
    await answerDialogs(folder);
    const caseId = await page.evaluate(() => window.firstfault.request('case.list', {}));
    if (!caseId.ok) throw new Error(caseId.error.detail);
    const [known] = caseId.value.cases;
    await page.evaluate(
      (id) =>
        window.firstfault.request('notes.star', {
          caseId: id,
          subject: { kind: 'line', path: 'acme-run-7-worker-0.log', line: 13 },
          on: true,
        }),
      known?.caseId as never,
    );
    await expect
      .poll(() => page.locator('.export-stopped').innerText())
      .toMatch(/Export stopped[\s\S]*Starred records, notes: text of record 1 holds bytes that are not text/);
    expect(await report.button('PDF').getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Control+p');
    const refused = await page.evaluate(
      (id) => window.firstfault.saveReport(id as never, 'json', null),
      known?.caseId as never,
    );
    expect(refused).toMatchObject({ state: 'failed', code: 'export-stopped' });
    expect(readdirSync(folder)).toEqual(['acme-run-7']);
    await page.getByRole('button', { name: 'Leave the section out' }).click();
    await page.waitForSelector('.export-stopped', { state: 'detached' });
    await page.keyboard.press('Control+p');
    await page.waitForSelector('.export-saved');
    expect(existsSync(join(folder, written('.pdf')))).toBe(true);
    expect(app.errors).toEqual([]);
  });

  it('has a reply that can be edited, taken back and saved', async () => {
    const report = await openReport(LARGE_EXAMPLE);
    const { page } = app;
    await answerDialogs(folder);
    await page.getByRole('button', { name: 'Reply to the sender', exact: true }).focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Reply to the sender' });
    const generated = await field.inputValue();
    expect(generated).toContain('Thank you for bundle-1');
    await field.fill(`Hello from worker-c89-5,\n${generated}`);
    expect(await page.locator('.reply-head').innerText()).toContain('not copied or saved yet');
    // In a small window, too, nothing of its head is cut off.
    await resize(app.electron, page, 1024, 640);
    for (const name of ['Take edits back', 'Copy', 'Close the reply']) {
      const right = await page
        .locator('.reply-head')
        .getByRole('button', { name, exact: true })
        .evaluate((button) => button.getBoundingClientRect().right);
      const edge = await page.locator('.reply-panel').evaluate((panel) => panel.getBoundingClientRect().right);
      expect(right, name).toBeLessThanOrEqual(edge);
    }
    expect(await page.locator('.reply-about').evaluate((about) => about.scrollWidth <= about.clientWidth)).toBe(true);
    await resize(app.electron, page, 1440, 900);
    await page.getByRole('button', { name: 'Save…', exact: true }).click();
    await expect.poll(() => written('-reply.txt')).not.toBe('');
    expect(readFileSync(join(folder, written('-reply.txt')), 'utf8')).toMatch(/^Hello from host-\d+,\n/);
    await page.getByRole('button', { name: 'Take edits back' }).click();
    expect(await field.inputValue()).toBe(generated);
    expect(await report.paper()).not.toMatch(NAMES);
    expect(app.errors).toEqual([]);
  });

  it('goes with its case to another machine as one file', async () => {
    const report = await openReport(LARGE_EXAMPLE);
    await answerDialogs(folder);
    await report.button(/Case package/).click();
    await expect.poll(() => written('.firstfault'), { timeout: 20_000 }).not.toBe('');
    await app.page.waitForSelector('.export-saved');
    await app.close();
    app = await launch({ args: [`--open=${join(folder, written('.firstfault'))}`], theme: 'light' });
    await new OverviewPage(app.page).shown();
    await report.open.call(new ReportPage(app.page));
    expect(await new ReportPage(app.page).paper()).toContain('Rank 43');
    expect(app.errors).toEqual([]);
  });

  it('pictures', async () => {
    const report = await openReport(LARGE_EXAMPLE);
    const { page } = app;
    const expectShot = async (name: string): Promise<void> => {
      const { difference, tolerance } = await compareShot(app, name);
      expect(difference, name).toBeLessThan(tolerance);
    };
    await page.getByRole('button', { name: 'Reply to the sender', exact: true }).click();
    await expectShot('report-dark');
    await setTheme(page, 'light');
    await resize(app.electron, page, 1024, 640);
    await expectShot('report-light-1024x640');
    expect(await report.head()).toContain('Redaction');
    expect(app.errors).toEqual([]);
  });
});
