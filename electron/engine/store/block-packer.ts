/**
 * Compresses blocks beside the thread that reads them. A fixed pool of shared memory is all that lies between the two:
 *
 *   reading thread: copy into a free slot ─▶ [ FREE ─▶ FULL ─▶ PACKED ─▶ FREE ] ◀─ packing thread: compress beside it
 *                   no free slot: wait a little, then compress it here
 *
 * So memory is bounded by the pool, and a packing thread that cannot start or dies only costs its help. Blocks are handed back in any order.
 */
import { Worker } from 'node:worker_threads';
import type * as Zlib from 'node:zlib';
import { invariant } from '#shared/lib/assert.ts';
import { directCodec } from '#shared/lib/direct-codec.ts';
import { type BlockCodec, type Packed, packBlock } from './block-codec.ts';

/** Of the shared memory. */
export interface PackerSize {
  readonly slots: number;
  /** Larger blocks are compressed by the reading thread. */
  readonly slotBytes: number;
}

/** As many blocks of text as are compressed while one piece of input is scanned, and as many again. Chosen, measured to be enough. */
export const TEXT_PACKER: PackerSize = { slots: 16, slotBytes: 64 * 1024 };
/** Recorder dumps: 2 000 entries take about 250 KB. 4 MB in all. */
export const DUMP_PACKER: PackerSize = { slots: 4, slotBytes: 512 * 1024 };

/** A thread takes about 15 ms to start: small bundles do without. */
const START_AFTER_BYTES = 4 * 1024 * 1024;

/** State of a slot: FREE, or a ticket number times four with one of the others. The ticket tells a block from the next one in its slot. */
const FREE = 0;
const FULL = 1;
const PACKED = 2;
const MAX_TICKET = 2 ** 28;

/** How long a full pool is waited for, in ms, before the reading thread helps: its own compressing makes garbage that costs as much again. */
const WAIT_MS = 20;

/** Words of shared memory: counters that wake the packing and the reading thread, a mark that ends it, and three a slot (state, bytes, packed bytes). */
const WAKE = 0;
const STOP = 1;
const DONE = 2;
const FIRST_SLOT = 3;
const WORDS = 3;

interface Shared {
  readonly words: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
  readonly slotBytes: number;
  readonly codec: BlockCodec;
}

/** Called once a block, with data that is only valid during the call. */
export type TakePacked = (packed: Packed) => void;

export class BlockPacker {
  readonly #codec: BlockCodec;
  readonly #prelude: string;
  readonly #slots: number;
  readonly #slotBytes: number;
  readonly #words: Int32Array;
  #pool: SharedArrayBuffer | undefined;
  #worker: Worker | undefined;
  #isDead = false;
  #seenBytes = 0;
  #ticket = 0;
  #packed = 0;
  readonly #takers: (TakePacked | undefined)[];

  /** `prelude`: script that the thread runs first, for tests. */
  constructor(codec: BlockCodec, { slots, slotBytes }: PackerSize = TEXT_PACKER, prelude = '') {
    this.#prelude = prelude;
    this.#codec = codec;
    this.#slots = slots;
    this.#slotBytes = slotBytes;
    this.#words = new Int32Array(new SharedArrayBuffer(4 * (FIRST_SLOT + slots * WORDS)));
    this.#takers = Array.from({ length: slots }, () => undefined);
  }

  /** Blocks that the thread has packed and that were handed back. */
  get packedBeside(): number {
    return this.#packed;
  }

  /** The thread has ended: blocks are packed by their owner. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** `take` is called now or later: in a later call of `pack`, or in `drain`. `bytes` is only needed during this call. */
  pack(bytes: Buffer, take: TakePacked): void {
    this.#seenBytes += bytes.length;
    const slot = bytes.length <= this.#slotBytes && this.#isRunning() ? this.#waitForSlot() : -1;
    const pool = this.#pool;
    if (slot < 0 || pool === undefined) {
      take(packBlock(bytes, this.#codec));
      return;
    }
    bytes.copy(Buffer.from(pool, 2 * slot * this.#slotBytes, bytes.length));
    this.#takers[slot] = take;
    this.#ticket = (this.#ticket + 1) % MAX_TICKET;
    const word = FIRST_SLOT + slot * WORDS;
    this.#words[word + 1] = bytes.length;
    Atomics.store(this.#words, word, this.#ticket * 4 + FULL);
    Atomics.add(this.#words, WAKE, 1);
    Atomics.notify(this.#words, WAKE);
  }

  /** Hands back every block that is still out; what the thread has not begun is compressed here. */
  drain(): void {
    for (let slot = 0; slot < this.#slots; slot += 1) this.#finish(slot);
  }

  /** Ends the thread. Blocks that were not handed back are lost. */
  close(): void {
    this.#isDead = true;
    Atomics.store(this.#words, STOP, 1);
    Atomics.add(this.#words, WAKE, 1);
    Atomics.notify(this.#words, WAKE);
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #isRunning(): boolean {
    if (this.#isDead || this.#codec === 'raw' || this.#seenBytes < START_AFTER_BYTES) return false;
    this.#worker ??= this.#start();
    return !this.#isDead;
  }

  #start(): Worker {
    this.#pool = new SharedArrayBuffer(2 * this.#slots * this.#slotBytes);
    const shared: Shared = {
      words: sharedOf(this.#words),
      bytes: this.#pool,
      slotBytes: this.#slotBytes,
      codec: this.#codec,
    };
    // The thread's program is these functions and no file: the same for sources and for a bundle of one file.
    const worker = new Worker(`${this.#prelude};(${packLoop.toString()})(${directCodec.toString()})`, {
      eval: true,
      workerData: shared,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
    });
    const died = () => {
      this.#isDead = true;
    };
    worker.on('error', died);
    worker.on('exit', died);
    worker.unref();
    return worker;
  }

  #waitForSlot(): number {
    const done = Atomics.load(this.#words, DONE);
    this.#harvest();
    const slot = this.#freeSlot();
    if (slot >= 0) return slot;
    Atomics.wait(this.#words, DONE, done, WAIT_MS);
    this.#harvest();
    return this.#freeSlot();
  }

  #freeSlot(): number {
    for (let slot = 0; slot < this.#slots; slot += 1) {
      if (Atomics.load(this.#words, FIRST_SLOT + slot * WORDS) === FREE) return slot;
    }
    return -1;
  }

  #harvest(): void {
    if (this.#pool === undefined) return;
    for (let slot = 0; slot < this.#slots; slot += 1) {
      if (Atomics.load(this.#words, FIRST_SLOT + slot * WORDS) % 4 === PACKED) this.#handBack(slot);
    }
  }

  #finish(slot: number): void {
    const word = FIRST_SLOT + slot * WORDS;
    const state = Atomics.load(this.#words, word);
    if (state === FREE) return;
    // What the thread makes of a block that was taken back is not looked at: its ticket is gone.
    if (state % 4 === FULL && Atomics.compareExchange(this.#words, word, state, FREE) === state) {
      this.#taker(slot)(packBlock(this.#bytesOf(2 * slot, this.#words[word + 1]), this.#codec));
    } else this.#handBack(slot);
  }

  #handBack(slot: number): void {
    const word = FIRST_SLOT + slot * WORDS;
    const packedBytes = this.#words[word + 2] ?? 0;
    this.#packed += 1;
    this.#taker(slot)(
      packedBytes > 0
        ? { codec: this.#codec, data: this.#bytesOf(2 * slot + 1, packedBytes) }
        : { codec: 'raw', data: this.#bytesOf(2 * slot, this.#words[word + 1]) },
    );
    Atomics.store(this.#words, word, FREE);
  }

  #taker(slot: number): TakePacked {
    const take = this.#takers[slot];
    this.#takers[slot] = undefined;
    invariant(take !== undefined, 'a slot in use has somebody who waits for it');
    return take;
  }

  /** A slot is two areas: the block and, behind it, the packed block. */
  #bytesOf(area: number, length = 0): Buffer {
    invariant(this.#pool !== undefined, 'there are slots in use only where there is a pool');
    return Buffer.from(this.#pool, area * this.#slotBytes, length);
  }
}

function sharedOf(words: Int32Array): SharedArrayBuffer {
  invariant(words.buffer instanceof SharedArrayBuffer, 'it was made so');
  return words.buffer;
}

/** The packing thread. Runs from its text alone: it may use nothing of this module. */
function packLoop(codecOf: typeof directCodec): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const zlib: typeof Zlib = process.getBuiltinModule('node:zlib');
  const shared: Shared = workerData;
  const words = new Int32Array(shared.words);
  const { slotBytes } = shared;
  // Of the size of what comes out as a rule.
  const chunkSize = Math.min(slotBytes, 16_384);
  const { ZSTD_c_compressionLevel, ZSTD_e_end } = zlib.constants;
  const isZstd = shared.codec === 'zstd';
  const deflate = { chunkSize, level: 1 };
  const zstd = { chunkSize, params: { [ZSTD_c_compressionLevel]: 1 } };
  // A deflate that was reset would not give the very bytes of a new one (measured), and is for runtimes without zstd alone.
  let direct = isZstd ? codecOf(zlib.createZstdCompress(zstd)) : undefined;
  const pool = Buffer.from(shared.bytes);
  // Larger than anything that a codec makes of a slot.
  const out = Buffer.alloc(2 * slotBytes);
  // A copy: a block may be taken back and its place filled again while it is compressed.
  const copy = Buffer.alloc(slotBytes);

  const packBeside = (bytes: Buffer): Buffer =>
    isZstd ? zlib.zstdCompressSync(bytes, zstd) : zlib.deflateRawSync(bytes, deflate);
  const pack = (bytes: Buffer): Buffer => {
    if (direct === undefined) return packBeside(bytes);
    // It begins a new frame by itself, and would lose its level by a reset.
    const isWhole = direct.write(ZSTD_e_end, bytes, 0, out, 0) && direct.inputLeft === 0;
    if (isWhole && direct.outputLeft > 0) return out.subarray(0, out.length - direct.outputLeft);
    direct = undefined;
    return packBeside(bytes);
  };
  const packSlot = (slot: number): void => {
    const word = 3 + slot * 3;
    const state = Atomics.load(words, word);
    if (state % 4 !== 1) return;
    const length = words[word + 1] ?? 0;
    pool.copy(copy, 0, 2 * slot * slotBytes, 2 * slot * slotBytes + length);
    const packed = pack(copy.subarray(0, length));
    const isSmaller = packed.length < length;
    if (isSmaller) packed.copy(pool, (2 * slot + 1) * slotBytes);
    words[word + 2] = isSmaller ? packed.length : 0;
    Atomics.compareExchange(words, word, state, state + 1);
    Atomics.add(words, 2, 1);
    Atomics.notify(words, 2);
  };

  const slots = Math.floor((words.length - 3) / 3);
  for (let seen = 0; Atomics.load(words, 1) === 0; ) {
    Atomics.wait(words, 0, seen);
    seen = Atomics.load(words, 0);
    for (let slot = 0; slot < slots; slot += 1) packSlot(slot);
  }
}
