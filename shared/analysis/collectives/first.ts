/** Which of all divergences explains the others. */
import type { Divergence } from '../../model/facts.ts';
import type { Comparison } from './compare.ts';
import { onlyFor } from './divergences.ts';
import type { GroupPositions } from './positions.ts';
import type { Roots } from './roots.ts';

/** Best first: an act of its own (another call) says more than an absence. */
const KIND_ORDER: Readonly<Record<Divergence['kind'], number>> = {
  op: 0,
  size: 0,
  dtype: 0,
  order: 1,
  state: 2,
  missing: 2,
};

interface Candidate {
  readonly divergence: Divergence;
  readonly where: GroupPositions;
  readonly covered: number;
}

/**
 * The divergence whose deviating ranks are roots: the kind that says most, then the one that covers most roots, then that of the largest
 * group. Without roots: disagreement without a majority, or a cycle. Undefined if nothing was found.
 */
export function chooseFirst(
  compared: Comparison,
  roots: Roots,
  divergences: ReadonlyMap<GroupPositions, readonly Divergence[]>,
): Divergence | undefined {
  const named = roots.roots.map((root) => root.rank);
  const isRoot = new Set(named);
  const exact: Candidate[] = [];
  const partly: Candidate[] = [];
  const sides: Candidate[] = [];
  for (const [where, list] of divergences) {
    for (const divergence of list) {
      const covered = divergence.ranks.filter((rank) => isRoot.has(rank)).length;
      if (divergence.ranks.length === 0) sides.push({ divergence, where, covered });
      else if (covered === divergence.ranks.length) exact.push({ divergence, where, covered });
      else if (covered > 0) partly.push({ divergence, where, covered });
    }
  }
  const best = (list: Candidate[]): Candidate | undefined => list.sort((a, b) => compareCandidates(a, b, compared))[0];
  const chosen = best(exact) ?? best(partly) ?? best(sides);
  return chosen === undefined
    ? undefined
    : chosen.divergence.ranks.length === 0
      ? chosen.divergence
      : onlyFor(chosen.divergence, named);
}

function compareCandidates(a: Candidate, b: Candidate, compared: Comparison): number {
  return (
    KIND_ORDER[a.divergence.kind] - KIND_ORDER[b.divergence.kind] ||
    b.covered - a.covered ||
    earlier(a, b, compared) ||
    b.where.group.ranks.length - a.where.group.ranks.length ||
    (a.where.group.id < b.where.group.id ? -1 : 1)
  );
}

/** Different calls in two groups: the one that a common rank made first, by the order of its own records. */
function earlier(a: Candidate, b: Candidate, compared: Comparison): number {
  if (KIND_ORDER[a.divergence.kind] !== 0 || KIND_ORDER[b.divergence.kind] !== 0) return 0;
  for (const view of compared.views) {
    const [rowA, rowB] = [rowOf(a, view.rank), rowOf(b, view.rank)];
    if (rowA !== undefined && rowB !== undefined) return rowA - rowB;
  }
  return 0;
}

function rowOf(candidate: Candidate, rank: number): number | undefined {
  const local = candidate.where.group.members.find((member) => member.rank === rank)?.local;
  const i = local?.seqs.indexOf(candidate.divergence.seq) ?? -1;
  return i < 0 ? undefined : local?.rows[i];
}
