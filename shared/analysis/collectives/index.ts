/**
 * Compares what the ranks of a job called, group by group, and finds the call at which they parted and the ranks that the
 * others wait for. Start here; the steps stand in files of their own:
 *
 *   dumps ─ dump-view ─ groups ─ positions ─┬─ mismatch, operation-counts      different calls           compare.ts runs these
 *                                           └─ waits ─ roots                   who waits for whom
 *   log lines ─ from-logs ─ log-divergence                                     where dumps do not tell
 *
 * What a result may claim: a rank is named only if it deviates from a majority, or if others wait for it while it waits for nobody.
 * Ranks without a dump are never compared; they appear as roots (`hasDump` false) only if nothing else explains the hang.
 * The order of dumps and events does not matter. Cost: linear in entries and listed members.
 */
import type { CollectivesFact, WaitEdge } from '../../model/facts.ts';
import type { Issue } from '../../model/issue.ts';
import { divergencesOf } from './all-divergences.ts';
import { type Comparison, compare, timeoutsOf } from './compare.ts';
import { findCrossOrder } from './cross-order.ts';
import { divergenceTable } from './divergence-table.ts';
import { suspicionOf, unsureRanks } from './doubts.ts';
import type { DumpRankConflict } from './dump-ranks.ts';
import { type DumpView, opAt, STATE_COMPLETED } from './dump-view.ts';
import { chooseFirst } from './first.ts';
import { groupFacts } from './group-facts.ts';
import type { CollectivesInput } from './input.ts';
import { findByLogs } from './log-roots.ts';
import type { GroupPositions } from './positions.ts';
import { describeRoots } from './root-facts.ts';
import { findMissing, findRoots } from './roots.ts';
import type { Waits } from './waits.ts';

export { rankDumps } from './dump-attempts.ts';
export { type ClockOfDump, clocksOfDumps } from './dump-clocks.ts';
export { type DumpRankConflict, type DumpRanks, resolveDumpRanks } from './dump-ranks.ts';
export type { CollectivesInput, RankedDump } from './input.ts';

export function computeCollectives(input: CollectivesInput): CollectivesFact {
  const compared = compare(input);
  const { waits, groups } = compared;
  const deviants = [...compared.mismatches.values()].flatMap((one) => one.ranks);
  const given = { waits, deviants, unsure: unsureRanks(compared) };
  const direct = findRoots({ ...given, orderDeviants: orderDeviants(compared) });
  // Only where nothing inside a single group tells: that is the stronger evidence.
  const cross =
    direct.roots.length === 0 && compared.mismatches.size === 0
      ? findCrossOrder(groups, ({ group }) => timeoutsOf(compared.logs, group))
      : undefined;
  const roots =
    cross === undefined || cross.divergence.ranks.length === 0
      ? direct
      : findRoots({ ...given, orderDeviants: cross.divergence.ranks });
  const missing =
    roots.roots.length > 0 || roots.cycle.length > 0 || compared.mismatches.size > 0 || cross !== undefined
      ? []
      : findMissing(waits.standing, waits.edges, suspicionOf(compared));
  const divergences = divergencesOf(compared, roots, cross);
  const first = chooseFirst(compared, roots, divergences);
  const byLogs = roots.roots.length === 0 && first === undefined ? findByLogs(compared, missing) : undefined;
  const rootFacts = describeRoots(compared, roots, missing, divergences);
  const allJoined =
    roots.roots.length === 0 &&
    roots.cycle.length === 0 &&
    missing.length === 0 &&
    first === undefined &&
    byLogs === undefined
      ? joinedCall(compared)
      : undefined;
  const shown = groupFacts(compared, divergences, byLogs);
  const table = divergenceTable(groups, shown, first ?? byLogs?.first);
  return {
    groups: shown,
    waits: withMissing(waits, missing),
    roots: byLogs === undefined ? rootFacts : byLogs.roots,
    cycle: roots.cycle,
    first: first ?? byLogs?.first,
    dumpsPresent: compared.views.filter((view) => !view.blank).map((view) => view.rank),
    dumpsExpected: compared.expected,
    onlyActive: isOnlyActive(compared.views, groups),
    allJoined,
    ...(table === undefined ? {} : { table }),
    ...(input.conflicts === undefined || input.conflicts.length === 0 ? {} : { issues: issuesOf(input.conflicts) }),
  };
}

function issuesOf(conflicts: readonly DumpRankConflict[]): Issue[] {
  return conflicts.map(({ code, source, detail }) => ({
    code,
    severity: 'warning',
    entry: source.entry,
    path: undefined,
    source: undefined,
    count: 1,
    detail,
  }));
}

const orderDeviants = (compared: Comparison): number[] =>
  [...compared.counts.values()].flatMap((one) => (one.kind === 'differs' ? one.deviants : []));

/** Edges to ranks without a dump are added only where those are the answer. */
function withMissing(waits: Waits, missing: readonly number[]): readonly WaitEdge[] {
  if (missing.length === 0) return waits.edges;
  const wanted = new Set(missing);
  const more = waits.standing.flatMap((one): WaitEdge[] => {
    const ranks = one.unknown.filter((rank) => wanted.has(rank));
    return ranks.length === 0 ? [] : [{ rank: one.rank, group: one.where.group.id, seq: one.seq, for: ranks }];
  });
  return [...waits.edges, ...more].sort((a, b) => a.rank - b.rank);
}

/** The largest call in which every member of its group stands while it has not ended: nobody is missing. */
function joinedCall(compared: Comparison): CollectivesFact['allJoined'] {
  const { standing, edges } = compared.waits;
  // An edge leads to a member that is behind: then not everybody has joined.
  if (edges.length > 0 || standing.length === 0 || standing.some((one) => one.unknown.length > 0)) return undefined;
  const ordered = [...standing].sort(
    (a, b) =>
      b.where.group.ranks.length - a.where.group.ranks.length ||
      (a.where.group.id < b.where.group.id ? -1 : a.where.group.id > b.where.group.id ? 1 : a.seq - b.seq),
  );
  const [largest] = ordered;
  if (largest === undefined || largest.where.group.ranks.length < 2) return undefined;
  const at = largest.where.byRank.get(largest.rank);
  if (at?.open?.row === undefined || at.open.seq !== largest.seq) return undefined;
  return {
    group: largest.where.group.id,
    seq: largest.seq,
    op: opAt(at.member.view, at.open.row),
    ranks: [...largest.where.group.ranks].sort((a, b) => a - b),
  };
}

/** True if no dump holds a completed (gloo: ended) entry although some counter shows that calls had completed. */
function isOnlyActive(views: readonly DumpView[], groups: readonly GroupPositions[]): boolean {
  const endsOnly = new Set(
    groups.filter((where) => where.endsOnly).flatMap((where) => where.group.members.map((member) => member.view)),
  );
  let counted = false;
  for (const view of views) {
    const c = view.dump.columns;
    for (let row = 0; row < c.length; row++) {
      const ended = endsOnly.has(view)
        ? c.retired[row] === 1
        : c.state[row] === STATE_COMPLETED || (c.completedNs[row] ?? 0n) > 0n;
      if (ended) return false;
    }
    if (view.dump.status.some((one) => one.lastCompleted > 0)) counted = true;
  }
  return counted;
}
