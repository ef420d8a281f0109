/**
 * Which rank a dump belongs to. The dump itself does not say; the file's name claims one, and the process groups of the
 * dump (a process lists only groups it is a member of) allow some.
 *
 *   name 9, groups {0…15} ∩ {8…11} ∩ {9,13} = {9}   →   9
 *   name –, intersection {9}                        →   9, by its groups
 *   name 3, intersection {9}                        →   9, and a conflict: the process is surely no member elsewhere
 *   name 3, intersection {8,9}                      →   unknown, and a conflict
 */
import type { DumpGroup, FlightRecorderDump } from '../../model/flight-recorder.ts';
import type { IssueCode } from '../../model/issue.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import type { RankedDump } from './input.ts';

export interface DumpRankConflict {
  readonly code: Extract<IssueCode, 'dump-rank-conflict' | 'dump-rank-unknown' | 'dump-of-earlier-attempt'>;
  readonly source: SourceRef;
  readonly detail: string;
}

export interface DumpRanks {
  /** One for each dump, sorted by rank (unknown last), the current one of a rank first. */
  readonly ranked: readonly RankedDump[];
  readonly conflicts: readonly DumpRankConflict[];
}

/**
 * Gives every dump its rank. Does not depend on the order of `dumps`. `worldSize`: ranks of the job if something
 * outside the dumps tells it; a file name beyond it is not believed.
 */
export function resolveDumpRanks(dumps: readonly FlightRecorderDump[], worldSize: number | undefined): DumpRanks {
  const conflicts: DumpRankConflict[] = [];
  const found = dumps.map((dump) => rankOf(dump, worldSize, conflicts));
  const newest = new Map<number, RankedDump>();
  for (const one of found) {
    if (one.rank === undefined) continue;
    const other = newest.get(one.rank);
    if (other === undefined || isNewer(one.dump, other.dump)) newest.set(one.rank, one);
  }
  const ranked = found.map((one) => {
    const current = one.rank === undefined || newest.get(one.rank) === one;
    if (!current) {
      const detail = `another dump claims rank ${one.rank} and is newer; this one was not compared`;
      conflicts.push({ code: 'dump-rank-conflict', source: one.dump.source, detail });
    }
    return { ...one, current };
  });
  ranked.sort(
    (a, b) => order(a.rank) - order(b.rank) || Number(b.current) - Number(a.current) || entryOf(a) - entryOf(b),
  );
  conflicts.sort((a, b) => (a.detail < b.detail ? -1 : a.detail > b.detail ? 1 : 0));
  return { ranked, conflicts };
}

const FEW = 4;
const order = (rank: number | undefined): number => rank ?? Number.MAX_SAFE_INTEGER;
const entryOf = (one: RankedDump): number => one.dump.source.entry;

function rankOf(dump: FlightRecorderDump, worldSize: number | undefined, conflicts: DumpRankConflict[]): RankedDump {
  const allowed = commonRanks(dump.groups);
  const named = dump.nameRank;
  const only = allowed?.length === 1 ? allowed[0] : undefined;
  const tell = (code: DumpRankConflict['code'], detail: string): void => {
    conflicts.push({ code, source: dump.source, detail });
  };
  if (named !== undefined) {
    const fits = allowed === undefined || allowed.includes(named);
    const beyond = allowed === undefined && worldSize !== undefined && named >= worldSize;
    if (fits && !beyond) return { dump, rank: named, basis: 'file-name', current: true };
    if (beyond) tell('dump-rank-conflict', `the name says rank ${named}, the job has ${worldSize} ranks`);
    else
      tell(
        'dump-rank-conflict',
        `the name says rank ${named}, the groups of the dump belong to ${listed(allowed ?? [])}`,
      );
  } else if (only === undefined) {
    tell(
      'dump-rank-unknown',
      allowed === undefined ? 'neither the name nor the groups tell the rank' : `the groups fit ${listed(allowed)}`,
    );
  }
  return { dump, rank: only, basis: only === undefined ? 'none' : 'group-members', current: true };
}

const listed = (ranks: readonly number[]): string =>
  ranks.length === 0 ? 'no single rank' : `rank ${ranks.slice(0, 8).join(', ')}${ranks.length > 8 ? ', …' : ''}`;

/** Ranks that are in every group of the dump, sorted; undefined if no group lists its ranks. From the smallest group on. */
function commonRanks(groups: readonly DumpGroup[]): readonly number[] | undefined {
  const listed = groups.filter((group) => group.ranks.length > 0).sort((a, b) => a.ranks.length - b.ranks.length);
  const [smallest, ...others] = listed;
  if (smallest === undefined) return undefined;
  let common = [...new Set(smallest.ranks)].sort((a, b) => a - b);
  for (const { ranks } of others) {
    // Few candidates are looked up one by one: making a set of thousands of members for each dump costs more.
    const members = common.length > FEW ? new Set(ranks) : undefined;
    common = common.filter((rank) => (members === undefined ? ranks.includes(rank) : members.has(rank)));
  }
  return common;
}

/** True if `a` was written after `b`: both carry stamps of one rank, so of one clock unless the rank moved. */
function isNewer(a: FlightRecorderDump, b: FlightRecorderDump): boolean {
  const [newestA, newestB] = [newestNs(a), newestNs(b)];
  if (newestA !== newestB) return newestA > newestB;
  if (a.columns.length !== b.columns.length) return a.columns.length > b.columns.length;
  return a.source.entry < b.source.entry;
}

/** Newest stamp in a dump, ns since 1970; 0n if it has no entries. */
export function newestNs(dump: FlightRecorderDump): bigint {
  let newest = 0n;
  const { createdNs, startedNs, completedNs } = dump.columns;
  for (const column of [createdNs, startedNs, completedNs]) for (const ns of column) if (ns > newest) newest = ns;
  return newest;
}
