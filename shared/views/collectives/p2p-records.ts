/** Point-to-point records of a group, the newest of each direction. O(records). */
import { endsOf } from '../../analysis/collectives/p2p-names.ts';
import type { GroupPositions } from '../../analysis/collectives/positions.ts';
import { hasEnded } from '../../analysis/collectives/positions.ts';
import { CELL_STATES } from '../../model/divergence-table.ts';
import type { DumpReader } from './group-records.ts';
import { bytes, Column, doubles, ints } from './pool.ts';
import type { P2pColumns } from './types.ts';

/** Records of one direction of one rank that are kept: enough to see where it stopped. Chosen, not measured. */
const KEPT_TRANSFERS = 64;

interface Transfer {
  readonly send: boolean;
  readonly from: number;
  readonly to: number;
  readonly row: number;
  readonly number: number;
}

export function p2pRecords(
  where: GroupPositions,
  memberOf: (rank: number) => number,
  readerOf: (rank: number) => DumpReader | undefined,
): P2pColumns | undefined {
  const { members } = where.group;
  if (!members.some((member) => (member.local?.p2pRows.length ?? 0) > 0)) return undefined;
  const matched = members.every(({ view }) => view.blank || (view.fromStart && view.dump.truncatedAt === undefined));
  const out = {
    member: new Column(ints, 64),
    from: new Column(ints, 64),
    to: new Column(ints, 64),
    send: new Column(bytes, 64),
    number: new Column(doubles, 64),
    content: new Column(ints, 64),
    state: new Column(bytes, 64),
    row: new Column(ints, 64),
    ns: new Column(doubles, 64),
  };
  let left = 0;
  for (const member of members) {
    const reader = readerOf(member.rank);
    const index = memberOf(member.rank);
    if (member.local === undefined || reader === undefined || index < 0) continue;
    const { p2pSeq } = member.view.dump.columns;
    const directions = new Map<string, Transfer[]>();
    for (const row of member.local.p2pRows) {
      const ends = endsOf(member.view.dump, row);
      if (ends === undefined) {
        left++;
        continue;
      }
      const key = `${ends.send} ${ends.from} ${ends.to}`;
      const list = directions.get(key) ?? [];
      directions.set(key, list);
      list.push({ ...ends, row, number: matched ? list.length + 1 : (p2pSeq[row] ?? -1) });
    }
    for (const list of directions.values()) {
      left += Math.max(0, list.length - KEPT_TRANSFERS);
      for (const one of list.slice(-KEPT_TRANSFERS)) {
        out.member.push(index);
        out.from.push(one.from);
        out.to.push(one.to);
        out.send.push(one.send ? 1 : 0);
        out.number.push(one.number);
        out.content.push(reader.content(one.row, true));
        const word = hasEnded(member.view, one.row, where.endsOnly)
          ? where.endsOnly
            ? 'ended'
            : 'completed'
          : 'waiting';
        out.state.push(CELL_STATES.indexOf(word));
        out.row.push(one.row);
        out.ns.push(reader.createdNs(one.row) + reader.shiftNs);
      }
    }
  }
  return {
    member: out.member.done(),
    from: out.from.done(),
    to: out.to.done(),
    send: out.send.done(),
    number: out.number.done(),
    content: out.content.done(),
    state: out.state.done(),
    row: out.row.done(),
    ns: out.ns.done(),
    matched,
    left,
  };
}
