/** Distinct buckets kept a file; a file that needs more gets coarser ones. 100,000 seconds are 28 hours: chosen. */
const MAX_BUCKETS = 100_000;

/** Lines a second of one file, for histograms: far cheaper to draw than a row a second and rank. */
export class SecondCounts {
  #counts = new Map<number, number>();
  #widthS = 1;
  /** Most lines fall into the bucket of the one before: those are counted here first. */
  #newest = -1;
  #newestLines = 0;
  /** Its ends in ms: [from, to). */
  #newestFrom = 0;
  #newestTo = 0;

  /** `ms` since 1970, of so many lines of one second; NaN is ignored. */
  add(ms: number, lines = 1): void {
    if (ms >= this.#newestFrom && ms < this.#newestTo) {
      this.#newestLines += lines;
      return;
    }
    if (!(ms >= 0)) return;
    this.#takeNewest();
    const widthMs = this.#widthS * 1000;
    this.#newest = Math.floor(ms / widthMs);
    this.#newestFrom = this.#newest * widthMs;
    this.#newestTo = this.#newestFrom + widthMs;
    this.#newestLines = lines;
  }

  #takeNewest(): void {
    if (this.#newestLines === 0) return;
    this.#counts.set(this.#newest, (this.#counts.get(this.#newest) ?? 0) + this.#newestLines);
    this.#newestLines = 0;
    if (this.#counts.size > MAX_BUCKETS) this.#coarsen();
  }

  get widthS(): number {
    return this.#widthS;
  }

  /** Pairs (bucket, lines) as little-endian 32-bit integers, by bucket; undefined if no line had a time. */
  columns(): Buffer | undefined {
    this.#takeNewest();
    if (this.#counts.size === 0) return undefined;
    const pairs = [...this.#counts].sort((a, b) => a[0] - b[0]);
    const out = Buffer.alloc(pairs.length * 8);
    pairs.forEach(([bucket, lines], i) => {
      out.writeUInt32LE(Math.min(bucket, 0xffffffff), i * 8);
      out.writeUInt32LE(Math.min(lines, 0xffffffff), i * 8 + 4);
    });
    return out;
  }

  #coarsen(): void {
    while (this.#counts.size > MAX_BUCKETS) {
      this.#widthS *= 2;
      const wider = new Map<number, number>();
      for (const [bucket, lines] of this.#counts) {
        const half = Math.floor(bucket / 2);
        wider.set(half, (wider.get(half) ?? 0) + lines);
      }
      // Sparse stamps over decades may not shrink by halving; the loop ends since every halving merges neighbours in the end.
      this.#counts = wider;
    }
  }
}
