/** Whether the task numbers of a launcher (Slurm, Open MPI, Composer) are ranks of the job. */
import type { PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import { eventsOf, inAttempt } from './events.ts';

interface TaskWord {
  readonly tasks: readonly number[];
  readonly host: string | undefined;
  readonly areRanks: boolean;
}

/**
 * By the launcher's own numbering, by the labels of lines, or because srun tells of several tasks of one host, none is beyond
 * the known world, and no Pod or agent numbers otherwise. False where no task is told.
 */
export function tasksAreRanks(events: readonly PlacedEvent[], attempt: number, rankMap: RankMapFact): boolean {
  const words = taskWords(events, attempt);
  if (words.length === 0) return false;
  if (words.every(({ areRanks }) => areRanks)) return true;
  if (rankMap.places.some((place) => place.basis.includes('launcher-prefix'))) return true;
  const top = Math.max(...words.flatMap(({ tasks }) => tasks));
  const hosts = new Map<string, Set<number>>();
  for (const { host, tasks } of words)
    if (host !== undefined) hosts.set(host, new Set([...(hosts.get(host) ?? []), ...tasks]));
  // One task a host starts a launcher there; several start the processes themselves.
  const several = [...hosts.values()].some((tasks) => tasks.size > 1);
  return several && rankMap.worldSize !== undefined && top < rankMap.worldSize && rankMap.nprocPerNode === undefined;
}

/** Number of the task in `task 26`, as Slurm tells of a memory kill. */
export const taskOf = (process: string): number | undefined => {
  const match = /^task (\d{1,7})$/.exec(process);
  return match === null ? undefined : Number(match[1]);
};

function taskWords(events: readonly PlacedEvent[], attempt: number): readonly TaskWord[] {
  const exits = inAttempt(eventsOf(events, 'task-exit'), attempt).map(
    ({ event: { body } }): TaskWord => ({
      tasks: body.tasks,
      host: body.host,
      areRanks: body.areRanks === true,
    }),
  );
  const kills = inAttempt(eventsOf(events, 'oom-kill'), attempt).flatMap(({ event }): TaskWord[] => {
    const task = taskOf(event.body.process);
    return task === undefined ? [] : [{ tasks: [task], host: event.host, areRanks: false }];
  });
  return [...exits, ...kills].filter(({ tasks }) => tasks.length > 0);
}
