import type { Page } from 'playwright-core';

/** The Clocks screen as a user reads it. */
export class ClocksPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async open(): Promise<void> {
    await this.#page.keyboard.press('Control+6');
    await this.#page.waitForSelector('.clocks .clock-table');
  }

  /** Cells of each row that is in sight, by clock. */
  async rows(): Promise<readonly string[][]> {
    const rows = await this.#page.locator('.clock-row-line').all();
    return Promise.all(rows.map((row) => row.locator('[role="gridcell"]').allInnerTexts()));
  }

  async row(clock: string): Promise<readonly string[]> {
    return (await this.rows()).find(([name]) => name?.replace(/\s/g, '') === clock.replace(/\s/g, '')) ?? [];
  }

  chosen(): Promise<string> {
    return this.#page
      .locator('.clock-row-line[aria-selected="true"] .clock-name')
      .getAttribute('title')
      .then((text) => text ?? '');
  }

  table() {
    return this.#page.getByRole('grid', { name: 'Clocks' });
  }

  order(): Promise<string> {
    return this.#page.locator('.clocks-order').innerText();
  }

  statements(): Promise<string> {
    return this.#page.locator('.clocks-statements').innerText();
  }

  /** The piece of evidence that is shown, as one line. */
  async evidence(): Promise<string> {
    return (await this.#page.locator('.anchor-shown').innerText()).replace(/\s+/g, ' ');
  }

  anchors(): Promise<readonly string[]> {
    return this.#page.locator('.anchor-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('title') ?? ''));
  }

  drawingSummary(): Promise<string> {
    return this.#page
      .locator('.clock-bands')
      .getAttribute('aria-label')
      .then((text) => text ?? '');
  }
}
