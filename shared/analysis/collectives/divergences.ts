/** Divergences that follow from the wait graph: calls that members never joined, and calls that only one did not finish. */

import { formatRanks, nameRanks, nameRanksAtStart } from '../../lib/rank-set.ts';
import type { CallView, Divergence, WaitEdge } from '../../model/facts.ts';
import { callText, callView } from './calls.ts';
import type { GroupPositions, Position } from './positions.ts';
import type { SelfStuck } from './waits.ts';

/** The row as a call; undefined where only counters tell of it. */
export function openCall(where: GroupPositions, at: Position): CallView | undefined {
  const { open } = at;
  return open?.row === undefined ? undefined : callView(at.member.view, open.row, open.seq, where.endsOnly, open.seq);
}

export function newestCall(where: GroupPositions, at: Position): CallView | undefined {
  if (at.newestRow === undefined) return undefined;
  const { local } = at.member;
  const i = local?.rows.indexOf(at.newestRow) ?? -1;
  return callView(at.member.view, at.newestRow, local?.seqs[i] ?? -1, where.endsOnly, at.open?.seq);
}

const named = (call: CallView | undefined, seq: number): string =>
  call === undefined ? `call #${seq}` : `${callText(call)} #${seq}`;

/** What a group's oldest unfinished call lacks. `edges`: all of one group. Undefined if nobody is known to be behind. */
export function missingDivergence(where: GroupPositions, edges: readonly WaitEdge[]): Divergence | undefined {
  const own = edges.filter((edge) => edge.group === where.group.id);
  if (own.length === 0) return undefined;
  const seq = Math.min(...own.map((edge) => edge.seq));
  const at = own.filter((edge) => edge.seq === seq);
  const waiting = at.map((edge) => edge.rank).sort((a, b) => a - b);
  const ranks = [...new Set(at.flatMap((edge) => edge.for))].sort((a, b) => a - b);
  const p2p = p2pCall(where, at[0]);
  const first = waiting[0] === undefined ? undefined : where.byRank.get(waiting[0]);
  const waitsIn = p2p ?? (first === undefined ? undefined : openCall(where, first));
  const absent = ranks.filter((rank) => (where.byRank.get(rank)?.enqueued ?? 0) < seq);
  const deviantCalls = ranks.slice(0, 16).flatMap((rank) => {
    const position = where.byRank.get(rank);
    return position === undefined || p2p !== undefined ? [] : (newestCall(where, position) ?? []);
  });
  const actual = p2p !== undefined ? 'the other end of it is not there' : missingText(where, ranks, absent);
  return {
    group: where.group.id,
    seq,
    kind: absent.length === 0 && p2p === undefined ? 'state' : 'missing',
    ranks,
    sides: [],
    agreeing: waiting,
    expected: waitsIn === undefined ? `call #${seq}` : callText(waitsIn),
    actual,
    calls: [...distinct(deviantCalls), ...(waitsIn === undefined ? [] : [waitsIn])],
    basis: ranks.every((rank) => where.byRank.has(rank) || p2p !== undefined) ? 'dump' : 'log',
    why: `${nameRanksAtStart(waiting)} ${waiting.length === 1 ? 'waits' : 'wait'} in ${named(waitsIn, seq)}; ${nameRanks(ranks)}: ${actual}`,
  };
}

function missingText(where: GroupPositions, ranks: readonly number[], absent: readonly number[]): string {
  if (absent.length < ranks.length) return 'enqueued, but stuck in an earlier call';
  const newest = new Map<string, number[]>();
  for (const rank of ranks) {
    const position = where.byRank.get(rank);
    const call = position === undefined ? undefined : newestCall(where, position);
    const enqueued = position?.enqueued;
    const text =
      call !== undefined && call.seq === enqueued
        ? `${callText(call)} #${call.seq}`
        : enqueued === undefined
          ? 'unknown'
          : enqueued === 0
            ? 'none at all'
            : `#${enqueued}`;
    newest.set(text, [...(newest.get(text) ?? []), rank]);
  }
  const parts = [...newest].map(([text, of]) => (newest.size === 1 ? text : `${text} (${formatRanks(of)})`));
  return `never enqueued; the newest call there is ${parts.slice(0, 4).join(', ')}`;
}

/** The open point-to-point operation that an edge is about, if it is one. */
function p2pCall(where: GroupPositions, edge: WaitEdge | undefined): CallView | undefined {
  if (edge === undefined) return undefined;
  const member = where.group.members.find((one) => one.rank === edge.rank);
  if (member?.local === undefined || where.byRank.get(edge.rank)?.open?.seq === edge.seq) return undefined;
  const { p2pSeq } = member.view.dump.columns;
  const row = member.local.p2pRows.find((one) => p2pSeq[one] === edge.seq);
  return row === undefined ? undefined : callView(member.view, row, edge.seq, where.endsOnly, edge.seq);
}

/** The first of the calls that are alike in operation, sizes and place in the code. */
function distinct(calls: readonly CallView[]): CallView[] {
  const seen = new Set<string>();
  return calls.filter((call) => {
    const key = `${callText(call)}\n${call.state}\n${call.frames.map((frame) => `${frame.file}:${frame.line}`).join('\n')}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Calls that peers finished and these ranks did not: the oldest one of the group, or the one that most of them are stuck in. */
export function stateDivergence(where: GroupPositions, stuck: readonly SelfStuck[]): Divergence | undefined {
  // A rank is listed under the group of its oldest call; the same rank may lag in this group as well.
  const ranksHere = new Set(stuck.map((one) => one.rank));
  const lagging = where.positions.filter(
    (at) =>
      ranksHere.has(at.rank) &&
      at.open !== undefined &&
      where.positions.some((other) => (other.done ?? -1) >= (at.open?.seq ?? 0)),
  );
  if (lagging.length === 0 || where.endsOnly) return undefined;
  const seq = Math.min(...lagging.map((at) => at.open?.seq ?? Number.MAX_SAFE_INTEGER));
  const at = lagging.filter((one) => one.open?.seq === seq);
  const finished = where.positions.filter((one) => (one.done ?? -1) >= seq && !at.includes(one)).map((one) => one.rank);
  const ranks = at.map((one) => one.rank);
  const calls = at.flatMap((one) => openCall(where, one) ?? []);
  const [first] = calls;
  const counted = at.map((one) => one.done ?? 0);
  const behind =
    counted.length === 0
      ? ''
      : ` (completed #${Math.min(...counted)}, the others up to #${Math.max(...where.positions.map((one) => one.done ?? 0))})`;
  return {
    group: where.group.id,
    seq,
    kind: 'state',
    ranks,
    sides: [],
    agreeing: finished,
    expected: 'completed',
    actual: 'enqueued, not completed',
    calls: distinct(calls),
    basis: 'dump',
    why: `${nameRanksAtStart(finished)} completed ${named(first, seq)}; ${nameRanks(ranks)} enqueued it and did not${behind}`,
  };
}

/** The same divergence reduced to some of its ranks; the others are behind because they wait themselves. */
export function onlyFor(divergence: Divergence, roots: readonly number[]): Divergence {
  const kept = divergence.ranks.filter((rank) => roots.includes(rank));
  if (kept.length === divergence.ranks.length) return divergence;
  const rest = divergence.ranks.filter((rank) => !roots.includes(rank));
  return {
    ...divergence,
    ranks: kept,
    calls: [...divergence.calls.filter((call) => !rest.includes(call.rank))],
    why: `${divergence.why}; ${nameRanks(rest)} ${rest.length === 1 ? 'is' : 'are'} behind too, but ${rest.length === 1 ? 'waits' : 'wait'} elsewhere`,
  };
}

/** A ring of ranks that wait for each other: order of calls, nobody to name. */
export function cycleDivergence(
  groups: readonly GroupPositions[],
  edges: readonly WaitEdge[],
  cycle: readonly number[],
): Divergence | undefined {
  const inside = new Set(cycle);
  const own = edges.filter((edge) => inside.has(edge.rank) && edge.for.some((rank) => inside.has(rank)));
  const sides = new Map<string, { ranks: number[]; edge: WaitEdge }>();
  for (const edge of own) {
    const side = sides.get(`${edge.group}\n${edge.seq}`);
    if (side === undefined) sides.set(`${edge.group}\n${edge.seq}`, { ranks: [edge.rank], edge });
    else side.ranks.push(edge.rank);
  }
  const ordered = [...sides.values()].sort(
    (a, b) => b.ranks.length - a.ranks.length || (a.ranks[0] ?? 0) - (b.ranks[0] ?? 0),
  );
  const [first] = ordered;
  if (first === undefined) return undefined;
  const described = ordered.map((side) => {
    const where = groups.find((one) => one.group.id === side.edge.group);
    const at = where?.byRank.get(side.edge.rank);
    const call = where === undefined || at === undefined ? undefined : openCall(where, at);
    return { ranks: side.ranks, call, text: `${named(call, side.edge.seq)} of ${side.edge.group}` };
  });
  return {
    group: first.edge.group,
    seq: first.edge.seq,
    kind: 'order',
    ranks: [],
    sides: described.map((side) => side.ranks),
    expected: described[0]?.text ?? '',
    actual: described
      .slice(1)
      .map((side) => side.text)
      .join(' / '),
    agreeing: [],
    calls: described.flatMap((side) => side.call ?? []),
    basis: 'dump',
    why: `each waits for the other: ${described.map((side) => `${nameRanks(side.ranks)} in ${side.text}`).join('; ')}`,
  };
}
