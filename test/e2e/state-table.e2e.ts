/** Each state of each screen, driven in the real window; where a state cannot occur, the table says why. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from './support/bundles.ts';
import { launchExamples } from './support/cases.ts';
import { type FaultyApp, launchFaulty } from './support/faults.ts';
import { ALL_SCREENS, CASE_SCREENS, type Cell, STATE_TABLE, STATES } from './support/state-table.ts';
import { COMPARE_STOP, SCREEN_STOPS } from './support/tour.ts';

let app: FaultyApp;
let home: string;

beforeAll(async () => {
  home = scratchFolder();
  app = await launchExamples(home, launchFaulty);
  await viewKept('firstfault:overview/');
  app.page.setDefaultTimeout(25_000);
});
afterAll(async () => {
  await app.close();
  rmSync(home, { recursive: true, force: true });
});

/** The view is kept shortly after it changed: a page loaded again before that would come back to the one before. `part`: of its locator. */
async function viewKept(part: string): Promise<void> {
  await app.page.waitForFunction((text) => sessionStorage.getItem('firstfault-last-view')?.includes(text), part);
}

const driven = (screen: (typeof ALL_SCREENS)[number]) =>
  STATES.flatMap((state) => {
    const cell = STATE_TABLE[screen][state];
    return 'faults' in cell ? [[state, cell] as const] : [];
  });

// The list last: the view that a page comes back to is then the list.
describe.each([...CASE_SCREENS, 'Cases'] as const)('%s', (screen) => {
  beforeAll(async () => {
    app.fault({});
    if (screen === 'Cases') return;
    await app.page.reload();
    await app.page.waitForSelector('.case-shell-body');
    const stop = screen === 'Compare' ? COMPARE_STOP : SCREEN_STOPS.find(({ name }) => name === screen);
    await stop?.go(app);
    await viewKept(screen === 'Compare' ? 'other%22:%22' : `firstfault:${screen.toLowerCase()}/`);
  });

  it.each(driven(screen))('%s', async (_state, { faults, act, at, words, offers = [] }) => {
    app.fault(faults);
    await app.page.reload();
    await act?.(app);
    const place = app.page.locator(at).filter({ hasText: words }).first();
    await place.waitFor({ state: 'attached' });
    for (const name of offers) await app.page.getByRole('button', { name }).first().waitFor();
    // Whatever is wrong on a screen, the others can be reached. A notice may come before the screen is drawn.
    if (screen !== 'Cases') await expect.poll(() => app.page.locator('.rail-item').count()).toBe(8);
    app.fault({});
  });
});

describe('the table', () => {
  const cells = ALL_SCREENS.flatMap((screen) =>
    STATES.map((state) => [`${screen}, ${state}`, STATE_TABLE[screen][state]] as [string, Cell]),
  );

  it('names tests that exist, and reasons in words', () => {
    const wrong = cells.flatMap(([name, cell]) => {
      if ('never' in cell) return cell.never.length > 20 ? [] : [`${name}: no reason`];
      if ('faults' in cell) return [];
      const [file, title] = cell.elsewhere;
      return readFileSync(join(import.meta.dirname, file), 'utf8').includes(`'${title}'`)
        ? []
        : [`${name}: no test “${title}” in ${file}`];
    });
    expect(wrong).toEqual([]);
  });
});
