import type { Locator, Page } from 'playwright-core';

export class ReportPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.keyboard.press('Control+8');
    await this.page.waitForSelector('.paper-pages[data-complete="true"], .report .empty');
  }

  section(title: string): Locator {
    return this.page.getByRole('option', { name: new RegExp(`^${title}`) });
  }

  /** Brings a section into view: pages out of sight have no text. */
  async bring(title: string): Promise<void> {
    await this.page.waitForSelector('.paper-pages[data-complete="true"]');
    await this.section(title).click();
  }

  async order(): Promise<string[]> {
    const rows = await this.page.getByRole('option').all();
    return Promise.all(rows.map(async (row) => (await row.getAttribute('data-row')) ?? ''));
  }

  paper(): Promise<string> {
    return this.page.locator('.report-preview').innerText();
  }

  head(): Promise<string> {
    return this.page.locator('.report-redaction .report-head').innerText();
  }

  button(name: string | RegExp): Locator {
    return this.page.locator('.export-buttons').getByRole('button', { name });
  }
}
