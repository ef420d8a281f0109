/**
 * Any rows of the merged list, exactly, without an index of lines: only the blocks around the wanted rows are looked at.
 *
 *   blocks that end before a moment     all their matches are before it: counted, not looked at
 *   the block it falls into             its outline, one a file that writes then; read only where there is none yet
 *   blocks that begin after it          all behind it
 *
 * The moment of a row is guessed from the spans of the blocks and put right by what is found. Order: key, then file, then place in the file. Blocks
 * whose outlines are known are unpacked for the lines that are asked for alone.
 */
import type { BlockCache } from './block-cache.ts';
import type { BlockOutlines } from './block-outline.ts';
import { BlockRows, countBits, lowerBound, OutlinedRows, type RowPlace, type RowRef } from './block-rows.ts';
import { type Basis, type CaseIndex, shiftOf } from './case-index.ts';
import { MomentGuess } from './moment-guess.ts';
import type { RunHits } from './search-run.ts';

export interface MergedWindowOptions {
  readonly index: CaseIndex;
  readonly cache: BlockCache;
  readonly outlines: BlockOutlines;
  readonly basis: Basis;
  readonly hits: ReadonlyMap<number, RunHits>;
}

export class MergedWindow {
  readonly #index: CaseIndex;
  readonly #cache: BlockCache;
  readonly #outlines: BlockOutlines;
  readonly #outlined: OutlinedRows;
  readonly #basis: Basis;
  readonly #hits: ReadonlyMap<number, RunHits>;
  /** Blocks with matches, by file and place. */
  readonly #blocks: Int32Array;
  /** By index in `#blocks`, of blocks without an outline; those asked for last. */
  readonly #read = new Map<number, BlockRows>();
  #keysHeld = 0;
  /** First of `#blocks` of each file with matches, and the end. */
  readonly #starts: number[] = [];
  readonly #lo: Float64Array;
  readonly #hi: Float64Array;
  /** What the basis takes off. */
  readonly #shift: Float64Array;
  /** Matches in the blocks of the same file before each, and with it. */
  readonly #before: Float64Array;
  /** Moments in front of and behind all rows. */
  readonly #ends: readonly [number, number];
  #guess: MomentGuess | undefined;
  /** Rows that the guess was off at the last place, added to the next: it is about as wrong there. */
  #wrong = 0;
  /** What was counted last, and from where on each file's rows are behind that moment: index in `#blocks`, line. */
  #countedAt = Number.NaN;
  #counted = 0;
  readonly #fromBlock: Int32Array;
  readonly #fromLine: Int32Array;
  /** Rows that are looked at beyond those that are asked for: so much of a guess about many files may be wrong. */
  readonly #near: number;
  readonly total: number;

  constructor({ index, cache, outlines, basis, hits }: MergedWindowOptions) {
    this.#index = index;
    this.#cache = cache;
    this.#outlines = outlines;
    this.#outlined = new OutlinedRows(outlines, cache);
    this.#basis = basis;
    this.#hits = hits;
    this.#blocks = Int32Array.from(hits.keys()).sort();
    const count = this.#blocks.length;
    this.#lo = new Float64Array(count);
    this.#hi = new Float64Array(count);
    this.#shift = new Float64Array(count);
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
      this.#shift[at] = shift;
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
    const files = this.#starts.length - 1;
    this.#fromBlock = new Int32Array(files);
    this.#fromLine = new Int32Array(files);
    this.#near = Math.max(NEAR_ROWS, files >> 3);
    this.#ends = [least - 1, most + 2];
    this.total = total;
  }

  /** Rows [from, from + rows), as many as there are. */
  rows(from: number, rows: number): readonly RowRef[] {
    if (from >= this.total || rows <= 0) return [];
    const to = Math.min(this.total, from + rows);
    this.#prepare(this.#momentAbout(from));
    const begin = this.#momentBefore(from);
    const base = this.#exactly(begin);
    return this.#inOrder(this.#placesFrom(begin, to - base, to), from - base, to - base);
  }

  /** Rows from a moment on, `rows` of them and some more. `to`: about where they end. */
  #placesFrom(begin: number, rows: number, to: number): RowPlace[] {
    let end = this.#momentAbout(to + this.#near + this.#wrong);
    for (;;) {
      const places = this.#placesBetween(begin, end);
      // All others lie behind the end.
      if (end >= this.#ends[1] || places.filter(({ high }) => high <= end).length >= rows) return places;
      end = Math.max(begin + 1, begin + 2 * (end - begin));
    }
  }

  /** Number of the first row at or after a moment; `total` if there is none. */
  rowAt(timeNs: number): number {
    this.#prepare(timeNs);
    return Math.min(this.total, this.#exactly(timeNs));
  }

  /** Number of the first row at or after a line, in the order of the list. */
  rowOf(block: number, line: number): number {
    const file = this.#index.blocks.file[block] ?? 0;
    const shift = shiftOf(this.#index.files[file], this.#basis);
    const keyNs = this.#rawKey(block, line) - shift;
    const same = this.#placesBetween(keyNs, keyNs);
    const refs = this.#inOrder(same, 0, same.length).filter((ref) => ref.keyNs === keyNs);
    const at = refs.findIndex((ref) => this.#compare(ref, { block, line, keyNs }) >= 0);
    return Math.min(this.total, this.#exactly(keyNs) + (at < 0 ? refs.length : at));
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
      for (const place of this.#placesOf(at, 0, Number.POSITIVE_INFINITY)) {
        if (by === 1 ? place.high < from.keyNs : place.low > from.keyNs) continue;
        if (!this.#isGrave(place, kind)) continue;
        const ref = this.#refOf(place);
        if (this.#compare(ref, from) * by <= 0) continue;
        if (best === undefined || this.#compare(ref, best) * by < 0) best = ref;
      }
    }
    return best;
  }

  #isGrave(ref: RowPlace, kind: 'errors' | 'warnings'): boolean {
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

  /** Rows with keys in [first, last], both inside, and perhaps some behind; file by file. */
  #placesBetween(first: number, last: number): RowPlace[] {
    this.#exactly(first);
    const places: RowPlace[] = [];
    this.#eachFile((_, end, file) => {
      const from = this.#fromBlock[file] ?? 0;
      for (let at = from; at < end && (this.#lo[at] ?? 0) <= last; at += 1) {
        const own = this.#placesOf(at, at === from ? (this.#fromLine[file] ?? 0) : 0, last);
        for (const place of own) places.push(place);
      }
    });
    return places;
  }

  #placesOf(at: number, line: number, last: number): RowPlace[] {
    const block = this.#blocks[at] ?? 0;
    return this.#outlines.has(block)
      ? this.#outlined.from(block, line, this.#hitOf(at), this.#shift[at] ?? 0, last)
      : this.#rowsOf(at).from(line, last);
  }

  #hitOf(at: number): RunHits {
    return this.#hits.get(this.#blocks[at] ?? -1) ?? NO_HITS;
  }

  #rawKey(block: number, line: number): number {
    if (this.#outlines.has(block)) {
      const low = this.#outlines.low(block, line);
      if (low === this.#outlines.high(block, line)) return low;
    }
    return this.#cache.read(block)?.facts.keyNs(line) ?? this.#index.blocks.lo[block] ?? 0;
  }

  #refOf({ block, line, low, high }: RowPlace): RowRef {
    if (low === high) return { block, line, keyNs: low };
    const file = this.#index.files[this.#index.blocks.file[block] ?? 0];
    return { block, line, keyNs: this.#rawKey(block, line) - shiftOf(file, this.#basis) };
  }

  /**
   * Rows [from, to) of these places in the order of the list. What is known of their keys puts most of them in order; only of those that lie too
   * close to tell, and of the rows themselves, lines are read.
   */
  #inOrder(places: RowPlace[], from: number, to: number): readonly RowRef[] {
    places.sort((a, b) => a.low - b.low || a.block - b.block || a.line - b.line);
    const groups: (readonly [number, number])[] = [];
    for (let start = 0; start < Math.min(to, places.length); ) {
      let end = start + 1;
      for (let high = places[start]?.high ?? 0; end < places.length; end += 1) {
        const next = places[end];
        if (next === undefined || next.low > high) break;
        high = Math.max(high, next.high);
      }
      if (end > from) groups.push([start, end]);
      start = end;
    }
    const isOpen = (place: RowPlace): boolean => place.low < place.high;
    const wanted = groups.map(([start, end]) => {
      const group = places.slice(start, end);
      const untold = end - start > 1 && group.some(isOpen);
      return { start, group, untold, shown: untold ? group : group.slice(Math.max(0, from - start), to - start) };
    });
    const shown = wanted.flatMap((group) => group.shown);
    const refs: RowRef[] = new Array(shown.length);
    this.#cache.visit(shown, (place, at) => {
      refs[at] = this.#refOf(place);
    });
    let next = 0;
    return wanted.flatMap(({ start, shown: { length }, untold }) => {
      const own = refs.slice(next, next + length);
      next += length;
      if (!untold) return own;
      return own.sort((a, b) => this.#compare(a, b)).slice(Math.max(0, from - start), to - start);
    });
  }

  #compare(a: RowRef, b: RowRef): number {
    return a.keyNs - b.keyNs || a.block - b.block || a.line - b.line;
  }

  /** `file`: number of the file among those with matches. */
  #eachFile(visit: (start: number, end: number, file: number) => void): void {
    for (let i = 0; i + 1 < this.#starts.length; i += 1) visit(this.#starts[i] ?? 0, this.#starts[i + 1] ?? 0, i);
  }

  #countBefore(at: number, start: number, end: number): number {
    if (at < end) return this.#before[at] ?? 0;
    return end > start ? (this.#before[end - 1] ?? 0) + this.#hitOf(end - 1).count : 0;
  }

  /** Reads the blocks without an outline that a moment falls into together. */
  #prepare(t: number): void {
    const blocks: number[] = [];
    this.#eachFile((start, end) => {
      const at = lowerBound(this.#hi, start, end, t);
      if (at >= end || (this.#lo[at] ?? 0) >= t || this.#read.has(at)) return;
      const block = this.#blocks[at] ?? 0;
      if (!this.#outlines.has(block)) blocks.push(block);
    });
    this.#cache.prepare(blocks);
  }

  /** Rows in front of a moment. Reads at most one block a file, of files whose outlines are known mostly none. */
  #exactly(t: number): number {
    if (this.#countedAt === t) return this.#counted;
    let rows = 0;
    this.#eachFile((start, end, file) => {
      const at = lowerBound(this.#hi, start, end, t);
      const isInside = at < end && (this.#lo[at] ?? 0) < t;
      const line = isInside ? this.#lineAt(at, t) : 0;
      rows += this.#countBefore(at, start, end) + (isInside ? countBits(this.#hitOf(at).bits, line) : 0);
      this.#fromBlock[file] = at;
      this.#fromLine[file] = line;
    });
    this.#countedAt = t;
    this.#counted = rows;
    return rows;
  }

  #lineAt(at: number, t: number): number {
    const block = this.#blocks[at] ?? 0;
    return this.#outlines.has(block)
      ? this.#outlined.lineAt(block, this.#hitOf(at), this.#shift[at] ?? 0, t)
      : this.#rowsOf(at).lineAt(t);
  }

  /**
   * A moment with at most `row` rows in front of it and with few less, if rows of one moment allow it. Halving from the ends would look at other
   * blocks at every step; so it begins where the moment must be if rows are spread evenly, and goes from there as far as that was wrong.
   */
  #momentBefore(row: number): number {
    let [low, high] = this.#ends;
    const aim = row - this.#near;
    if (aim <= this.#near) return low;
    const isNear = (rows: number): boolean => rows <= row && aim - rows <= this.#near;
    const look = (t: number): number => {
      const rows = this.#exactly(t);
      if (rows <= row) low = t;
      else high = t;
      return rows;
    };
    let wrong = this.#wrong;
    for (let i = 0; i < GUESSES; i += 1) {
      const t = this.#momentAbout(aim + wrong);
      if (t <= low || t >= high) break;
      const rows = look(t);
      if (isNear(rows)) {
        this.#wrong = wrong;
        return low;
      }
      wrong += aim - rows;
    }
    for (let i = 0; i < HALVINGS; i += 1) {
      const middle = low + (high - low) / 2;
      if (middle <= low || middle >= high || isNear(look(middle))) break;
    }
    return low;
  }

  /** A moment with about so many rows in front of it. */
  #momentAbout(rows: number): number {
    this.#guess ??= new MomentGuess(this.#index, this.#basis, (block) => this.#hits.get(block)?.count ?? 0);
    return this.#guess.momentOf(rows);
  }
}

const NO_HITS: RunHits = { count: 0, bits: new Uint8Array(0), errors: 0, warnings: 0 };
/** Keys of blocks that are held, 8 bytes each: of two blocks of 4,000 files. Chosen. */
const MAX_KEYS = 4_000_000;
/** Enough to part nanoseconds of 100 days. */
const HALVINGS = 64;
/** Guesses before it is halved; chosen: the second or third is within some rows. */
const GUESSES = 5;
/** At least so many rows are looked at beyond those that are asked for. */
const NEAR_ROWS = 100;
