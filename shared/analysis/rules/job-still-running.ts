/**
 * The job was still going on when the bundle was taken.
 *
 *   phase: Running (all Pods)          step 1840 loss 2.31          (nobody reports a wait)
 */
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule, type Evidence } from '../../model/finding.ts';
import { cite, citeSource, type Draft, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { speaksAgainstHealth } from './support/health.ts';
import { podsHoldAllRanks } from './support/pods.ts';
import { type Progress, progressAtTaking } from './support/taken.ts';

export default defineRule({
  id: 'job-still-running',
  title: 'The job was still making progress',
  needs: ['input', 'events', 'rankMap', 'lifeLines'],
  explain: `
A job that runs counts as healthy only on positive evidence: all its Pods run, they hold all the ranks that lines, dumps and specs tell of (no Pod is missing), every Pod's log is there, steps (or checkpoints that were completed) are the last thing that is told, no rank reports a wait, a lost peer or an error,
none has begun an operation that it did not end, and none wrote a dump because it made no step.

That is not enough: the logs of a job that has just begun to hang look exactly so until its time limit. What tells the two apart is the moment at which the bundle was taken, on the clock that stamped the last step. Every other stamp only says "not taken before this";
the **lease of the node** bounds it, because the kubelet renews it every ten seconds and so it was read at most ten seconds after the time in it. If the last step of somebody is no further before that renewal than three times the longest pause between two of his own steps (or than
one renewal, where steps are quicker), and no more than a minute after it (then the logs were read later, at an unknown time), and nobody is seen to have stopped earlier, the job went on. If a later moment is known on the clock of anybody (a line, the lease, the node's heartbeat, an event of the kubelet) and he, who had told of at least three steps, told of none for longer than that, it may have stood still. If nothing tells when the bundle was taken, it cannot be said. Stamps must carry their zone.

How sure: at most *supported*, and only with such a lease; else the answer is that it cannot be told, with what to ask.

When it can be wrong: in the first seconds of a hang, and if leases and logs were taken at different times.`,
  remedy:
    'Take the logs again after some minutes and compare the last step. If it has not moved, collect Flight Recorder dumps and stacks before the time limit ends the job.',
  run: ({ input, events, rankMap, lifeLines }) => {
    const running = rankMap.pods.filter((place) => place.object?.phase === 'Running');
    const heard = new Set(events.flatMap((placed) => placed.pod ?? []));
    if (
      running.length === 0 ||
      running.length < rankMap.pods.length ||
      rankMap.pods.some((place) => !heard.has(place.pod)) ||
      !podsHoldAllRanks(rankMap, input)
    )
      return [];
    if (eventsOf(events, 'dump-written').length > 0 || events.some((placed) => speaksAgainstHealth(placed, lifeLines)))
      return [];
    if (lifeLines.some((life) => life.openOperations.length > 0 || life.finished !== undefined)) return [];
    const attempt = Math.max(...attemptsOf(events));
    const steps: readonly PlacedEvent[] = inAttempt(
      [...eventsOf(events, 'progress'), ...eventsOf(events, 'operation-end')],
      attempt,
    );
    const progress = progressAtTaking(steps, events, input);
    if (progress === undefined) return [];
    return [progress.how === 'went-on' ? wentOn(progress, rankMap, attempt) : mayStand(progress, rankMap)];
  },
});

function wentOn(progress: Progress, rankMap: RankMapFact, attempt: number): Draft {
  return draft({
    outcome: 'no-failure',
    status: 'supported',
    stage: 'unknown',
    cause: 'none',
    strength: 'direct',
    attempt,
    summary: 'The job was running and made progress when the bundle was taken; nothing reports a failure or a wait.',
    because: [...lastProgress(progress), ...podsRun(rankMap)],
    wouldChange: ['a later log: a job that hangs looks the same in its first seconds'],
    nextChecks: ['Take the logs again and compare the last step'],
  });
}

/** Nothing bad is told, and nothing shows that the job still moves: no rank is accused, and nothing is called healthy. */
function mayStand(progress: Progress, rankMap: RankMapFact): Draft {
  const { against, how, usualMs } = progress;
  const all = `${rankMap.pods.length === 1 ? 'The Pod was' : `All ${rankMap.pods.length} Pods were`} running and nothing reports a failure or a wait`;
  return draft({
    outcome: 'cannot-tell',
    status: 'not-determinable',
    stage: 'unknown',
    cause: 'none',
    strength: 'context',
    summary:
      how === 'stood' && against !== undefined
        ? `${all}, but the last progress was told ${seconds(against.ms)} before the latest moment that the bundle shows on that clock, and steps before were at most ${seconds(usualMs ?? 0)} apart: the job may stand still. Nothing shows which rank the others would wait for.`
        : `${all}, but nothing shows that the job still made progress when the bundle was taken: the last step that is told may be the last one it made.`,
    because: [...lastProgress(progress), ...podsRun(rankMap)],
    wouldChange: [
      'a later log of the same job: whether the last step has moved',
      'when the bundle was taken, by a clock of the nodes (kubectl get leases -n kube-node-lease -o yaml, taken with the logs)',
    ],
    nextChecks: [
      'Does it still make progress? Take the logs again with --timestamps, note the time of day, and compare the last step',
      'If the last step has not moved: stacks of all ranks (py-spy dump --native --pid PID) and Flight Recorder dumps, before the time limit ends the job',
    ],
  });
}

function lastProgress({ last, against }: Progress): Evidence[] {
  const said = cite(last, `Last progress in the logs: ${quote(last.event.text, 100)}`);
  if (against === undefined) return [said];
  const when = `${seconds(Math.abs(against.ms))} ${against.ms < 0 ? 'before' : 'after'} the last progress`;
  return [said, { ...against.moment, text: `The bundle was not taken before ${against.what}, ${when}` }];
}

function podsRun({ pods }: RankMapFact): Evidence[] {
  const object = pods.find((place) => place.object?.phase === 'Running')?.object;
  return object === undefined ? [] : [citeSource(object.source, `${pods.length} of ${pods.length} Pods are running`)];
}

/** `0.4 s`, `41 s` */
function seconds(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 1000)} s`;
}
