import type { Page } from 'playwright-core';
import { DrawnPage } from './drawn-page.ts';

/** The lanes over time. */
export class TimelinePage extends DrawnPage {
  constructor(page: Page) {
    super(page, { stage: '.timeline-stage', canvas: '.timeline-canvas', speech: 'timeline-speech' });
  }

  async open(): Promise<void> {
    await this.page.keyboard.press('Control+2');
    await this.shown();
  }

  async shown(): Promise<void> {
    await this.page.waitForSelector('.timeline-stage[data-loading="false"]');
  }

  legend(): Promise<string> {
    return this.page.locator('.timeline-legend').innerText();
  }

  tier(): Promise<string | null> {
    return this.stage().getAttribute('data-tier');
  }

  /** Rows of the table twin as text; empty while the drawing is shown. */
  async tableRows(): Promise<string[]> {
    const rows = await this.page.locator('.lane-table [role="row"]').all();
    return Promise.all(rows.map(async (row) => (await row.innerText()).replace(/\s+/g, ' ').trim()));
  }

  /** Drags over the lanes, px from the corner of the stage. */
  async drag(
    from: { readonly x: number; readonly y: number },
    to: { readonly x: number; readonly y: number },
  ): Promise<void> {
    const box = await this.stage().boundingBox();
    if (box === null) throw new Error('no lanes on screen');
    await this.page.mouse.move(box.x + from.x, box.y + from.y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + (from.x + to.x) / 2, box.y + (from.y + to.y) / 2);
    await this.page.mouse.move(box.x + to.x, box.y + to.y);
    await this.page.mouse.up();
  }

  async hover(x: number, y: number): Promise<string> {
    const box = await this.stage().boundingBox();
    if (box === null) throw new Error('no lanes on screen');
    await this.page.mouse.move(box.x + x - 2, box.y + y);
    await this.page.mouse.move(box.x + x, box.y + y);
    return this.page.locator('.timeline-tooltip').innerText();
  }

  /** Script time of drawn frames, ms, since the page began. */
  frameTimes(): Promise<number[]> {
    return this.page.evaluate(() => performance.getEntriesByName('timeline-frame').map((entry) => entry.duration));
  }
}
