/** How each member of a group is folded and named: what the tables of one group and of the whole job share. */
import type { GroupHead, SetLook, TableRow } from './answers.ts';
import { isByLog } from './cells.ts';
import { type CollectiveGroup, type CollectivesView, PLACE_BASES } from './types.ts';

const NONE = PLACE_BASES.indexOf('none');

/** Ranks that the verdict names, and ranks that a divergence sets apart. */
export interface NamedRanks {
  readonly first: ReadonlySet<number>;
  readonly odd: ReadonlySet<number>;
}

/** `group` undefined: the whole job. */
export function namedRanks(view: CollectivesView, group: CollectiveGroup | undefined): NamedRanks {
  const { story, divergence } = { story: view.job, divergence: group?.divergence ?? view.job.first?.divergence };
  const odd = new Set(divergence?.ranks ?? []);
  for (const side of divergence?.sides.slice(1) ?? []) for (const rank of side) odd.add(rank);
  for (const root of story.roots) odd.add(root.rank);
  return { first: new Set(story.firstRanks), odd };
}

export function lookOf(rank: number, told: boolean, waits: boolean, named: NamedRanks): SetLook {
  if (named.first.has(rank)) return 'first';
  if (named.odd.has(rank)) return 'odd';
  return !told ? 'silent' : waits ? 'waits' : 'fine';
}

export const isTold = (group: CollectiveGroup, member: number): boolean => group.places.basis[member] !== NONE;

/** The member waits in a call or in a transfer of this group. */
export function waitsHere(group: CollectiveGroup, member: number, openTransfers: ReadonlySet<number>): boolean {
  return !Number.isNaN(group.places.open[member] ?? Number.NaN) || openTransfers.has(member);
}

/** Members with an open transfer. */
export function openTransfers(group: CollectiveGroup, waiting: number): ReadonlySet<number> {
  const open = new Set<number>();
  const { p2p } = group;
  if (p2p === undefined) return open;
  for (let i = 0; i < p2p.member.length; i++) if (p2p.state[i] === waiting) open.add(p2p.member[i] ?? -1);
  return open;
}

export function headOf(group: CollectiveGroup, waitingCode: number): GroupHead {
  const open = openTransfers(group, waitingCode);
  let dumps = 0;
  let waiting = 0;
  for (let m = 0; m < group.members.length; m++) {
    if (isTold(group, m) && !isByLog(group, m)) dumps++;
    if (waitsHere(group, m, open)) waiting++;
  }
  return {
    id: group.id,
    desc: group.desc,
    backend: group.backend,
    kind: group.kind,
    size: group.ranks.length,
    membersKnown: group.membersKnown,
    dumps,
    endsOnly: group.endsOnly,
    p2p: group.p2p !== undefined,
    basis: group.basis,
    window: group.window,
    divergence: group.divergence,
    waiting,
  };
}

/** Widest bound of the clocks of these ranks, and how many of them keep raw stamps. */
export function clockQuality(
  view: CollectivesView,
  ranks: Iterable<number>,
): { readonly rawRanks: number; readonly boundMs: number | undefined } {
  const clockOf = new Map(view.ranks.map((one) => [one.rank, one.clock]));
  let rawRanks = 0;
  let boundMs: number | undefined;
  for (const rank of ranks) {
    const clock = view.clocks[clockOf.get(rank) ?? -1];
    if (clock?.offsetMs === undefined) rawRanks++;
    else if (clock.boundMs !== undefined) boundMs = Math.max(boundMs ?? 0, clock.boundMs);
  }
  return { rawRanks, boundMs };
}

/** Rows with the clock of the rank that came first. */
export function withClocks(view: CollectivesView, rows: readonly TableRow[]): TableRow[] {
  const clockOf = new Map(view.ranks.map((one) => [one.rank, one.clock]));
  return rows.map((row) => ({ ...row, firstClock: clockOf.get(row.firstRank) ?? -1 }));
}
