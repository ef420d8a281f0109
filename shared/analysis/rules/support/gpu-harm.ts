/** What ties a fault of a GPU to the failure of the job: what became of the rank that ran on it. */
import { nameRanksAtStart } from '../../../lib/rank-set.ts';
import type { CollectivesFact, LifeLine, PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import type { Evidence } from '../../../model/finding.ts';
import { cite, citeSource, quote } from './draft.ts';
import { consequenceOf, eventsOf, isPrimaryClass } from './events.ts';
import { lateRanks } from './late-ranks.ts';
import { consequenceReports, lifeOf } from './ranks.ts';
import { tellerOf } from './teller.ts';

const GPU_CLASS: ReadonlySet<string> = new Set(['cuda-error', 'gpu-hardware']);

export interface HarmContext {
  readonly events: readonly PlacedEvent[];
  readonly rankMap: RankMapFact;
  readonly lifeLines: readonly LifeLine[];
  readonly collectives: CollectivesFact;
  readonly attempt: number;
}

/** What this rank suffered that a faulty GPU brings about: an error of GPU work, an end of its own, or that the others wait for it. At most two. */
export function gpuHarm(rank: number, { events, rankMap, lifeLines, collectives, attempt }: HarmContext): Evidence[] {
  const failed = events.filter((placed) => {
    const { body } = placed.event;
    if (placed.rank !== rank || placed.attempt !== attempt || consequenceOf(body) !== undefined) return false;
    if (body.kind === 'exception') return !body.handled && GPU_CLASS.has(body.class);
    if (body.kind === 'watchdog-terminated') return GPU_CLASS.has(body.errorClass);
    return body.kind === 'nccl-warning' && body.class === 'cuda';
  });
  if (failed.length > 0)
    return failed
      .slice(0, 2)
      .map((placed) => cite(placed, `Rank ${rank} failed in GPU work: ${quote(placed.event.text, 160)}`));
  const reports = consequenceReports(events, attempt);
  const exit = lifeOf(lifeLines, rank, attempt)?.exit;
  const endedByItself =
    exit?.by === 'agent' && !exit.terminatedByAgent && ((exit.code ?? 0) !== 0 || exit.signal !== undefined);
  if (endedByItself && !reports.has(rank) && otherFailure(rank, attempt, events) === undefined)
    return [
      citeSource(
        exit.source,
        `${tellerOf(exit)} that rank ${rank} ended by itself, and it reported no lost peer and no time-out`,
        rank,
      ),
    ];
  const late = lateRanks(events, attempt, rankMap, collectives);
  if (late.length !== 1 || late[0] !== rank) return [];
  const report = [...reports.values()][0]?.placed;
  return report === undefined ? [] : [cite(report, `${nameRanksAtStart([rank])} is the one that the others wait for`)];
}

/** An error of the rank's own that has nothing to do with its GPU. */
export function otherFailure(rank: number, attempt: number, events: readonly PlacedEvent[]): PlacedEvent | undefined {
  return eventsOf(events, 'exception').find(
    ({ rank: printer, attempt: other, event: { body } }) =>
      printer === rank &&
      other === attempt &&
      !body.handled &&
      isPrimaryClass(body.class) &&
      !GPU_CLASS.has(body.class),
  );
}
