import { setImmediate } from 'node:timers/promises';
import type { CancelSignal } from '#shared/model/job.ts';
import { checkCancelled } from '../bundle/byte-source.ts';
import { type ImportControl, StoppedError } from './import-control.ts';

/** Work between two turns of the event loop: a cancel or a query waits no longer than this plus one line or record. */
const TURN_MS = 40;

export interface PacerHooks {
  /** Before it stands still (true) and after (false). */
  readonly onPaused?: (paused: boolean) => void;
  /** Once a turn. */
  readonly onTurn?: () => void;
}

/** Gives the event loop its turn during long computations, looks at the cancel signal, and stands still while the import is paused. */
export class Pacer {
  readonly #cancel: CancelSignal;
  readonly #control: ImportControl | undefined;
  readonly #now: () => number;
  readonly #hooks: PacerHooks;
  #last: number;
  /** While it is set, a stop ends the work with StoppedError. */
  canStop = false;

  constructor(cancel: CancelSignal | ImportControl, now: () => number, hooks: PacerHooks = {}) {
    this.#cancel = cancel;
    this.#control = 'untilResumed' in cancel ? cancel : undefined;
    this.#now = now;
    this.#hooks = hooks;
    this.#last = now();
  }

  /** Cheap when called often. Throws CancelledError. */
  async turn(): Promise<void> {
    checkCancelled(this.#cancel);
    if (this.#control?.paused === true) await this.#standStill(this.#control);
    if (this.canStop && this.#control?.stopped === true) throw new StoppedError('stopped');
    if (this.#now() - this.#last < TURN_MS) return;
    this.#hooks.onTurn?.();
    await setImmediate();
    this.#last = this.#now();
    checkCancelled(this.#cancel);
  }

  async #standStill(control: ImportControl): Promise<void> {
    this.#hooks.onPaused?.(true);
    await control.untilResumed();
    checkCancelled(this.#cancel);
    this.#hooks.onPaused?.(false);
  }
}
