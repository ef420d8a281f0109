/** What the table of the whole job shows of each kind of group: which calls, which transfers, and the seat of each rank. */
import { rankSet } from '../../lib/rank-set.ts';
import { CellReader, STATE_CODE } from './cells.ts';
import type { CollectiveGroup, CollectivesView } from './types.ts';

/** Rows of a kind before the one in which somebody waits. */
const CONTEXT = 3;
/** Calls of one kind that are looked at. */
const MAX_FOCUSES = 3;
/** Rows of a kind in which nobody waits. */
const QUIET_ROWS = 2;
const MAX_TRANSFER_ROWS = 6;

export interface Seat {
  readonly group: CollectiveGroup;
  readonly reader: CellReader;
  readonly member: number;
}

/** One kind with the seat that each rank has in it. */
export interface Plan {
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

export interface TransferLine {
  readonly from: number;
  readonly to: number;
  readonly number: number;
  readonly open: boolean;
  readonly own: boolean;
}

/** Kinds in the order of the chain, the others behind, the default group last. */
export function plansOf(view: CollectivesView): Plan[] {
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
export function upperBound(values: Float64Array, value: number): number {
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
