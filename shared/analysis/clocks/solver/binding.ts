/** Which operation sets each end of a clock's bounds, and which two of its rows. */
import { type Bounds, boundsFrom, type System } from './bounds.ts';

export interface Binding {
  readonly operation: number;
  /** Row whose low counts (what came before), and row whose high counts (what came after). */
  readonly before: number;
  readonly after: number;
}

export interface Bindings {
  /** Of the offset against the reference of the clock's component. */
  readonly low: readonly (Binding | undefined)[];
  readonly high: readonly (Binding | undefined)[];
}

/** References of all components at once. Clocks that are alone get what bounds them from anywhere, one side. O(rows). */
export function bindingRows(system: System, references: readonly number[], component: Int32Array): Bindings {
  const { domains } = system.operations;
  const low: (Binding | undefined)[] = new Array(domains).fill(undefined);
  const high: (Binding | undefined)[] = new Array(domains).fill(undefined);
  for (const [c, reference] of references.entries()) {
    const bounds = boundsFrom(system, reference);
    // The correction's upper end is the offset's lower one.
    setUppers(system, bounds, low, (d) => component[d] === c && d !== reference);
    setLowers(system, bounds, high, (d) => component[d] === c && d !== reference);
  }
  setLoneSides(system, component, { low, high });
  return { low, high };
}

type Side = (Binding | undefined)[];

function setUppers({ operations, low, high }: System, { upper }: Bounds, out: Side, of: (d: number) => boolean): void {
  const best = new Float64Array(operations.domains).fill(Infinity);
  for (let k = 0; k < operations.count; k++) {
    let x = Infinity;
    let after = -1;
    for (let row = operations.start[k] ?? 0; row < (operations.start[k + 1] ?? 0); row++) {
      const reach = (upper[operations.domain[row] ?? 0] ?? Infinity) + (high[row] ?? Infinity);
      if (reach < x) [x, after] = [reach, row];
    }
    if (after < 0) continue;
    for (let row = operations.start[k] ?? 0; row < (operations.start[k + 1] ?? 0); row++) {
      const d = operations.domain[row] ?? 0;
      if (x - (low[row] ?? -Infinity) >= (best[d] ?? 0) || !of(d) || row === after) continue;
      best[d] = x - (low[row] ?? -Infinity);
      out[d] = { operation: k, before: row, after };
    }
  }
}

function setLowers({ operations, low, high }: System, { lower }: Bounds, out: Side, of: (d: number) => boolean): void {
  const best = new Float64Array(operations.domains).fill(-Infinity);
  for (let k = 0; k < operations.count; k++) {
    let x = -Infinity;
    let before = -1;
    for (let row = operations.start[k] ?? 0; row < (operations.start[k + 1] ?? 0); row++) {
      const reach = (lower[operations.domain[row] ?? 0] ?? -Infinity) + (low[row] ?? -Infinity);
      if (reach > x) [x, before] = [reach, row];
    }
    if (before < 0) continue;
    for (let row = operations.start[k] ?? 0; row < (operations.start[k + 1] ?? 0); row++) {
      const d = operations.domain[row] ?? 0;
      if (x - (high[row] ?? Infinity) <= (best[d] ?? 0) || !of(d) || row === before) continue;
      best[d] = x - (high[row] ?? Infinity);
      out[d] = { operation: k, before, after: row };
    }
  }
}

/** One-sided evidence of clocks that are alone: the first of it, so that they can say what they have. */
function setLoneSides({ operations, low, high }: System, component: Int32Array, out: { low: Side; high: Side }): void {
  for (let k = 0; k < operations.count; k++) {
    const from = operations.start[k] ?? 0;
    const to = operations.start[k + 1] ?? 0;
    for (let row = from; row < to; row++) {
      const d = operations.domain[row] ?? 0;
      if (component[d] !== -1) continue;
      const other = row === from ? to - 1 : from;
      if (low[row] !== -Infinity) out.low[d] ??= { operation: k, before: row, after: other };
      if (high[row] !== Infinity) out.high[d] ??= { operation: k, before: other, after: row };
    }
  }
}
