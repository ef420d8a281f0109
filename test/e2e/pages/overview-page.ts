import type { Page } from 'playwright-core';

/** The verdict and everything under it. */
export class OverviewPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async shown(): Promise<void> {
    await this.#page.waitForSelector('.verdict-statement');
  }

  async status(): Promise<string> {
    return this.#page.locator('.verdict-line .status-word').innerText();
  }

  async statement(): Promise<string> {
    return this.#page.locator('.verdict-statement').innerText();
  }

  /** Text of the red chip; null if there is none. */
  async chip(): Promise<string | null> {
    const chip = this.#page.locator('.verdict-chip');
    return (await chip.count()) === 0 ? null : chip.innerText();
  }

  async section(name: string): Promise<string> {
    return this.#page.getByRole('region', { name, exact: true }).innerText();
  }

  async hasSection(name: string): Promise<boolean> {
    return (await this.#page.getByRole('region', { name, exact: true }).count()) > 0;
  }

  /** Items of a section of evidence, by their place in it from 0. */
  async openEvidence(section: string, index: number): Promise<void> {
    await this.#page.getByRole('region', { name: section, exact: true }).locator('.evidence-row').nth(index).click();
  }

  /** The same item in the raw viewer. */
  async openBytes(section: string, index: number): Promise<void> {
    const row = this.#page.getByRole('region', { name: section, exact: true }).locator('.evidence-row').nth(index);
    await row.click({ modifiers: ['Control'] });
  }

  /** Place in its source of each item of a section. */
  async places(section: string): Promise<readonly string[]> {
    return this.#page.getByRole('region', { name: section, exact: true }).locator('.evidence-place').allInnerTexts();
  }

  async scrollTop(): Promise<number> {
    return this.#page.locator('.overview-scroll').evaluate((element) => element.scrollTop);
  }

  async scrollTo(top: number): Promise<void> {
    await this.#page.locator('.overview-scroll').evaluate((element, to) => element.scrollTo(0, to), top);
  }
}
