import { afterEach, describe, expect, it } from 'vitest';
import { EvidencePage } from './pages/evidence-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { listScenario } from './support/incidents.ts';
import { type RunningApp, resize } from './support/launch.ts';
import { launchScenario } from './support/scenario.ts';

let app: RunningApp;
afterEach(() => app.close());

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await app.page.keyboard.press(key);
};
const focused = (): Promise<string> =>
  app.page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
  );

describe('without a pointer', () => {
  it('goes from the list to a line of evidence and back', async () => {
    app = await launchScenario(listScenario());
    await app.page.waitForSelector('.case-row');
    await press('/');
    await app.page.keyboard.type('vit-large');
    await press('Tab', 'Tab', 'Tab', 'ArrowDown', 'ArrowUp', 'Enter');
    const overview = new OverviewPage(app.page);
    await overview.shown();
    expect(await app.page.locator('.title-bar-case').innerText()).toMatch(/^vit-large hang/);
    await app.page.locator('[data-evidence="because-3"]').focus();
    await press('Enter');
    const evidence = new EvidencePage(app.page);
    expect(await evidence.selectedLine()).toMatchObject({ number: 43_902, inSight: true });
    await press('ArrowDown');
    expect((await evidence.selectedLine()).number).toBe(43_903);
    await press('PageDown');
    expect((await evidence.selectedLine()).number).toBeGreaterThan(43_910);
    await press('Escape');
    await expect.poll(() => app.page.locator('.raw-line[aria-selected="true"]').count()).toBe(0);
    await press('Escape');
    await expect.poll(() => app.page.locator('.raw-viewer').count()).toBe(0);
    await press('Control+1');
    await overview.shown();
  });

  it('reaches everything that can be done by Tab, each with a visible focus', async () => {
    app = await launchScenario(listScenario());
    await app.page.waitForSelector('.case-row');
    await press('Control+Shift+O');
    await app.page.locator('.case-open').first().click();
    await new OverviewPage(app.page).shown();
    const wanted = await app.page.evaluate(
      () =>
        [...document.querySelectorAll<HTMLElement>('button, input, [tabindex="0"]')].filter(
          (element) => element.tabIndex >= 0 && element.offsetParent !== null,
        ).length,
    );
    const seen = new Set<string>();
    await app.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (let i = 0; i < wanted + 5; i++) {
      await press('Tab');
      const state = await app.page.evaluate(() => {
        const element = document.activeElement as HTMLElement | null;
        if (!element || element === document.body) return null;
        element.dataset['seen'] ??= String(Math.random());
        const style = getComputedStyle(element);
        return {
          id: element.dataset['seen'],
          ring: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
        };
      });
      if (state) {
        seen.add(state.id);
        expect(state.ring).toBe(true);
      }
    }
    expect(seen.size).toBeGreaterThanOrEqual(wanted);
  });

  it('runs commands, opens files and ranks from the palette, and gives the focus back', async () => {
    app = await launchScenario(listScenario());
    await app.page.waitForSelector('.case-row');
    await app.page.locator('.case-open').first().click();
    await new OverviewPage(app.page).shown();
    await app.page.locator('[data-evidence="because-0"]').focus();
    await press('Control+K');
    expect(await focused()).toBe('Search or run a command');
    await press('Escape');
    expect(await app.page.evaluate(() => document.activeElement?.getAttribute('data-evidence'))).toBe('because-0');
    await press('Control+K');
    await app.page.keyboard.type('leases');
    await press('Enter');
    await new EvidencePage(app.page).shown();
    expect(await app.page.locator('.raw-path').innerText()).toBe('leases.yaml');
    await press('Control+K');
    await app.page.keyboard.type('> overview');
    await press('Enter');
    await new OverviewPage(app.page).shown();
    await press('Control+K');
    await app.page.keyboard.type('rank 11');
    expect(await app.page.locator('.palette-item[aria-selected="true"]').innerText()).toMatch(
      /^rank 11\s+vit-large-1, node-d69-1/,
    );
  });

  it('lists its shortcuts, walks the panes, and keeps letters for text fields', async () => {
    app = await launchScenario(listScenario());
    await app.page.waitForSelector('.case-row');
    await press('Shift+?');
    expect(await app.page.getByRole('dialog').innerText()).toMatch(/Go to time, rank, call, line or locator/);
    await press('Escape');
    await expect.poll(() => app.page.getByRole('dialog').count()).toBe(0);
    await app.page.getByRole('textbox', { name: 'Find case' }).fill('');
    await app.page.getByRole('textbox', { name: 'Find case' }).press('Shift+?');
    expect(await app.page.getByRole('dialog').count()).toBe(0);
    await app.page.getByRole('textbox', { name: 'Find case' }).fill('');
    await app.page.locator('.case-open').first().click();
    await new OverviewPage(app.page).shown();
    const panes = new Set<string>();
    for (let i = 0; i < 6; i++) {
      await press('F6');
      panes.add(
        await app.page.evaluate(() => document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane') ?? ''),
      );
    }
    expect([...panes].sort()).toEqual(['context', 'overview', 'rail', 'side', 'status', 'title']);
  });

  it('lets a command have other keys, not those of another one, and brings its own back', async () => {
    app = await launchScenario(listScenario());
    const { page } = app;
    await page.locator('.case-open').first().click();
    await new OverviewPage(page).shown();
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await press('Shift+?');
    await dialog.getByRole('button', { name: /^Change the key of Go to Ranks, Ctrl 5/ }).click();
    await page.keyboard.press('Control+K');
    await dialog.getByText('Ctrl K is: Search or run a command').waitFor();
    await page.keyboard.press('Control+J');
    await dialog.getByRole('button', { name: /^Change the key of Go to Ranks, Ctrl J/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+J');
    await expect.poll(() => page.locator('.rail-item[aria-current="page"]').innerText()).toBe('Ranks');
    await page.keyboard.press('Control+1');
    await page.waitForSelector('.overview');
    await page.keyboard.press('Control+5');
    await page.waitForTimeout(200);
    expect(await page.locator('.rail-item[aria-current="page"]').innerText()).toBe('Overview');
    await press('Shift+?');
    await dialog.getByRole('button', { name: 'Bring back the key of Go to Ranks' }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+5');
    await expect.poll(() => page.locator('.rail-item[aria-current="page"]').innerText()).toBe('Ranks');
  });

  it('has a rail item for every screen', async () => {
    app = await launchScenario(listScenario());
    await app.page.locator('.case-open').first().click();
    await new OverviewPage(app.page).shown();
    const names = await app.page
      .locator('.rail-item')
      .evaluateAll((items) => items.map((item) => item.getAttribute('aria-label')));
    expect(names).toEqual([
      'Overview',
      'Timeline',
      'Calls, Collectives',
      'Logs',
      'Ranks',
      'Clocks',
      'Evidence',
      'Report',
    ]);
  });
});

describe('reflow', () => {
  it.each([
    [1024, 640, 1],
    [1440, 900, 1],
    [1440, 900, 2],
    [1024, 640, 2],
  ])('fits %d × %d at text size %d: nothing is cut off sideways', async (width, height, scale) => {
    app = await launchScenario(listScenario(), { width, height });
    await app.page.waitForSelector('.case-row');
    for (let at = 1; at < scale; at += 0.25) await press('Control+=');
    const sideways = () =>
      app.page.evaluate(() =>
        [
          document.documentElement,
          ...document.querySelectorAll(
            '.cases, .overview-scroll, .overview-side, .title-bar, .status-bar, .evidence-bar, .raw-bar',
          ),
        ]
          .filter((element) => element.scrollWidth > element.clientWidth + 1)
          .map((element) => element.className || element.tagName),
      );
    expect(await sideways()).toEqual([]);
    await app.page.locator('.case-open').first().click();
    await new OverviewPage(app.page).shown();
    expect(await sideways()).toEqual([]);
    await app.page.locator('[data-evidence="because-3"]').click();
    await new EvidencePage(app.page).selectedLine();
    expect(await sideways()).toEqual([]);
  });

  it('keeps theme, text size and place over a restart', async () => {
    app = await launchScenario(listScenario(), { theme: 'light' });
    await press('Control+=');
    await resize(app.electron, app.page, 1200, 700);
    await app.page.waitForTimeout(600);
    await app.page.reload();
    await app.page.waitForSelector('.case-row');
    expect(
      await app.page.evaluate(() => [
        document.documentElement.dataset['theme'],
        document.documentElement.style.getPropertyValue('--text-scale'),
      ]),
    ).toEqual(['light', '1.25']);
  });
});
