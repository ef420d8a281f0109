/**
 * Which row of `pg_status` belongs to which group. The rows are keyed by the process-LOCAL group id; the dump's own entries map ids
 * to names, but a rank that has no open call left may have no entry at all, and that rank is often the one we look for.
 *
 * Then two readings are tried, and used only if they do not contradict each other or the dump's own entries:
 * - peers: all other members of the group use one and the same local id for it;
 * - order: names are a counter that rises with creation, as ids are, and there are as many names as ids.
 */
import type { DumpGroupStatus } from '../../model/flight-recorder.ts';
import type { DumpView } from './dump-view.ts';
import type { Group, Member } from './groups.ts';

const DIGITS = /^\d{1,15}$/;

export class StatusIds {
  /** Per group: the id that all members with entries use; undefined if they differ. */
  private readonly peers = new Map<Group, string | undefined>();
  /** Per rank: group name → local id, by order of creation. */
  private readonly ordered = new Map<number, ReadonlyMap<string, string>>();
  /** Per rank: local ids that the dump's own entries use, with their names. */
  private readonly own = new Map<number, ReadonlyMap<string, string>>();

  constructor(groups: readonly Group[], views: readonly DumpView[]) {
    for (const view of views) {
      const own = new Map(view.groups.map((local) => [local.pgId, local.name]));
      this.own.set(view.rank, own);
      this.ordered.set(view.rank, byOrder(view, own));
    }
    for (const group of groups) {
      const ids = new Set(group.members.flatMap((member) => (member.local === undefined ? [] : [member.local.pgId])));
      this.peers.set(group, ids.size === 1 ? [...ids][0] : undefined);
    }
  }

  /** The counters of a member for a group; undefined if there are none or if it is not sure which they are. */
  status(group: Group, member: Member): DumpGroupStatus | undefined {
    const { status } = member.view;
    if (status.size === 0) return undefined;
    if (member.local !== undefined) return status.get(member.local.pgId);
    const byPeers = this.peers.get(group);
    const byOrderId = this.ordered.get(member.rank)?.get(group.name);
    if (byPeers !== undefined && byOrderId !== undefined && byPeers !== byOrderId) return undefined;
    const id = byPeers ?? byOrderId;
    if (id === undefined || this.own.get(member.rank)?.has(id) === true) return undefined;
    return status.get(id);
  }
}

function byOrder(view: DumpView, own: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const names = view.dump.groups.map((group) => group.name);
  const ids = [...view.status.keys()];
  const empty = new Map<string, string>();
  if (names.length !== ids.length || new Set(names).size !== names.length) return empty;
  if (![...names, ...ids].every((text) => DIGITS.test(text))) return empty;
  const ascending = (a: string, b: string): number => Number(a) - Number(b);
  names.sort(ascending);
  ids.sort(ascending);
  const pairs = new Map(names.map((name, i) => [name, ids[i] ?? '']));
  for (const [id, name] of own) if (pairs.get(name) !== id) return empty;
  return pairs;
}
