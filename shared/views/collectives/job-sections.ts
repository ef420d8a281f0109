/** The sections of the table of the whole job: rows of the calls and transfers of one kind, and what each set of ranks did there. */
import type { JobSection, SetCells, TableRow } from './answers.ts';
import { STATE_CODE } from './cells.ts';
import type { CellTable } from './fold.ts';
import type { Plan, TransferLine } from './job-plan.ts';
import { upperBound } from './job-plan.ts';
import { isTold } from './members.ts';
import { linesOf, transferKey } from './transfers.ts';
import { type CollectiveGroup, type CollectivesView, ROW_DIFFERENCES } from './types.ts';

/** The table that all sections write their contents into, and the ranks behind its members. */
export interface Sheet {
  readonly table: CellTable;
  readonly ranks: readonly number[];
}

/** Up to two: the collectives of the kind, and its open transfers. */
export function sectionsOf(
  view: CollectivesView,
  plan: Plan,
  members: readonly Int32Array[],
  sheet: Sheet,
): JobSection[] {
  const collectives = collectiveSection(plan, members, sheet);
  const transfers = transferPart(view, plan, members, sheet);
  return [...(collectives === undefined ? [] : [collectives]), ...(transfers === undefined ? [] : [transfers])];
}

function collectiveSection(
  plan: Plan,
  members: readonly Int32Array[],
  { table, ranks }: Sheet,
): JobSection | undefined {
  const { seqs, seats, focus, newest } = plan;
  if (seqs.length === 0) return undefined;
  const top = seqs[seqs.length - 1] ?? 0;
  const further = Number.isFinite(newest) && newest > top ? newest - top : 0;
  const rows = seqs.map((seq) => rowAcross(plan, seq));
  // The calls behind the last row fold into one: as far as each rank got.
  const all = further > 0 ? [...rows, { ...emptyRow(newest), folded: further }] : rows;
  const cells: SetCells[] = table.read(members, all.length, (i, row, out) => {
    const seat = seats.get(ranks[i] ?? -1);
    const at = all[row];
    if (seat === undefined || at === undefined) return;
    const { reader, member, group } = seat;
    if (row === rows.length) {
      const reached = group.places.enqueued[member] ?? Number.NaN;
      out.state = !isTold(group, member)
        ? STATE_CODE['no-dump']
        : Number.isNaN(reached)
          ? STATE_CODE.unknown
          : reached > top
            ? reader.state(member, reached, reader.record(member, reached, 0))
            : STATE_CODE['never-enqueued'];
      return;
    }
    const record = reader.record(member, at.seq, 0);
    out.state = reader.state(member, at.seq, record);
    out.content = reader.content(record);
  });
  return {
    kind: plan.kind,
    p2p: false,
    groups: plan.groups.length,
    rows: all,
    cells,
    focus: focus === undefined ? -1 : seqs.indexOf(focus),
    opens: all.map((row) => opensAt(plan, row.seq)),
  };
}

function transferPart(
  view: CollectivesView,
  plan: Plan,
  members: readonly Int32Array[],
  { table, ranks }: Sheet,
): JobSection | undefined {
  if (plan.transfers.length === 0) return undefined;
  const wanted = new Map(plan.transfers.map((line, i) => [`${line.from} ${line.to} ${line.number}`, i]));
  const ends = new Map<CollectiveGroup, Map<number, Map<number, number>>>();
  const firstNs = new Float64Array(plan.transfers.length).fill(Number.NaN);
  const firstRank = new Int32Array(plan.transfers.length).fill(-1);
  const opens = plan.transfers.map(() => '');
  for (const group of plan.groups) {
    const { p2p } = group;
    if (p2p === undefined) continue;
    const byMember = new Map<number, Map<number, number>>();
    ends.set(group, byMember);
    for (const line of linesOf(p2p)) {
      const row = wanted.get(`${line.from} ${line.to} ${line.number}`);
      if (row === undefined) continue;
      for (const [member, at] of line.ends) {
        const rowsOf = byMember.get(member) ?? new Map<number, number>();
        byMember.set(member, rowsOf.set(row, at));
        const ns = p2p.ns[at] ?? Number.NaN;
        if (!(firstNs[row] !== undefined && firstNs[row] <= ns) && !Number.isNaN(ns)) {
          firstNs[row] = ns;
          firstRank[row] = group.members[member] ?? -1;
        }
        if (p2p.state[at] === STATE_CODE.waiting || opens[row] === '') opens[row] = group.id;
      }
    }
  }
  const cells = table.read(
    members,
    plan.transfers.length,
    (i, row, out) => {
      const seat = plan.seats.get(ranks[i] ?? -1);
      if (seat === undefined) return;
      if (!isTold(seat.group, seat.member) && seat.group.p2p !== undefined) {
        out.state = STATE_CODE['no-dump'];
        return;
      }
      const line = plan.transfers[row];
      const local = seat.group.ranks.indexOf(ranks[i] ?? -1);
      if (line === undefined || (local !== line.from && local !== line.to)) return;
      const at = ends.get(seat.group)?.get(seat.member)?.get(row);
      out.state = at === undefined ? absentTransfer(seat.group, seat.member, line) : (seat.group.p2p?.state[at] ?? 0);
      out.content = at === undefined ? -1 : (seat.group.p2p?.content[at] ?? -1);
    },
    transferKey(view.contents),
  );
  return {
    kind: plan.kind,
    p2p: true,
    groups: plan.groups.filter((group) => group.p2p !== undefined).length,
    rows: plan.transfers.map((line, i) => ({
      ...emptyRow(line.number),
      pair: { from: line.from, to: line.to, own: line.own },
      differs: line.open ? ('state' as const) : ('none' as const),
      firstNs: firstNs[i] ?? Number.NaN,
      firstRank: firstRank[i] ?? -1,
    })),
    cells,
    focus: -1,
    opens,
  };
}

/** No record of an end: behind the newest one of that direction it never came, before the oldest kept one nothing is known. */
function absentTransfer({ p2p }: CollectiveGroup, member: number, line: TransferLine): number {
  if (p2p === undefined) return STATE_CODE.unknown;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < p2p.member.length; i++) {
    if (p2p.member[i] !== member || p2p.from[i] !== line.from || p2p.to[i] !== line.to) continue;
    least = Math.min(least, p2p.number[i] ?? least);
  }
  if (line.own) return STATE_CODE.unknown;
  return line.number >= least || least === Number.POSITIVE_INFINITY
    ? STATE_CODE['never-enqueued']
    : STATE_CODE['not-held'];
}

const emptyRow = (seq: number): TableRow => ({
  seq,
  part: 0,
  parts: 1,
  pair: undefined,
  differs: 'none',
  firstNs: Number.NaN,
  firstRank: -1,
  firstClock: -1,
  longestMs: Number.NaN,
  folded: 1,
});

/** The same call of all groups of the kind: earliest, longest, worst. */
function rowAcross(plan: Plan, seq: number): TableRow {
  let row: TableRow = emptyRow(seq);
  let worst = 0;
  for (const { rows, members } of plan.groups) {
    const at = upperBound(rows.seq, seq) - 1;
    if (at < 0 || rows.seq[at] !== seq) continue;
    const firstNs = rows.firstNs[at] ?? Number.NaN;
    if (!(row.firstNs <= firstNs) && !Number.isNaN(firstNs))
      row = { ...row, firstNs, firstRank: members[rows.firstMember[at] ?? -1] ?? -1 };
    const longestMs = rows.longestMs[at] ?? Number.NaN;
    if (!(row.longestMs >= longestMs) && !Number.isNaN(longestMs)) row = { ...row, longestMs };
    const differs = rows.differs[at] ?? 0;
    if (differs !== 0 && (worst === 0 || differs < worst)) worst = differs;
    row = { ...row, parts: Math.max(row.parts, rows.parts[at] ?? 1) };
  }
  return { ...row, differs: ROW_DIFFERENCES[worst] ?? 'none' };
}

/** The group of the kind that parts at this call, else one that waits in it, else one that has it. */
function opensAt(plan: Plan, seq: number): string {
  const parted = plan.groups.find((group) => group.divergence?.seq === seq && !group.divergence.p2p);
  const waiting = parted ?? plan.groups.find((group) => group.places.open.includes(seq));
  const holding = waiting ?? plan.groups.find((group) => group.rows.seq.includes(seq));
  return (holding ?? plan.groups[0])?.id ?? '';
}
