/**
 * Slurm's launcher, or another one, reports that a task was ended by a signal which nobody of the job sends.
 *
 *   srun: error: gpu-node-03: task 21: Segmentation fault (core dumped)
 *   srun: error: gpu-node-01: tasks 8-10: Terminated
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { consequenceReports } from './support/ranks.ts';
import { tasksAreRanks } from './support/tasks.ts';

type TaskExit = PlacedOf<'task-exit'>;
/** Ends that a process does not choose and that srun does not cause. */
const BY_FORCE = /^(?:Segmentation fault|Bus error|Illegal instruction|Floating point exception|Killed)/i;
/** srun ends the other tasks with these, and watchdogs end their own process by abort. */
const FOLLOWS = /^(?:Terminated|Aborted|Hangup|Interrupt)/i;

export default defineRule({
  id: 'scheduler-task-exit',
  title: 'A task was ended by a signal, by the word of the scheduler',
  needs: ['events', 'rankMap'],
  explain: `
srun sees each of its tasks end and says how. *Segmentation fault*, *Bus error*, *Illegal instruction* and *Floating point exception* cannot come from outside the process; *Killed* comes from the kernel or from a person, not from srun, which terminates. So a task with one of these, while all others only ended by *Terminated*, by *Aborted* (what a watchdog does) or
with an exit code, is where it began, and the reason of a kill stays unproven. The launchers of Open MPI, MPICH, Composer and DeepSpeed say the same of the first of their processes that ended badly. Composer gives its global rank; DeepSpeed prints the command of the process that it started last, whichever failed, so with several processes only the code is known.
A fault of a task that had reported the loss of a peer or a time-out before is left out: clean-up breaks like that.

A task is a rank only where the job starts one task per process: that is taken only if lines of the job carry task numbers as ranks (srun --label), or if srun tells of several tasks of one host, none beyond the known size of the job, and no launcher of several processes is seen. Else the host is all that is known. Of equal messages srun prints only the first by default: other tasks of that host may have ended alike.

How sure: *supported*. Exit codes (*Exited with exit code 1*) say that a program ended by itself, not why: they are a lead where nothing else is there. When it can be wrong: a killed task may be a victim of srun --kill-on-bad-exit with a short wait (it kills after it terminated); then another task ended before.`,
  remedy:
    'Read the task\'s own output at its end, the kernel log of that host (oom-kill, segfault, Xid), and "sacct -j JOB --format=JobID,State,ExitCode,MaxRSS".',
  run: ({ events, rankMap }) =>
    attemptsOf(eventsOf(events, 'task-exit')).flatMap((attempt) => {
      const exits = inAttempt(eventsOf(events, 'task-exit'), attempt);
      const areRanks = tasksAreRanks(events, attempt, rankMap);
      const reports = consequenceReports(events, attempt);
      const forced = exits.filter(
        ({ event: { body } }) => BY_FORCE.test(body.how ?? '') && !(areRanks && brokeInCleanUp(body, reports)),
      );
      const byCode = exits.filter(({ event: { body } }) => body.how === undefined && (body.exitCode ?? 0) > 0);
      const shown = forced.length > 0 ? forced : byCode;
      if (shown.length === 0) return [];
      const tasks = rankSet(shown.flatMap(({ event: { body } }) => body.tasks));
      const sure = forced.length > 0 && areRanks && tasks.length === 1;
      const host = shown[0]?.event.body.host;
      const oneHost = shown.every((one) => one.event.body.host === host) ? host : undefined;
      const isPlaced = areRanks || oneHost !== undefined;
      const others = exits.filter((one) => !shown.includes(one) && FOLLOWS.test(one.event.body.how ?? ''));
      const killed = forced.some(({ event: { body } }) => /^Killed/i.test(body.how ?? ''));
      return [
        draft({
          outcome: sure ? 'named' : forced.length > 0 && isPlaced ? 'group' : 'cannot-tell',
          status: forced.length > 0 && isPlaced ? 'supported' : 'hypothesis',
          stage: 'exited-rank',
          cause: forced.length > 0 ? 'killed' : 'none',
          strength: forced.length > 0 && isPlaced ? 'witness' : 'context',
          firstRanks: forced.length > 0 && areRanks ? tasks : [],
          candidates:
            forced.length === 0 && areRanks
              ? [{ ranks: tasks, why: 'ended by itself with an error code, by the word of the scheduler' }]
              : [],
          symptomRanks: without(reports.keys(), areRanks ? tasks : []),
          node: oneHost,
          attempt,
          at: momentOf(shown[0]),
          summary: `${whoEnded(tasks, areRanks)} ended ${forced.length > 0 ? `by force (${quote(shown[0]?.event.body.how ?? '', 40)})` : `with exit code ${shown[0]?.event.body.exitCode ?? '?'}`}${oneHost === undefined ? '' : ` on ${oneHost}`}, by the word of the scheduler${killed ? '; who killed it is not proven' : ''}.`,
          because: [
            ...shown.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 200))),
            ...others
              .slice(0, 1)
              .map((placed) => cite(placed, `Others only followed: ${quote(placed.event.text, 120)}`)),
          ],
          wouldChange: [
            `the output of ${areRanks ? nameRanks(tasks) : tasks.length === 0 ? 'the processes of that launcher' : 'that task'} at its end`,
            'a kernel line about an out-of-memory kill',
          ],
          nextChecks: [
            `Kernel log of ${host ?? 'that host'} for oom-kill, segfault and Xid lines`,
            'sacct -j JOB --format=JobID,State,ExitCode,MaxRSS',
          ],
        }),
      ];
    }),
});

/** What lost its peers or waited until its limit often breaks while it cleans up. */
const brokeInCleanUp = ({ how, tasks }: TaskExit['event']['body'], reports: ReadonlyMap<number, unknown>): boolean =>
  !/^Killed/i.test(how ?? '') && tasks.length > 0 && tasks.every((task) => reports.has(task));

function whoEnded(tasks: readonly number[], areRanks: boolean): string {
  if (tasks.length === 0) return 'A process of unknown rank';
  return areRanks ? nameRanksAtStart(tasks) : `Task ${tasks.join(', ')}`;
}
