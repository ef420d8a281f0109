import type { Page } from 'playwright-core';

/** An import that runs, or the reason why there is no case. */
export class ImportPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async shown(): Promise<void> {
    await this.#page.waitForSelector('.import');
  }

  async title(): Promise<string> {
    return this.#page.locator('.import-title').innerText();
  }

  async files(): Promise<readonly string[]> {
    return this.#page.locator('.import-file').allInnerTexts();
  }

  async percent(): Promise<number> {
    return Number(await this.#page.getByRole('progressbar', { name: 'Import' }).getAttribute('aria-valuenow'));
  }

  /** Ends the import and keeps nothing. As soon as a file was read, the window asks what is to become of it. */
  async cancel(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Cancel' }).click();
    const discard = this.#page.getByRole('button', { name: 'Discard it' });
    await discard.or(this.#page.getByRole('alert')).first().waitFor();
    if (await discard.isVisible()) await discard.click();
  }

  async press(name: string): Promise<void> {
    await this.#page.getByRole('button', { name, exact: true }).click();
  }

  async hasButton(name: string): Promise<void> {
    await this.#page.getByRole('button', { name, exact: true }).waitFor();
  }

  async soFar(): Promise<string> {
    return this.#page.locator('.import-so-far').innerText();
  }

  /** Title and text of the failure. */
  async failure(): Promise<string> {
    return this.#page.getByRole('alert').innerText();
  }
}
