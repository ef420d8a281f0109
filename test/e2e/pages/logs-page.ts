import type { Page } from 'playwright-core';

/** Thin spaces part groups of digits; tests write plain ones. */
const plain = (text: string): string => text.replace(/[\u2009\u202f\u00a0]/g, ' ');

export class LogsPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async open(): Promise<void> {
    await this.#page.waitForSelector('.rail');
    await this.#page.keyboard.press('Control+4');
    await this.#page.waitForSelector('.log-row[data-level]');
    await this.#page.getByText('all text searched').waitFor();
  }

  async search(query: string): Promise<void> {
    await this.#page.getByLabel('Search logs').fill(query);
    await this.#page.waitForTimeout(300);
  }

  async query(): Promise<string> {
    return await this.#page.getByLabel('Search logs').inputValue();
  }

  async count(): Promise<string> {
    return plain(await this.#page.locator('.logs-counts strong').innerText());
  }

  async hits(): Promise<readonly string[]> {
    return await this.#page.locator('.log-hit').allInnerTexts();
  }

  async folds(): Promise<number> {
    return await this.#page.locator('.log-fold-words').count();
  }

  async selected(): Promise<string> {
    return await this.#page.locator('.log-row[aria-selected="true"] .log-text').innerText();
  }

  async detail(): Promise<string> {
    return plain(await this.#page.locator('.log-detail-bar').innerText());
  }

  /** Number of the line as it stands beside it. */
  async detailLine(): Promise<string> {
    return await this.#page.locator('.log-context-line[data-own="true"] > span').first().innerText();
  }

  async stars(): Promise<number> {
    return await this.#page.locator('.log-star svg').count();
  }

  async queryError(): Promise<string> {
    return await this.#page.locator('.logs-query-error').innerText();
  }

  async dropButtons(): Promise<readonly string[]> {
    return await this.#page.getByRole('button', { name: /^Drop / }).allInnerTexts();
  }

  async text(): Promise<string> {
    return (await this.#page.locator('.log-text').allInnerTexts()).join('\n');
  }
}
