/**
 * Who waits for whom in point-to-point operations, of ranks whose collectives tell nothing. O(open operations).
 */
import type { WaitEdge } from '../../model/facts.ts';
import { STATE_COMPLETED } from './dump-view.ts';
import { endsOf } from './p2p-names.ts';
import type { GroupPositions } from './positions.ts';
import { edgeOf, type Standing } from './wait-edge.ts';

interface OpenP2p {
  readonly where: GroupPositions;
  readonly row: number;
  readonly seq: number;
  /** Ranks inside the group. */
  readonly from: number;
  readonly to: number;
}

/** Edges of ranks whose collectives tell nothing (all but those in `told`); `oldestRows`: row of each rank's oldest unfinished collective. Adds every rank with an open operation to `blocked`. */
export function p2pWaits(
  groups: readonly GroupPositions[],
  blocked: Set<number>,
  told: ReadonlySet<number>,
  oldestRows: ReadonlyMap<number, number>,
): { readonly edges: readonly WaitEdge[]; readonly standing: readonly Standing[] } {
  const open = openP2p(groups);
  const edges: WaitEdge[] = [];
  const standing: Standing[] = [];
  for (const [rank, list] of open) {
    blocked.add(rank);
    const [first] = list;
    if (first === undefined || told.has(rank)) continue;
    const { group } = first.where;
    const local = group.ranks.indexOf(rank);
    const peer = group.membersKnown ? group.ranks[local === first.from ? first.to : first.from] : undefined;
    if (peer === undefined || peer === rank) continue;
    if (!group.members.some((member) => member.rank === peer && !member.view.blank)) {
      standing.push({ rank, where: first.where, seq: first.seq, unknown: [peer] });
      continue;
    }
    // Both stand at the two ends of one transfer, with nothing older open: neither waits for the other to come.
    const other = open.get(peer)?.[0];
    const meets =
      other !== undefined && other.where === first.where && other.from === first.from && other.to === first.to;
    if (meets && other.row < (oldestRows.get(peer) ?? Number.MAX_SAFE_INTEGER)) continue;
    edges.push(edgeOf(rank, first.where, first.seq, [peer]));
  }
  return { edges, standing };
}

/** Unfinished point-to-point operations by rank, oldest first. */
function openP2p(groups: readonly GroupPositions[]): Map<number, OpenP2p[]> {
  const open = new Map<number, OpenP2p[]>();
  for (const where of groups) {
    for (const member of where.group.members) {
      for (const row of member.local?.p2pRows ?? []) {
        const { dump } = member.view;
        const c = dump.columns;
        if (
          c.state[row] === STATE_COMPLETED ||
          (c.completedNs[row] ?? 0n) > 0n ||
          (where.endsOnly && c.retired[row] === 1)
        )
          continue;
        const ends = endsOf(dump, row);
        if (ends === undefined) continue;
        const list = open.get(member.rank) ?? [];
        open.set(member.rank, list);
        list.push({ where, row, seq: c.p2pSeq[row] ?? -1, from: ends.from, to: ends.to });
      }
    }
  }
  for (const list of open.values()) list.sort((a, b) => a.row - b.row);
  return open;
}
