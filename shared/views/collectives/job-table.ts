/**
 * The whole job as one table: a section a kind of group, and all ranks folded into the few sets that behave alike in the rows shown.
 *
 * A rank is in one group of each kind as a rule, so a row `tp #731402` asks each rank for its own tp group. Rows of a kind lie around
 * the call in which somebody of that kind waits or parts; what only some sets went on to do folds into one row `+238`.
 * O(ranks × kinds × rows).
 */
import { rankSet } from '../../lib/rank-set.ts';
import type { AgreeingKind, GroupHead, JobAnswer, JobSection, RankSetColumn, SetCells, TableRow } from './answers.ts';
import { CellReader, isByLog, STATE_CODE } from './cells.ts';
import { CellTable, type Foldable, foldRanks } from './fold.ts';
import { clockQuality, headOf, isTold, lookOf, namedRanks, openTransfers, waitsHere, withClocks } from './members.ts';
import { linesOf, transferKey } from './transfers.ts';
import { type CollectiveGroup, type CollectivesView, ROW_DIFFERENCES } from './types.ts';

/** Rows of a kind before the one in which somebody waits. */
const CONTEXT = 3;
/** Calls of one kind that are looked at. */
const MAX_FOCUSES = 3;
/** Rows of a kind in which nobody waits. */
const QUIET_ROWS = 2;
const MAX_SECTIONS = 12;
const MAX_TRANSFER_ROWS = 6;
const MAX_GROUPS = 2000;

interface Seat {
  readonly group: CollectiveGroup;
  readonly reader: CellReader;
  readonly member: number;
}

/** One kind with the seat that each rank has in it. */
interface Plan {
  readonly kind: number;
  readonly groups: readonly CollectiveGroup[];
  readonly seats: ReadonlyMap<number, Seat>;
  /** Ascending. */
  readonly seqs: readonly number[];
  /** The call in which somebody waits or parts; undefined = nobody does. */
  readonly focus: number | undefined;
  /** Newest call of anybody. */
  readonly newest: number;
  readonly transfers: readonly TransferLine[];
}

interface TransferLine {
  readonly from: number;
  readonly to: number;
  readonly number: number;
  readonly open: boolean;
  readonly own: boolean;
}

export function jobTable(view: CollectivesView, split: readonly number[]): JobAnswer {
  const plans = plansOf(view);
  const folded = foldRanks(foldables(view, plans), split, view);
  const table = new CellTable();
  const ranks = view.ranks.map((one) => one.rank);
  const sections = plans
    .slice(0, MAX_SECTIONS)
    .flatMap((plan) => sectionsOf(view, plan, folded.members, { table, ranks }));
  const heads = view.groups.map((group) => headOf(group, STATE_CODE.waiting));
  return {
    story: view.job,
    kinds: view.kinds,
    originNs: view.originNs,
    clocks: view.clocks,
    ranks: view.ranks.length,
    groups: ordered(heads, view).slice(0, MAX_GROUPS),
    groupsTotal: heads.length,
    agreeing: agreeingOf(view, heads),
    blind: blindOf(view, heads),
    sets: folded.sets satisfies readonly RankSetColumn[],
    moreRanks: folded.moreRanks,
    moreSets: folded.moreSets,
    sections: sections.map((section) => ({ ...section, rows: withClocks(view, section.rows) })),
    contents: table.contents().flatMap((id) => view.contents[id] ?? []),
    ...clockQuality(view, ranks),
  };
}

/** Kinds in the order of the chain, the others behind, the default group last. */
function plansOf(view: CollectivesView): Plan[] {
  const byKind = new Map<number, CollectiveGroup[]>();
  for (const group of view.groups) {
    const list = byKind.get(group.kind);
    if (list === undefined) byKind.set(group.kind, [group]);
    else list.push(group);
  }
  const place = new Map<number, number>();
  for (const [i, link] of view.job.chain.entries()) if (!place.has(link.kind)) place.set(link.kind, i);
  const order = (kind: number): number =>
    place.get(kind) ?? (view.kinds[kind]?.basis === 'default' ? Number.MAX_SAFE_INTEGER : 1000 + kind);
  return [...byKind].sort((a, b) => order(a[0]) - order(b[0])).map(([kind, groups]) => planOf(view, kind, groups));
}

function planOf(view: CollectivesView, kind: number, groups: readonly CollectiveGroup[]): Plan {
  const seats = new Map<number, Seat>();
  let newest = -1;
  for (const group of groups) {
    const reader = new CellReader(group, view.pool);
    for (let member = 0; member < group.members.length; member++) {
      const rank = group.members[member] ?? -1;
      const other = seats.get(rank);
      // A rank in several groups of a kind shows the one in which it waits.
      if (other === undefined || (!isOpen(other) && isOpen({ group, reader, member })))
        seats.set(rank, { group, reader, member });
      const reached = group.places.newest[member] ?? Number.NaN;
      if (reached > newest) newest = reached;
    }
  }
  const [focus, ...others] = focusesOf(view, groups);
  const seqs = rankSet([...seqsOf(groups, focus, CONTEXT), ...others.flatMap((seq) => seqsOf(groups, seq, 1))]);
  return { kind, groups, seats, seqs, focus, newest, transfers: transfersOf(groups) };
}

const isOpen = ({ group, member }: Seat): boolean => !Number.isNaN(group.places.open[member] ?? Number.NaN);

/** Calls to look at, the cause's first: its divergence, those of the chain, else the oldest call that anybody waits in. */
function focusesOf(view: CollectivesView, groups: readonly CollectiveGroup[]): number[] {
  const ids = new Set(groups.map((group) => group.id));
  const found = new Set<number>();
  const { first, chain } = view.job;
  if (first !== undefined && !first.divergence.p2p && ids.has(first.group)) found.add(first.divergence.seq);
  for (const link of chain) if (link.seq !== undefined && link.groups.some((id) => ids.has(id))) found.add(link.seq);
  if (found.size > 0) return [...found].slice(0, MAX_FOCUSES);
  let open = Number.POSITIVE_INFINITY;
  for (const group of groups) for (const seq of group.places.open) if (seq < open) open = seq;
  return Number.isFinite(open) ? [open] : [];
}

/** The call and up to `context` before it, of the groups that have it. */
function seqsOf(groups: readonly CollectiveGroup[], focus: number | undefined, context: number): number[] {
  const seqs = new Set<number>();
  for (const { rows } of groups) {
    if (focus !== undefined && !rows.seq.includes(focus)) continue;
    const at = focus === undefined ? rows.seq.length : upperBound(rows.seq, focus);
    for (let i = Math.max(0, at - context - 1); i < at; i++) seqs.add(rows.seq[i] ?? 0);
  }
  if (focus !== undefined) seqs.add(focus);
  const sorted = [...seqs].sort((a, b) => a - b);
  return focus === undefined ? sorted.slice(-QUIET_ROWS) : sorted.slice(-context - 1);
}

/** Position behind the last value that is not above `value`. */
function upperBound(values: Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Open transfers by the pair inside the group: the same pair of all groups is one row. One ended before them as context. */
function transfersOf(groups: readonly CollectiveGroup[]): TransferLine[] {
  const found = new Map<string, TransferLine>();
  for (const { p2p } of groups) {
    if (p2p === undefined) continue;
    for (let i = 0; i < p2p.member.length; i++) {
      if (p2p.state[i] !== STATE_CODE.waiting) continue;
      const [from, to, number] = [p2p.from[i] ?? 0, p2p.to[i] ?? 0, p2p.number[i] ?? 0];
      found.set(`${from} ${to} ${number}`, { from, to, number, open: true, own: !p2p.matched });
    }
  }
  const open = [...found.values()].sort((a, b) => a.number - b.number || a.from - b.from || a.to - b.to);
  const [first] = open;
  const before: TransferLine[] =
    first === undefined || first.number <= 1 ? [] : [{ ...first, number: first.number - 1, open: false }];
  return [...before, ...open.slice(0, MAX_TRANSFER_ROWS)];
}

function foldables(view: CollectivesView, plans: readonly Plan[]): Foldable[] {
  const named = namedRanks(view, undefined);
  const waiting = new Map(view.groups.map((group) => [group, openTransfers(group, STATE_CODE.waiting)]));
  const none: ReadonlySet<number> = new Set();
  return view.ranks.map(({ rank, entry }): Foldable => {
    let key = '';
    let told = false;
    let waits = false;
    let byLog = true;
    let oldest = Number.NaN;
    let newest = Number.NaN;
    for (const [i, plan] of plans.entries()) {
      const seat = plan.seats.get(rank);
      if (seat === undefined || !isTold(seat.group, seat.member)) {
        key += ' –';
        continue;
      }
      const { group, reader, member } = seat;
      told = true;
      byLog &&= isByLog(group, member);
      const open = waiting.get(group) ?? none;
      waits ||= waitsHere(group, member, open);
      key += open.has(member) ? ' t' : ' ';
      for (const seq of plan.seqs) {
        const record = reader.record(member, seq, 0);
        key += `,${reader.state(member, seq, record)}:${reader.content(record)}`;
      }
      if (i === 0) {
        oldest = group.places.oldest[member] ?? Number.NaN;
        newest = group.places.enqueued[member] ?? Number.NaN;
      }
    }
    const look = lookOf(rank, told, waits, named);
    return {
      rank,
      key: `${look}${told ? key : ''}`,
      look,
      told,
      held: entry !== undefined,
      oldest,
      newest,
      byLog: told && byLog,
    };
  });
}

interface Sheet {
  readonly table: CellTable;
  readonly ranks: readonly number[];
}

function sectionsOf(view: CollectivesView, plan: Plan, members: readonly Int32Array[], sheet: Sheet): JobSection[] {
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

/** Groups in the order of the chain, then those with a divergence, then by size. */
function ordered(heads: readonly GroupHead[], view: CollectivesView): GroupHead[] {
  const place = new Map<string, number>();
  for (const [i, link] of view.job.chain.entries()) for (const group of link.groups) place.set(group, i);
  const first = view.job.first?.group;
  const rank = (head: GroupHead): number => (head.id === first ? -1 : (place.get(head.id) ?? 1000));
  return [...heads].sort((a, b) => rank(a) - rank(b) || b.size - a.size || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function agreeingOf(view: CollectivesView, heads: readonly GroupHead[]): AgreeingKind[] {
  const inChain = new Set(view.job.chain.flatMap((link) => link.groups));
  return view.kinds.flatMap((_, kind): AgreeingKind[] => {
    const own = heads.filter((head) => head.kind === kind && !inChain.has(head.id) && head.dumps > 0);
    const [first] = own;
    if (first === undefined) return [];
    const ids = new Set(own.map((head) => head.id));
    const tops = new Set<number>();
    for (const group of view.groups)
      if (ids.has(group.id)) for (const seq of group.places.enqueued) if (!Number.isNaN(seq)) tops.add(seq);
    const [at] = tops;
    return [
      {
        kind,
        groups: own.length,
        dumps: own.reduce((sum, head) => sum + head.dumps, 0),
        at: tops.size === 1 ? at : undefined,
        opens: first.id,
      },
    ];
  });
}

function blindOf(view: CollectivesView, heads: readonly GroupHead[]): JobAnswer['blind'] {
  const nodes = new Map(view.ranks.map((one) => [one.rank, one.node]));
  return heads.flatMap((head, i) => {
    const group = view.groups[i];
    if (group === undefined || head.dumps > 0 || head.basis === 'log' || head.waiting > 0) return [];
    const places = new Set(Array.from(group.members, (rank) => nodes.get(rank)));
    const [node] = places;
    return [{ group: group.id, size: group.ranks.length, node: places.size === 1 ? node : undefined }];
  });
}
