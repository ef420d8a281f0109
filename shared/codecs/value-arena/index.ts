/**
 * Decoded values without an object per value: the common output of the pickle and the exact JSON codec.
 *
 * A value is a pair (kind, num). Scalars live in the pair itself, strings and containers in tables:
 *
 *   [1, "ab"]  →  (LIST, 0)     container 0: chunk 0 → items (INT, 1) (STRING, 0)     string 0: bytes 5..7
 *
 * Holds by construction: a container that was put into another one is sealed and never grows again, so the values form a
 * directed graph without cycles, and a shared container keeps ONE id. Readers cache by id and never copy deeply: a
 * few bytes of shared lists can stand for an astronomically large tree.
 * Integers are exact: up to 2^53 as INT, beyond as LONG (bytes) or DIGITS (text) until somebody asks for them.
 * Cost: about 9 bytes an item and 13 a container; every array grows by doubling up to the given limits.
 */

export const MARK = 0;
export const NONE = 1;
export const FALSE = 2;
export const TRUE = 3;
/** Exact integer within ±2^53. */
export const INT = 4;
/** Little-endian two's complement in the source: num = offset × 16 + length, 7 or 8 bytes. */
export const LONG = 5;
export const FLOAT = 6;
/** num = string id. */
export const STRING = 7;
export const LIST = 8;
export const TUPLE = 9;
export const DICT = 10;
/** Decimal text of an integer beyond 2^53: num = string id. */
export const DIGITS = 11;
/** An integer beyond 64 bits: kept as "some integer", never computed with. */
export const HUGE = 12;

export type Kind = number;

export interface ArenaLimits {
  /** Items in all containers together. */
  readonly maxItems: number;
  readonly maxContainers: number;
  readonly maxStrings: number;
  /** Containers inside containers. */
  readonly maxDepth: number;
}

/** Chosen, not measured: far above a ring of 100 000 entries, and under 1 GiB of memory when all are reached. */
export const DEFAULT_ARENA_LIMITS: ArenaLimits = {
  maxItems: 32_000_000,
  maxContainers: 8_000_000,
  maxStrings: 8_000_000,
  maxDepth: 64,
};

/** Why a container could not take its items. */
export type ExtendFailure = 'items' | 'depth' | 'sealed' | 'self';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const growUint8 = (old: Uint8Array, size: number): Uint8Array => {
  const next = new Uint8Array(size);
  next.set(old);
  return next;
};
const growInt32 = (old: Int32Array, size: number): Int32Array => {
  const next = new Int32Array(size);
  next.set(old);
  return next;
};
const growFloat64 = (old: Float64Array, size: number): Float64Array => {
  const next = new Float64Array(size);
  next.set(old);
  return next;
};

/** Smallest power of two above `count`, at least 256: a size that arrays may start with and double from. */
const powerAbove = (count: number): number => 2 ** Math.max(8, Math.ceil(Math.log2(Math.max(1, count))));

/** Arrays of an arena that is done with. Their old content is never read: every row is written when it is added. */
interface SpareArrays {
  readonly itemKinds: Uint8Array;
  readonly itemNums: Float64Array;
  readonly containerBytes: readonly [Uint8Array, Uint8Array, Uint8Array];
  readonly containerNumbers: readonly [Int32Array, Int32Array, Int32Array];
  readonly chunks: readonly [Int32Array, Int32Array, Int32Array];
}
/** 2 million items take 18 MB. */
const MAX_SPARE_ITEMS = 1 << 21;
let spare: SpareArrays | undefined;

export class ValueArena {
  readonly bytes: Uint8Array;
  readonly limits: ArenaLimits;
  private readonly view: DataView;

  itemKinds: Uint8Array;
  itemNums: Float64Array;
  itemCount = 0;

  // One row a container.
  private containerKinds: Uint8Array = new Uint8Array(0);
  private containerDepths: Uint8Array = new Uint8Array(0);
  private containerSealed: Uint8Array = new Uint8Array(0);
  private containerCounts: Int32Array = new Int32Array(0);
  private firstChunks: Int32Array = new Int32Array(0);
  private lastChunks: Int32Array = new Int32Array(0);
  containerCount = 0;

  // One row a chunk: items [start, start + length) of one container.
  private chunkStarts: Int32Array = new Int32Array(0);
  private chunkLengths: Int32Array = new Int32Array(0);
  private chunkNexts: Int32Array = new Int32Array(0);
  private chunkCount = 0;

  // One row a string.
  private stringStarts: Float64Array = new Float64Array(256);
  private stringLengths: Int32Array = new Int32Array(256);
  private readonly texts: (string | undefined)[] = [];
  stringCount = 0;

  constructor(bytes: Uint8Array, limits: ArenaLimits = DEFAULT_ARENA_LIMITS) {
    this.bytes = bytes;
    this.limits = limits;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // About what a dump of that size needs (an item every 5 bytes, a container every 50); growing costs a copy each time.
    const likely = Math.min(1 << 20, bytes.length);
    const used = spare;
    spare = undefined;
    if (used !== undefined) {
      [this.itemKinds, this.itemNums] = [used.itemKinds, used.itemNums];
      [this.containerKinds, this.containerDepths, this.containerSealed] = used.containerBytes;
      [this.containerCounts, this.firstChunks, this.lastChunks] = used.containerNumbers;
      [this.chunkStarts, this.chunkLengths, this.chunkNexts] = used.chunks;
      return;
    }
    this.itemKinds = new Uint8Array(powerAbove(likely / 4));
    this.itemNums = new Float64Array(this.itemKinds.length);
    this.growContainers(powerAbove(likely / 40));
    this.growChunks(powerAbove(likely / 40));
  }

  /**
   * Gives the arrays to the next arena: for files of one kind, one after the other, that saves most of the allocations. The arena must not
   * be used any more. Arrays that have grown beyond what a usual dump needs are left to the collector.
   */
  release(): void {
    if (this.itemKinds.length > MAX_SPARE_ITEMS || this.containerKinds.length > MAX_SPARE_ITEMS) return;
    spare = {
      itemKinds: this.itemKinds,
      itemNums: this.itemNums,
      containerBytes: [this.containerKinds, this.containerDepths, this.containerSealed],
      containerNumbers: [this.containerCounts, this.firstChunks, this.lastChunks],
      chunks: [this.chunkStarts, this.chunkLengths, this.chunkNexts],
    };
  }

  /** Registers UTF-8 text at [start, start + length) of the source. Returns its id, -1 at the limit. */
  addString(start: number, length: number): number {
    const id = this.stringCount;
    if (id >= this.limits.maxStrings) return -1;
    if (id === this.stringLengths.length) {
      this.stringStarts = growFloat64(this.stringStarts, id * 2);
      this.stringLengths = growInt32(this.stringLengths, id * 2);
    }
    this.stringStarts[id] = start;
    this.stringLengths[id] = length;
    this.stringCount = id + 1;
    return id;
  }

  /** Registers text that does not stand in the source as it is (unescaped). Returns its id, -1 at the limit. */
  addText(text: string, start: number, length: number): number {
    const id = this.addString(start, length);
    if (id >= 0) this.texts[id] = text;
    return id;
  }

  /** The text of a string id; invalid UTF-8 becomes U+FFFD. Decoded once. */
  text(id: number): string {
    const known = this.texts[id];
    if (known !== undefined) return known;
    const start = this.stringStarts[id] ?? 0;
    const text = decoder.decode(this.bytes.subarray(start, start + (this.stringLengths[id] ?? 0)));
    this.texts[id] = text;
    return text;
  }

  /** Adds an empty, open container. Returns its id, -1 at the limit. */
  addContainer(kind: Kind): number {
    const id = this.containerCount;
    if (id >= this.limits.maxContainers) return -1;
    if (id === this.containerKinds.length) this.growContainers(id * 2);
    this.containerKinds[id] = kind;
    this.containerDepths[id] = 1;
    this.containerSealed[id] = 0;
    this.containerCounts[id] = 0;
    this.firstChunks[id] = -1;
    this.lastChunks[id] = -1;
    this.containerCount = id + 1;
    return id;
  }

  private growContainers(size: number): void {
    this.containerKinds = growUint8(this.containerKinds, size);
    this.containerDepths = growUint8(this.containerDepths, size);
    this.containerSealed = growUint8(this.containerSealed, size);
    this.containerCounts = growInt32(this.containerCounts, size);
    this.firstChunks = growInt32(this.firstChunks, size);
    this.lastChunks = growInt32(this.lastChunks, size);
  }

  /**
   * Appends the values [from, to) of `kinds`/`nums` to a container; containers among them are sealed.
   * Keys and values of a dict alternate. Returns why it could not, undefined if it did.
   */
  extend(id: number, kinds: Uint8Array, nums: Float64Array, from: number, to: number): ExtendFailure | undefined {
    if (this.containerSealed[id] === 1) return 'sealed';
    const length = to - from;
    if (length === 0) return undefined;
    if (this.itemCount + length > this.limits.maxItems) return 'items';
    this.reserveItems(this.itemCount + length);
    let depth = this.containerDepths[id] ?? 1;
    const start = this.itemCount;
    for (let i = from; i < to; i++) {
      const kind = kinds[i] ?? NONE;
      const num = nums[i] ?? 0;
      if (kind >= LIST && kind <= DICT) {
        if (num === id) return 'self';
        this.containerSealed[num] = 1;
        const inner = (this.containerDepths[num] ?? 1) + 1;
        if (inner > depth) depth = inner;
      }
      this.itemKinds[start + i - from] = kind;
      this.itemNums[start + i - from] = num;
    }
    if (depth > this.limits.maxDepth) return 'depth';
    this.containerDepths[id] = depth;
    this.itemCount = start + length;
    this.containerCounts[id] = (this.containerCounts[id] ?? 0) + length;
    this.addChunk(id, start, length);
    return undefined;
  }

  private reserveItems(count: number): void {
    let size = this.itemKinds.length;
    if (count <= size) return;
    while (size < count) size *= 2;
    this.itemKinds = growUint8(this.itemKinds, size);
    this.itemNums = growFloat64(this.itemNums, size);
  }

  private growChunks(size: number): void {
    this.chunkStarts = growInt32(this.chunkStarts, size);
    this.chunkLengths = growInt32(this.chunkLengths, size);
    this.chunkNexts = growInt32(this.chunkNexts, size);
  }

  private addChunk(container: number, start: number, length: number): void {
    const chunk = this.chunkCount;
    if (chunk === this.chunkStarts.length) this.growChunks(chunk * 2);
    this.chunkStarts[chunk] = start;
    this.chunkLengths[chunk] = length;
    this.chunkNexts[chunk] = -1;
    this.chunkCount = chunk + 1;
    const last = this.lastChunks[container] ?? -1;
    if (last >= 0) this.chunkNexts[last] = chunk;
    else this.firstChunks[container] = chunk;
    this.lastChunks[container] = chunk;
  }

  /** Items in a container; a dict counts keys and values. */
  count(id: number): number {
    return this.containerCounts[id] ?? 0;
  }

  // Chunks of a container, for loops without a call per item:
  //   for (let chunk = arena.firstChunk(id); chunk >= 0; chunk = arena.nextChunk(chunk))
  //     for (let at = arena.chunkStart(chunk); at < arena.chunkEnd(chunk); at++) …
  firstChunk(id: number): number {
    return this.firstChunks[id] ?? -1;
  }
  nextChunk(chunk: number): number {
    return this.chunkNexts[chunk] ?? -1;
  }
  /** Position of the chunk's first item. */
  chunkStart(chunk: number): number {
    return this.chunkStarts[chunk] ?? 0;
  }
  /** Position behind the chunk's last item. */
  chunkEnd(chunk: number): number {
    return (this.chunkStarts[chunk] ?? 0) + (this.chunkLengths[chunk] ?? 0);
  }

  /** Calls `visit` with the position of every item of a list or tuple; stops early when it returns false. */
  each(id: number, visit: (at: number, index: number) => boolean | undefined): void {
    let index = 0;
    for (let chunk = this.firstChunk(id); chunk >= 0; chunk = this.nextChunk(chunk)) {
      const end = this.chunkEnd(chunk);
      for (let at = this.chunkStart(chunk); at < end; at++) if (visit(at, index++) === false) return;
    }
  }

  /** Calls `visit` with the positions of every key and value of a dict, in order. */
  pairs(id: number, visit: (keyAt: number, valueAt: number) => void): void {
    for (let chunk = this.firstChunk(id); chunk >= 0; chunk = this.nextChunk(chunk)) {
      const end = this.chunkEnd(chunk);
      for (let at = this.chunkStart(chunk); at + 1 < end; at += 2) visit(at, at + 1);
    }
  }

  kindAt(at: number): Kind {
    return this.itemKinds[at] ?? NONE;
  }
  numAt(at: number): number {
    return this.itemNums[at] ?? 0;
  }

  /** The integer at a position if it is one within ±2^53, else undefined. Booleans are not integers here. */
  intAt(at: number): number | undefined {
    return this.itemKinds[at] === INT ? this.itemNums[at] : undefined;
  }

  stringAt(at: number): string | undefined {
    return this.itemKinds[at] === STRING ? this.text(this.itemNums[at] ?? 0) : undefined;
  }

  /** The exact integer of a value, or undefined if it is none or does not fit 64 signed bits. */
  bigInt(kind: Kind, num: number): bigint | undefined {
    if (kind === INT) return BigInt(num);
    if (kind === LONG) {
      const length = num % 16;
      const start = (num - length) / 16;
      if (length === 8) return this.view.getBigInt64(start, true);
      return this.sevenBytes(start);
    }
    if (kind !== DIGITS) return undefined;
    const text = this.text(num);
    if (text.length > 20) return undefined;
    const value = BigInt(text);
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }

  private sevenBytes(start: number): bigint {
    const low = BigInt(this.view.getUint32(start, true));
    const middle = BigInt(this.view.getUint16(start + 4, true));
    const high = BigInt(this.view.getInt8(start + 6));
    return (high << 48n) | (middle << 32n) | low;
  }

  /**
   * Writes an exact 64-bit integer into `column[row]` without making a bigint where that can be avoided. `words`: the same memory, whose low
   * word stands first, as on every machine that Node and Electron are built for. False if the value is none or does not fit.
   */
  writeInt64(kind: Kind, num: number, column: BigInt64Array, words: Int32Array, row: number): boolean {
    if (kind === LONG && num % 16 === 8) {
      const start = (num - 8) / 16;
      words[row * 2] = this.view.getInt32(start, true);
      words[row * 2 + 1] = this.view.getInt32(start + 4, true);
      return true;
    }
    const value = this.bigInt(kind, num);
    if (value === undefined) return false;
    column[row] = value;
    return true;
  }
}
