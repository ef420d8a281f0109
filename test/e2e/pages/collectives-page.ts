import type { ElectronApplication, Page } from 'playwright-core';

/** Calls of all groups, one group by sets of ranks, the picture of ranks by calls. */
export class CollectivesPage {
  readonly #page: Page;
  readonly #electron: ElectronApplication;

  constructor(page: Page, electron: ElectronApplication) {
    this.#page = page;
    this.#electron = electron;
  }

  async open(): Promise<void> {
    await this.#page.keyboard.press('Control+3');
    await this.shown();
  }

  async shown(): Promise<void> {
    await this.#page.waitForSelector('.sets-table .sets-row .call-cell, .collectives-state');
  }

  /** `A, 12 ranks|wait|0–5, 7–10` */
  async heads(): Promise<readonly string[]> {
    return this.#page
      .locator('.set-head[data-look]')
      .evaluateAll((heads) =>
        heads.map((head) =>
          [...head.querySelectorAll('strong, .rank-chip, .set-sub')].map((part) => part.textContent ?? '').join('|'),
        ),
      );
  }

  /** Label and cells of the framed row. */
  async focusRow(): Promise<readonly string[]> {
    return this.#page
      .locator('.sets-row[data-focus]')
      .first()
      .locator('.sets-call, .call-cell')
      .evaluateAll((cells) => cells.map((cell) => (cell.textContent ?? '').trim()));
  }

  async focusInSight(): Promise<boolean> {
    return this.#page
      .locator('.sets-row[data-focus]')
      .first()
      .evaluate((row) => {
        const view = row.closest('.sets-table')?.getBoundingClientRect();
        const box = row.getBoundingClientRect();
        return view !== undefined && box.top >= view.top && box.bottom <= view.bottom;
      });
  }

  async labels(): Promise<readonly string[]> {
    return this.#page.locator('.sets-row .sets-call').allInnerTexts();
  }

  async alignBy(what: 'sequence' | 'time'): Promise<void> {
    await this.#page.getByRole('button', { name: /^align by/ }).click();
    await this.#page.getByRole('menuitemradio', { name: what, exact: true }).click();
  }

  /** When each row in sight was entered, as it stands there. */
  async entered(): Promise<readonly string[]> {
    return this.#page.locator('.sets-row[aria-rowindex] .sets-time').allInnerTexts();
  }

  /** `op|all_reduce|broadcast|≠ differs` */
  async detail(): Promise<readonly string[]> {
    await this.#page.waitForSelector('.call-detail-grid .detail-row[data-mark]');
    return this.#page
      .locator('.detail-row[data-mark]')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.children].map((part) => (part.textContent ?? '').trim()).join('|')),
      );
  }

  async chain(): Promise<readonly string[]> {
    return this.#page.locator('.chain-row').evaluateAll((rows) => rows.map((row) => row.textContent ?? ''));
  }

  async openChain(index: number): Promise<void> {
    await this.#page.locator('.chain-row').nth(index).click();
    await this.#page.waitForSelector('.call-detail');
  }

  async steps(): Promise<readonly string[]> {
    return this.#page.locator('.step').allInnerTexts();
  }

  async focusTable(): Promise<void> {
    await this.#page.locator('.sets-table').focus();
  }

  async spoken(): Promise<string> {
    return this.#page.locator('.sets-table + [aria-live]').innerText();
  }

  async banners(): Promise<readonly string[]> {
    return this.#page.locator('.collectives .banner').allInnerTexts();
  }

  async copied(): Promise<string> {
    await this.#page.getByRole('button', { name: 'Copy the table as text' }).click();
    return this.#electron.evaluate(({ clipboard }) => clipboard.readText());
  }

  async choose(label: string, option: string): Promise<void> {
    await this.#page.locator('.collectives-bar .choice', { hasText: label }).click();
    await this.#page.getByRole('menuitemradio', { name: option }).click();
  }
}
