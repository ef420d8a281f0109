/** Waits for what a test means by "a moment later": that the page stands still. */
import type { Page } from 'playwright-core';

/**
 * Nothing loads, fonts are in, whatever moves has come to its end (what moves for ever does not count), and two frames were drawn since:
 * canvases draw in the frame after their answer.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.skeleton, .refreshing') === null);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // A layer's movement begins in the frame in which it is drawn.
    await frame();
    const moves = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
    await Promise.allSettled(moves.map((one) => one.finished));
    await frame();
    await frame();
  });
}
