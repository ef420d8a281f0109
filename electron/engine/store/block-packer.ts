/**
 * Compresses blocks, and hashes them where that is wanted, beside the thread that reads them. A ring of fixed size in shared memory is all
 * that lies between the two:
 *
 *   reading thread: copy into the next slot ─▶ [ FREE ─▶ FULL ─▶ PACKED ─▶ FREE ] ◀─ packing thread: hash, compress beside it, in order
 *                   ring is full: wait a little, then compress it here
 *
 * So memory is bounded by the ring, and a packing thread that cannot start or dies only costs its help. Blocks that the thread is given come
 * back in their order. A hash cannot be taken over from a thread that died: whoever wanted it is told so and makes it of what is stored.
 */
import type * as Crypto from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type * as Zlib from 'node:zlib';
import { invariant } from '#shared/lib/assert.ts';
import { directCodec } from '#shared/lib/direct-codec.ts';
import { type BlockCodec, MIN_PACKED_BYTES, type Packed, packBlock } from './block-codec.ts';

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
/** A multiple of every ring's slots: the slot of a ticket is its rest. */
const MAX_TICKET = 2 ** 28;

/** How long a full ring is waited for, in ms, before the reading thread helps: its own compressing makes garbage that costs as much again. */
const WAIT_MS = 20;
/** A block that belongs to a hash is waited for as long as something comes back; a thread from which nothing came for so long is given up. */
const GIVE_UP_MS = 5_000;

/**
 * Words of shared memory: counters that wake the packing and the reading thread, a mark that ends it, the tickets so far, and four a slot
 * (state, bytes, packed bytes, what is done with the hash).
 */
const WAKE = 0;
const STOP = 1;
const DONE = 2;
const TICKETS = 3;
const FIRST_SLOT = 4;
const WORDS = 4;

/** With the hash: nothing, begin a new one with this block, go on with it, end it (an empty block: its packed bytes are the hash). */
const NO_HASH = 0;
const BEGIN_HASH = 1;
const ADD_TO_HASH = 2;
const END_HASH = 3;

interface Shared {
  readonly words: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
  readonly slotBytes: number;
  readonly codec: BlockCodec;
  /** Shorter blocks stay as they are. */
  readonly minBytes: number;
}

/** Called once a block, with data that is only valid during the call. */
export type TakePacked = (packed: Packed) => void;

/** Which part a block has in the hash of its entry: blocks of one hash come one after the other. */
export type HashPart = 'none' | 'first' | 'next';

interface Waiter {
  readonly hash: number;
  readonly take: TakePacked;
  /** The thread is gone, and with it the hash. */
  readonly lose: () => void;
}

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
  /** Of the next block, and of the oldest that is out. */
  #ticket = 0;
  #oldest = 0;
  #packed = 0;
  readonly #waiters: (Waiter | undefined)[];

  /** `prelude`: script that the thread runs first, for tests. */
  constructor(codec: BlockCodec, { slots, slotBytes }: PackerSize = TEXT_PACKER, prelude = '') {
    this.#prelude = prelude;
    this.#codec = codec;
    this.#slots = slots;
    this.#slotBytes = slotBytes;
    this.#words = new Int32Array(new SharedArrayBuffer(4 * (FIRST_SLOT + slots * WORDS)));
    this.#waiters = Array.from({ length: slots }, () => undefined);
  }

  /** Blocks that the thread has packed and that were handed back. */
  get packedBeside(): number {
    return this.#packed;
  }

  /** The thread has ended: blocks are packed by their owner. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** May a hash be begun? `bytes`: that will come at least, if that is known: then the thread need not wait for them to be started. */
  canHash(bytes: number): boolean {
    this.#seenBytes = Math.max(this.#seenBytes, Math.min(bytes, START_AFTER_BYTES));
    return this.#isRunning();
  }

  /** `take` is called now or later: in a later call of `pack`, or in `drain`. `bytes` is only needed during this call. */
  pack(bytes: Buffer, take: TakePacked, part: HashPart = 'none'): void {
    this.#seenBytes += bytes.length;
    const hash = part === 'none' ? NO_HASH : part === 'first' ? BEGIN_HASH : ADD_TO_HASH;
    const isFree = bytes.length <= this.#slotBytes && this.#isRunning() && this.#waitForSlot(hash !== NO_HASH);
    if (isFree) this.#put(bytes, { hash, take, lose: () => undefined });
    else take(packBlock(bytes, this.#codec));
  }

  /**
   * Ends the hash of the blocks so far: `take` is called with its bytes as `pack` does, after the last of its blocks was handed back; or
   * with nothing, if the thread is gone.
   */
  endHash(take: (hash: Buffer | undefined) => void): void {
    if (!this.#isRunning() || !this.#waitForSlot(true)) {
      this.drain();
      take(undefined);
      return;
    }
    this.#put(NOTHING, {
      hash: END_HASH,
      take: ({ data }) => take(data.length > 0 ? data : undefined),
      lose: () => take(undefined),
    });
  }

  /** Hands back every block that is still out; what the thread has not begun is compressed here, unless it must be hashed. */
  drain(): void {
    while (this.#oldest !== this.#ticket) this.#finishOldest();
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
      minBytes: MIN_PACKED_BYTES,
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

  #put(bytes: Buffer, waiter: Waiter): void {
    const ticket = this.#ticket;
    const slot = ticket % this.#slots;
    bytes.copy(this.#bytesOf(2 * slot, bytes.length));
    this.#waiters[slot] = waiter;
    const word = FIRST_SLOT + slot * WORDS;
    this.#words[word + 1] = bytes.length;
    this.#words[word + 3] = waiter.hash;
    Atomics.store(this.#words, word, ticket * 4 + FULL);
    this.#ticket = (ticket + 1) % MAX_TICKET;
    Atomics.store(this.#words, TICKETS, this.#ticket);
    Atomics.add(this.#words, WAKE, 1);
    Atomics.notify(this.#words, WAKE);
  }

  /** Is the next slot free? Waits a little; `forHash`: until it is, or the thread is given up. */
  #waitForSlot(forHash: boolean): boolean {
    this.#harvest();
    for (let waited = 0; this.#isFull && !this.#isDead; waited += WAIT_MS) {
      if (waited > 0 && !forHash) return false;
      if (waited >= GIVE_UP_MS) this.close();
      const done = Atomics.load(this.#words, DONE);
      if (this.#isPacked(this.#oldest) || Atomics.wait(this.#words, DONE, done, WAIT_MS) !== 'timed-out') waited = 0;
      this.#harvest();
    }
    return !this.#isDead;
  }

  get #isFull(): boolean {
    return (this.#ticket - this.#oldest + MAX_TICKET) % MAX_TICKET === this.#slots;
  }

  #isPacked(ticket: number): boolean {
    return Atomics.load(this.#words, FIRST_SLOT + (ticket % this.#slots) * WORDS) === ticket * 4 + PACKED;
  }

  #harvest(): void {
    while (this.#oldest !== this.#ticket && this.#isPacked(this.#oldest)) this.#handBack();
  }

  #finishOldest(): void {
    const slot = this.#oldest % this.#slots;
    const word = FIRST_SLOT + slot * WORDS;
    const isHashed = this.#waiters[slot]?.hash !== NO_HASH;
    for (let waited = 0; isHashed && !this.#isDead && !this.#isPacked(this.#oldest); waited += WAIT_MS) {
      if (waited >= GIVE_UP_MS) this.close();
      const done = Atomics.load(this.#words, DONE);
      if (!this.#isPacked(this.#oldest) && Atomics.wait(this.#words, DONE, done, WAIT_MS) !== 'timed-out') waited = 0;
    }
    const full = this.#oldest * 4 + FULL;
    if (Atomics.compareExchange(this.#words, word, full, FREE) !== full) {
      this.#handBack();
      return;
    }
    // What the thread makes of a block that was taken back is not looked at: its ticket is gone.
    const { hash, take, lose } = this.#next(slot);
    if (hash === END_HASH) lose();
    else take(packBlock(this.#bytesOf(2 * slot, this.#words[word + 1]), this.#codec));
  }

  /** Hands back the oldest block, which is packed. */
  #handBack(): void {
    const slot = this.#oldest % this.#slots;
    const word = FIRST_SLOT + slot * WORDS;
    const packedBytes = this.#words[word + 2] ?? 0;
    const { hash, take } = this.#next(slot);
    if (hash !== END_HASH) this.#packed += 1;
    take(
      packedBytes > 0
        ? { codec: this.#codec, data: this.#bytesOf(2 * slot + 1, packedBytes) }
        : { codec: 'raw', data: this.#bytesOf(2 * slot, this.#words[word + 1]) },
    );
    Atomics.store(this.#words, word, FREE);
  }

  /** Who waits for the oldest block, which is out no more. */
  #next(slot: number): Waiter {
    const waiter = this.#waiters[slot];
    this.#waiters[slot] = undefined;
    this.#oldest = (this.#oldest + 1) % MAX_TICKET;
    invariant(waiter !== undefined, 'a slot in use has somebody who waits for it');
    return waiter;
  }

  /** A slot is two areas: the block and, behind it, the packed block. */
  #bytesOf(area: number, length = 0): Buffer {
    invariant(this.#pool !== undefined, 'there are slots in use only where there is a pool');
    return Buffer.from(this.#pool, area * this.#slotBytes, length);
  }
}

const NOTHING = Buffer.alloc(0);

function sharedOf(words: Int32Array): SharedArrayBuffer {
  invariant(words.buffer instanceof SharedArrayBuffer, 'it was made so');
  return words.buffer;
}

/** The packing thread. Runs from its text alone: it may use nothing of this module. */
function packLoop(codecOf: typeof directCodec): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const zlib: typeof Zlib = process.getBuiltinModule('node:zlib');
  const crypto: typeof Crypto = process.getBuiltinModule('node:crypto');
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
  let hash: Crypto.Hash | undefined;
  /** What the block comes to; empty = it is kept as it is. */
  const made = (bytes: Buffer, part: number): Buffer => {
    if (part === 1) hash = crypto.createHash('sha256');
    if (part === 3) {
      const digest = hash?.digest() ?? bytes;
      hash = undefined;
      return digest;
    }
    if (part !== 0) hash?.update(bytes);
    if (bytes.length < shared.minBytes) return bytes.subarray(0, 0);
    const packed = pack(bytes);
    return packed.length < bytes.length ? packed : bytes.subarray(0, 0);
  };
  const packSlot = (ticket: number): void => {
    const slot = ticket % slots;
    const word = 4 + slot * 4;
    const state = ticket * 4 + 1;
    if (Atomics.load(words, word) !== state) return;
    const length = words[word + 1] ?? 0;
    pool.copy(copy, 0, 2 * slot * slotBytes, 2 * slot * slotBytes + length);
    const packed = made(copy.subarray(0, length), words[word + 3] ?? 0);
    packed.copy(pool, (2 * slot + 1) * slotBytes);
    words[word + 2] = packed.length;
    Atomics.compareExchange(words, word, state, state + 1);
    Atomics.add(words, 2, 1);
    Atomics.notify(words, 2);
  };

  const slots = Math.floor((words.length - 4) / 4);
  let next = 0;
  while (Atomics.load(words, 1) === 0) {
    const seen = Atomics.load(words, 0);
    for (; next !== Atomics.load(words, 3); next = (next + 1) % 2 ** 28) packSlot(next);
    Atomics.wait(words, 0, seen);
  }
}
