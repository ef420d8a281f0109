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
  #startNs: Float64Array;
  #endNs: Float64Array;
  #state: Uint8Array;
  #group: Int32Array;
  #seq: Int32Array;
  #op: Int32Array;
  #record: Int32Array;

  /** `expected`: how many calls there will be, as nearly as is known. Millions of them are written without a second copy then. */
  constructor(expected = 1024) {
    const size = Math.max(16, expected);
    this.#startNs = new Float64Array(size);
    this.#endNs = new Float64Array(size);
    this.#state = new Uint8Array(size);
    this.#group = new Int32Array(size);
    this.#seq = new Int32Array(size);
    this.#op = new Int32Array(size);
    this.#record = new Int32Array(size);
  }

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

  /** Over the memory that was written to: nothing may be added afterwards. */
  columns(): CallColumns {
    const n = this.#size;
    return {
      length: n,
      startNs: this.#startNs.subarray(0, n),
      endNs: this.#endNs.subarray(0, n),
      state: this.#state.subarray(0, n),
      group: this.#group.subarray(0, n),
      seq: this.#seq.subarray(0, n),
      op: this.#op.subarray(0, n),
      record: this.#record.subarray(0, n),
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
