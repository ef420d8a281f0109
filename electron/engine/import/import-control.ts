import type { CancelSignal } from '#shared/model/job.ts';
import { CancelledError } from '../bundle/bundle-item.ts';

/** What others want of an import while it runs; looked at between two pieces of work. */
export interface ImportControl extends CancelSignal {
  /** Read no further; analyse what there is. */
  readonly stopped: boolean;
  readonly paused: boolean;
  /** Comes back when it is not paused any more, or cancelled. Costs no time of the processor. */
  untilResumed(): Promise<void> | void;
}

/** Goes through every layer as a cancel does, but what was read stays. */
export class StoppedError extends CancelledError {}

/** A control of the same thread. */
export class LocalControl implements ImportControl {
  aborted = false;
  stopped = false;
  #waiting: (() => void)[] = [];
  #paused = false;

  get paused(): boolean {
    return this.#paused;
  }

  pause(on: boolean): void {
    this.#paused = on;
    if (!on) for (const go of this.#waiting.splice(0)) go();
  }

  untilResumed(): Promise<void> {
    return this.#paused ? new Promise((go) => this.#waiting.push(go)) : Promise.resolve();
  }

  cancel(): void {
    this.aborted = true;
    this.pause(false);
  }

  /** What was read is kept. */
  stop(): void {
    this.stopped = true;
    this.pause(false);
  }
}

const ABORTED = 0;
const STOPPED = 1;
const PAUSED = 2;

/** A control of another thread: three words of shared memory, so that they are seen in the middle of a computation. */
export class SharedControl implements ImportControl {
  readonly #words: Int32Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(12)) {
    this.#words = new Int32Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#words.buffer;
  }

  get aborted(): boolean {
    return Atomics.load(this.#words, ABORTED) === 1;
  }

  get stopped(): boolean {
    return Atomics.load(this.#words, STOPPED) === 1;
  }

  get paused(): boolean {
    return Atomics.load(this.#words, PAUSED) === 1;
  }

  /** Stands still: only for a thread that does nothing but the import. */
  untilResumed(): void {
    while (this.paused && !this.aborted) Atomics.wait(this.#words, PAUSED, 1);
  }

  pause(on: boolean): void {
    this.#set(PAUSED, on ? 1 : 0);
  }

  cancel(): void {
    this.#set(ABORTED, 1);
    this.pause(false);
  }

  stop(): void {
    this.#set(STOPPED, 1);
    this.pause(false);
  }

  #set(word: number, value: number): void {
    Atomics.store(this.#words, word, value);
    Atomics.notify(this.#words, word);
  }
}
