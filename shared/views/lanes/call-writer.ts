/** Collects the calls of one lane after the other into columns. */
import type { CallColumns } from './types.ts';

export interface CallDraft {
  readonly startNs: number;
  readonly endNs: number;
  readonly state: number;
  readonly group: number;
  readonly seq: number;
  readonly op: number;
  readonly record: number;
}

export class CallWriter {
  #size = 0;
  #startNs = new Float64Array(1024);
  #endNs = new Float64Array(1024);
  #state = new Uint8Array(1024);
  #group = new Int32Array(1024);
  #seq = new Int32Array(1024);
  #op = new Int32Array(1024);
  #record = new Int32Array(1024);

  get size(): number {
    return this.#size;
  }

  /** Calls of one lane, by start; those without a start are not taken. */
  add(call: CallDraft): void {
    if (this.#size === this.#state.length) this.#grow();
    const i = this.#size++;
    this.#startNs[i] = call.startNs;
    this.#endNs[i] = call.endNs;
    this.#state[i] = call.state;
    this.#group[i] = call.group;
    this.#seq[i] = call.seq;
    this.#op[i] = call.op;
    this.#record[i] = call.record;
  }

  columns(): CallColumns {
    const n = this.#size;
    return {
      length: n,
      startNs: this.#startNs.slice(0, n),
      endNs: this.#endNs.slice(0, n),
      state: this.#state.slice(0, n),
      group: this.#group.slice(0, n),
      seq: this.#seq.slice(0, n),
      op: this.#op.slice(0, n),
      record: this.#record.slice(0, n),
    };
  }

  #grow(): void {
    const size = this.#state.length * 2;
    this.#startNs = copyTo(new Float64Array(size), this.#startNs);
    this.#endNs = copyTo(new Float64Array(size), this.#endNs);
    this.#state = copyTo(new Uint8Array(size), this.#state);
    this.#group = copyTo(new Int32Array(size), this.#group);
    this.#seq = copyTo(new Int32Array(size), this.#seq);
    this.#op = copyTo(new Int32Array(size), this.#op);
    this.#record = copyTo(new Int32Array(size), this.#record);
  }
}

function copyTo<T extends Float64Array | Int32Array | Uint8Array>(into: T, from: T): T {
  into.set(from);
  return into;
}
