/**
 * Rough corrections by medians: robust against a clock that jumped and against single wrong rows, and good to the time
 * that ranks wait for each other. For start values and for putting operations in order, never for claims.
 */
import { median } from './median.ts';
import type { Operations } from './operations.ts';

/** Operations looked at for each pair of clocks. */
const SAMPLE = 400;

/** Time that a row stands for: the arrival, else what is likely, else the end. NaN if it has none. */
export function timeOfRow({ low, high, likelyLow, likelyHigh }: Operations, row: number): number {
  for (const column of [low, likelyLow, high, likelyHigh]) {
    const t = column[row] ?? Number.NaN;
    if (Number.isFinite(t)) return t;
  }
  return Number.NaN;
}

/**
 * Correction of each clock against the first one of its neighbourhood; 0 for those without rows. Goes outwards from the
 * clock with most rows; each next clock is set by the median over operations that it shares with clocks that are set.
 */
export function roughCorrections(operations: Operations): Float64Array {
  const { domains, domain } = operations;
  const rows = new Int32Array(domains);
  for (let row = 0; row < domain.length; row++) {
    const d = domain[row] ?? 0;
    rows[d] = (rows[d] ?? 0) + 1;
  }
  const first = firstTimes(operations);
  const order = [...rows.keys()].sort(
    (a, b) => (rows[b] ?? 0) - (rows[a] ?? 0) || (first[b] ?? 0) - (first[a] ?? 0) || a - b,
  );
  const correction = new Float64Array(domains);
  const done = new Uint8Array(domains);
  for (const root of order) {
    if (done[root] === 1) continue;
    done[root] = 1;
    for (let more = true; more; ) more = setNeighbours(operations, correction, done);
  }
  return correction;
}

/** Time of each clock's first row; 0 for none. */
function firstTimes(operations: Operations): Float64Array {
  const first = new Float64Array(operations.domains);
  for (let row = operations.domain.length - 1; row >= 0; row--) {
    const t = timeOfRow(operations, row);
    if (!Number.isNaN(t)) first[operations.domain[row] ?? 0] = t;
  }
  return first;
}

/** Sets every clock that shares operations with one that is set. */
function setNeighbours(operations: Operations, correction: Float64Array, done: Uint8Array): boolean {
  const { count, start, domain } = operations;
  const differences = new Map<number, number[]>();
  // A stride that reaches over the whole table, so that early and late operations count alike.
  const stride = Math.max(1, Math.floor(count / (SAMPLE * 64)));
  const look = (k: number) => {
    const from = start[k] ?? 0;
    const to = start[k + 1] ?? 0;
    let known = Number.NaN;
    for (let row = from; row < to && Number.isNaN(known); row++) {
      const d = domain[row] ?? 0;
      if (done[d] === 1) known = timeOfRow(operations, row) + (correction[d] ?? 0);
    }
    if (Number.isNaN(known)) return;
    for (let row = from; row < to; row++) {
      const d = domain[row] ?? 0;
      if (done[d] === 1) continue;
      const own = timeOfRow(operations, row);
      if (Number.isNaN(own)) continue;
      const list = differences.get(d);
      if (list === undefined) differences.set(d, [known - own]);
      else list.push(known - own);
    }
  };
  for (let k = 0; k < count; k += stride) look(k);
  if (differences.size === 0 && stride > 1) for (let k = 0; k < count; k++) look(k);
  for (const [d, list] of differences) {
    correction[d] = median(list);
    done[d] = 1;
  }
  return differences.size > 0;
}
