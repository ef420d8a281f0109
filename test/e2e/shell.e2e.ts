/** What belongs to all screens: context bar, inspector, notes, undo, history, locators, Go to, help, palette, several windows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { importScenario, listScenario, vitScenario } from './support/incidents.ts';
import { launch, type RunningApp } from './support/launch.ts';
import { launchScenario } from './support/scenario.ts';

let app: RunningApp;
afterEach(async () => {
  expect(app.errors).toEqual([]);
  await app.close();
});

const press = (keys: string) => app.page.keyboard.press(keys);
const context = (): Locator => app.page.locator('.context-bar');
const inspector = (): Locator => app.page.getByRole('complementary', { name: 'Inspector' });
const current = (): Locator => app.page.locator('.rail-item[aria-current="page"]');

async function openFirstCase(page: Page): Promise<void> {
  await page.locator('.case-open').first().click();
  await page.waitForSelector('.verdict-header, .overview');
}

/** Types into the Go to box and takes the first meaning. */
async function goTo(text: string): Promise<void> {
  await press('Control+G');
  await app.page.getByRole('combobox', { name: 'Go to' }).fill(text);
  await app.page.waitForSelector('.palette-item[aria-selected="true"]');
  await press('Enter');
  await app.page.waitForSelector('.palette', { state: 'detached' });
}

describe('the context bar', () => {
  it('filters ranks by number and by node, as chips that can be removed and undone', async () => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    await context().getByRole('button', { name: 'Filter', exact: true }).click();
    await app.page.getByLabel('Ranks, or a node, Pod or group').fill('3, 8-11, 14');
    await press('Enter');
    await expect.poll(() => context().innerText()).toMatch(/ranks 3\s+8–11\s+14/);
    await context().getByRole('button', { name: 'Remove the filter 8–11' }).click();
    await expect.poll(() => context().innerText()).not.toContain('8–11');
    await press('Control+Z');
    await expect.poll(() => context().innerText()).toContain('8–11');
    await press('Control+Shift+Z');
    await expect.poll(() => context().innerText()).not.toContain('8–11');

    await context().getByRole('button', { name: 'Filter', exact: true }).click();
    await app.page.getByLabel('Ranks, or a node, Pod or group').fill('node-d69-1');
    await press('Enter');
    await expect.poll(() => context().innerText()).toContain('node node-d69-1');
  });

  it('says why a filter cannot be, and why a screen does not follow one', async () => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    await context().getByRole('button', { name: 'Filter', exact: true }).click();
    await app.page.getByLabel('Ranks, or a node, Pod or group').fill('99');
    await expect
      .poll(() => app.page.locator('.popover-note').innerText())
      .toBe('Rank 99 is not in this job of 16 ranks.');
    await app.page.getByLabel('Ranks, or a node, Pod or group').fill('11');
    await press('Enter');
    const part = context().locator('[data-ignored="true"]');
    await expect.poll(() => part.count()).toBe(1);
    expect(await part.innerText()).toContain('The report speaks of the whole case.');
    expect(await part.evaluate((element) => getComputedStyle(element).textDecorationLine)).toBe('line-through');
  });

  it('takes a typed range, and writes all times in the chosen zone', async () => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    await context().locator('.context-button').first().click();
    await app.page.getByLabel('From').fill('10:28:24.5');
    await app.page.getByLabel('To', { exact: true }).fill('10:28:20');
    expect(await app.page.locator('.popover-note').innerText()).toBe('The end must be after the start.');
    await app.page.getByLabel('To', { exact: true }).fill('10:28:25.9');
    await press('Enter');
    await expect.poll(() => context().innerText()).toContain('10:28:24.500 – 10:28:25.900');
    expect(await context().innerText()).toContain('1.400 s');

    await context().getByRole('button', { name: 'UTC' }).click();
    await app.page.getByRole('menuitemradio', { name: 'From the first fault' }).click();
    await expect.poll(() => context().innerText()).toMatch(/−\d.*s – \+/);
    expect(await app.page.locator('.overview').innerText()).not.toContain('10:28:25.497');
    await context().getByRole('button', { name: 'Show the whole case' }).click();
    await expect.poll(() => context().innerText()).not.toContain('1.400 s');
  });
});

describe('inspector, notes and undo', () => {
  it('shows a rank, takes a note and a star, and undoes both', async () => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    await goTo('rank 11');
    await expect.poll(() => inspector().innerText()).toContain('rank 11');
    expect(await inspector().innerText()).toContain('node-d69-1');

    await press('Control+E');
    await app.page.getByRole('dialog').getByRole('textbox').fill('seen before\non the same node');
    await press('Control+Enter');
    await expect.poll(() => inspector().innerText()).toContain('seen before\non the same node');
    await press('b');
    await expect
      .poll(() => inspector().getByRole('button', { name: 'Star' }).getAttribute('aria-pressed'))
      .toBe('true');
    await press('Control+Z');
    await expect
      .poll(() => inspector().getByRole('button', { name: 'Star' }).getAttribute('aria-pressed'))
      .toBe('false');
    await press('Control+Z');
    await expect.poll(() => inspector().innerText()).not.toContain('seen before');
    await press('Control+Shift+Z');
    await expect.poll(() => inspector().innerText()).toContain('seen before');
    await inspector().getByRole('button', { name: 'Remove note' }).click();
    await app.page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => inspector().innerText()).toContain('seen before');
  });

  it('previews evidence with Space and a rank with a click, without leaving', async () => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    const row = app.page.locator('.evidence-row').filter({ hasText: 'line' }).first();
    await row.focus();
    await press('Space');
    await expect.poll(() => inspector().locator('.inspector-head').innerText()).toBe('Line');
    expect(await current().innerText()).toBe('Overview');
    await app.page.locator('.rank-fold').first().click();
    await app.page.locator('.rank-pick').first().click();
    await expect.poll(() => inspector().locator('.inspector-head').innerText()).toBe('Rank');
  });

  it('is resized by the keys, and goes with its own', async () => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    await press('i');
    const edge = app.page.getByRole('separator', { name: 'Width of the inspector' });
    await edge.focus();
    await press('ArrowLeft');
    await press('ArrowLeft');
    expect(await edge.getAttribute('aria-valuenow')).toBe('352');
    expect(Math.round((await inspector().boundingBox())?.width ?? 0)).toBe(352);
    await press('i');
    await expect.poll(() => inspector().count()).toBe(0);
  });
});

describe('history and locators', () => {
  it('brings filters and selection back with Back and Forward', async () => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    await context().getByRole('button', { name: 'Filter', exact: true }).click();
    await app.page.getByLabel('Ranks, or a node, Pod or group').fill('11');
    await press('Enter');
    await expect.poll(() => context().innerText()).toContain('rank 11');
    await press('Control+7');
    await expect.poll(() => current().innerText()).toBe('Evidence');
    await context().getByRole('button', { name: 'Remove the filter rank 11' }).click();
    await expect.poll(() => context().innerText()).not.toContain('rank 11');
    await press('Alt+ArrowLeft');
    await expect.poll(() => context().innerText()).toContain('rank 11');
    await press('Alt+ArrowRight');
    await expect.poll(() => context().innerText()).not.toContain('rank 11');
  });

  it('restores a copied view exactly, and refuses what is no locator', async () => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    await goTo('vit-large-1.log:120');
    await expect.poll(() => current().innerText()).toBe('Evidence');
    await context().getByRole('button', { name: 'Filter', exact: true }).click();
    await app.page.getByLabel('Ranks, or a node, Pod or group').fill('8-15');
    await press('Enter');
    await press('Control+Shift+C');
    const locator = await app.electron.evaluate(({ clipboard }) => clipboard.readText());
    expect(locator).toMatch(/^firstfault:evidence\/vit-large-hang\?ranks=8-15&/);

    await press('Control+1');
    await app.page.locator('.overview').waitFor();
    await app.page.keyboard.press('Control+K');
    await app.page.getByRole('combobox').fill('remove all filters');
    await press('Enter');
    await expect.poll(() => context().innerText()).not.toContain('8–15');
    await goTo(locator);
    await expect.poll(() => current().innerText()).toBe('Evidence');
    await expect.poll(() => context().innerText()).toMatch(/ranks 8–15|node node-d69-1|Pod vit-large-1/);
    await app.page.locator('.raw-viewer, .raw').first().waitFor();

    await press('Control+1');
    await press('Control+G');
    await app.page.getByRole('combobox', { name: 'Go to' }).fill('firstfault:logs/vit-large-hang?target=oops');
    await expect.poll(() => app.page.locator('.palette-empty').innerText()).toContain('cut off');
    await press('Escape');
  });
});

describe('Go to', () => {
  it.each([
    ['10:28:25.5', 'Timeline'],
    ['+1 s', 'Timeline'],
    ['default_pg#4812', 'Calls'],
    ['nccl_trace_rank_11#3', 'Evidence'],
    ['vit-large-0.log@4096', 'Evidence'],
  ])('%s leads to %s', async (text, screen) => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    await goTo(text);
    await expect.poll(() => current().innerText()).toBe(screen);
  });
});

describe('help and palette', () => {
  it('opens the page of the screen with F1, finds others by words, and follows links', async () => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    await press('F1');
    const page = app.page.getByRole('article');
    await expect.poll(() => page.innerText()).toContain('The verdict first');
    await page.getByRole('button', { name: 'How sure a verdict is' }).click();
    await expect.poll(() => page.innerText()).toContain('never by a percentage');
    await app.page.getByRole('textbox', { name: 'Search the help' }).fill('locator');
    await expect.poll(() => page.innerText()).toContain('firstfault:timeline/');
    await app.page.getByRole('button', { name: 'Close the help' }).click();
    await expect.poll(() => app.page.getByRole('dialog').count()).toBe(0);
  });

  it('finds groups, help and what can be done with a rank', async () => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    await press('Control+K');
    await app.page.getByRole('combobox').fill('rank 11');
    const list = app.page.getByRole('listbox');
    await expect.poll(() => list.innerText()).toContain('Show only rank 11 on all screens');
    await app.page.getByRole('option', { name: 'Show only rank 11 on all screens' }).click();
    await expect.poll(() => context().innerText()).toContain('rank 11');
    await press('Control+K');
    await app.page.getByRole('combobox').fill('?raw');
    await app.page.getByRole('option', { name: 'Raw and corrected time' }).click();
    await expect.poll(() => app.page.getByRole('article').innerText()).toContain('reference clock');
  });
});

describe('cases', () => {
  it('are renamed and pinned, and two of them lead to a comparison', async () => {
    app = await launchScenario(listScenario());
    await app.page.waitForSelector('.case-row');
    await app.page.getByRole('button', { name: 'Actions for resnet50 nightly' }).click();
    await app.page.getByRole('menuitem', { name: 'Pin case on top' }).click();
    await expect.poll(() => app.page.locator('.case-open').first().innerText()).toBe('resnet50 nightly');
    await app.page.getByRole('button', { name: 'Actions for resnet50 nightly' }).click();
    await app.page.getByRole('menuitem', { name: 'Rename case…' }).click();
    await app.page.getByRole('dialog').getByRole('textbox').fill('nightly of 14 March');
    await press('Enter');
    await expect.poll(() => app.page.locator('.case-open').first().innerText()).toBe('nightly of 14 March');

    await app.page.getByRole('checkbox', { name: 'Select vit-large hang' }).check();
    await app.page.getByRole('checkbox', { name: 'Select bert-small eviction' }).check();
    await app.page.getByRole('button', { name: 'Compare these two' }).click();
    await expect.poll(() => app.page.locator('.title-bar-case').innerText()).toContain('vit-large hang');
  });
});

describe('closing during an import', () => {
  it('asks first, and offers to go on in the background', async () => {
    app = await launchScenario(importScenario());
    await app.page.getByRole('button', { name: 'Open the example case' }).click();
    await app.page.waitForSelector('.import');
    await app.page.getByRole('button', { name: 'Close window' }).click();
    await expect
      .poll(() => app.page.getByRole('dialog').innerText())
      .toMatch(
        /Paused, it goes on from the case list at the next start.*Cancel the import and close.*Pause and close/s,
      );
    await press('Escape');
    await app.page.waitForSelector('[role="dialog"]', { state: 'detached' });
    expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });
});

describe('the desktop', () => {
  it('opens a case in a window of its own, beside the first', async () => {
    app = await launchScenario(listScenario());
    await app.page.waitForSelector('.case-row');
    await app.page.getByRole('button', { name: 'Actions for bert-small eviction' }).click();
    const [second] = await Promise.all([
      app.electron.waitForEvent('window'),
      app.page.getByRole('menuitem', { name: 'Open in a new window' }).click(),
    ]);
    await second.waitForSelector('.overview');
    expect(await second.locator('.title-bar-case').innerText()).toContain('bert-small eviction');
    expect(await app.page.locator('.case-row').count()).toBe(8);
    const bounds = await app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.getBounds()),
    );
    expect(new Set(bounds.map(({ x, y }) => `${x} ${y}`)).size).toBe(2);
    await second.close();
  });

  it('writes settings to a file, and shows what another file would change before it does', async () => {
    app = await launchScenario(listScenario(), { theme: 'dark' });
    const file = join(app.home, 'settings.json');
    await app.electron.evaluate(({ dialog }, path) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path });
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    }, file);
    const run = async (words: string) => {
      await press('Control+K');
      await app.page.getByRole('combobox').fill(words);
      await press('Enter');
    };
    await run('export settings');
    await expect.poll(() => readSettingsFile(file)).toMatchObject({ schema: 'firstfault-settings/1', theme: 'dark' });
    await run('theme light');
    await app.page.waitForSelector('[data-theme="light"]');
    await run('import settings');
    await expect.poll(() => app.page.getByRole('dialog').innerText()).toMatch(/Theme\s+light → dark/);
    await app.page.getByRole('button', { name: 'Change settings' }).click();
    await app.page.waitForSelector('[data-theme="dark"]');
  });

  it('copies diagnostics that name versions and no case', async () => {
    app = await launchScenario(vitScenario());
    await openFirstCase(app.page);
    await press('Control+K');
    await app.page.getByRole('combobox').fill('about');
    await press('Enter');
    await app.page.getByRole('button', { name: 'Copy diagnostics' }).click();
    const text = await app.electron.evaluate(({ clipboard }) => clipboard.readText());
    expect(text).toMatch(/^Firstfault\s+\d/);
    expect(text).toContain('No fault in this run.');
    expect(text).not.toMatch(/vit-large|rank \d|worker-c92|node-d69/i);
  });

  it('keeps notes of a real case, and comes back to its view when the page is loaded again', async () => {
    app = await launch();
    await app.page.getByRole('button', { name: 'Open the example case' }).click();
    await app.page.waitForSelector('.overview');
    await press('Control+E');
    await app.page.getByRole('dialog').getByRole('textbox').fill('first look');
    await press('Control+Enter');
    await app.page.waitForSelector('[role="dialog"]', { state: 'detached' });
    await press('i');
    await expect.poll(() => inspector().innerText()).toContain('first look');
    await app.page.waitForTimeout(400);
    await app.page.reload();
    await app.page.waitForSelector('.overview');
    expect(await app.page.locator('.toast').innerText()).toMatch(/^Restored to the view of \d\d:\d\d:\d\d$/);
    await press('i');
    await expect.poll(() => inspector().innerText()).toContain('first look');
  });
});

function readSettingsFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
