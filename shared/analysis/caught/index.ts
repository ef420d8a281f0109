/**
 * Which exceptions were caught: printed by a process that did not end of them.
 *
 *   2026-03-14 10:02:11 WARNING could not read shard-0007.bin, using the copy
 *   Traceback (most recent call last):
 *     …
 *   TimeoutError: shard-0007.bin: no answer within 5 s          ← logged with exc_info, no `[rank3]:` in front
 *
 * A log cannot be trusted to say "retrying" in words that we know, so the proof is taken from what the exception did:
 * - torch.distributed (2.2 and later) prints what NOBODY caught with `[rankN]: ` before every line, once the process group exists. A traceback
 *   without it, printed later than that by a worker, was caught, unless the launcher saw that worker end by itself;
 * - a job whose ranks wait for each other in every step does not go on for long without one of them: steps well after the line, or
 *   the good end of the run, show that no rank ended there;
 * - a worker that the launcher ended (or that ended well, or waited for others afterwards) had not ended of its exception; nor had one
 *   about whose end nobody in the whole job says a word.
 *
 * Left as it is (not caught) wherever none of this is seen: older PyTorch, errors before the process group, launchers that say nothing.
 * Classes that pass on somebody else's failure are not judged here: they accuse nobody.
 */
import type { LogEvent } from '../../model/events.ts';
import type { LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { eventsOf, isPrimaryClass, type PlacedOf } from '../rules/support/events.ts';
import { precedes } from '../rules/support/order.ts';
import { consequenceReports, lifeOf, ranksOfPod } from '../rules/support/ranks.ts';
import { createWentOn } from './went-on.ts';

type Raised = PlacedOf<'exception'>;

export interface CaughtInput {
  readonly rankMap: RankMapFact;
  readonly lifeLines: readonly LifeLine[];
  readonly events: readonly PlacedEvent[];
  /** Entries that hold torchrun's error files: what they tell was recorded as the process ended. */
  readonly errorFiles: ReadonlySet<number>;
}

/** The same events and life lines, with `handled` set on exceptions that were caught. Linear in events. */
export function markCaught(input: CaughtInput): {
  readonly events: readonly PlacedEvent[];
  readonly lifeLines: readonly LifeLine[];
} {
  const { events, lifeLines } = input;
  const open = eventsOf(events, 'exception').filter((placed) => isOpen(placed, input.errorFiles));
  if (open.length === 0) return { events, lifeLines };
  const judge = createJudge(input);
  const caught = new Map<PlacedEvent, PlacedEvent>();
  for (const placed of open) if (judge(placed)) caught.set(placed, asHandled(placed));
  if (caught.size === 0) return { events, lifeLines };
  const swap = (placed: PlacedEvent): PlacedEvent => caught.get(placed) ?? placed;
  return {
    events: events.map(swap),
    lifeLines: lifeLines.map((life) =>
      life.errors.some((error) => caught.has(error)) ? { ...life, errors: life.errors.map(swap) } : life,
    ),
  };
}

function isOpen({ event }: Raised, errorFiles: ReadonlySet<number>): boolean {
  const { handled, class: errorClass } = event.body;
  return (
    !handled && isPrimaryClass(errorClass) && event.rankBasis !== 'rank-prefix' && !errorFiles.has(event.source.entry)
  );
}

function asHandled(placed: Raised): PlacedEvent {
  const event: LogEvent = { ...placed.event, body: { ...placed.event.body, handled: true } };
  return { ...placed, event };
}

function createJudge(input: CaughtInput): (placed: Raised) => boolean {
  const { events, lifeLines, rankMap } = input;
  const hooked = attemptsWithHook(events);
  const uncaught = new Set(
    eventsOf(events, 'exception')
      .filter((placed) => placed.event.rankBasis === 'rank-prefix' && !placed.event.body.handled)
      .map((placed) => `${placed.rank} ${placed.attempt}`),
  );
  const wentOn = createWentOn(events);
  const begun = createBegun(events);
  const endedByItself = (rank: number, attempt: number): boolean => {
    const exit = lifeOf(lifeLines, rank, attempt)?.exit;
    return (
      exit?.by === 'agent' &&
      (exit.code ?? 0) > 0 &&
      !exit.terminatedByAgent &&
      !consequenceReports(events, attempt).has(rank) &&
      !uncaught.has(`${rank} ${attempt}`)
    );
  };
  const wasSeenToLive = (rank: number, attempt: number): boolean => {
    const life = lifeOf(lifeLines, rank, attempt);
    return life?.exit?.by === 'agent' || life?.finished !== undefined || consequenceReports(events, attempt).has(rank);
  };
  return (placed) => {
    const { rank, attempt, pod } = placed;
    if (wentOn(placed)) return true;
    const hookWouldShow = hooked(attempt) && begun(placed);
    if (rank !== undefined) {
      if (hooked(attempt) && uncaught.has(`${rank} ${attempt}`)) return true;
      if (endedByItself(rank, attempt)) return false;
      return hookWouldShow && (wasSeenToLive(rank, attempt) || nobodyComplains(events, attempt));
    }
    const ranks = pod === undefined ? [] : ranksOfPod(rankMap, pod);
    if (ranks.some((one) => endedByItself(one, attempt))) return false;
    return hookWouldShow || (ranks.length > 0 && ranks.every((one) => wasSeenToLive(one, attempt)));
  };
}

/** No rank waits or lost a peer and no launcher saw a worker end: with one rank gone, the others would soon say so. */
function nobodyComplains(events: readonly PlacedEvent[], attempt: number): boolean {
  const launcherSpoke = (['worker-failed', 'failure-summary', 'agent-signal', 'closing-signal'] as const).some((kind) =>
    eventsOf(events, kind).some((placed) => placed.attempt === attempt),
  );
  return !launcherSpoke && consequenceReports(events, attempt).size === 0;
}

const SINCE = [2, 2] as const;

/** Attempts in which torch's exception hook is at work: its prefix was seen in them, or the version is known to have it. */
function attemptsWithHook(events: readonly PlacedEvent[]): (attempt: number) => boolean {
  const versions = eventsOf(events, 'software').flatMap(({ event }) => event.body.torch ?? []);
  const byVersion = versions.length > 0 && versions.every(hasHook);
  const seen = new Set(events.filter(({ event }) => event.rankBasis === 'rank-prefix').map((placed) => placed.attempt));
  return (attempt) => byVersion || seen.has(attempt);
}

function hasHook(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > SINCE[0] || (major === SINCE[0] && minor >= SINCE[1]);
}

/** True if the process group surely existed when the line was printed: it, or for unknown ranks its Pod, had begun to train. */
function createBegun(events: readonly PlacedEvent[]): (placed: Raised) => boolean {
  const first = new Map<string, PlacedEvent>();
  for (const kind of ['group-ready', 'progress', 'operation-start'] as const) {
    for (const placed of eventsOf(events, kind)) {
      for (const key of keysOf(placed)) {
        const known = first.get(key);
        if (known === undefined || precedes(placed, known)) first.set(key, placed);
      }
    }
  }
  return (placed) =>
    keysOf(placed).some((key) => {
      const start = first.get(key);
      return start !== undefined && precedes(start, placed);
    });
}

function keysOf({ rank, pod, attempt, event }: PlacedEvent): string[] {
  const keys = [`entry ${event.source.entry} ${attempt}`];
  if (rank !== undefined) keys.push(`rank ${rank} ${attempt}`);
  if (pod !== undefined) keys.push(`pod ${pod} ${attempt}`);
  return keys;
}
