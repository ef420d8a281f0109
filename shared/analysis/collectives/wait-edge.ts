/** One rank that waits: for whom, or in a call where nobody is known to be missing. */
import type { WaitEdge } from '../../model/facts.ts';
import type { GroupPositions } from './positions.ts';

/** Group and call whose members all stand at it as far as is known; `unknown`: members whose place is not known. */
export interface Standing {
  readonly rank: number;
  readonly where: GroupPositions;
  readonly seq: number;
  readonly unknown: readonly number[];
}

export const edgeOf = (rank: number, where: GroupPositions, seq: number, ranks: readonly number[]): WaitEdge => ({
  rank,
  group: where.group.id,
  seq,
  for: [...ranks].sort((a, b) => a - b),
});
