/** Dumps and log lines of a job, turned into what the steps after it compare: groups, positions, differences, waits. */
import type { Divergence } from '../../model/facts.ts';
import { CallKeys } from './call-columns.ts';
import { type DumpView, viewDumps } from './dump-view.ts';
import { DEFAULT_KEY, type LoggedTimeout, type LogReading, readLogs } from './from-logs.ts';
import { mergeGroups, worldSizeOf } from './groups.ts';
import type { CollectivesInput } from './input.ts';
import { kinOf } from './kin.ts';
import { findMismatch } from './mismatch.ts';
import { compareOperationCounts, type OperationCounts } from './operation-counts.ts';
import { computePositions, type GroupPositions } from './positions.ts';
import { computeWaits, type Waits } from './waits.ts';

/** Everything the dumps were turned into; shared by the steps below. */
export interface Comparison {
  readonly views: readonly DumpView[];
  readonly groups: readonly GroupPositions[];
  readonly mismatches: ReadonlyMap<GroupPositions, Divergence>;
  readonly counts: ReadonlyMap<GroupPositions, OperationCounts>;
  readonly waits: Waits;
  readonly logs: LogReading;
  /** Ranks of the job; undefined if neither the dumps nor anything else tells. */
  readonly expected: readonly number[] | undefined;
  /** Ranks that must exist and left no dump that says anything. */
  readonly withoutDump: readonly number[];
  /** Some dump belongs to a rank that nothing tells: it may be that of any rank which seems to have left none. */
  readonly unplaced: boolean;
}

export function compare(input: CollectivesInput): Comparison {
  const views = viewDumps(input.dumps);
  const known = input.worldSize ?? worldSizeOf(views.map((view) => view.dump));
  const top = views.reduce((most, view) => Math.max(most, view.rank + 1), 0);
  const present = new Set(views.filter((view) => !view.blank).map((view) => view.rank));
  const all = Array.from({ length: Math.max(known ?? 0, top) }, (_, rank) => rank);
  const withoutDump = all.filter((rank) => !present.has(rank));
  const groups = computePositions(mergeGroups(views, known === undefined ? undefined : all.length), views);
  const logs = readLogs(
    input.events,
    groups.some(({ group }) => !group.isDefault) ? 'others' : groups.length > 0 ? 'default' : 'none',
  );
  const keys = new CallKeys();
  const byRank = new Map<number, Map<string, number>>();
  const rowsOf = (rank: number): Map<string, number> => {
    const rows = byRank.get(rank) ?? new Map<string, number>();
    byRank.set(rank, rows);
    return rows;
  };
  const mismatches = new Map<GroupPositions, Divergence>();
  const counts = new Map<GroupPositions, OperationCounts>();
  for (const where of groups) {
    const mismatch = findMismatch(where, keys, rowsOf, timeoutsOf(logs, where.group), kinOf(where, groups));
    if (mismatch !== undefined) mismatches.set(where, mismatch);
    counts.set(where, compareOperationCounts(where));
  }
  const deviants = new Map(
    [...mismatches].flatMap(([where, one]) =>
      one.ranks.length > 0 ? [[where, { seq: one.seq, ranks: one.ranks }] as const] : [],
    ),
  );
  const waits = computeWaits({
    groups,
    timedOut: logs.timedOut,
    deviants,
    byLog: logPlaces(logs),
    possible: withoutDump,
  });
  return {
    views,
    groups,
    mismatches,
    counts,
    waits,
    logs,
    expected: known === undefined ? undefined : all,
    withoutDump,
    unplaced: input.dumps.some((one) => one.rank === undefined),
  };
}

function logPlaces(logs: LogReading): (name: string, isDefault: boolean, rank: number) => number | undefined {
  return (name, isDefault, rank) => {
    const group = logs.groups.get(isDefault ? 'default' : name);
    const member = group?.members.get(rank);
    if (group === undefined || member === undefined) return undefined;
    const counted = group.p2p ? undefined : member.counters?.lastEnqueued;
    const waiting = member.timeout?.seq;
    return counted === undefined ? waiting : Math.max(counted, waiting ?? counted);
  };
}

/** By rank, the call of a group in which it timed out by its own words. Lines that name no group are not counted as this one's. */
export function timeoutsOf(
  { groups }: LogReading,
  { isDefault, name }: { readonly isDefault: boolean; readonly name: string },
): ReadonlyMap<number, LoggedTimeout> {
  const group = groups.get(isDefault ? DEFAULT_KEY : name);
  return new Map(
    [...(group?.members.values() ?? [])].flatMap(({ rank, timeout }) =>
      timeout === undefined ? [] : [[rank, timeout] as const],
    ),
  );
}
