/** All divergences of each group, the one that tells most first. */
import type { Divergence } from '../../model/facts.ts';
import type { Comparison } from './compare.ts';
import type { CrossOrder } from './cross-order.ts';
import { cycleDivergence, missingDivergence, stateDivergence } from './divergences.ts';
import { findP2pMismatch } from './p2p.ts';
import type { GroupPositions } from './positions.ts';
import type { Roots } from './roots.ts';
import { findTotalsMismatch } from './totals.ts';

export function divergencesOf(
  compared: Comparison,
  roots: Roots,
  cross: CrossOrder | undefined,
): ReadonlyMap<GroupPositions, readonly Divergence[]> {
  const found = new Map<GroupPositions, readonly Divergence[]>();
  const stuck = compared.waits.selfStuck;
  for (const where of compared.groups) {
    const mismatch = compared.mismatches.get(where);
    const count = compared.counts.get(where);
    const list: Divergence[] = [];
    if (mismatch !== undefined) list.push(mismatch);
    if (count?.kind === 'differs') list.push(count.divergence);
    for (const unfit of [findP2pMismatch(where), findTotalsMismatch(where)]) if (unfit !== undefined) list.push(unfit);
    const state = stuck.length === 0 ? undefined : stateDivergence(where, stuck);
    if (state !== undefined) list.push(state);
    // Everybody waits for the deviants of a mismatch: no second divergence.
    const missing =
      mismatch !== undefined && mismatch.ranks.length > 0 ? undefined : missingDivergence(where, compared.waits.edges);
    if (missing !== undefined) list.push(missing);
    if (list.length > 0) found.set(where, list);
  }
  // A ring without a majority is told as the ring that it is.
  if (cross !== undefined && (cross.divergence.ranks.length > 0 || roots.cycle.length === 0))
    found.set(cross.where, [cross.divergence, ...(found.get(cross.where) ?? [])]);
  const cycle =
    roots.cycle.length > 0 ? cycleDivergence(compared.groups, compared.waits.edges, roots.cycle) : undefined;
  const where = cycle === undefined ? undefined : compared.groups.find((one) => one.group.id === cycle.group);
  if (cycle !== undefined && where !== undefined) found.set(where, [cycle, ...(found.get(where) ?? [])]);
  return found;
}
