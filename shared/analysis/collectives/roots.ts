/**
 * From the wait graph to the ranks that others wait for and that wait for nobody themselves.
 *
 *   0 → 8 → 9       9 has no call open and is behind: root          2 ⇄ 5, nothing leads out: a cycle, nobody is named
 *
 * A rank that is behind but blocked in a call where everybody it knows of has arrived is no root: it waits too, only
 * not for anyone who can be named. Ranks without a dump are named only when nothing with a dump explains the hang, and
 * are marked. O(ranks + edges).
 */
import type { RootRule, WaitEdge } from '../../model/facts.ts';
import type { Standing } from './wait-edge.ts';
import type { Waits } from './waits.ts';

export interface RootRank {
  readonly rank: number;
  readonly how: RootRule;
}

export interface Roots {
  readonly roots: readonly RootRank[];
  readonly cycle: readonly number[];
}

export interface RootInput {
  readonly waits: Waits;
  /** Ranks that made another call than the majority. */
  readonly deviants: readonly number[];
  /** Ranks that left out (or added) an operation without an entry. */
  readonly orderDeviants: readonly number[];
  /** Ranks that may wait in an operation without an entry: never named for being behind alone. */
  readonly unsure: ReadonlySet<number>;
}

export function findRoots(input: RootInput): Roots {
  const { waits } = input;
  const named = new Map<number, RootRank['how']>();
  for (const rank of input.deviants) named.set(rank, 'deviant');
  for (const rank of input.orderDeviants) if (!named.has(rank)) named.set(rank, 'order');
  const next = new Map<number, Set<number>>();
  for (const edge of waits.edges) {
    if (named.has(edge.rank)) continue;
    const targets = next.get(edge.rank) ?? new Set<number>();
    next.set(edge.rank, targets);
    for (const target of edge.for) targets.add(target);
  }
  for (const stuck of waits.selfStuck) if (!named.has(stuck.rank)) named.set(stuck.rank, 'stuck');
  for (const edge of waits.edges) {
    for (const rank of edge.for) {
      if (named.has(rank) || next.has(rank) || waits.blocked.has(rank) || input.unsure.has(rank)) continue;
      named.set(rank, 'behind');
    }
  }
  const roots = [...named].map(([rank, how]) => ({ rank, how })).sort((a, b) => a.rank - b.rank);
  return { roots, cycle: sinkCycle(next, named) };
}

/** Ranks of the cycles that nothing leads out of, sorted; empty if there is none or if a root explains the hang already. */
function sinkCycle(next: ReadonlyMap<number, ReadonlySet<number>>, named: ReadonlyMap<number, unknown>): number[] {
  if (named.size > 0) return [];
  const components = stronglyConnected(next);
  const cycle: number[] = [];
  for (const component of components) {
    if (component.length < 2) continue;
    const inside = new Set(component);
    const leaves = component.some((rank) => [...(next.get(rank) ?? [])].some((target) => !inside.has(target)));
    if (!leaves) cycle.push(...component);
  }
  return cycle.sort((a, b) => a - b);
}

/** Tarjan's algorithm without recursion: a chain of 4 096 ranks must not exhaust the call stack. */
function stronglyConnected(next: ReadonlyMap<number, ReadonlySet<number>>): number[][] {
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const onStack = new Set<number>();
  const stack: number[] = [];
  const components: number[][] = [];
  const work: { rank: number; targets: number[]; at: number }[] = [];
  const enter = (rank: number): void => {
    index.set(rank, index.size);
    low.set(rank, index.get(rank) ?? 0);
    stack.push(rank);
    onStack.add(rank);
    work.push({ rank, targets: [...(next.get(rank) ?? [])].sort((a, b) => a - b), at: 0 });
  };
  const lower = (rank: number, value: number): void => {
    low.set(rank, Math.min(low.get(rank) ?? value, value));
  };
  for (const start of [...next.keys()].sort((a, b) => a - b)) {
    if (index.has(start)) continue;
    enter(start);
    for (let frame = work[work.length - 1]; frame !== undefined; frame = work[work.length - 1]) {
      const target = frame.targets[frame.at++];
      if (target !== undefined) {
        if (!index.has(target)) enter(target);
        else if (onStack.has(target)) lower(frame.rank, index.get(target) ?? 0);
        continue;
      }
      work.pop();
      const parent = work[work.length - 1];
      if (parent !== undefined) lower(parent.rank, low.get(frame.rank) ?? 0);
      if (low.get(frame.rank) === index.get(frame.rank)) components.push(popComponent(stack, onStack, frame.rank));
    }
  }
  return components;
}

function popComponent(stack: number[], onStack: Set<number>, root: number): number[] {
  const component: number[] = [];
  for (let rank = stack.pop(); rank !== undefined; rank = stack.pop()) {
    onStack.delete(rank);
    component.push(rank);
    if (rank === root) break;
  }
  return component;
}

export type Suspicion = 'none' | 'weak' | 'strong';

/**
 * Ranks without a dump that all the waiting leads to: members of a call where everybody with a dump stands, and that nobody has
 * gone beyond. One rank that fits every such call is preferred to all that fit some. Empty if a rank with a dump could explain the
 * hang as well: under `weak` suspicion unless one and the same rank fits every call, under `strong` suspicion always.
 */
export function findMissing(
  standing: readonly Standing[],
  edges: readonly WaitEdge[],
  suspicion: Suspicion,
): readonly number[] {
  if (suspicion === 'strong') return [];
  const calls = new Map<string, readonly number[]>();
  for (const one of standing) {
    // With most members unseen, whoever is there may be the odd one as well.
    const seen = one.where.positions.filter((at) => (at.enqueued ?? -1) >= one.seq).length;
    if (one.unknown.length === 0 || one.unknown.length > seen) return [];
    calls.set(`${one.where.group.id}\n${one.seq}`, one.unknown);
  }
  if (calls.size === 0) return [];
  const sets = [...calls.values()];
  const [first = [], ...others] = sets;
  const rest = others.map((set) => new Set(set));
  const common = first.filter((rank) => rest.every((set) => set.has(rank)));
  // An edge to a present rank that is itself among the standing ones is explained by them; nothing else may be left over.
  const explained = new Set(standing.map((one) => one.rank));
  for (const edge of edges) explained.add(edge.rank);
  if (edges.some((edge) => edge.for.some((rank) => !explained.has(rank)))) return [];
  if (common.length > 0) return common;
  return suspicion === 'weak' ? [] : [...new Set(sets.flat())].sort((a, b) => a - b);
}
