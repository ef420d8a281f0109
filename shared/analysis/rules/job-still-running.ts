/**
 * The job was still going on when the bundle was taken.
 *
 *   phase: Running (all Pods)          step 1840 loss 2.31          (nobody reports a wait)
 */
import type { PlacedEvent } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { NS_PER_MS } from '../../model/time.ts';
import { cite, citeSource, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { speaksAgainstHealth } from './support/health.ts';
import { wallNs } from './support/order.ts';

/**
 * Without a step for this long, by the same clock, a job is not called healthy. Where its own steps are told, three times the longest pause between
 * two of them, for the next may hold a checkpoint; at least the time in which a bundle is collected, file after file. Else a time that
 * most steps and checkpoints stay under. Chosen, not measured.
 */
const QUIET_TIMES = 3;
const LEAST_QUIET_MS = 60_000;
const QUIET_TOO_LONG_MS = 120_000;
/** Fewer told steps show no rhythm. */
const FEWEST_STEPS = 3;

export default defineRule({
  id: 'job-still-running',
  title: 'The job was still making progress',
  needs: ['input', 'events', 'rankMap', 'lifeLines'],
  explain: `
A job that runs counts as healthy only on positive evidence: all its Pods run, every Pod's log is there, steps (or checkpoints that were completed) are the last thing that is told, no rank reports a wait, a lost peer or an error,
none has begun an operation that it did not end, and none wrote a dump because it made no step. Where a later moment is known on the same clock (another line, the node's lease), the last step must not be long before it, by the job's own steps where these are told.

How sure: at most *supported*: a job that has just begun to hang looks the same until its time limit. The answer says so.

 When it can be wrong: in the first minutes of a hang, and if a log was taken earlier than the others.`,
  remedy:
    'Take the logs again after some minutes and compare the last step. If it has not moved, collect Flight Recorder dumps and stacks before the time limit ends the job.',
  run: ({ input, events, rankMap, lifeLines }) => {
    const running = rankMap.pods.filter((place) => place.object?.phase === 'Running');
    const heard = new Set(events.flatMap((placed) => placed.pod ?? []));
    if (
      running.length === 0 ||
      running.length < rankMap.pods.length ||
      rankMap.pods.some((place) => !heard.has(place.pod))
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
    const lastStep = latest(steps);
    if (lastStep === undefined || quietMs(lastStep, events, input) > longestQuietMs(lastStep, steps)) return [];
    const object = running[0]?.object;
    return [
      draft({
        outcome: 'no-failure',
        status: 'supported',
        stage: 'unknown',
        cause: 'none',
        strength: 'direct',
        attempt,
        summary:
          'The job was running and made progress when the bundle was taken; nothing reports a failure or a wait.',
        because: [
          cite(lastStep, `Last progress in the logs: ${quote(lastStep.event.text, 100)}`),
          ...(object
            ? [citeSource(object.source, `${running.length} of ${rankMap.pods.length} Pods are running`)]
            : []),
        ],
        wouldChange: ['a later log: a job that hangs looks the same in its first minutes'],
        nextChecks: ['Take the logs again and compare the last step'],
      }),
    ];
  },
});

/** By stamp where there are stamps of one clock, else the last in the given order. */
function latest(steps: readonly PlacedEvent[]): PlacedEvent | undefined {
  return steps.reduce<PlacedEvent | undefined>((best, step) => {
    if (best === undefined) return step;
    const [a, b] = [wallNs(best), wallNs(step)];
    return a !== undefined && b !== undefined && best.clock === step.clock && a > b ? best : step;
  }, undefined);
}

/** How long a healthy job may be without a step, by the pauses between those that the same rank told of before. */
function longestQuietMs(last: PlacedEvent, steps: readonly PlacedEvent[]): number {
  const told = steps
    .filter((step) => step.rank === last.rank && step.pod === last.pod && step.clock === last.clock)
    .flatMap((step) => wallNs(step) ?? [])
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (told.length < FEWEST_STEPS) return QUIET_TOO_LONG_MS;
  const pauses = told.slice(1).map((ns, index) => Number((ns - (told[index] ?? ns)) / NS_PER_MS));
  return Math.max(LEAST_QUIET_MS, QUIET_TIMES * Math.max(...pauses));
}

/** How long after the step the last moment lies that is known on its clock, ms; 0 if none is known. */
function quietMs(step: PlacedEvent, events: readonly PlacedEvent[], input: IncidentInput): number {
  const at = wallNs(step);
  if (at === undefined || step.clock === undefined || step.event.stamp?.zoneAssumed === true) return 0;
  const lines = events
    .filter((placed) => placed.clock === step.clock && placed.event.stamp?.zoneAssumed === false)
    .flatMap((placed) => wallNs(placed) ?? []);
  const leases = input.leases.filter((lease) => lease.node === step.clock).flatMap((lease) => lease.renewTime ?? []);
  return [...lines, ...leases].reduce((most, ns) => Math.max(most, Number((ns - at) / NS_PER_MS)), 0);
}
