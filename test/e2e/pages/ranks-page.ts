import type { Page } from 'playwright-core';
import { DrawnPage } from './drawn-page.ts';

/** The map of ranks. */
export class RanksPage extends DrawnPage {
  constructor(page: Page) {
    super(page, { stage: '.ranks-map', canvas: '.ranks-canvas', speech: 'ranks-speech' });
  }

  async open(): Promise<void> {
    await this.page.keyboard.press('Control+5');
    await this.shown();
  }

  async shown(): Promise<void> {
    await this.page.waitForSelector('.ranks-map[data-moment]');
  }

  /** `state → number of ranks`, from the table below the map. */
  async counts(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.page.locator('.ranks-legend-row[data-look]').all();
    const found = new Map<string, number>();
    for (const row of rows) {
      const name = await row.locator('.ranks-legend-pick').innerText();
      const count = await row.getByTestId('legend-count').innerText();
      found.set(name, Number(count.replace(/\D/g, '')));
    }
    return found;
  }

  async waitFor(row: RegExp): Promise<void> {
    await this.page.locator('.ranks-legend-pick', { hasText: row }).first().waitFor();
  }

  moment(): Promise<string> {
    return this.page.getByTestId('ranks-moment').innerText();
  }

  slider() {
    return this.page.getByRole('slider', { name: 'Moment' });
  }

  card() {
    return this.page.locator('.rank-card');
  }

  async cellSize(): Promise<number> {
    return Number(await this.stage().getAttribute('data-size'));
  }
}
