import type { Page } from 'playwright-core';

/** The lanes over time. */
export class TimelinePage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async open(): Promise<void> {
    await this.#page.keyboard.press('Control+2');
    await this.shown();
  }

  async shown(): Promise<void> {
    await this.#page.waitForSelector('.timeline-stage[data-loading="false"]');
  }

  async focus(): Promise<void> {
    await this.#page.locator('.timeline-stage').focus();
  }

  /** What a screen reader hears of the focused thing. */
  speech(): Promise<string> {
    return this.#page.getByTestId('timeline-speech').innerText();
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Waits until the focused thing is spoken so. */
  async speaks(words: RegExp): Promise<string> {
    await this.#page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector('[data-testid="timeline-speech"]')?.textContent ?? ''),
      words.source,
    );
    return this.speech();
  }

  legend(): Promise<string> {
    return this.#page.locator('.timeline-legend').innerText();
  }

  tier(): Promise<string | null> {
    return this.#page.locator('.timeline-stage').getAttribute('data-tier');
  }

  /** Rows of the table twin as text; empty while the drawing is shown. */
  async tableRows(): Promise<string[]> {
    const rows = await this.#page.locator('.lane-table [role="row"]').all();
    return Promise.all(rows.map(async (row) => (await row.innerText()).replace(/\s+/g, ' ').trim()));
  }

  /** Share of drawn pixels in the colour of a token, over the lanes alone; 0 = none. */
  colourShare(token: string): Promise<number> {
    return this.#page.evaluate((name) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.timeline-canvas');
      const on = canvas?.getContext('2d');
      if (!canvas || !on) return 0;
      const probe = document.createElement('canvas').getContext('2d');
      if (!probe) return 0;
      probe.fillStyle = getComputedStyle(canvas).getPropertyValue(name);
      probe.fillRect(0, 0, 1, 1);
      const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
      const { data } = on.getImageData(0, 0, canvas.width, canvas.height);
      let found = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] === r && data[i + 1] === g && data[i + 2] === b) found++;
      return found / (data.length / 4);
    }, token);
  }

  /** Drags over the lanes, px from the corner of the stage. */
  async drag(
    from: { readonly x: number; readonly y: number },
    to: { readonly x: number; readonly y: number },
  ): Promise<void> {
    const box = await this.#page.locator('.timeline-stage').boundingBox();
    if (box === null) throw new Error('no lanes on screen');
    await this.#page.mouse.move(box.x + from.x, box.y + from.y);
    await this.#page.mouse.down();
    await this.#page.mouse.move(box.x + (from.x + to.x) / 2, box.y + (from.y + to.y) / 2);
    await this.#page.mouse.move(box.x + to.x, box.y + to.y);
    await this.#page.mouse.up();
  }

  async hover(x: number, y: number): Promise<string> {
    const box = await this.#page.locator('.timeline-stage').boundingBox();
    if (box === null) throw new Error('no lanes on screen');
    await this.#page.mouse.move(box.x + x - 2, box.y + y);
    await this.#page.mouse.move(box.x + x, box.y + y);
    return this.#page.locator('.timeline-tooltip').innerText();
  }

  /** Script time of drawn frames, ms, since the page began. */
  frameTimes(): Promise<number[]> {
    return this.#page.evaluate(() => performance.getEntriesByName('timeline-frame').map((entry) => entry.duration));
  }
}
