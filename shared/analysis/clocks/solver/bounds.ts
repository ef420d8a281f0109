/**
 * Bounds on the corrections of all clocks, given the correction of one of them: shortest paths over the operations.
 *
 *   U[i] = min over operations k that i and j share of  U[j] + high[j,k] − low[i,k]        L alike, with max
 *
 * This is exactly what all the inequalities together say, no more and no less. O(rows) a round; the number of rounds is
 * at most the number of clocks and in practice two to five.
 */
import type { Operations } from './operations.ts';

/** Rows as one system: either the guaranteed bounds or the likely ones, widened by drift to the moments that are asked for. */
export interface System {
  readonly operations: Operations;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Rows that do not count are left out by lows of −∞ and highs of +∞. */
}

export interface Widening {
  /** Moment of interest on each clock. */
  readonly moments: Float64Array;
  /** Largest rate of each clock against the common time. */
  readonly rates: Float64Array;
}

export function widen(operations: Operations, which: 'guaranteed' | 'likely', { moments, rates }: Widening): System {
  const { domain } = operations;
  const from = which === 'guaranteed' ? operations.low : operations.likelyLow;
  const to = which === 'guaranteed' ? operations.high : operations.likelyHigh;
  const low = new Float64Array(domain.length);
  const high = new Float64Array(domain.length);
  for (let row = 0; row < domain.length; row++) {
    const d = domain[row] ?? 0;
    const moment = moments[d] ?? 0;
    const rate = rates[d] ?? 0;
    const a = from[row] ?? 0;
    const b = to[row] ?? 0;
    low[row] = a === -Infinity ? a : a - rate * Math.abs(moment - a);
    high[row] = b === Infinity ? b : b + rate * Math.abs(b - moment);
  }
  return { operations, low, high };
}

export interface Bounds {
  /** Correction of each clock minus the source's: not above, not below. ±∞ = not bounded on that side. */
  readonly upper: Float64Array;
  readonly lower: Float64Array;
  /** False if the inequalities exclude each other (seen from the source). */
  readonly feasible: boolean;
}

/** Below this a change is rounding, ns. */
const ROUNDING_NS = 0.5;

export function boundsFrom(system: System, source: number): Bounds {
  const { domains } = system.operations;
  const upper = new Float64Array(domains).fill(Infinity);
  const lower = new Float64Array(domains).fill(-Infinity);
  upper[source] = 0;
  lower[source] = 0;
  let up = true;
  let down = true;
  for (let round = 0; (up || down) && round <= domains + 1; round++) {
    if (up) up = lowerTheUppers(system, upper);
    if (down) down = raiseTheLowers(system, lower);
    if ((upper[source] ?? 0) < -ROUNDING_NS || (lower[source] ?? 0) > ROUNDING_NS) break;
  }
  let feasible = !up && !down;
  for (let d = 0; d < domains; d++) if ((upper[d] ?? 0) < (lower[d] ?? 0) - ROUNDING_NS) feasible = false;
  return { upper, lower, feasible };
}

function lowerTheUppers({ operations, low, high }: System, upper: Float64Array): boolean {
  const { count, start, domain } = operations;
  let changed = false;
  for (let k = 0; k < count; k++) {
    const from = start[k] ?? 0;
    const to = start[k + 1] ?? 0;
    let x = Infinity;
    for (let row = from; row < to; row++) {
      const reach = (upper[domain[row] ?? 0] ?? 0) + (high[row] ?? 0);
      if (reach < x) x = reach;
    }
    if (x === Infinity) continue;
    for (let row = from; row < to; row++) {
      const d = domain[row] ?? 0;
      const bound = x - (low[row] ?? 0);
      if (bound < (upper[d] ?? 0) - ROUNDING_NS) {
        upper[d] = bound;
        changed = true;
      }
    }
  }
  return changed;
}

function raiseTheLowers({ operations, low, high }: System, lower: Float64Array): boolean {
  const { count, start, domain } = operations;
  let changed = false;
  for (let k = 0; k < count; k++) {
    const from = start[k] ?? 0;
    const to = start[k + 1] ?? 0;
    let x = -Infinity;
    for (let row = from; row < to; row++) {
      const reach = (lower[domain[row] ?? 0] ?? 0) + (low[row] ?? 0);
      if (reach > x) x = reach;
    }
    if (x === -Infinity) continue;
    for (let row = from; row < to; row++) {
      const d = domain[row] ?? 0;
      const bound = x - (high[row] ?? 0);
      if (bound > (lower[d] ?? 0) + ROUNDING_NS) {
        lower[d] = bound;
        changed = true;
      }
    }
  }
  return changed;
}
