/**
 * Calls that no record of the rank holds: waits that only log lines tell, calls that a rank never enqueued while others waited for it, and the
 * span in which the first rank had stopped.
 */
import type { PlacedEvent } from '../../model/facts.ts';
import type { AnalysisResult } from '../../model/finding.ts';
import type { CallDraft } from './lane-calls.ts';
import type { StringTable } from './string-table.ts';
import { STATE } from './types.ts';
import type { TimeWindow } from './window.ts';

export interface Behind {
  readonly rank: number;
  readonly group: string;
  readonly seq: number;
  readonly op: string;
  /** First enqueue of the call among those that wait in it, raw, by the clock (index) that stamped it. Shared by all ranks behind. */
  readonly earliest: ReadonlyMap<number, bigint>;
}

interface WaitedCall {
  op: string;
  readonly earliest: Map<number, bigint>;
}

/**
 * Who never enqueued a call in which others wait, and waits in none itself: of a chain of waiting only its end. The lowest such call a rank.
 */
export function ranksBehind(
  { collectives }: Pick<AnalysisResult['facts'], 'collectives'>,
  clockOfRank: (rank: number) => number,
): Behind[] {
  const waiting = new Set(
    collectives.groups.flatMap((group) =>
      group.members.flatMap((one) => (one.waitsIn === undefined ? [] : [one.rank])),
    ),
  );
  const members = new Map(
    collectives.groups.map((group) => [group.id, new Map(group.members.map((one) => [one.rank, one]))]),
  );
  const calls = new Map<string, WaitedCall>();
  const found = new Map<number, Behind>();
  for (const edge of collectives.waits) {
    const known = members.get(edge.group);
    const waiter = known?.get(edge.rank)?.waitsIn;
    const key = JSON.stringify([edge.group, edge.seq]);
    const call = calls.get(key) ?? { op: '', earliest: new Map<number, bigint>() };
    calls.set(key, call);
    if (waiter?.seq === edge.seq) {
      call.op = waiter.op;
      const clock = clockOfRank(edge.rank);
      const before = call.earliest.get(clock);
      if (waiter.createdNs !== undefined && (before === undefined || waiter.createdNs < before))
        call.earliest.set(clock, waiter.createdNs);
    }
    for (const rank of edge.for) {
      const own = known?.get(rank)?.newestSeq;
      const before = found.get(rank);
      if (waiting.has(rank) || own === undefined || own >= edge.seq) continue;
      if (before !== undefined && (before.group !== edge.group || before.seq <= edge.seq)) continue;
      found.set(rank, { rank, group: edge.group, seq: edge.seq, op: '', earliest: call.earliest });
    }
  }
  return [...found.values()].map((one) => ({ ...one, op: calls.get(JSON.stringify([one.group, one.seq]))?.op ?? '' }));
}

export interface LoggedWait {
  readonly draft: Omit<CallDraft, 'record'>;
  readonly entry: number;
  readonly line: number;
}

/** What a watchdog or gloo says that it waited for, and how long: a call with a start and an end, from one line. */
export function loggedWait(
  placed: PlacedEvent,
  window: TimeWindow,
  strings: StringTable,
  groupIndex: (name: string | undefined) => number,
): LoggedWait | undefined {
  const { body, stamp, source } = placed.event;
  const endNs = window.ofStamp(stamp);
  if (Number.isNaN(endNs)) return undefined;
  const place = { entry: source.entry as number, line: source.kind === 'line' ? source.line : 0 };
  if (body.kind === 'collective-timeout' && body.ranMs !== undefined) {
    const group = groupIndex(body.group?.guid ?? body.group?.desc);
    const op = strings.of(body.op.toLowerCase());
    const draft = { startNs: endNs - body.ranMs * 1e6, endNs, state: STATE.waiting, group, seq: body.seq ?? -1, op };
    return { draft, ...place };
  }
  if (body.kind === 'gloo-timeout' && body.ms !== undefined) {
    const op = strings.of(body.direction === undefined ? 'gloo operation' : `gloo ${body.direction}`);
    return { draft: { startNs: endNs - body.ms * 1e6, endNs, state: STATE.waiting, group: -1, seq: -1, op }, ...place };
  }
  return undefined;
}

/** A call of a group. */
export const callName = (group: string, seq: number): string => `${seq}/${group}`;

/** Calls of deviating ranks: by rank, the names of the calls. */
export function deviatingCalls({ collectives }: AnalysisResult['facts']): ReadonlyMap<number, ReadonlySet<string>> {
  const all = [collectives.first, ...collectives.groups.map((group) => group.divergence)];
  const found = new Map<number, Set<string>>();
  for (const one of all) {
    if (one === undefined || one.kind === 'missing' || one.kind === 'state') continue;
    const ranks = one.ranks.length > 0 ? one.ranks : one.sides.flat();
    for (const rank of ranks) {
      const names = found.get(rank) ?? new Set<string>();
      found.set(rank, names.add(callName(one.group, one.seq)));
    }
  }
  return found;
}
