/**
 * All-to-all: ranks may pass any sizes, but what all put in together must be what all expect together.
 *
 *   in  10 + 20 + 30 = 60      out  20 + 20 + 25 = 65      → nobody is named, the totals do not fit
 *
 * Checked for the oldest unfinished call, and only if every member's dump holds it and is of a version that writes real sizes (2.4).
 */
import type { Divergence } from '../../model/facts.ts';
import { callView, elementCounts } from './calls.ts';
import { splitOp } from './dump-view.ts';
import type { GroupPositions, Position } from './positions.ts';

const ALL_TO_ALL = /^_?(?:all_to_all|alltoall)/;

export function findTotalsMismatch(where: GroupPositions): Divergence | undefined {
  const { group, positions } = where;
  const seq = positions.reduce((least, at) => Math.min(least, at.open?.seq ?? least), Number.POSITIVE_INFINITY);
  if (!Number.isFinite(seq) || !group.membersKnown || positions.length !== group.ranks.length || group.ranks.length < 2)
    return undefined;
  let sent = 0;
  let received = 0;
  const rows: { at: Position; row: number }[] = [];
  for (const at of positions) {
    const row = rowAt(at, seq);
    if (row === undefined) return undefined;
    const { columns: c, shapes } = at.member.view.dump;
    sent += sum(elementCounts(shapes[c.inputSizes[row] ?? -1]));
    received += sum(elementCounts(shapes[c.outputSizes[row] ?? -1]));
    rows.push({ at, row });
  }
  if (sent === received) return undefined;
  return {
    group: group.id,
    seq,
    kind: 'size',
    ranks: [],
    sides: [],
    expected: `${sent} elements out of all members together`,
    actual: `${received} elements into all members together`,
    agreeing: [],
    calls: rows.slice(0, 16).map(({ at, row }) => callView(at.member.view, row, seq, where.endsOnly, at.open?.seq)),
    basis: 'dump',
    why: `all ${group.ranks.length} members hold all-to-all #${seq}; together they put in ${sent} elements and expect ${received}`,
  };
}

function rowAt(at: Position, seq: number): number | undefined {
  const { local, view } = at.member;
  const i = local?.seqs.indexOf(seq) ?? -1;
  const row = i < 0 ? undefined : local?.rows[i];
  if (row === undefined || !writesSizes(view.dump.version)) return undefined;
  return ALL_TO_ALL.test(splitOp(view.dump.strings[view.dump.columns.op[row] ?? -1] ?? '').op) ? row : undefined;
}

/** Format 2.4 and later; compared as numbers (2.10 is later than 2.4). */
function writesSizes(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? '0').split('.').map(Number);
  return major > 2 || (major === 2 && minor >= 4);
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
