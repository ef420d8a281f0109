/**
 * Do the inequalities exclude each other, and if so, which? A contradiction is a cycle of negative length: going round it
 * through operations and clocks one arrives earlier than one left.
 *
 * All clocks start at 0 (as from a source that bounds each of them), bounds are lowered round by round, and each keeps the
 * operation and the clock it came from. A loop among these is a contradiction; if nothing changes any more there is none.
 */
import type { System } from './bounds.ts';

export interface Cycle {
  /** Clocks in order; `operations[n]` leads from `domains[n]` to the next one. */
  readonly domains: readonly number[];
  readonly operations: readonly number[];
}

const ROUNDING_NS = 0.5;

/** Undefined if all inequalities can hold at once. Clocks of `without` do not take part. O(rows) a round. */
export function findCycle(system: System, without?: ReadonlySet<number>): Cycle | undefined {
  const { operations, low, high } = system;
  const { count, start, domain, domains } = operations;
  const upper = new Float64Array(domains);
  const fromDomain = new Int32Array(domains).fill(-1);
  const fromOperation = new Int32Array(domains).fill(-1);
  const out = new Uint8Array(domains);
  for (const d of without ?? []) out[d] = 1;
  for (let round = 0; ; round++) {
    let changed = false;
    for (let k = 0; k < count; k++) {
      const from = start[k] ?? 0;
      const to = start[k + 1] ?? 0;
      let x = Infinity;
      let by = -1;
      for (let row = from; row < to; row++) {
        const d = domain[row] ?? 0;
        const reach = (upper[d] ?? 0) + (high[row] ?? 0);
        if (reach < x && out[d] === 0) {
          x = reach;
          by = d;
        }
      }
      if (by < 0) continue;
      for (let row = from; row < to; row++) {
        const d = domain[row] ?? 0;
        const bound = x - (low[row] ?? 0);
        if (bound < (upper[d] ?? 0) - ROUNDING_NS && out[d] === 0) {
          if (d === by) return { domains: [d], operations: [k] };
          upper[d] = bound;
          fromDomain[d] = by;
          fromOperation[d] = k;
          changed = true;
        }
      }
    }
    if (!changed) return undefined;
    const cycle = loopAmong(fromDomain, fromOperation);
    if (cycle !== undefined) return cycle;
    // Each round settles one more clock of every shortest path, so this cannot be reached without a loop.
    if (round > 2 * domains + 8) return undefined;
  }
}

function loopAmong(fromDomain: Int32Array, fromOperation: Int32Array): Cycle | undefined {
  const seenBy = new Int32Array(fromDomain.length).fill(-1);
  for (let first = 0; first < fromDomain.length; first++) {
    let at = first;
    while (at >= 0 && seenBy[at] === -1) {
      seenBy[at] = first;
      at = fromDomain[at] ?? 0;
    }
    if (at >= 0 && seenBy[at] === first) return walk(at, fromDomain, fromOperation);
  }
  return undefined;
}

function walk(first: number, fromDomain: Int32Array, fromOperation: Int32Array): Cycle {
  const domains: number[] = [];
  const operations: number[] = [];
  let at = first;
  do {
    domains.push(at);
    operations.push(fromOperation[at] ?? 0);
    at = fromDomain[at] ?? 0;
  } while (at !== first);
  return { domains: domains.reverse(), operations: operations.reverse() };
}
