/**
 * Any rows of the merged list, exactly, without an index of lines: only the blocks around the wanted rows are read.
 *
 *   blocks that end before a moment     all their matches are before it: counted, not read
 *   the block it falls into             read, one a file that writes then
 *   blocks that begin after it          all behind it
 *
 * The moment of a row is guessed from the spans of the blocks and put right by what is read. Order: key, then file, then place in the file.
 */
import type { BlockCache } from './block-cache.ts';
import { BlockRows, lowerBound, type RowRef } from './block-rows.ts';
import { type Basis, type CaseIndex, shiftOf } from './case-index.ts';
import type { RunHits } from './search-run.ts';

export class MergedWindow {
  readonly #index: CaseIndex;
  readonly #cache: BlockCache;
  readonly #basis: Basis;
  readonly #hits: ReadonlyMap<number, RunHits>;
  /** Blocks with matches, by file and place. */
  readonly #blocks: Int32Array;
  /** By index in `#blocks`; those asked for last. */
  readonly #read = new Map<number, BlockRows>();
  #keysHeld = 0;
  /** First of `#blocks` of each file with matches, and the end. */
  readonly #starts: number[] = [];
  readonly #lo: Float64Array;
  readonly #hi: Float64Array;
  /** Matches in the blocks of the same file before each, and with it. */
  readonly #before: Float64Array;
  /** Moments in front of and behind all rows. */
  readonly #ends: readonly [number, number];
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
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
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
      least = Math.min(least, this.#lo[at] ?? least);
      most = Math.max(most, this.#hi[at] ?? most);
      this.#before[at] = before;
      const matches = hits.get(block)?.count ?? 0;
      before += matches;
      total += matches;
    }
    this.#starts.push(count);
    this.#ends = [least - 1, most + 2];
    this.total = total;
  }

  /** Rows [from, from + rows), as many as there are. */
  rows(from: number, rows: number): readonly RowRef[] {
    if (from >= this.total || rows <= 0) return [];
    const to = Math.min(this.total, from + rows);
    this.#prepare(this.#momentAbout(from));
    const begin = this.#momentBefore(from);
    const end = this.#momentBehind(to);
    const base = this.#exactly(begin);
    return this.#refsBetween(begin, end).slice(from - base, to - base);
  }

  /** Number of the first row at or after a moment; `total` if there is none. */
  rowAt(timeNs: number): number {
    this.#prepare(timeNs);
    return Math.min(this.total, this.#exactly(timeNs));
  }

  /** Number of the first row at or after a line, in the order of the list. */
  rowOf(block: number, line: number): number {
    const file = this.#index.blocks.file[block] ?? 0;
    const raw = this.#cache.read(block)?.facts.keyNs(line) ?? this.#index.blocks.lo[block] ?? 0;
    const keyNs = raw - shiftOf(this.#index.files[file], this.#basis);
    const same = this.#refsBetween(keyNs, keyNs);
    const at = same.findIndex((ref) => this.#compare(ref, { block, line, keyNs }) >= 0);
    return Math.min(this.total, this.#exactly(keyNs) + (at < 0 ? same.length : at));
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
      for (const ref of this.#refsOf(at, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)) {
        if (this.#compare(ref, from) * by <= 0 || !this.#isGrave(ref, kind)) continue;
        if (best === undefined || this.#compare(ref, best) * by < 0) best = ref;
      }
    }
    return best;
  }

  #isGrave(ref: RowRef, kind: 'errors' | 'warnings'): boolean {
    const facts = this.#cache.read(ref.block)?.facts;
    if (facts === undefined || facts.continues(ref.line)) return false;
    const level = facts.level(ref.line);
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

  /** The matches of one block. Kept for the next question: most come back to the same blocks. */
  #rowsOf(at: number): BlockRows {
    const known = this.#read.get(at);
    if (known !== undefined) {
      this.#read.delete(at);
      this.#read.set(at, known);
      return known;
    }
    const block = this.#blocks[at] ?? 0;
    const rows = new BlockRows(this.#index, this.#cache, this.#basis, block, this.#hits.get(block) ?? NO_HITS);
    this.#read.set(at, rows);
    this.#keysHeld += rows.lines;
    for (const [oldest, old] of this.#read) {
      if (this.#keysHeld <= MAX_KEYS || oldest === at) break;
      this.#read.delete(oldest);
      this.#keysHeld -= old.lines;
    }
    return rows;
  }

  /** Rows with keys in [first, last], both inside, in the order of the list. */
  #refsBetween(first: number, last: number): RowRef[] {
    const refs: RowRef[] = [];
    this.#eachFile((start, end) => {
      for (let at = lowerBound(this.#hi, start, end, first); at < end && (this.#lo[at] ?? 0) <= last; at += 1)
        for (const ref of this.#refsOf(at, first, last)) refs.push(ref);
    });
    return refs.sort((a, b) => this.#compare(a, b));
  }

  #refsOf(at: number, first: number, last: number): RowRef[] {
    return this.#rowsOf(at).between(first, last);
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

  /** Reads the blocks that a moment falls into together. */
  #prepare(t: number): void {
    const blocks: number[] = [];
    this.#eachFile((start, end) => {
      const at = lowerBound(this.#hi, start, end, t);
      if (at < end && (this.#lo[at] ?? 0) < t) blocks.push(this.#blocks[at] ?? 0);
    });
    this.#cache.prepare(blocks);
  }

  /** Rows in front of a moment. Reads at most one block a file. */
  #exactly(t: number): number {
    return this.#countTo(t, (at) => this.#rowsOf(at).before(t));
  }

  /** The same without reading: as if the rows of a block were spread evenly over its time. */
  #about(t: number): number {
    return this.#countTo(t, (at) => {
      const lo = this.#lo[at] ?? 0;
      const share = (t - lo) / Math.max(1, (this.#hi[at] ?? lo) - lo);
      return share * (this.#hits.get(this.#blocks[at] ?? -1)?.count ?? 0);
    });
  }

  #countTo(t: number, inside: (at: number) => number): number {
    let rows = 0;
    this.#eachFile((start, end) => {
      const at = lowerBound(this.#hi, start, end, t);
      rows += this.#countBefore(at, start, end);
      if (at < end && (this.#lo[at] ?? 0) < t) rows += inside(at);
    });
    return rows;
  }

  /** A moment with at most `row` rows in front of it and with few less, if rows of one moment allow it. */
  #momentBefore(row: number): number {
    return this.#search(row - NEAR_ROWS, (rows) => rows <= row)[0];
  }

  /** A moment with at least `rows` rows in front of it and with few more; all of them are in front of the end. */
  #momentBehind(rows: number): number {
    return rows >= this.total ? Number.POSITIVE_INFINITY : this.#search(rows + NEAR_ROWS, (found) => found < rows)[1];
  }

  /**
   * Two moments, `isLow` of the rows in front of the first and not of those in front of the second; the one on the side of `aim` has about
   * `aim` rows in front of it. Halving from the ends would read other blocks at every step; so it begins where the moment must be if rows
   * are spread evenly, and goes from there as far as that was wrong.
   */
  #search(aim: number, isLow: (rows: number) => boolean): readonly [number, number] {
    let [low, high] = this.#ends;
    const wantsLow = isLow(aim);
    const isNear = (rows: number): boolean => isLow(rows) === wantsLow && Math.abs(rows - aim) <= NEAR_ROWS;
    const look = (t: number): boolean => {
      const rows = this.#exactly(t);
      if (isLow(rows)) low = t;
      else high = t;
      wrong = aim - rows;
      return isNear(rows);
    };
    if (isNear(wantsLow ? 0 : this.total)) return [low, high];
    let wrong = 0;
    let target = aim;
    for (let i = 0; i < GUESSES; i += 1) {
      const t = this.#momentAbout(target);
      if (t <= low || t >= high) break;
      if (look(t)) return [low, high];
      target += wrong;
    }
    for (let i = 0; i < HALVINGS; i += 1) {
      const middle = low + (high - low) / 2;
      if (middle <= low || middle >= high || look(middle)) break;
    }
    return [low, high];
  }

  /** The moment with about so many rows in front of it; good to a row, or to a part in a billion. */
  #momentAbout(rows: number): number {
    let [low, high] = this.#ends;
    for (let i = 0; i < ROUGH_HALVINGS; i += 1) {
      const middle = low + (high - low) / 2;
      const about = this.#about(middle);
      if (Math.abs(about - rows) < 1) return middle;
      if (about <= rows) low = middle;
      else high = middle;
    }
    return low;
  }
}

const NO_HITS: RunHits = { count: 0, bits: new Uint8Array(0), errors: 0, warnings: 0 };
/** Keys of blocks that are held, 8 bytes each: of two blocks of 4,000 files. Chosen. */
const MAX_KEYS = 4_000_000;
/** Enough to part nanoseconds of 100 days. */
const HALVINGS = 64;
const ROUGH_HALVINGS = 36;
/** Guesses before it is halved; chosen: the second or third is within some rows. */
const GUESSES = 5;
/** Rows that are looked at beyond those that are asked for. */
const NEAR_ROWS = 100;
