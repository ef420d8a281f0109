/**
 * Unpacks many blocks at once with the help of a search thread that has nothing else to do. Nobody waits for the other:
 *
 *   this thread takes blocks from the end of the list ─▶ 7 6 5 4 | 0 1 2 3 ◀─ the thread takes them from its beginning
 *
 * When all are taken, what the thread has not finished is unpacked here, too: at most one block twice. A thread that is busy or dead helps with
 * nothing and costs nothing. It writes into one fixed piece of shared memory, used for the next list only when it is done with the last.
 */
import { MAX_ROOM_BYTES, ROOM_BYTES } from '../store/block-unpacker.ts';
import type { LogStore } from '../store/log-store.ts';

export interface UnpackJob {
  /** Row ids of the blocks. */
  readonly ids: Float64Array;
  /** A word a block, FREE at first, and one for the whole. */
  readonly words: SharedArrayBuffer;
  /** A place of SLOT_BYTES for each of them. */
  readonly places: SharedArrayBuffer;
}

const FREE = 0;
const TAKEN = 1;
/** Otherwise: bytes that were unpacked, plus this. */
const READY = 2;
/** Of the word of the whole: the thread is through. */
const THROUGH = 1;

/** Blocks of text are no larger. */
const SLOT_BYTES = MAX_ROOM_BYTES;
/** Blocks in one list; 4 MB of shared memory. */
export const MAX_UNPACKED = 64;
/** Lists without help before a thread counts as gone. Chosen. */
const MAX_SKIPPED = 20;

export class BlockHelper {
  readonly #store: Pick<LogStore, 'block'>;
  readonly #ask: (job: UnpackJob) => boolean;
  #places: SharedArrayBuffer | undefined;
  /** Of the list that the thread may still be at. */
  #last: Int32Array | undefined;
  #skipped = 0;

  /** `ask`: hands a list to the thread; false if there is none. */
  constructor(store: Pick<LogStore, 'block'>, ask: (job: UnpackJob) => boolean) {
    this.#store = store;
    this.#ask = ask;
  }

  /**
   * The bytes of at most MAX_UNPACKED blocks, by position; undefined where there is no such block or it cannot be read. `room` lends memory of
   * ROOM_BYTES for each of them.
   */
  unpack(ids: readonly number[], room: () => Buffer): readonly (Buffer | undefined)[] {
    const words = this.#begin(ids);
    const found: (Buffer | undefined)[] = new Array(ids.length).fill(undefined);
    for (let i = ids.length - 1; i >= 0; i -= 1) {
      if (words === undefined || take(words, i)) found[i] = this.#unpackHere(ids[i] ?? -1, room);
      else found[i] = this.#fetch(words, i, room) ?? this.#unpackHere(ids[i] ?? -1, room);
    }
    return found;
  }

  #begin(ids: readonly number[]): Int32Array | undefined {
    if (this.#last !== undefined && Atomics.load(this.#last, this.#last.length - 1) !== THROUGH) {
      this.#skipped += 1;
      if (this.#skipped < MAX_SKIPPED) return undefined;
      // It was ended in the middle. The memory is left to it: it may still write.
      this.#places = undefined;
    }
    this.#skipped = 0;
    this.#places ??= new SharedArrayBuffer(MAX_UNPACKED * SLOT_BYTES);
    const words = new Int32Array(new SharedArrayBuffer(4 * (ids.length + 1)));
    const { buffer } = words;
    if (!this.#ask({ ids: Float64Array.from(ids), words: buffer, places: this.#places })) return undefined;
    this.#last = words;
    return words;
  }

  /** What the thread made of a block, if it is done with it. */
  #fetch(words: Int32Array, i: number, room: () => Buffer): Buffer | undefined {
    const length = Atomics.load(words, i) - READY;
    if (length < 0 || this.#places === undefined) return undefined;
    const place = room();
    place.set(new Uint8Array(this.#places, i * SLOT_BYTES, length));
    return place.subarray(0, length);
  }

  #unpackHere(id: number, room: () => Buffer): Buffer | undefined {
    try {
      return this.#store.block(id, room());
    } catch (error) {
      if (error instanceof Error && error.name === 'UnreadableBlockError') return undefined;
      throw error;
    }
  }
}

/** The thread's side of it. Never throws because of a block. */
export function helpUnpack({ ids, words, places }: UnpackJob, store: Pick<LogStore, 'block'>): void {
  const states = new Int32Array(words);
  const room = Buffer.allocUnsafeSlow(ROOM_BYTES);
  for (const [i, id] of ids.entries()) {
    if (!take(states, i)) continue;
    try {
      const bytes = store.block(id, room);
      if (bytes === undefined || bytes.length > SLOT_BYTES) continue;
      new Uint8Array(places).set(bytes, i * SLOT_BYTES);
      Atomics.store(states, i, READY + bytes.length);
    } catch {
      // The other side meets it, too, and says so.
    }
  }
  Atomics.store(states, ids.length, THROUGH);
}

const take = (words: Int32Array, i: number): boolean => Atomics.compareExchange(words, i, FREE, TAKEN) === FREE;
