/** Ranks that only felt the failure, and consequences that came before the supposed cause. */
import { rankSet } from '../../lib/rank-set.ts';
import type { Evidence, Facts, Finding } from '../../model/finding.ts';
import { NS_PER_MS } from '../../model/time.ts';
import { cite } from '../rules/support/draft.ts';
import { consequenceOf } from '../rules/support/events.ts';
import { wallNs } from '../rules/support/order.ts';

/** Ranks that timed out, lost a peer, wait in a call that others block, or were ended by their launcher. Sorted. */
export function symptomRanks(facts: Facts, attempt: number | undefined): number[] {
  const ranks = new Set<number>();
  for (const placed of facts.events) {
    if (placed.rank === undefined || (attempt !== undefined && placed.attempt !== attempt)) continue;
    if (consequenceOf(placed.event.body) !== undefined) ranks.add(placed.rank);
  }
  for (const life of facts.lifeLines)
    if (life.exit?.terminatedByAgent === true && (attempt === undefined || life.attempt === attempt))
      ranks.add(life.rank);
  for (const wait of facts.collectives.waits) ranks.add(wait.rank);
  return rankSet(ranks);
}

/** A consequence must be older than this to count against a cause on the same clock: printing a traceback takes a moment. Chosen, not measured. */
const EARLIER_BY_MS = 100;

/** Rules whose act must precede every consequence of it. */
const ACTS: ReadonlySet<string> = new Set(['rank-raised', 'cuda-failed-in-watchdog', 'nccl-cuda-failure']);

/**
 * Time-outs and closed connections of other ranks that were printed before the act that is said to have caused them, on the same clock:
 * then something else came first. At most two.
 */
export function earlierConsequences(finding: Finding, facts: Facts): Evidence[] {
  const { at } = finding;
  if (at === undefined || !ACTS.has(finding.rule)) return [];
  const earlier = facts.events.filter((placed) => {
    if (placed.clock !== at.clock || placed.attempt !== (finding.attempt ?? placed.attempt)) return false;
    if (placed.rank === undefined || finding.firstRanks.includes(placed.rank)) return false;
    const how = consequenceOf(placed.event.body);
    if (how !== 'timeout' && how !== 'closed') return false;
    const ns = wallNs(placed);
    return ns !== undefined && Number((at.rawNs - ns) / NS_PER_MS) > EARLIER_BY_MS;
  });
  return earlier
    .slice(0, 2)
    .map((placed) => cite(placed, `Rank ${placed.rank} reported a consequence before that, on the same clock`));
}
