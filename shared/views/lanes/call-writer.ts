/** Collects the calls of one lane after the other into columns. */
import type { LaneCalls } from './lane-calls.ts';
import type { CallColumns } from './types.ts';

export class CallWriter {
  #size = 0;
  #startNs: Float64Array;
  #endNs: Float64Array;
  #state: Uint8Array;
  #seq: Int32Array;
  readonly #group: NarrowColumn;
  readonly #op: NarrowColumn;
  readonly #record: NarrowColumn;

  /** `expected`: how many calls there will be, as nearly as is known. Millions of them are written without a second copy then. */
  constructor(expected = 1024) {
    const size = Math.max(16, expected);
    this.#startNs = new Float64Array(size);
    this.#endNs = new Float64Array(size);
    this.#state = new Uint8Array(size);
    this.#seq = new Int32Array(size);
    this.#group = new NarrowColumn(size);
    this.#op = new NarrowColumn(size);
    this.#record = new NarrowColumn(size);
  }

  get size(): number {
    return this.#size;
  }

  /** Calls of one lane, by start. */
  addLane(calls: LaneCalls): void {
    const order = calls.order();
    while (this.#size + order.length > this.#state.length) this.#grow();
    for (const from of order) {
      const i = this.#size++;
      this.#startNs[i] = calls.startNs[from] ?? Number.NaN;
      this.#endNs[i] = calls.endNs[from] ?? Number.NaN;
      this.#state[i] = calls.state[from] ?? 0;
      this.#seq[i] = calls.seq[from] ?? -1;
      this.#group.set(i, calls.group[from] ?? -1);
      this.#op.set(i, calls.op[from] ?? -1);
      this.#record.set(i, calls.record[from] ?? -1);
    }
  }

  /** Over the memory that was written to: nothing may be added afterwards. */
  columns(): CallColumns {
    const n = this.#size;
    return {
      length: n,
      startNs: this.#startNs.subarray(0, n),
      endNs: this.#endNs.subarray(0, n),
      state: this.#state.subarray(0, n),
      group: this.#group.column(n),
      seq: this.#seq.subarray(0, n),
      op: this.#op.column(n),
      record: this.#record.column(n),
    };
  }

  #grow(): void {
    const size = this.#state.length * 2;
    this.#startNs = copyTo(new Float64Array(size), this.#startNs);
    this.#endNs = copyTo(new Float64Array(size), this.#endNs);
    this.#state = copyTo(new Uint8Array(size), this.#state);
    this.#seq = copyTo(new Int32Array(size), this.#seq);
    for (const column of [this.#group, this.#op, this.#record]) column.grow(size);
  }
}

/** 16 bits a value, as long as all of them fit. */
class NarrowColumn {
  #values: Int16Array | Int32Array;

  constructor(size: number) {
    this.#values = new Int16Array(size);
  }

  set(i: number, value: number): void {
    if ((value < -0x8000 || value > 0x7fff) && this.#values instanceof Int16Array)
      this.#values = copyTo(new Int32Array(this.#values.length), this.#values);
    this.#values[i] = value;
  }

  grow(size: number): void {
    this.#values = copyTo(
      this.#values instanceof Int16Array ? new Int16Array(size) : new Int32Array(size),
      this.#values,
    );
  }

  column(length: number): Int16Array | Int32Array {
    return this.#values.subarray(0, length);
  }
}

function copyTo<T extends Float64Array | Int32Array | Int16Array | Uint8Array>(into: T, from: ArrayLike<number>): T {
  into.set(from);
  return into;
}
