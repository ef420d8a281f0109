/**
 * Who left out a point-to-point operation between two collectives.
 *
 * Gloo records no point-to-point operation, but numbers them (`op_id`). At one and the same collective, ranks that issued the same
 * operations carry numbers that rose alike since the collective before:
 *
 *            #20   #21   #22        rise to #22
 *   rank 0    40    43    45             2         ← one operation fewer before #22
 *   rank 1    40    43     –                       waits for it, looks behind, and is innocent
 *   rank 2    40    43    46             3
 *   rank 3    40    43    46             3
 *
 * Compared only where the rise agreed at all earlier collectives: ranks of a pipeline issue unlike numbers by design.
 * O(entries of the group).
 */

import { formatRanks, nameRanks } from '../../lib/rank-set.ts';
import type { Divergence } from '../../model/facts.ts';
import { callText, callView } from './calls.ts';
import type { Member } from './groups.ts';
import type { GroupPositions } from './positions.ts';

/** Agreeing collectives before the one that differs: fewer show no habit. Chosen, not measured. */
const MIN_HISTORY = 3;

export type OperationCounts =
  /** Nothing but collectives in this group, or no habit to compare with: no conclusion either way. */
  | { readonly kind: 'none' }
  /** Operations without entries exist, and all ranks that can be compared issued as many. `ranks`: those compared at the newest call. */
  | { readonly kind: 'equal'; readonly ranks: readonly number[] }
  | { readonly kind: 'differs'; readonly divergence: Divergence; readonly deviants: readonly number[] }
  /** Operations without entries exist, and it cannot be said whether one is missing. */
  | { readonly kind: 'unknown' };

interface Rise {
  readonly member: Member;
  readonly row: number;
  readonly rise: number;
}

/**
 * Compares the numbers of one group. NCCL records point-to-point operations, so there only a clear difference counts: the waits say
 * the rest.
 */
export function compareOperationCounts(where: GroupPositions): OperationCounts {
  const found = compareRises(where);
  return where.endsOnly || found.kind === 'differs' ? found : { kind: 'none' };
}

function compareRises(where: GroupPositions): OperationCounts {
  if (!where.group.members.some((member) => hasOthers(member))) return { kind: 'none' };
  const rises = risesOf(where.group.members);
  const seqs = [...rises.keys()].sort((a, b) => a - b);
  const newest = seqs[seqs.length - 1];
  if (newest === undefined) return { kind: 'unknown' };
  let agreed = 0;
  for (const seq of seqs) {
    const at = rises.get(seq) ?? [];
    if (at.length < 2) continue;
    if (at.every((one) => one.rise === at[0]?.rise)) agreed++;
    else return agreed >= MIN_HISTORY ? differing(where, seq, at) : { kind: 'unknown' };
  }
  const last = rises.get(newest) ?? [];
  return last.length >= 2 && agreed > MIN_HISTORY
    ? { kind: 'equal', ranks: last.map((one) => one.member.rank) }
    : { kind: 'unknown' };
}

/** True if operations were numbered that have no entry among the collectives. */
function hasOthers(member: Member): boolean {
  const { local, view } = member;
  if (local === undefined) return false;
  return local.rows.some((row, i) => (view.dump.columns.opId[row] ?? -1) > (local.seqs[i] ?? 0));
}

function risesOf(members: readonly Member[]): Map<number, Rise[]> {
  const rises = new Map<number, Rise[]>();
  for (const member of members) {
    const { local, view } = member;
    if (local === undefined) continue;
    const { opId } = view.dump.columns;
    for (let i = 1; i < local.rows.length; i++) {
      const row = local.rows[i] ?? 0;
      const seq = local.seqs[i] ?? -1;
      if (seq !== (local.seqs[i - 1] ?? -1) + 1) continue;
      const rise = (opId[row] ?? 0) - (opId[local.rows[i - 1] ?? 0] ?? 0);
      const at = rises.get(seq);
      if (at === undefined) rises.set(seq, [{ member, row, rise }]);
      else at.push({ member, row, rise });
    }
  }
  return rises;
}

function differing(where: GroupPositions, seq: number, at: readonly Rise[]): OperationCounts {
  const byRise = new Map<number, Rise[]>();
  for (const one of at) byRise.set(one.rise, [...(byRise.get(one.rise) ?? []), one]);
  const ordered = [...byRise.values()].sort((a, b) => b.length - a.length);
  const [usual, ...others] = ordered;
  if (usual === undefined || usual.length < 2 || usual.length * 2 <= at.length) return { kind: 'unknown' };
  const unlike = others.flat().sort((a, b) => a.member.rank - b.member.rank);
  const deviants = unlike.map((one) => one.member.rank);
  const rise = usual[0]?.rise ?? 0;
  const seen = [...new Set(unlike.map((one) => one.rise))].sort((a, b) => a - b);
  const view = (one: Rise | undefined) =>
    one === undefined
      ? []
      : [callView(one.member.view, one.row, seq, where.endsOnly, where.byRank.get(one.member.rank)?.open?.seq)];
  const calls = [...unlike.flatMap((one) => view(one)), ...view(usual[0])];
  const name = calls[0] === undefined ? `call #${seq}` : callText(calls[0]);
  const agreeing = usual.map((one) => one.member.rank).sort((a, b) => a - b);
  const divergence: Divergence = {
    group: where.group.id,
    seq,
    kind: 'order',
    ranks: deviants,
    sides: [],
    agreeing,
    calls,
    basis: 'dump',
    expected: `${rise - 1} point-to-point operations between #${seq - 1} and ${name} #${seq}`,
    actual: `${seen.map((count) => count - 1).join(' or ')}`,
    why: `op_id rose by ${rise} from call #${seq - 1} to #${seq} on ${nameRanks(agreeing)}, by ${seen.join(' or ')} on ${formatRanks(deviants)}: an operation in between is ${(seen[0] ?? 0) < rise ? 'missing' : 'extra'} there`,
  };
  return { kind: 'differs', divergence, deviants };
}
