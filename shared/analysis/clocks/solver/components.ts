/** Which clocks bound each other on both sides: only these have a known difference. */
import type { System } from './bounds.ts';

/**
 * Component of each clock; -1 = alone. Numbered by their first clock. Two clocks are in one component if a chain of
 * inequalities leads each way. O(rows), however many clocks stand alone.
 */
export function componentsOf(system: System): Int32Array {
  const { domains } = system.operations;
  const root = strongRoots(new Chains(system));
  const members = new Int32Array(root.length);
  for (let d = 0; d < domains; d++) members[root[d] ?? 0] = (members[root[d] ?? 0] ?? 0) + 1;
  const numberOf = new Int32Array(root.length).fill(-1);
  const component = new Int32Array(domains).fill(-1);
  let next = 0;
  for (let d = 0; d < domains; d++) {
    const own = root[d] ?? 0;
    if ((members[own] ?? 0) < 2) continue;
    if (numberOf[own] === -1) numberOf[own] = next++;
    component[d] = numberOf[own] ?? -1;
  }
  return component;
}

/**
 * Clocks (0 … domains - 1) and operations (after them) as one directed graph: a clock leads to an operation that bounds it from above,
 * an operation to the clocks that it bounds from below. Edges of a node are counted from 0; those that lead nowhere are -1.
 */
class Chains {
  readonly nodes: number;
  readonly #system: System;
  /** Rows of clock d: [#first[d], #first[d + 1]) of #rows. */
  readonly #first: Int32Array;
  readonly #rows: Int32Array;
  readonly #operation: Int32Array;

  constructor(system: System) {
    const { count, start, domain, domains } = system.operations;
    this.nodes = domains + count;
    this.#system = system;
    this.#operation = new Int32Array(domain.length);
    this.#first = new Int32Array(domains + 1);
    this.#rows = new Int32Array(domain.length);
    for (let k = 0; k < count; k++)
      for (let row = start[k] ?? 0; row < (start[k + 1] ?? 0); row++) this.#operation[row] = k;
    for (const d of domain) this.#first[d + 1] = (this.#first[d + 1] ?? 0) + 1;
    for (let d = 0; d < domains; d++) this.#first[d + 1] = (this.#first[d + 1] ?? 0) + (this.#first[d] ?? 0);
    const at = this.#first.slice();
    for (const [row, d] of domain.entries()) {
      const place = at[d] ?? 0;
      this.#rows[place] = row;
      at[d] = place + 1;
    }
  }

  edges(node: number): number {
    const { domains, start } = this.#system.operations;
    if (node < domains) return (this.#first[node + 1] ?? 0) - (this.#first[node] ?? 0);
    const k = node - domains;
    return (start[k + 1] ?? 0) - (start[k] ?? 0);
  }

  /** Where an edge leads; -1 = nowhere. */
  target(node: number, edge: number): number {
    const { operations, low, high } = this.#system;
    const { domains, start, domain } = operations;
    if (node < domains) {
      const row = this.#rows[(this.#first[node] ?? 0) + edge] ?? 0;
      return high[row] === Infinity ? -1 : domains + (this.#operation[row] ?? 0);
    }
    const row = (start[node - domains] ?? 0) + edge;
    return low[row] === -Infinity ? -1 : (domain[row] ?? -1);
  }
}

/** Tarjan's strongly connected components without recursion: a node of the same component for all of its nodes. O(edges). */
function strongRoots(chains: Chains): Int32Array {
  const { nodes } = chains;
  const root = new Int32Array(nodes).fill(-1);
  const order = new Int32Array(nodes).fill(-1);
  const lowest = new Int32Array(nodes);
  const edge = new Int32Array(nodes);
  const path = new Int32Array(nodes);
  const open = new Int32Array(nodes);
  let [depth, opened, counted] = [0, 0, 0];
  const enter = (node: number): void => {
    order[node] = counted;
    lowest[node] = counted++;
    path[depth++] = node;
    open[opened++] = node;
  };
  const leave = (node: number): void => {
    depth -= 1;
    if (lowest[node] === order[node])
      for (let member = -1; member !== node; ) {
        member = open[--opened] ?? node;
        root[member] = node;
      }
    const parent = path[depth - 1];
    if (depth > 0 && parent !== undefined) lowest[parent] = Math.min(lowest[parent] ?? 0, lowest[node] ?? 0);
  };
  for (let start = 0; start < nodes; start++) {
    if (order[start] !== -1) continue;
    enter(start);
    while (depth > 0) {
      const node = path[depth - 1] ?? 0;
      const at = edge[node] ?? 0;
      if (at === chains.edges(node)) {
        leave(node);
        continue;
      }
      edge[node] = at + 1;
      const target = chains.target(node, at);
      if (target === -1 || root[target] !== -1) continue;
      if (order[target] === -1) enter(target);
      else lowest[node] = Math.min(lowest[node] ?? 0, order[target] ?? 0);
    }
  }
  return root;
}
