/**
 * One block of bzip2: Huffman codes → move-to-front → inverse Burrows–Wheeler → runs. Written here because the packages hold a whole
 * block as an array of numbers (a bomb's block takes 370 MB) and loop without end on a negative run length.
 *
 *   48 bits magic │ CRC 32 │ 1 bit (randomised, obsolete) │ origin 24 │ used symbols │ tables │ selectors │ codes
 */

export const MAX_CODE_BITS = 20;
const MAX_TABLES = 6;
const SYMBOLS_PER_SELECTOR = 50;
const LOOKUP_BITS = 10;

/** The input ended inside what was asked for. */
export class OutOfInputError extends Error {
  override readonly name = 'OutOfInputError';
}
/** The input contradicts the format. */
export class Bzip2Error extends Error {
  override readonly name = 'Bzip2Error';
}

/** Bits of a buffer, most significant first. Beyond its end come zeros; `check` tells whether that happened. */
export class BitReader {
  readonly #bytes: Buffer;
  #at: number;
  #held = 0;
  #count = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#at = 0;
  }

  /** 1 to 24 bits. */
  bits(count: number): number {
    const value = this.peek(count);
    this.#count -= count;
    return value;
  }

  /** The next 1 to 24 bits, without taking them. */
  peek(count: number): number {
    while (this.#count < count) {
      this.#held = (this.#held << 8) | (this.#at < this.#bytes.length ? (this.#bytes[this.#at] ?? 0) : 0);
      this.#at += 1;
      this.#count += 8;
    }
    return (this.#held >>> (this.#count - count)) & ((1 << count) - 1);
  }

  drop(count: number): void {
    this.#count -= count;
  }

  word(): number {
    return ((this.bits(16) << 16) | this.bits(16)) >>> 0;
  }

  /** Bits taken so far. */
  get bitsTaken(): number {
    return this.#at * 8 - this.#count;
  }

  /** Throws OutOfInputError if bits beyond the end were taken, or (`ahead`) may have been looked at. */
  check(ahead = 0): void {
    if (this.bitsTaken + ahead > this.#bytes.length * 8) throw new OutOfInputError('ends inside a block');
  }
}

interface Table {
  readonly lookup: Uint16Array;
  /** By length: first code beyond it, aligned to MAX_CODE_BITS. */
  readonly limit: Int32Array;
  readonly base: Int32Array;
  readonly symbols: Uint16Array;
  readonly maxBits: number;
}

export interface Block {
  readonly crc: number;
  readonly origin: number;
  readonly length: number;
}

/** Reads one block after its magic into `links` (as long as the stream's block size). Throws Bzip2Error, OutOfInputError. */
export function readBlock(bits: BitReader, links: Uint32Array): Block {
  const crc = bits.word();
  if (bits.bits(1) !== 0) throw new Bzip2Error('randomised blocks of bzip2 0.9 are not supported');
  const origin = bits.bits(24);
  const used = readUsedSymbols(bits);
  const tableCount = bits.bits(3);
  if (tableCount < 2 || tableCount > MAX_TABLES) throw new Bzip2Error('number of tables');
  const selectors = readSelectors(bits, tableCount);
  const tables = Array.from({ length: tableCount }, () => readTable(bits, used.length + 2));
  bits.check();
  const counts = new Uint32Array(256);
  const length = readSymbols(bits, { used, selectors, tables, links, counts });
  bits.check();
  if (origin >= length) throw new Bzip2Error('origin outside the block');
  let sum = 0;
  for (let i = 0; i < 256; i += 1) {
    const count = counts[i] ?? 0;
    counts[i] = sum;
    sum += count;
  }
  for (let i = 0; i < length; i += 1) {
    const symbol = (links[i] ?? 0) & 0xff;
    const to = counts[symbol] ?? 0;
    counts[symbol] = to + 1;
    links[to] = ((links[to] ?? 0) & 0xff) | (i << 8);
  }
  return { crc, origin, length };
}

function readUsedSymbols(bits: BitReader): Uint8Array {
  const ranges = bits.bits(16);
  const used: number[] = [];
  for (let range = 0; range < 16; range += 1) {
    if ((ranges & (0x8000 >> range)) === 0) continue;
    const map = bits.bits(16);
    for (let i = 0; i < 16; i += 1) if ((map & (0x8000 >> i)) !== 0) used.push(range * 16 + i);
  }
  if (used.length === 0) throw new Bzip2Error('no symbols');
  return Uint8Array.from(used);
}

function readSelectors(bits: BitReader, tables: number): Uint8Array {
  const count = bits.bits(15);
  if (count === 0) throw new Bzip2Error('no selectors');
  const order = Uint8Array.from([0, 1, 2, 3, 4, 5]);
  const selectors = new Uint8Array(count);
  for (let i = 0; i < count; i += 1) {
    let rank = 0;
    while (bits.bits(1) === 1) {
      rank += 1;
      if (rank >= tables) throw new Bzip2Error('selector');
    }
    selectors[i] = moveToFront(order, rank);
  }
  return selectors;
}

/** The value at `rank`, which comes first from now on. */
function moveToFront(order: Uint8Array, rank: number): number {
  const value = order[rank] ?? 0;
  if (rank > 16) order.copyWithin(1, 0, rank);
  else for (let i = rank; i > 0; i -= 1) order[i] = order[i - 1] ?? 0;
  order[0] = value;
  return value;
}

function readTable(bits: BitReader, size: number): Table {
  const lengths = new Uint8Array(size);
  let length = bits.bits(5);
  for (let i = 0; i < size; i += 1) {
    for (let step = 0; ; step += 1) {
      if (length < 1 || length > MAX_CODE_BITS || step > MAX_CODE_BITS) throw new Bzip2Error('code length');
      if (bits.bits(1) === 0) break;
      length += bits.bits(1) === 0 ? 1 : -1;
    }
    lengths[i] = length;
  }
  return makeTable(lengths);
}

function makeTable(lengths: Uint8Array): Table {
  const limit = new Int32Array(MAX_CODE_BITS + 2);
  const base = new Int32Array(MAX_CODE_BITS + 2);
  const symbols = new Uint16Array(lengths.length);
  const lookup = new Uint16Array(1 << LOOKUP_BITS);
  let code = 0;
  let filled = 0;
  let maxBits = 0;
  for (let bits = 1; bits <= MAX_CODE_BITS; bits += 1) {
    base[bits] = filled - code;
    for (let symbol = 0; symbol < lengths.length; symbol += 1) {
      if (lengths[symbol] !== bits) continue;
      symbols[filled] = symbol;
      maxBits = bits;
      if (bits <= LOOKUP_BITS) {
        const from = code << (LOOKUP_BITS - bits);
        lookup.fill((symbol << 5) | bits, from, from + (1 << (LOOKUP_BITS - bits)));
      }
      filled += 1;
      code += 1;
    }
    // More codes than bits allow: the tables of a hostile file.
    if (code > 1 << bits) throw new Bzip2Error('code table');
    limit[bits] = code << (MAX_CODE_BITS - bits);
    code <<= 1;
  }
  return { lookup, limit, base, symbols, maxBits };
}

function nextSymbol(bits: BitReader, table: Table): number {
  const ahead = bits.peek(MAX_CODE_BITS);
  const quick = table.lookup[ahead >>> (MAX_CODE_BITS - LOOKUP_BITS)] ?? 0;
  if (quick !== 0) {
    bits.drop(quick & 31);
    return quick >>> 5;
  }
  for (let length = LOOKUP_BITS + 1; length <= table.maxBits; length += 1) {
    if (ahead >= (table.limit[length] ?? 0)) continue;
    bits.drop(length);
    return table.symbols[(ahead >>> (MAX_CODE_BITS - length)) + (table.base[length] ?? 0)] ?? 0;
  }
  throw new Bzip2Error('code');
}

/** Undoes codes and move-to-front into the low bytes of `links`, and counts each byte. Returns their number. */
function readSymbols(
  bits: BitReader,
  block: {
    readonly used: Uint8Array;
    readonly selectors: Uint8Array;
    readonly tables: readonly Table[];
    readonly links: Uint32Array;
    readonly counts: Uint32Array;
  },
): number {
  const { used, selectors, tables, links, counts } = block;
  const order = Uint8Array.from(used);
  const endSymbol = used.length + 1;
  const capacity = links.length;
  let length = 0;
  let run = 0;
  let runUnit = 1;
  for (const selector of selectors) {
    const table = tables[selector];
    if (table === undefined) throw new Bzip2Error('selector');
    for (let i = 0; i < SYMBOLS_PER_SELECTOR; i += 1) {
      const symbol = nextSymbol(bits, table);
      if (symbol <= 1) {
        run += runUnit << symbol;
        runUnit <<= 1;
        if (run > capacity || runUnit > capacity * 2) throw new Bzip2Error('run beyond the block');
        continue;
      }
      if (run > 0) {
        const value = order[0] ?? 0;
        if (length + run > capacity) throw new Bzip2Error('block too long');
        links.fill(value, length, length + run);
        counts[value] = (counts[value] ?? 0) + run;
        length += run;
        run = 0;
        runUnit = 1;
      }
      if (symbol === endSymbol) return length;
      if (symbol > endSymbol || length >= capacity) throw new Bzip2Error('block too long');
      const value = moveToFront(order, symbol - 1);
      links[length] = value;
      counts[value] = (counts[value] ?? 0) + 1;
      length += 1;
    }
    bits.check();
  }
  throw new Bzip2Error('no end of block');
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let crc = i << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

/** The block's bytes in pieces of `pieceBytes`: a block of 900 kB may stand for 46 MB. Throws Bzip2Error if the checksum is wrong. */
export function* blockBytes(block: Block, links: Uint32Array, pieceBytes: number): Generator<Buffer> {
  let crc = -1;
  let out = Buffer.allocUnsafe(pieceBytes);
  let filled = 0;
  let at = (links[block.origin] ?? 0) >>> 8;
  let previous = -1;
  let same = 0;
  for (let i = 0; i < block.length; i += 1) {
    const link = links[at] ?? 0;
    const value = link & 0xff;
    at = link >>> 8;
    let copies = 1;
    let byte = value;
    if (same === 4) {
      copies = value;
      byte = previous;
      same = 0;
      previous = -1;
    } else if (value === previous) same += 1;
    else {
      previous = value;
      same = 1;
    }
    for (; copies > 0; copies -= 1) {
      crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0);
      out[filled] = byte;
      filled += 1;
      if (filled < pieceBytes) continue;
      yield out;
      out = Buffer.allocUnsafe(pieceBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield out.subarray(0, filled);
  if (~crc >>> 0 !== block.crc) throw new Bzip2Error('checksum does not match');
}
