/** How many ranks the job had, and what says so. */
import type { LogEvent } from '../../model/events.ts';
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';
import { largestCommunicator } from './evidence.ts';
import type { JobSpec } from './job-spec.ts';
import { addTo, mostFrequent } from './order.ts';

export interface WorldSize {
  readonly size: number | undefined;
  readonly basis: string | undefined;
}

/**
 * What the ranks themselves say, then NCCL's largest communicator, then the default group in the dumps, then what the
 * Pods ask for. The last one can be more than what ran: a rendezvous may start with fewer nodes.
 */
export function worldSize(events: readonly LogEvent[], dumps: readonly FlightRecorderDump[], job: JobSpec): WorldSize {
  const announced = new Map<number, number>();
  for (const { body } of events)
    if (body.kind === 'rank-announced' && body.worldSize !== undefined) addTo(announced, body.worldSize);
  const most = mostFrequent(announced, (a, b) => b - a);
  if (most !== undefined)
    return { size: most.key, basis: `rank r of ${most.key} in ${most.count} ${most.count === 1 ? 'line' : 'lines'}` };
  const communicator = largestCommunicator(events);
  if (communicator !== undefined)
    return { size: communicator, basis: `the largest NCCL communicator has ${communicator} ranks` };
  const members = defaultGroup(dumps);
  if (members !== undefined) return { size: members, basis: `the default group in the dumps has ${members} members` };
  if (job.worldSize === undefined) return { size: undefined, basis: undefined };
  return { size: job.worldSize, basis: `Pod spec: ${job.nnodes ?? '?'} × ${job.nproc ?? '?'}` };
}

/** Members of the default process group, if the dumps agree on them. */
function defaultGroup(dumps: readonly FlightRecorderDump[]): number | undefined {
  const sizes = new Set<number>();
  for (const dump of dumps) {
    for (const group of dump.groups) {
      const isDefault = group.desc === 'default_pg' || (group.desc === '' && group.name === '0');
      if (isDefault && group.ranks.length > 0) sizes.add(group.ranks.length);
    }
  }
  return sizes.size === 1 ? [...sizes][0] : undefined;
}
