/**
 * A clock that contradicts the others, although its ranks agree with each other closely enough: is it one rank of it? Its calls are left
 * out one rank at a time; if the rest holds without exactly one of them, that rank is numbered differently, and the clock is not to blame. A
 * clock that was set shows in all of its ranks, and leaving out one of them changes nothing.
 *
 * Only asked where clocks contradict each other. O(ranks of the clock × rows of the group), within a budget.
 */
import { MAX_RATE } from '../solver/align.ts';
import { widen } from '../solver/bounds.ts';
import { findCycle } from '../solver/cycle.ts';
import { OperationBuilder, type Operations } from '../solver/operations.ts';
import type { MemberCalls } from './reduce-group.ts';

/** Rows that all trials of one group together may look at. */
const ROW_BUDGET = 20e6;

/** The one rank without which the group's calls hold together; undefined if they hold anyway, or if none or several would do. */
export function oddRankOf(
  members: readonly MemberCalls[],
  suspects: ReadonlySet<number>,
  emit: (builder: OperationBuilder, members: readonly MemberCalls[]) => void,
): MemberCalls | undefined {
  const domains = 1 + Math.max(...members.map(({ domain }) => domain));
  const contradicts = (some: readonly MemberCalls[]): readonly number[] | undefined => {
    const builder = new OperationBuilder(domains);
    emit(builder, some);
    return contradictionIn(builder.finish());
  };
  const cycle = contradicts(members);
  if (cycle === undefined) return undefined;
  const rows = members.reduce((sum, { seq }) => sum + seq.length, 0);
  const candidates = members.filter(
    ({ domain }) =>
      suspects.has(domain) && cycle.includes(domain) && members.filter((m) => m.domain === domain).length > 1,
  );
  if (rows * candidates.length > ROW_BUDGET) return undefined;
  const freeing = candidates.filter((one) => contradicts(members.filter((member) => member !== one)) === undefined);
  return freeing.length === 1 ? freeing[0] : undefined;
}

/** Clocks on a contradiction, each asked about at its newest row. */
function contradictionIn(operations: Operations): readonly number[] | undefined {
  const moments = new Float64Array(operations.domains);
  const rates = new Float64Array(operations.domains).fill(MAX_RATE);
  for (let row = 0; row < operations.domain.length; row++) {
    const d = operations.domain[row] ?? 0;
    const low = operations.likelyLow[row] ?? -Infinity;
    if (Number.isFinite(low) && low > (moments[d] ?? 0)) moments[d] = low;
  }
  return findCycle(widen(operations, 'likely', { moments, rates }))?.domains;
}
