/** Recorder dumps are decoded in threads inside Electron's utility process, too: the engine's log says how many. */
import { afterEach, describe, expect, it } from 'vitest';
import { launch, type RunningApp } from './support/launch.ts';

/** Of 63. Decoded by the importing thread before the others are started; a few more may be while they start. */
const AT_LEAST = 40;

let app: RunningApp;
afterEach(() => app.close());

describe('threads of the engine', () => {
  it('decode the dumps of a bundle that the window imports', async () => {
    app = await launch();
    const log: string[] = [];
    app.electron.process().stderr?.on('data', (part: Buffer) => log.push(part.toString()));
    await app.page.keyboard.press('Control+K');
    await app.page.getByRole('combobox').fill('example of 64');
    await app.page.keyboard.press('Enter');
    const decoded = (): number =>
      Number(/engine: import: (\d+) recorder dumps decoded in threads/.exec(log.join(''))?.[1] ?? 0);
    await expect.poll(decoded, { timeout: 120_000 }).toBeGreaterThanOrEqual(AT_LEAST);
    expect(app.errors).toEqual([]);
  });
});
