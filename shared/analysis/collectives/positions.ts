/**
 * How far each member of a group got: the numbers that everything else compares.
 *
 *   entries   … ✓#17  ✓#18  ·#19  ·#20        pg_status  enqueued 20, completed 18
 *                           └ open = 19, newest 20, done 18
 *
 * Two things differ by backend. NCCL-like recorders know when a call completed, and `pg_status` counts collectives (as long
 * as the group has no point-to-point traffic, which is counted into the same field). Gloo never completes a call: it only
 * retires it, also when it failed; what cannot lie there is whether a call was enqueued.
 */
import type { DumpGroupStatus } from '../../model/flight-recorder.ts';
import { type DumpView, STATE_COMPLETED } from './dump-view.ts';
import type { Group, Member } from './groups.ts';
import { StatusIds } from './status-ids.ts';

export interface Position {
  readonly rank: number;
  readonly member: Member;
  readonly basis: 'dump-status' | 'dump-entries';
  /** Newest collective that was enqueued; undefined if that cannot be said. */
  readonly enqueued: number | undefined;
  /** Newest collective known as completed; for gloo: undefined. */
  readonly done: number | undefined;
  /** Oldest collective that was enqueued and has not ended. `row` undefined: known from counters only. */
  readonly open: { readonly seq: number; readonly row: number | undefined } | undefined;
  readonly oldest: number | undefined;
  readonly newest: number | undefined;
  readonly newestRow: number | undefined;
  readonly status: DumpGroupStatus | undefined;
}

export interface GroupPositions {
  readonly group: Group;
  /** Ends, but never completes: gloo. A retired call may have failed. */
  readonly endsOnly: boolean;
  /** Point-to-point operations of this group are counted together with its collectives. */
  readonly mixed: boolean;
  /** Of members with a dump that tells something, sorted by rank. */
  readonly positions: readonly Position[];
  readonly byRank: ReadonlyMap<number, Position>;
}

export function computePositions(groups: readonly Group[], views: readonly DumpView[]): GroupPositions[] {
  const ids = new StatusIds(groups, views);
  return groups.map((group) => groupPositions(group, ids));
}

function groupPositions(group: Group, ids: StatusIds): GroupPositions {
  const endsOnly = group.backend === 'gloo';
  const mixed = group.members.some((member) => hasP2p(member));
  const pure = endsOnly && group.members.every((member) => countsAgree(member));
  const positions: Position[] = [];
  for (const member of group.members) {
    if (member.view.blank) continue;
    const position = positionOf(member, ids.status(group, member), {
      endsOnly,
      countersUsable: !mixed && (!endsOnly || pure),
    });
    if (position !== undefined) positions.push(position);
  }
  return { group, endsOnly, mixed, positions, byRank: new Map(positions.map((one) => [one.rank, one])) };
}

function hasP2p(member: Member): boolean {
  const { local, view } = member;
  if (local === undefined) return false;
  return local.p2pRows.length > 0 || local.rows.some((row) => (view.dump.columns.p2pSeq[row] ?? 0) > 0);
}

/** True if `op_id` and the call's number are the same everywhere: then gloo's counters count collectives alone. */
function countsAgree(member: Member): boolean {
  const { local, view } = member;
  return local === undefined || local.rows.every((row, i) => view.dump.columns.opId[row] === local.seqs[i]);
}

/** True if the call in this row has ended; for gloo that may be a failure. */
export function hasEnded(view: DumpView, row: number, endsOnly: boolean): boolean {
  const c = view.dump.columns;
  return endsOnly ? c.retired[row] === 1 : c.state[row] === STATE_COMPLETED || (c.completedNs[row] ?? 0n) > 0n;
}

interface Reading {
  readonly endsOnly: boolean;
  readonly countersUsable: boolean;
}

function positionOf(member: Member, status: DumpGroupStatus | undefined, how: Reading): Position | undefined {
  const { local, view } = member;
  const usable = how.countersUsable ? status : undefined;
  const rows: ArrayLike<number> = local?.rows ?? [];
  const seqs: ArrayLike<number> = local?.seqs ?? [];
  if (rows.length === 0 && usable === undefined) return unrecorded(member, how);
  const entries = readEntries(view, rows, seqs, how.endsOnly);
  // A cut file has lost its newest entries: only the counters in its head still tell what was enqueued last.
  const cut = view.dump.truncatedAt !== undefined;
  const counted =
    usable !== undefined && usable.lastEnqueued >= 0 ? usable.lastEnqueued : usable === undefined ? undefined : 0;
  // Gloo's counter may run ahead by point-to-point operations that leave no entry: entries first.
  const enqueued =
    how.endsOnly && !cut && entries.newest !== undefined
      ? entries.newest
      : counted === undefined
        ? cut
          ? undefined
          : entries.newest
        : Math.max(counted, entries.newest ?? 0);
  const completed = how.endsOnly || usable === undefined ? undefined : Math.max(0, usable.lastCompleted);
  const done = how.endsOnly ? undefined : highest(completed, entries.done);
  return {
    rank: member.rank,
    member,
    basis: usable === undefined ? 'dump-entries' : 'dump-status',
    enqueued,
    done,
    open: entries.open ?? openByCounters(enqueued, completed, entries.newest),
    oldest: entries.oldest,
    newest: highest(entries.newest, enqueued),
    newestRow: entries.newestRow,
    status,
  };
}

/**
 * No entry and no counter of this group. That means "never enqueued" only where the ring lost nothing, the file is whole and the
 * dump holds completed entries at all.
 */
function unrecorded(member: Member, how: Reading): Position | undefined {
  const { view } = member;
  const whole = how.endsOnly && view.fromStart && view.dump.truncatedAt === undefined && view.dump.columns.length > 0;
  if (!whole) return undefined;
  return {
    rank: member.rank,
    member,
    basis: 'dump-entries',
    enqueued: 0,
    done: undefined,
    open: undefined,
    oldest: undefined,
    newest: undefined,
    newestRow: undefined,
    status: undefined,
  };
}

interface Entries {
  readonly oldest: number | undefined;
  readonly newest: number | undefined;
  readonly newestRow: number | undefined;
  readonly done: number | undefined;
  readonly open: { readonly seq: number; readonly row: number } | undefined;
}

function readEntries(view: DumpView, rows: ArrayLike<number>, seqs: ArrayLike<number>, endsOnly: boolean): Entries {
  let oldest: number | undefined;
  let newest: number | undefined;
  let newestRow: number | undefined;
  let done: number | undefined;
  let open: { seq: number; row: number } | undefined;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const seq = seqs[i] ?? -1;
    if (seq < 0) continue;
    if (oldest === undefined || seq < oldest) oldest = seq;
    if (newest === undefined || seq >= newest) {
      newest = seq;
      newestRow = row;
    }
    if (hasEnded(view, row, endsOnly)) done = highest(done, seq);
    else if (open === undefined || seq < open.seq) open = { seq, row };
  }
  return { oldest, newest, newestRow, done, open };
}

/** Counters say that something enqueued has not completed, but its entry is gone. */
function openByCounters(
  enqueued: number | undefined,
  completed: number | undefined,
  newest: number | undefined,
): Position['open'] {
  if (enqueued === undefined || completed === undefined || completed >= enqueued) return undefined;
  // With entries up to the newest call, the missing open row means that it has been found completed since.
  if (newest !== undefined && newest >= enqueued) return undefined;
  return { seq: completed + 1, row: undefined };
}

const highest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);
