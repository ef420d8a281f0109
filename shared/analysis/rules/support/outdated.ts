/** Whether what dumps show was over before the job ended: a recorder is also written in a slow moment that passes. */
import { rankSet } from '../../../lib/rank-set.ts';
import type { CollectivesFact, PlacedEvent } from '../../../model/facts.ts';
import { eventsOf } from './events.ts';
import { msBetween, precedes } from './order.ts';
import { eventsOfRank } from './ranks.ts';

/** Steps told over this long, ms, after a dump: output that is flushed as the process ends comes at one moment. Chosen, not measured. */
const SPREAD_MS = 500;

/**
 * A line that shows that ranks went on after the dumps were written: the last step, or the good end, of a rank that waits in a dump or is waited for.
 * Undefined where no rank tells when it wrote its dump, or none is seen to go on.
 */
export function wentOnAfterDump(
  events: readonly PlacedEvent[],
  { waits, roots }: Pick<CollectivesFact, 'waits' | 'roots'>,
  attempt: number,
): PlacedEvent | undefined {
  const written = eventsOf(events, 'dump-written').filter((placed) => placed.attempt === attempt);
  const concerned = rankSet([...waits.map((wait) => wait.rank), ...roots.map((root) => root.rank)]);
  for (const rank of concerned) {
    const own = eventsOfRank(events, rank).filter((placed) => placed.attempt === attempt);
    const dump = written.filter((placed) => placed.rank === rank).reduce<PlacedEvent | undefined>(later, undefined);
    if (dump === undefined) continue;
    const after = own.filter((placed) => precedes(dump, placed));
    const finished = after.find((placed) => placed.event.body.kind === 'finished');
    if (finished !== undefined) return finished;
    const steps = after.filter((placed) => placed.event.body.kind === 'progress');
    const last = steps.reduce<PlacedEvent | undefined>(later, undefined);
    if (last !== undefined && steps.some((step) => (msBetween(step, last) ?? 0) >= SPREAD_MS)) return last;
  }
  return wentOnUnsigned(events, written, attempt);
}

/**
 * The same where lines carry no rank: steps of a Pod after the last dump that is told of there. Whose they are is not known, and need not be:
 * a rank that makes steps is not held up by anybody.
 */
function wentOnUnsigned(
  events: readonly PlacedEvent[],
  written: readonly PlacedEvent[],
  attempt: number,
): PlacedEvent | undefined {
  const unsigned = written.filter((placed) => placed.rank === undefined && placed.pod !== undefined);
  for (const pod of new Set(unsigned.map((placed) => placed.pod))) {
    const dump = unsigned.filter((placed) => placed.pod === pod).reduce<PlacedEvent | undefined>(later, undefined);
    const steps = eventsOf(events, 'progress').filter(
      (placed) => placed.pod === pod && placed.attempt === attempt && dump !== undefined && precedes(dump, placed),
    );
    const last = steps.reduce<PlacedEvent | undefined>(later, undefined);
    if (last !== undefined && steps.some((step) => (msBetween(step, last) ?? 0) >= SPREAD_MS)) return last;
  }
  return undefined;
}

const later = (best: PlacedEvent | undefined, placed: PlacedEvent): PlacedEvent =>
  best === undefined || precedes(best, placed) ? placed : best;
