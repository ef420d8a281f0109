import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TWO_NODE_STALL } from '../support/two-node-stall.ts';
import { EvidencePage } from './pages/evidence-page.ts';
import { RanksPage } from './pages/ranks-page.ts';
import { scratchFolder } from './support/bundles.ts';
import { launchCase, saveIncident } from './support/cases.ts';
import { type LaunchOptions, type RunningApp, resize, setTheme } from './support/launch.ts';
import { compareShot } from './support/shots.ts';

let scratch: string;
let stalled: string;
let app: RunningApp;
let ranks: RanksPage;

beforeAll(async () => {
  scratch = scratchFolder();
  // 64 ranks on eight nodes; rank 37 stalls, ten dumps are missing.
  stalled = await saveIncident(
    {
      ...TWO_NODE_STALL,
      seed: 37,
      nodes: 8,
      loop: { ...TWO_NODE_STALL.loop, steps: 40 },
      fault: { kind: 'stall', rank: 37, step: 31, where: 'data' },
      missing: { dumpsOfRanks: [6, 13, 48, 49, 50, 51, 52, 53, 54, 55] },
    },
    join(scratch, 'stall'),
  );
});
afterEach(() => app.close());
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function openRanks(bundle: string, options: LaunchOptions = {}): Promise<void> {
  app = await launchCase(bundle, options);
  ranks = new RanksPage(app.page);
  await ranks.open();
}

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);

describe('the map of ranks', () => {
  it('counts every rank once, at each moment, as the curve does', async () => {
    await openRanks(stalled);
    await ranks.waitFor(/First rank/);
    const peak = await ranks.counts();
    expect(sum(peak)).toBe(64);
    expect(peak.get('First rank')).toBe(1);
    expect(peak.get('Waits for rank 37')).toBe(53);
    expect(peak.get('Waits, by its log')).toBe(10);
    expect(peak.has('No dump')).toBe(false);
    await app.page.getByText('63 of 64 recorded ranks wait').waitFor();
    await app.page.getByText(/most: 63 by/).waitFor();
    expect(await ranks.colourShare('--role-first')).toBeGreaterThan(0.0001);
    await ranks.slider().focus();
    await ranks.press('Home');
    await ranks.waitFor(/Before its first record/);
    const start = await ranks.counts();
    expect(sum(start)).toBe(64);
    expect(start.get('No dump')).toBe(10);
    expect(start.has('First rank')).toBe(false);
    expect(start.has('Waits for rank 37')).toBe(false);
    await ranks.press('End');
    await ranks.waitFor(/Process ended|Silent/);
    expect(sum(await ranks.counts())).toBe(64);
    expect(app.errors).toEqual([]);
  });

  it('is walked by keyboard, selects rectangles, opens the card and its links', async () => {
    await openRanks(stalled);
    await ranks.focus();
    await ranks.speaks(/^rank 37, first/);
    await ranks.press('ArrowRight');
    await ranks.speaks(/^rank 38, .*waits for rank 37/);
    await ranks.press('Shift+ArrowDown');
    await ranks.speaks(/^rank 46/);
    await app.page.getByText('2 of 64 ranks').first().waitFor();
    await ranks.press('Escape');
    await app.page.getByText('64 ranks, 8 nodes, none unplaced').waitFor();
    await ranks.press('Home', 'Enter');
    await ranks.card().getByText('rank 0', { exact: true }).waitFor();
    expect(await ranks.card().innerText()).toMatch(/At cursor[\s\S]*Waits[\s\S]*Dump[\s\S]*read/);
    await ranks.card().getByRole('button', { name: 'Timeline' }).click();
    await app.page.waitForSelector('.timeline-stage');
    await app.page.keyboard.press('Alt+ArrowLeft');
    await ranks.shown();
    await ranks.card().getByRole('button', { name: 'Calls' }).click();
    await app.page.waitForSelector('.collectives');
  });

  it("shows the end of a rank's log and its newest stack on its card, each at its bytes", async () => {
    await openRanks(stalled);
    await ranks.focus();
    await ranks.press('Enter');
    const tail = ranks.card().getByRole('region', { name: 'Log tail' });
    await expect.poll(() => tail.innerText()).toMatch(/Log tail \d+ lines in all[\s\S]*\d\d:\d\d:\d\d\.\d{3}/);
    const stack = ranks.card().getByRole('region', { name: 'Stack' });
    await expect.poll(() => stack.innerText()).toMatch(/at #\d+[\s\S]*train\.py:\d+ /);
    const evidence = new EvidencePage(app.page);
    await tail.locator('.rank-tail-row').last().click();
    expect(await evidence.selectedLine()).toMatchObject({ inSight: true });
    await app.page.keyboard.press('Alt+ArrowLeft');
    await ranks.shown();
    await stack.getByRole('button').click();
    await expect.poll(() => evidence.place()).toMatch(/^record \d+/);
    expect(app.errors).toEqual([]);
  });

  it('moves with the scrubber and keeps the moment in its locator', async () => {
    await openRanks(stalled);
    await ranks.waitFor(/Waits for rank 37/);
    const before = await ranks.moment();
    await app.page.getByRole('button', { name: /^(first fault|call missed)/ }).click();
    await app.page.waitForFunction(
      (old) => document.querySelector('[data-testid="ranks-moment"]')?.textContent !== old,
      before,
    );
    const fault = await ranks.moment();
    expect(await app.page.getByRole('button', { name: /^(first fault|call missed)/ }).innerText()).toContain(fault);
    await app.page.keyboard.press('Control+1');
    await app.page.keyboard.press('Alt+ArrowLeft');
    await ranks.shown();
    await app.page.waitForFunction(
      (want) => document.querySelector('[data-testid="ranks-moment"]')?.textContent === want,
      fault,
    );
  });

  it('shows the same ranks as a table, sorted by any column', async () => {
    await openRanks(stalled);
    await ranks.focus();
    await ranks.press('v');
    await app.page.waitForSelector('.ranks-twin-row[aria-rowindex="2"]');
    await app.page.getByRole('button', { name: 'Role', exact: true }).click();
    await app.page.locator('.ranks-twin-row[aria-rowindex="2"]', { hasText: '37' }).waitFor();
    await app.page.locator('.ranks-twin-scroll').focus();
    await ranks.press('v');
    await ranks.shown();
  });

  it('looks as it was reviewed', async () => {
    await openRanks(stalled, { theme: 'dark' });
    await ranks.focus();
    await ranks.press('Enter');
    await ranks
      .card()
      .getByText(/lines in all$/)
      .waitFor();
    await ranks.card().getByRole('region', { name: 'Stack' }).waitFor();
    for (const [name, theme, width, height] of [
      ['ranks-dark', 'dark', 1440, 900],
      ['ranks-light-1024x640', 'light', 1024, 640],
    ] as const) {
      await setTheme(app.page, theme);
      await resize(app.electron, app.page, width, height);
      await ranks.shown();
      // 64 ranks beside the card: each cell carries its number, at either size.
      await app.page.waitForSelector('.ranks-map[data-numbered="true"]');
      const { difference, tolerance } = await compareShot(app, name);
      expect(difference, name).toBeLessThan(tolerance);
    }
  });

  it('shows ranks without a time by the findings, and says why there is no scrubber', async () => {
    const folder = join(scratch, 'untimed');
    mkdirSync(folder);
    writeFileSync(join(folder, 'train.log'), '[rank0]: ValueError: bad record\n'.repeat(3));
    app = await launchCase(folder);
    await app.page.keyboard.press('Control+5');
    await app.page.getByText('Nothing in this bundle carries a time').waitFor();
    await app.page.getByText(/1 rank, 1 unplaced/).waitFor();
    expect(await app.page.getByRole('slider').count()).toBe(0);
  });
});
