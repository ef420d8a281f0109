/**
 * The launcher itself was told to stop.
 *
 *   WARNING:torch.distributed.elastic.agent.server.api:Received 1 death signal, shutting down workers
 */
import { nameRanks, rankSet, without } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule, type Evidence } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, consequenceOf, eventsOf, inAttempt, isPrimaryClass, type PlacedOf } from './support/events.ts';
import { precedes } from './support/order.ts';
import { nodeOfPod } from './support/pods.ts';
import { consequenceReports, type RankReport, ranksOfPod, signalName } from './support/ranks.ts';
import { type Pause, pauseBefore } from './support/stood-still.ts';

export default defineRule({
  id: 'external-signal',
  title: 'The job was told to stop from outside',
  needs: ['events', 'rankMap'],
  explain: `
A launcher that receives a signal says which one and ends its workers. SIGHUP is a closed terminal, SIGINT a Ctrl-C, SIGTERM a scheduler, a drain or a deletion. If nothing had failed before, no rank is at fault.

Whether it reached the job as a whole or a part of it decides the outcome: if the launchers of **all** Pods (or the only launcher) got the signal, the cause lies outside the ranks (\`no-rank\`); if **some** Pods' launchers got it
while the others are seen to have lost their peers or reported failed workers, the ranks of those Pods are a group. If it is not told how another Pod ended, or whose launcher it was, that is open. A signal after an own failure of any rank, or after other Pods had already ended by themselves, is clean-up and does not fire; nor does one that reaches workers which had lost a peer before. A signal to every Pod that
comes after time-outs means that somebody stopped a job that already hung: then it is not the cause. The same if no rank had told of a step for a minute and for more than three times its longest pause before: time limits of collectives are mostly longer than the patience of people. Then nobody is named, and no-rank is not said either. An unusual pause of less than a minute may be a checkpoint as well: then the signal is still the cause, but only *supported*.

Slurm's word that it cancelled the job counts with its reason: a time limit or a preemption is from outside (*supported*), unless a rank had failed or waited before, or had stood still as above; a node failure is the node's.

How sure: *established* where the launchers of all Pods tell of the signal and nothing was wrong before; *supported* for a part of the job and for the scheduler's word; a *hypothesis* where it is open how other Pods ended. When it can be wrong: a job that already hung without a word and was stopped by somebody, where no rank told of its steps.`,
  remedy: `Find out who sent the signal: kubectl get events -n NS --sort-by=.lastTimestamp (Killing, Preempted, TaintManagerEviction), the operator's log, the API server's audit log (verb delete), sacct -j JOB --format=JobID,State,Reason,End, time limits (activeDeadlineSeconds), a closed terminal (then use tmux, nohup or a batch job).`,
  run: ({ events, rankMap }) => {
    const signals = eventsOf(events, 'agent-signal');
    return attemptsOf(signals)
      .flatMap((attempt) => signalled(inAttempt(signals, attempt), attempt, events, rankMap))
      .concat(cancelled(events, rankMap));
  },
});

function signalled(
  signals: readonly PlacedOf<'agent-signal'>[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft[] {
  const [first] = signals;
  if (first === undefined) return [];
  const reports = consequenceReports(events, attempt);
  const own = inAttempt(events, attempt).filter(
    (placed) => isOwnFailure(placed, reports, rankMap) && !signals.some((signal) => precedes(signal, placed)),
  );
  if (own.length > 0) return [];
  const reported = [...reports.values()];
  const waitedBefore = reported.find(
    (report) => report.how === 'timeout' && signals.some((signal) => precedes(report.placed, signal)),
  );
  // Where each launcher that was told to stop had workers that lost a peer before, somebody else ended first.
  const lostBefore = signals.every((signal) => reported.some((report) => precedes(report.placed, signal)));
  if (waitedBefore !== undefined || lostBefore) return [];
  const still = stoodStill(signals, attempt, events);
  const paused = still ?? longestPause(signals, attempt, events);
  const hit = [...new Set(signals.flatMap((signal) => signal.pod ?? []))].sort();
  const pods = [
    ...new Set([...rankMap.pods.map((place) => place.pod), ...rankMap.places.flatMap((place) => place.pod ?? [])]),
  ];
  const whole = pods.length <= 1 ? !hasOtherLauncher(signals, attempt, events) : hit.length >= pods.length;
  const name = signalName(first.event.body.signal);
  const because: Evidence[] = signals.slice(0, 4).map((signal) => cite(signal, quote(signal.event.text, 160)));
  const common = {
    stage: 'host' as const,
    cause: 'external-signal' as const,
    strength: 'direct' as const,
    attempt,
    at: momentOf(first),
    because,
  };
  if (whole) {
    return [
      draft({
        ...common,
        outcome: still === undefined ? 'no-rank' : 'cannot-tell',
        status: still !== undefined ? 'hypothesis' : paused === undefined ? 'established' : 'supported',
        symptomRanks: rankSet(reports.keys()),
        summary:
          still === undefined
            ? `The launcher received ${name} and ended its workers; nothing had failed before, so no rank is at fault.`
            : `The launcher received ${name}, but no step had been told for ${Math.round(still.ms / 1000)} s, far longer than ever before: somebody may have stopped a job that already hung, and why it hung is not shown.`,
        against:
          paused === undefined
            ? []
            : [
                cite(
                  paused.since,
                  `Last step that rank ${paused.since.rank} told of, ${Math.round(paused.ms / 1000)} s before the signal`,
                ),
              ],
        wouldChange: ['an error of a rank before the signal'],
        nextChecks: [
          first.event.body.signal === 1
            ? 'Whether the terminal or ssh session was closed'
            : 'Who stopped the job: scheduler, time limit, operator, a person',
          'Events and audit log of the namespace at that time',
        ],
      }),
    ];
  }
  return [partOfJob({ ...common, hit, pods, name, reports, events, rankMap })];
}

interface Part extends Pick<Draft, 'stage' | 'cause' | 'strength' | 'because'> {
  readonly attempt: number;
  readonly at: Draft['at'];
  /** Pods whose launchers got the signal, and all Pods of the job; both sorted. */
  readonly hit: readonly string[];
  readonly pods: readonly string[];
  readonly name: string;
  readonly reports: ReadonlyMap<number, RankReport>;
  readonly events: readonly PlacedEvent[];
  readonly rankMap: RankMapFact;
}

/** Some launchers got it. What the others went through must be known. */
function partOfJob({ hit, pods, name, reports, events, rankMap, ...common }: Part): Draft {
  const unheard = pods.filter((one) => !hit.includes(one) && !toldOfEnd(one, common.attempt, events));
  if (unheard.length > 0 || hit.length === 0)
    return draft({
      ...common,
      outcome: 'cannot-tell',
      status: 'hypothesis',
      symptomRanks: rankSet(reports.keys()),
      candidates: [
        { ranks: [], why: `the launcher of ${hit.join(', ') || 'an unknown Pod'} received ${name} from outside` },
      ],
      summary: `The launcher of ${hit.length === 0 ? 'a Pod or host that is not told' : hit.length === 1 ? `Pod ${hit[0]}` : `${hit.length} Pods`} received ${name}. How ${unheard.length === 0 ? 'the other launchers' : unheard.length === 1 ? `Pod ${unheard[0]}` : `${unheard.length} other Pods`} ended is not told, so whether the job as a whole was stopped or a part of it is open.`,
      wouldChange: [`the end of the log of ${unheard.slice(0, 3).join(', ') || 'every launcher'}`],
      nextChecks: ['Logs of all Pods to their end', 'Who stopped the job: scheduler, time limit, operator, a person'],
    });
  const [pod] = hit;
  const ranks = hit.flatMap((one) => ranksOfPod(rankMap, one));
  return draft({
    ...common,
    outcome: 'group',
    status: 'supported',
    firstRanks: [...new Set(ranks)].sort((a, b) => a - b),
    symptomRanks: without(reports.keys(), ranks),
    pod: hit.length === 1 ? pod : undefined,
    node: hit.length === 1 ? nodeOfPod(rankMap, pod) : undefined,
    summary: `${hit.length === 1 ? `Pod ${pod}` : `${hit.length} of ${pods.length} Pods`} received ${name} from outside and ended ${ranks.length > 0 ? nameRanks(ranks) : 'its workers'}; the others lost their peers.`,
    wouldChange: [
      'events of that Pod (eviction, preemption, drain), which tell who sent the signal',
      'an error of another rank before it',
    ],
    nextChecks: ['Events and status of that Pod: eviction, preemption, node drain', 'Who deleted or restarted it'],
  });
}

const LAUNCHERS_OWN: ReadonlySet<string> = new Set(['worker-failed', 'failure-summary', 'rendezvous-result']);

/** Without Pods, a launcher is known by its file: one that tells of its workers and of no signal ended in another way. */
function hasOtherLauncher(signals: readonly PlacedEvent[], attempt: number, events: readonly PlacedEvent[]): boolean {
  const told = new Set(signals.map(({ event }) => event.source.entry));
  return inAttempt(events, attempt).some(
    ({ event }) => LAUNCHERS_OWN.has(event.body.kind) && !told.has(event.source.entry),
  );
}

/** Somebody in that Pod lost a peer, waited, or was reported as failed: its launcher was not simply stopped. */
const toldOfEnd = (pod: string, attempt: number, events: readonly PlacedEvent[]): boolean =>
  inAttempt(events, attempt).some(
    (placed) =>
      placed.pod === pod &&
      (consequenceOf(placed.event.body) !== undefined || placed.event.body.kind === 'worker-failed'),
  );

/**
 * A pause that is unusual for the job may be a checkpoint or an evaluation, and after some seconds of it hardly anybody stops a job for that. From a minute
 * on that may be why it was stopped; a shorter one is told beside the signal, which then is not quite sure to be all. Chosen: the patience of people.
 */
const HUNG_MS = 60_000;

function stoodStill(
  signals: readonly PlacedEvent[],
  attempt: number,
  events: readonly PlacedEvent[],
): Pause | undefined {
  return longestPause(signals, attempt, events, HUNG_MS);
}

/** The longest unusual pause of any rank before the signal. */
function longestPause(
  signals: readonly PlacedEvent[],
  attempt: number,
  events: readonly PlacedEvent[],
  leastMs?: number,
): Pause | undefined {
  const ranks = rankSet(inAttempt(eventsOf(events, 'progress'), attempt).flatMap((placed) => placed.rank ?? []));
  return ranks
    .flatMap((rank) => signals.flatMap((signal) => pauseBefore(signal, events, rank, leastMs) ?? []))
    .sort((a, b) => b.ms - a.ms)[0];
}

/** A worker that lost a peer ended because of that, with whatever code; one that waited until the limit tells of a failure of unknown age. */
function isOwnFailure(placed: PlacedEvent, reports: ReadonlyMap<number, RankReport>, rankMap: RankMapFact): boolean {
  const { body } = placed.event;
  if (body.kind === 'exception') return !body.handled && isPrimaryClass(body.class);
  return (
    (body.kind === 'oom-kill' && (placed.rank !== undefined || placed.pod !== undefined)) ||
    body.kind === 'collective-mismatch' ||
    body.kind === 'gloo-size-mismatch' ||
    (body.kind === 'watchdog-terminated' && isPrimaryClass(body.errorClass)) ||
    (body.kind === 'worker-failed' && body.exitCode !== -15 && !lostPeer(placed, body.pid, reports, rankMap))
  );
}

/** The launcher tells of a process, not of a rank. */
function lostPeer(
  { rank, pod, attempt }: PlacedEvent,
  pid: number | undefined,
  reports: ReadonlyMap<number, RankReport>,
  { places }: RankMapFact,
): boolean {
  const whose =
    rank ??
    places.find(
      (place) => pid !== undefined && place.pod === pod && place.attempt === attempt && place.pids.includes(pid),
    )?.rank;
  const report = whose === undefined ? undefined : reports.get(whose);
  return report !== undefined && report.how !== 'timeout';
}

function cancelled(events: readonly PlacedEvent[], rankMap: RankMapFact): Draft[] {
  const [first] = eventsOf(events, 'scheduler-cancelled');
  if (first === undefined) return [];
  const reports = consequenceReports(events, first.attempt);
  const before = inAttempt(events, first.attempt).some(
    (placed) => isOwnFailure(placed, reports, rankMap) && !precedes(first, placed),
  );
  const waited = [...reports.values()].some(({ how, placed }) => how === 'timeout' && !precedes(first, placed));
  const reason = first.event.body.reason;
  const limit = /time limit/i.test(reason);
  const preempted = /preempt/i.test(reason);
  const nodeFailure = /node fail/i.test(reason);
  // A time limit ends a job that hangs as it ends one that trains.
  if ((!limit && !preempted && !nodeFailure) || (!nodeFailure && (before || waited))) return [];
  const still = nodeFailure ? undefined : stoodStill([first], first.attempt, events);
  return [
    draft({
      outcome: nodeFailure ? 'group' : still === undefined ? 'no-rank' : 'cannot-tell',
      status: still === undefined ? 'supported' : 'hypothesis',
      stage: 'host',
      cause: nodeFailure ? 'node-lost' : preempted ? 'preempted' : 'external-signal',
      strength: 'direct',
      node: nodeFailure ? first.event.body.host : undefined,
      attempt: first.attempt,
      at: momentOf(first),
      summary: `The scheduler ended the job: ${quote(reason, 100)}${still === undefined ? '' : `; no step had been told for ${Math.round(still.ms / 1000)} s, far longer than ever before, so it may have hung already`}.`,
      against:
        still === undefined ? [] : [cite(still.since, `Last step that rank ${still.since.rank} told of before that`)],
      because: [cite(first, quote(first.event.text, 160))],
      wouldChange: ['an error of a rank before that'],
      nextChecks: ['Time limit, priority and node state in the scheduler'],
    }),
  ];
}
