/** Who sends to whom in a collective over gloo, and which calls are seen at the end of a job. */
import { rankSet } from '../../../lib/rank-set.ts';
import type { CallView, CollectivesFact, PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import type { FlightRecorderDump } from '../../../model/flight-recorder.ts';
import { eventsOf, inAttempt } from './events.ts';
import { jobRanks } from './ranks.ts';

export function ringNeighbours(rank: number, rankMap: RankMapFact): number[] {
  const ranks = jobRanks(rankMap);
  const size = rankMap.worldSize ?? ranks.length;
  if (size < 2 || rank >= size) return [rank];
  return rankSet([rank, (rank + 1) % size, (rank + size - 1) % size]);
}

/** Calls in which every rank sends to every other, or to a root. */
export const NOT_A_RING = /all_?to_?all|(?<!reduce_)(?<![a-z])scatter|(?<!all_)(?<![a-z])gather(?!ed)/i;

/** Calls that pass a ring in gloo. */
export const RING = /all_?reduce|all_?gather|reduce_scatter|(?<![a-z_])reduce(?![a-z_])/i;

/** A rank raised out of a backward pass: data-parallel training, which reduces gradients around a ring. */
export function wasInBackward(attempt: number, events: readonly PlacedEvent[]): boolean {
  return inAttempt(eventsOf(events, 'exception'), attempt).some(({ event }) =>
    event.body.frames.some((frame) => frame.name === '_engine_run_backward'),
  );
}

/** The aborting rank is at most one call behind those whose dumps are there. */
const LAST_CALLS = 2;

/** The last calls of any dump, and those out of which a rank raised. */
export function callsAtTheEnd(
  attempt: number,
  events: readonly PlacedEvent[],
  dumps: readonly FlightRecorderDump[],
): readonly string[] {
  const recorded = dumps.flatMap(({ columns, strings }) =>
    Array.from(columns.op.subarray(-LAST_CALLS), (index) => strings[index] ?? ''),
  );
  const raised = inAttempt(eventsOf(events, 'exception'), attempt).flatMap(({ event }) =>
    event.body.frames.filter((frame) => /distributed_c10d/.test(frame.file)).map((frame) => frame.name),
  );
  return [...recorded, ...raised];
}

/**
 * The last call of both neighbours of a rank by their dumps, where these agree in all that they hold and the rank left none; undefined
 * else. gloo matches what it receives by the number of the collective, so whoever sent something of an unlike size ran another operation under
 * that number. If neither neighbour differs from the other, it is the one between them that does.
 */
export function callOfBothNeighbours(
  rank: number,
  ring: readonly number[],
  { groups, first, dumpsPresent }: CollectivesFact,
): CallView | undefined {
  const [group, another] = groups;
  const neighbours = ring.filter((one) => one !== rank);
  if (group === undefined || another !== undefined || neighbours.length < 2 || dumpsPresent.includes(rank))
    return undefined;
  // Unlike calls of any two dumps: then that tells more.
  if (group.divergence !== undefined && group.divergence.kind !== 'missing' && group.divergence.kind !== 'state')
    return undefined;
  if (first !== undefined && first.kind !== 'missing' && first.kind !== 'state') return undefined;
  const stands = neighbours.map((one) => group.members.find((member) => member.rank === one)?.newest);
  const [one, other] = stands;
  return one !== undefined && one.seq === other?.seq ? one : undefined;
}
