/**
 * Which send belongs to which receive, from two recorders whose rings may have lost their beginning.
 *
 * The rank's own numbers differ between the two ends, and "the k-th of its direction" is not known once a ring has turned.
 * Calls that both ranks took part in stand on both sides like posts: between two of the same posts the k-th send belongs to
 * the k-th receive, if there are as many of the one as of the other.
 *
 *   rank 0   post 7 ─ send→1  send→1 ─ post 8 ─ send→1
 *   rank 1   post 7 ─ recv←0  recv←0 ─ post 8                 two pairs; what stands behind the last post is not paired
 */
import type { DumpView } from '../../collectives/dump-view.ts';
import type { Group } from '../../collectives/groups.ts';
import { endsOf } from '../../collectives/p2p-names.ts';

export interface PairedRows {
  readonly sender: number;
  readonly receiver: number;
  /** Positions among the point-to-point rows of the two ranks in this group. */
  readonly sent: number;
  readonly received: number;
}

/** A call that several ranks took part in: its row in each rank's dump. */
export interface Post {
  readonly rowOf: ReadonlyMap<number, number>;
}

/** Pairs of one group, by rank; only between ranks for which `apart` holds. O(rows + pairs of ranks × posts × log rows). */
export function pairTransfers(
  group: Group,
  postsOf: (a: number, b: number) => readonly Post[],
  apart: (a: number, b: number) => boolean,
): PairedRows[] {
  const sides = new Map<string, { readonly sends: Side[]; readonly receives: Side[] }>();
  for (const { rank, view, local } of group.members) {
    for (const [position, row] of (local?.p2pRows ?? []).entries()) see(sides, { group, rank, view, position, row });
  }
  return [...sides]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, { sends, receives }]) => {
      const [send, receive] = [sends[0], receives[0]];
      if (send === undefined || receive === undefined || !apart(send.rank, receive.rank)) return [];
      return pairBetween(sends, receives, postsOf(send.rank, receive.rank));
    });
}

interface Side {
  readonly rank: number;
  readonly position: number;
  readonly row: number;
}

function see(
  sides: Map<string, { readonly sends: Side[]; readonly receives: Side[] }>,
  one: Side & { readonly group: Group; readonly view: DumpView },
): void {
  const ends = endsOf(one.view.dump, one.row);
  if (ends === undefined) return;
  const [from, to] = [one.group.ranks[ends.from], one.group.ranks[ends.to]];
  if (from === undefined || to === undefined || one.rank !== (ends.send ? from : to)) return;
  const key = `${from} ${to}`;
  const known = sides.get(key) ?? { sends: [], receives: [] };
  sides.set(key, known);
  (ends.send ? known.sends : known.receives).push({ rank: one.rank, position: one.position, row: one.row });
}

function pairBetween(sends: readonly Side[], receives: readonly Side[], posts: readonly Post[]): PairedRows[] {
  const [send, receive] = [sends[0], receives[0]];
  if (send === undefined || receive === undefined) return [];
  const found: PairedRows[] = [];
  const rows = posts
    .map(({ rowOf }) => ({ a: rowOf.get(send.rank) ?? -1, b: rowOf.get(receive.rank) ?? -1 }))
    .filter(({ a, b }) => a >= 0 && b >= 0)
    .sort((x, y) => x.a - y.a);
  for (const [i, post] of rows.entries()) {
    const next = rows[i + 1];
    // Posts that stand in another order on the other side would pair what does not belong together.
    if (next === undefined || next.b <= post.b) continue;
    const own = between(sends, post.a, next.a);
    const other = between(receives, post.b, next.b);
    if (own.length !== other.length) continue;
    for (const [k, one] of own.entries()) {
      const match = other[k];
      if (match === undefined) continue;
      found.push({ sender: send.rank, receiver: receive.rank, sent: one.position, received: match.position });
    }
  }
  return found;
}

/** Sides with rows behind `from` and before `to`; they stand in the order of their rows. */
function between(sides: readonly Side[], from: number, to: number): readonly Side[] {
  return sides.slice(firstBehind(sides, from), firstBehind(sides, to - 1));
}

function firstBehind(sides: readonly Side[], row: number): number {
  let low = 0;
  let high = sides.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sides[middle]?.row ?? 0) > row) high = middle;
    else low = middle + 1;
  }
  return low;
}
