/**
 * How processes ended, as their agent tells it.
 *
 *   Sending process 5231 closing signal SIGTERM         told to stop: a consequence, if it ends by that signal
 *   failed (exitcode: -9) local_rank: 0 (pid: 5228)     the first failure that the agent saw on its node
 *   rank : 2 (local_rank: 2)  exitcode : -15 (pid: 5231)
 *
 * The list at the end names every worker of the agent that did not end with success, and whoever still ran then was told to stop before. So a
 * worker that is in neither had ended by itself, with code 0.
 *
 * A process that was told to stop and still ended with an exit code of its own (`exitcode : 1`) ended by its own
 * exception; it is not counted as ended by the agent.
 */
import type { WorkerFailure } from '../../model/events.ts';
import type { ExitFact, PlacedEvent, PodPlace, RankPlace } from '../../model/facts.ts';
import type { Stamp } from '../../model/time.ts';

const SIGNALS = new Map<string, number>([
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGQUIT', 3],
  ['SIGILL', 4],
  ['SIGTRAP', 5],
  ['SIGABRT', 6],
  ['SIGBUS', 7],
  ['SIGFPE', 8],
  ['SIGKILL', 9],
  ['SIGUSR1', 10],
  ['SIGSEGV', 11],
  ['SIGUSR2', 12],
  ['SIGPIPE', 13],
  ['SIGALRM', 14],
  ['SIGTERM', 15],
]);
const signalName = (signal: number): string =>
  [...SIGNALS].find(([, number]) => number === signal)?.[0] ?? `signal ${signal}`;

/** What one agent (a Pod, or a file where no Pod is known) said in one attempt. */
interface AgentWord {
  readonly failed: PlacedEvent[];
  readonly summaries: PlacedEvent[];
  /** By process id. */
  readonly closing: Map<number, { readonly event: PlacedEvent; readonly signal: number }>;
  /** Processes that were killed because they did not stop. */
  readonly forced: Set<number>;
}

const agentKey = (event: PlacedEvent): string => `${event.pod ?? `#${event.event.source.entry}`}@${event.attempt}`;

export class AgentExits {
  private readonly agents = new Map<string, AgentWord>();
  /** Process ids that the ranks of an agent are known by. */
  private readonly pids = new Map<string, Set<number>>();

  constructor(events: readonly PlacedEvent[], places: readonly RankPlace[]) {
    for (const event of events) this.hear(event);
    for (const place of places) {
      for (const key of keysOf(place)) {
        const known = this.pids.get(key) ?? new Set();
        this.pids.set(key, known);
        for (const pid of place.pids) known.add(pid);
      }
    }
  }

  private hear(event: PlacedEvent): void {
    const { body } = event.event;
    switch (body.kind) {
      case 'worker-failed':
        this.agent(event).failed.push(event);
        return;
      case 'failure-summary':
        this.agent(event).summaries.push(event);
        return;
      case 'closing-signal': {
        const { closing } = this.agent(event);
        if (!closing.has(body.pid)) closing.set(body.pid, { event, signal: SIGNALS.get(body.signal) ?? 15 });
        return;
      }
      case 'shutdown-stuck':
        this.agent(event).forced.add(body.pid);
        return;
      default:
    }
  }

  private agent(event: PlacedEvent): AgentWord {
    const key = agentKey(event);
    const found = this.agents.get(key);
    if (found !== undefined) return found;
    const made: AgentWord = { failed: [], summaries: [], closing: new Map(), forced: new Set() };
    this.agents.set(key, made);
    return made;
  }

  /** Undefined if no agent says anything of this rank's end. */
  exitOf(place: RankPlace): ExitFact | undefined {
    for (const key of keysOf(place)) {
      const word = this.agents.get(key);
      const exit = word && (exitIn(word, place, this.pids.get(key)) ?? closedIn(word, place) ?? successIn(word, place));
      if (exit !== undefined) return exit;
    }
    return place.pod === undefined ? this.bySummary(place) : undefined;
  }

  /** Summaries name global ranks, so they reach ranks whose Pod is not known. */
  private bySummary(place: RankPlace): ExitFact | undefined {
    for (const [key, word] of this.agents) {
      if (!key.endsWith(`@${place.attempt}`)) continue;
      const exit = exitIn({ ...word, failed: [] }, place, undefined);
      if (exit !== undefined) return exit;
    }
    return undefined;
  }
}

/** Agents that may speak of a rank: its Pod's, and those whose words stand in the rank's own files. */
const keysOf = ({ pod, attempt, entries }: RankPlace): readonly string[] => [
  ...(pod === undefined ? [] : [`${pod}@${attempt}`]),
  ...entries.map((entry) => `#${entry}@${attempt}`),
];

function exitIn(word: AgentWord, place: RankPlace, pids: ReadonlySet<number> | undefined): ExitFact | undefined {
  const summary = word.summaries.flatMap((event) =>
    failuresOf(event)
      .filter((failure) => failure.rank === place.rank)
      .map((failure) => ({ event, failure })),
  )[0];
  const failed = word.failed.find(
    ({ event: { body } }) => body.kind === 'worker-failed' && isOf(place, body.localRank, body.pid, pids),
  );
  const body = failed?.event.body;
  const exitCode = summary?.failure.exitCode ?? (body?.kind === 'worker-failed' ? body.exitCode : undefined);
  const source = failed?.event.source ?? summary?.event.event.source;
  if (exitCode === undefined || source === undefined) return undefined;
  const pid = summary?.failure.pid ?? (body?.kind === 'worker-failed' ? body.pid : undefined);
  return makeExit(exitCode, {
    pid,
    word,
    at: failed?.event.stamp ?? summary?.failure.time,
    // A summary's own time was written by the same agent, or by a worker beside it: one node, one clock.
    clock: clockOf(failed ?? summary?.event),
    message: summary?.failure.message,
    source,
  });
}

const failuresOf = ({ event: { body } }: PlacedEvent): readonly WorkerFailure[] =>
  body.kind === 'failure-summary' ? body.failures : [];

/**
 * By process id where a rank of the agent is known by it; else by local rank: a wrapper in front of the worker has a
 * process id of its own.
 */
function isOf(
  place: RankPlace,
  localRank: number,
  pid: number | undefined,
  pids: ReadonlySet<number> | undefined,
): boolean {
  if (pid !== undefined && pids?.has(pid) === true) return place.pids.includes(pid);
  return place.localRank === localRank;
}

/** The box of a summary carries no stamp of its own, so no clock: its node's. */
const clockOf = (event: PlacedEvent | undefined): string | undefined => event?.clock ?? event?.node ?? event?.pod;

interface ExitParts {
  readonly pid: number | undefined;
  readonly word: AgentWord;
  readonly at: Stamp | undefined;
  readonly clock: string | undefined;
  readonly message: string | undefined;
  readonly source: ExitFact['source'];
}

/** torchrun fills the place of a missing error file with a hint or with the signal again: neither says why the process ended. */
function tellingMessage(message: string | undefined): string | undefined {
  if (message === undefined || /^(?:To enable traceback see|Signal \d+ \(\w+\) received by PID)/.test(message))
    return undefined;
  return message;
}

function makeExit(exitCode: number, { pid, word, at, clock, message, source }: ExitParts): ExitFact {
  const signal = exitCode < 0 ? -exitCode : undefined;
  const told = pid === undefined ? undefined : word.closing.get(pid);
  const forced = pid !== undefined && word.forced.has(pid);
  return {
    code: exitCode < 0 ? undefined : exitCode,
    signal,
    reason: tellingMessage(message) ?? (signal === undefined ? undefined : signalName(signal)),
    at,
    clock,
    by: 'agent',
    terminatedByAgent:
      signal !== undefined && told !== undefined && (signal === told.signal || (forced && signal === 9)),
    source,
  };
}

/** Told to stop, and nothing else is known of its end. */
function closedIn(word: AgentWord, place: RankPlace): ExitFact | undefined {
  for (const pid of place.pids) {
    const told = word.closing.get(pid);
    if (told === undefined) continue;
    const { event, signal } = told;
    return {
      code: undefined,
      signal,
      reason: signalName(signal),
      at: event.event.stamp,
      clock: clockOf(event),
      by: 'agent',
      terminatedByAgent: true,
      source: event.event.source,
    };
  }
  return undefined;
}

/**
 * Not among all that failed, and not told to stop: it was over before, without an error. Only from a list that names process
 * ids, and only for a rank whose own is known.
 */
function successIn(word: AgentWord, place: RankPlace): ExitFact | undefined {
  if (place.pids.length === 0 || word.failed.length === 0) return undefined;
  if (place.pids.some((pid) => word.closing.has(pid) || word.forced.has(pid))) return undefined;
  const list = word.summaries.find((event) => failuresOf(event).some((failure) => failure.pid !== undefined));
  if (list === undefined) return undefined;
  const failures = failuresOf(list);
  if (failures.some(({ rank, pid }) => rank === place.rank || (pid !== undefined && place.pids.includes(pid))))
    return undefined;
  return {
    code: 0,
    signal: undefined,
    reason: undefined,
    at: undefined,
    clock: undefined,
    by: 'agent',
    terminatedByAgent: false,
    source: list.event.source,
  };
}

/**
 * The end of a rank's container. It is the end of process 1 only: with an agent in front it tells little about the
 * worker, and is given only where the agent said nothing.
 */
export function containerExit(pod: PodPlace | undefined, attempt: number): ExitFact | undefined {
  const { object } = pod ?? {};
  if (pod === undefined || object === undefined) return undefined;
  const state =
    object.containers.find(({ name }) => name === object.trainingContainer) ??
    object.containers.find(({ init, name }) => !init && name !== '');
  const isCurrent = pod.containerAttempts?.current === attempt;
  const end = isCurrent
    ? state?.terminated
    : pod.containerAttempts?.previous === attempt
      ? state?.lastTerminated
      : undefined;
  if (end === undefined) return undefined;
  const { exitCode, finishedAt } = end;
  // Shells and runtimes write 128 + signal.
  const signal =
    end.signal ?? (exitCode !== undefined && exitCode > 128 && exitCode < 160 ? exitCode - 128 : undefined);
  return {
    code: exitCode,
    signal,
    reason: end.reason,
    at:
      finishedAt === undefined
        ? undefined
        : { ns: finishedAt, kind: 'runtime', resolutionNs: 1_000_000_000, zoneAssumed: false },
    clock: pod.node ?? pod.pod,
    by: 'pod',
    terminatedByAgent: false,
    source: end.source ?? object.source,
  };
}
