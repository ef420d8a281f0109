/**
 * One process group's calls, reduced to one row for each operation and clock.
 *
 *   rank    created → low (it had entered)      found complete → high (all had entered)      not done yet → likely low
 *   clock   largest low                          smallest high                                 of its ranks
 *
 * "Not done yet": the watchdog looks at the pending calls of a rank and group in order. A call that was enqueued before a
 * pass that found an earlier one complete, and was itself found by a later pass, was not complete at the first.
 *
 * Where no call has a time of completion (gloo) the next call of the rank takes its place, as a likely bound only: a
 * program that waits for its calls cannot issue the next one before every member had entered this one. Not provable
 * from a dump, so it is never a guaranteed bound.
 *
 * Ranks of one clock are compared with each other first: a clock cannot make them disagree, wrong numbering can.
 * O(rows); memory: numbers × clocks of the group.
 */
import type { OperationBuilder } from '../solver/operations.ts';
import { type SetBack, withoutSetBacks } from './set-back.ts';
import { oddRankOf } from './single-rank.ts';

/** One member's calls, oldest first; parallel arrays. Times in ns since the base of the table; NaN = none. */
export interface MemberCalls {
  readonly rank: number;
  readonly domain: number;
  readonly seq: Float64Array;
  /** What was called, as a number that is equal for equal calls. */
  readonly call: Int32Array;
  /** 1 = no member can leave before all have entered. Others only serve as "next call" and in order. */
  readonly barrierLike: Uint8Array;
  readonly created: Float64Array;
  readonly completed: Float64Array;
  /** For calls in lockstep: when the next call shows this one to be over; NaN = nothing shows it. */
  readonly over: Float64Array;
}

export interface GroupReduction {
  readonly operations: number;
  /** Clocks that their own ranks show to have been set back; only what came after it was used. */
  readonly setBacks: readonly SetBack[];
  /** Ranks that contradict the others of their own node, and were left out. */
  readonly misnumbered: readonly {
    readonly rank: number;
    readonly certain: boolean;
    readonly operations: number;
    /** Only the other clocks show it: without this rank its clock agrees with them. */
    readonly amongClocks: boolean;
  }[];
}

/** Largest spread of the ends of one barrier-like call, ns. */
export const SPREAD_NS = 2e6;
/** Calls in lockstep: what was allowed in the measurements that the argument rests on, ns. */
const LOCKSTEP_SLACK_NS = 1e6;
/** A call counts as pending at a pass only if it was enqueued this long before it, ns. */
const ENQUEUED_BEFORE_NS = 5e6;
/** Completions farther apart than this were found by different passes: half of the shortest poll of 100 ms. */
const OTHER_PASS_NS = 50e6;
/** Share of a group's operations that must conflict before a rank's numbering is doubted. */
const CONFLICT_SHARE = 0.005;

export interface GroupLabels {
  readonly collective: number;
  readonly lockstep: number;
}

/** Adds the operations that at least two clocks took part in. `suspects` are clocks that contradict others: there single ranks are doubted. */
export function reduceGroup(
  builder: OperationBuilder,
  members: readonly MemberCalls[],
  labels: GroupLabels,
  suspects: ReadonlySet<number> = new Set(),
): GroupReduction {
  const misnumbered: GroupReduction['misnumbered'][number][] = [];
  const { kept: whole, setBacks } = withoutSetBacks(members);
  let kept = whole;
  for (;;) {
    const table = fill(kept);
    if (table === undefined) return { operations: 0, setBacks, misnumbered };
    const several = kept.length > table.domains.length;
    const odd = several ? (oddRanks(table, kept) ?? oddAmongClocks(table, kept, suspects)) : undefined;
    if (odd === undefined) return { operations: emit(builder, table, labels), setBacks, misnumbered };
    for (const rank of odd.ranks)
      misnumbered.push({
        rank,
        certain: odd.ranks.length === 1,
        operations: odd.operations,
        amongClocks: odd.amongClocks,
      });
    kept = kept.filter(({ rank }) => !odd.ranks.includes(rank));
  }
}

interface Odd {
  readonly ranks: readonly number[];
  readonly operations: number;
  readonly amongClocks: boolean;
}

/** A rank that only the other clocks show to be odd. */
function oddAmongClocks(table: Table, members: readonly MemberCalls[], suspects: ReadonlySet<number>): Odd | undefined {
  if (!table.domains.some((domain) => suspects.has(domain))) return undefined;
  const odd = oddRankOf(members, suspects, (builder, some) => {
    const filled = fill(some);
    if (filled !== undefined) emit(builder, filled, { collective: 0, lockstep: 0 });
  });
  return odd && { ranks: [odd.rank], operations: odd.seq.length, amongClocks: true };
}

interface Table {
  readonly from: number;
  readonly numbers: number;
  /** Clocks of the table by column. */
  readonly domains: readonly number[];
  readonly low: Float64Array;
  readonly pending: Float64Array;
  readonly high: Float64Array;
  readonly over: Float64Array;
  /** Member (index) that set the larger of low and pending, and the one that set high. */
  readonly lowBy: Int32Array;
  readonly highBy: Int32Array;
  /** -1 not seen, -2 not the same call everywhere, or not barrier-like. */
  readonly call: Int32Array;
}

function fill(members: readonly MemberCalls[]): Table | undefined {
  const domains = [...new Set(members.map(({ domain }) => domain))].sort((a, b) => a - b);
  if (domains.length < 2) return undefined;
  const range = rangeOf(members);
  if (range === undefined) return undefined;
  const numbers = range.to - range.from + 1;
  const size = numbers * domains.length;
  const table: Table = {
    from: range.from,
    numbers,
    domains,
    low: new Float64Array(size).fill(-Infinity),
    pending: new Float64Array(size).fill(-Infinity),
    high: new Float64Array(size).fill(Infinity),
    over: new Float64Array(size).fill(Infinity),
    lowBy: new Int32Array(size).fill(-1),
    highBy: new Int32Array(size).fill(-1),
    call: new Int32Array(numbers).fill(-1),
  };
  for (const [index, member] of members.entries()) addMember(table, member, index, domains.indexOf(member.domain));
  return table;
}

/** Numbers that at least two members may share; far outliers of a damaged dump are cut off. */
function rangeOf(members: readonly MemberCalls[]): { readonly from: number; readonly to: number } | undefined {
  const firsts: number[] = [];
  const lasts: number[] = [];
  let rows = 0;
  for (const { seq } of members) {
    rows += seq.length;
    if (seq.length === 0) continue;
    firsts.push(seq[0] ?? 0);
    lasts.push(seq[seq.length - 1] ?? 0);
  }
  firsts.sort((a, b) => a - b);
  lasts.sort((a, b) => b - a);
  const [from, to] = [firsts[0], lasts[1]];
  if (from === undefined || to === undefined || to < from) return undefined;
  return to - from <= 4 * rows + 1000 ? { from, to } : { from: Math.max(from, to - 4 * rows), to };
}

function addMember(table: Table, member: MemberCalls, index: number, column: number): void {
  const { seq, call, barrierLike, created, completed, over } = member;
  const width = table.domains.length;
  const pendingAt = pendingPasses(created, completed);
  for (let i = 0; i < seq.length; i++) {
    const number = (seq[i] ?? 0) - table.from;
    const b = completed[i] ?? Number.NaN;
    if (!(number >= 0 && number < table.numbers) || !Number.isInteger(number)) continue;
    const known = table.call[number] ?? -1;
    const own = barrierLike[i] === 1 ? (call[i] ?? -2) : -2;
    if (known === -1) table.call[number] = own;
    else if (known !== own) table.call[number] = -2;
    const at = number * width + column;
    const a = created[i] ?? Number.NaN;
    const pending = (pendingAt[i] ?? -Infinity) - SPREAD_NS;
    if (Math.max(a, pending) > Math.max(table.low[at] ?? 0, table.pending[at] ?? 0)) table.lowBy[at] = index;
    if (a > (table.low[at] ?? 0)) table.low[at] = a;
    if (pending > (table.pending[at] ?? 0)) table.pending[at] = pending;
    if (b < (table.high[at] ?? 0)) {
      table.high[at] = b;
      table.highBy[at] = index;
    }
    const o = (over[i] ?? Number.NaN) + LOCKSTEP_SLACK_NS;
    if (o < (table.over[at] ?? 0)) table.over[at] = o;
  }
}

/**
 * For each call of one rank and group the newest pass of its watchdog that saw it pending; −∞ = none is known. A pass is
 * known by an earlier call that it found complete.
 */
export function pendingPasses(created: Float64Array, completed: Float64Array): Float64Array {
  const found = new Float64Array(created.length).fill(-Infinity);
  // The newest pass that is surely another one than that of the row: `walker` goes behind the rows.
  let walker = 0;
  let pass = -Infinity;
  for (let i = 0; i < created.length; i++) {
    const b = completed[i] ?? Number.NaN;
    while (walker < i && !((completed[walker] ?? Number.NaN) >= b - OTHER_PASS_NS)) {
      const p = completed[walker] ?? Number.NaN;
      if (p > pass) pass = p;
      walker += 1;
    }
    const enqueued = (created[i] ?? Number.NaN) + ENQUEUED_BEFORE_NS <= pass;
    if (enqueued && !(pass > b - OTHER_PASS_NS)) found[i] = pass;
  }
  return found;
}

/** A send and the receive that it belongs to, as rows of their ranks' calls. */
export interface Transfer {
  readonly sender: Pick<MemberCalls, 'domain' | 'created' | 'completed'>;
  readonly sent: number;
  readonly receiver: Pick<MemberCalls, 'domain' | 'created' | 'completed'>;
  readonly received: number;
}

/**
 * Adds transfers between clocks: the send was issued, and seen pending, before the receive was over. Only likely: which
 * send belongs to which receive is itself an argument. A send may end before its receive is even posted, so nothing
 * follows the other way round. Returns the number of operations.
 */
export function reduceTransfers(builder: OperationBuilder, transfers: readonly Transfer[], label: number): number {
  const pendingOf = new Map<Transfer['sender'], Float64Array>();
  let operations = 0;
  for (const { sender, sent, receiver, received } of transfers) {
    const b = receiver.completed[received] ?? Number.NaN;
    if (sender.domain === receiver.domain || Number.isNaN(b)) continue;
    const pending = pendingOf.get(sender) ?? pendingPasses(sender.created, sender.completed);
    pendingOf.set(sender, pending);
    const low = Math.max(sender.created[sent] ?? -Infinity, (pending[sent] ?? -Infinity) - SPREAD_NS);
    if (!Number.isFinite(low)) continue;
    builder.begin(label, operations);
    builder.row(sender.domain, -Infinity, Infinity, low, Infinity);
    builder.row(receiver.domain, -Infinity, Infinity, -Infinity, b);
    operations += 1;
  }
  return operations;
}

/** Ranks that entered a call after another of the same clock had left it, in more than a few operations. */
function oddRanks(table: Table, members: readonly MemberCalls[]): Odd | undefined {
  const conflicts = new Map<number, number>();
  const partners = new Map<number, Set<number>>();
  let operations = 0;
  let looked = 0;
  const see = (member: number, other: number) => {
    conflicts.set(member, (conflicts.get(member) ?? 0) + 1);
    const known = partners.get(member) ?? new Set<number>();
    partners.set(member, known.add(other));
  };
  for (let at = 0; at < table.low.length; at++) {
    const high = table.high[at] ?? Infinity;
    if (high === Infinity) continue;
    looked += 1;
    const [x, y] = [table.lowBy[at] ?? -1, table.highBy[at] ?? -1];
    if (x < 0 || x === y || Math.max(table.low[at] ?? 0, table.pending[at] ?? 0) <= high + SPREAD_NS) continue;
    operations += 1;
    see(x, y);
    see(y, x);
  }
  if (operations < 2 || operations < CONFLICT_SHARE * looked) return undefined;
  const most = [...conflicts].sort(
    ([a, m], [b, n]) => n - m || (partners.get(b)?.size ?? 0) - (partners.get(a)?.size ?? 0) || a - b,
  );
  const [first, second] = most;
  const [x, y] = [members[first?.[0] ?? 0], members[second?.[0] ?? 0]];
  if (first === undefined || x === undefined) return undefined;
  if (second === undefined || second[1] !== first[1] || y === undefined)
    return { ranks: [x.rank], operations, amongClocks: false };
  // Each only contradicts the other at the extremes: the rest of their clock tells which of the two it agrees with.
  const alone = [x, y].map((member) => contradictedBy(member, members));
  const [ofX, ofY] = [alone[0] ?? 0, alone[1] ?? 0];
  if (ofX === ofY) return { ranks: [x.rank, y.rank], operations, amongClocks: false };
  return { ranks: [ofX > ofY ? x.rank : y.rank], operations, amongClocks: false };
}

/** How many other ranks of its clock a rank contradicts in at least two of its calls. */
function contradictedBy(member: MemberCalls, members: readonly MemberCalls[]): number {
  const own = spansOf(member);
  let count = 0;
  for (const other of members) {
    if (other === member || other.domain !== member.domain) continue;
    let conflicts = 0;
    for (const [seq, { low, high }] of spansOf(other)) {
      const span = own.get(seq);
      if (span !== undefined && (span.low > high + SPREAD_NS || low > span.high + SPREAD_NS)) conflicts += 1;
    }
    if (conflicts >= 2) count += 1;
  }
  return count;
}

/** From when a call was surely open to when it was found complete, by number. */
function spansOf({
  seq,
  created,
  completed,
}: MemberCalls): Map<number, { readonly low: number; readonly high: number }> {
  const pending = pendingPasses(created, completed);
  const spans = new Map<number, { readonly low: number; readonly high: number }>();
  for (let i = 0; i < seq.length; i++) {
    const [a, b] = [created[i] ?? Number.NaN, completed[i] ?? Number.NaN];
    if (Number.isNaN(b)) continue;
    spans.set(seq[i] ?? 0, { low: Math.max(a, (pending[i] ?? -Infinity) - SPREAD_NS), high: b });
  }
  return spans;
}

function emit(builder: OperationBuilder, table: Table, labels: GroupLabels): number {
  const width = table.domains.length;
  let operations = 0;
  for (let number = 0; number < table.numbers; number++) {
    if ((table.call[number] ?? -1) < 0) continue;
    let present = 0;
    let ended = false;
    for (let column = 0; column < width; column++) {
      const at = number * width + column;
      if (table.low[at] !== -Infinity) present += 1;
      if (table.high[at] !== Infinity) ended = true;
    }
    if (present < 2) continue;
    builder.begin(ended ? labels.collective : labels.lockstep, number + table.from);
    operations += 1;
    for (let column = 0; column < width; column++) {
      const at = number * width + column;
      const low = table.low[at] ?? -Infinity;
      if (low === -Infinity) continue;
      const domain = table.domains[column] ?? 0;
      if (ended) builder.row(domain, low, table.high[at] ?? Infinity, table.pending[at] ?? -Infinity, Infinity);
      else builder.row(domain, -Infinity, Infinity, low, table.over[at] ?? Infinity);
    }
  }
  return operations;
}
