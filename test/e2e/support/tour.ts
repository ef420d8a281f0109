/** Every place of the window by its keys: screens, modes, panes and layers. One list for all tests that must leave none out. */
import type { RunningApp } from './launch.ts';
import { settled } from './settled.ts';

export interface Stop {
  readonly name: string;
  /** From any screen of a case to there. */
  readonly go: (app: RunningApp) => Promise<void>;
  /** Back to a screen of the case; nothing to do for a screen. */
  readonly leave?: (app: RunningApp) => Promise<void>;
}

/** What is there when a screen has its content. */
export const SCREENS = [
  ['Overview', '.verdict-statement'],
  ['Timeline', '.timeline-stage[data-loading="false"]'],
  ['Collectives', '.sets-row .call-cell, .chain-row, .collectives .empty'],
  ['Logs', '.log-row[data-level]'],
  ['Ranks', '.ranks canvas, .ranks-map'],
  ['Clocks', '.clocks-main'],
  ['Evidence', '.file-row'],
  ['Report', '.paper-pages[data-complete="true"]'],
] as const;

const press = (app: RunningApp, keys: string): Promise<void> => app.page.keyboard.press(keys);

async function goScreen(app: RunningApp, index: number): Promise<void> {
  const [name, ready] = SCREENS[index] ?? SCREENS[0];
  await press(app, `Control+${index + 1}`);
  await app.page.locator('.rail-item[aria-current="page"]').and(app.page.getByLabel(name)).waitFor();
  await app.page.waitForSelector(ready);
  await settled(app.page);
}

async function closeLayer(app: RunningApp): Promise<void> {
  await press(app, 'Escape');
  await app.page.waitForFunction(() => document.querySelector('[role="dialog"], [role="menu"]') === null);
}

/** Runs a command of the palette by its words. */
export async function runCommand(app: RunningApp, words: string): Promise<void> {
  await press(app, 'Control+K');
  await app.page.getByRole('combobox').fill(words);
  await app.page.waitForSelector('.palette-item');
  await press(app, 'Enter');
}

export const SCREEN_STOPS: readonly Stop[] = SCREENS.map(([name], index) => ({
  name,
  go: (app) => goScreen(app, index),
}));

/** Other forms of the screens: twins, panes and details. */
export const PANE_STOPS: readonly Stop[] = [
  {
    name: 'Timeline table',
    go: async (app) => {
      await goScreen(app, 1);
      await app.page.locator('.timeline-stage').focus();
      await press(app, 'v');
      await app.page.waitForSelector('.lane-table [role="row"]');
    },
    leave: (app) => press(app, 'v'),
  },
  {
    name: 'Ranks table',
    go: async (app) => {
      await goScreen(app, 4);
      await app.page.getByRole('radio', { name: /^Table/ }).click();
      await app.page.waitForSelector('.ranks [role="grid"]');
    },
    leave: async (app) => app.page.getByRole('radio', { name: 'Map', exact: true }).click(),
  },
  {
    name: 'SQL',
    go: async (app) => {
      await goScreen(app, 3);
      await app.page.getByRole('button', { name: 'SQL' }).click();
      await app.page.waitForSelector('.logs[data-sql="true"]');
    },
    leave: async (app) => app.page.getByRole('button', { name: 'SQL' }).click(),
  },
  {
    name: 'Log context',
    go: async (app) => {
      await goScreen(app, 3);
      await press(app, 'Control+F');
      await press(app, 'Enter');
      await press(app, 'Home');
      await press(app, 'c');
      await app.page.waitForSelector('.log-detail-bar');
    },
    leave: async (app) => {
      const bar = app.page.locator('.log-detail-bar');
      await bar.getByRole('button', { name: 'Close' }).click();
      await bar.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'Raw viewer',
    go: async (app) => {
      await goScreen(app, 6);
      await app.page.locator('.file-row').first().click();
      await app.page.waitForSelector('.raw-viewer, .raw-bar, .raw-status');
    },
  },
  {
    name: 'Reply',
    go: async (app) => {
      await goScreen(app, 7);
      await app.page.getByRole('button', { name: 'Reply to the sender' }).click();
      await app.page.waitForSelector('.reply-panel, textarea');
    },
    leave: async (app) => app.page.getByRole('button', { name: 'Reply to the sender' }).first().click(),
  },
  {
    name: 'Inspector',
    go: async (app) => {
      await goScreen(app, 0);
      await press(app, 'Control+G');
      await app.page.getByRole('combobox', { name: 'Go to' }).fill('rank 3');
      await press(app, 'Enter');
      await app.page.waitForSelector('.inspector');
    },
    leave: (app) => press(app, 'i'),
  },
];

const layer = (name: string, open: (app: RunningApp) => Promise<void>): Stop => ({
  name,
  go: async (app) => {
    await goScreen(app, 0);
    await open(app);
    await app.page.waitForSelector('[role="dialog"], [role="menu"]');
    // Half-way colours are not those of the layer.
    await settled(app.page);
  },
  leave: closeLayer,
});

/** What lies over a screen: palette, dialogs, menus, help. */
export const LAYER_STOPS: readonly Stop[] = [
  layer('Palette', async (app) => {
    await press(app, 'Control+K');
    await app.page.getByRole('combobox').fill('rank 1');
    await app.page.waitForSelector('.palette-item');
  }),
  layer('Go to', (app) => press(app, 'Control+G')),
  layer('Note', (app) => press(app, 'Control+E')),
  layer('Help', (app) => press(app, 'F1')),
  layer('Shortcuts', (app) => press(app, '?')),
  layer('About', (app) => runCommand(app, 'about firstfault')),
  layer('Ask', (app) => runCommand(app, 'ask for what is missing')),
  layer('Range', (app) => app.page.locator('.context-button').first().click()),
  layer('Rank filter', (app) => app.page.locator('.context-add').click()),
  layer('More', (app) => app.page.getByRole('button', { name: 'More' }).click()),
];

/** Beside another case of the list, and back. Needs two cases. */
export const COMPARE_STOP: Stop = {
  name: 'Compare',
  go: async (app) => {
    await goScreen(app, 0);
    await runCommand(app, 'compare with another');
    const choice = app.page.locator('.compare-case').first();
    const table = app.page.locator('.compare-row[data-key="cause"]');
    await choice.or(table).first().waitFor();
    if (await choice.isVisible()) await choice.click();
    await table.waitFor();
    await settled(app.page);
  },
};
