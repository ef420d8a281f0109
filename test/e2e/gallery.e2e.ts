/** Every screen at both sizes, dark and light, on the bundled example of 64 ranks, beside the picture that was reviewed. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from './support/bundles.ts';
import { launchExamples } from './support/cases.ts';
import { launch, type RunningApp, resize, setTheme } from './support/launch.ts';
import { compareShot } from './support/shots.ts';
import { COMPARE_STOP, SCREEN_STOPS } from './support/tour.ts';

/** px: there are many of them. */
const WIDTH = 320;
let app: RunningApp;
let home: string;

beforeAll(async () => {
  home = scratchFolder();
  app = await launchExamples(home, launch);
});
afterAll(async () => {
  await app.close();
  rmSync(home, { recursive: true, force: true });
});

describe.each([
  [1440, 900, 'dark'],
  [1440, 900, 'light'],
  [1024, 640, 'dark'],
  [1024, 640, 'light'],
] as const)('%i × %i, %s', (width, height, theme) => {
  it('every screen looks as it was reviewed', async () => {
    await resize(app.electron, app.page, width, height);
    await setTheme(app.page, theme);
    const other: string[] = [];
    for (const stop of [...SCREEN_STOPS, COMPARE_STOP]) {
      await stop.go(app);
      const name = `gallery/${stop.name.toLowerCase()}-${theme}-${width}`;
      const { difference, tolerance } = await compareShot(app, name, WIDTH);
      if (difference >= tolerance) other.push(`${name}: ${difference.toFixed(1)}`);
    }
    expect(other).toEqual([]);
  });
});
