import type { ElectronApplication, Page } from 'playwright-core';

/** The case list, or what stands there before the first case. */
export class CasesPage {
  readonly #page: Page;
  readonly #electron: ElectronApplication;

  constructor(page: Page, electron: ElectronApplication) {
    this.#page = page;
    this.#electron = electron;
  }

  async isFirstRun(): Promise<boolean> {
    await this.#page.waitForSelector('.drop-area');
    return this.#page.getByRole('heading', { name: 'Drop a bundle to find the rank that failed first' }).isVisible();
  }

  /** Answers the system's dialog with these paths, or as the user who closes it. */
  async answerDialog(paths: readonly string[] | null): Promise<void> {
    await this.#electron.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = () =>
        Promise.resolve({ canceled: chosen === null, filePaths: chosen === null ? [] : [...chosen] });
    }, paths);
  }

  async openByKey(): Promise<void> {
    await this.#page.keyboard.press('Control+O');
  }

  async openExample(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Open the example case' }).click();
  }

  /** Drops a file of the disk on the window, as a real `File` with its path. */
  async drop(path: string): Promise<void> {
    await this.#page.evaluate(() => {
      const field = document.createElement('input');
      field.type = 'file';
      field.id = 'drop-source';
      document.body.append(field);
    });
    await this.#page.setInputFiles('#drop-source', path);
    await this.#page.evaluate(() => {
      const field = document.querySelector<HTMLInputElement>('#drop-source');
      const transfer = new DataTransfer();
      for (const file of field?.files ?? []) transfer.items.add(file);
      field?.remove();
      for (const type of ['dragenter', 'dragover', 'drop']) {
        window.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }
    });
  }

  async rows(): Promise<readonly string[]> {
    await this.#page.waitForSelector('.case-row');
    return this.#page.locator('.case-row').allInnerTexts();
  }

  async open(name: string | RegExp): Promise<void> {
    await this.#page.locator('.case-open').filter({ hasText: name }).click();
  }
}
