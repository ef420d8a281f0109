/** The stored view `ranks`: nodes that the control plane called lost, by its own clock. */
import type { ViewSource } from '../index.ts';
import { timeWindow } from '../lanes/window.ts';
import type { StoredRanks } from './types.ts';

/** Reasons of events on a Node. */
const LOST_REASONS: ReadonlySet<string> = new Set(['NodeNotReady', 'NodeStatusUnknown']);

/** Undefined if no node was lost, or nothing of the case carries a time. */
export function buildRanks({ input }: ViewSource): StoredRanks | undefined {
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
  if (first.size === 0) return undefined;
  return { version: 1, lost: [...first.values()].sort((a, b) => a.atNs - b.atNs || (a.node < b.node ? -1 : 1)) };
}
