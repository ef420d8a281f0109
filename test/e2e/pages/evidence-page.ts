import type { Page } from 'playwright-core';

/** The files of a bundle and the raw viewer. */
export class EvidencePage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async shown(): Promise<void> {
    await this.#page.waitForSelector('.file-row');
  }

  async paths(): Promise<readonly string[]> {
    return this.#page
      .locator('.file-row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-path') ?? ''));
  }

  /** What each row of the coverage says. */
  async coverage(): Promise<readonly string[]> {
    return this.#page.locator('.coverage-row').allInnerTexts();
  }

  async openFile(path: string): Promise<void> {
    await this.#page.locator(`.file-row[data-path="${path.replaceAll('"', '\\"')}"]`).click();
  }

  /** Number and text of the highlighted line, once its text is there and it is in sight. */
  async selectedLine(): Promise<{ readonly number: number; readonly text: string; readonly inSight: boolean }> {
    const line = this.#page.locator('.raw-line[aria-selected="true"]');
    await this.#page.waitForFunction(
      () => (document.querySelector('.raw-line[aria-selected="true"] .raw-line-text')?.textContent ?? '').trim() !== '',
    );
    const inSight = await line.evaluate((element) => {
      const view = element.closest('.row-scroller')?.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      return view !== undefined && box.top >= view.top && box.bottom <= view.bottom;
    });
    return {
      number: Number(await line.locator('.raw-line-number').innerText()),
      text: (await line.locator('.raw-line-text').textContent()) ?? '',
      inSight,
    };
  }

  /** `line 13 of 90, byte 1 090` */
  async place(): Promise<string> {
    return this.#page.locator('.raw-bar-end strong').innerText();
  }

  async mode(): Promise<string> {
    return this.#page.locator('.raw-bar [role="radio"][aria-checked="true"]').innerText();
  }

  async content(): Promise<string> {
    return this.#page.locator('.raw-body').innerText();
  }

  async goTo(place: string): Promise<void> {
    await this.#page.keyboard.press('Control+G');
    await this.#page.keyboard.type(place);
    await this.#page.keyboard.press('Enter');
  }
}
