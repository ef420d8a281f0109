/**
 * The calls of one lane while they are collected, as columns that are used again for the next lane: a job has millions of calls, and an object each
 * would be garbage of a hundred times the size.
 *
 *   position   0 … rows - 1     the record in this row of the dump; state `none` = it is no call
 *              rows …           calls that no record tells of
 */
import { STATE } from './types.ts';

export interface CallDraft {
  readonly startNs: number;
  readonly endNs: number;
  readonly state: number;
  readonly group: number;
  readonly seq: number;
  readonly op: number;
  readonly record: number;
}

const FIRST_SIZE = 2048;

export class LaneCalls {
  startNs: Float64Array = new Float64Array(FIRST_SIZE);
  endNs: Float64Array = new Float64Array(FIRST_SIZE);
  state: Uint8Array = new Uint8Array(FIRST_SIZE);
  group: Int32Array = new Int32Array(FIRST_SIZE);
  seq: Int32Array = new Int32Array(FIRST_SIZE);
  op: Int32Array = new Int32Array(FIRST_SIZE);
  record: Int32Array = new Int32Array(FIRST_SIZE);
  /** Positions in use. */
  size = 0;
  private indices: Int32Array = new Int32Array(FIRST_SIZE);

  /** Forgets the lane before; the first `rows` positions are for records. */
  begin(rows: number): void {
    this.reserve(rows);
    this.size = rows;
    this.state.fill(STATE.none, 0, rows);
  }

  /** A call of a record, or at a position that `add` gave. `startNs` must not be NaN. */
  set(at: number, call: CallDraft): void {
    this.startNs[at] = call.startNs;
    this.endNs[at] = call.endNs;
    this.state[at] = call.state;
    this.group[at] = call.group;
    this.seq[at] = call.seq;
    this.op[at] = call.op;
    this.record[at] = call.record;
  }

  add(call: CallDraft): void {
    this.reserve(this.size + 1);
    this.set(this.size++, call);
  }

  /** Positions of all calls by start, then by record; valid until the next call of a method. */
  order(): Int32Array {
    const { startNs, record } = this;
    let count = 0;
    let sorted = true;
    for (let at = 0; at < this.size; at++) {
      if (this.state[at] === STATE.none) continue;
      const before = this.indices[count - 1] ?? at;
      sorted &&= count === 0 || compare(startNs, record, before, at) <= 0;
      this.indices[count++] = at;
    }
    const order = this.indices.subarray(0, count);
    return sorted ? order : order.sort((a, b) => compare(startNs, record, a, b) || a - b);
  }

  private reserve(size: number): void {
    if (size <= this.state.length) return;
    const next = Math.max(size, this.state.length * 2);
    const { startNs, endNs, state, group, seq, op, record } = this;
    this.startNs = new Float64Array(next);
    this.startNs.set(startNs);
    this.endNs = new Float64Array(next);
    this.endNs.set(endNs);
    this.state = new Uint8Array(next);
    this.state.set(state);
    this.group = new Int32Array(next);
    this.group.set(group);
    this.seq = new Int32Array(next);
    this.seq.set(seq);
    this.op = new Int32Array(next);
    this.op.set(op);
    this.record = new Int32Array(next);
    this.record.set(record);
    this.indices = new Int32Array(next);
  }
}

const compare = (startNs: Float64Array, record: Int32Array, a: number, b: number): number =>
  (startNs[a] ?? 0) - (startNs[b] ?? 0) || (record[a] ?? 0) - (record[b] ?? 0);
