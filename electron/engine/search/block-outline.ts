/**
 * Where the lines of a block are, in time and in its bytes, in four bytes and a half a line. A search of all lines reads every block anyway and
 * leaves this behind; from then on a place in the merged list is found without unpacking a block of each file, and of a block that is
 * unpacked only the lines that are shown are read.
 *
 *   lo  lo  lo | base + tick × unit …            | hi  hi        keys of the lines, raw
 *   └─ head ─┘ └── ticks, rising or the same ────┘ └ tail ┘
 *
 * Stamps of whole seconds to microseconds mostly fit a unit of theirs, and keys are exact; nanoseconds over more than four seconds do not: there a
 * key is known to lie between two ticks, some nanoseconds apart, and who must know it exactly reads the line.
 */
import type { BlockFacts } from './block-facts.ts';
import type { BlockTable } from './block-table.ts';

export type Ticks = Uint32Array | Uint16Array;

export interface BlockOutline {
  /** Lines in front whose key is the block's lowest, and at the end whose key is its highest. */
  readonly head: number;
  readonly tail: number;
  /** ns from the origin, raw. */
  readonly baseNs: number;
  readonly unitNs: number;
  /** Of each line; those of `head` and `tail` mean nothing. */
  readonly ticks: Ticks;
  /** base + tick × unit is the key; otherwise the key lies between that and the next tick. */
  readonly exact: boolean;
  /** Where every SAMPLE-th line starts. */
  readonly starts: Uint16Array;
  /** A bit a line: it goes on the record of the line before; null = none does. */
  readonly continues: Uint8Array | null;
  /** A bit a line: it cannot be read without those before it; null = none. */
  readonly bound: Uint8Array | null;
  /** As in `BlockLines`. */
  readonly ascii: boolean;
  readonly plain: boolean;
}

/** Lines from one known start to the next. */
export const SAMPLE = 16;
/** Starts are kept in two bytes. */
const MAX_BYTES = 65_536;
/** Finest first: others than the first two are rare. */
const UNITS_NS: readonly number[] = [1e9, 1e6, 1e3, 1];
/** Of keys that are not exact: what a sum of doubles of 100 days may be off. */
const FUZZ_NS = 2;

/** Bits that are kept for one tick. */
export type TickBits = 16 | 32;

/** Of a block all of whose lines were read; undefined where it would not fit. O(lines). */
export function outlineOf(facts: BlockFacts, lo: number, hi: number, tickBits: TickBits): BlockOutline | undefined {
  const { lines } = facts;
  const { count } = lines;
  if (lines.bytes.length > MAX_BYTES || count === 0) return undefined;
  let head = 0;
  while (head < count && facts.keyNs(head) === lo) head += 1;
  let tail = 0;
  while (head + tail < count && facts.keyNs(count - 1 - tail) === hi) tail += 1;
  const most = 2 ** tickBits - 1;
  const ticks = tickBits === 32 ? new Uint32Array(count) : new Uint16Array(count);
  const first = head + tail < count ? facts.keyNs(head) : lo;
  const unit = exactUnit(facts, head, count - tail, most);
  const baseNs = unit === 0 ? lo : first;
  const unitNs = unit === 0 ? roughUnit(hi - lo, most) : unit;
  for (let line = head; line < count - tail; line += 1) ticks[line] = Math.floor((facts.keyNs(line) - baseNs) / unitNs);
  const starts = new Uint16Array(Math.ceil(count / SAMPLE));
  for (let at = 0; at < starts.length; at += 1) starts[at] = lines.start(at * SAMPLE);
  const continues = bitsOf(count, (line) => facts.continues(line));
  const bound = bitsOf(count, (line) => facts.isBound(line));
  const { ascii, plain } = lines;
  return { head, tail, baseNs, unitNs, ticks, exact: unit > 0, starts, continues, bound, ascii, plain };
}

/** The coarsest unit in which the keys of [from, to) are whole from the first of them on; 0 if there is none. */
function exactUnit(facts: BlockFacts, from: number, to: number, most: number): number {
  if (from >= to) return 1;
  const first = facts.keyNs(from);
  let at = 0;
  for (let line = from; line < to; line += 1) {
    const past = facts.keyNs(line) - first;
    while (at < UNITS_NS.length && past % (UNITS_NS[at] ?? 1) !== 0) at += 1;
  }
  const unit = UNITS_NS[at] ?? 0;
  return unit > 0 && Number.isInteger(first) && (facts.keyNs(to - 1) - first) / unit <= most ? unit : 0;
}

/** The least power of two by which a span fits. */
function roughUnit(span: number, most: number): number {
  let unit = 1;
  while (span / unit >= most) unit *= 2;
  return unit;
}

function bitsOf(count: number, isSet: (line: number) => boolean): Uint8Array | null {
  let bits: Uint8Array | null = null;
  for (let line = 0; line < count; line += 1) {
    if (!isSet(line)) continue;
    bits ??= new Uint8Array(Math.ceil(count / 8));
    bits[line >> 3] = (bits[line >> 3] ?? 0) | (1 << (line & 7));
  }
  return bits;
}

export const isMarked = (bits: Uint8Array | null, line: number): boolean =>
  bits !== null && ((bits[line >> 3] ?? 0) & (1 << (line & 7))) !== 0;

/**
 * Outlines of the blocks of one case, as far as they were learnt and as far as there is room. A question goes to one block of each file, of which
 * there may be thousands: what it needs stands in columns, and all ticks in one piece of memory.
 */
export class BlockOutlines {
  readonly tickBits: TickBits;
  readonly #blocks: BlockTable;
  readonly #known: (BlockOutline | undefined)[];
  #ticks: Ticks | undefined;
  /** First tick of each block; -1 = not known. */
  readonly #at: Int32Array;
  readonly #head: Int32Array;
  readonly #tail: Int32Array;
  readonly #base: Float64Array;
  readonly #unit: Float64Array;
  readonly #exact: Uint8Array;
  #held = 0;

  constructor(blocks: BlockTable) {
    this.#blocks = blocks;
    this.#known = new Array(blocks.count).fill(undefined);
    this.tickBits = blocks.totalLines * 4 <= MAX_TICK_BYTES ? 32 : 16;
    this.#at = new Int32Array(blocks.count).fill(-1);
    this.#head = new Int32Array(blocks.count);
    this.#tail = new Int32Array(blocks.count);
    this.#base = new Float64Array(blocks.count);
    this.#unit = new Float64Array(blocks.count);
    this.#exact = new Uint8Array(blocks.count);
  }

  learn(block: number, outline: BlockOutline): void {
    const { length } = outline.ticks;
    this.#ticks ??= this.#room();
    if (this.has(block) || this.#held + length > this.#ticks.length) return;
    this.#ticks.set(outline.ticks, this.#held);
    this.#known[block] = { ...outline, ticks: this.#ticks.subarray(this.#held, this.#held + length) };
    this.#at[block] = this.#held;
    this.#head[block] = outline.head;
    this.#tail[block] = outline.tail;
    this.#base[block] = outline.baseNs;
    this.#unit[block] = outline.unitNs;
    this.#exact[block] = outline.exact ? 1 : 0;
    this.#held += length;
  }

  #room(): Ticks {
    const lines = Math.min(this.#blocks.totalLines, Math.floor((MAX_TICK_BYTES * 8) / this.tickBits));
    return this.tickBits === 32 ? new Uint32Array(lines) : new Uint16Array(lines);
  }

  of(block: number): BlockOutline | undefined {
    return this.#known[block];
  }

  has(block: number): boolean {
    return (this.#at[block] ?? -1) >= 0;
  }

  /** The least that the key of a line can be, ns from the origin, raw. Never falls inside a block. Of a block that is known. */
  low(block: number, line: number): number {
    const lo = this.#blocks.lo[block] ?? 0;
    if (line < (this.#head[block] ?? 0)) return lo;
    if (line >= this.#tailFrom(block)) return this.#blocks.hi[block] ?? lo;
    const low = (this.#base[block] ?? 0) + this.#tick(block, line) * (this.#unit[block] ?? 1);
    return this.#exact[block] === 1 ? low : Math.max(lo, low - FUZZ_NS);
  }

  /** The most that it can be; the same as `low` where it is known. */
  high(block: number, line: number): number {
    const isKnown = line < (this.#head[block] ?? 0) || line >= this.#tailFrom(block) || this.#exact[block] === 1;
    if (isKnown) return this.low(block, line);
    const high = (this.#base[block] ?? 0) + (this.#tick(block, line) + 1) * (this.#unit[block] ?? 1) + FUZZ_NS;
    return Math.min(this.#blocks.hi[block] ?? 0, high);
  }

  /** First line whose key, less `shift`, is perhaps not below `t`; and the first for which that is sure. Of a block that is known. */
  first(block: number, shift: number, t: number): number {
    let line = this.sure(block, shift, t);
    while (line > 0 && this.high(block, line - 1) - shift >= t) line -= 1;
    return line;
  }

  sure(block: number, shift: number, t: number): number {
    const lines = this.#blocks.lines[block] ?? 0;
    if ((this.#blocks.lo[block] ?? 0) - shift >= t) return 0;
    const end = this.#tailFrom(block);
    let line = this.#below(block, end, t + shift);
    while (line < end && this.low(block, line) - shift < t) line += 1;
    return line === end && (this.#blocks.hi[block] ?? 0) - shift < t ? lines : line;
  }

  /** A line of [head, end] with none at or after `raw` in front of it, and few others behind. */
  #below(block: number, end: number, raw: number): number {
    const unit = this.#unit[block] ?? 1;
    const tick = (raw - (this.#base[block] ?? 0) - 2 * FUZZ_NS) / unit;
    const ticks = this.#ticks;
    const at = this.#at[block] ?? 0;
    let low = this.#head[block] ?? 0;
    let high = end;
    if (ticks === undefined || low >= high) return low;
    // Lines come about evenly: the first look is where they would be then, the next ones close by.
    let look = low + Math.floor((tick / Math.max(1, ticks[at + high - 1] ?? 1)) * (high - low));
    for (let step = FIRST_STEP; low < high; step *= 2) {
      look = Math.max(low, Math.min(high - 1, look));
      const isBelow = (ticks[at + look] ?? 0) < tick;
      if (isBelow) low = look + 1;
      else high = look;
      look = step > MAX_STEP ? (low + high) >> 1 : isBelow ? look + step : look - step;
    }
    return low;
  }

  #tick(block: number, line: number): number {
    return this.#ticks?.[(this.#at[block] ?? 0) + line] ?? 0;
  }

  #tailFrom(block: number): number {
    return (this.#blocks.lines[block] ?? 0) - (this.#tail[block] ?? 0);
  }
}

const FIRST_STEP = 4;
/** From here on the rest is halved. */
const MAX_STEP = 64;
/** Of one case: with 4 bytes a line 24 million lines, with 2 twice as many. Chosen. */
const MAX_TICK_BYTES = 96_000_000;
