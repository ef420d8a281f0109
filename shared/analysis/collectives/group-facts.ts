/** Groups as facts: members with their places, common window, first divergence. */
import type { CallView, Divergence, GroupFact, MemberState } from '../../model/facts.ts';
import type { Comparison } from './compare.ts';
import { newestCall, openCall } from './divergences.ts';
import type { LoggedGroup, LoggedMember } from './from-logs.ts';
import type { LogRoots } from './log-roots.ts';
import type { GroupPositions, Position } from './positions.ts';

export function groupFacts(
  compared: Comparison,
  divergences: ReadonlyMap<GroupPositions, readonly Divergence[]>,
  byLogs: LogRoots | undefined,
): GroupFact[] {
  const present = new Set(compared.views.filter((view) => !view.blank).map((view) => view.rank));
  const facts = compared.groups.map((where) =>
    fromDumps(compared, where, divergences.get(where) ?? [], byLogs, present),
  );
  const covered = new Set(compared.groups.map((where) => (where.group.isDefault ? 'default' : where.group.name)));
  for (const [key, group] of compared.logs.groups) if (!covered.has(key)) facts.push(fromLogs(compared, group, byLogs));
  return facts.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function fromDumps(
  compared: Comparison,
  where: GroupPositions,
  own: readonly Divergence[],
  byLogs: LogRoots | undefined,
  present: ReadonlySet<number>,
): GroupFact {
  const { group } = where;
  const ranks = [...group.ranks].sort((a, b) => a - b);
  const logged = compared.logs.groups.get(group.isDefault ? 'default' : group.name);
  const members = where.positions.map((at) => stateOf(where, at));
  for (const member of logged?.members.values() ?? []) {
    const source = logSource(member);
    if (source !== undefined && !where.byRank.has(member.rank) && !present.has(member.rank))
      members.push(loggedState(member, source));
  }
  return {
    id: group.id,
    name: group.name,
    desc: group.desc,
    ranks,
    membersKnown: group.membersKnown,
    p2p: group.members.some((member) => (member.local?.p2pRows.length ?? 0) > 0),
    backend: group.backend,
    members: members.sort((a, b) => a.rank - b.rank),
    withoutDump: group.membersKnown ? ranks.filter((rank) => !present.has(rank)) : [...compared.withoutDump],
    window: windowOf(where.positions),
    divergence: earliest(own) ?? (byLogs?.first.group === group.id ? byLogs.first : undefined),
  };
}

const DIFFERENT: ReadonlySet<Divergence['kind']> = new Set(['op', 'size', 'dtype']);

/** A different call first, then the lowest sequence number. */
function earliest(list: readonly Divergence[]): Divergence | undefined {
  const order = (one: Divergence): number => (DIFFERENT.has(one.kind) ? 0 : 1);
  return [...list].sort((a, b) => order(a) - order(b) || a.seq - b.seq)[0];
}

function stateOf(where: GroupPositions, at: Position): MemberState {
  const waitsIn = openCall(where, at);
  const newest = newestCall(where, at);
  return {
    rank: at.rank,
    basis: at.basis,
    lastEnqueued: at.status?.lastEnqueued ?? at.enqueued,
    lastCompleted: at.status?.lastCompleted ?? at.done,
    oldestSeq: at.oldest,
    newestSeq: at.newest,
    waitsIn,
    newest,
    source: (waitsIn ?? newest)?.source ?? at.member.view.dump.source,
  };
}

/** Calls that the rings of all members with entries cover. */
function windowOf(positions: readonly Position[]): GroupFact['window'] {
  let from = -1;
  let to = Number.POSITIVE_INFINITY;
  for (const at of positions) {
    if (at.oldest === undefined || at.newest === undefined) continue;
    from = Math.max(from, at.oldest);
    to = Math.min(to, at.newest);
  }
  return from < 0 || to < from || !Number.isFinite(to) ? undefined : { from, to };
}

const logSource = (member: LoggedMember): MemberState['source'] | undefined =>
  member.timeout?.source ?? member.counters?.source;

function loggedState(member: LoggedMember, source: MemberState['source']): MemberState {
  const { timeout, counters } = member;
  const waitsIn: CallView | undefined =
    timeout === undefined
      ? undefined
      : {
          rank: member.rank,
          seq: timeout.seq,
          op: timeout.op,
          inputSizes: undefined,
          outputSizes: undefined,
          dtypes: undefined,
          state: 'waiting',
          createdNs: undefined,
          frames: [],
          source: timeout.source,
        };
  return {
    rank: member.rank,
    basis: 'log',
    lastEnqueued: counters?.lastEnqueued,
    lastCompleted: counters?.lastCompleted,
    oldestSeq: undefined,
    newestSeq: counters?.lastEnqueued ?? timeout?.seq,
    waitsIn,
    newest: waitsIn,
    source,
  };
}

function fromLogs(compared: Comparison, group: LoggedGroup, byLogs: LogRoots | undefined): GroupFact {
  const id = group.name;
  const known = group.isDefault ? compared.expected : undefined;
  const ranks = known ?? [...group.members.keys()].sort((a, b) => a - b);
  const states = [...group.members.values()].flatMap((member) => {
    const source = logSource(member);
    return source === undefined ? [] : [loggedState(member, source)];
  });
  return {
    id,
    name: group.name,
    desc: group.desc,
    ranks,
    membersKnown: known !== undefined,
    p2p: group.p2p,
    backend: undefined,
    members: states.sort((a, b) => a.rank - b.rank),
    withoutDump: ranks.filter((rank) => compared.withoutDump.includes(rank)),
    window: undefined,
    divergence: byLogs?.first.group === id ? byLogs.first : undefined,
  };
}
