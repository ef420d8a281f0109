/**
 * Workers that a launcher saw end by a signal and that nothing joins to a rank: their number on the node is all that is told.
 *
 *   Sending process 4100 closing signal SIGTERM
 *   failed (exitcode: -9) local_rank: 3 (pid: 4103) of binary: /opt/venv/bin/python
 *
 * A local rank is the rank itself only on the first node. That the node is the only one is proven by the Pod specs, or where the launcher
 * tells of as many workers as the job has ranks.
 */
import type { LifeLine, PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import { consequenceOf, eventsOf, inAttempt, type PlacedOf } from './events.ts';

export interface UnplacedWorker {
  readonly placed: PlacedOf<'worker-failed'>;
  readonly signal: number;
  /** Global rank, where the node is the only one. */
  readonly rank: number | undefined;
}

/** Those that ended by one of `signals` which their launcher had not sent. `faults`: of these, what clean-up brings about as well. */
export function unplacedWorkers(
  events: readonly PlacedEvent[],
  attempt: number,
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
  faults: ReadonlySet<number>,
): readonly UnplacedWorker[] {
  return inAttempt(eventsOf(events, 'worker-failed'), attempt).flatMap((placed): UnplacedWorker[] => {
    const signal = -placed.event.body.exitCode;
    if (signal !== 9 && !faults.has(signal)) return [];
    if (wasToldToStop(placed, events) || isJoined(placed, lifeLines, rankMap) || isListed(placed, events)) return [];
    if (faults.has(signal) && hasWaiter(placed, events)) return [];
    const { localRank } = placed.event.body;
    const isOnly = rankMap.nnodes === 1 || rankMap.worldSize === workersOf(placed, events);
    return [{ placed, signal, rank: isOnly ? localRank : undefined }];
  });
}

const isBeside = (placed: PlacedEvent, other: PlacedEvent): boolean =>
  other.attempt === placed.attempt && other.event.source.entry === placed.event.source.entry;

function wasToldToStop(placed: PlacedOf<'worker-failed'>, events: readonly PlacedEvent[]): boolean {
  const { pid } = placed.event.body;
  return eventsOf(events, 'closing-signal').some((told) => isBeside(placed, told) && told.event.body.pid === pid);
}

/** True if this very line, or another word of the same launcher on that local rank, is the end of a rank. */
function isJoined(placed: PlacedOf<'worker-failed'>, lifeLines: readonly LifeLine[], rankMap: RankMapFact): boolean {
  const { source, body } = placed.event;
  return lifeLines.some(({ exit, rank, attempt }) => {
    if (exit === undefined || attempt !== placed.attempt) return false;
    if (exit.source === source) return true;
    const place = rankMap.places.find((one) => one.rank === rank && one.attempt === attempt);
    return exit.source.entry === source.entry && place?.localRank === body.localRank;
  });
}

/** The launcher's list names the global ranks, which have their own ends then. */
function isListed(placed: PlacedOf<'worker-failed'>, events: readonly PlacedEvent[]): boolean {
  const { pid, localRank } = placed.event.body;
  return eventsOf(events, 'failure-summary').some(
    (list) =>
      isBeside(placed, list) &&
      list.event.body.failures.some((failure) =>
        failure.pid === undefined || pid === undefined ? failure.localRank === localRank : failure.pid === pid,
      ),
  );
}

/** Somebody in the same file waited in vain or lost a peer: the fault may have come with the clean-up. */
const hasWaiter = (placed: PlacedEvent, events: readonly PlacedEvent[]): boolean =>
  events.some((other) => isBeside(placed, other) && consequenceOf(other.event.body) !== undefined);

/** How many workers the launcher tells of: those it told to stop and those that failed. */
function workersOf(placed: PlacedEvent, events: readonly PlacedEvent[]): number {
  const pids = new Set<number>();
  for (const told of eventsOf(events, 'closing-signal')) if (isBeside(placed, told)) pids.add(told.event.body.pid);
  for (const failed of eventsOf(events, 'worker-failed'))
    if (isBeside(placed, failed) && failed.event.body.pid !== undefined) pids.add(failed.event.body.pid);
  return pids.size;
}
