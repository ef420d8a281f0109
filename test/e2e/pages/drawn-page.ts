import type { Page } from 'playwright-core';

/** A screen that is drawn on a canvas: one stage that takes the keys, and a line beside it that a screen reader hears. */
export class DrawnPage {
  protected readonly page: Page;
  readonly #stage: string;
  readonly #canvas: string;
  readonly #speech: string;

  /** `stage`, `canvas`: selectors; `speech`: the test id of what is spoken. */
  constructor(page: Page, parts: { readonly stage: string; readonly canvas: string; readonly speech: string }) {
    this.page = page;
    this.#stage = parts.stage;
    this.#canvas = parts.canvas;
    this.#speech = parts.speech;
  }

  stage() {
    return this.page.locator(this.#stage);
  }

  async focus(): Promise<void> {
    await this.stage().focus();
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** What a screen reader hears of the focused thing. */
  async speech(): Promise<string> {
    return (await this.page.getByTestId(this.#speech).textContent()) ?? '';
  }

  /** Waits until the focused thing is spoken so. */
  async speaks(words: RegExp): Promise<string> {
    await this.page.waitForFunction(
      ({ source, id }) => new RegExp(source).test(document.querySelector(`[data-testid="${id}"]`)?.textContent ?? ''),
      { source: words.source, id: this.#speech },
    );
    return this.speech();
  }

  /** Share of the drawn pixels in the colour of a token; 0 = none. */
  colourShare(token: string): Promise<number> {
    return this.page.evaluate(
      ({ selector, name }) => {
        const canvas = document.querySelector<HTMLCanvasElement>(selector);
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
      },
      { selector: this.#canvas, name: token },
    );
  }
}
