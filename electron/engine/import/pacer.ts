import { setImmediate } from 'node:timers/promises';
import type { CancelSignal } from '#shared/model/job.ts';
import { checkCancelled } from '../bundle/byte-source.ts';

/** Work between two turns of the event loop: a cancel or a query waits no longer than this plus one line or record. */
const TURN_MS = 40;

/** Gives the event loop its turn during long computations and looks at the cancel signal. */
export class Pacer {
  readonly #cancel: CancelSignal;
  readonly #now: () => number;
  #last: number;

  constructor(cancel: CancelSignal, now: () => number) {
    this.#cancel = cancel;
    this.#now = now;
    this.#last = now();
  }

  /** Cheap when called often. Throws CancelledError. */
  async turn(): Promise<void> {
    checkCancelled(this.#cancel);
    if (this.#now() - this.#last < TURN_MS) return;
    await setImmediate();
    this.#last = this.#now();
    checkCancelled(this.#cancel);
  }
}
