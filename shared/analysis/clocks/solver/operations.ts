/**
 * All evidence about clocks in one shape: operations with rows.
 *
 *   operation k   some moment X on the common time line: the last member arrived, a write was under way, …
 *   row           what one clock d says of it:   low + c_d ≤ X ≤ high + c_d     (c_d: correction, common = stamp + c_d)
 *
 * A pair of stamps (a on i before b on j) is an operation with two rows, one with `low` only, one with `high` only; a
 * collective has one row for each node, however many ranks it has. That makes 2 edges for a row instead of n² pairs.
 *
 * Each row holds two pairs of bounds: the guaranteed ones, and the likely ones, which are at least as tight. Absent = ∓∞.
 * Times are nanoseconds since one base for the whole table, as doubles: exact for 104 days either side.
 */

export interface Operations {
  readonly domains: number;
  readonly count: number;
  /** Rows of operation k: [start[k], start[k + 1]). */
  readonly start: Int32Array;
  readonly domain: Int32Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly likelyLow: Float64Array;
  readonly likelyHigh: Float64Array;
  /** What told of operation k: an index that the one who added it understands. */
  readonly label: Int32Array;
  /** A number beside the label, such as the sequence number of a collective. */
  readonly detail: Float64Array;
}

/** Growing columns; `finish` hands out exact views. */
export class OperationBuilder {
  private readonly domainCount: number;
  private rows = 0;
  private operations = 0;
  private open = false;
  private start = new Int32Array(64);
  private domain = new Int32Array(128);
  private bounds = [0, 1, 2, 3].map(() => new Float64Array(128));
  private label = new Int32Array(64);
  private detail = new Float64Array(64);

  constructor(domains: number) {
    this.domainCount = domains;
  }

  /** Begins an operation; rows follow. One that gets no row is replaced by the next. */
  begin(label: number, detail = 0): void {
    if (this.open && this.start[this.operations - 1] === this.rows) this.operations -= 1;
    if (this.operations + 2 > this.start.length) {
      this.start = grown(this.start, Int32Array);
      this.label = grown(this.label, Int32Array);
      this.detail = grown(this.detail, Float64Array);
    }
    this.start[this.operations] = this.rows;
    this.label[this.operations] = label;
    this.detail[this.operations] = detail;
    this.operations += 1;
    this.open = true;
  }

  /** Likely bounds that are looser than the guaranteed ones are taken from these. */
  row(domain: number, low: number, high: number, likelyLow = low, likelyHigh = high): void {
    const [lows, highs, likelyLows, likelyHighs] = this.room();
    const at = this.rows;
    this.domain[at] = domain;
    lows[at] = low;
    highs[at] = high;
    likelyLows[at] = Math.max(low, likelyLow);
    likelyHighs[at] = Math.min(high, likelyHigh);
    this.rows += 1;
  }

  finish(): Operations {
    if (this.open && this.start[this.operations - 1] === this.rows) this.operations -= 1;
    this.start[this.operations] = this.rows;
    const [low, high, likelyLow, likelyHigh] = this.room();
    return {
      domains: this.domainCount,
      count: this.operations,
      start: this.start.subarray(0, this.operations + 1),
      domain: this.domain.subarray(0, this.rows),
      low: low.subarray(0, this.rows),
      high: high.subarray(0, this.rows),
      likelyLow: likelyLow.subarray(0, this.rows),
      likelyHigh: likelyHigh.subarray(0, this.rows),
      label: this.label.subarray(0, this.operations),
      detail: this.detail.subarray(0, this.operations),
    };
  }

  private room(): [Float64Array, Float64Array, Float64Array, Float64Array] {
    if (this.rows >= this.domain.length) {
      this.domain = grown(this.domain, Int32Array);
      this.bounds = this.bounds.map((column) => grown(column, Float64Array));
    }
    const [a, b, c, d] = this.bounds;
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('four columns');
    return [a, b, c, d];
  }
}

function grown<T extends Int32Array | Float64Array>(column: T, make: new (length: number) => T): T {
  const wider = new make(column.length * 2);
  wider.set(column);
  return wider;
}
