/**
 * Any rows of the merged list, exactly, without an index of lines: only the blocks around the wanted rows are read.
 *
 *   blocks that end before a moment     all their matches are before it: counted, not read
 *   the block it falls into             read, one a file that writes then
 *   blocks that begin after it          all behind it
 *
 * The moment of a row is guessed from the spans of the blocks and put right by what is read. Order: key, then file, then place in the file.
 */
import { BlockFacts } from './block-facts.ts';
import { BlockLines } from './block-lines.ts';
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

/** Lines of a block that was read; what they say about themselves is read as far as it is asked for. */
export interface ReadBlock {
  readonly lines: BlockLines;
  readonly facts: BlockFacts;
}

/** A window of 64 files needs about 128. 150 KB each. */
const MAX_CACHED = 256;

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
    const read = { lines, facts: new BlockFacts(this.#index, block, lines) };
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
  /** By index in `#blocks`. */
  readonly #read = new Map<number, BlockRows>();
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
    const [begin] = this.#around(from);
    const end = to >= this.total ? Number.POSITIVE_INFINITY : this.#around(to - 1)[1];
    const base = this.#exactly(begin);
    return this.#refsBetween(begin, end).slice(from - base, to - base);
  }

  /** Number of the first row at or after a moment; `total` if there is none. */
  rowAt(timeNs: number): number {
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

  /** The matches of one block with their keys, in order. Kept for the next question: most come back to the same blocks. */
  #rowsOf(at: number): BlockRows {
    const known = this.#read.get(at);
    if (known !== undefined) return known;
    const block = this.#blocks[at] ?? 0;
    const hit = this.#hits.get(block);
    const facts = this.#cache.read(block)?.facts;
    const shift = shiftOf(this.#index.files[this.#index.blocks.file[block] ?? 0], this.#basis);
    const lo = this.#index.blocks.lo[block] ?? 0;
    const lines = this.#index.blocks.lines[block] ?? 0;
    const line = new Int32Array(hit?.count ?? 0);
    const keyNs = new Float64Array(line.length);
    let count = 0;
    for (let i = 0; i < lines && count < line.length; i += 1) {
      if (hit === undefined || !hasBit(hit.bits, i)) continue;
      line[count] = i;
      keyNs[count] = (facts?.keyNs(i) ?? lo) - shift;
      count += 1;
    }
    const rows = { block, line, keyNs };
    this.#read.set(at, rows);
    for (const oldest of this.#read.keys()) {
      if (this.#read.size <= MAX_CACHED) break;
      this.#read.delete(oldest);
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
    return refsIn(this.#rowsOf(at), first, last);
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

  /** Rows in front of a moment. Reads at most one block a file. */
  #exactly(t: number): number {
    return this.#countTo(t, (at) => {
      const { keyNs } = this.#rowsOf(at);
      return lowerBound(keyNs, 0, keyNs.length, t);
    });
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

  /**
   * Two moments close together: at most `row` rows in front of the first, more in front of the second. Halving from the ends would read other
   * blocks at every step; so it begins where the row must be if rows are spread evenly, and goes from there as far as that was wrong.
   */
  #around(row: number): [number, number] {
    let [low, high] = this.#ends;
    const look = (t: number): number => {
      const rows = this.#exactly(t);
      if (rows <= row) low = Math.max(low, t);
      else high = Math.min(high, t);
      return rows;
    };
    let target = row;
    for (let i = 0; i < GUESSES; i += 1) {
      const wrong = row - look(this.#momentAbout(target));
      target += wrong;
      if (Math.abs(wrong) < NEAR_ROWS) break;
    }
    for (let slack = NEAR_ROWS; slack < this.total; slack *= 4) {
      if (look(this.#momentAbout(target + slack)) > row) break;
    }
    for (let slack = NEAR_ROWS; slack < this.total; slack *= 4) {
      if (look(this.#momentAbout(target - slack)) <= row) break;
    }
    for (let i = 0; i < HALVINGS; i += 1) {
      const middle = low + (high - low) / 2;
      if (middle <= low || middle >= high) break;
      look(middle);
    }
    return [low, high];
  }

  /** The moment with about so many rows in front of it; good to a part in a billion. */
  #momentAbout(rows: number): number {
    let [low, high] = this.#ends;
    for (let i = 0; i < ROUGH_HALVINGS; i += 1) {
      const middle = low + (high - low) / 2;
      if (this.#about(middle) <= rows) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Matches of one block in order; keys on the basis. */
interface BlockRows {
  readonly block: number;
  readonly line: Int32Array;
  readonly keyNs: Float64Array;
}

function refsIn({ block, line, keyNs }: BlockRows, first: number, last: number): RowRef[] {
  const refs: RowRef[] = [];
  for (let i = lowerBound(keyNs, 0, keyNs.length, first); i < line.length; i += 1) {
    const key = keyNs[i] ?? 0;
    if (key > last) break;
    refs.push({ block, line: line[i] ?? 0, keyNs: key });
  }
  return refs;
}

/** Enough to part nanoseconds of 100 days. */
const HALVINGS = 64;
const ROUGH_HALVINGS = 36;
/** Guesses before it is halved; chosen: the second or third is within some rows. */
const GUESSES = 4;
const NEAR_ROWS = 40;

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
