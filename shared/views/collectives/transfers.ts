/** Point-to-point rows of a group: one a pair of ranks, direction and number. O(transfers kept). */
import type { SetCells, TableRow, TransferSection } from './answers.ts';
import { STATE_CODE } from './cells.ts';
import type { CellTable } from './fold.ts';
import type { CallContent, CollectiveGroup, P2pColumns } from './types.ts';

/** Ended transfers of a direction that are shown before its first open one, or at its end. */
const CONTEXT = 2;
const MAX_ROWS = 200;

interface Line {
  readonly from: number;
  readonly to: number;
  readonly number: number;
  /** Where each end stands: member → position in the columns. */
  readonly ends: Map<number, number>;
}

/** The two ends of a transfer agree in what is sent, not in the operation's name. */
export const transferKey =
  (contents: readonly CallContent[]) =>
  (id: number): number =>
    (contents[id]?.sizeId ?? -1) * 65_536 + (contents[id]?.dtypeId ?? -1);

export function transferSection(
  contents: readonly CallContent[],
  group: CollectiveGroup,
  sets: readonly Int32Array[],
  table: CellTable,
): TransferSection | undefined {
  const { p2p } = group;
  if (p2p === undefined) return undefined;
  const { lines, left } = choose(linesOf(p2p), p2p);
  const cells: SetCells[] = table.read(
    sets,
    lines.length,
    (member, row, out) => {
      const at = lines[row]?.ends.get(member);
      if (at === undefined) return;
      out.state = p2p.state[at] ?? STATE_CODE.unknown;
      out.content = p2p.content[at] ?? -1;
    },
    transferKey(contents),
  );
  return {
    rows: lines.map((line) => transferRow(group, p2p, line)),
    cells,
    matched: p2p.matched,
    left: p2p.left + left,
  };
}

export function linesOf(p2p: P2pColumns): Line[] {
  const byKey = new Map<string, Line>();
  for (let i = 0; i < p2p.member.length; i++) {
    const [from, to, number] = [p2p.from[i] ?? 0, p2p.to[i] ?? 0, p2p.number[i] ?? 0];
    const key = `${from} ${to} ${number}`;
    const line = byKey.get(key) ?? { from, to, number, ends: new Map<number, number>() };
    byKey.set(key, line);
    line.ends.set(p2p.member[i] ?? -1, i);
  }
  return [...byKey.values()].sort((a, b) => a.from - b.from || a.to - b.to || a.number - b.number);
}

/** The open ones of each direction with a little before them. */
function choose(lines: readonly Line[], p2p: P2pColumns): { readonly lines: readonly Line[]; readonly left: number } {
  const chosen: Line[] = [];
  let i = 0;
  while (i < lines.length) {
    const first = lines[i];
    let end = i;
    while (end < lines.length && lines[end]?.from === first?.from && lines[end]?.to === first?.to) end++;
    const direction = lines.slice(i, end);
    const open = direction.findIndex((line) =>
      [...line.ends.values()].some((at) => p2p.state[at] === STATE_CODE.waiting),
    );
    chosen.push(...direction.slice(Math.max(0, (open < 0 ? direction.length : open) - CONTEXT)));
    i = end;
  }
  const kept = chosen.slice(0, MAX_ROWS);
  return { lines: kept, left: lines.length - kept.length };
}

function transferRow(group: CollectiveGroup, p2p: P2pColumns, line: Line): TableRow {
  let firstNs = Number.NaN;
  let firstRank = -1;
  const states = new Set<number>();
  for (const [member, at] of line.ends) {
    const ns = p2p.ns[at] ?? Number.NaN;
    states.add(p2p.state[at] ?? 0);
    if (!(firstNs <= ns) && !Number.isNaN(ns)) {
      firstNs = ns;
      firstRank = group.members[member] ?? -1;
    }
  }
  const open = states.has(STATE_CODE.waiting);
  return {
    seq: line.number,
    part: 0,
    parts: 1,
    pair: { from: line.from, to: line.to, own: !p2p.matched },
    differs: open && (states.size > 1 || line.ends.size === 1) ? 'state' : 'none',
    firstNs,
    firstRank,
    firstClock: -1,
    longestMs: Number.NaN,
    folded: 1,
  };
}
