/** Which clocks bound each other on both sides: only these have a known difference. */
import type { System } from './bounds.ts';

/**
 * Component of each clock; -1 = alone. Numbered by their first clock. Two clocks are in one component if a chain of
 * inequalities leads each way. O(rows) for each component.
 */
export function componentsOf(system: System): Int32Array {
  const { domains, domain } = system.operations;
  const component = new Int32Array(domains).fill(-1);
  const touched = new Uint8Array(domains);
  for (let row = 0; row < domain.length; row++) touched[domain[row] ?? 0] = 1;
  let next = 0;
  for (let d = 0; d < domains; d++) {
    if (component[d] !== -1 || touched[d] === 0) continue;
    const above = reached(system, d, true);
    const below = reached(system, d, false);
    let members = 0;
    for (let e = 0; e < domains; e++) if (above[e] === 1 && below[e] === 1) members += 1;
    if (members < 2) continue;
    for (let e = 0; e < domains; e++) if (above[e] === 1 && below[e] === 1) component[e] = next;
    next += 1;
  }
  return component;
}

/** Clocks that `source` bounds from above (`up`) or from below. */
function reached({ operations, low, high }: System, source: number, up: boolean): Uint8Array {
  const { count, start, domain, domains } = operations;
  const seen = new Uint8Array(domains);
  seen[source] = 1;
  const enters = (row: number): boolean => (up ? high[row] !== Infinity : low[row] !== -Infinity);
  const leaves = (row: number): boolean => (up ? low[row] !== -Infinity : high[row] !== Infinity);
  for (let changed = true; changed; ) {
    changed = false;
    for (let k = 0; k < count; k++) {
      const from = start[k] ?? 0;
      const to = start[k + 1] ?? 0;
      let entered = false;
      for (let row = from; row < to && !entered; row++) entered = seen[domain[row] ?? 0] === 1 && enters(row);
      if (!entered) continue;
      for (let row = from; row < to; row++) {
        const d = domain[row] ?? 0;
        if (seen[d] === 0 && leaves(row)) {
          seen[d] = 1;
          changed = true;
        }
      }
    }
  }
  return seen;
}
