/** Where a member of two groups stands in the one, counted in calls of the other: by its dump, or weaker by its time-out line. */
import type { LoggedTimeout } from './from-logs.ts';
import type { GroupPositions, Position } from './positions.ts';

/** Earlier calls that must have come in one order on all who are compared. Chosen, not measured. */
const MIN_HISTORY = 3;

/** What a member had issued in the other group when it issued the call. `exact` false: it has not issued the call so far. */
export interface Mark {
  readonly rank: number;
  readonly count: number;
  readonly exact: boolean;
  /** The other group that was counted: the rank's own one of that kind. */
  readonly other: GroupPositions;
  /** The call of that group in which it waits; undefined if in none. */
  readonly open: number | undefined;
  /** By its time-out line alone. */
  readonly byLine: boolean;
}

/** A member of both groups; `other` is its own one where several of a kind are looked at together. */
export interface Pair {
  readonly other: GroupPositions;
  readonly at: Position;
  readonly beside: Position;
}

/** Newest call of the other group before the row `before`; undefined if the ring has lost it. */
function newestBefore(beside: Position, before: number): number | undefined {
  const { local } = beside.member;
  if (local === undefined) return undefined;
  let found: number | undefined;
  for (let i = 0; i < local.rows.length; i++) {
    if ((local.rows[i] ?? 0) >= before) break;
    found = local.seqs[i];
  }
  return found === undefined || found < 0 ? undefined : found;
}

export function rowOf(at: Position, seq: number): number | undefined {
  const i = at.member.local?.seqs.indexOf(seq) ?? -1;
  return i < 0 ? undefined : at.member.local?.rows[i];
}

/** By the dump of the rank; undefined if it does not tell. */
export function markOf({ at, beside, other }: Pair, seq: number): Mark | undefined {
  const known = { rank: at.rank, other, open: beside.open?.seq, byLine: false };
  const row = rowOf(at, seq);
  if (row !== undefined) {
    const count = newestBefore(beside, row);
    return count === undefined ? undefined : { ...known, count, exact: true };
  }
  // Not issued so far is only sure where the counters or a whole ring say it.
  if (at.enqueued === undefined || at.enqueued >= seq) return undefined;
  const count = newestBefore(beside, Number.MAX_SAFE_INTEGER);
  return count === undefined ? undefined : { ...known, count, exact: false };
}

/** True if enough earlier calls came after the same call of the other group on all who can be compared, and none did not. */
export function hasHabit(pairs: readonly Pair[], seq: number): boolean {
  const seen = new Map<number, { count: number; holders: number; same: boolean }>();
  for (const { at, beside } of pairs) {
    const { local } = at.member;
    for (let i = 0; i < (local?.rows.length ?? 0); i++) {
      const earlier = local?.seqs[i] ?? -1;
      if (earlier < 0 || earlier >= seq) continue;
      const count = newestBefore(beside, local?.rows[i] ?? 0);
      if (count === undefined) continue;
      const known = seen.get(earlier);
      if (known === undefined) seen.set(earlier, { count, holders: 1, same: true });
      else {
        known.holders++;
        known.same &&= known.count === count;
      }
    }
  }
  const shared = [...seen.values()].filter((one) => one.holders >= 2);
  return shared.length >= MIN_HISTORY && shared.every((one) => one.same);
}

export type Lines = ReadonlyMap<number, LoggedTimeout>;

/**
 * Of a member that no dump shows: the call of the other group in which it timed out, where it says nothing of the first group. Its oldest unfinished call is
 * what a rank reports, so it had not come to wait in the first group before; that it had not issued the call there is likely, and not proven.
 */
export function markByLine(rank: number, other: GroupPositions, here: Lines, there: Lines): Mark | undefined {
  const line = there.get(rank);
  if (line === undefined || here.has(rank)) return undefined;
  return { rank, count: line.seq, exact: false, other, open: line.seq, byLine: true };
}
