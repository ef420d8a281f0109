/**
 * What the same call is in the other groups of one kind, as voices where a group of two sides has no majority:
 *
 *   mesh_tp [0,1]   #36 all_gather   #37 all_reduce                        both made #37 so
 *   mesh_tp [2,3]   #36 all_gather   #37 all_reduce (2) / all_gather (3)   rank 3 is the one that parted
 *
 * A mesh gives each of its rows a group of one description, and one program runs on all of them. That it is one program is not taken for granted: groups
 * speak only where their earlier calls, number by number, were the same as here, and only if all their members that hold the call agree on it. A stage of
 * a pipeline with calls of its own has no voice. O(entries of these groups).
 */
import type { CallKeys, Column } from './call-columns.ts';
import { columnOf } from './call-columns.ts';
import type { GroupPositions } from './positions.ts';

/** Earlier calls that must have been the same. Chosen, not measured. */
const MIN_HISTORY = 3;

/** Groups of the same description and size that share no rank with it. */
export function kinOf(where: GroupPositions, groups: readonly GroupPositions[]): readonly GroupPositions[] {
  const { desc, ranks } = where.group;
  if (desc === '' || where.group.isDefault) return [];
  const own = new Set(ranks);
  return groups.filter(
    ({ group }) =>
      group.desc === desc && group.ranks.length === ranks.length && !group.ranks.some((rank) => own.has(rank)),
  );
}

/** Ranks of such groups by the key of their call `seq`; empty if they do not all tell of one and the same. */
export function kinVoices(
  own: readonly Column[],
  kin: readonly GroupPositions[],
  seq: number,
  keys: CallKeys,
  known: (rank: number) => Map<string, number>,
): ReadonlyMap<number, readonly number[]> {
  const history = callsBefore(own, seq);
  const voices = new Map<number, number[]>();
  for (const { group } of kin) {
    const columns = group.members.map((member) => columnOf(member, keys, known(member.rank)));
    if (!isSameProgram(history, columns, seq)) continue;
    for (const column of columns) {
      const key = column.keys[column.seqs.indexOf(seq)];
      if (key !== undefined) voices.set(key, [...(voices.get(key) ?? []), column.member.rank]);
    }
  }
  return voices.size === 1 ? voices : new Map();
}

/** Key of each earlier call on which all who hold it agree. */
function callsBefore(columns: readonly Column[], seq: number): Map<number, number> {
  const calls = new Map<number, number>();
  const unlike = new Set<number>();
  for (const column of columns) {
    for (const [i, at] of column.seqs.entries()) {
      const key = column.keys[i];
      if (at >= seq || key === undefined) continue;
      if ((calls.get(at) ?? key) !== key) unlike.add(at);
      calls.set(at, key);
    }
  }
  for (const at of unlike) calls.delete(at);
  return calls;
}

function isSameProgram(history: ReadonlyMap<number, number>, columns: readonly Column[], seq: number): boolean {
  let same = 0;
  for (const [at, key] of callsBefore(columns, seq)) {
    const here = history.get(at);
    if (here === undefined) continue;
    if (here !== key) return false;
    same++;
  }
  return same >= MIN_HISTORY;
}
