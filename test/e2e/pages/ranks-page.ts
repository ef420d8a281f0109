import type { Page } from 'playwright-core';

/** The map of ranks. */
export class RanksPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async open(): Promise<void> {
    await this.#page.keyboard.press('Control+5');
    await this.shown();
  }

  async shown(): Promise<void> {
    await this.#page.waitForSelector('.ranks-map[data-moment]');
  }

  async focus(): Promise<void> {
    await this.#page.locator('.ranks-map').focus();
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Waits until the rank in focus is spoken so. */
  async speaks(words: RegExp): Promise<string> {
    await this.#page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector('[data-testid="ranks-speech"]')?.textContent ?? ''),
      words.source,
    );
    return (await this.#page.getByTestId('ranks-speech').textContent()) ?? '';
  }

  /** `state → number of ranks`, from the table below the map. */
  async counts(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#page.locator('.ranks-legend-row[data-look]').all();
    const found = new Map<string, number>();
    for (const row of rows) {
      const name = await row.locator('.ranks-legend-pick').innerText();
      const count = await row.getByTestId('legend-count').innerText();
      found.set(name, Number(count.replace(/\D/g, '')));
    }
    return found;
  }

  async waitFor(row: RegExp): Promise<void> {
    await this.#page.locator('.ranks-legend-pick', { hasText: row }).first().waitFor();
  }

  moment(): Promise<string> {
    return this.#page.getByTestId('ranks-moment').innerText();
  }

  slider() {
    return this.#page.getByRole('slider', { name: 'Moment' });
  }

  card() {
    return this.#page.locator('.rank-card');
  }

  async cellSize(): Promise<number> {
    return Number(await this.#page.locator('.ranks-map').getAttribute('data-size'));
  }

  /** Share of the map in the colour of a token. */
  colourShare(token: string): Promise<number> {
    return this.#page.evaluate((name) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.ranks-canvas');
      const on = canvas?.getContext('2d');
      const probe = document.createElement('canvas').getContext('2d');
      if (!canvas || !on || !probe) return 0;
      probe.fillStyle = getComputedStyle(canvas).getPropertyValue(name);
      probe.fillRect(0, 0, 1, 1);
      const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
      const { data } = on.getImageData(0, 0, canvas.width, canvas.height);
      let found = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] === r && data[i + 1] === g && data[i + 2] === b) found++;
      return found / (data.length / 4);
    }, token);
  }
}
