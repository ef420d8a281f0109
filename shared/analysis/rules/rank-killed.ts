/**
 * A worker ended by a signal that its launcher did not send.
 *
 *   failed (exitcode: -9) local_rank: 3 (pid: 4054) of binary: /opt/venv/bin/python
 *   exitcode  : -11 (pid: 57) (SIGSEGV)
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule, type Evidence } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, momentOfStamp, quote } from './support/draft.ts';
import { attemptsOf, consequenceOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { noKillsCounted } from './support/host-readings.ts';
import { commonPlace, consequenceReports, eventsOfRank, exitSignal, ranksOfPod, signalName } from './support/ranks.ts';
import { endedByLauncher, type Stops, stopsOf } from './support/stops.ts';
import { tellerOf } from './support/teller.ts';
import { type UnplacedWorker, unplacedWorkers } from './support/unplaced-workers.ts';

const SIGABRT = 6;
const SIGKILL = 9;
const SIGBUS = 7;
const SIGTERM = 15;
/** SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV: the kernel sends them to a process for what it did itself. */
const FAULTS: ReadonlySet<number> = new Set([4, 5, 7, 8, 11]);

export default defineRule({
  id: 'rank-killed',
  title: 'A worker was ended by a signal from outside',
  needs: ['events', 'rankMap', 'lifeLines'],
  explain: `
torchrun prints a negative exit code when a worker was ended by a signal. The launcher itself ends the remaining workers with SIGTERM (and SIGKILL for those that do not listen) as soon as one has
failed: those ends are consequences and are told apart by its own "Sending process … closing signal" lines. A process that aborts itself (SIGABRT) says why; if that is its watchdog or a gloo size check it is
no cause here, and if its own output is not in the bundle the signal alone tells nothing. What is left is a signal that came from somewhere else: SIGKILL from the OOM killer, the runtime or a person, or a fault for which the kernel ends a process (SIGSEGV, SIGBUS, SIGILL, SIGFPE). The exit code proves *that* it ended so,
not *why*: SIGKILL alone is no proof of memory shortage. So the cause stays \`killed\` until a kernel line, an event, a Pod status or the counter of its cgroup says more; a counter of memory kills that stands at 0 (memory.events) speaks against the OOM killer, unless the container was started anew since.

A fault of a process that had lost a peer or waited until its limit is no cause: clean-up breaks like that. A lone SIGTERM is accepted only if the launcher lists the signals it sent, this process is not among them, and no other worker of that launcher had failed by itself. Several workers of a Pod killed by the same signal are one act and form a group. Exit code 137 of a container is not looked at: it is the launcher's end, not a worker's.

Where only the launcher's \`local_rank\` is told, the Pod is named, or the job's only node makes it the rank; else it is a lead: local rank 3 is rank 3 on the first node alone.

How sure: *established* for a signal that neither the launcher nor the process itself sends; *supported* for SIGTERM and SIGABRT. When it can be wrong: a signal that the launcher sent without saying so (older versions), or a kill that ended a process which had already failed and lost its last lines.`,
  remedy: `For SIGKILL: the kernel log of the node around that second (\`dmesg -T | grep -iE "killed process|oom"\`; the line carries the pid), then the Pod's status, its events, and \`kubectl exec POD -- cat /sys/fs/cgroup/memory.events\`; if none tells of memory, who had access to the node. For SIGSEGV or SIGBUS: the kernel log names the library (\`segfault at … in libnccl.so\`); run with PYTHONFAULTHANDLER=1 or core dumps, and check \`df -h /dev/shm\`.`,
  run: ({ events, rankMap, lifeLines }) => {
    const stops = stopsOf(events, rankMap);
    const killed = lifeLines.filter((life) => isKilled(life, events, lifeLines, stops));
    const placed = [...new Set(killed.map((life) => life.attempt))]
      .sort((a, b) => a - b)
      .flatMap((attempt) =>
        killedIn(
          attempt,
          killed.filter((life) => life.attempt === attempt),
          events,
          rankMap,
        ),
      );
    const unplaced = attemptsOf(eventsOf(events, 'worker-failed')).flatMap((attempt) =>
      unplacedWorkers(events, attempt, rankMap, lifeLines, FAULTS).map((worker) =>
        unplacedDraft(worker, attempt, events, rankMap),
      ),
    );
    return [...placed, ...unplaced];
  },
});

function isKilled(
  life: LifeLine,
  events: readonly PlacedEvent[],
  lifeLines: readonly LifeLine[],
  stops: Stops,
): boolean {
  if (life.exit?.by !== 'agent') return false;
  const signal = exitSignal(life);
  if (signal === undefined || signal === 0 || endedByLauncher(life, signal, stops)) return false;
  if (signal === SIGABRT) return ownAbort(life, events) !== undefined;
  // What lost its peers or waited until the limit often breaks in its clean-up.
  if (FAULTS.has(signal) && consequenceReports(events, life.attempt).has(life.rank)) return false;
  if (signal === SIGTERM) return launcherListsItsSignals(life, events) && failedFirstOfItsAgent(life, lifeLines);
  return true;
}

/** C++ errors that pass on what happened elsewhere. */
const ECHO = /c10::Dist|DistBackendError|DistNetworkError|gloo::|NCCL|Watchdog|TCPStore/;

/** What a process said when it aborted itself, if that is not about the others. A silent abort has its reason in output that is not here. */
function ownAbort(life: LifeLine, events: readonly PlacedEvent[]): PlacedOf<'native-terminate'> | undefined {
  const own = inAttempt(eventsOfRank(events, life.rank), life.attempt);
  if (
    own.some(
      (placed) =>
        placed.event.body.kind === 'gloo-size-mismatch' ||
        placed.event.body.kind === 'watchdog-terminated' ||
        placed.event.body.kind === 'device-assert' ||
        consequenceOf(placed.event.body) !== undefined,
    )
  )
    return undefined;
  return eventsOf(events, 'native-terminate').find(
    (placed) => placed.rank === life.rank && placed.attempt === life.attempt && !ECHO.test(placed.event.body.what),
  );
}

function launcherListsItsSignals(life: LifeLine, events: readonly PlacedEvent[]): boolean {
  return inAttempt(eventsOf(events, 'closing-signal'), life.attempt).some(
    (placed) => life.exit !== undefined && placed.event.source.entry === life.exit.source.entry,
  );
}

/** No other worker that the same launcher tells of ended by anything but its SIGTERM: then this one was the reason for it. */
function failedFirstOfItsAgent(life: LifeLine, lifeLines: readonly LifeLine[]): boolean {
  return !lifeLines.some((other) => {
    if (other === life || other.attempt !== life.attempt || other.exit?.by !== 'agent') return false;
    if (other.exit.source.entry !== life.exit?.source.entry || other.exit.terminatedByAgent) return false;
    const signal = exitSignal(other);
    return signal === undefined ? (other.exit.code ?? 0) !== 0 : signal !== SIGTERM;
  });
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
  const noKills = signal === SIGKILL ? noKillsCounted(events, pod) : undefined;
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
    at: at !== undefined && node !== undefined && at.kind !== 'boot' ? momentOfStamp(at, node) : undefined,
    summary: `${nameRanksAtStart(ranks)} ${ranks.length === 1 ? 'was' : 'were'} ended by ${signalName(signal)} that the launcher did not send; ${FAULTS.has(signal) ? 'what brought it about is not shown' : 'who sent it is not proven'}.`,
    because: [
      ...group.slice(0, 4).flatMap((life): Evidence[] =>
        life.exit
          ? [
              {
                text: `${tellerOf(life.exit)} rank ${life.rank} ended by ${signalName(signal)}`,
                source: life.exit.source,
                rank: life.rank,
                rawNs: life.exit.at?.ns,
                clock: undefined,
              },
            ]
          : [],
      ),
      ...(noKills === undefined
        ? []
        : [
            cite(
              noKills,
              `Pod ${pod} counts no memory kill (${noKills.event.body.text}): if its container was not started anew since, it was not the OOM killer`,
            ),
          ]),
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
    nextChecks: checks(signal, node ?? 'the node', pod === undefined ? nameRanks(ranks) : `Pod ${pod}`),
  });
}

/** By the launcher's own number alone. */
function unplacedDraft(
  { placed, signal, rank }: UnplacedWorker,
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const { localRank, pid } = placed.event.body;
  const { pod, node } = placed;
  const ranks = rank !== undefined ? [rank] : pod === undefined ? [] : ranksOfPod(rankMap, pod);
  const isPlaced = ranks.length > 0 || pod !== undefined;
  const who = `local rank ${localRank}${pid === undefined ? '' : ` (pid ${pid})`}`;
  const first = `its rank is ${localRank} only if its node is the first one`;
  return draft({
    outcome: rank !== undefined ? 'named' : isPlaced ? 'group' : 'cannot-tell',
    status: isPlaced ? 'supported' : 'hypothesis',
    stage: 'exited-rank',
    cause: 'killed',
    strength: isPlaced ? 'direct' : 'context',
    firstRanks: ranks,
    candidates: isPlaced ? [] : [{ ranks: [localRank], why: `${who} was ended by ${signalName(signal)}; ${first}` }],
    symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
    pod,
    node,
    attempt,
    at: momentOf(placed),
    summary: `${rank === undefined ? `A worker, ${who}${pod === undefined ? '' : ` of Pod ${pod}`},` : nameRanksAtStart([rank])} was ended by ${signalName(signal)} that the launcher did not send; ${FAULTS.has(signal) ? 'what brought it about is not shown' : 'who sent it is not proven'}${rank === undefined && pod === undefined ? `, and ${first}` : ''}.`,
    because: [
      cite(placed, `The launcher reports ${who} ended by ${signalName(signal)}: ${quote(placed.event.text, 160)}`),
    ],
    wouldChange: [
      ...(rank === undefined ? ["the launcher's list of failures, or a line that joins the pid to a rank"] : []),
      'the kernel log of the node: an OOM or segfault line for that process would give the reason',
    ],
    nextChecks: checks(signal, node ?? 'the node', pod === undefined ? who : `Pod ${pod}`),
  });
}

function checks(signal: number, node: string, who: string): string[] {
  if (FAULTS.has(signal))
    return [
      `Kernel log of ${node} for a fault of that process at that second: it names the library`,
      'The same run with PYTHONFAULTHANDLER=1, and with core dumps',
      ...(signal === SIGBUS ? [`df -h /dev/shm in ${who}, and the storage of memory-mapped files`] : []),
    ];
  return [
    signal === SIGKILL
      ? `Kernel log of ${node} for "Killed process" at that second`
      : `Kernel log of ${node} for a fault of that process`,
    `Memory use and limits of ${who}${signal === SIGKILL ? ' (memory.events: oom_kill)' : ''}`,
    'Who or what had access to the node at that moment',
  ];
}
