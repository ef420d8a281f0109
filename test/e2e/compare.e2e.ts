import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TWO_NODE_STALL } from '../support/two-node-stall.ts';
import { scratchFolder } from './support/bundles.ts';
import { launchCase, saveIncident } from './support/cases.ts';
import { type LaunchOptions, type RunningApp, resize, setTheme } from './support/launch.ts';
import { compareShot } from './support/shots.ts';

let scratch: string;
let first: string;
let second: string;
let app: RunningApp;

beforeAll(async () => {
  scratch = scratchFolder();
  first = await saveIncident(TWO_NODE_STALL, join(scratch, 'vit-large'));
  second = await saveIncident(
    {
      ...TWO_NODE_STALL,
      seed: 17,
      nodes: 1,
      fault: { kind: 'exception', rank: 3, step: 20, what: 'python' },
    },
    join(scratch, 'vit-tiny'),
  );
});
afterEach(() => app.close());
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let homes = 0;

/** Imports both into a library of their own (one that has them would ask) and compares the one opened last with the other. */
async function openBoth(options: LaunchOptions = {}): Promise<void> {
  const home = join(scratch, `home-${homes++}`);
  app = await launchCase(second, { home });
  await app.close();
  app = await launchCase(first, { home, ...options });
  await app.page.keyboard.press('Control+K');
  await app.page.getByRole('combobox').fill('compare with another');
  await app.page.keyboard.press('Enter');
  await app.page.locator('.compare-case', { hasText: 'vit-tiny' }).first().click();
  await app.page.waitForSelector('.compare-row[data-key="cause"]');
}

const row = (key: string) => app.page.locator(`.compare-row[data-key="${key}"]`);

describe('the comparison of two cases', () => {
  it('tells what differs first, what is the same after it, and hides the same on demand', async () => {
    await openBoth();
    expect(await row('first-rank').getAttribute('data-mark')).toBe('differs');
    expect(await row('first-rank').innerText()).toMatch(/rank 11[\s\S]*rank 3[\s\S]*other rank/);
    expect(await row('cause').innerText()).toMatch(/Python exception/);
    const keys = await app.page
      .locator('.compare-row[data-mark]')
      .evaluateAll((rows) => rows.map((one) => one.getAttribute('data-mark')));
    expect(keys.lastIndexOf('differs')).toBeLessThan(keys.findIndex((mark) => mark !== 'differs'));
    expect(await app.page.locator('.compare-row[data-mark="equal"]').count()).toBeGreaterThan(2);
    await app.page.getByRole('checkbox', { name: 'differences only' }).check();
    expect(await app.page.locator('.compare-row[data-mark="equal"]').count()).toBe(0);
    await app.page.keyboard.press('Alt+ArrowDown');
    expect(await app.page.locator('.compare-row[aria-selected="true"]').count()).toBe(1);
    expect(app.errors).toEqual([]);
  });

  it('puts both on one axis and zooms them together', async () => {
    await openBoth();
    const strips = app.page.locator('.compare-canvas');
    await strips.focus();
    expect(await strips.getAttribute('aria-label')).toMatch(/0 = first fault of each case/);
    await app.page.waitForFunction(() =>
      /At most (?!0 of)\d+ of 16/.test(document.querySelector('.compare-canvas')?.getAttribute('aria-label') ?? ''),
    );
    // The first rank of each has a lane of its own, and opens on the timeline of its case.
    const lanes = (name: string) => app.page.getByRole('group', { name: `Lanes of ${name}` }).getByRole('button');
    await lanes('A').nth(1).waitFor();
    expect(await lanes('A').nth(0).textContent()).toMatch(/^rank 11 ?first, first rank; .*#\d+/);
    expect(await lanes('A').nth(1).textContent()).toMatch(/^ranks .*, waits for rank 11; .*drawn: rank \d+ of \d+/);
    expect(await lanes('B').nth(0).textContent()).toMatch(/^rank 3 ?first, /);
    await strips.focus();
    await app.page.keyboard.press('w');
    await app.page.getByRole('button', { name: /align/ }).click();
    await app.page.getByRole('menuitemradio', { name: 'first stamp' }).click();
    await app.page.getByText('Aligned at the first stamp').waitFor();
    await app.page.getByRole('button', { name: /align/ }).click();
    await app.page.getByRole('menuitemradio', { name: /^step \d+$/ }).click();
    await app.page.getByText('Aligned at one step').waitFor();
    await app.page.getByRole('radio', { name: 'whole runs' }).click();
    expect(await app.page.getByRole('radio', { name: 'whole runs' }).getAttribute('aria-checked')).toBe('true');
    await lanes('A').nth(0).click();
    await app.page.waitForSelector('.timeline-stage');
    expect(app.errors).toEqual([]);
  });

  it('looks as it was reviewed', async () => {
    await openBoth({ theme: 'dark' });
    for (const [name, theme, width, height] of [
      ['compare-dark', 'dark', 1440, 900],
      ['compare-light-1024x640', 'light', 1024, 640],
    ] as const) {
      await setTheme(app.page, theme);
      await resize(app.electron, app.page, width, height);
      const { difference, tolerance } = await compareShot(app, name);
      expect(difference, name).toBeLessThan(tolerance);
    }
  });
});
