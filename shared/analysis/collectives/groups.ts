/**
 * Process groups across dumps: the same group is the same (name, members), whatever its local id.
 *
 *   rank 0  pg_id 5  "35" [0,1,2,3]  ┐
 *   rank 1  pg_id 5  "35" [0,1,2,3]  ┘ one group          rank 8  pg_id 5  "37" [8,9,10,11]   another one
 *
 * Where `pg_config` gives no members (gloo, dumps before 1.4) they are the ranks that hold entries of that name; the default
 * group falls back to the size of the job. O(entries + listed members).
 */
import type { DumpGroup, FlightRecorderDump } from '../../model/flight-recorder.ts';
import type { DumpView, LocalGroup } from './dump-view.ts';

export interface Member {
  readonly rank: number;
  readonly view: DumpView;
  /** Entries of this group in its dump; undefined if the dump has none. */
  readonly local: LocalGroup | undefined;
}

export interface Group {
  id: string;
  readonly name: string;
  readonly desc: string;
  readonly backend: string | undefined;
  /** Global ranks in the order of the group: position = rank inside the group. */
  ranks: readonly number[];
  membersKnown: boolean;
  readonly isDefault: boolean;
  /** Present members (with a dump), sorted by rank. */
  members: Member[];
}

interface Draft extends Group {
  readonly known: readonly number[] | undefined;
  readonly locals: Map<number, { view: DumpView; local: LocalGroup }>;
}

export const isDefaultGroup = (name: string, desc: string): boolean =>
  desc === 'default_pg' || (name === '0' && (desc === '' || desc === 'undefined'));

/** Groups that at least one dump has entries of, sorted by id. `worldSize`: undefined if unknown. */
export function mergeGroups(views: readonly DumpView[], worldSize: number | undefined): Group[] {
  const drafts = new Map<string, Draft[]>();
  // Dumps that list members first, so that those without a list can join what is known.
  const waiting: { view: DumpView; local: LocalGroup }[] = [];
  for (const view of views) {
    for (const local of view.groups) {
      const known = membersOf(view, local);
      if (known === undefined) waiting.push({ view, local });
      else join(drafts, view, local, known);
    }
  }
  for (const { view, local } of waiting) join(drafts, view, local, undefined);
  const all = [...drafts.values()].flat();
  const byRank = new Map(views.map((view) => [view.rank, view]));
  for (const draft of all) complete(draft, byRank, worldSize);
  nameThem(all);
  return all.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Members as the rank's own `pg_config` lists them; undefined if it does not, or if the rank itself is not among them. */
function membersOf(view: DumpView, local: LocalGroup): readonly number[] | undefined {
  const { groups } = view.dump;
  const found =
    groups.find((group) => group.key === local.name) ??
    groups.find((group) => group.name === local.name && group.name !== '') ??
    (isDefaultGroup(local.name, local.desc)
      ? groups.find((group) => group.key === '' || isDefaultGroup(group.name, group.desc))
      : undefined) ??
    (groups.length === 1 && view.groups.length === 1 ? groups[0] : undefined);
  return found?.ranks.includes(view.rank) ? found.ranks : undefined;
}

function join(
  drafts: Map<string, Draft[]>,
  view: DumpView,
  local: LocalGroup,
  known: readonly number[] | undefined,
): void {
  const key = `${local.backend ?? ''}\n${local.name}`;
  const named = drafts.get(key) ?? [];
  drafts.set(key, named);
  const fitting = named.filter((draft) =>
    known === undefined
      ? draft.known === undefined
        ? draft.desc === descOf(local)
        : draft.known.includes(view.rank)
      : draft.known !== undefined && sameRanks(draft.known, known),
  );
  const draft = fitting.find((one) => one.known !== undefined) ?? fitting[0];
  if (draft !== undefined) {
    if (!draft.locals.has(view.rank)) draft.locals.set(view.rank, { view, local });
    return;
  }
  named.push({
    id: '',
    name: local.name,
    desc: descOf(local),
    backend: local.backend,
    ranks: [],
    membersKnown: false,
    isDefault: isDefaultGroup(local.name, local.desc),
    members: [],
    known,
    locals: new Map([[view.rank, { view, local }]]),
  });
}

/** The recorder writes `undefined` for a group that was made without a description. */
const descOf = ({ desc }: LocalGroup): string => (desc === 'undefined' ? '' : desc);

const sameRanks = (a: readonly number[], b: readonly number[]): boolean => {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};

function complete(draft: Draft, views: ReadonlyMap<number, DumpView>, worldSize: number | undefined): void {
  const holders = [...draft.locals.keys()].sort((a, b) => a - b);
  if (draft.known !== undefined) {
    draft.ranks = draft.known;
    draft.membersKnown = true;
  } else if (draft.isDefault && worldSize !== undefined) {
    draft.ranks = Array.from({ length: worldSize }, (_, rank) => rank);
    draft.membersKnown = true;
  } else {
    draft.ranks = holders;
  }
  draft.members = [...draft.ranks]
    .sort((a, b) => a - b)
    .flatMap((rank) => {
      const view = views.get(rank);
      return view === undefined ? [] : [{ rank, view, local: draft.locals.get(rank)?.local }];
    });
}

/** `name` where it is unique, else `name[first,…]`; a further same one gets its backend. */
function nameThem(groups: readonly Draft[]): void {
  const byName = new Map<string, number>();
  for (const group of groups) byName.set(group.name, (byName.get(group.name) ?? 0) + 1);
  const used = new Map<string, number>();
  const sorted = [...groups].sort(
    (a, b) =>
      compareText(a.name, b.name) ||
      compareRanks(a.ranks, b.ranks) ||
      compareText(a.backend ?? '', b.backend ?? '') ||
      compareText(a.desc, b.desc),
  );
  for (const group of sorted) {
    const plain = group.name === '' ? '(unnamed)' : group.name;
    let id =
      byName.get(group.name) === 1 ? plain : `${plain}[${group.ranks[0] ?? ''}${group.ranks.length > 1 ? ',…' : ''}]`;
    const times = used.get(id) ?? 0;
    used.set(id, times + 1);
    if (times > 0) id = `${id}#${times + 1}`;
    group.id = id;
  }
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const compareRanks = (a: readonly number[], b: readonly number[]): number => {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0);
  return a.length - b.length;
};

/** Ranks the job has by the dumps alone: the default group's largest rank + 1, else that of any group. */
export function worldSizeOf(dumps: readonly FlightRecorderDump[]): number | undefined {
  const largest = (groups: readonly DumpGroup[]): number | undefined => {
    let top = -1;
    for (const group of groups) for (const rank of group.ranks) if (rank > top) top = rank;
    return top < 0 ? undefined : top + 1;
  };
  const all = dumps.flatMap((dump) => dump.groups);
  return largest(all.filter((group) => group.key === '' || isDefaultGroup(group.name, group.desc))) ?? largest(all);
}
