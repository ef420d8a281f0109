/** The stored view `ranks`: nodes that the control plane called lost, by its own clock, and when attempts of ranks were first heard of. */
import type { Facts } from '../../model/finding.ts';
import type { ViewSource } from '../index.ts';
import { type TimeWindow, timeWindow } from '../lanes/window.ts';
import type { AttemptStart, StoredRanks } from './types.ts';

/** Reasons of events on a Node. */
const LOST_REASONS: ReadonlySet<string> = new Set(['NodeNotReady', 'NodeStatusUnknown']);

/** Undefined if no node was lost and no rank was started again, or nothing of the case carries a time. */
export function buildRanks({ input, result }: ViewSource): StoredRanks | undefined {
  const window = timeWindow(input);
  if (window === undefined) return undefined;
  const first = new Map<string, StoredRanks['lost'][number]>();
  const see = (node: string, ns: bigint | undefined, entry: number, line: number | null): void => {
    const atNs = window.ofEpoch(ns);
    if (!(atNs >= 0 && atNs <= window.endNs)) return;
    const known = first.get(node);
    if (known === undefined || atNs < known.atNs || (atNs === known.atNs && entry < known.entry))
      first.set(node, { node, atNs, entry, line });
  };
  for (const { reason, object, first: began, last, created, source } of input.kubeEvents)
    if (object.kind === 'Node' && LOST_REASONS.has(reason))
      see(object.name, began ?? last ?? created, source.entry, source.kind === 'line' ? source.line : null);
  // The condition holds when the object was taken: a node that came back is not told by it.
  for (const node of input.nodes)
    for (const { type, status, at } of node.conditions)
      if (type === 'Ready' && status !== 'True')
        see(node.name, at, node.source.entry, node.source.kind === 'line' ? node.source.line : null);
  const starts = attemptStarts(result.facts, window);
  if (first.size === 0 && starts.length === 0) return undefined;
  const lost = [...first.values()].sort((a, b) => a.atNs - b.atNs || (a.node < b.node ? -1 : 1));
  return { version: 1, lost, ...(starts.length === 0 ? {} : { starts }) };
}

/** The first line of each attempt, as its clock wrote it; only of ranks with several attempts. */
function attemptStarts({ rankMap, events }: Facts, window: TimeWindow): AttemptStart[] {
  const attempts = new Map<number, Set<number>>();
  const clocks = new Map<string, string | undefined>();
  for (const { rank, attempt, node, pod } of rankMap.places) {
    clocks.set(`${rank}/${attempt}`, node ?? pod);
    const known = attempts.get(rank);
    if (known === undefined) attempts.set(rank, new Set([attempt]));
    else known.add(attempt);
  }
  const found = new Map<string, AttemptStart>();
  for (const { rank, attempt, event, clock } of events) {
    if (rank === undefined || (attempts.get(rank)?.size ?? 0) < 2) continue;
    const key = `${rank}/${attempt}`;
    // A launcher elsewhere tells of the rank on a clock of its own.
    if (clock === undefined || clock !== clocks.get(key)) continue;
    const rawNs = window.ofStamp(event.stamp);
    if (!(rawNs >= 0 && rawNs <= window.endNs)) continue;
    const known = found.get(key);
    if (known === undefined || rawNs < known.rawNs) found.set(key, { rank, attempt, rawNs });
  }
  return [...found.values()].sort((a, b) => a.rank - b.rank || a.attempt - b.attempt);
}
