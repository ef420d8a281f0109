/**
 * A worker ended by a signal that its launcher did not send.
 *
 *   failed (exitcode: -9) local_rank: 3 (pid: 4054) of binary: /opt/venv/bin/python
 *   exitcode  : -11 (pid: 57) (SIGSEGV)
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule, type Evidence } from '../../model/finding.ts';
import { cite, type Draft, draft, quote } from './support/draft.ts';
import { attemptsOf, consequenceOf, eventsOf, inAttempt } from './support/events.ts';
import { commonPlace, consequenceReports, exitSignal, signalName } from './support/ranks.ts';
import { endedByLauncher, type Stops, stopsOf } from './support/stops.ts';

const SIGABRT = 6;
const SIGKILL = 9;
const SIGTERM = 15;

export default defineRule({
  id: 'rank-killed',
  title: 'A worker was ended by a signal from outside',
  needs: ['events', 'rankMap', 'lifeLines'],
  explain: `
torchrun prints a negative exit code when a worker was ended by a signal. The launcher itself ends the remaining workers with SIGTERM (and SIGKILL for those that do not listen) as soon as one has
failed: those ends are consequences and are told apart by its own "Sending process … closing signal" lines. A process also aborts itself (SIGABRT) when its watchdog or a gloo size check says so:
explained, hence no cause here. What is left is a signal that came from somewhere else: the kernel (SIGKILL by the OOM killer, SIGBUS, SIGSEGV), a person, the runtime. The exit code proves *that* it was killed,
not *why*: SIGKILL alone is no proof of memory shortage. So the cause stays \`killed\` until a kernel line, an event or a Pod status says more.

A lone SIGTERM is accepted only if the launcher lists the signals it sent and this process is not among them. Several workers of a Pod killed by the same signal are one act and form a group.`,
  remedy: `
Look into the kernel log of the node around that second (\`dmesg -T\`, OOM lines carry the pid), the Pod's status and events, and memory graphs. For SIGSEGV or SIGBUS enable core dumps or
PYTHONFAULTHANDLER=1 and check /dev/shm.`,
  run: ({ events, rankMap, lifeLines }) => {
    const stops = stopsOf(events, rankMap);
    const killed = lifeLines.filter((life) => isKilled(life, events, stops));
    return [...new Set(killed.map((life) => life.attempt))]
      .sort((a, b) => a - b)
      .flatMap((attempt) =>
        killedIn(
          attempt,
          killed.filter((life) => life.attempt === attempt),
          events,
          rankMap,
        ),
      );
  },
});

function isKilled(life: LifeLine, events: readonly PlacedEvent[], stops: Stops): boolean {
  if (life.exit?.by !== 'agent') return false;
  const signal = exitSignal(life);
  if (signal === undefined || signal === 0 || endedByLauncher(life, signal, stops)) return false;
  if (signal === SIGABRT) return !hasReasonToAbort(life, events);
  if (signal === SIGTERM) return launcherListsItsSignals(life, events) || attemptsOf(events).length === 0;
  return true;
}

/** The process printed, or its launcher's Pod log holds, why it aborted itself: a watchdog, a size check, a CUDA or C++ error. */
function hasReasonToAbort(life: LifeLine, events: readonly PlacedEvent[]): boolean {
  return (
    inAttempt(events, life.attempt).some((placed) => {
      if (placed.rank !== life.rank) return false;
      const { body } = placed.event;
      return (
        body.kind === 'gloo-size-mismatch' ||
        body.kind === 'watchdog-terminated' ||
        body.kind === 'device-assert' ||
        consequenceOf(body) !== undefined
      );
    }) || inAttempt(eventsOf(events, 'gloo-size-mismatch'), life.attempt).some((placed) => placed.rank === undefined)
  );
}

function launcherListsItsSignals(life: LifeLine, events: readonly PlacedEvent[]): boolean {
  return inAttempt(eventsOf(events, 'closing-signal'), life.attempt).some(
    (placed) => life.exit !== undefined && placed.event.source.entry === life.exit.source.entry,
  );
}

function killedIn(
  attempt: number,
  lives: readonly LifeLine[],
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft[] {
  const groups = new Map<string, LifeLine[]>();
  for (const life of lives) {
    const key = `${exitSignal(life)} ${commonPlace(rankMap, [life.rank], attempt).pod ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), life]);
  }
  const symptoms = rankSet(consequenceReports(events, attempt).keys());
  return [...groups.values()].map((group) => killedDraft(group, attempt, symptoms, events, rankMap));
}

function killedDraft(
  group: readonly LifeLine[],
  attempt: number,
  symptoms: readonly number[],
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const ranks = rankSet(group.map((life) => life.rank));
  const signal = exitSignal(group[0]) ?? 0;
  const aborted =
    signal === SIGABRT
      ? inAttempt(eventsOf(events, 'native-terminate'), attempt).filter(
          (placed) => placed.rank !== undefined && ranks.includes(placed.rank),
        )
      : [];
  const { pod, node } = commonPlace(rankMap, ranks, attempt);
  const exit = group[0]?.exit;
  const at = exit?.at;
  return draft({
    outcome: ranks.length === 1 ? 'named' : 'group',
    status: signal === SIGTERM || signal === SIGABRT ? 'supported' : 'established',
    stage: 'exited-rank',
    cause: 'killed',
    strength: 'direct',
    firstRanks: ranks,
    symptomRanks: without(symptoms, ranks),
    pod,
    node,
    attempt,
    at: at !== undefined && node !== undefined && at.kind !== 'boot' ? { rawNs: at.ns, clock: node } : undefined,
    summary: `${nameRanksAtStart(ranks)} ${ranks.length === 1 ? 'was' : 'were'} ended by ${signalName(signal)} that the launcher did not send; who sent it is not proven.`,
    because: [
      ...group.slice(0, 4).flatMap((life): Evidence[] =>
        life.exit
          ? [
              {
                text: `The launcher reports rank ${life.rank} ended by ${signalName(signal)}`,
                source: life.exit.source,
                rank: life.rank,
                rawNs: life.exit.at?.ns,
                clock: undefined,
              },
            ]
          : [],
      ),
      ...aborted.slice(0, 1).map((placed) => cite(placed, `It aborted itself: ${quote(placed.event.body.what)}`)),
      ...group.slice(0, 2).flatMap((life): Evidence[] =>
        life.lastSeen
          ? [
              {
                text: `Last line of rank ${life.rank}, without any error: ${quote(life.lastSeen.text, 120)}`,
                source: life.lastSeen.source,
                rank: life.rank,
                rawNs: life.lastSeen.stamp?.ns,
                clock: undefined,
              },
            ]
          : [],
      ),
    ],
    wouldChange: [
      'the kernel log of the node: an OOM or segfault line for that process would give the reason',
      'an eviction or preemption in the Pod events',
    ],
    nextChecks: [
      signal === SIGKILL
        ? `Kernel log of ${node ?? 'the node'} for "Killed process" at that second`
        : `Kernel log of ${node ?? 'the node'} for a fault of that process`,
      `Memory use and limits of ${pod === undefined ? nameRanks(ranks) : `Pod ${pod}`}`,
      'Who or what had access to the node at that moment',
    ],
  });
}
