/**
 * Any rows of the merged list, exactly, without an index of lines: only the blocks around the wanted rows are read.
 *
 *   blocks that end before Ta     all their matches are before the window: counted, not read
 *   blocks that touch [Ta, Tb)    read, their matches sorted by key
 *   blocks that begin after Tb    all behind the window
 *
 * Ta is the latest moment before which at most `from` rows can lie, Tb the earliest before which at least `from + rows` must. Both come
 * from the spans of the blocks alone. Order: key, then file, then place in the file. Cost: about two blocks a file that writes then.
 */
import { BlockFacts, BlockLines, type KeyedFacts } from './block-lines.ts';
import { type Basis, type CaseIndex, shiftOf } from './case-index.ts';
import { hasBit } from './scan-block.ts';
import type { RunHits } from './search-run.ts';

export interface RowRef {
  readonly block: number;
  /** Index in the block. */
  readonly line: number;
  /** On the basis. */
  readonly keyNs: number;
}

/** Lines of a block that was read, with their facts. */
export interface ReadBlock {
  readonly lines: BlockLines;
  readonly facts: readonly KeyedFacts[];
}

/** A window of 64 files needs about 128. 200 KB each. */
const MAX_CACHED = 200;

/** Blocks that were read last. */
export class BlockCache {
  readonly #index: CaseIndex;
  readonly #kept = new Map<number, ReadBlock>();

  constructor(index: CaseIndex) {
    this.#index = index;
  }

  /** Undefined if the block is damaged. */
  read(block: number): ReadBlock | undefined {
    const known = this.#kept.get(block);
    if (known !== undefined) {
      this.#kept.delete(block);
      this.#kept.set(block, known);
      return known;
    }
    const bytes = this.#bytes(block);
    if (bytes === undefined) return undefined;
    const lines = new BlockLines(bytes, this.#index, block);
    const reader = new BlockFacts(this.#index, block, lines);
    const facts = Array.from({ length: lines.count }, (): KeyedFacts => reader.next());
    const read = { lines, facts };
    this.#kept.set(block, read);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_CACHED) break;
      this.#kept.delete(oldest);
    }
    return read;
  }

  #bytes(block: number): Buffer | undefined {
    try {
      return this.#index.store.block(this.#index.blocks.id[block] ?? -1);
    } catch (error) {
      if (error instanceof Error && error.name === 'UnreadableBlockError') return undefined;
      throw error;
    }
  }
}

export class MergedWindow {
  readonly #index: CaseIndex;
  readonly #cache: BlockCache;
  readonly #basis: Basis;
  readonly #hits: ReadonlyMap<number, RunHits>;
  /** Blocks with matches, by file and place. */
  readonly #blocks: Int32Array;
  /** First of `#blocks` of each file with matches, and the end. */
  readonly #starts: number[] = [];
  readonly #lo: Float64Array;
  readonly #hi: Float64Array;
  /** Matches in the blocks of the same file before each, and with it. */
  readonly #before: Float64Array;
  readonly total: number;

  constructor(index: CaseIndex, cache: BlockCache, basis: Basis, hits: ReadonlyMap<number, RunHits>) {
    this.#index = index;
    this.#cache = cache;
    this.#basis = basis;
    this.#hits = hits;
    this.#blocks = Int32Array.from(hits.keys()).sort();
    const count = this.#blocks.length;
    this.#lo = new Float64Array(count);
    this.#hi = new Float64Array(count);
    this.#before = new Float64Array(count);
    let file = -1;
    let before = 0;
    let total = 0;
    for (const [at, block] of this.#blocks.entries()) {
      const own = index.blocks.file[block] ?? 0;
      if (own !== file) {
        this.#starts.push(at);
        file = own;
        before = 0;
      }
      const shift = shiftOf(index.files[own], basis);
      this.#lo[at] = (index.blocks.lo[block] ?? 0) - shift;
      this.#hi[at] = (index.blocks.hi[block] ?? 0) - shift;
      this.#before[at] = before;
      const matches = hits.get(block)?.count ?? 0;
      before += matches;
      total += matches;
    }
    this.#starts.push(count);
    this.total = total;
  }

  /** Rows [from, from + rows), as many as there are. */
  rows(from: number, rows: number): readonly RowRef[] {
    if (from >= this.total || rows <= 0) return [];
    const first = this.#search((t) => this.#atMostBefore(t) <= from);
    const last =
      from + rows >= this.total
        ? Number.POSITIVE_INFINITY
        : this.#searchUp((t) => this.#surelyBefore(t) >= from + rows);
    const { base, refs } = this.#read(first, last);
    return refs.slice(from - base, from - base + rows);
  }

  /** Number of the first row at or after a moment; `total` if there is none. */
  rowAt(timeNs: number): number {
    const { base, refs } = this.#read(timeNs, timeNs);
    const at = refs.findIndex((ref) => ref.keyNs >= timeNs);
    return at < 0 ? Math.min(this.total, base + refs.length) : base + at;
  }

  /** Number of the first row at or after a line, in the order of the list. */
  rowOf(block: number, line: number): number {
    const file = this.#index.blocks.file[block] ?? 0;
    const raw = this.#cache.read(block)?.facts[line]?.keyNs ?? this.#index.blocks.lo[block] ?? 0;
    const keyNs = raw - shiftOf(this.#index.files[file], this.#basis);
    const { base, refs } = this.#read(keyNs, keyNs);
    const at = refs.findIndex((ref) => this.#compare(ref, { block, line, keyNs }) >= 0);
    return at < 0 ? Math.min(this.total, base + refs.length) : base + at;
  }

  /** The next line with an error (or a warning) behind a row, or before it; undefined if there is none. Reads few blocks. */
  next(from: RowRef, kind: 'errors' | 'warnings', by: 1 | -1): RowRef | undefined {
    const candidates = [...this.#blocks.keys()]
      .filter((at) => (this.#hits.get(this.#blocks[at] ?? -1)?.[kind] ?? 0) > 0)
      .filter((at) => (by === 1 ? (this.#hi[at] ?? 0) >= from.keyNs : (this.#lo[at] ?? 0) <= from.keyNs))
      .sort((a, b) => (by === 1 ? (this.#lo[a] ?? 0) - (this.#lo[b] ?? 0) : (this.#hi[b] ?? 0) - (this.#hi[a] ?? 0)));
    let best: RowRef | undefined;
    for (const at of candidates) {
      if (best !== undefined && (by === 1 ? (this.#lo[at] ?? 0) > best.keyNs : (this.#hi[at] ?? 0) < best.keyNs)) break;
      const refs: RowRef[] = [];
      this.#collect(this.#blocks[at] ?? 0, refs);
      for (const ref of refs) {
        if (this.#compare(ref, from) * by <= 0 || !this.#isGrave(ref, kind)) continue;
        if (best === undefined || this.#compare(ref, best) * by < 0) best = ref;
      }
    }
    return best;
  }

  #isGrave(ref: RowRef, kind: 'errors' | 'warnings'): boolean {
    const facts = this.#cache.read(ref.block)?.facts[ref.line]?.facts;
    if (facts === undefined || facts.continues) return false;
    const level = facts.level();
    return kind === 'errors' ? level === 'error' || level === 'fatal' : level === 'warn';
  }

  /** Matches and errors over `buckets` equal parts of the rows; placed by block, so good to a block. */
  map(buckets: number): { readonly errors: Uint32Array; readonly warnings: Uint32Array } {
    const errors = new Uint32Array(buckets);
    const warnings = new Uint32Array(buckets);
    const order = [...this.#blocks.keys()].sort((a, b) => (this.#lo[a] ?? 0) - (this.#lo[b] ?? 0));
    let row = 0;
    for (const at of order) {
      const hit = this.#hits.get(this.#blocks[at] ?? -1);
      if (hit === undefined) continue;
      const bucket = Math.min(buckets - 1, Math.floor((row / Math.max(1, this.total)) * buckets));
      errors[bucket] = (errors[bucket] ?? 0) + hit.errors;
      warnings[bucket] = (warnings[bucket] ?? 0) + hit.warnings;
      row += hit.count;
    }
    return { errors, warnings };
  }

  /** Blocks that touch [first, last], both inside; `base` = matches before all of them. */
  #read(first: number, last: number): { readonly base: number; readonly refs: readonly RowRef[] } {
    let base = 0;
    const refs: RowRef[] = [];
    this.#eachFile((start, end) => {
      const from = lowerBound(this.#hi, start, end, first);
      base += this.#countBefore(from, start, end);
      for (let at = from; at < end && (this.#lo[at] ?? 0) <= last; at += 1) this.#collect(this.#blocks[at] ?? 0, refs);
    });
    refs.sort((a, b) => this.#compare(a, b));
    return { base, refs };
  }

  #collect(block: number, refs: RowRef[]): void {
    const hit = this.#hits.get(block);
    const read = this.#cache.read(block);
    if (hit === undefined) return;
    const shift = shiftOf(this.#index.files[this.#index.blocks.file[block] ?? 0], this.#basis);
    const lines = this.#index.blocks.lines[block] ?? 0;
    for (let line = 0; line < lines; line += 1) {
      if (!hasBit(hit.bits, line)) continue;
      refs.push({ block, line, keyNs: (read?.facts[line]?.keyNs ?? this.#index.blocks.lo[block] ?? 0) - shift });
    }
  }

  #compare(a: RowRef, b: RowRef): number {
    return a.keyNs - b.keyNs || a.block - b.block || a.line - b.line;
  }

  #eachFile(visit: (start: number, end: number) => void): void {
    for (let i = 0; i + 1 < this.#starts.length; i += 1) visit(this.#starts[i] ?? 0, this.#starts[i + 1] ?? 0);
  }

  #countBefore(at: number, start: number, end: number): number {
    if (at < end) return this.#before[at] ?? 0;
    if (end <= start) return 0;
    return (this.#before[end - 1] ?? 0) + (this.#hits.get(this.#blocks[end - 1] ?? -1)?.count ?? 0);
  }

  #atMostBefore(t: number): number {
    let rows = 0;
    this.#eachFile((start, end) => {
      rows += this.#countBefore(lowerBound(this.#lo, start, end, t), start, end);
    });
    return rows;
  }

  #surelyBefore(t: number): number {
    let rows = 0;
    this.#eachFile((start, end) => {
      rows += this.#countBefore(lowerBound(this.#hi, start, end, t), start, end);
    });
    return rows;
  }

  /** A late moment for which `holds` is still true; it is true early and false late. */
  #search(holds: (t: number) => boolean): number {
    let [low, high] = this.#ends();
    for (let i = 0; i < HALVINGS; i += 1) {
      const middle = low + (high - low) / 2;
      if (holds(middle)) low = middle;
      else high = middle;
    }
    return low;
  }

  /** An early moment for which `holds` is true already. */
  #searchUp(holds: (t: number) => boolean): number {
    let [low, high] = this.#ends();
    for (let i = 0; i < HALVINGS; i += 1) {
      const middle = low + (high - low) / 2;
      if (holds(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  #ends(): [number, number] {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < this.#blocks.length; at += 1) {
      least = Math.min(least, this.#lo[at] ?? least);
      most = Math.max(most, this.#hi[at] ?? most);
    }
    return [least - 1, most + 2];
  }
}

/** Enough to part nanoseconds of 100 days. */
const HALVINGS = 64;

/** First index in [start, end) whose value is not below `t`. Values rise. */
function lowerBound(values: Float64Array, start: number, end: number, t: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < t) low = middle + 1;
    else high = middle;
  }
  return low;
}
