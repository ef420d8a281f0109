/** Remembers the paths of one bundle, to flag a second member with the same one. */
export class SeenPaths {
  readonly #seen = new Set<string>();

  /** True if `path` was added before. */
  repeats(path: string): boolean {
    if (this.#seen.has(path)) return true;
    this.#seen.add(path);
    return false;
  }
}
