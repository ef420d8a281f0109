/** Every screen in the three themes and at twice the text size, checked in the real window on the bundled example of 64 ranks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditFocus, auditOverflow, auditPage } from './support/audit.ts';
import { LARGE_EXAMPLE } from './support/bundles.ts';
import { launch, type RunningApp, setTheme } from './support/launch.ts';
import { settled } from './support/settled.ts';

const THEMES = ['dark', 'light', 'high-contrast'] as const;
const SCREENS = ['Overview', 'Timeline', 'Collectives', 'Logs', 'Ranks', 'Clocks', 'Evidence', 'Report'] as const;

let app: RunningApp;
beforeAll(async () => {
  app = await launch({ args: [`--open=${LARGE_EXAMPLE}`] });
  await app.page.waitForSelector('.overview', { timeout: 60_000 });
});
afterAll(async () => {
  expect(app.errors).toEqual([]);
  await app.close();
});

async function show(index: number): Promise<void> {
  await app.page.keyboard.press(`Control+${index + 1}`);
  await app.page.waitForSelector('.case-shell-body');
  await settled(app.page);
}

describe.each(THEMES)('in %s', (theme) => {
  it.each(SCREENS.map((name, index) => [name, index] as const))(
    '%s has names, roles, sizes and contrast',
    async (_name, index) => {
      await setTheme(app.page, theme);
      await show(index);
      expect(await auditPage(app.page)).toEqual([]);
    },
  );
});

describe('by keyboard', () => {
  it.each(SCREENS.map((name, index) => [name, index] as const))(
    '%s shows where the focus is and lets it out again',
    async (_name, index) => {
      await show(index);
      expect(await auditFocus(app.page)).toEqual([]);
    },
  );
});

describe('at twice the text size', () => {
  it.each(SCREENS.map((name, index) => [name, index] as const))('%s loses nothing', async (_name, index) => {
    for (let step = 0; step < 5; step += 1) await app.page.keyboard.press('Control+=');
    await show(index);
    expect(await auditOverflow(app.page)).toEqual([]);
    expect(await auditPage(app.page)).toEqual([]);
    await app.page.keyboard.press('Control+0');
  });
});

describe('layers', () => {
  const open: readonly (readonly [string, () => Promise<void>])[] = [
    ['palette', () => app.page.keyboard.press('Control+K')],
    ['Go to', () => app.page.keyboard.press('Control+G')],
    ['note', () => app.page.keyboard.press('Control+E')],
    ['help', () => app.page.keyboard.press('F1')],
    ['shortcuts', () => app.page.keyboard.press('?')],
    ['range', () => app.page.locator('.context-button').first().click()],
    ['ranks', () => app.page.locator('.context-add').click()],
    ['menu', () => app.page.getByRole('button', { name: 'More' }).click()],
  ];
  it.each(open)('%s is named, readable and given back', async (_name, act) => {
    await show(0);
    await app.page.locator('.rail-item').first().focus();
    await act();
    await app.page.waitForSelector('[role="dialog"], [role="menu"]');
    expect(await auditPage(app.page)).toEqual([]);
    await app.page.keyboard.press('Escape');
    await expect.poll(() => app.page.locator('[role="dialog"], [role="menu"]').count()).toBe(0);
    expect(await app.page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  });

  it('inspector: names, sizes, contrast, and a way by keys', async () => {
    await show(0);
    await app.page.keyboard.press('Control+G');
    await app.page.getByRole('combobox', { name: 'Go to' }).fill('rank 3');
    await app.page.keyboard.press('Enter');
    await app.page.waitForSelector('.inspector');
    expect(await auditPage(app.page)).toEqual([]);
    await app.page.keyboard.press('i');
  });
});

describe('what the system asks for', () => {
  it('reduced motion: nothing takes time', async () => {
    await app.page.emulateMedia({ reducedMotion: 'reduce' });
    await show(0);
    const moving = await app.page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) => {
          const style = getComputedStyle(element);
          const times = `${style.transitionDuration}, ${style.animationDuration}`.split(', ');
          return times.some((time) => Number.parseFloat(time) > 0);
        })
        .map((element) => element.className),
    );
    expect(moving).toEqual([]);
    await app.page.emulateMedia({ reducedMotion: 'no-preference' });
  });

  it('forced colours: what was told by a fill keeps an outline', async () => {
    await app.page.emulateMedia({ forcedColors: 'active' });
    await show(0);
    const bare = await app.page.evaluate(() =>
      [...document.querySelectorAll('.rank-chip, .verdict-chip, .button, .rail-item[aria-current="page"]')]
        .filter((element) => element.checkVisibility())
        .filter((element) => {
          const style = getComputedStyle(element);
          const mark = getComputedStyle(element, '::before');
          return Number.parseFloat(style.borderTopWidth) < 1 && Number.parseFloat(mark.width) < 2;
        })
        .map((element) => element.className),
    );
    expect(bare).toEqual([]);
    await app.page.emulateMedia({ forcedColors: 'none' });
  });
});
