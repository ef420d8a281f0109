/** axe-core on every place of the window: nothing serious, in three themes and at both sizes. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditAxe, COLOUR_RULES } from './support/axe.ts';
import { scratchFolder } from './support/bundles.ts';
import { launchExamples } from './support/cases.ts';
import { importScenario, listScenario } from './support/incidents.ts';
import { launch, type RunningApp, resize, setTheme } from './support/launch.ts';
import { launchScenario } from './support/scenario.ts';
import { settled } from './support/settled.ts';
import { COMPARE_STOP, LAYER_STOPS, PANE_STOPS, SCREEN_STOPS } from './support/tour.ts';

const STOPS = [...SCREEN_STOPS, ...PANE_STOPS, COMPARE_STOP, ...LAYER_STOPS];
let app: RunningApp;

describe('a case', () => {
  let home: string;
  beforeAll(async () => {
    home = scratchFolder();
    app = await launchExamples(home, launch);
  });
  afterAll(async () => {
    await app.close();
    rmSync(home, { recursive: true, force: true });
  });

  // Every rule once at each size; another theme of the same page differs in its colours alone.
  it.each([
    [1440, 900, 'dark', undefined, STOPS],
    [1440, 900, 'light', COLOUR_RULES, STOPS],
    [1440, 900, 'high-contrast', COLOUR_RULES, STOPS],
    [1024, 640, 'light', undefined, STOPS],
    [1024, 640, 'dark', COLOUR_RULES, SCREEN_STOPS],
    [1024, 640, 'high-contrast', COLOUR_RULES, SCREEN_STOPS],
  ] as const)('%i × %i, %s: nothing serious anywhere', async (width, height, theme, only, stops) => {
    await resize(app.electron, app.page, width, height);
    await setTheme(app.page, theme);
    const found: string[] = [];
    for (const stop of stops) {
      await stop.go(app);
      for (const line of await auditAxe(app.page, only)) found.push(`${stop.name}: ${line}`);
      await stop.leave?.(app);
    }
    expect(found).toEqual([]);
  });
});

describe('without a case', () => {
  it.each(['dark', 'light', 'high-contrast'] as const)('first run, import and case list in %s', async (theme) => {
    app = await launchScenario(importScenario(), { theme });
    const found: string[] = [...(await auditAxe(app.page))];
    await app.page.getByRole('button', { name: 'Open the example case' }).click();
    await app.page.waitForSelector('.import-file');
    found.push(...(await auditAxe(app.page)));
    await app.close();
    app = await launchScenario(listScenario(), { theme });
    await app.page.waitForSelector('.case-row');
    found.push(...(await auditAxe(app.page)));
    await app.page.getByRole('button', { name: 'Actions for preempted-run' }).click();
    await app.page.waitForSelector('[role="menu"]');
    await settled(app.page);
    found.push(...(await auditAxe(app.page)));
    await app.page.getByRole('menuitem', { name: 'Delete case…' }).click();
    await app.page.waitForSelector('[role="dialog"]');
    await settled(app.page);
    found.push(...(await auditAxe(app.page)));
    await app.close();
    expect(found).toEqual([]);
  });
});
