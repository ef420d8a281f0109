/** Whether what a node tells (kernel lines) falls into the time of the job, on that node's own clock. */
import type { PlacedEvent } from '../../../model/facts.ts';
import type { EpochNs } from '../../../model/time.ts';
import { wallNs } from './order.ts';

/** Kernel lines this long before the first or after the last line of the job still belong to it. Chosen, not measured. */
const MARGIN_NS = 60_000_000_000n;

const KERNEL: ReadonlySet<string> = new Set(['oom-kill', 'xid', 'link-event', 'kernel-note', 'host-state']);

interface Span {
  readonly from: EpochNs;
  readonly to: EpochNs;
}

const caches = new WeakMap<readonly PlacedEvent[], Map<string, Span>>();

function spansOf(events: readonly PlacedEvent[]): Map<string, Span> {
  const known = caches.get(events);
  if (known !== undefined) return known;
  const spans = new Map<string, Span>();
  for (const placed of events) {
    const ns = wallNs(placed);
    if (
      ns === undefined ||
      placed.clock === undefined ||
      KERNEL.has(placed.event.body.kind) ||
      placed.event.stamp?.zoneAssumed !== false
    )
      continue;
    const span = spans.get(placed.clock);
    if (span === undefined) spans.set(placed.clock, { from: ns, to: ns });
    else if (ns < span.from) spans.set(placed.clock, { ...span, from: ns });
    else if (ns > span.to) spans.set(placed.clock, { ...span, to: ns });
  }
  caches.set(events, spans);
  return spans;
}

/**
 * `during` or `outside` by stamps that carry their zone, on one clock; `unknown` where the line has no such stamp (seconds since boot) or
 * the job has none on that clock.
 */
export function timeInJob(placed: PlacedEvent, events: readonly PlacedEvent[]): 'during' | 'outside' | 'unknown' {
  const ns = wallNs(placed);
  const span = placed.clock === undefined ? undefined : spansOf(events).get(placed.clock);
  if (ns === undefined || span === undefined || placed.event.stamp?.zoneAssumed !== false) return 'unknown';
  return ns >= span.from - MARGIN_NS && ns <= span.to + MARGIN_NS ? 'during' : 'outside';
}
