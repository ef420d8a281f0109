/** Texts by index, each once. */
export class StringTable {
  readonly list: string[] = [];
  readonly #index = new Map<string, number>();

  of(text: string): number {
    const known = this.#index.get(text);
    if (known !== undefined) return known;
    const index = this.list.push(text) - 1;
    this.#index.set(text, index);
    return index;
  }
}
